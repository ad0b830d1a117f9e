"""Given what many chats came to, then what a person reads in a terminal and on a page."""

from __future__ import annotations

import re

import msgspec
import pytest

from core.evals.record import Broken, Lead
from core.evals.report.data import Report, Run, as_json, report
from core.evals.report.page import page
from core.evals.report.words import FAILURES, PER, dollars, percent
from core.evals.tally import Tally, tally
from tests.core.evals.reports import RUN, Reader, in_terminal, records, replay

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
