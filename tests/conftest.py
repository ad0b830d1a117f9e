"""What every test may use: databases to run on, and how hard properties are tried."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy.engine import URL

from tests.support.migrated import begin_migrated, migrate_from_outside
from tests.support.postgres import Place, end_server, ensure_server, fresh_database, given_server
from tests.support.scratch import write_to_memory

# A slow machine is no bug, so no example has a deadline. CI tries the same examples every time;
# HYPOTHESIS_PROFILE=deep looks for new ones, long.
settings.register_profile(
    "default",
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("deep", settings.get_profile("default"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

PLACE = pytest.StashKey[Place]()


def pytest_configure(config: pytest.Config) -> None:
    """Choose the place of files and of the session's PostgreSQL: the session's own process does,
    once."""
    handed = getattr(config, "workerinput", None)
    if handed is None:
        write_to_memory(os.environ)
        config.stash[PLACE] = Place.new()
    else:
        config.stash[PLACE] = Place(Path(handed["postgres_folder"]), handed["postgres_owner"])


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Hand the place to a worker of pytest-xdist."""
    place = cast(pytest.Config, node.config).stash[PLACE]  # type: ignore[attr-defined]
    node.workerinput["postgres_folder"] = str(place.folder)  # type: ignore[attr-defined]
    node.workerinput["postgres_owner"] = place.owner  # type: ignore[attr-defined]


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the session's PostgreSQL after the last worker."""
    if not hasattr(config, "workerinput"):
        end_server(config.stash[PLACE])


def server_of(config: pytest.Config) -> URL:
    """The PostgreSQL that TEST_DATABASE_URL names (its user may create databases), or the one that
    the session starts for itself."""
    return given_server(dict(os.environ)) or ensure_server(config.stash[PLACE])


@pytest.fixture
def new_postgres_url(pytestconfig: pytest.Config) -> Iterator[str]:
    """An empty PostgreSQL database of the test's own, as SQLAlchemy's asyncpg URL."""
    with fresh_database(server_of(pytestconfig)) as url:
        yield url.render_as_string(hide_password=False)


@pytest.fixture
def new_sqlite_url(tmp_path: Path) -> str:
    """An SQLite database of the test's own, as SQLAlchemy's aiosqlite URL; no file is there yet."""
    return f"sqlite+aiosqlite:///{tmp_path / 'surestep.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def new_database_url(request: pytest.FixtureRequest) -> str:
    """Both databases, one after the other, before a bot's first start."""
    return cast(str, request.getfixturevalue(f"new_{request.param}_url"))


@pytest.fixture(scope="session")
def migrated_postgres(pytestconfig: pytest.Config) -> Iterator[str]:
    """The name of a migrated database that is only copied: nobody is connected to it."""
    with fresh_database(server_of(pytestconfig)) as url:
        migrate_from_outside(url.render_as_string(hide_password=False))
        yield str(url.database)


@pytest.fixture
def postgres_url(pytestconfig: pytest.Config, migrated_postgres: str) -> Iterator[str]:
    """A PostgreSQL database of the test's own, as a bot's first start leaves it."""
    with fresh_database(server_of(pytestconfig), migrated_postgres) as url:
        yield url.render_as_string(hide_password=False)


@pytest.fixture
def sqlite_url(new_sqlite_url: str, tmp_path: Path) -> str:
    """An SQLite database of the test's own, as a bot's first start leaves it."""
    begin_migrated(tmp_path / "surestep.db")
    return new_sqlite_url


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Both databases, one after the other: what holds on one holds on the other."""
    return cast(str, request.getfixturevalue(f"{request.param}_url"))
