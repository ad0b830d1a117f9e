"""Given some chats, then what they come to; added up in any order, it is the same."""

from __future__ import annotations

import pickle
from functools import reduce
from operator import add
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evals.prices import Price, cost, unpriced
from core.evals.record import (
    Broken,
    ChatRecord,
    Ending,
    Failure,
    FailureKind,
    FirstSummary,
    Lead,
    Spent,
    TurnRecord,
)
from core.evals.tally import (
    MOST_EXAMPLES,
    AtTurn,
    Example,
    Step,
    Tally,
    tally,
    tally_of,
    tally_of_crash,
)
from core.model import Usage
from tests.support.played import play_with_faults

FIRST = Usage(input=100, output=20, cache_creation=1000)
SECOND = Usage(input=40, output=30, cache_read=1000)


def turn(ask: str, *settled: str, usage: Usage | None = None) -> TurnRecord:
    spent = Spent(calls=1, usage=usage) if usage else Spent()
    return TurnRecord(person="hello", ask=ask, settled=settled, spent=spent)


@pytest.fixture
def chat() -> ChatRecord:
    """Four turns; the title was told beside the date, so it was never asked."""
    return ChatRecord(
        journey="dinner",
        scenario="words",
        lead=Lead.RUNTIME,
        model="mischief",
        seed=7,
        ending=Ending.SUBMITTED,
        turns=(
            turn("when", usage=FIRST),
            turn("guests", "when", "title", usage=SECOND),
            turn("summary", "when", "title", "guests"),
            turn("", "when", "title", "guests"),
        ),
        owed=("title", "when", "guests"),
    )


def test_one_chat_is_counted_with_all_that_it_cost(chat: ChatRecord) -> None:
    found = tally_of(chat).of(Lead.RUNTIME)
    assert found.chats == 1
    assert found.endings == {Ending.SUBMITTED: 1}
    assert found.turns == {4: 1}
    assert found.calls == {2: 1}
    assert found.spent == {"mischief": Spent(calls=2, usage=FIRST + SECOND)}
    assert found.at_turn[2] == AtTurn(chats=1, spent=Spent(calls=1, usage=SECOND))
    assert found.at_turn[3] == AtTurn(chats=1)
    assert found.clean
    assert tally_of(chat).of(Lead.MODEL).chats == 0


def test_the_funnel_tells_how_far_each_owed_item_came(chat: ChatRecord) -> None:
    left = msgspec.structs.replace(chat, ending=Ending.OPEN, turns=chat.turns[:1], seed=8)
    funnel = tally([chat, left]).of(Lead.RUNTIME).funnels["dinner"]
    assert funnel.chats == 2
    assert funnel.steps == {
        "guests": Step(owed=2, reached=1, settled=1),
        "title": Step(owed=2, reached=1, settled=1),
        "when": Step(owed=2, reached=2, settled=1),
    }
    assert (funnel.summaries, funnel.submitted) == (1, 1)


def test_a_value_that_was_lost_again_is_not_settled(chat: ChatRecord) -> None:
    invalidated = (*chat.turns[:3], turn("guests", "when", "title"))
    lost = msgspec.structs.replace(chat, turns=invalidated, ending=Ending.OPEN)
    steps = tally_of(lost).of(Lead.RUNTIME).funnels["dinner"].steps
    assert steps["guests"] == Step(owed=1, reached=1, settled=0)


def test_turns_to_finish_are_those_of_chats_that_were_finished(chat: ChatRecord) -> None:
    given_up = msgspec.structs.replace(chat, ending=Ending.UNFINISHED)
    found = tally([chat, given_up]).of(Lead.RUNTIME)
    assert found.turns == {4: 1}
    assert found.calls == {2: 2}


def test_faults_are_counted_by_time_and_by_chat_with_the_first_as_the_example(
    chat: ChatRecord,
) -> None:
    bad = msgspec.structs.replace(
        chat,
        lead=Lead.MODEL,
        failures=(
            Failure(kind=FailureKind.INVENTED, turn=3, item="guests", detail="nobody said Otto"),
            Failure(kind=FailureKind.INVENTED, turn=2, item="title"),
        ),
        broken=(Broken(guarantee="G7", turn=4, detail="an answer below"),),
    )
    found = tally([bad, msgspec.structs.replace(chat, lead=Lead.MODEL)]).of(Lead.MODEL)
    invented = found.failures[FailureKind.INVENTED]
    assert (invented.times, invented.chats) == (2, 1)
    example = Example(
        journey="dinner", scenario="words", seed=7, model="mischief", turn=2, detail="title"
    )
    assert invented.examples == (example,)
    (below,) = found.broken["G7"].examples
    assert (below.seed, below.turn, below.detail) == (7, 4, "an answer below")
    assert not found.clean


def test_occasions_and_first_summaries_are_summed_up(chat: ChatRecord) -> None:
    wrong = FirstSummary(turn=3, wrong=("title", "when"))
    told = msgspec.structs.replace(
        chat,
        occasions={FailureKind.UNACKNOWLEDGED: 2},
        first_summaries=(wrong, FirstSummary(turn=9)),
    )
    found = tally([told, told, chat]).of(Lead.RUNTIME)
    assert found.occasions == {FailureKind.UNACKNOWLEDGED: 4}
    assert (found.first_summaries, found.misread.times, found.misread.chats) == (4, 2, 2)
    assert found.misread.examples[0].detail == "title, when"
    # It is a figure of its own: proofreading put it right.
    assert found.clean


def test_a_chat_that_cannot_be_compared_is_only_watched(chat: ChatRecord) -> None:
    failures = (Failure(kind=FailureKind.UNFINISHED, turn=4),)
    told = msgspec.structs.replace(
        chat,
        compared=False,
        failures=failures,
        decided={"G7": 4},
        broken=(Broken(guarantee="G7", turn=4),),
    )
    found = tally([told, chat])
    runtime = found.of(Lead.RUNTIME)
    assert (runtime.chats, runtime.watched, found.played) == (1, 2, 2)
    assert runtime.failures == {}
    assert runtime.broken["G7"].chats == 1
    assert runtime.decided["G7"] == 4
    assert runtime.beside[FailureKind.UNFINISHED].chats == 1
    assert not runtime.clean
    model = tally_of(msgspec.structs.replace(told, lead=Lead.MODEL, broken=())).of(Lead.MODEL)
    assert (model.chats, model.watched, model.clean) == (0, 1, True)


def test_of_many_examples_those_of_the_smallest_seeds_are_kept(chat: ChatRecord) -> None:
    broken = (Broken(guarantee="G1", turn=1),)
    bad = [msgspec.structs.replace(chat, seed=seed, broken=broken) for seed in range(1, 101)]
    Random(5).shuffle(bad)
    found = tally(bad).of(Lead.RUNTIME).broken["G1"]
    assert found.chats == 100
    assert [one.seed for one in found.examples] == list(range(1, MOST_EXAMPLES + 1))


def test_a_chat_that_crashed_is_in_no_other_number() -> None:
    example = Example(journey="dinner", scenario="taps", seed=3, model="mischief", detail="oops")
    crashed = tally_of_crash(Lead.RUNTIME, example)
    assert crashed.played == 1
    found = crashed.of(Lead.RUNTIME)
    assert (found.chats, found.crashed.chats, found.clean) == (0, 1, False)
    assert found.crashed.examples == (example,)


def some_tallies() -> list[Tally]:
    seeds = [seed for seed in range(1, 60) if seed % 7]
    return [
        tally_of(play_with_faults(Path("dinner"), name, lead=lead, model="mischief", seed=seed))
        for seed in seeds
        for name in ("taps", "words")
        for lead in Lead
    ]


TALLIES = some_tallies()


@given(order=st.permutations(range(len(TALLIES))), cut=st.integers(0, len(TALLIES)))
def test_in_any_order_and_in_any_parts_the_sum_is_the_same_bytes(
    order: list[int], cut: int
) -> None:
    shuffled = [TALLIES[at] for at in order]
    parts = [reduce(add, part, Tally()) for part in (shuffled[:cut], shuffled[cut:])]
    travelled = [pickle.loads(pickle.dumps(part)) for part in parts]
    summed = travelled[1] + travelled[0]
    assert msgspec.json.encode(summed) == msgspec.json.encode(reduce(add, TALLIES, Tally()))


# What it cost


PRICE = Price(input=3, output=15, cache_read=0.3, cache_write=3.75)


def test_each_kind_of_token_has_its_own_price() -> None:
    usage = Usage(
        input=1_000_000, output=2_000_000, cache_read=10_000_000, cache_creation=4_000_000
    )
    spent = {"large": Spent(calls=9, usage=usage)}
    assert cost(spent, {"large": PRICE}) == pytest.approx(3 + 30 + 3 + 15)


def test_without_a_price_no_cost_is_told() -> None:
    spent = {"large": Spent(calls=1, usage=FIRST), "small": Spent(calls=1, usage=SECOND)}
    assert cost(spent, {"large": PRICE}) is None
    assert unpriced(spent, {"large": PRICE}) == ("small",)


def test_what_used_no_tokens_costs_nothing_and_needs_no_price() -> None:
    assert cost({"scripted": Spent(calls=5)}, {}) == 0
    assert unpriced({"scripted": Spent(calls=5)}, {}) == ()
