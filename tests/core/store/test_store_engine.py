"""The connections are what the guarantees need, and stay so when callers give up."""

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from core.store import Store, StoreError
from core.store.engine import Database, parse_url
from core.store.sql import now
from core.store.tables import inbox
from tests.core.conftest import OpenStore
from tests.core.store.building import LANE, count, put, said, take, words

# --- URLs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url,parsed",
    [
        ("sqlite:///data/a.db", "sqlite+aiosqlite:///data/a.db"),
        ("sqlite+aiosqlite:////srv/a.db", "sqlite+aiosqlite:////srv/a.db"),
        ("postgres://me:pw@db/main", "postgresql+asyncpg://me:pw@db/main"),
        ("postgresql://db/main", "postgresql+asyncpg://db/main"),
        ("postgresql+psycopg2://db/main", "postgresql+asyncpg://db/main"),
        ("postgres://db/main?sslmode=require", "postgresql+asyncpg://db/main?ssl=require"),
    ],
)
def test_a_url_is_understood_in_the_ways_that_people_have_it(url: str, parsed: str) -> None:
    assert parse_url(url).render_as_string(hide_password=False) == parsed


@pytest.mark.parametrize(
    "url",
    [
        "", "surestep.db", "sqlite://", "sqlite:///:memory:", "sqlite:///file:x?mode=memory",
        "mysql://me:hunter2@db/main", "://me:hunter2@db", "postgresql://me:hunter2@db:port/main",
    ],
)  # fmt: skip
async def test_a_url_that_cannot_be_used_is_answered_with_what_to_write(url: str) -> None:
    with pytest.raises(StoreError, match=r"write sqlite\+aiosqlite:///") as refusal:
        await Store.open(url)
    assert "hunter2" not in str(refusal.value)


async def test_a_server_that_does_not_answer_is_named_without_the_password(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not answer") as refusal:
        await Store.open(f"postgresql://me:hunter2@/main?host={tmp_path}")
    assert "hunter2" not in str(refusal.value)


async def test_a_database_that_is_not_there_is_named(new_postgres_url: str) -> None:
    missing = parse_url(new_postgres_url).set(database="nobody_made_this")
    with pytest.raises(StoreError, match="nobody_made_this"):
        await Store.open(missing.render_as_string(hide_password=False))


async def test_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "surestep.db"
    store = await Store.open(f"sqlite:///{path}")
    await store.close()
    assert path.exists()


async def test_a_path_that_cannot_be_a_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a database, but long enough to look like one " * 100)
    (tmp_path / "folder").mkdir()
    for name in ("file", "folder", "file/below.db"):
        with pytest.raises(StoreError, match=name):
            await Store.open(f"sqlite:///{tmp_path / name}")


# --- SQLite --------------------------------------------------------------------------------------


async def pragmas(connection: AsyncConnection) -> dict[str, object]:
    names = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys", "query_only")
    return {name: (await connection.execute(text(f"PRAGMA {name}"))).scalar_one() for name in names}


async def test_the_pragmas_are_in_force(new_sqlite_url: str) -> None:
    database = await Database.open(new_sqlite_url)
    wanted = {"journal_mode": "wal", "synchronous": 2, "busy_timeout": 10_000, "foreign_keys": 1}
    assert await database.write("look", pragmas) == {**wanted, "query_only": 0}
    async with database.read() as connection:
        assert await pragmas(connection) == {**wanted, "query_only": 1}
    await database.close()


async def test_a_writing_transaction_has_the_lock_before_it_writes(new_sqlite_url: str) -> None:
    database = await Database.open(new_sqlite_url)
    path = parse_url(new_sqlite_url).database

    async def only_reads(connection: AsyncConnection) -> None:
        await connection.execute(text("SELECT 1"))
        with (
            closing(sqlite3.connect(str(path), timeout=0)) as another,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            another.execute("BEGIN IMMEDIATE")

    await database.write("look", only_reads)
    await database.close()


async def test_a_process_writes_on_one_connection(new_sqlite_url: str) -> None:
    database = await Database.open(new_sqlite_url)

    async def the_connection(connection: AsyncConnection) -> int:
        return await connection.run_sync(lambda plain: id(plain.connection.driver_connection))

    used = await asyncio.gather(*(database.write("look", the_connection) for _ in range(20)))
    assert len(set(used)) == 1
    await database.close()


async def test_a_reader_cannot_write(new_sqlite_url: str) -> None:
    database = await Database.open(new_sqlite_url)
    async with database.read() as connection:
        with pytest.raises(DBAPIError, match="readonly"):
            await connection.execute(text("CREATE TABLE seen (name text)"))
    await database.close()


async def test_reading_goes_on_while_something_is_written(new_sqlite_url: str) -> None:
    store = await Store.open(new_sqlite_url)
    await store.migrate()

    async def looks_meanwhile(connection: AsyncConnection) -> None:
        await connection.execute(text("INSERT INTO lane (key) VALUES ('x')"))
        assert await count(store, inbox) == 0

    await store.database.write("look", looks_meanwhile)
    await store.close()


async def test_a_foreign_key_is_checked(store: Store) -> None:
    async def stray(connection: AsyncConnection) -> None:
        await connection.execute(
            text(
                "INSERT INTO inbox (lane, dedupe, payload, received_at) "
                "VALUES ('no such lane', 'd', '{}', 0)"
            )
        )

    with pytest.raises(DBAPIError, match=r"(?i)foreign key"):
        await store.database.write("stray", stray)


@pytest.mark.parametrize("tasks", [8])
async def test_transactions_that_read_and_then_write_lose_nothing(
    store: Store, other: Store, tasks: int
) -> None:
    await put(store, "hello")

    async def increment(connection: AsyncConnection) -> None:
        lock = "" if connection.dialect.name == "sqlite" else " FOR UPDATE"
        found = await connection.execute(text(f"SELECT fence FROM lane{lock}"))
        seen = found.scalar_one()
        await asyncio.sleep(0)
        await connection.execute(text("UPDATE lane SET fence = :n"), {"n": seen + 1})

    async def many(where: Store) -> None:
        for _ in range(40):
            await where.database.write("increment", increment)

    await asyncio.gather(*(many((store, other)[one % 2]) for one in range(tasks)))
    assert (await take(store)).fence == tasks * 40 + 1


async def test_the_clock_goes_on_while_a_transaction_waits(store: Store) -> None:
    async def looks_twice(connection: AsyncConnection) -> tuple[float, float]:
        first = (await connection.execute(select(now()))).scalar_one()
        await asyncio.sleep(0.05)
        return first, (await connection.execute(select(now()))).scalar_one()

    first, second = await store.database.write("look", looks_twice)
    assert first < second


# --- cancelled callers ---------------------------------------------------------------------------


async def test_a_caller_who_is_cancelled_anywhere_leaves_the_store_usable(store: Store) -> None:
    for steps in range(40):
        task = asyncio.create_task(store.accept(LANE, f"{steps}", words(f"{steps}")))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    # Whatever had begun has ended in order: wholly written, or not at all.
    await put(store, "after it")
    again = [await store.accept(LANE, f"{steps}", words(f"{steps}")) for steps in range(40)]
    assert {True, False} == set(again), "some of them were written, and some were not"
    claim = await take(store)
    assert len(claim.entries) == await count(store, inbox) == 41


async def test_a_caller_who_gives_up_waiting_for_a_lock_does_not_wait_for_it(
    store: Store, other: Store
) -> None:
    await put(store, "hello")
    locked, finish = asyncio.Event(), asyncio.Event()

    async def holds_the_lane(connection: AsyncConnection) -> None:
        await connection.execute(text("UPDATE lane SET owner = 'somebody slow'"))
        locked.set()
        await finish.wait()

    slow = asyncio.create_task(other.database.write("slow", holds_the_lane))
    await locked.wait()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await store.accept(LANE, "given up", words("given up"))
    finish.set()
    await slow
    await put(store, "after it")
    assert said((await take(store)).entries) == ["hello", "given up", "after it"]


async def test_closing_waits_for_what_is_being_written(store: Store, open_store: OpenStore) -> None:
    leaving = await open_store()
    tasks = [
        asyncio.create_task(leaving.accept(LANE, f"{number}", words(f"{number}")))
        for number in range(5)
    ]
    await asyncio.sleep(0.001)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await leaving.close()
    await put(store, "after it")
    assert said((await take(store)).entries)[-1] == "after it"


async def test_a_failing_transaction_leaves_nothing_and_the_next_one_works(store: Store) -> None:
    async def fails(connection: AsyncConnection) -> None:
        await connection.execute(text("INSERT INTO lane (key) VALUES ('x')"))
        raise ZeroDivisionError

    for _ in range(30):
        with pytest.raises(ZeroDivisionError):
            await store.database.write("fails", fails)
    await put(store, "after it")
    assert (await take(store)).lane == LANE


async def test_the_server_may_restart_its_connections(new_postgres_url: str) -> None:
    store = await Store.open(new_postgres_url)
    await store.migrate()
    await asyncio.gather(*(put(store, f"{number}") for number in range(8)))
    await asyncio.gather(*(store.conversation(LANE) for _ in range(8)))
    killer = await Store.open(new_postgres_url)

    async def kill_the_others(connection: AsyncConnection) -> None:
        await connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )

    await killer.database.write("kill", kill_the_others)
    await killer.close()
    await put(store, "after it")
    assert len((await take(store)).entries) == 9
    await store.close()


def test_no_thread_outlives_a_closed_store(new_sqlite_url: str) -> None:
    before = set(threading.enumerate())
    started: set[threading.Thread] = set()

    async def use() -> None:
        store = await Store.open(new_sqlite_url)
        await store.migrate()
        await asyncio.gather(*(store.conversation(LANE) for _ in range(8)))
        started.update(set(threading.enumerate()) - before)
        await store.close()

    asyncio.run(use())
    assert started
    for thread in started:
        thread.join(timeout=60)  # it may still be on its way out
    assert [thread for thread in started if thread.is_alive()] == []
