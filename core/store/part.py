"""What every part of the store has in common."""

from __future__ import annotations

from datetime import UTC, datetime

from core.store.engine import Database


class Part:
    """One part of the store; `Store` puts them together."""

    def __init__(self, database: Database, max_tries: int) -> None:
        self.database = database
        self.max_tries = max_tries
        self._owners: set[str] = set()


def moment(seconds: float) -> datetime:
    """A stored time, as an aware one."""
    return datetime.fromtimestamp(seconds, UTC)


def channel_of(lane: str) -> str:
    """The channel of a lane: its first part."""
    return lane.partition(":")[0]


def brief(error: str) -> str:
    """An error as it is kept: enough to know it by."""
    return error[:500]
