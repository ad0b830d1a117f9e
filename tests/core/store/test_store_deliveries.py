"""A submission reaches each of its destinations, under one key for each."""

import asyncio

from core.store import Queue, Stage, Store
from core.store.part import account_of
from tests.core.store.building import LANE, pass_time, submission, submit


async def stages(store: Store, journey: str = "j") -> dict[str, Stage]:
    return {one.destination: one.stage for one in await store.deliveries(journey)}


async def test_a_submission_is_due_at_each_destination(store: Store) -> None:
    await submit(store, "j", "file", "webhook")
    rows = await store.due_deliveries("deliverer")
    assert [(row.key, row.destination) for row in rows] == [
        ("j:file", "file"), ("j:webhook", "webhook"),
    ]  # fmt: skip
    assert {row.submitted.submission.content for row in rows} == {submission().content}
    assert await store.due_deliveries("another") == []


async def test_what_was_delivered_is_due_no_more(store: Store) -> None:
    await submit(store, "j", "file", "webhook")
    file, webhook = await store.due_deliveries("deliverer")
    await store.delivered(file)
    await store.retry_delivery(webhook, "502", 30)
    assert await stages(store) == {"file": Stage.DELIVERED, "webhook": Stage.PENDING}
    assert await store.due_deliveries("deliverer") == []
    await pass_time(store, 31)
    (again,) = await store.due_deliveries("deliverer")
    assert (again.key, again.tries, again.error) == ("j:webhook", 1, "502")


async def test_a_destination_that_waits_holds_up_no_other(store: Store) -> None:
    await submit(store, "one", "webhook")
    await submit(store, "two", "webhook")
    first, second = await store.due_deliveries("deliverer")
    await store.retry_delivery(first, "429", 3600, counts=False)
    await store.delivered(second)
    await pass_time(store, 3601)
    (again,) = await store.due_deliveries("deliverer")
    assert (again.key, again.tries) == ("one:webhook", 0)


async def test_what_is_dead_can_be_set_going_again(store: Store) -> None:
    await submit(store, "j", "webhook")
    (row,) = await store.due_deliveries("deliverer")
    await store.dead(row, "410: the webhook is gone")
    assert await stages(store) == {"webhook": Stage.DEAD}
    (parked,) = await store.parked()
    assert (parked.queue, parked.key, parked.lane) == (Queue.DELIVERY, "j:webhook", "test:1")
    assert "410" in parked.error
    assert await store.unpark(Queue.DELIVERY, parked.id)
    assert [row.key for row in await store.due_deliveries("deliverer")] == ["j:webhook"]


async def test_two_deliverers_do_not_both_deliver(store: Store, other: Store) -> None:
    for number in range(8):
        await submit(store, f"j{number}", "webhook")
    both = await asyncio.gather(store.due_deliveries("one"), other.due_deliveries("two"))
    keys = [row.key for rows in both for row in rows]
    assert sorted(keys) == [f"j{number}:webhook" for number in range(8)]


async def test_a_lost_deliverer_is_taken_over_under_the_same_key(
    store: Store, other: Store
) -> None:
    await submit(store, "j", "webhook")
    (lost,) = await store.due_deliveries("one")
    await pass_time(store, 61)
    (again,) = await other.due_deliveries("two")
    assert (again.key, again.submitted.submission) == (lost.key, lost.submitted.submission)
    await store.dead(lost, "too late")
    assert await stages(store) == {"webhook": Stage.PENDING}
    await other.delivered(again)
    await store.delivered(lost)
    assert await stages(store) == {"webhook": Stage.DELIVERED}


async def test_a_person_sees_what_they_submitted(store: Store) -> None:
    await submit(store, "one")
    await submit(store, "two")
    submitted = await store.submissions(account_of(LANE))
    assert [one.submission.journey for one in submitted] == ["one", "two"]
    assert submitted[0].submission == submission("one")
    assert await store.submissions("somebody else") == []
    assert await store.deliveries("one") == []


async def test_who_is_still_at_it_keeps_it(store: Store, other: Store) -> None:
    await submit(store, "j", "file")
    (mine,) = await store.due_deliveries("deliverer", lease=60)
    await pass_time(store, 50)
    assert await store.hold_delivery(mine, 60)
    await pass_time(store, 50)
    assert await other.due_deliveries("another") == []
    await pass_time(store, 11)
    (theirs,) = await other.due_deliveries("another")
    assert theirs.key == mine.key
    assert not await store.hold_delivery(mine, 60)


async def test_what_was_given_back_is_held_no_longer(store: Store) -> None:
    await submit(store, "j", "file")
    (mine,) = await store.due_deliveries("deliverer")
    await store.retry_delivery(mine, "503", 0.0, counts=False)
    assert not await store.hold_delivery(mine, 60)
    (again,) = await store.due_deliveries("deliverer")
    assert again.tries == 0
    await store.delivered(again)
    assert not await store.hold_delivery(again, 60)
