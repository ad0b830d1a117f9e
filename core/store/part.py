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


def account_of(lane: str) -> str:
    """Whose lane it is: a person on their platform, the same in each of their lanes.

    A lane is `channel:place:...:owner`. One of five parts names the workspace behind the channel: a
    person's id counts only there.
    """
    channel, *parts = lane.split(":")
    owner = parts[-1] if parts else ""
    return f"{channel}:{parts[0]}:{owner}" if len(parts) == 4 else f"{channel}:{owner}"


def account_in(lane: str, person: str) -> str:
    """The account of whoever did something in a lane, who need not be its owner, by their
    platform's id."""
    return account_of(f"{lane.rpartition(':')[0]}:{person}")


def written(account: str) -> str:
    """An account as people read and write it: `telegram:12345`, `slack:T01/U02`."""
    channel, _, rest = account.partition(":")
    return f"{channel}:{rest.replace(':', '/')}"


def is_owner(lane: str, person: str) -> bool:
    """Whether a lane is a person's own, by their platform's id. Where there is no place that others
    could be in, it is."""
    place, _, owner = lane.partition(":")[2].rpartition(":")
    return not place or owner == person


def brief(error: str) -> str:
    """An error as it is kept: enough to know it by."""
    return error[:500]
