"""Stores to test with. They share one migrated database of each engine, emptied before each test,
since a PostgreSQL database of its own takes longer than most tests; `database_url` is one."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest

from core.store import Store
from tests.conftest import server_of
from tests.core.store.building import empty
from tests.support.houses import House, house_of
from tests.support.migrated import begin_migrated
from tests.support.postgres import fresh_database

OpenStore = Callable[[], Awaitable[Store]]


@pytest.fixture(scope="session")
def kept_sqlite(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A migrated SQLite database for the whole session."""
    file = tmp_path_factory.mktemp("kept") / "surestep.db"
    begin_migrated(file)
    return f"sqlite+aiosqlite:///{file}"


@pytest.fixture(scope="session")
def kept_postgres(pytestconfig: pytest.Config, migrated_postgres: str) -> Iterator[str]:
    """A migrated PostgreSQL database for the whole session."""
    with fresh_database(server_of(pytestconfig), migrated_postgres) as made:
        yield made.render_as_string(hide_password=False)


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
