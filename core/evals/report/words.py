"""What the things of a report are called when people read it."""

from __future__ import annotations

from datetime import datetime

from core.evals.record import Ending, FailureKind, Lead

LEADS = {Lead.RUNTIME: "the runtime leads", Lead.MODEL: "the model leads"}

FAILURES = {
    FailureKind.SKIPPED: "Skipped question",
    FailureKind.INVENTED_LIST: "Invented list",
    FailureKind.INVENTED: "Invented value",
    FailureKind.CONFIRMED_AFTER_CHANGE: "Confirmed after a change",
    FailureKind.UNACKNOWLEDGED: "Unacknowledged correction",
    FailureKind.UNACCEPTED_RECORD: "Unaccepted record",
    FailureKind.SECOND_QUESTION: "Second question",
    FailureKind.STALE_CONFIRMATION: "Stale confirmation",
    FailureKind.UNFINISHED: "Not finished",
}

PER = {
    FailureKind.CONFIRMED_AFTER_CHANGE: "replies that are no yes",
    FailureKind.UNACKNOWLEDGED: "corrections",
    FailureKind.STALE_CONFIRMATION: "yeses after a change",
}
"""What the rates of some failures are shares of, by what has to be there for them to happen:
replies to a summary, corrections that were taken, confirmations after a change at a summary. Those
of all others are shares of the chats."""

CHATS = "chats"

FIRST_SUMMARY = "Wrong on the first summary"
"""What no proofreading had put right yet."""

SUMMARIES = "first summaries"

ENDINGS = {
    Ending.SUBMITTED: "Submitted",
    Ending.CANCELLED: "Cancelled",
    Ending.OPEN: "Left open",
    Ending.UNFINISHED: "Not finished",
}

GUARANTEES = {
    "G1": "never skipped",
    "G2": "never invented",
    "G3": "confirmed as shown",
    "G4": "acknowledged",
    "G5": "accepted",
    "G6": "carried",
    "G7": "last word",
    "G8": "one ask",
    "G9": "same reply",
    "G10": "no second question",
    "G11": "deterministic",
    "G12": "model down",
    "G13": "durable",
    "G14": "private",
    "G15": "bound",
    "G16": "re-asked",
}

ELSEWHERE = {
    "G13": "tested with processes that are killed",
}
"""Guarantees that a chat in memory cannot break, and where they are looked at."""

EXPECTATIONS = {
    "expected": "of a scenario",
    "pinned": "cards",
}
"""What else can be broken, where a chat is played as it is written."""


def percent(share: float) -> str:
    """A share of 1 in percent, as exact as it takes to see that it is not nothing."""
    value = 100 * share
    return f"{value:.2f}" if 0 < value < 0.1 else f"{value:.1f}"


def number(value: float | None, digits: int = 0) -> str:
    """A number with its thousands apart; "-" where there is none."""
    return "-" if value is None else f"{value:,.{digits}f}"


def dollars(value: float | None) -> str:
    """An amount, as exact as small ones need; "-" where it is not known."""
    if value is None:
        return "-"
    return f"${value:,.2f}" if value == 0 or value >= 1 else f"${value:.4f}"


def moment(at: str) -> str:
    """A moment (ISO 8601, UTC) as people write it."""
    return datetime.fromisoformat(at).strftime("%Y-%m-%d, %H:%M UTC")
