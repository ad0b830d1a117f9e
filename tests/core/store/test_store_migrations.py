"""A database is brought to the form that the code needs: once, whoever comes first."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, select

from core.store import Store, StoreError
from core.store.migrate import config_for
from core.store.part import account_of
from core.store.tables import conversation, metadata
from core.store.tables import lane as lane_table
from tests.core.store.building import do, put, take, words

ROOT = Path(__file__).parents[3]
NEWEST = "0007"

MIGRATE = """
import asyncio, sys
from core.store import Store

async def main():
    store = await Store.open(sys.argv[1])
    sys.stdin.readline()
    await store.migrate()
    print(await store.version())
    await store.close()

print("open", flush=True)
asyncio.run(main())
"""


@pytest.fixture
async def migrated(new_database_url: str) -> AsyncIterator[Store]:
    """A store of its own, since what these tests do to it is not undone by emptying it."""
    store = await Store.open(new_database_url)
    await store.migrate()
    yield store
    await store.close()


async def test_a_new_database_has_no_version_and_then_the_newest(new_database_url: str) -> None:
    store = await Store.open(new_database_url)
    assert await store.version() == ""
    await store.migrate()
    assert await store.version() == NEWEST
    await store.close()


async def test_migrating_again_changes_nothing(migrated: Store) -> None:
    await put(migrated, "hello")
    await migrated.migrate()
    assert await migrated.version() == NEWEST
    assert len((await take(migrated)).entries) == 1


async def test_the_migrations_make_the_tables_of_the_code(migrated: Store) -> None:
    def differences(connection: Connection) -> list[object]:
        # Of SQLite, Alembic reads an empty default back as two quotes.
        defaults = connection.dialect.name == "postgresql"
        options = {"compare_type": True, "compare_server_default": defaults}
        context = MigrationContext.configure(connection, opts=options)
        return list(compare_metadata(context, metadata))

    async with migrated.database.read() as connection:
        assert await connection.run_sync(differences) == []


async def test_two_processes_that_start_at_once_migrate_once(new_database_url: str) -> None:
    started = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", MIGRATE, new_database_url,
            cwd=ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        for _ in range(3)
    ]  # fmt: skip
    for process in started:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"open\n"
    ended = await asyncio.gather(*(process.communicate(b"go\n") for process in started))
    assert [
        (out, process.returncode) for (out, _), process in zip(ended, started, strict=True)
    ] == [(f"{NEWEST}\n".encode(), 0)] * 3, ended


async def test_a_database_of_a_newer_version_is_left_alone(migrated: Store) -> None:
    await do(migrated, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="newer version of the bot"):
        await migrated.migrate()
    assert await migrated.version() == "9999"


async def test_a_migration_that_fails_half_way_leaves_nothing(new_database_url: str) -> None:
    store = await Store.open(new_database_url)
    await do(store, "CREATE TABLE outbox (stranger text)")
    with pytest.raises(Exception, match="already exists"):
        await store.migrate()
    assert await store.version() == ""
    async with store.database.read() as connection:
        names = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
    assert names == ["outbox"]
    await do(store, "DROP TABLE outbox")
    await store.migrate()
    assert await store.version() == NEWEST
    await store.close()


async def test_the_migrations_can_be_undone(migrated: Store) -> None:
    await migrated.database.write(
        "downgrade",
        lambda connection: connection.run_sync(
            lambda sync: command.downgrade(config_for(sync), "base")
        ),
    )
    async with migrated.database.read() as connection:
        names = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
    assert set(names) <= {"alembic_version", "sqlite_sequence"}


async def test_what_waits_when_the_database_is_migrated_is_taken_after_it(
    new_database_url: str,
) -> None:
    store = await Store.open(new_database_url)
    await at(store, "0001")
    await do(store, "INSERT INTO lane (key, ready) VALUES ('test:1', 1)")
    payload = msgspec.json.encode(words("hello")).decode()
    await do(
        store,
        "INSERT INTO inbox (lane, dedupe, payload, received_at)"
        f" VALUES ('test:1', 'telegram:1', '{payload}', 0)".replace(":", "\\:"),
    )
    await store.migrate()
    (entry,) = (await take(store)).entries
    assert (entry.reply, entry.amended) == (words("hello"), 0)
    await store.close()


async def test_who_is_known_already_gets_an_account(new_database_url: str) -> None:
    store = await Store.open(new_database_url)
    await at(store, "0003")
    lanes = {
        "telegram:-100:7:42": "telegram:42",
        "slack:T1:D1:0:U1": "slack:T1:U1",
        "terminal:local": "terminal:local",
    }
    for lane in lanes:
        await do(store, f"INSERT INTO lane (key, ready) VALUES ('{lane}', 0)".replace(":", "\\:"))
    await store.migrate()
    async with store.database.read() as connection:
        found = await connection.execute(select(lane_table.c.key, lane_table.c.account))
        assert (
            {row.key: row.account for row in found}
            == lanes
            == {one: account_of(one) for one in lanes}
        )
    await store.close()


@pytest.mark.parametrize("status, under_way", [("open", True), ("submitted", False)])
async def test_a_journey_that_is_under_way_still_is(
    new_database_url: str, status: str, under_way: bool
) -> None:
    store = await Store.open(new_database_url)
    await at(store, "0003")
    stored = msgspec.json.encode({"journey": {"status": status}}).decode()
    await do(
        store,
        "INSERT INTO conversation (key, state, asking, updated_at)"
        f" VALUES ('test:1', '{stored}', false, 12.0)".replace(":", "\\:"),
    )
    await store.migrate()
    async with store.database.read() as connection:
        columns = (conversation.c.under_way, conversation.c.heard_at, conversation.c.nudged_at)
        row = (await connection.execute(select(*columns))).one()
    assert row == (under_way, 12.0, None)
    await store.close()


async def at(store: Store, version: str) -> None:
    """Bring an empty database to an older form."""
    await store.database.write(
        "upgrade",
        lambda connection: connection.run_sync(
            lambda sync: command.upgrade(config_for(sync), version)
        ),
    )


async def test_alembic_can_be_run_by_hand(new_sqlite_url: str) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "alembic",
        "-c", "core/store/migrations/alembic.ini", "-x", f"url={new_sqlite_url}",
        "upgrade", "head",
        cwd=ROOT,
        env=dict(os.environ),
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, complaint = await process.communicate()
    assert process.returncode == 0, complaint
    store = await Store.open(new_sqlite_url)
    assert await store.version() == NEWEST
    await store.close()
