"""What was given up, for an admin to see and to set going again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Row, Select, Table, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.store.deliveries import AFRESH
from core.store.inbox import recount
from core.store.looking import Looking
from core.store.moderation import Moderation
from core.store.part import Part, moment
from core.store.roles import Roles
from core.store.tables import delivery, inbox, lane, outbox, submission


class Queue(StrEnum):
    """Where something was given up."""

    INBOX = "inbox"
    OUTBOX = "outbox"
    DELIVERY = "delivery"


_TABLES: dict[Queue, Table] = {
    Queue.INBOX: inbox,
    Queue.OUTBOX: outbox,
    Queue.DELIVERY: delivery,
}


@dataclass(frozen=True, slots=True)
class Parked:
    """Something that was tried in vain. `key` names it as its platform or destination does."""

    queue: Queue
    id: int
    lane: str
    key: str
    tries: int
    error: str
    at: datetime


class Admin(Roles, Moderation, Looking, Part):
    """What the people who run the bot do: decide, look at what went wrong, try it again."""

    async def parked(
        self, queue: Queue | None = None, limit: int | None = None, offset: int = 0
    ) -> list[Parked]:
        """What was given up, in one queue or in all of them, the oldest of each first."""
        found: list[Parked] = []
        async with self.database.read() as connection:
            for one in Queue if queue is None else (queue,):
                rows = await connection.execute(_given_up(one).limit(limit).offset(offset))
                found += [_parked(one, row) for row in rows]
        return found

    async def count_parked(self, queue: Queue) -> int:
        """How much was given up in a queue."""
        counted = select(func.count()).select_from(_given_up(queue).subquery())
        async with self.database.read() as connection:
            return int((await connection.execute(counted)).scalar_one())

    async def unpark(self, queue: Queue, number: int) -> bool:
        """Try it again from the beginning; False where nothing of this number was given up."""
        table = _TABLES[queue]
        chosen = (table.c.id == number) & table.c.parked_at.is_not(None)

        async def work(connection: AsyncConnection) -> bool:
            key = await _lock_lane(connection, number) if queue is Queue.INBOX else None
            afresh = AFRESH if queue is Queue.DELIVERY else {"parked_at": None, "tries": 0}
            revived = update(table).where(chosen).values(**afresh)
            changed = (await connection.execute(revived)).rowcount == 1
            if key is not None:
                await recount(connection, key)
            return changed

        return await self.database.write("unpark", work)


def _given_up(queue: Queue) -> Select[int, str, str, int, str, float]:
    table = _TABLES[queue]
    key = inbox.c.dedupe if queue is Queue.INBOX else table.c.key
    where = submission.c.lane if queue is Queue.DELIVERY else table.c.lane
    columns = (table.c.id, where.label("lane"), key.label("key"), table.c.tries, table.c.error)
    statement = select(*columns, table.c.parked_at).where(table.c.parked_at.is_not(None))
    if queue is Queue.DELIVERY:
        statement = statement.join(submission, table.c.submission == submission.c.id)
    return statement.order_by(table.c.id)


def _parked(queue: Queue, row: Row[int, str, str, int, str, float]) -> Parked:
    at = moment(row.parked_at)
    return Parked(queue, row.id, row.lane, row.key, row.tries, row.error, at)


async def _lock_lane(connection: AsyncConnection, number: int) -> str | None:
    """Lock the lane of an entry, as everyone does who changes what is pending in it."""
    found = select(inbox.c.lane).where(inbox.c.id == number)
    locked = select(lane.c.key).where(lane.c.key.in_(found)).with_for_update()
    return (await connection.execute(locked)).scalar_one_or_none()
