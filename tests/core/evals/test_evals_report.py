"""Given what many chats came to, then what a machine reads of it."""

from __future__ import annotations

import json

import msgspec
import pytest

from core.evals.record import OCCASIONS, Broken, Ending, FailureKind, Lead
from core.evals.report.data import Report, as_json, from_json, report
from core.evals.report.page import page
from core.evals.tally import Example, Tally, tally, tally_of_crash
from tests.core.evals.reports import RUN, Reader, in_terminal, records, replay
from tests.support.played import ITEMS


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
