"""What both engines say, each in its own way: the clock, an upsert, who waits."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Double, FromClause, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class now(FunctionElement[float]):  # noqa: N801 - reads as the SQL function that it is
    """The database's clock, in seconds since 1970: the only clock that leases are measured by.

    It stands still during one statement. On SQLite it is the clock of the machine, which all
    processes of such a database share.
    """

    type = Double()
    inherit_cache = True


@compiles(now, "sqlite")
def _sqlite_now(element: now, compiler: Any, **options: Any) -> str:
    # unixepoch('subsec') would need SQLite 3.42.
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(now, "postgresql")
def _postgresql_now(element: now, compiler: Any, **options: Any) -> str:
    # Not now(), which stands still for a whole transaction and so for as long as it waited for a
    # lock; not clock_timestamp(), which no index can be used with.
    return "CAST(EXTRACT(EPOCH FROM statement_timestamp()) AS DOUBLE PRECISION)"


def insert(connection: AsyncConnection, table: Table) -> sqlite.Insert:
    """An INSERT that knows ON CONFLICT, in the connection's dialect."""
    if connection.dialect.name == "postgresql":
        # Both dialects' statements have the same methods, and no common type for them.
        return postgresql.insert(table)  # type: ignore[return-value]
    return sqlite.insert(table)


def pending(table: FromClause) -> ColumnElement[bool]:
    """Rows of an inbox, an outbox or of deliveries that still have to be dealt with."""
    return table.c.done_at.is_(None) & table.c.parked_at.is_(None)


def storable(text: str) -> str:
    """A text as both engines keep it: a NUL and half a surrogate pair, which PostgreSQL refuses
    and UTF-8 cannot spell, become the replacement character."""
    if text.isascii() and "\0" not in text:
        return text
    text = text.replace("\0", _REPLACEMENT)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
