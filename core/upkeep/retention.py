"""Deletes what is old: what came in and went out, what was said, who stayed away for long."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.store import Store

_DAY = 24 * 3600.0

TRAFFIC_DAYS = 7.0
"""Days that what came in is kept at most. Platforms deliver an update again for one day (Telegram)
or a few hours (Slack): until then it has to be known."""

_COUNTS_DAYS = 31.0


@dataclass(frozen=True)
class Keeps:
    """Days that things are kept; 0 is for ever. `talk` is for what was said in journeys that are
    over and for who has not been there since, `submissions` for what was submitted and has
    arrived."""

    talk: float = 90.0
    submissions: float = 0.0


@dataclass
class Retention:
    """A chore (see core.upkeep.keeper)."""

    store: Store
    keeps: Keeps = Keeps()
    every: float = 3600.0

    async def do(self) -> int:
        """Delete all that is old, a batch at a time."""
        days = self.keeps.talk
        store, traffic = self.store, min(days, TRAFFIC_DAYS) if days else 0.0
        # Less than a day would forget what a platform may still deliver again.
        count = await _all(store.purge_traffic, max(traffic, 2.0) if days else 0.0)
        count += await _all(store.purge_given_up, max(days, 2.0) if days else 0.0)
        count += await _all(store.purge_talk, days)
        count += await _all(store.purge_people, days)
        count += await _all(store.purge_submissions, self.keeps.submissions)
        return count + await _all(store.purge_counts, _COUNTS_DAYS)


async def _all(purge: Callable[[float], Awaitable[int]], days: float) -> int:
    total = 0
    while days and (count := await purge(days * _DAY)):
        total += count
    return total
