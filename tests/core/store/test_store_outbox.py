"""What turns want shown goes out in order, each effect under one key; no lane waits for another."""

import asyncio

import pytest

from core.cards import Card
from core.effects import Change, Close, Draw, Effect, Effects, Toast
from core.store import Outgoing, Queue, Store
from tests.core.store.building import (
    LANE,
    chips,
    do,
    pass_time,
    put,
    show,
    shown,
    state,
    take,
)

CHANNELS = ("test",)


async def due(store: Store, owner: str = "sender") -> list[str]:
    return [shown(row.effect) for row in await store.due(owner, CHANNELS)]


async def send_all(store: Store) -> list[Outgoing]:
    """Send until nothing is due; what was sent, in order."""
    sent: list[Outgoing] = []
    while rows := await store.due("sender", CHANNELS):
        for row in rows:
            await store.sent(row)
        sent += rows
    return sent


async def test_effects_go_out_one_after_the_other(store: Store) -> None:
    await show(store, "a", "b")
    await show(store, "c", turn=2)
    assert [(shown(row.effect), row.key) for row in await send_all(store)] == [
        ("a", "test:1:1:0"), ("b", "test:1:1:1"), ("c", "test:1:2:0"),
    ]  # fmt: skip
    assert await due(store) == []


async def test_every_kind_of_effect_comes_back_as_it_was(store: Store) -> None:
    card: Card = chips()
    effects: tuple[Effect, ...] = (
        Close(card="j-0", receipt="✓"), Draw(card=card), Change(card=card), Toast(text="ok"),
    )  # fmt: skip
    await put(store, "hello")
    claim = await take(store)
    await store.settle(claim, done=[claim.entries[0]], state=state(), effects=Effects(show=effects))
    assert [row.effect for row in await send_all(store)] == list(effects)


async def test_the_first_of_each_lane_is_due(store: Store) -> None:
    await show(store, "a1", "a2", key="test:a")
    await show(store, "b1", "b2", key="test:b")
    assert await due(store) == ["a1", "b1"]


async def test_two_senders_do_not_both_send(store: Store, other: Store) -> None:
    for number in range(10):
        await show(store, f"{number}", key=f"test:{number}")
    both = await asyncio.gather(due(store, "one"), due(other, "two"))
    assert sorted(both[0] + both[1]) == [f"{number}" for number in range(10)]


async def test_an_effect_that_is_being_sent_holds_back_the_next(store: Store, other: Store) -> None:
    await show(store, "a", "b")
    assert await due(store) == ["a"]
    assert await due(other, "two") == []


async def test_an_effect_that_waits_holds_back_its_own_lane_only(store: Store) -> None:
    await show(store, "a1", "a2", key="test:a")
    await show(store, "b1", "b2", key="test:b")
    first, second = await store.due("sender", CHANNELS)
    await store.retry(first, "flood control", 30)
    await store.sent(second)
    assert await due(store) == ["b2"]
    await pass_time(store, 31)
    again = await store.due("sender", CHANNELS)
    assert [(shown(row.effect), row.tries) for row in again] == [("a1", 1)]


async def test_waiting_because_the_platform_asked_is_no_failure(store: Store) -> None:
    await show(store, "a")
    for _ in range(9):
        (row,) = await store.due("sender", CHANNELS)
        assert row.tries == 0
        await store.retry(row, "flood control", 30, counts=False)
        await pass_time(store, 31)


async def test_a_parked_effect_lets_its_lane_go_on(store: Store) -> None:
    await show(store, "a", "b")
    (row,) = await store.due("sender", CHANNELS)
    await store.park(row, "the bot was blocked")
    assert await due(store) == ["b"]
    (parked,) = await store.parked()
    assert (parked.queue, parked.lane, parked.key) == (Queue.OUTBOX, LANE, row.key)
    assert await store.unpark(Queue.OUTBOX, parked.id)
    assert await due(store) == ["a"]


async def test_only_the_channels_of_a_process_are_sent_for(store: Store) -> None:
    await show(store, "t", key="telegram:1")
    await show(store, "s", key="slack:1")
    (row,) = await store.due("sender", ["slack", "terminal"])
    assert row.lane == "slack:1"
    assert await store.due("sender", []) == []


async def test_no_more_are_taken_than_asked_for(store: Store) -> None:
    for number in range(5):
        await show(store, f"{number}", key=f"test:{number}")
    rows = await store.due("sender", CHANNELS, limit=3)
    assert [shown(row.effect) for row in rows] == ["0", "1", "2"]


async def test_a_sender_that_was_lost_is_taken_over_under_the_same_key(
    store: Store, other: Store
) -> None:
    await show(store, "a", "b")
    (lost,) = await store.due("one", CHANNELS)
    await pass_time(store, 61)
    (again,) = await other.due("two", CHANNELS)
    assert (again.key, again.effect, again.tries) == (lost.key, lost.effect, 1)
    # What the lost one knows too late changes nothing, except that it was sent.
    await store.retry(lost, "too late", 3600)
    await store.park(lost, "too late")
    assert await due(store) == []
    await store.sent(lost)
    await other.retry(again, "a duplicate, says the platform", 3600)
    assert await due(store) == ["b"]


async def test_what_was_sent_after_all_is_not_shown_as_given_up(store: Store, other: Store) -> None:
    await show(store, "a")
    (slow,) = await store.due("one", CHANNELS)
    await pass_time(store, 61)
    (again,) = await other.due("two", CHANNELS)
    await other.park(again, "a duplicate, says the platform")
    await store.sent(slow)
    assert await store.parked() == []


async def test_an_effect_that_kills_every_sender_is_parked(store: Store) -> None:
    await show(store, "deadly", "after it")
    for _ in range(5):
        assert await due(store) == ["deadly"]
        await pass_time(store, 61)
    # The look that finds it lost once too often gives it up; what follows is for the next look.
    assert await due(store) == []
    assert await due(store) == ["after it"]


async def test_an_effect_that_cannot_be_read_any_more_is_parked(store: Store) -> None:
    await show(store, "a", "b")
    await do(store, "UPDATE outbox SET effect = '{\"effect\":\"dance\"}' WHERE key = 'test:1:1:0'")
    assert await due(store) == []
    assert await due(store) == ["b"]
    assert ["cannot be read" in parked.error for parked in await store.parked()] == [True]


# --- where cards stand ---------------------------------------------------------------------------


async def test_a_card_is_found_where_it_was_drawn(store: Store) -> None:
    await show(store, "a")
    (row,) = await store.due("sender", CHANNELS)
    assert await store.where(LANE, "j-1") is None
    await store.sent(row, {"message_id": 17, "chat": "c"}, "j-1")
    assert await store.where(LANE, "j-1") == {"message_id": 17, "chat": "c"}
    assert await store.where("test:2", "j-1") is None


async def test_a_card_that_moved_is_found_where_it_stands_now(store: Store) -> None:
    await store.remember(LANE, "j-1", {"message_id": 17})
    await store.remember(LANE, "j-1", {"message_id": 18})
    assert await store.where(LANE, "j-1") == {"message_id": 18}


@pytest.mark.parametrize("native", [None, {}])
async def test_an_answer_without_a_place_forgets_none(
    store: Store, native: dict[str, int] | None
) -> None:
    await store.remember(LANE, "j-1", {"message_id": 17})
    await show(store, "a")
    (row,) = await store.due("sender", CHANNELS)
    await store.sent(row, native, "j-1")
    assert await store.where(LANE, "j-1") == {"message_id": 17}
