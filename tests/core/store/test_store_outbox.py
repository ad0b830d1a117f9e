"""What turns want shown goes out in order, each effect under one key; no lane waits for another."""

import asyncio

from core.cards import Card
from core.effects import Change, Close, Draw, Effect, Effects, Page, Put, Say, Toast
from core.store import Outgoing, Queue, Store
from core.store.outbox import RUN, Sent
from tests.core.store.building import (
    LANE,
    chips,
    pass_time,
    put,
    show,
    shown,
    state,
    take,
    whole_post,
)

CHANNELS = ("test",)


async def due(store: Store, owner: str = "sender") -> list[str]:
    return [shown(row.effect) for row in await store.due(owner, CHANNELS)]


async def send_all(store: Store) -> list[Outgoing]:
    """Send until nothing is due; what was sent, in order."""
    sent: list[Outgoing] = []
    while rows := await store.due("sender", CHANNELS):
        await store.all_sent([Sent(row) for row in rows])
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
        Put(post=whole_post(), personal=True),
    )  # fmt: skip
    await put(store, "hello")
    claim = await take(store)
    await store.settle(claim, done=[claim.entries[0]], state=state(), effects=Effects(show=effects))
    assert [row.effect for row in await send_all(store)] == list(effects)


async def test_what_is_no_turns_is_shown_behind_all_that_is_to_be_shown_already(
    store: Store, other: Store
) -> None:
    await show(store, "a")
    assert await other.show(LANE, "page:1", Say(text="b"))
    assert not await store.show(LANE, "page:1", Say(text="b again"))
    await show(store, "c", turn=2)
    sent = await send_all(store)
    assert [shown(row.effect) for row in sent] == ["a", "b", "c"]
    assert not await store.show(LANE, "page:1", Say(text="b once more"))
    assert await due(store) == []


async def test_a_page_knows_where_its_card_stands(store: Store) -> None:
    await store.remember(LANE, "j-1", {"message": 7})
    await store.show(LANE, "page:1", Page(card="j-1", number=2))
    (row,) = await store.due("sender", CHANNELS)
    assert (row.effect, row.drawn) == (Page(card="j-1", number=2), {"message": 7})


async def test_all_that_a_lane_has_to_send_is_due_at_once(store: Store) -> None:
    await show(store, "a1", "a2", key="test:a")
    await show(store, "b1", key="test:b")
    await show(store, "a3", key="test:a", turn=2)
    assert await due(store) == ["a1", "a2", "b1", "a3"]


async def test_a_run_has_an_end(store: Store) -> None:
    texts = [f"{number}" for number in range(RUN + 5)]
    await show(store, *texts)
    first = await store.due("sender", CHANNELS)
    assert [shown(row.effect) for row in first] == texts[:RUN]
    assert await due(store) == []
    await store.all_sent([Sent(row) for row in first])
    assert await due(store) == texts[RUN:]


async def test_what_comes_while_a_run_is_sent_waits_for_its_end(store: Store, other: Store) -> None:
    await show(store, "a", "b")
    first, second = await store.due("sender", CHANNELS)
    await show(store, "c", turn=2)
    assert await due(other, "two") == []
    await store.sent(first)
    assert await due(other, "two") == []
    await store.sent(second)
    assert await due(other, "two") == ["c"]


async def test_the_rest_of_a_run_is_given_back_in_order(store: Store) -> None:
    await show(store, "a", "b", "c")
    first, second, third = await store.due("sender", CHANNELS)
    await store.sent(first)
    await store.retry(second, "flood control", 30, counts=False, behind=[third])
    assert await due(store) == []
    await pass_time(store, 31)
    again = await store.due("sender", CHANNELS)
    assert [(shown(row.effect), row.tries) for row in again] == [("b", 0), ("c", 0)]


async def test_what_was_tried_before_is_handed_out_alone(store: Store) -> None:
    await show(store, "a", "b", "c")
    first, second, third = await store.due("sender", CHANNELS)
    await store.retry(first, "OSError", 30, behind=[second, third])
    await pass_time(store, 31)
    (alone,) = await store.due("sender", CHANNELS)
    assert (shown(alone.effect), alone.tries) == ("a", 1)
    await store.sent(alone)
    assert await due(store) == ["b", "c"]


async def test_a_run_is_held_for_longer(store: Store, other: Store) -> None:
    await show(store, "a", "b")
    run = await store.due("one", CHANNELS)
    await pass_time(store, 50)
    assert await store.hold(run)
    await pass_time(store, 50)
    assert await due(other, "two") == []
    await pass_time(store, 11)
    assert await due(other, "two") == ["a"]
    assert not await store.hold(run)
    assert not await store.hold(run[1:])


async def test_what_came_back_to_the_head_of_a_lane_waits_for_its_run(store: Store) -> None:
    await show(store, "a", "b", "c")
    first, second, third = await store.due("sender", CHANNELS)
    await store.park(first, "the bot was blocked")
    (parked,) = await store.parked()
    await store.unpark(Queue.OUTBOX, parked.id)
    assert await due(store) == []
    await store.all_sent([Sent(second), Sent(third)])
    assert await due(store) == ["a"]


async def test_two_senders_do_not_both_send(store: Store, other: Store) -> None:
    for number in range(10):
        await show(store, f"{number}", key=f"test:{number}")
    both = await asyncio.gather(due(store, "one"), due(other, "two"))
    assert sorted(both[0] + both[1]) == [f"{number}" for number in range(10)]


async def test_an_effect_that_waits_holds_back_the_next(store: Store, other: Store) -> None:
    await show(store, "a", "b")
    first, second = await store.due("sender", CHANNELS)
    await store.retry(first, "flood control", 30, behind=[second])
    assert await due(other, "two") == []


async def test_an_effect_that_waits_holds_back_its_own_lane_only(store: Store) -> None:
    await show(store, "a1", "a2", key="test:a")
    await show(store, "b1", key="test:b")
    first, behind, second = await store.due("sender", CHANNELS)
    await store.retry(first, "flood control", 30, behind=[behind])
    await store.sent(second)
    await show(store, "b2", key="test:b", turn=2)
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
    row, next_one = await store.due("sender", CHANNELS)
    await store.park(row, "the bot was blocked")
    await store.sent(next_one)
    await show(store, "c", turn=2)
    (last,) = await store.due("sender", CHANNELS)
    assert shown(last.effect) == "c"
    await store.sent(last)
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


async def test_no_more_lanes_are_taken_than_asked_for(store: Store) -> None:
    for number in range(5):
        await show(store, f"{number}", f"{number}!", key=f"test:{number}")
    rows = await store.due("sender", CHANNELS, limit=3)
    assert [shown(row.effect) for row in rows] == ["0", "0!", "1", "1!", "2", "2!"]
