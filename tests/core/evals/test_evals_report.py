"""Given what many chats came to, then what a person reads in a terminal and on a page, and what a
machine reads."""

from __future__ import annotations

import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from core.evals.prices import Price
from core.evals.record import (
    OCCASIONS,
    Broken,
    ChatRecord,
    Ending,
    Failure,
    FailureKind,
    FirstSummary,
    Lead,
)
from core.evals.report.data import Report, Run, SetRate, as_json, from_json, report
from core.evals.report.page import page
from core.evals.report.terminal import show
from core.evals.report.words import FAILURES, FIRST_SUMMARY, PER, dollars, percent
from core.evals.tally import Example, Tally, tally, tally_of_crash
from tests.support.played import ITEMS, planned, play_made_up, play_with_faults

PRICE = Price(input=3, output=15, cache_read=0.3, cache_write=3.75)
RUN = Run(
    command="python -m bot eval --model mischief --chats 120",
    model="mischief",
    at="2026-12-02T15:04:05+00:00",
    scenarios=2,
    order={"dinner": ITEMS},
)


def replay(lead: Lead, one: Example) -> str:
    return f"python -m bot eval --scenario {one.scenario} --led {lead.value} --seed {one.seed}"


def records(lead: Lead, *, faults: bool = False) -> list[ChatRecord]:
    play = play_with_faults if faults else play_made_up
    return [
        play(Path("dinner"), one.scenario, lead=lead, model=one.model, seed=one.seed)
        for one in planned(120, lead=lead)
        if one.seed % 7 or not faults
    ]


@pytest.fixture(scope="module")
def both() -> Tally:
    return tally(records(Lead.RUNTIME) + records(Lead.MODEL))


@pytest.fixture(scope="module")
def good(both: Tally) -> Report:
    return report(both, RUN, {"mischief": PRICE})


@pytest.fixture(scope="module")
def faulty() -> Report:
    crash = Example(journey="dinner", scenario="words", seed=7, model="mischief", detail="oops")
    chats = tally(records(Lead.RUNTIME, faults=True) + records(Lead.MODEL))
    return report(chats + tally_of_crash(Lead.RUNTIME, crash), RUN)


def in_terminal(made: Report, width: int = 100) -> str:
    out = io.StringIO()
    show(made, Console(file=out, width=width, highlight=False), replay)
    return out.getvalue()


# Data


def test_the_runtime_comes_first_and_each_failure_has_its_rate(good: Report) -> None:
    assert [one.lead for one in good.leads] == [Lead.RUNTIME, Lead.MODEL]
    runtime, model = good.leads
    assert [row.kind for row in runtime.failures] == list(FailureKind)
    assert {row.rate.count for row in runtime.failures} == {0}
    chats = records(Lead.MODEL)
    for row in model.failures:
        had_it = [one for one in chats if row.kind in {failure.kind for failure in one.failures}]
        occasions = sum(one.occasions.get(row.kind, 0) for one in chats)
        of = occasions if row.kind in OCCASIONS else 120
        assert (row.rate.count, row.rate.of) == (len(had_it), of)
        assert row.rate.low is not None
        assert row.rate.high is not None
        assert row.rate.low < row.rate.share < row.rate.high


def test_what_it_took_is_that_of_the_chats(good: Report) -> None:
    model = good.leads[1]
    chats = records(Lead.MODEL)
    usage = [one.spent.usage for one in chats]
    read = sum(one.input + one.cache_read + one.cache_creation for one in usage)
    assert model.tokens.read == read
    assert model.tokens.cached == sum(one.cache_read for one in usage) / read
    assert model.tokens.written == sum(one.output for one in usage)
    assert model.all_calls == sum(one.spent.calls for one in chats)
    assert model.turns.of == sum(one.ending is Ending.SUBMITTED for one in chats)
    dollars_of_all = sum(
        3 * one.input + 15 * one.output + 0.3 * one.cache_read + 3.75 * one.cache_creation
        for one in usage
    )
    assert model.cost.total == pytest.approx(dollars_of_all / 1e6)
    assert model.cost.per_chat == pytest.approx(dollars_of_all / 1e6 / 120)


def test_the_funnel_is_in_the_order_of_the_manifest(good: Report) -> None:
    (funnel,) = good.leads[0].funnels
    assert [step.item for step in funnel.steps] == list(ITEMS)
    assert good.leads[1].funnels[0].summaries is None


def test_only_the_runtime_has_guarantees_and_all_sixteen(good: Report, faulty: Report) -> None:
    assert [row.name for row in good.leads[0].guarantees] == [f"G{n}" for n in range(1, 17)]
    assert good.leads[1].guarantees == ()
    seventh = faulty.leads[0].guarantees[6]
    assert (seventh.name, seventh.violations, seventh.chats) == ("G7", 22, 11)


def test_what_was_never_put_to_the_test_is_not_told_as_held(good: Report) -> None:
    rows = {row.name: row for row in good.leads[0].guarantees}
    turns = sum(len(one.turns) for one in records(Lead.RUNTIME))
    assert (rows["G1"].decided, rows["G7"].decided, rows["G6"].decided) == (120, turns, 0)
    assert [name for name, row in rows.items() if not row.undecided] == ["G1", "G7", "G13"]
    assert rows["G13"].elsewhere == "tested with processes that are killed"
    lines = [" ".join(line.split()) for line in in_terminal(good).splitlines()]
    assert "G1 never skipped 120 0 G9 same reply not decided -" in lines
    assert "G5 accepted not decided - G13 durable elsewhere -" in lines
    text = Reader(page(good, replay)).text
    assert "G1 never skipped 120 0 0 G2 never invented not decided - - " in text
    assert "Never put to the test: G2, G3, G4, G5, G6, G8," in text


def test_it_is_green_as_long_as_the_runtime_is(good: Report, faulty: Report, both: Tally) -> None:
    assert good.green
    assert not faulty.green
    crash = Example(journey="dinner", scenario="words", seed=7, model="mischief")
    assert not report(both + tally_of_crash(Lead.MODEL, crash), RUN).green


def test_what_a_scenario_expects_is_told_beside_the_guarantees() -> None:
    unmet = Broken(guarantee="expected", turn=2, detail="title is 'A', not 'B'")
    chat = msgspec.structs.replace(records(Lead.RUNTIME)[0], broken=(unmet,))
    made = report(tally([chat]), RUN)
    assert made.leads[0].guarantees[-1].means == "of a scenario"
    assert not made.green
    assert "title is 'A', not 'B'" in in_terminal(made)


SHAPE = {
    "version", "run", "interval", "leads",
    "run.command", "run.model", "run.at", "run.scenarios", "run.order", "run.stopped", "run.note",
    "run.set_rates", "leads.watched", "leads.measured", "leads.first_summary", "leads.beside",
    "leads.first_summary_examples", "leads.failures.per", "leads.failures.set_rate",
    "leads.lead", "leads.chats", "leads.crashed", "leads.endings", "leads.failures",
    "leads.guarantees", "leads.turns", "leads.calls", "leads.all_calls", "leads.tokens",
    "leads.cost", "leads.by_turn", "leads.funnels", "leads.clean",
    "leads.crashed.times", "leads.crashed.chats", "leads.crashed.examples",
    "leads.failures.kind", "leads.failures.rate", "leads.failures.examples",
    "leads.guarantees.name", "leads.guarantees.means", "leads.guarantees.violations",
    "leads.guarantees.chats", "leads.guarantees.examples", "leads.guarantees.elsewhere",
    "leads.guarantees.decided", "leads.guarantees.judged",
    "leads.turns.of", "leads.turns.mean", "leads.turns.low", "leads.turns.median",
    "leads.turns.high", "leads.turns.most",
    "leads.tokens.read", "leads.tokens.written", "leads.tokens.uncached",
    "leads.tokens.cache_read", "leads.tokens.cache_write", "leads.tokens.cached",
    "leads.cost.total", "leads.cost.per_chat", "leads.cost.unpriced",
    "leads.by_turn.turn", "leads.by_turn.chats", "leads.by_turn.read", "leads.by_turn.written",
    "leads.funnels.journey", "leads.funnels.chats", "leads.funnels.steps",
    "leads.funnels.summaries", "leads.funnels.submitted",
    "leads.funnels.steps.item", "leads.funnels.steps.owed", "leads.funnels.steps.reached",
    "leads.funnels.steps.settled",
    "leads.failures.rate.count", "leads.failures.rate.of", "leads.failures.rate.share",
    "leads.failures.rate.low", "leads.failures.rate.high",
    "leads.failures.examples.journey", "leads.failures.examples.scenario",
    "leads.failures.examples.seed", "leads.failures.examples.model",
    "leads.failures.examples.turn", "leads.failures.examples.detail",
}  # fmt: skip
"""What machines may read: a name that goes from here is a new version."""


def keys(data: object, path: str = "") -> set[str]:
    if isinstance(data, list):
        return {key for one in data for key in keys(one, path)}
    if not isinstance(data, dict):
        return set()
    own = {f"{path}{name}" for name in data}
    return own.union(*(keys(one, f"{path}{name}.") for name, one in data.items()))


def test_the_json_has_the_shape_that_it_says_it_has(good: Report) -> None:
    written = json.loads(as_json(good))
    assert written["version"] == 2
    assert keys(written) >= SHAPE
    assert from_json(as_json(good)) == good
    assert as_json(good) == as_json(from_json(as_json(good)))


# What is set and not measured, and what is in no rate


@pytest.fixture(scope="module")
def made(both: Tally) -> Report:
    rates = {FailureKind.SKIPPED: SetRate(share=0.35, of="of chats")}
    return report(both, msgspec.structs.replace(RUN, set_rates=rates))


def test_what_came_of_set_rates_has_no_interval_and_stands_beside_them(made: Report) -> None:
    runtime, model = made.leads
    assert (runtime.measured, model.measured) == (True, False)
    assert all(row.rate.low is not None for row in runtime.failures)
    assert {(row.rate.low, row.rate.high) for row in model.failures} == {(None, None)}
    assert {one.low for one in model.endings.values()} == {None}
    assert {one.first_summary.low for one in made.leads} == {None}
    assert model.failures[0].set_rate == SetRate(share=0.35, of="of chats")
    assert all(row.set_rate is None for row in runtime.failures)
    written = json.loads(as_json(made))["leads"][1]
    assert written["failures"][0]["set_rate"] == {"share": 0.35, "of": "of chats"}
    assert written["failures"][0]["rate"]["low"] is None


def test_that_a_rate_is_set_is_said_in_the_terminal_and_on_the_page(made: Report) -> None:
    text, read = in_terminal(made), Reader(page(made, replay)).text
    assert "set: 35.0 % of chats" in text
    assert "what came of rates that are set is counted, not measured" in text
    assert "set: 35.0 % of chats" in read.replace("\xa0", " ")
    assert "the slips were set to happen" in read
    assert "at rates that are set: the most frequent failure" in read
    assert "set to happen" not in Reader(page(report(Tally(), RUN), replay)).text


def test_a_real_model_is_measured(good: Report) -> None:
    assert all(one.measured for one in good.leads)
    assert "not measured" not in in_terminal(good)


def test_what_needs_an_occasion_is_told_with_its_denominator() -> None:
    silent = Failure(kind=FailureKind.UNACKNOWLEDGED, turn=2, item="when")
    chat = msgspec.structs.replace(
        records(Lead.RUNTIME)[0],
        failures=(silent, msgspec.structs.replace(silent, turn=3)),
        occasions={FailureKind.UNACKNOWLEDGED: 5},
    )
    made = report(tally([chat, chat]), RUN)
    rows = {row.kind: row for row in made.leads[0].failures}
    assert (rows[FailureKind.UNACKNOWLEDGED].rate.count, rows[FailureKind.SKIPPED].rate.of) == (
        4,
        2,
    )
    assert rows[FailureKind.UNACKNOWLEDGED].rate.of == 10
    assert rows[FailureKind.STALE_CONFIRMATION].rate.of == 0
    assert "4 of 10  40.0 %" in in_terminal(made)
    assert "of corrections" in in_terminal(made)
    assert "no occasion" in in_terminal(made)
    assert "no occasion" in Reader(page(made, replay)).text


def test_what_was_wrong_on_the_first_summary_is_a_figure_of_its_own() -> None:
    wrong = (FirstSummary(turn=5, wrong=("title",)), FirstSummary(turn=9))
    chat = msgspec.structs.replace(records(Lead.RUNTIME)[0], first_summaries=wrong)
    made = report(tally([chat]), RUN)
    assert (made.leads[0].first_summary.count, made.leads[0].first_summary.of) == (1, 2)
    assert made.green
    text = in_terminal(made)
    assert "1 of 2  50.0 %" in next(one for one in text.splitlines() if FIRST_SUMMARY in one)
    assert FIRST_SUMMARY in Reader(page(made, replay)).text


def test_chats_that_are_in_no_rate_are_told_of_and_not_hidden() -> None:
    stuck = Failure(kind=FailureKind.UNFINISHED, turn=5, detail="it goes on and on")
    chats = [
        msgspec.structs.replace(one, compared=bool(at), failures=() if at else (stuck,))
        for at, one in enumerate(records(Lead.RUNTIME)[:3])
    ]
    made = report(tally(chats), RUN)
    assert (made.leads[0].chats, made.leads[0].watched) == (2, 3)
    assert not made.green
    text, read = in_terminal(made), Reader(page(made, replay)).text
    assert "chats that were not to end in a submission, 1 of each lead" in text
    assert "it goes on and on" in text
    assert "it goes on and on" in read


# Terminal


def test_the_tables_stand_side_by_side_in_a_hundred_columns(good: Report) -> None:
    # as wide as the numbers can get
    large = msgspec.json.decode(re.sub(r'"of": \d+', '"of": 10000', as_json(good)), type=Report)
    text = in_terminal(large)
    assert max(map(len, text.splitlines())) <= 100
    lines = text.splitlines()
    for row in large.leads[1].failures:
        at = next(at for at, line in enumerate(lines) if FAILURES[row.kind] in line)
        assert "0 of 10,000  0.0 %" in lines[at]
        assert f"{row.rate.count} of 10,000  {percent(row.rate.share)} %" in lines[at]
        assert row.rate.low is not None
        assert row.rate.high is not None
        assert f"({percent(row.rate.low)}–{percent(row.rate.high)})" in lines[at + 1]
        assert (PER.get(row.kind, "") in lines[at + 1]) or row.kind not in PER
    assert "the runtime leads" in text
    assert "G16 re-asked" in text
    assert "%" in next(line for line in text.splitlines() if "share that a cache served" in line)


def test_what_has_no_price_has_no_cost_and_that_is_said(both: Tally) -> None:
    text = in_terminal(report(both, RUN))
    assert "the price table has no price of mischief" in text
    assert "$" not in text


def test_what_went_wrong_can_be_played_again(faulty: Report) -> None:
    text = in_terminal(faulty)
    assert "✗ G7 last word, the runtime leads: 11 chats" in text
    assert "taps, turn 2: not the last" in text
    assert "python -m bot eval --scenario taps --led runtime --seed 10\n" in text
    assert "✗ crashed, the runtime leads: 1 chat\n" in text
    assert "python -m bot eval --scenario words --led runtime --seed 7\n" in text
    assert "--led model" not in text


@pytest.mark.parametrize(
    "value, told", [(0.0, "0.0"), (0.00038, "0.04"), (0.211, "21.1"), (1.0, "100.0")]
)
def test_a_small_share_is_not_told_as_none(value: float, told: str) -> None:
    assert percent(value) == told


@pytest.mark.parametrize(
    "value, told", [(None, "-"), (0, "$0.00"), (0.0215, "$0.0215"), (1234.5, "$1,234.50")]
)
def test_small_amounts_are_told_exactly(value: float | None, told: str) -> None:
    assert dollars(value) == told


# Page


class Reader(HTMLParser):
    """Reads a page as a browser does, as far as these tests ask."""

    VOID = frozenset({"meta", "link", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def test_the_page_stands_alone(good: Report) -> None:
    text = page(good, replay)
    read = Reader(text)
    assert read.open == []
    assert not {"script", "img", "iframe", "object"} & set(read.tags)
    wanted = [value for name, value in read.attributes if name in ("href", "src", "xlink:href")]
    assert all(value is None or value.startswith(("#", "data:,")) for value in wanted)
    assert "url(http" not in text
    assert "@import" not in text
    ids = [value for name, value in read.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_the_page_has_the_command_the_plots_and_their_tables(good: Report) -> None:
    read = Reader(page(good, replay))
    assert RUN.command in read.text
    assert "2026-12-02, 15:04 UTC" in read.text
    assert read.tags.count("svg") == 3
    assert read.tags.count("table") == 5
    worst = max(good.leads[1].failures, key=lambda row: row.rate.share)
    assert f"{worst.rate.count} of {worst.rate.of}" in read.text
    assert "0 violations of what always holds, 0 failures" in read.text


def test_everything_that_came_from_elsewhere_is_escaped() -> None:
    evil = '<script>alert("x")</script>'
    chat = msgspec.structs.replace(
        records(Lead.RUNTIME)[0],
        journey=evil,
        scenario=evil,
        model=evil,
        owed=(evil,),
        broken=(Broken(guarantee=evil, turn=1, detail=evil),),
    )
    run = Run(command=f"python -m bot eval {evil}", model=evil, stopped=evil)
    text = page(report(tally([chat]), run), lambda _, one: f"play {one.scenario}")
    read = Reader(text)
    assert "script" not in read.tags
    assert read.text.count(evil) >= 8


def test_without_tokens_and_with_one_lead_there_is_a_page_too() -> None:
    chat = records(Lead.RUNTIME)[0]
    free = [msgspec.structs.replace(turn, spent=type(turn.spent)()) for turn in chat.turns]
    made = report(tally([msgspec.structs.replace(chat, turns=tuple(free))]), RUN)
    read = Reader(page(made, replay))
    assert "No token was spent in any turn." in read.text
    assert read.tags.count("svg") == 2
    assert "the model leads" not in read.text


def test_the_page_tells_what_is_broken_and_how_to_see_it(faulty: Report) -> None:
    read = Reader(page(faulty, replay))
    assert "22 violations of what always holds" in read.text
    assert "python -m bot eval --scenario taps --led runtime --seed 10" in read.text
    assert "Chats that crashed, where the runtime leads: 1" in read.text


def test_what_must_be_known_of_the_model_is_told(both: Tally) -> None:
    noted = report(both, msgspec.structs.replace(RUN, note="It slips at set rates."))
    assert "It slips at set rates." in Reader(page(noted, replay)).text
    assert "It slips at set rates." in in_terminal(noted)


def test_of_no_chats_there_is_a_page_too() -> None:
    stopped = msgspec.structs.replace(RUN, stopped="it was interrupted")
    read = Reader(page(report(Tally(), stopped), replay))
    assert "Not all chats were played: it was interrupted." in read.text
    assert "it was interrupted" in in_terminal(report(Tally(), stopped))
