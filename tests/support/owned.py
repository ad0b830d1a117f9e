"""What the store answers about a person, for chats that have no store: no submissions, or these."""

from __future__ import annotations

from core.cards import Record
from core.step.base import Fetch, Fetched
from core.turn.holdings import MINE


def owned(fetch: Fetch, submissions: tuple[Record, ...] = (), messages: int = 0) -> Fetched:
    """An answer as `core.own` gives it; the newest submission first."""
    if fetch.tool == MINE:
        return Fetched(records=submissions, total=len(submissions))
    told: dict[str, str | int] = {
        "account": "test:anna",
        "messages": messages,
        "submissions": len(submissions),
    }
    records = tuple(
        Record(id=name, label=name, fields={"value": value}) for name, value in told.items()
    )
    return Fetched(records=records, total=len(records))


def submitted(journey: str, manifest: str, at: str, number: int = 1) -> Record:
    """One submission of a version that is gone; `at` is an ISO time with its offset."""
    known = {"at": at, "digest": "gone", "content": "{}"}
    return Record(id=journey, label=manifest, fields={**known, "number": number})
