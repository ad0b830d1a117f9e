"""Conversations that somebody left half-way."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.replies import Reply
from core.state import Conversation, decode
from core.store.inbox import put_in
from core.store.part import Part, moment
from core.store.sql import now
from core.store.tables import conversation, lane


@dataclass(frozen=True, slots=True)
class Left:
    """A conversation with an open journey, and when its person last did something there."""

    state: Conversation
    heard_at: datetime


class LeftAlone(Part):
    """Finding what nobody goes on with."""

    async def left(
        self, idle: float, *, nudged: bool | None = None, after: str = "", limit: int = 100
    ) -> list[Left]:
        """Conversations whose journey is under way, in which nothing waits, and whose person did
        nothing for so many seconds: those with a lane after `after`, in the order of their lanes.

        With `nudged`, only those whose person was reminded since, or was not: half a day later a
        reminder may have come to nothing, and is looked at again.
        """
        chosen = [
            conversation.c.under_way,
            conversation.c.heard_at <= now() - idle,
            conversation.c.key > after,
            lane.c.ready == 0,
        ]
        if nudged is not None:
            at, since = conversation.c.nudged_at, now() - _AGAIN
            chosen.append(at > since if nudged else or_(at.is_(None), at <= since))
        joined = conversation.join(lane, conversation.c.key == lane.c.key)
        statement = select(conversation.c.state, conversation.c.heard_at).select_from(joined)
        statement = statement.where(*chosen).order_by(conversation.c.key).limit(limit)
        async with self.database.read() as connection:
            rows = await connection.execute(statement)
            return [Left(decode(row.state), moment(row.heard_at)) for row in rows]

    async def tell_left(self, left: Left, dedupe: str, reply: Reply) -> bool:
        """Put a reply of the runtime into a conversation that is as it was left; False where it is
        not, was told this before, or is there no longer."""
        key = left.state.id

        async def work(connection: AsyncConnection) -> bool:
            ready = select(lane.c.key).where(lane.c.key == key, lane.c.ready == 0)
            if (await connection.execute(ready.with_for_update())).first() is None:
                return False
            same = select(conversation.c.key).where(_is_as_left(left))
            if (await connection.execute(same)).first() is None:
                return False
            return await put_in(connection, key, dedupe, reply)

        return await self.database.write("tell-left", work)

    async def nudged(self, left: Left) -> None:
        """The person of a conversation is reminded now, unless they did something meanwhile."""

        async def work(connection: AsyncConnection) -> None:
            chosen = update(conversation).where(_is_as_left(left))
            await connection.execute(chosen.values(nudged_at=now()))

        await self.database.write("nudged", work)


_AGAIN = 12 * 3600.0
"""Seconds after which a reminder is looked at again."""

_ROUNDED = 0.001
"""Seconds that a stored time may differ from itself, once it was read."""


def _is_as_left(left: Left) -> ColumnElement[bool]:
    latest = left.heard_at.timestamp() + _ROUNDED
    return (conversation.c.key == left.state.id) & (conversation.c.heard_at <= latest)
