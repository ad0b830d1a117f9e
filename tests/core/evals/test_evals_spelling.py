"""A text says a value when it says it in one of its spellings, not when it has a number of it."""

from __future__ import annotations

from typing import Any

import pytest

from core.evals.led.spelling import spellings
from core.evals.referee import stands_in
from core.manifest import Kind

EURO = {"amount": "15.00", "currency": "EUR"}


@pytest.mark.parametrize(
    "kind, value, text",
    [
        (Kind.TIME, "17:00", "It starts at 5 PM."),
        (Kind.TIME, "17:00", "Start: 17:00"),
        (Kind.TIME, "17:30", "Start: 5:30 PM"),
        (Kind.TIME, "17:30", "Beginn: 17h30"),
        (Kind.TIME, "17:00", "Beginn: 17 Uhr"),
        (Kind.DURATION, 90, "1 h 30 min"),
        (Kind.DURATION, 90, "1 hour and 30 minutes"),
        (Kind.DURATION, 90, "1.5 hours"),
        (Kind.DURATION, 90, "90min"),
        (Kind.DURATION, 120, "2 Stunden"),
        (Kind.DURATION, 2880, "2 days"),
        (Kind.MONEY, EURO, "€15.00"),
        (Kind.MONEY, EURO, "15 EUR"),
        (Kind.DATETIME, "2027-02-05T17:00", "5 February 2027, 5 PM"),
    ],
)
def test_what_says_a_value(kind: Kind, value: Any, text: str) -> None:
    assert stands_in(spellings(kind, value, "en"), text)


@pytest.mark.parametrize(
    "kind, value, text",
    [
        (Kind.TIME, "17:00", "5 of us come"),
        (Kind.TIME, "17:00", "17 places"),
        (Kind.TIME, "17:30", "It starts at 5 PM."),
        (Kind.TIME, "17:30", "On the 17th, for 30 people"),
        (Kind.DURATION, 90, "1 h"),
        (Kind.DURATION, 90, "1 hour"),
        (Kind.DURATION, 45, "0 h"),
        (Kind.MONEY, EURO, "15 places"),
        (Kind.DATETIME, "2027-02-05T17:00", "5 February 2027"),
    ],
)
def test_what_only_has_a_number_of_it(kind: Kind, value: Any, text: str) -> None:
    assert not stands_in(spellings(kind, value, "en"), text)
