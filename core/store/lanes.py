"""Lanes: one worker at a time takes a conversation's turns, under a lease with a fence number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.replies import Reply
from core.state import Conversation, decode
from core.store import crash
from core.store.errors import Fenced
from core.store.inbox import Apology, Entry, apologize, park_entries, read_entries, recount
from core.store.part import Part, brief
from core.store.sql import now, pending, storable
from core.store.tables import ALL_CLAIMED, conversation, inbox, is_ready, lane

ENTRIES = 50
"""The most entries of one lane that are handed out at once."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A lane that a worker holds for `lease` seconds: what waits in it, and its state.

    `entries` has at least one. `state` is None where nobody has been met in the lane.
    """

    lane: str
    fence: int
    entries: tuple[Entry, ...]
    state: Conversation | None
    owner: str
    lease: float


def _nothing(reply: Reply) -> None:
    """Nobody is told of what is given up."""


class Lanes(Part):
    """Claiming lanes, keeping them, and giving them back."""

    async def claim(
        self, owner: str, lease: float = 30.0, apology: Apology = _nothing
    ) -> Claim | None:
        """Take the lane that has waited longest; None when none is ready.

        `owner` names this process, `lease` are the seconds until another may take the lane over;
        `renew` in good time. A lane whose last holder died with it counts that as a failure of its
        first entry, as `fail` does. What cannot be read any more is parked.
        """
        self._owners.add(owner)

        async def work(connection: AsyncConnection) -> Claim | None:
            # Each pass that gives no claim has parked what stood in its way.
            while row := (await connection.execute(_next_lane())).first():
                await _lease(connection, row.key, owner, lease)
                crash.point("claim-lane")
                if row.lease_until > 0:
                    await self._blame_first(connection, row.key, apology)
                claim = await _claimed(connection, row, owner, lease)
                if claim is not None:
                    return claim
            return None

        return await self.database.write("claim", work)

    async def renew(self, claim: Claim) -> None:
        """Hold the lane for another `claim.lease` seconds from now. Raises Fenced."""

        async def work(connection: AsyncConnection) -> None:
            await change_held(connection, claim, lease_until=now() + claim.lease)

        await self.database.write("renew", work)

    async def waiting(self, claim: Claim, after: int | None = None) -> list[Entry]:
        """What is pending in a claimed lane behind the entry `after` (the claim's last one where
        nothing is said), in order."""
        last = claim.entries[-1].id if after is None else after
        async with self.database.read() as connection:
            entries, _ = await read_entries(connection, claim.lane, after=last, limit=ENTRIES)
        return entries

    async def release(self, claim: Claim) -> None:
        """Give the lane back with nothing done. A lease that was lost is nobody's to give back."""

        async def work(connection: AsyncConnection) -> None:
            await change_held(connection, claim, lease_until=0.0, hold_until=0.0)

        try:
            await self.database.write("release", work)
        except Fenced:
            return

    async def fail(
        self,
        claim: Claim,
        ids: Sequence[int],
        error: str,
        retry_in: float = 2.0,
        apology: Apology = _nothing,
    ) -> bool:
        """Taking these entries failed: give the lane back, to be tried again later.

        The n-th failure waits `retry_in` * 2^(n-1) seconds; an entry that failed as often as the
        store allows is parked, its `apology` is accepted in its place, and the lane goes on.
        `error` is shown to an admin: it must hold nothing private. False when the lease was lost,
        and then nothing is written.
        """

        async def work(connection: AsyncConnection) -> None:
            chosen = inbox.c.id.in_(ids) & (inbox.c.lane == claim.lane) & pending(inbox)
            # The lane first, so that nobody counts these entries while their number changes.
            await change_held(connection, claim, lease_until=0.0, hold_until=0.0, run_at=now())
            crash.point("fail-lane")
            why = storable(error)
            left = await self._count_failure(connection, claim.lane, chosen, why, apology)
            if left:
                wait = retry_in * 2.0 ** (max(left) - 1)
                await connection.execute(
                    update(lane).where(lane.c.key == claim.lane).values(run_at=now() + wait)
                )

        try:
            await self.database.write("fail", work)
        except Fenced:
            return False
        return True

    async def _count_failure(
        self,
        connection: AsyncConnection,
        key: str,
        chosen: ColumnElement[bool],
        error: str,
        apology: Apology,
    ) -> list[int]:
        """Count one more failure; how often those entries have failed that are not given up."""
        counted = update(inbox).where(chosen).values(tries=inbox.c.tries + 1, error=brief(error))
        counted_as = counted.returning(inbox.c.id, inbox.c.tries, inbox.c.payload)
        rows = list(await connection.execute(counted_as))
        spent = [row for row in rows if row.tries >= self.max_tries]
        await apologize(connection, key, spent, apology)
        await park_entries(connection, key, [row.id for row in spent], error)
        return [row.tries for row in rows if row.tries < self.max_tries]

    async def _blame_first(self, connection: AsyncConnection, key: str, apology: Apology) -> None:
        first = select(inbox.c.id).where(inbox.c.lane == key, pending(inbox))
        first = first.order_by(inbox.c.id).limit(1)
        chosen = inbox.c.id == first.scalar_subquery()
        await self._count_failure(connection, key, chosen, "the worker was lost", apology)


async def change_held(connection: AsyncConnection, claim: Claim, **changes: Any) -> None:
    """Change a lane's row as its holder. Raises Fenced, and every transaction of a holder does
    this first: from here on the row is locked and the fence is known to hold."""
    held = (lane.c.key == claim.lane) & (lane.c.fence == claim.fence) & (lane.c.lease_until > 0)
    if (await connection.execute(update(lane).where(held).values(**changes))).rowcount != 1:
        raise Fenced(claim.lane)


def _next_lane() -> Any:
    return (
        select(lane.c.key, lane.c.fence, lane.c.lease_until)
        .where(
            is_ready,
            lane.c.run_at <= now(),
            lane.c.hold_until <= now(),
            lane.c.lease_until <= now(),
        )
        .order_by(lane.c.run_at, lane.c.key)
        .limit(1)
        .with_for_update(skip_locked=True)
    )


async def _lease(connection: AsyncConnection, key: str, owner: str, lease: float) -> None:
    await connection.execute(
        update(lane)
        .where(lane.c.key == key)
        .values(
            fence=lane.c.fence + 1,
            owner=owner,
            lease_until=now() + lease,
            hold_until=ALL_CLAIMED,
        )
    )


async def _claimed(
    connection: AsyncConnection, row: Row[Any], owner: str, lease: float
) -> Claim | None:
    """The claim of a leased lane; None, and the lane idle, when nothing in it can be taken."""
    entries, broken = await read_entries(connection, row.key, limit=ENTRIES)
    await park_entries(connection, row.key, broken, "its content cannot be read")
    try:
        # Read after the lane is locked: what was joined to the locking query could be older.
        state = await read_state(connection, row.key)
    except msgspec.DecodeError:
        ids = [entry.id for entry in entries]
        await park_entries(connection, row.key, ids, "the conversation's state cannot be read")
        entries, state = [], None
    if entries:
        return Claim(row.key, row.fence + 1, tuple(entries), state, owner, lease)
    await connection.execute(update(lane).where(lane.c.key == row.key).values(lease_until=0.0))
    await recount(connection, row.key)
    return None


async def read_state(connection: AsyncConnection, key: str) -> Conversation | None:
    """The stored state of a lane. Raises msgspec.DecodeError."""
    statement = select(conversation.c.state).where(conversation.c.key == key)
    text = (await connection.execute(statement)).scalar_one_or_none()
    return None if text is None else decode(text)
