"""Alembic's entry: on the connection that `core.store.migrate` hands in, or, when Alembic is run
by hand to write a migration, on the database of `-x url=...`."""

from __future__ import annotations

import asyncio

from alembic import context
from sqlalchemy import Connection

from core.store.engine import Database
from core.store.tables import metadata


def run(connection: Connection) -> None:
    """Run what is asked for, in the transaction that is open."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        # SQLite can undo a half-done migration too, once the driver begins no transactions itself.
        transactional_ddl=True,
        # SQLite alters a table by copying it.
        render_as_batch=True,
    )
    with context.begin_transaction():
        context.run_migrations()


async def run_by_hand(url: str) -> None:
    """Run what is asked for on a database of its own."""
    database = await Database.open(url)
    try:
        await database.write("migrate", lambda connection: connection.run_sync(run))
    finally:
        await database.close()


handed_in: Connection | None = context.config.attributes.get("connection")
if handed_in is not None:
    run(handed_in)
else:
    asyncio.run(run_by_hand(context.get_x_argument(as_dictionary=True)["url"]))
