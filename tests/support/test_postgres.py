"""The databases that tests run on are real, and each test has its own."""

import asyncio
import os
import signal
import time

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from tests.support.postgres import Place, end_server, ensure_server, given_server, plain


async def make_table_and_count(url: str) -> int:
    """Make the table that each test here makes; where another test made it, this fails."""
    connection = await asyncpg.connect(plain(make_url(url)))
    try:
        await connection.execute("CREATE TABLE seen (name text NOT NULL)")
        await connection.execute("INSERT INTO seen VALUES ('ünïcode 👋')")
        return int(await connection.fetchval("SELECT count(*) FROM seen"))
    finally:
        await connection.close()


@pytest.mark.parametrize("test", ["one", "another"])
async def test_each_test_has_its_own_database(new_postgres_url: str, test: str) -> None:
    assert await make_table_and_count(new_postgres_url) == 1, test


def test_a_test_without_a_loop_has_one_too(new_postgres_url: str) -> None:
    assert asyncio.run(make_table_and_count(new_postgres_url)) == 1


async def test_both_engines_answer_through_sqlalchemy(new_database_url: str) -> None:
    engine = create_async_engine(new_database_url)
    async with engine.begin() as connection:
        await connection.execute(text("CREATE TABLE seen (name text NOT NULL)"))
        await connection.execute(text("INSERT INTO seen VALUES (:name)"), {"name": "Zoë"})
        assert (await connection.execute(text("SELECT name FROM seen"))).scalar_one() == "Zoë"
    await engine.dispose()


def test_a_connection_left_open_does_not_keep_the_database(new_postgres_url: str) -> None:
    loop = asyncio.new_event_loop()
    connection = loop.run_until_complete(asyncpg.connect(plain(make_url(new_postgres_url))))
    assert not connection.is_closed()
    loop.close()


def test_a_given_server_is_used_whatever_driver_its_url_names() -> None:
    url = given_server({"TEST_DATABASE_URL": "postgresql://me:secret@db.example/main"})
    assert url is not None
    assert url.render_as_string(hide_password=False) == (
        "postgresql+asyncpg://me:secret@db.example/main"
    )
    assert given_server({}) is None


def test_a_server_is_started_once_and_leaves_nothing() -> None:
    place = Place.new()
    ensure_server(place)
    watcher = place.ready.read_text()
    ensure_server(place)
    assert place.ready.read_text() == watcher
    end_server(place)
    assert not place.folder.exists()


def test_a_killed_session_takes_its_server_with_it() -> None:
    owner = os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "600")
    place = Place(Place.new().folder, owner)
    ensure_server(place)
    os.kill(owner, signal.SIGKILL)
    os.waitpid(owner, 0)
    deadline = time.monotonic() + 30
    while place.folder.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not place.folder.exists()
