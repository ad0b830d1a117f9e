"""The store: all its parts, on one database."""

from __future__ import annotations

import contextlib

from sqlalchemy import update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from core.store.admin import Admin
from core.store.deliveries import Deliveries
from core.store.directories import Directories
from core.store.engine import Database
from core.store.erasing import Erasing
from core.store.handles import Handles
from core.store.held import Held
from core.store.inbox import Inbox
from core.store.journeys import Journeys
from core.store.lanes import Lanes
from core.store.left import LeftAlone
from core.store.outbox import Outbox
from core.store.places import Places
from core.store.removing import Removing
from core.store.settling import Settling
from core.store.sql import pending
from core.store.switches import Switches
from core.store.tables import delivery, is_ready, lane, outbox
from core.store.usage import Usage


class Store(
    Inbox,
    Lanes,
    Settling,
    Outbox,
    Places,
    Deliveries,
    Journeys,
    Directories,
    Usage,
    Switches,
    LeftAlone,
    Handles,
    Held,
    Removing,
    Erasing,
    Admin,
):
    """Everything durable. Open it once in a process, and close it at the end, always."""

    @classmethod
    async def open(cls, url: str, max_tries: int = 5) -> Store:
        """Connect to a database, which for SQLite is made where it is not there.

        What failed `max_tries` times is parked. Raises StoreError, with what to do about it.
        """
        return cls(await Database.open(url), max_tries)

    async def migrate(self) -> None:
        """Bring the database to the form that this code needs. Raises StoreError."""
        # Alembic is half of what the store imports, and most processes need it once.
        from core.store.migrate import migrate

        await migrate(self.database)

    async def version(self) -> str:
        """The migration that the database is at; empty when there was none."""
        from core.store.migrate import version

        return await version(self.database)

    async def close(self) -> None:
        """Finish what is being written, give back every lease of this process, disconnect."""
        with contextlib.suppress(SQLAlchemyError, OSError):
            await self._give_back_all()
        await self.database.close()

    async def _give_back_all(self) -> None:
        # Who is cancelled on the way out leaves leases behind, which the next process would wait
        # for, and count as the leases of one that died.
        owners = sorted(self._owners)
        if not owners:
            return

        async def work(connection: AsyncConnection) -> None:
            for table, still in (
                (lane, is_ready),
                (outbox, pending(outbox)),
                (delivery, pending(delivery)),
            ):
                held = still & table.c.owner.in_(owners) & (table.c.lease_until > 0)
                await connection.execute(update(table).where(held).values(lease_until=0.0))

        await self.database.write("give-back", work)
