"""What one lane has to send goes out in order; no lane waits for another; nothing comes twice
silently."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from sqlalchemy import Engine, event, select

from core import sender as sender_module
from core.channel import Later, Lost, Native, Never
from core.effects import Change, Close, Draw, Effect, Effects, Put, Say, Toast
from core.sender import Sender
from core.store import Store
from core.store.sql import now, pending
from core.store.tables import outbox
from tests.core.store.building import chips, pass_time, put, state, take

A, B = "test:a", "test:b"
PATIENCE = 60.0
"""Seconds after which a test that waits for what never comes has failed."""

Fault = Exception | Callable[[], Any]


@dataclass
class Platform:
    """A platform with a chat for each lane. The faults of a lane happen one after the other."""

    name: str = "test"
    command = "/"
    chats: dict[str, list[str]] = field(default_factory=dict)
    seen: list[tuple[str, Native | None, bool]] = field(default_factory=list)
    faults: dict[str, list[Fault]] = field(default_factory=dict)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Native | None, *, again: bool = False
    ) -> Native | None:
        self.seen.append((name_of(effect), drawn, again))
        if self.faults.get(lane):
            fault = self.faults[lane].pop(0)
            if isinstance(fault, Exception):
                raise fault
            await fault()
        chat = self.chats.setdefault(lane, [])
        chat.append(name_of(effect))
        async with self.changed:
            self.changed.notify_all()
        return {"n": len(chat), "at": 9.0} if isinstance(effect, Draw) else None

    def preview(self, lane: str, text: str) -> None:
        return None

    async def end_preview(self, lane: str) -> None:
        return None

    async def shows(self, lane: str, *texts: str) -> None:
        """Wait until a chat shows exactly these."""
        async with asyncio.timeout(PATIENCE), self.changed:
            await self.changed.wait_for(lambda: self.chats.get(lane) == list(texts))


def name_of(effect: Effect) -> str:
    if isinstance(effect, Say | Toast):
        return effect.text
    if isinstance(effect, Put):
        return effect.post.id
    return effect.card if isinstance(effect, Close) else effect.card.id


@dataclass
class Gate:
    """Somewhere a send waits until it is let through."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self) -> None:
        self.reached.set()
        await self.opened.wait()


@pytest.fixture
async def store(sqlite_url: str) -> AsyncIterator[Store]:
    opened = await Store.open(sqlite_url)
    await opened.migrate()
    yield opened
    await opened.close()


@pytest.fixture
async def platform() -> Platform:
    return Platform()


@pytest.fixture
def sender(store: Store, platform: Platform) -> Sender:
    # So long without a ring that only the bell can have woken it.
    return Sender(store, "sender", {"test": platform}, idle=3600)


TURNS = count(1)


async def wants(store: Store, lane: str, *effects: Effect | str) -> None:
    """A turn of a lane wants these shown, and rings."""
    turn = next(TURNS)
    await put(store, f"turn {turn}", key=lane)
    claim = await take(store)
    show = tuple(Say(text=one) if isinstance(one, str) else one for one in effects)
    settled = state(turn, key=lane)
    await store.settle(claim, done=claim.entries, state=settled, effects=Effects(show=show))
    store.outgoing.ring()


@asynccontextmanager
async def running(sender: Sender, lanes: int = 64) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(sender.run(lanes))
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def left(store: Store) -> list[tuple[str, int, str]]:
    """What is still to be sent: its lane, its tries, its last error."""
    chosen = select(outbox.c.lane, outbox.c.tries, outbox.c.error).where(pending(outbox))
    async with store.database.read() as connection:
        rows = await connection.execute(chosen.order_by(outbox.c.id))
        return [(row.lane, row.tries, row.error) for row in rows]


# --- many lanes ----------------------------------------------------------------------------------


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


# --- what fails ----------------------------------------------------------------------------------


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


# --- the process ends ----------------------------------------------------------------------------


async def test_who_is_stopped_leaves_the_rest_to_the_next_at_once(
    store: Store, platform: Platform, sender: Sender
) -> None:
    slow = Gate()
    platform.faults[A] = [slow]
    async with running(sender):
        await wants(store, A, Close(card="j-0"), "a2", "a3")
        await slow.reached.wait()
    # The first was perhaps sent; the others were not, and nobody waits for a lease.
    assert await left(store) == [(A, 1, "the process ended meanwhile"), (A, 0, ""), (A, 0, "")]
    await Sender(store, "the next", {"test": platform}).drain()
    assert [(name, again) for name, _, again in platform.seen[1:]] == [
        ("j-0", True), ("a2", False), ("a3", False),
    ]  # fmt: skip


async def test_what_was_sent_before_the_end_is_not_sent_again(
    store: Store, platform: Platform, sender: Sender
) -> None:
    last = Gate()

    async def at_once() -> None:
        return None

    platform.faults[A] = [at_once, at_once, last]
    async with running(sender):
        await wants(store, A, Close(card="j-0"), Toast(text="ok"), "a3", "a4")
        await last.reached.wait()
    assert [tries for _, tries, _ in await left(store)] == [1, 0]


# --- few transactions ----------------------------------------------------------------------------


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


async def test_what_is_being_sent_when_the_process_ends_comes_to_its_end_and_is_not_sent_again(
    store: Store, platform: Platform, sender: Sender
) -> None:
    gate = Gate()
    platform.faults["test:1"] = [gate]
    await wants(store, "test:1", "one", "two")
    async with running(sender) as task:
        await gate.reached.wait()
        task.cancel()
        asyncio.get_running_loop().call_soon(gate.opened.set)
    assert platform.chats["test:1"] == ["one"]
    await Sender(store, "the next", {"test": platform}).drain()
    assert platform.seen == [("one", None, False), ("two", None, False)]


async def test_what_takes_too_long_to_end_is_cut_off_and_says_so_the_next_time(
    store: Store, platform: Platform, sender: Sender
) -> None:
    gate = Gate()
    platform.faults["test:1"] = [gate]
    await wants(store, "test:1", "one")
    sender.grace = 0.01
    async with running(sender) as task:
        await gate.reached.wait()
        task.cancel()
    await Sender(store, "the next", {"test": platform}).drain()
    assert platform.seen == [("one", None, False), ("one", None, True)]


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
