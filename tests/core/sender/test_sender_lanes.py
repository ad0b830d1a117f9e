"""What one lane has to send goes out in order; no lane waits for another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from core.channel import Later
from core.effects import Change, Close, Draw, Toast
from core.sender import Sender
from core.store import Store
from tests.core.sender.one_platform import A, B, Gate, Platform, left, running, wants
from tests.core.store.building import chips, pass_time


async def test_a_slow_send_delays_no_other_lane(
    store: Store, platform: Platform, sender: Sender
) -> None:
    slow = Gate()
    platform.faults[A] = [slow]
    async with running(sender):
        await wants(store, A, "a1", "a2")
        await slow.reached.wait()
        await wants(store, B, "b1", "b2")
        await platform.shows(B, "b1", "b2")
        assert A not in platform.chats
        slow.opened.set()
        await platform.shows(A, "a1", "a2")


async def test_what_a_lane_wants_while_it_is_sent_to_comes_after(
    store: Store, platform: Platform, sender: Sender
) -> None:
    slow = Gate()
    platform.faults[A] = [slow]
    async with running(sender):
        await wants(store, A, "a1", "a2")
        await slow.reached.wait()
        await wants(store, A, "a3")
        # The other lane is served by a later look: that one has seen the first lane's too.
        await wants(store, B, "b")
        await platform.shows(B, "b")
        slow.opened.set()
        await platform.shows(A, "a1", "a2", "a3")


async def test_a_chat_that_is_flooded_waits_alone_and_in_order(
    store: Store, platform: Platform, sender: Sender
) -> None:
    platform.faults[A] = [Later(3600)]
    await wants(store, A, "a1", "a2")
    await wants(store, B, "b")
    await sender.drain()
    assert platform.chats == {B: ["b"]}
    assert await left(store) == [(A, 0, "again in 3600 s"), (A, 0, "")]
    await pass_time(store, 3601)
    await sender.drain()
    assert platform.chats[A] == ["a1", "a2"]
    assert [again for *_, again in platform.seen] == [False] * 4


async def test_what_went_out_before_a_chat_was_flooded_is_not_sent_again(
    store: Store, platform: Platform, sender: Sender
) -> None:
    async def at_once() -> None:
        return None

    platform.faults[A] = [at_once, at_once, Later(3600)]
    await wants(store, A, Close(card="j-0"), Toast(text="ok"), "a3")
    await sender.drain()
    await pass_time(store, 3601)
    await sender.drain()
    assert platform.chats[A] == ["j-0", "ok", "a3"]


async def test_more_lanes_than_are_served_at_once_are_all_served(
    store: Store, platform: Platform, sender: Sender
) -> None:
    lanes = [f"test:{number}" for number in range(7)]
    async with running(sender, lanes=2):
        for lane in lanes:
            await wants(store, lane, "one", "two")
        for lane in lanes:
            await platform.shows(lane, "one", "two")


async def test_who_was_asked_to_wait_is_woken_when_it_is_time(
    store: Store, platform: Platform, sender: Sender
) -> None:
    platform.faults[A] = [Later(0.02)]
    async with running(sender):
        await wants(store, A, "a1", "a2")
        await platform.shows(A, "a1", "a2")


@contextmanager
def writes() -> Iterator[list[int]]:
    """How many rows each statement marks that marks what was sent."""
    marked: list[int] = []

    def hear(_c: Any, _cursor: Any, statement: str, values: Any, _x: Any, many: bool) -> None:
        if statement.startswith("UPDATE outbox SET") and "done_at=((julianday" in statement:
            marked.append(len(values) if many else 1)

    event.listen(Engine, "before_cursor_execute", hear)
    yield marked
    event.remove(Engine, "before_cursor_execute", hear)


async def test_a_run_is_marked_at_its_end_and_after_each_message(
    store: Store, platform: Platform, sender: Sender
) -> None:
    card = Draw(card=chips("j-1"))
    await wants(store, A, Close(card="j-0"), Toast(text="ok"), card, Close(card="j-1"), "bye")
    with writes() as marked:
        await sender.drain()
    assert marked == [3, 2]


async def test_a_card_is_changed_where_the_same_run_has_drawn_it(
    store: Store, platform: Platform, sender: Sender
) -> None:
    await store.remember(A, "j-0", {"at": 17})
    card = chips("j-1")
    await wants(store, A, Close(card="j-0"), Draw(card=card), Change(card=card))
    await sender.drain()
    assert [drawn for _, drawn, _ in platform.seen] == [{"at": 17}, None, {"n": 2, "at": 9.0}]
    assert await store.where(A, "j-1") == {"n": 2, "at": 9.0}
