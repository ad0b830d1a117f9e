"""SQLite's writer: one connection, in a thread of its own.

The usual driver goes to its thread four times for each statement, and waits each time: that takes
many times what SQLite itself takes. Here a statement is one visit, its rows included.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")
Visit = Callable[[Callable[[], Any]], Awaitable[Any]]
Work = Callable[[AsyncConnection], Awaitable[T]]


class Direct:
    """A connection that lives in a thread, with what work needs of an AsyncConnection."""

    def __init__(self, connection: Connection, visit: Visit) -> None:
        self._connection = connection
        self._visit = visit
        self.dialect = connection.dialect

    async def execute(self, statement: Any, parameters: Any = None) -> Any:
        """Carry out a statement, and fetch all of its rows."""

        def work() -> Any:
            result = self._connection.execute(statement, parameters)
            return result.freeze()() if result.returns_rows else result

        return await self._visit(work)

    async def run_sync(self, work: Callable[[Connection], T]) -> T:
        """Let something work with the plain connection."""
        return cast(T, await self._visit(lambda: work(self._connection)))


class Writer:
    """The one connection that writes, and its thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread: ThreadPoolExecutor | None = None

    async def connect(self) -> None:
        """See whether the database can be written to. Raises what SQLite says."""
        await self._visit(lambda: self._engine.connect().close())

    async def transaction(self, work: Work[T], last: Callable[[], None]) -> T:
        """Do `work` in one transaction, and `last` right before it is committed."""
        connection: Connection = await self._visit(self._begin)
        try:
            result = await work(cast(AsyncConnection, Direct(connection, self._visit)))
            last()
        except BaseException:
            await self._visit(connection.close)
            raise
        await self._visit(lambda: _commit(connection))
        return result

    async def visit(self, work: Callable[[Engine], None]) -> None:
        """Do something with the engine, outside of any transaction and between two of them."""
        await self._visit(lambda: work(self._engine))

    def _begin(self) -> Connection:
        connection = self._engine.connect()
        try:
            connection.begin()
        except BaseException:
            connection.close()
            raise
        return connection

    async def dispose(self) -> None:
        """Close the connection and end the thread. Whoever comes later gets new ones."""
        await self._visit(self._engine.dispose)
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.shutdown()

    async def _visit(self, work: Callable[[], T]) -> T:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="sqlite-writer")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


def _commit(connection: Connection) -> None:
    with connection:
        connection.commit()
