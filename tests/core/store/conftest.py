"""Stores to test with, on a migrated database of the test's own."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from core.store import Store

OpenStore = Callable[[], Awaitable[Store]]


@pytest.fixture
async def open_store(database_url: str) -> AsyncIterator[OpenStore]:
    """Opens one more store on the test's database, as another process would."""
    opened: list[Store] = []

    async def one_more() -> Store:
        opened.append(await Store.open(database_url))
        return opened[-1]

    await (await one_more()).migrate()
    yield one_more
    for store in opened:
        await store.close()


@pytest.fixture
async def store(open_store: OpenStore) -> Store:
    """A store."""
    return await open_store()


@pytest.fixture
async def other(open_store: OpenStore) -> Store:
    """The store of another process, on the same database."""
    return await open_store()
