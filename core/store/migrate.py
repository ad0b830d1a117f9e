"""Bringing a database to the form that this code expects."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import Connection, text

from core.store.engine import Database
from core.store.errors import StoreError

_SCRIPTS = "core.store:migrations"

_LOCK = 0x5EED_57E9
"""The advisory lock that migrating processes wait for, on PostgreSQL; a number of our own."""


async def migrate(database: Database) -> None:
    """Do what is missing, in one transaction; nothing when nothing is.

    Two processes may start at once: the second waits, and finds it done. Raises StoreError for a
    database that a newer version has migrated.
    """
    await database.write("migrate", lambda connection: connection.run_sync(_upgrade))


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        # A long migration of another process is worth waiting for.
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    try:
        command.upgrade(config_for(connection), "head")
    except CommandError as error:
        raise StoreError(
            f"the database cannot be migrated: {error}. If a newer version of the bot has migrated "
            "it, run that version, or restore the copy that was made before"
        ) from error


def config_for(connection: Connection) -> Config:
    """Alembic's configuration, working on this connection."""
    config = Config()
    config.set_main_option("script_location", _SCRIPTS)
    config.attributes["connection"] = connection
    return config


async def version(database: Database) -> str:
    """The migration that the database is at; empty for a database that was never migrated."""

    def current(connection: Connection) -> str:
        return MigrationContext.configure(connection).get_current_revision() or ""

    async with database.read() as connection:
        return await connection.run_sync(current)
