"""No guarantee is green because nobody could see it broken: the code that keeps it is broken, and
the judges say so; the same chats, with the code as it is, are green."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import pytest

from core.catalogue import Catalogue
from core.evals.guarantees import JUDGED, Where
from core.evals.loading import load_scenarios
from core.evals.mischief import Mischief
from core.evals.play import play
from core.evals.record import ChatRecord
from core.evals.scenario import Scenario
from tests.support import sabotaged_turns as turns
from tests.support import sabotaged_values as values
from tests.support.sabotaged_values import Break


def _recorded(title: str) -> list[dict[str, Any]]:
    """What a model answers who records a title."""
    call = {"item": "title", "value": title, "quote": f"call it {title}"}
    return [{"calls": [{"record_item": call}]}, {"text": "A fine name."}]


class Chat(NamedTuple):
    """What is played: a scenario of a journey's, and the seed of the model and of the person."""

    journey: str
    scenario: str
    seed: int


CHATS = (
    Chat("event", "told_in_passing", 10),
    Chat("event", "another_venue", 3),
    Chat("event", "by_taps", 1),
    Chat("event", "online_after_all", 5),
    Chat("event", "questions_at_the_first_cards", 7),
    Chat("event", "comes_back", 11),
    Chat("event", "corrected_in_haste", 0),
    Chat("request", "access_by_taps", 13),
)
"""They are played one after the other until it is seen what is broken."""

IN_HASTE = Scenario.model_validate(
    {
        "about": "The model changes the title at the summary, which is confirmed in haste.",
        "name": "corrected_in_haste",
        "journey": "event",
        "answers": {"kind": "workshop", "format": "online"},
        "script": [
            {"at": "start", "say": "call it Paper Kites", "model": _recorded("Paper Kites")},
            {"at": "summary", "say": "call it Kites for All", "model": _recorded("Kites for All")},
            {"tap": "Confirm"},
        ],
    }
)
"""Played as it is written: nobody who looks the summary through would confirm an earlier one."""


@dataclass(frozen=True)
class Sabotage:
    """A fault, the guarantee that it breaks, and those that cannot but break with it."""

    breaks: Break
    guarantee: str
    beside: tuple[str, ...] = ()
    seen_in: str = ""
    """A scenario in which it soon shows."""


SABOTAGES = (
    Sabotage(values.an_item_is_forgotten, "G1", seen_in="access_by_taps"),
    Sabotage(values.what_may_be_left_out_is_never_asked, "G1"),
    Sabotage(values.a_condition_is_read_as_false, "G1", ("G16",), seen_in="access_by_taps"),
    Sabotage(values.the_summary_comes_too_early, "G1", seen_in="access_by_taps"),
    Sabotage(values.a_row_is_left_out, "G1", ("G3", "G6"), seen_in="access_by_taps"),
    Sabotage(values.another_option_than_the_tapped_one_is_taken, "G2", seen_in="access_by_taps"),
    Sabotage(values.a_quote_is_not_verified, "G2"),
    Sabotage(values.a_value_is_not_looked_for_in_its_quote, "G2"),
    Sabotage(values.a_suggestion_settles, "G2"),
    Sabotage(
        values.suggested_entries_slide_into_the_list, "G2", seen_in="questions_at_the_first_cards"
    ),
    Sabotage(values.something_else_is_submitted, "G3", seen_in="access_by_taps"),
    Sabotage(values.any_words_confirm, "G3"),
    Sabotage(values.the_summary_shows_what_was, "G3", seen_in="access_by_taps"),
    Sabotage(values.a_summary_of_before_can_be_confirmed, "G3", seen_in="corrected_in_haste"),
    Sabotage(values.a_change_is_told_without_what_was, "G4", seen_in="access_by_taps"),
    Sabotage(values.a_change_is_told_without_what_is, "G4", seen_in="access_by_taps"),
    Sabotage(values.the_first_record_found_is_taken, "G5", ("G2",)),
    Sabotage(values.another_record_than_the_tapped_one_is_taken, "G5", seen_in="online_after_all"),
    Sabotage(values.the_summary_shows_another_record, "G5", ("G3",)),
    Sabotage(turns.the_models_argument_wins, "G6", seen_in="another_venue"),
    Sabotage(turns.a_step_calls_without_what_is_settled, "G6", seen_in="another_venue"),
    Sabotage(turns.nothing_is_drawn_under_an_answer, "G7", ("G9",), seen_in="corrected_in_haste"),
    Sabotage(turns.something_is_said_below_the_card, "G7"),
    Sabotage(turns.the_card_before_stays_live, "G8", seen_in="access_by_taps"),
    Sabotage(turns.an_earlier_card_says_nothing, "G8", seen_in="by_taps"),
    Sabotage(turns.nothing_comes_after_a_receipt, "G9", ("G7",), seen_in="access_by_taps"),
    Sabotage(turns.receipts_are_not_printed, "G9", ("G4",), seen_in="access_by_taps"),
    Sabotage(turns.what_was_recorded_is_not_told, "G9", ("G4",), seen_in="corrected_in_haste"),
    Sabotage(turns.the_models_question_stands, "G10", seen_in="another_venue"),
    Sabotage(turns.an_id_is_drawn_from_elsewhere, "G11", seen_in="access_by_taps"),
    Sabotage(turns.coming_back_asks_the_model, "G11", seen_in="comes_back"),
    Sabotage(turns.nobody_says_that_the_model_is_down, "G12"),
    Sabotage(turns.a_dead_model_ends_the_talk, "G12", ("G7",)),
    Sabotage(turns.an_event_names_its_item, "G14", seen_in="access_by_taps"),
    Sabotage(turns.anybody_may_tap, "G15", ("G2",), seen_in="by_taps"),
    Sabotage(turns.any_card_counts, "G15", ("G2", "G8"), seen_in="by_taps"),
    Sabotage(values.a_change_takes_nothing_with_it, "G16", ("G6",), seen_in="access_by_taps"),
    Sabotage(values.a_change_takes_only_what_is_next_to_it, "G16"),
    Sabotage(values.a_change_takes_too_much_with_it, "G16"),
    Sabotage(values.what_stands_is_asked_again, "G16", seen_in="access_by_taps"),
    Sabotage(values.what_went_is_not_named, "G16", seen_in="access_by_taps"),
)


@cache
def catalogue() -> Catalogue:
    return Catalogue.load()


@cache
def scenario(journey: str, name: str) -> Scenario:
    if name == IN_HASTE.name:
        return IN_HASTE
    folder = catalogue().journey(journey).folder
    return next(one for one in load_scenarios(folder) if one.name == name)


def played(chat: Chat) -> ChatRecord:
    found = scenario(chat.journey, chat.scenario)
    if found is IN_HASTE:
        return asyncio.run(play(catalogue(), found))
    return asyncio.run(play(catalogue(), found, model=Mischief(chat.seed), seed=chat.seed))


def chats_for(sabotage: Sabotage) -> Iterator[Chat]:
    """Where it is looked for: what it was seen in first, then the others, then with other seeds."""
    first = sorted(CHATS, key=lambda one: one.scenario != sabotage.seen_in)
    for more in (0, 100, 200):
        yield from (one._replace(seed=one.seed + more) for one in first)


def seen(sabotage: Sabotage) -> tuple[Chat, set[str]]:
    """The first chat in which the guarantee is found broken, and all that was broken until then."""
    found: set[str] = set()
    for chat in chats_for(sabotage):
        found |= {one.guarantee for one in played(chat).broken} & set(JUDGED)
        if sabotage.guarantee in found:
            return chat, found
    pytest.fail(f"nobody sees that {sabotage.breaks.__name__.replace('_', ' ')}")


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda one: one.breaks.__name__)
def test_what_is_broken_is_seen_and_nothing_else_is(
    sabotage: Sabotage, monkeypatch: pytest.MonkeyPatch
) -> None:
    sabotage.breaks(monkeypatch)
    chat, found = seen(sabotage)
    assert found <= {sabotage.guarantee, *sabotage.beside}
    monkeypatch.undo()
    assert played(chat).broken == ()


def test_the_same_chats_are_green_and_decide_all_that_a_chat_can_show() -> None:
    records = [played(chat) for chat in CHATS]
    assert [one for record in records for one in record.broken] == []
    decided = sum((Counter(record.decided) for record in records), Counter[str]())
    assert set(decided) == {name for name, where in JUDGED.items() if Where.EVALS in where}


def test_every_guarantee_that_a_chat_can_show_is_broken_here() -> None:
    judged = {name for name, where in JUDGED.items() if Where.EVALS in where}
    assert {one.guarantee for one in SABOTAGES} == judged
