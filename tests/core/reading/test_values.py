"""Replies to asks for a value, and what each of them is read as: the cases beside this file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from ruamel.yaml import YAML

from core.reading import read
from core.reading.result import Context, Outcome

CASES = Path(__file__).parent / "values"
NOW = "2026-12-02T10:00"

Case = tuple[str, str, Context, str, str]


def context(given: dict[str, Any]) -> Context:
    """The context of a block of cases: in Berlin, in euros, unless the block says otherwise."""
    now = datetime.fromisoformat(given.pop("now", NOW)).replace(tzinfo=ZoneInfo("Europe/Berlin"))
    nouns = frozenset(given.pop("nouns", ()))
    return Context(now=now, nouns=nouns, **{"currency": "EUR", "country": "DE", **given})


def cases() -> Iterator[Case]:
    """Every case: its kind, reply, context, outcome, and what is expected beside the outcome."""
    for path in sorted(CASES.glob("*.yaml")):
        for block in YAML(typ="safe").load(path.read_text(encoding="utf-8")):
            given = dict(block["given"])
            kind = given.pop("kind")
            where = context(given)
            for outcome in ("settled", "suggested", "invalid"):
                for reply, expected in block.get(outcome, {}).items():
                    yield kind, reply, where, outcome, str(expected)
            for reason, replies in block.get("beside", {}).items():
                for reply in replies:
                    yield kind, reply, where, "beside", reason


def spelled(value: Any) -> str:
    """A value as the cases write it."""
    if isinstance(value, dict):
        return f"{value['amount']} {value['currency']}"
    return str(value)


@pytest.mark.parametrize("kind,reply,where,outcome,expected", list(cases()))
def test_reply(kind: str, reply: str, where: Context, outcome: str, expected: str) -> None:
    reading = read(kind, reply, where)
    got = {
        Outcome.SETTLED: spelled(reading.value),
        Outcome.SUGGESTED: " | ".join(map(spelled, reading.proposals)),
    }.get(reading.outcome, reading.reason)
    assert (reading.outcome.value, got) == (outcome, expected)


def test_an_amount_keeps_the_decimals_that_were_said() -> None:
    where = context({})
    assert read("money", "20.50", where).value == {"amount": "20.50", "currency": "EUR"}
    assert read("money", "20", where).value == {"amount": "20", "currency": "EUR"}


def test_a_number_is_an_int_unless_it_has_decimals() -> None:
    where = context({})
    assert type(read("number", "12", where).value) is int
    assert read("number", "1.5", where).value == Decimal("1.5")


def test_a_beside_reply_still_proposes_the_value_in_it() -> None:
    where = context({})
    assert read("number", "5, and is parking free?", where).proposals == (5,)
    assert read("date", "Friday, and is parking free?", where).proposals == ("2026-12-04",)
    assert read("time", "5 pm, but why do you ask?", where).proposals == ("17:00",)
