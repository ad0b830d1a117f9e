"""The bell wakes whoever waits, and no ring is lost."""

import asyncio

from core.bell import Bell

PATIENCE = 30.0


async def test_who_waits_is_woken() -> None:
    bell = Bell()
    waiting = asyncio.create_task(bell.wait(PATIENCE))
    await asyncio.sleep(0)
    bell.ring()
    assert await waiting


async def test_a_ring_before_the_wait_is_not_lost_and_wakes_once() -> None:
    bell = Bell()
    bell.ring()
    bell.ring()
    assert await bell.wait(PATIENCE)
    assert bell.rings == 2
    assert not await bell.wait(0.001)


async def test_what_is_due_later_rings_later() -> None:
    bell = Bell()
    bell.ring(after=0.01)
    assert bell.rings == 0
    assert await bell.wait(PATIENCE)
    assert bell.rings == 1
