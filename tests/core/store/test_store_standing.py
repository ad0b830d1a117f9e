"""Where cards and posts stand is known from what the platform answered."""

import pytest

from core.effects import Close, Draw, Effect, Effects, Put, Say
from core.store import Store
from core.store.outbox import Sent
from tests.core.store.building import LANE, chips, pass_time, put, show, state, take, whole_post

CHANNELS = ("test",)


async def test_a_card_is_found_where_it_was_drawn(store: Store) -> None:
    await show(store, "a")
    (row,) = await store.due("sender", CHANNELS)
    assert await store.where(LANE, "j-1") is None
    await store.sent(row, {"message_id": 17, "chat": "c"}, "j-1")
    assert await store.where(LANE, "j-1") == {"message_id": 17, "chat": "c"}
    assert await store.where("test:2", "j-1") is None


async def test_a_card_is_perhaps_drawn_when_an_attempt_was_lost_or_somebody_has_it_in_hand(
    store: Store, other: Store
) -> None:
    async def perhaps() -> bool:
        return await store.is_perhaps_drawn(LANE, "j-1")

    await put(store, "hello")
    claim = await take(store)
    shown = Effects(show=(Draw(card=chips()),))
    await store.settle(claim, done=claim.entries, state=state(), effects=shown)
    assert not await perhaps(), "nobody has tried"
    (row,) = await store.due("one", CHANNELS)
    assert await perhaps(), "it is being sent"
    await store.retry(row, "the platform wants quiet", 0.0, counts=False)
    assert not await perhaps(), "nothing was sent"
    await store.due("one", CHANNELS)
    await pass_time(store, 61)
    (again,) = await other.due("two", CHANNELS)
    assert await perhaps(), "what became of it nobody knows"
    await other.sent(again, {"n": 1}, "j-1")
    assert not await perhaps(), "it is known where it stands"


async def test_what_is_due_says_where_its_card_stands(store: Store) -> None:
    await store.remember(LANE, "j-1", {"message_id": 17})
    await store.remember("test:2", "j-1", {"message_id": 18})
    effects: tuple[Effect, ...] = (Close(card="j-1"), Say(text="a"), Draw(card=chips("j-2")))
    await put(store, "hello")
    claim = await take(store)
    await store.settle(claim, done=claim.entries, state=state(), effects=Effects(show=effects))
    rows = await store.due("sender", CHANNELS)
    assert [row.drawn for row in rows] == [{"message_id": 17}, None, None]


async def test_a_post_that_is_put_again_is_found_where_it_stands(store: Store) -> None:
    posts: tuple[Effect, ...] = (Put(post=whole_post()), Put(post=whole_post("s-13")))
    await store.remember(LANE, "s-12", {"message_id": 17})
    await store.remember("test:2", "s-13", {"message_id": 18})
    await put(store, "hello")
    claim = await take(store)
    await store.settle(claim, done=claim.entries, state=state(), effects=Effects(show=posts))
    rows = await store.due("sender", CHANNELS)
    assert [row.drawn for row in rows] == [{"message_id": 17}, None]


async def test_a_post_is_marked_before_anything_after_it_is_sent(
    store: Store, other: Store
) -> None:
    posts: tuple[Effect, ...] = (Put(post=whole_post()), Put(post=whole_post("s-13")))
    await put(store, "hello")
    claim = await take(store)
    await store.settle(claim, done=claim.entries, state=state(), effects=Effects(show=posts))
    await store.due("one", CHANNELS)
    await pass_time(store, 61)
    (first,) = await other.due("two", CHANNELS)
    await other.sent(first, {"message_id": 17}, "s-12")
    (second,) = await other.due("two", CHANNELS)
    assert (first.tries, second.tries) == (1, 0)


async def test_the_last_place_of_a_card_counts(store: Store) -> None:
    await show(store, "a", "b")
    first, second = await store.due("sender", CHANNELS)
    await store.all_sent([
        Sent(first, {"message_id": 17}, "j-1"), Sent(second, {"message_id": 18}, "j-1"),
    ])  # fmt: skip
    assert await store.where(LANE, "j-1") == {"message_id": 18}


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
