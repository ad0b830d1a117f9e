"""Stores to test with. They share one migrated database of each engine, emptied before each test,
since a fresh PostgreSQL database takes longer than most tests; `database_url` is a fresh one."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest

from core.store import Store
from tests.conftest import PLACE
from tests.core.store.building import empty
from tests.support.houses import House, house_of
from tests.support.postgres import ensure_server, fresh_database, given_server

OpenStore = Callable[[], Awaitable[Store]]


async def migrate(url: str) -> None:
    store = await Store.open(url)
    await store.migrate()
    await store.close()


@pytest.fixture(scope="session")
def kept_sqlite(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A migrated SQLite database for the whole session."""
    url = f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('kept') / 'surestep.db'}"
    asyncio.run(migrate(url))
    return url


@pytest.fixture(scope="session")
def kept_postgres(pytestconfig: pytest.Config) -> Iterator[str]:
    """A migrated PostgreSQL database for the whole session."""
    server = given_server(dict(os.environ)) or ensure_server(pytestconfig.stash[PLACE])
    with fresh_database(server) as made:
        url = made.render_as_string(hide_password=False)
        asyncio.run(migrate(url))
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest) -> str:
    """Both migrated databases, one after the other."""
    url: str = request.getfixturevalue(f"kept_{request.param}")
    return url


@pytest.fixture
async def open_store(store_url: str) -> AsyncIterator[OpenStore]:
    """Opens one more store on the test's database, as another process would."""
    opened: list[Store] = []

    async def one_more() -> Store:
        opened.append(await Store.open(store_url))
        return opened[-1]

    await empty(await one_more())
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


@pytest.fixture
def house(store: Store) -> House:
    """A process with two channels."""
    return house_of(store)
