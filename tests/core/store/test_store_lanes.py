"""One worker at a time has a lane, and a lane is never lost with its worker."""

import asyncio

import pytest

from core.replies import Reply, Words
from core.store import Fenced, Queue, Store
from tests.core.conftest import OpenStore
from tests.core.store.building import LANE, do, pass_time, put, said, state, take, tap, words


async def test_nothing_is_claimed_where_nothing_waits(store: Store) -> None:
    assert await store.claim("worker") is None


async def test_a_claimed_lane_is_nobody_elses(store: Store, other: Store) -> None:
    await put(store, "hello")
    await take(store, "one")
    assert await other.claim("two") is None


async def test_two_workers_never_hold_one_lane(store: Store, other: Store) -> None:
    for number in range(12):
        await put(store, "hello", key=f"test:{number}")
    claims = await asyncio.gather(
        *((store, other)[number % 2].claim(f"worker {number}") for number in range(20))
    )
    lanes = [claim.lane for claim in claims if claim is not None]
    assert sorted(lanes) == sorted(f"test:{number}" for number in range(12))


async def test_the_lane_that_waited_longest_comes_first(store: Store) -> None:
    for key in ("test:b", "test:a"):
        await put(store, "1", "2", key=key)
        await pass_time(store, 5)
    first = await take(store)
    await store.settle(first, done=[first.entries[0]], state=state(key=first.lane))
    assert [first.lane, (await take(store)).lane, (await take(store)).lane] == [
        "test:b", "test:a", "test:b",
    ]  # fmt: skip


async def test_at_most_fifty_entries_are_handed_out_and_the_rest_waits(store: Store) -> None:
    await put(store, *(f"{number}" for number in range(53)))
    claim = await take(store)
    assert said(claim.entries) == [f"{number}" for number in range(50)]
    assert said(await store.waiting(claim)) == ["50", "51", "52"]


async def test_what_comes_during_a_turn_can_be_seen_waiting(store: Store, other: Store) -> None:
    await put(store, "a", "b")
    claim = await take(store)
    assert await store.waiting(claim) == []
    await other.accept(LANE, "tap", tap())
    assert [entry.reply for entry in await store.waiting(claim)] == [tap()]
    behind_a = await store.waiting(claim, after=claim.entries[0].id)
    assert [entry.id for entry in behind_a][:1] == [claim.entries[1].id]


async def test_what_waits_is_counted_until_it_is_settled(store: Store) -> None:
    assert await store.ready(LANE) == 0
    await put(store, "a", "b")
    claim = await take(store)
    assert await store.ready(LANE) == 2
    await store.settle(claim, done=[claim.entries[0]], state=state())
    assert await store.ready(LANE) == 1


# --- leases --------------------------------------------------------------------------------------


async def test_a_lease_that_ran_out_is_taken_over_and_the_old_fence_writes_nothing(
    store: Store, other: Store
) -> None:
    await put(store, "hello")
    paused = await take(store, "one")
    await pass_time(store, 29)
    assert await other.claim("two") is None
    await pass_time(store, 2)
    taken = await take(other, "two")
    assert (taken.lane, taken.fence) == (LANE, paused.fence + 1)

    with pytest.raises(Fenced, match=LANE):
        await store.settle(paused, done=[paused.entries[0]], state=state(turn=99))
    with pytest.raises(Fenced):
        await store.renew(paused)
    assert not await store.fail(paused, [paused.entries[0].id], "too late")
    await store.release(paused)

    known = await store.conversation(LANE)
    assert known is not None
    assert known.turn == 0
    assert await store.claim("three") is None, "the second worker still has it"
    await other.settle(taken, done=[taken.entries[0]], state=state(turn=1))


async def test_a_renewed_lease_is_kept(store: Store, other: Store) -> None:
    await put(store, "hello")
    claim = await take(store)
    await pass_time(store, 20)
    await store.renew(claim)
    await pass_time(store, 20)
    assert await other.claim("two") is None
    await store.settle(claim, done=[claim.entries[0]], state=state())


async def test_a_lease_is_as_long_as_it_was_asked_for(store: Store, other: Store) -> None:
    await put(store, "hello")
    claim = await store.claim("worker", lease=300)
    assert claim is not None
    await pass_time(store, 290)
    await store.renew(claim)
    await pass_time(store, 290)
    assert await other.claim("two") is None


async def test_a_claim_ends_with_its_settle(store: Store) -> None:
    await put(store, "a", "b")
    claim = await take(store)
    await store.settle(claim, done=[claim.entries[0]], state=state())
    with pytest.raises(Fenced):
        await store.settle(claim, done=[claim.entries[1]], state=state(turn=2))
    assert said((await take(store)).entries) == ["b"]


async def test_a_released_lane_is_as_it_was(store: Store) -> None:
    await put(store, "a")
    await store.release(await take(store))
    again = await take(store)
    assert [entry.tries for entry in again.entries] == [0]


async def test_a_store_that_closes_gives_back_what_it_holds(
    store: Store, open_store: OpenStore
) -> None:
    leaving = await open_store()
    await put(store, "hello")
    claim = await take(leaving)
    await leaving.close()
    again = await take(store)
    assert (again.fence, again.entries[0].tries) == (claim.fence + 1, 0)


# --- failures ------------------------------------------------------------------------------------


async def test_a_failure_is_tried_again_later_and_later(store: Store) -> None:
    await put(store, "a")
    for failures, wait in enumerate((10, 20, 40, 80)):
        claim = await take(store)
        assert claim.entries[0].tries == failures
        assert await store.fail(claim, [claim.entries[0].id], "TimeoutError", retry_in=10)
        await pass_time(store, wait - 1)
        assert await store.claim("worker") is None
        await pass_time(store, 2)


async def test_a_tap_does_not_hurry_a_lane_that_failed(store: Store) -> None:
    await put(store, "a")
    claim = await take(store)
    await store.fail(claim, [claim.entries[0].id], "TimeoutError", retry_in=60)
    await store.accept(LANE, "tap", tap())
    assert await store.claim("worker") is None


async def test_a_poisonous_entry_is_parked_in_sight_and_the_lane_goes_on(store: Store) -> None:
    await put(store, "poison", "after it")
    for _ in range(5):
        claim = await take(store)
        assert said(claim.entries)[0] == "poison"
        await store.fail(claim, [claim.entries[0].id], "ZeroDivisionError")
        await pass_time(store, 3600)
    assert said((await take(store)).entries) == ["after it"]
    (parked,) = await store.parked()
    assert (parked.queue, parked.key, parked.tries) == (Queue.INBOX, f"{LANE}/poison", 5)
    assert parked.error == "ZeroDivisionError"


async def test_an_entry_that_kills_every_worker_is_parked_too(store: Store) -> None:
    await put(store, "deadly", "after it")
    for _ in range(5):
        assert said((await take(store)).entries)[0] == "deadly"
        await pass_time(store, 31)
    assert said((await take(store)).entries) == ["after it"]
    assert [parked.error for parked in await store.parked()] == ["the worker was lost"]


def sorry(reply: Reply) -> Reply | None:
    """What is said of words that are given up; a tap has no apology."""
    return words(f"sorry: {reply.text}") if isinstance(reply, Words) else None


async def is_given_up(store: Store, how: str) -> None:
    """The first entry is tried as often as there are tries, in vain."""
    for _ in range(5):
        claim = await store.claim("worker", apology=sorry)
        assert claim is not None
        if how == "fails":
            await store.fail(claim, [claim.entries[0].id], "OSError", apology=sorry)
        await pass_time(store, 3600)


@pytest.mark.parametrize("how", ["fails", "kills"])
async def test_an_apology_is_accepted_with_what_is_given_up(store: Store, how: str) -> None:
    await put(store, "deadly", "after it")
    await is_given_up(store, how)
    claim = await store.claim("worker", apology=sorry)
    assert claim is not None
    assert said(claim.entries) == ["after it", "sorry: deadly"]
    assert await store.ready(LANE) == 2
    assert len(await store.parked()) == 1


@pytest.mark.parametrize("how", ["fails", "kills"])
async def test_an_apology_alone_makes_its_lane_ready(store: Store, how: str) -> None:
    await put(store, "deadly")
    await is_given_up(store, how)
    claim = await store.claim("worker", apology=sorry)
    assert claim is not None
    assert said(claim.entries) == ["sorry: deadly"]


@pytest.mark.parametrize("how", ["fails", "kills"])
async def test_what_has_no_apology_is_given_up_all_the_same(store: Store, how: str) -> None:
    await store.accept(LANE, "tap", tap())
    await is_given_up(store, how)
    assert await store.claim("worker", apology=sorry) is None
    assert await store.ready(LANE) == 0


async def test_whoever_lost_the_lane_makes_no_apology(store: Store, other: Store) -> None:
    await put(store, "a")
    paused = await take(store)
    await pass_time(store, 31)
    await take(other)
    store.max_tries = 1
    assert not await store.fail(paused, [paused.entries[0].id], "too late", apology=sorry)
    assert await store.ready(LANE) == 1


async def test_what_was_parked_can_be_set_going_again(store: Store) -> None:
    await put(store, "a", "b")
    for _ in range(5):
        claim = await take(store)
        await store.fail(claim, [claim.entries[0].id], "OSError")
        await pass_time(store, 3600)
    claim = await take(store)
    await store.settle(claim, done=[claim.entries[0]], state=state())
    (parked,) = await store.parked()
    assert await store.unpark(Queue.INBOX, parked.id)
    assert not await store.unpark(Queue.INBOX, parked.id)
    again = await take(store)
    assert (said(again.entries), again.entries[0].tries) == (["a"], 0)


async def test_a_lane_that_lost_count_recovers(store: Store) -> None:
    await put(store, "a")
    claim = await take(store)
    await store.settle(claim, done=[claim.entries[0]], state=state())
    await do(store, "UPDATE lane SET ready = 3")
    assert await store.claim("worker") is None
    await put(store, "b")
    assert said((await take(store)).entries) == ["b"]
