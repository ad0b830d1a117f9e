"""What people go by on their platform, which they may change at any time."""

from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.store.part import Part, account_of
from core.store.sql import storable
from core.store.tables import conversation, lane


class Handles(Part):
    """Knowing people by their handles."""

    async def goes_by(self, lane_key: str, handle: str) -> None:
        """The owner of a lane goes by this handle now, in each of their lanes; empty for none."""
        account, spelled = account_of(lane_key), storable(handle).casefold()

        theirs = select(lane.c.key).where(lane.c.account == account)
        other = conversation.c.key.in_(theirs) & (conversation.c.handle != spelled)

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(update(conversation).where(other).values(handle=spelled))

        async with self.database.read() as connection:
            found = await connection.execute(select(conversation.c.key).where(other).limit(1))
            changes = found.first() is not None
        if changes:
            await self.database.write("goes-by", work)

    async def accounts_of(self, channel: str, handle: str) -> list[str]:
        """The accounts of a channel that went by a handle when they last wrote, in whichever
        letter case."""
        joined = conversation.join(lane, conversation.c.key == lane.c.key)
        chosen = (conversation.c.handle == storable(handle).casefold()) & lane.c.key.startswith(
            f"{channel}:", autoescape=True
        )
        statement = select(lane.c.account).select_from(joined).where(chosen).distinct()
        if not handle:
            return []
        async with self.database.read() as connection:
            return sorted((await connection.execute(statement)).scalars())
