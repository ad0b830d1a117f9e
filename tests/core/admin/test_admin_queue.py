"""How much waits is counted, however much it is, and shown a page at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.ext.asyncio import AsyncConnection

from core.effects import Say
from core.store.putting import deliver_to
from tests.core.admin.desk import ANNA, OLGA, Desk

MANY = 201
PAGE = 5


@contextmanager
def asking() -> Iterator[list[str]]:
    """What the database is asked of submissions and deliveries meanwhile. Leases that are held
    longer on a busy machine do not count."""
    heard: list[str] = []

    def hear(_one: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if statement.startswith("SELECT") and (
            "submission" in statement or "delivery" in statement
        ):
            heard.append(statement)

    event.listen(Engine, "before_cursor_execute", hear)
    yield heard
    event.remove(Engine, "before_cursor_execute", hear)


async def goes_to_many(desk: Desk) -> int:
    """A submission that goes to many destinations; its number."""
    number = await desk.submits(ANNA)

    async def work(connection: AsyncConnection) -> None:
        await deliver_to(connection, number, "of-many", [f"d{one}" for one in range(MANY)])

    await desk.house.store.database.write("many", work)
    return number


async def test_all_that_is_on_the_way_is_counted(desk: Desk) -> None:
    await goes_to_many(desk)
    assert f"On the way: {MANY + 1}" in await desk.admin(OLGA, "queue")


async def test_all_that_is_stuck_is_counted_and_shown_kind_by_kind(desk: Desk) -> None:
    number = await goes_to_many(desk)
    store = desk.house.store
    for one in await store.due_deliveries("somebody", MANY + 1):
        await store.dead(one, "it is full")
    for name in ("first", "second"):
        await store.show("gone:1", name, Say(text=name))
    rows = await store.due("somebody", ["gone"])
    for row in rows:
        await store.park(row, "nobody is there")

    assert f"Stuck: {MANY + 3}" in await desk.admin(OLGA, "queue")
    await desk.admin(OLGA, f"queue {(MANY + 3) // PAGE + 1}")
    assert [line.label for line in desk.last_post(OLGA).lines] == [
        f"#{number} trip → d{MANY - 2}",
        f"#{number} trip → d{MANY - 1}",
        *(f"What was to be sent, no. {row.id}" for row in rows),
    ]


async def test_a_page_of_the_queue_is_as_much_work_however_much_waits(moderated: Desk) -> None:
    asked = []
    for more in (PAGE + 1, PAGE):
        for _ in range(more):
            await moderated.submits(ANNA)
        with asking() as heard:
            await moderated.admin(OLGA, "queue")
        asked.append(len(heard))
    assert "To be decided: 11" in await moderated.admin(OLGA, "queue")
    assert asked[0] == asked[1] > 0
