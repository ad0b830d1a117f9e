"""Conversations that somebody left half-way."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.state import Conversation, decode
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

        With `nudged`, only those whose person was reminded since, or was not.
        """
        chosen = [
            conversation.c.under_way,
            conversation.c.heard_at <= now() - idle,
            conversation.c.key > after,
            lane.c.ready == 0,
        ]
        if nudged is not None:
            was = conversation.c.nudged_at
            chosen.append(was.is_not(None) if nudged else was.is_(None))
        joined = conversation.join(lane, conversation.c.key == lane.c.key)
        statement = select(conversation.c.state, conversation.c.heard_at).select_from(joined)
        statement = statement.where(*chosen).order_by(conversation.c.key).limit(limit)
        async with self.database.read() as connection:
            rows = await connection.execute(statement)
            return [Left(decode(row.state), moment(row.heard_at)) for row in rows]

    async def nudged(self, lane_key: str) -> None:
        """The person of a conversation is reminded now."""

        async def work(connection: AsyncConnection) -> None:
            chosen = update(conversation).where(conversation.c.key == lane_key)
            await connection.execute(chosen.values(nudged_at=now()))

        await self.database.write("nudged", work)
