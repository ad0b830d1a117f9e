"""What may have arrived is never doubled by itself, and a person hears once of what has arrived."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.delivery import Delivered, Failed, Outcome, Patience, Unknown
from core.replies import ARRIVED, Command
from core.store import Queue, Stage, Store
from core.store.deliveries import Delivery
from tests.core.delivery.desk import Desk, Pigeon, Pigeons, desk, keep, worker
from tests.core.store.building import LANE, do, submit


async def only(store: Store) -> Delivery:
    (one,) = await store.deliveries("j")
    return one


async def told(store: Store, lane: str = LANE) -> list[str]:
    """What the runtime tells in a lane, and has not yet."""
    claim = await store.claim("reader")
    if claim is None:
        return []
    await store.release(claim)
    replies = [one.reply for one in claim.entries]
    return [one.argument for one in replies if isinstance(one, Command) and one.name == ARRIVED]


@asynccontextmanager
async def nothing_is_delivered(store: Store) -> AsyncIterator[None]:
    """A database that refuses to write down that something was delivered."""
    server = "postgresql" in store.database.url.drivername
    if server:
        await do(store, "ALTER TABLE delivery ADD CONSTRAINT broken CHECK (done_at IS NULL)")
    else:
        await do(
            store,
            "CREATE TRIGGER broken BEFORE UPDATE ON delivery WHEN NEW.done_at IS NOT NULL"
            " BEGIN SELECT RAISE(ABORT, 'the disk does not answer'); END",
        )
    yield
    dropped = "ALTER TABLE delivery DROP CONSTRAINT broken" if server else "DROP TRIGGER broken"
    await do(store, dropped)


# A process that was lost


async def test_lost_before_it_was_sent_it_is_sent(store: Store, tmp_path: Path) -> None:
    made, pigeon = await desk(store, tmp_path, [Delivered()], knows_keys=False)
    await store.due_deliveries("a process that is killed")
    await made.wait(3600)
    await made.deliverer.drain()
    assert pigeon.asked == ["j:loft"]
    assert await made.stage() is Stage.DELIVERED


async def test_lost_when_it_may_have_been_sent_it_is_shown_and_not_sent(
    store: Store, tmp_path: Path
) -> None:
    made, pigeon = await desk(store, tmp_path, [Delivered()], knows_keys=False)
    (due,) = await store.due_deliveries("a process that is killed")
    assert await store.begin_delivery(due)
    await made.wait(3600)
    await made.deliverer.drain()
    assert pigeon.asked == []
    assert await made.stage() is Stage.UNKNOWN
    assert await made.error() == (
        "it may have arrived; look before it is sent again"
        " (the process that was sending it was lost)"
    )


async def test_who_takes_longer_than_a_lease_is_not_taken_for_lost(
    store: Store, tmp_path: Path
) -> None:
    made, _ = await desk(store, tmp_path, [Delivered()], knows_keys=False)
    held, goes_on = asyncio.Event(), asyncio.Event()
    hold = store.hold_delivery

    async def watched(one: Delivery, lease: float) -> bool:
        found = await hold(one, lease)
        held.set()
        return found

    class Slow(Pigeon):
        async def deliver(self, *given: object) -> Outcome:
            await goes_on.wait()
            return Delivered()

    store.hold_delivery = watched  # type: ignore[method-assign]
    made.deliverer.kinds = {"pigeon": Pigeons(Slow([]))}
    made.deliverer.patience = Patience(lease=6.0)
    going_on = asyncio.create_task(made.deliverer.deliver())
    await held.wait()
    await made.wait(4.1)
    assert await store.due_deliveries("another") == [], "it was to be free by now"
    goes_on.set()
    await going_on
    assert await made.stage() is Stage.DELIVERED


async def test_who_was_paused_for_too_long_does_not_send(store: Store, tmp_path: Path) -> None:
    made, pigeon = await desk(store, tmp_path, [Delivered()], knows_keys=False)
    (due,) = await store.due_deliveries("a process that is paused")
    await made.wait(3600)
    await made.deliverer.drain()
    assert not await store.begin_delivery(due)
    assert pigeon.asked == ["j:loft"]


async def test_who_was_paused_and_had_sent_it_says_so(store: Store, tmp_path: Path) -> None:
    """It was shown as unknown meanwhile; now it is known."""
    made, _ = await desk(store, tmp_path, [Delivered()], knows_keys=False)
    (due,) = await store.due_deliveries("a process that is paused")
    await store.begin_delivery(due)
    await made.wait(3600)
    await made.deliverer.drain()
    assert await made.stage() is Stage.UNKNOWN
    await store.delivered(due)
    assert await made.stage() is Stage.DELIVERED
    assert await store.dead_letters(10) == []


async def test_what_surely_failed_is_sent_again_also_where_keys_are_not_known(
    store: Store, tmp_path: Path
) -> None:
    made, pigeon = await desk(store, tmp_path, [Failed("down"), Delivered()], knows_keys=False)
    await made.deliverer.drain()
    assert not (await only(store)).begun
    await made.wait(3)
    await made.deliverer.drain()
    assert pigeon.asked == ["j:loft"] * 2
    assert await made.stage() is Stage.DELIVERED


async def test_an_error_that_nobody_foresaw_is_unknown_where_keys_are_not_known(
    store: Store, tmp_path: Path
) -> None:
    made, pigeon = await desk(store, tmp_path, [ZeroDivisionError()], knows_keys=False)
    await made.deliverer.drain()
    await made.wait(3600)
    await made.deliverer.drain()
    assert pigeon.asked == ["j:loft"]
    assert await made.stage() is Stage.UNKNOWN


async def test_what_was_sent_and_could_not_be_written_down_is_not_sent_again(
    store: Store, tmp_path: Path
) -> None:
    """The database was away for the one moment in which it was to be noted."""
    made, pigeon = await desk(store, tmp_path, [Delivered()], knows_keys=False)
    async with nothing_is_delivered(store):
        await made.deliverer.drain()
    await made.wait(3600)
    await made.deliverer.drain()
    assert pigeon.asked == ["j:loft"]
    assert await made.stage() is Stage.UNKNOWN


async def test_where_keys_are_known_it_is_sent_again_then(store: Store, tmp_path: Path) -> None:
    made, pigeon = await desk(store, tmp_path, [Delivered()])
    async with nothing_is_delivered(store):
        await made.deliverer.drain()
    await made.wait(3600)
    await made.deliverer.drain()
    assert pigeon.asked == ["j:loft"] * 2
    assert await made.stage() is Stage.DELIVERED


async def test_told_to_stop_it_waits_for_what_is_under_way(store: Store, tmp_path: Path) -> None:
    made, _ = await desk(store, tmp_path, [Delivered()], knows_keys=False)
    goes_on, sending = asyncio.Event(), asyncio.Event()

    class Slow(Pigeon):
        async def deliver(self, *given: object) -> Outcome:
            sending.set()
            await goes_on.wait()
            return Delivered()

    made.deliverer.kinds = {"pigeon": Pigeons(Slow([]))}
    running = asyncio.create_task(made.deliverer.run())
    await sending.wait()
    running.cancel()
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await made.stage() is Stage.DELIVERED


async def test_who_is_slow_hinders_nobody_else(store: Store, tmp_path: Path) -> None:
    await keep(store, {"name": "slow", "kind": "snail"}, {"name": "loft", "kind": "pigeon"})
    await submit(store, "j", "slow", "loft")
    for number in range(12):
        await submit(store, f"j{number}", "loft")
    all_there = asyncio.Event()

    class Counting(Pigeon):
        async def deliver(self, *given: object) -> Outcome:
            self.asked.append("")
            if len(self.asked) == 13:
                all_there.set()
            return Delivered()

    kinds = {"snail": Pigeons(Pigeon([None])), "pigeon": Pigeons(Counting([]))}
    deliverer = worker(store, tmp_path, kinds=kinds)
    deliverer.patience = Patience(grace=1.0)
    running = asyncio.create_task(deliverer.run(idle=0.01))
    async with asyncio.timeout(20):
        await all_there.wait()
    running.cancel()
    await asyncio.wait({running})
    assert [one.stage for one in await store.deliveries("j")] == ["pending", "delivered"]


# What an admin says


async def given_up(store: Store, data: Path) -> Desk:
    made, _ = await desk(store, data, [Unknown("connection lost"), Delivered()], knows_keys=False)
    await made.deliverer.drain()
    return made


async def test_what_was_given_up_is_listed(store: Store, tmp_path: Path) -> None:
    await given_up(store, tmp_path)
    (one,) = await store.dead_letters(10)
    assert (one.stage, one.destination) == (Stage.UNKNOWN, "loft")
    assert one.submitted.submission.journey == "j"
    assert await store.count_dead_letters() == 1
    assert await store.dead_letters(10, offset=1) == []
    assert await store.delivery(one.id) == one
    assert await store.delivery(one.id + 1) is None


@pytest.mark.parametrize("by", ["resend", "unpark"])
async def test_sent_again_by_an_admin_it_goes_as_if_for_the_first_time(
    store: Store, tmp_path: Path, by: str
) -> None:
    made = await given_up(store, tmp_path)
    number = (await only(store)).id
    if by == "resend":
        assert await store.resend(number)
    else:
        assert await store.unpark(Queue.DELIVERY, number)
    assert await made.stage() is Stage.PENDING
    await made.deliverer.drain()
    assert await made.stage() is Stage.DELIVERED
    assert await store.count_dead_letters() == 0


async def test_two_admins_at_once_count_once(store: Store, tmp_path: Path) -> None:
    await given_up(store, tmp_path)
    number = (await only(store)).id
    pressed = [store.arrived(number), store.resend(number), store.arrived(number)]
    assert sorted(await asyncio.gather(*pressed)) == [False, False, True]


async def test_what_is_on_its_way_or_there_is_nobodys_to_decide(
    store: Store, tmp_path: Path
) -> None:
    made, _ = await desk(store, tmp_path, [Delivered()])
    number = (await only(store)).id
    assert not await store.resend(number)
    assert not await store.arrived(number)
    await made.deliverer.drain()
    assert not await store.resend(number)
    assert not await store.arrived(number)
    assert not await store.arrived(number + 1)


# What the person hears


async def test_the_person_hears_when_it_has_arrived(store: Store, tmp_path: Path) -> None:
    made, _ = await desk(store, tmp_path, [Failed("down"), Delivered()])
    rung = []
    made.deliverer.ring = lambda: rung.append(True)
    await made.deliverer.drain()
    assert (await told(store), rung) == ([], [])
    await made.wait(3)
    await made.deliverer.drain()
    assert (await told(store), rung) == (["j"], [True])


async def test_a_file_has_it_within_the_moment_and_is_not_worth_a_word(
    store: Store, tmp_path: Path
) -> None:
    made, _ = await desk(store, tmp_path, [Delivered()], here=True)
    await made.deliverer.drain()
    assert await made.stage() is Stage.DELIVERED
    assert await told(store) == []


async def test_the_last_destination_tells(store: Store) -> None:
    """Whichever it is; it was delivered twice, and is told once."""
    await submit(store, "j", "a", "b")
    first, second = await store.due_deliveries("worker")
    await store.delivered(first, tell=True)
    assert await told(store) == []
    await asyncio.gather(*(store.delivered(one, tell=True) for one in (first, second, second)))
    assert await told(store) == ["j"]


async def test_two_that_arrive_at_the_same_moment_are_told_of(store: Store) -> None:
    for number in range(8):
        await submit(store, f"j{number}", "a", "b")
    due = await store.due_deliveries("worker", limit=100)
    await asyncio.gather(*(store.delivered(one, tell=True) for one in due))
    assert sorted(await told(store)) == [f"j{number}" for number in range(8)]


async def test_what_an_admin_has_seen_there_is_told(store: Store, tmp_path: Path) -> None:
    await given_up(store, tmp_path)
    assert await store.arrived((await only(store)).id)
    assert await told(store) == ["j"]
