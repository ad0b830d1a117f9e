"""What fails is tried again, says so where it may be there twice, and is given up at last."""

from __future__ import annotations

from itertools import count

import pytest
from sqlalchemy import select

from core import sender as sender_module
from core.channel import Lost, Never
from core.effects import Close, Draw
from core.sender import Sender
from core.store import Store
from core.store.sql import now, pending
from core.store.tables import outbox
from tests.core.sender.one_platform import A, Gate, Platform, left, running, wants
from tests.core.store.building import chips, pass_time


@pytest.mark.parametrize("fault", [Lost("no answer"), OSError("broken pipe")])
async def test_what_was_perhaps_sent_says_so_when_it_is_sent_again(
    store: Store, platform: Platform, sender: Sender, fault: Exception
) -> None:
    platform.faults[A] = [fault, fault]
    await wants(store, A, "a1", "a2")
    waits = []
    for _ in range(2):
        before = await database_time(store)
        await sender.drain()
        after, due = await database_time(store), await due_at(store)
        waits.append((due - after, due - before))
        await pass_time(store, 10)
    await sender.drain()
    assert platform.chats[A] == ["a1", "a2"]
    assert [(name, again) for name, _, again in platform.seen] == [
        ("a1", False), ("a1", True), ("a1", True), ("a2", False),
    ]  # fmt: skip
    for (least, most), wait in zip(waits, (1, 2), strict=True):
        assert least <= wait <= most


async def database_time(store: Store) -> float:
    async with store.database.read() as connection:
        return float((await connection.execute(select(now()))).scalar_one())


async def due_at(store: Store) -> float:
    """When the first that waits is tried again."""
    chosen = select(outbox.c.run_at).where(pending(outbox)).order_by(outbox.c.id).limit(1)
    async with store.database.read() as connection:
        return float((await connection.execute(chosen)).scalar_one())


async def test_what_fails_too_often_is_parked_and_its_lane_goes_on(
    store: Store, platform: Platform, sender: Sender
) -> None:
    platform.faults[A] = [Lost()] * 5
    await wants(store, A, "a1", "a2")
    for _ in range(5):
        await sender.drain()
        await pass_time(store, 60)
    await sender.drain()
    assert platform.chats[A] == ["a2"]
    assert [one.error for one in await store.parked()] == ["its answer was lost"]


async def test_what_a_platform_never_takes_is_parked_and_the_rest_of_the_run_is_sent(
    store: Store, platform: Platform, sender: Sender
) -> None:
    platform.faults[A] = [Never("the message is gone")]
    await wants(store, A, Close(card="j-0"), "a2", "a3")
    await sender.drain()
    assert platform.chats[A] == ["a2", "a3"]
    assert [one.error for one in await store.parked()] == ["the message is gone"]


async def test_a_platform_that_never_answers_is_given_up_for_this_time(
    store: Store, platform: Platform, sender: Sender
) -> None:
    sender.lease = 0.3
    platform.faults[A] = [Gate()]
    await wants(store, A, "a1", "a2")
    await sender.drain()
    assert await left(store) == [(A, 1, "no answer came in time"), (A, 0, "")]


async def test_a_run_that_was_lost_to_another_is_not_sent_on(
    store: Store, platform: Platform, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken_over: list[str] = []

    async def take_over() -> None:
        await pass_time(store, 61)
        taken_over.extend(row.key for row in await store.due("another", ["test"]))

    times = count(step=1000)
    monkeypatch.setattr(sender_module, "_clock", lambda: float(next(times)))
    platform.faults[A] = [take_over]
    await wants(store, A, "a1", "a2")
    await sender.send()
    assert len(taken_over) == 1
    assert platform.chats[A] == ["a1"]
    # That it was sent counts all the same, so that the other's attempt is the last.
    assert await left(store) == [(A, 0, "")]


async def test_of_a_card_that_may_be_there_twice_nobody_knows_since_when_it_was_seen(
    store: Store, platform: Platform, sender: Sender
) -> None:
    platform.faults[A] = [Lost("no answer came")]
    sender.retry = 0.0
    await wants(store, A, Draw(card=chips("j-1")))
    async with running(sender):
        await platform.shows(A, "j-1")
    assert platform.seen == [("j-1", None, False), ("j-1", None, True)]
    assert await store.where(A, "j-1") == {"n": 1}
