"""What a person uses, and who is not talked with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from core.store.part import Part
from core.store.sql import insert, now
from core.store.tables import blocked, conversation, lane, spent


@dataclass(frozen=True, slots=True)
class Spent:
    """What a person used on one day: turns of the model, and its tokens, in and out."""

    turns: int = 0
    tokens: int = 0


class Usage(Part):
    """Counting what people use. An account is a person in all their lanes (`part.account_of`)."""

    async def spend(self, account: str, tokens: int, at: datetime) -> None:
        """A turn of the model took so many tokens. The time is aware; a day is one of UTC."""
        row = {"account": account, "day": _day(at), "turns": 1, "tokens": tokens}

        async def work(connection: AsyncConnection) -> None:
            added = {"turns": spent.c.turns + 1, "tokens": spent.c.tokens + tokens}
            statement = insert(connection, spent).values(row)
            await connection.execute(
                statement.on_conflict_do_update(index_elements=["account", "day"], set_=added)
            )

        await self.database.write("spend", work)

    async def spent_on(self, account: str, at: datetime) -> Spent:
        """What a person used on the day of an aware time."""
        chosen = (spent.c.account == account) & (spent.c.day == _day(at))
        async with self.database.read() as connection:
            row = (await connection.execute(select(spent).where(chosen))).first()
        return Spent() if row is None else Spent(row.turns, row.tokens)

    async def under_way(self, account: str, besides: str = "") -> int:
        """How many journeys of a person are open, but for that of one lane."""
        statement = (
            select(func.count())
            .select_from(conversation.join(lane, conversation.c.key == lane.c.key))
            .where(lane.c.account == account, conversation.c.under_way, lane.c.key != besides)
        )
        async with self.database.read() as connection:
            return int((await connection.execute(statement)).scalar_one())

    async def is_blocked(self, account: str) -> bool:
        """Whether somebody is not talked with."""
        statement = select(blocked.c.account).where(blocked.c.account == account)
        async with self.database.read() as connection:
            return (await connection.execute(statement)).first() is not None

    async def block(self, account: str, by: str, reason: str = "") -> bool:
        """Talk with somebody no more; False where that is so already."""

        async def work(connection: AsyncConnection) -> bool:
            row = {"account": account, "by": by, "reason": reason, "at": now()}
            statement = insert(connection, blocked).values(row)
            statement = statement.on_conflict_do_nothing(index_elements=["account"])
            return (await connection.execute(statement)).rowcount == 1

        return await self.database.write("block", work)

    async def unblock(self, account: str) -> bool:
        """Talk with somebody again; False where nobody blocked them."""

        async def work(connection: AsyncConnection) -> bool:
            gone = blocked.delete().where(blocked.c.account == account)
            return (await connection.execute(gone)).rowcount == 1

        return await self.database.write("unblock", work)


def _day(at: datetime) -> int:
    return int(at.astimezone(UTC).timestamp() // 86_400)
