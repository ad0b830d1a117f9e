"""The connections to one database, and the only two ways to use them: `write` and `read`.

SQLite: one connection writes, because the busy handler of SQLite is not fair between connections;
each of its transactions begins IMMEDIATE, because a deferred one fails, or loses updates, when it
reads before it writes. A few other connections read, and can do nothing else.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from core.store import crash
from core.store.direct import Work, Writer
from core.store.errors import StoreError

T = TypeVar("T")

POOL = 10
"""PostgreSQL connections of one process."""

READERS = 4
"""SQLite connections of one process that only read; each is a thread."""

BUSY_SECONDS = 10
"""How long a writing transaction waits for another process's."""

PRAGMAS = (
    # First, so that the others wait for each other too.
    f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}",
    # In WAL, anything less can lose what was acknowledged when the power goes.
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    # What is deleted is overwritten: it is not only out of sight in the file. Not every build of
    # SQLite does so by itself.
    "PRAGMA secure_delete=ON",
)

_POSTGRES_SETTINGS = {
    "application_name": "surestep",
    "lock_timeout": f"{BUSY_SECONDS}s",
    # A process that was stopped in mid-transaction would keep its lane's row locked.
    "idle_in_transaction_session_timeout": "15s",
}


class Database:
    """One process's connections to one database. Open it with `Database.open`."""

    def __init__(
        self, url: URL, writer: AsyncEngine | Writer, reader: AsyncEngine, writers: int
    ) -> None:
        self.url = url
        self._writer = writer
        self._reader = reader
        self._gate = asyncio.Semaphore(writers)
        self._running: set[asyncio.Task[Any]] = set()

    @classmethod
    async def open(cls, url: str) -> Database:
        """Connect. Raises StoreError for a URL or a database that cannot be used."""
        parsed = parse_url(url)
        database = _sqlite(parsed) if is_sqlite(parsed) else _postgres(parsed)
        try:
            await database._connect()
        except Exception as error:
            await database._dispose()
            raise StoreError(_no_answer(parsed, error)) from error
        return database

    async def close(self) -> None:
        """Let what is being written finish, then close every connection."""
        while self._running:
            await asyncio.wait(self._running)
        await self._dispose()

    async def write(self, operation: str, work: Work[T]) -> T:
        """Do `work` in one transaction: all of it is committed, or nothing.

        The transaction is a task of its own. Whoever is cancelled while waiting for it stops
        waiting, and it still ends in order, with its connection fit for the next one.
        """
        await self._gate.acquire()
        task = asyncio.create_task(self._transaction(operation, work))
        self._running.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    async def _transaction(self, operation: str, work: Work[T]) -> T:
        def last() -> None:
            crash.point("committing", operation)

        crash.point("before", operation)
        if isinstance(self._writer, Writer):
            result = await self._writer.transaction(work, last)
        else:
            async with self._writer.begin() as connection:
                result = await work(connection)
                last()
        crash.point("after", operation)
        return result

    async def overwrite(self) -> None:
        """Have what was deleted go from SQLite's write-ahead log, too, which keeps what stood in
        the database until it is written anew. Where others read at that moment, it goes later."""
        if isinstance(self._writer, Writer):
            await self._writer.visit(_checkpoint)

    async def _connect(self) -> None:
        if isinstance(self._writer, Writer):
            await self._writer.connect()
            return
        async with self._writer.connect():
            pass

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        self._gate.release()

    def read(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection for single reads; each sees all that was committed before it."""
        return self._reader.connect()

    async def _dispose(self) -> None:
        await self._reader.dispose()
        await self._writer.dispose()


def is_sqlite(url: URL) -> bool:
    """Whether the database is a file."""
    return url.get_backend_name() == "sqlite"


def parse_url(url: str) -> URL:
    """The URL with the driver that the store uses. Raises StoreError, and never repeats the URL:
    it may hold a password, and what is printed may end up in a log."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise StoreError(f"the database URL cannot be read; {_WRITE}") from None
    backend = parsed.drivername.partition("+")[0]
    if backend == "sqlite":
        if parsed.database in (None, "", ":memory:") or str(parsed.database).startswith("file:"):
            raise StoreError(f"an SQLite database needs a file; {_WRITE}")
        return parsed.set(drivername="sqlite+aiosqlite")
    if backend in ("postgres", "postgresql"):
        return _asyncpg_url(parsed)
    raise StoreError(f"the database URL names {backend!r}, which is not supported; {_WRITE}")


_WRITE = "write sqlite+aiosqlite:///path/to/file.db or postgresql+asyncpg://user:password@host/name"


def _asyncpg_url(url: URL) -> URL:
    # libpq's name for it, which hosting services put into their URLs
    query = {"ssl" if key == "sslmode" else key: value for key, value in url.query.items()}
    return url.set(drivername="postgresql+asyncpg", query=query)


def _no_answer(url: URL, error: Exception) -> str:
    reason = str(getattr(error, "orig", None) or error) or type(error).__name__
    if is_sqlite(url):
        return (
            f"the database {url.database} cannot be opened ({reason}); "
            "name a file in a folder of a local disk that this user may write to"
        )
    where = f"{url.host or url.query.get('host') or 'localhost'}:{url.port or 5432}"
    return (
        f"the database {url.database!r} at {where} does not answer ({reason}); "
        "check the URL, and that the server runs and knows this user and database"
    )


def _postgres(url: URL) -> Database:
    engine = create_async_engine(
        url,
        pool_size=POOL,
        max_overflow=0,
        # A restarted server must cost one reconnect, not a failed turn for each connection.
        pool_pre_ping=True,
        connect_args={"server_settings": _POSTGRES_SETTINGS},
    )
    return Database(url, engine, engine.execution_options(isolation_level="AUTOCOMMIT"), POOL - 2)


def _sqlite(url: URL) -> Database:
    path = Path(str(url.database))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # What people said is for nobody else on this machine; the files beside it take its mode.
        path.touch(mode=0o600)
        # A file that cannot be opened leaves aiosqlite a thread that ends with a traceback.
        sqlite3.connect(path).close()
    except (OSError, sqlite3.Error) as error:
        raise StoreError(_no_answer(url, error)) from error
    # With isolation_level None the driver begins no transaction behind our back.
    common: dict[str, Any] = {"max_overflow": 0, "connect_args": {"isolation_level": None}}
    plain = {**common["connect_args"], "check_same_thread": False}
    writer = create_engine(
        url.set(drivername="sqlite"), pool_size=1, max_overflow=0, connect_args=plain
    )
    reader = create_async_engine(url, pool_size=READERS, isolation_level="AUTOCOMMIT", **common)
    event.listen(writer, "connect", _prepare_writer)
    event.listen(writer, "begin", _begin_immediate)
    event.listen(reader.sync_engine, "connect", _prepare_reader)
    return Database(url, Writer(writer), reader, 1)


def _prepare_writer(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(pragma)
    cursor.execute("PRAGMA journal_mode=WAL")
    mode = cursor.fetchone()[0]
    cursor.close()
    if mode != "wal":
        raise sqlite3.OperationalError(f"its disk cannot keep a write-ahead log, only {mode!r}")


def _checkpoint(engine: Engine) -> None:
    with engine.connect() as connection:
        # Outside of any transaction, of which every one here begins with a statement of its own.
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _prepare_reader(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in (*PRAGMAS, "PRAGMA query_only=ON"):
        cursor.execute(pragma)
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
