"""What admins set from the chat: a name, and a value that all processes read."""

from __future__ import annotations

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from core.store.part import Part
from core.store.sql import insert, now, storable
from core.store.tables import switch


class Switches(Part):
    """Setting and reading switches."""

    async def switches(self) -> dict[str, str]:
        """All that is set, by name."""
        async with self.database.read() as connection:
            rows = await connection.execute(select(switch.c.name, switch.c.value))
            return {row.name: row.value for row in rows}

    async def set_switch(self, name: str, value: str, by: str) -> None:
        """Set one; `by` is the account of whoever does."""
        row = {"name": name, "value": storable(value), "by": by, "at": now()}

        async def work(connection: AsyncConnection) -> None:
            statement = insert(connection, switch).values(row)
            changed = {key: row[key] for key in ("value", "by", "at")}
            statement = statement.on_conflict_do_update(index_elements=["name"], set_=changed)
            await connection.execute(statement)

        await self.database.write("set-switch", work)

    async def clear_switch(self, name: str) -> bool:
        """Set one no more; False where it was not set."""

        async def work(connection: AsyncConnection) -> bool:
            gone = delete(switch).where(switch.c.name == name)
            return (await connection.execute(gone)).rowcount == 1

        return await self.database.write("clear-switch", work)
