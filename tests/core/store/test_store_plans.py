"""What is asked again and again costs what is pending, not all that ever was."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from sqlalchemy import Engine, event

from core.store import Store
from core.store.engine import parse_url
from tests.core.store.building import LANE, put, saying, show, state, submit, take

Said = list[tuple[str, Any]]


@contextmanager
def listening() -> Iterator[Said]:
    """Every statement that any engine carries out meanwhile, with its parameters."""
    said: Said = []

    def hear(_c: Any, _cursor: Any, statement: str, values: Any, _x: Any, many: bool) -> None:
        said.append((statement, values[0] if many else values))

    event.listen(Engine, "before_cursor_execute", hear)
    yield said
    event.remove(Engine, "before_cursor_execute", hear)


def scans(path: str, said: Said) -> list[str]:
    """The tables that SQLite would read from end to end, with the statement that makes it."""
    found = []
    with closing(sqlite3.connect(path)) as connection:
        for statement, values in said:
            if not statement.startswith(("SELECT", "UPDATE", "DELETE", "INSERT")):
                continue
            plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
            found += [
                f"{line} in {statement}"
                for *_, line in plan
                if line.startswith("SCAN ") and "_open" not in line and "SUBQUERY" not in line
            ]
    return found


async def poll(store: Store) -> None:
    """All that a running bot asks of its store, with something to do and with nothing."""
    for turn in range(2):
        await put(store, f"something to do {turn}")
        claim = await take(store)
        await store.renew(claim)
        await store.waiting(claim)
        done = claim.entries
        if turn:
            await store.fail(claim, [entry.id for entry in done], "OSError", 0.0)
        else:
            await store.settle(claim, done=done, state=state(10, asks=True), effects=saying("a"))
    for _ in range(2):
        for row in await store.due("sender", ["test"]):
            await store.sent(row, {"n": 1}, await where(store))
        for one in await store.due_deliveries("deliverer"):
            await store.delivered(one)
    await store.claim("worker")
    await store.conversations_with_open_ask("test", idle=60)
    await store.to_be_drawn("test")
    await store.is_perhaps_drawn(LANE, "card")
    await store.transcript(LANE, "j")
    await store.ready(LANE)
    await store.not_shown(10)
    await store.left(60.0)
    await store.is_blocked("test:anna")
    await store.under_way("test:anna")


async def where(store: Store) -> str:
    await store.where(LANE, "card")
    return "card"


async def test_no_poll_reads_what_is_done(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    await store.migrate()
    await submit(store, "j", "webhook")
    await show(store, "a", turn=2)
    with listening() as said:
        await poll(store)
        await store.close()
    assert len(said) > 30
    assert scans(str(parse_url(sqlite_url).database), said) == []


async def test_what_is_deleted_of_a_submission_is_found_without_reading_all_that_was_sent(
    sqlite_url: str,
) -> None:
    store = await Store.open(sqlite_url)
    await store.migrate()
    for name in ("a", "b", "c"):
        await submit(store, name)
    await show(store, "hello", turn=4)
    with listening() as said:
        assert await store.purge_submissions(0.0) == 3
    await store.close()
    sent = [one for one in said if "outbox" in one[0]]
    assert len(sent) == 1
    assert scans(str(parse_url(sqlite_url).database), sent) == []
