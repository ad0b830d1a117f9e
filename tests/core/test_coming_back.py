"""After a start, each ask that is open is drawn again: once, and never beside itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from core import coming_back
from core.effects import Draw, Effects
from core.replies import Reload
from core.store import Store
from tests.core.store.building import (
    LANE,
    MOMENT,
    chips,
    pass_time,
    put,
    state,
    take,
    words,
)

SOON = MOMENT + timedelta(minutes=5)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """A store in which a lane has an open ask, whose card is still to be drawn."""
    opened = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'store.db'}")
    await opened.migrate()
    await put(opened, "hello")
    claim = await take(opened)
    shown = Effects(show=(Draw(card=chips()),))
    await opened.settle(claim, done=claim.entries, state=state(1, asks=True), effects=shown)
    yield opened
    await opened.close()


async def is_sent(store: Store) -> None:
    """All that is to be sent has been sent."""
    for row in await store.due("sender", ["test"]):
        await store.sent(row)


async def reloads(
    store: Store, start: coming_back.Start, within: float = 3600.0, now: datetime = SOON
) -> int:
    """How many asks come again, five minutes after they were drawn where nothing else is said."""
    return await coming_back.reload(store, "test", now, start=start, within=within)


async def is_drawn_again(store: Store) -> None:
    """What waits has its turn, and the ask is another card, which is sent."""
    claim = await take(store)
    assert [type(one.reply) for one in claim.entries] == [Reload]
    assert claim.state is not None
    turn = claim.state.turn + 1
    again = state(turn, asks=True, journey=f"j{turn}")
    await store.settle(claim, done=claim.entries, state=again, effects=Effects())


async def test_a_card_that_was_sent_before_the_start_comes_again_once(store: Store) -> None:
    await is_sent(store)
    start = await coming_back.start(store, "test", SOON)
    assert await reloads(store, start) == 1
    await is_drawn_again(store)
    assert await reloads(store, start) == 0, "at most once an hour"


async def test_a_card_that_was_still_to_be_sent_comes_by_itself(store: Store) -> None:
    start = await coming_back.start(store, "test", SOON)
    assert start.to_be_drawn == {chips().id}
    await is_sent(store)
    assert await reloads(store, start) == 0
    assert (await coming_back.start(store, "test", SOON)).to_be_drawn == frozenset()
    assert (await coming_back.start(store, "tests", SOON)).to_be_drawn == frozenset()


async def test_what_was_drawn_after_the_start_or_long_before_does_not_come_again(
    store: Store,
) -> None:
    await is_sent(store)
    before = await coming_back.start(store, "test", MOMENT)
    assert await reloads(store, before) == 0
    after = await coming_back.start(store, "test", SOON)
    assert await reloads(store, after, within=60.0) == 0


async def test_where_a_reply_waits_it_is_what_counts(store: Store) -> None:
    await is_sent(store)
    start = await coming_back.start(store, "test", SOON)
    assert await store.accept(LANE, "meanwhile", words("online"))
    assert await reloads(store, start) == 0


@pytest.mark.parametrize("minutes", [1, 59])
async def test_within_an_hour_it_comes_again_once_whatever_the_clock_shows(
    store: Store, minutes: int
) -> None:
    # Given a start shortly before a full hour, after which the ask was drawn again
    await is_sent(store)
    first = MOMENT.replace(hour=9, minute=59, second=30)
    start = await coming_back.start(store, "test", first)
    assert await reloads(store, start, now=first) == 1
    await is_drawn_again(store)

    # When the program is started once more, behind the full hour
    later = first + timedelta(minutes=minutes)
    await pass_time(store, minutes * 60)
    start = await coming_back.start(store, "test", later)

    # Then it stays where it is
    assert await reloads(store, start, within=7200.0, now=later) == 0


async def test_an_hour_later_it_comes_again(store: Store) -> None:
    await is_sent(store)
    for hours in range(3):
        later = SOON + timedelta(hours=hours)
        start = await coming_back.start(store, "test", later)
        assert await reloads(store, start, within=86400.0, now=later) == 1
        await is_drawn_again(store)
        await pass_time(store, 3601)


async def test_two_processes_that_start_at_once_have_it_drawn_again_once(
    store: Store, tmp_path: Path
) -> None:
    await is_sent(store)
    other = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'store.db'}")
    start = await coming_back.start(store, "test", SOON)
    for _ in range(2):
        drawn = await asyncio.gather(*(reloads(one, start) for one in (store, other)))
        assert sum(drawn) == 1
        await is_drawn_again(store)
        assert sum([await reloads(one, start) for one in (store, other)]) == 0
        await pass_time(store, 3601)
    await other.close()
