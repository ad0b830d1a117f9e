"""What is set and not measured, what needs an occasion, and what is in no rate."""

from __future__ import annotations

import json

import msgspec
import pytest

from core.evals.record import Failure, FailureKind, FirstSummary, Lead
from core.evals.report.data import Report, SetRate, as_json, report
from core.evals.report.page import page
from core.evals.report.words import FIRST_SUMMARY
from core.evals.tally import Tally, tally
from tests.core.evals.reports import RUN, Reader, in_terminal, records, replay


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
