"""A sender may be lost, and an effect may never succeed: what was perhaps sent counts as tried, and
no lane waits for ever."""

from typing import Any

from core.effects import Close, Effect, Effects, Say, Toast
from core.store import Store
from core.store.outbox import Sent
from tests.core.store.building import do, pass_time, put, show, shown, state, take

CHANNELS = ("test",)


async def due(store: Store, owner: str = "sender") -> list[str]:
    return [shown(row.effect) for row in await store.due(owner, CHANNELS)]


async def test_a_sender_that_was_lost_is_taken_over_under_the_same_key(
    store: Store, other: Store
) -> None:
    await show(store, "a", "b")
    lost, _ = await store.due("one", CHANNELS)
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


async def test_of_a_lost_run_only_what_may_have_been_sent_counts_as_tried(
    store: Store, other: Store
) -> None:
    effects: tuple[Effect, ...] = (
        Close(card="j-0"), Toast(text="ok"), Say(text="hello"), Close(card="j-1"), Say(text="bye"),
    )  # fmt: skip
    await put(store, "hello")
    claim = await take(store)
    await store.settle(claim, done=claim.entries, state=state(), effects=Effects(show=effects))
    lost = await store.due("one", CHANNELS)
    assert len(lost) == len(effects)
    await pass_time(store, 61)
    tries = []
    while rows := await other.due("two", CHANNELS):
        tries.append([row.tries for row in rows])
        await other.all_sent([Sent(row) for row in rows])
    # The greeting is marked before anything after it is sent. What was tried comes alone.
    assert tries == [[1], [1], [1], [0, 0]]


async def test_a_lost_run_says_nothing_about_what_was_marked(store: Store, other: Store) -> None:
    await show(store, "a", "b", "c")
    first, _, last = await store.due("one", CHANNELS)
    await store.sent(first)
    await pass_time(store, 61)
    (again,) = await other.due("two", CHANNELS)
    assert (shown(again.effect), again.tries) == ("b", 1)
    # Nothing of the lost run's may be written any more, not even of what was not handed out again.
    await store.retry(last, "too late", 3600)
    await other.sent(again)
    rows = await other.due("two", CHANNELS)
    assert [(shown(row.effect), row.tries) for row in rows] == [("c", 0)]


async def test_who_lost_a_run_gives_nothing_of_it_back(store: Store, other: Store) -> None:
    await show(store, "a", "b")
    first, second = await store.due("one", CHANNELS)
    await pass_time(store, 61)
    (again,) = await other.due("two", CHANNELS)
    await other.sent(again)
    assert await due(other, "two") == ["b"]
    await store.retry(first, "too late", 0.0, behind=[second])
    assert await due(store) == []


async def test_a_run_that_its_process_gave_back_was_not_tried(
    store: Store, open_store: Any
) -> None:
    ending = await open_store()
    await show(store, "a", "b")
    assert await due(ending) == ["a", "b"]
    await ending.close()
    rows = await store.due("sender", CHANNELS)
    assert [row.tries for row in rows] == [0, 0]


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
    assert await due(store) == ["deadly", "after it"]
    for _ in range(4):
        await pass_time(store, 61)
        assert await due(store) == ["deadly"]
    await pass_time(store, 61)
    assert await due(store) == ["after it"]
    assert [(one.key, one.tries) for one in await store.parked()] == [("test:1:1:0", 5)]


async def test_an_effect_that_cannot_be_read_any_more_is_parked(store: Store) -> None:
    await show(store, "a", "b")
    await do(store, "UPDATE outbox SET effect = '{\"effect\":\"dance\"}' WHERE key = 'test:1:1:0'")
    assert await due(store) == ["b"]
    assert ["cannot be read" in parked.error for parked in await store.parked()] == [True]


async def test_a_failed_effect_that_cannot_be_read_is_parked_too(store: Store) -> None:
    await show(store, "a")
    await store.due("sender", CHANNELS)
    await do(store, "UPDATE outbox SET effect = '{}'")
    await pass_time(store, 61)
    assert await due(store) == []
    assert len(await store.parked()) == 1
