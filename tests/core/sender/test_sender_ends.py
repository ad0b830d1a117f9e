"""The process ends with something to send: nothing comes twice silently, and nobody waits."""

from __future__ import annotations

import asyncio

from core.effects import Close, Toast
from core.sender import Sender
from core.store import Store
from tests.core.sender.one_platform import A, Gate, Platform, left, running, wants


async def test_who_is_stopped_leaves_the_rest_to_the_next_at_once(
    store: Store, platform: Platform, sender: Sender
) -> None:
    slow = Gate()
    sender.grace = 0.01
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
    sender.grace = 0.01

    async def at_once() -> None:
        return None

    platform.faults[A] = [at_once, at_once, last]
    async with running(sender):
        await wants(store, A, Close(card="j-0"), Toast(text="ok"), "a3", "a4")
        await last.reached.wait()
    assert [tries for _, tries, _ in await left(store)] == [1, 0]


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
