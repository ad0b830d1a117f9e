"""A submission reaches its destinations; what is down is asked again, and nothing is let go of."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.delivery import (
    Confirmed,
    Delivered,
    Failed,
    Jsonl,
    Means,
    Outcome,
    Patience,
    Rejected,
    Unknown,
)
from core.store import Queue, Stage, Store
from core.store.part import account_of
from tests.core.delivery.desk import desk, keep, worker
from tests.core.store.building import LANE, pass_time, submission, submit
from tests.support.journeys import dinner

DAY = 24 * 3600.0


@pytest.fixture
async def store(sqlite_url: str) -> AsyncIterator[Store]:
    store = await Store.open(sqlite_url)
    await store.migrate()
    yield store
    await store.close()


def lines_of(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()


async def test_a_submission_reaches_every_destination(store: Store, tmp_path: Path) -> None:
    await keep(
        store,
        {"name": "file", "kind": "jsonl", "settings": {"path": "events.jsonl"}},
        {"name": "copy", "kind": "jsonl", "settings": {"path": "copies/events.jsonl"}},
    )
    await submit(store, "j", "file", "copy")
    await worker(store, tmp_path, owner="test").drain()

    for name, path in (("file", "events.jsonl"), ("copy", "copies/events.jsonl")):
        (line,) = lines_of(tmp_path / path)
        told = json.loads(line)
        assert told["key"] == f"j:{name}"
        (stored,) = await store.submissions(account_of(LANE))
        assert told["submitted_at"] == f"{stored.at:%Y-%m-%dT%H:%M:%SZ}"
        assert told["channel"] == stored.lane.partition(":")[0]
        assert told["zone"] == submission().zone != ""
        assert submission().content in line
    assert {one.stage for one in await store.deliveries("j")} == {Stage.DELIVERED}


async def test_a_delivery_that_was_made_but_not_noted_is_made_once(
    store: Store, tmp_path: Path
) -> None:
    await keep(store, {"name": "file", "kind": "jsonl", "settings": {"path": "events.jsonl"}})
    await submit(store, "j", "file")
    (due,) = await store.due_deliveries("a process that is killed")
    file = Jsonl().make({"path": "events.jsonl"}, Means(tmp_path))
    confirmed = Confirmed(at=due.submitted.at, channel="test", type=dinner())
    await file.deliver(due.submitted.submission, due.key, confirmed)

    await pass_time(store, 3600)
    await worker(store, tmp_path, owner="the next").drain()
    assert len(lines_of(tmp_path / "events.jsonl")) == 1
    assert {one.stage for one in await store.deliveries("j")} == {Stage.DELIVERED}


async def test_two_workers_deliver_each_submission_once(store: Store, tmp_path: Path) -> None:
    await keep(store, {"name": "file", "kind": "jsonl", "settings": {"path": "events.jsonl"}})
    for number in range(12):
        await submit(store, f"j{number}", "file")
    workers = [worker(store, tmp_path, owner=owner) for owner in ("one", "two")]
    await asyncio.gather(*(worker.drain() for worker in workers))
    lines = lines_of(tmp_path / "events.jsonl")
    assert sorted(json.loads(one)["journey"] for one in lines) == sorted(
        f"j{number}" for number in range(12)
    )


async def test_what_is_down_is_asked_again_until_it_is_up(store: Store, tmp_path: Path) -> None:
    down = Failed("503 Service Unavailable")
    made, pigeon = await desk(store, tmp_path, [down, down, Delivered()])
    await made.deliverer.drain()
    assert (await made.stage(), await made.error()) == (Stage.PENDING, "503 Service Unavailable")
    assert pigeon.asked == ["j:loft"]

    await made.wait(2.5)
    await made.deliverer.drain()
    await made.wait(2.5)
    await made.deliverer.drain()
    assert pigeon.asked == ["j:loft"] * 3
    assert await made.stage() is Stage.DELIVERED


async def test_it_is_asked_after_half_the_time_waited_and_each_quarter_of_an_hour_at_most(
    store: Store, tmp_path: Path
) -> None:
    made, pigeon = await desk(store, tmp_path, [Failed("down")])

    async def asked_after(seconds: float) -> bool:
        before = len(pigeon.asked)
        await made.wait(seconds)
        await made.deliverer.drain()
        return len(pigeon.asked) > before

    await made.deliverer.drain()
    await made.wait(98)
    await made.deliverer.drain()
    assert not await asked_after(40)
    assert await asked_after(20)
    await made.wait(10_000)
    await made.deliverer.drain()
    assert not await asked_after(880)
    assert await asked_after(30)


async def test_it_waits_as_long_as_the_destination_says(store: Store, tmp_path: Path) -> None:
    made, pigeon = await desk(store, tmp_path, [Failed("429", seconds=100), Delivered()])
    await made.deliverer.drain()
    await made.wait(90)
    await made.deliverer.drain()
    assert pigeon.asked == ["j:loft"]
    await made.wait(20)
    await made.deliverer.drain()
    assert await made.stage() is Stage.DELIVERED


async def test_after_three_days_it_is_given_up_and_kept(store: Store, tmp_path: Path) -> None:
    made, _ = await desk(store, tmp_path, [Failed("down")])
    await made.deliverer.drain()
    await made.wait(3 * DAY - 60)
    await made.deliverer.drain()
    assert await made.stage() is Stage.PENDING
    await made.wait(DAY)
    await made.deliverer.drain()
    assert (await made.stage(), await made.error()) == (Stage.DEAD, "given up: down")
    assert len(await store.parked()) == 1


async def test_what_was_confirmed_long_ago_is_not_given_up_at_the_first_failure(
    store: Store, tmp_path: Path
) -> None:
    """The bot was down for a week, or a moderator thought for as long."""
    made, pigeon = await desk(store, tmp_path, [Failed("down"), Failed("down"), Delivered()])
    await made.wait(7 * DAY)
    for _ in range(3):
        await made.deliverer.drain()
        await made.wait(3)
    assert pigeon.asked == ["j:loft"] * 3
    assert await made.stage() is Stage.DELIVERED


@pytest.mark.parametrize("by", ["resend", "unpark"])
async def test_what_an_admin_sends_again_is_tried_as_often_as_the_first_time(
    store: Store, tmp_path: Path, by: str
) -> None:
    answers: list[Outcome] = [Rejected("410 Gone"), Failed("down"), Failed("down"), Delivered()]
    made, pigeon = await desk(store, tmp_path, answers)
    await made.deliverer.drain()
    await made.wait(30 * DAY)
    (given_up,) = await store.dead_letters(10)

    if by == "resend":
        assert await store.resend(given_up.id)
    else:
        assert await store.unpark(Queue.DELIVERY, given_up.id)
    for _ in range(3):
        await made.deliverer.drain()
        await made.wait(3)
    assert pigeon.asked == ["j:loft"] * 4
    assert await made.stage() is Stage.DELIVERED


async def test_what_is_rejected_is_not_asked_again(store: Store, tmp_path: Path) -> None:
    made, pigeon = await desk(store, tmp_path, [Rejected("410 Gone")])
    await made.deliverer.drain()
    await made.wait(DAY)
    await made.deliverer.drain()
    assert pigeon.asked == ["j:loft"]
    assert (await made.stage(), await made.error()) == (Stage.DEAD, "410 Gone")


async def test_what_may_have_arrived_is_sent_again_where_keys_are_known(
    store: Store, tmp_path: Path
) -> None:
    made, pigeon = await desk(store, tmp_path, [Unknown("connection lost"), Delivered()])
    await made.deliverer.drain()
    await made.wait(3)
    await made.deliverer.drain()
    assert pigeon.asked == ["j:loft"] * 2
    assert await made.stage() is Stage.DELIVERED


async def test_what_may_have_arrived_is_shown_to_an_admin_where_they_are_not(
    store: Store, tmp_path: Path
) -> None:
    answers: list[Outcome] = [Unknown("connection lost"), Delivered()]
    made, pigeon = await desk(store, tmp_path, answers, knows_keys=False)
    await made.deliverer.drain()
    await made.wait(DAY)
    await made.deliverer.drain()
    assert pigeon.asked == ["j:loft"]
    assert await made.stage() is Stage.UNKNOWN
    assert await made.error() == (
        "it may have arrived; look before it is sent again (connection lost)"
    )


async def test_a_destination_that_never_answers_is_asked_again(
    store: Store, tmp_path: Path
) -> None:
    made, _ = await desk(store, tmp_path, [None, Delivered()], patience=Patience(answer=0.05))
    await made.deliverer.drain()
    assert (await made.stage(), await made.error()) == (Stage.PENDING, "no answer within 0.05 s")
    await made.wait(3)
    await made.deliverer.drain()
    assert await made.stage() is Stage.DELIVERED


async def test_an_error_that_nobody_foresaw_is_given_up_after_some_tries(
    store: Store, tmp_path: Path
) -> None:
    made, pigeon = await desk(store, tmp_path, [ZeroDivisionError()])
    for _ in range(8):
        await made.deliverer.drain()
        await made.wait(3600)
    assert len(pigeon.asked) == 5
    assert (await made.stage(), await made.error()) == (Stage.DEAD, "ZeroDivisionError")


@pytest.mark.parametrize(
    "destinations, error",
    [
        (None, "this version of event was not kept"),
        ([], "event has no destination named loft"),
        ([{"name": "loft", "kind": "owl"}], "there is no kind of destination named owl"),
        (
            [{"name": "loft", "kind": "jsonl"}],
            "Write settings: {path: submissions.jsonl}.",
        ),
    ],
)
async def test_a_destination_that_there_is_not_is_shown_to_an_admin(
    store: Store, tmp_path: Path, destinations: list[dict[str, object]] | None, error: str
) -> None:
    if destinations is not None:
        await keep(store, *destinations)
    await submit(store, "j", "loft")
    await worker(store, tmp_path, owner="test").drain()
    (one,) = await store.deliveries("j")
    assert (one.stage, one.error) == (Stage.DEAD, error)
