"""Erasing somebody waits for what is being done, not for ever, and hinders nobody else."""

from __future__ import annotations

import asyncio

from core.effects import Effects, Put
from core.posts import Post
from core.replies import Command
from core.store import Store
from core.store.moderation import Consequences, Decided, Look, Verdict, post_of
from core.store.part import account_of
from core.store.tables import delivery, metadata, outbox, submission
from tests.core.store.building import LANE, MOMENT, count, pass_time, put, show, state, submit, take
from tests.core.store.building import submission as made

DAY = 24 * 3600.0
ANNA = account_of(LANE)


async def is_empty(store: Store) -> bool:
    """Nothing at all is left of a database in which there was one person only."""
    return [one.name for one in metadata.sorted_tables if await count(store, one)] == []


async def test_what_is_being_delivered_comes_to_its_end_first(store: Store) -> None:
    await submit(store, "j", "site")
    (one,) = await store.due_deliveries("deliverer")
    await store.ask_to_erase(ANNA, ANNA)
    assert not await store.erase(ANNA)
    await store.delivered(one)
    assert await store.erase(ANNA)
    assert await is_empty(store)


async def test_what_is_yet_to_be_delivered_is_delivered_no_more(store: Store) -> None:
    await submit(store, "j", "site")
    await store.ask_to_erase(ANNA, ANNA)
    assert await store.erase(ANNA)
    assert await store.due_deliveries("deliverer") == []
    assert [await count(store, one) for one in (submission, delivery)] == [0, 0]


async def test_a_channel_that_is_served_no_longer_keeps_nobody_for_more_than_a_day(
    store: Store,
) -> None:
    """Nothing sends what is to be sent there, and nothing takes what came in."""
    await show(store, "a line")
    await put(store, "and an answer")
    await store.ask_to_erase(ANNA, ANNA)
    await pass_time(store, DAY - 60)
    assert not await store.erase(ANNA)
    await pass_time(store, 120)
    assert await store.erase(ANNA)
    assert await is_empty(store)


async def test_whoever_works_there_is_waited_for_however_late_it_is(store: Store) -> None:
    await put(store, "hello")
    await store.ask_to_erase(ANNA, ANNA)
    await pass_time(store, 2 * DAY)
    claim = await take(store)
    assert not await store.erase(ANNA)
    await store.settle(claim, done=claim.entries, state=state(1))
    assert await store.erase(ANNA)


async def test_what_moderators_have_before_them_is_changed_in_each_chat_where_it_stands(
    store: Store,
) -> None:
    await put(store, "confirm")
    claim = await take(store)
    await store.settle(
        claim,
        done=claim.entries,
        state=state(1),
        effects=Effects(submission=made("j")),
        look=Look("test:room:0", lambda number: Put(post=Post(id=post_of(number), title="Ünï"))),
    )
    (row,) = await store.due("sender", ["test"])
    (one,) = await store.submissions(ANNA)
    await store.sent(row, {"message": 7}, post_of(one.id))

    def gone(number: int) -> Put:
        return Put(post=Post(id=post_of(number), title="gone"))

    await store.ask_to_erase(ANNA, ANNA)
    assert await store.erase(ANNA, gone)
    await pass_time(store, 120)
    (changed,) = await store.due("sender", ["test"])
    assert (changed.lane, changed.effect) == ("test:room:0", gone(one.id))
    assert changed.drawn == {"message": 7}, "it is known where it stands"


async def test_what_was_never_shown_to_moderators_is_not_shown_then(store: Store) -> None:
    await submit(store, "j", "site")
    assert await store.erase(ANNA, lambda number: Put(post=Post(id=post_of(number))))
    assert await count(store, outbox) == 0


async def test_erasing_at_the_moment_of_an_arrival_loses_neither(store: Store) -> None:
    """Whoever comes first: no two of them wait for each other."""
    for number in range(12):
        await submit(store, f"j{number}", "a", "b")
        due = await store.due_deliveries("deliverer", limit=10)
        await store.ask_to_erase(ANNA, ANNA)
        ways = [store.delivered(one, tell=True) for one in due]
        await asyncio.gather(*ways, *(store.erase(ANNA) for _ in range(3)))
        await pass_time(store, 2 * DAY)
        assert await store.erase(ANNA)
    assert await is_empty(store)


async def test_erasing_at_the_moment_of_a_decision_loses_neither(store: Store) -> None:
    for number in range(8):
        await put(store, f"confirm {number}")
        claim = await take(store)
        look = Look("", lambda number: Put(post=Post(id=post_of(number))))
        effects = Effects(submission=made(f"j{number}"))
        turn = 1 if claim.state is None else claim.state.turn + 1
        await store.settle(claim, done=claim.entries, state=state(turn), effects=effects, look=look)
        (one,) = await store.submissions(ANNA)
        tell = Command(name="~approved", by="anna", at=MOMENT)
        then = Consequences(person=LANE, tell=tell, destinations=("a",))
        decide = store.decide(Decided(one.id, Verdict.APPROVED, "test:bob", "Bob"), then)
        await asyncio.gather(decide, *(store.erase(ANNA) for _ in range(3)))
        await store.ask_to_erase(ANNA, ANNA)
        await pass_time(store, 2 * DAY)
        assert await store.erase(ANNA)
    assert await is_empty(store)
