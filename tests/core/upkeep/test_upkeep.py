"""What is done from time to time: who left is reminded at a decent hour, what is old goes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from core.replies import Command, Words
from core.state import Conversation, Journey, Person, Status
from core.store import Store
from core.store.left import Left
from core.store.tables import conversation, inbox, lane
from core.turn.halfway import EXPIRE, NUDGE, mark
from core.upkeep import Erasing, HalfWay, Keeper, Keeps, Retention, Waits
from core.upkeep.halfway import Act
from tests.core.store.building import ANNA, count, pass_time, put, state, take

LANE = "test:1"
HOUR = 3600.0
DAY = 24 * HOUR


async def leaves(store: Store, person: Person = ANNA, turn: int = 1) -> Journey:
    """Somebody begins a journey, and says no more."""
    await put(store, f"hello {turn}")
    claim = await take(store)
    begun = msgspec.structs.replace(state(turn, asks=True), person=person)
    await store.settle(claim, done=claim.entries, state=begun)
    assert begun.journey is not None
    return begun.journey


async def taken(store: Store) -> list[Command]:
    """The runtime's own commands that wait, which are taken now."""
    claim = await store.claim("worker")
    if claim is None:
        return []
    assert claim.state is not None
    later = msgspec.structs.replace(claim.state, turn=claim.state.turn + 1)
    await store.settle(claim, done=claim.entries, state=later)
    return [one.reply for one in claim.entries if isinstance(one.reply, Command)]


def half_way(store: Store, hour: int = 12, **waits: float) -> HalfWay:
    """The chore, at an hour of UTC of the day after the database's."""
    noon = datetime.now(UTC).replace(hour=hour, minute=0) + timedelta(days=1)
    return HalfWay(store, ("test",), lambda: noon, lambda: None, Waits(**waits))


async def test_who_left_is_reminded_once(store: Store) -> None:
    journey = await leaves(store)
    chore = half_way(store, nudge_hours=24.0)
    assert await chore.do() == 0, "it is not so long ago"
    await pass_time(store, 2 * DAY)

    assert await chore.do() == 1
    assert await chore.do() == 0
    (told,) = await taken(store)
    assert (told.name, told.argument.split()[0]) == (NUDGE, mark(journey, 1))
    await reminded(store)
    await pass_time(store, 2 * DAY)
    assert await chore.do() == 0, "nobody did anything since"


async def reminded(store: Store) -> None:
    """The turn of a reminder has been taken: the journey knows."""
    (left,) = await store.left(0.0)
    assert left.state.journey is not None
    journey = msgspec.structs.replace(left.state.journey, nudged=True)
    await put_back(store, msgspec.structs.replace(left.state, journey=journey))


async def put_back(store: Store, changed: Conversation) -> None:
    """A conversation is as it was, but for this: its person did nothing."""
    told = Command(name=NUDGE, by=ANNA.id, at=datetime.now(UTC))
    assert await store.accept(changed.id, f"{changed.id}:{changed.turn}:back", told)
    claim = await take(store)
    after = msgspec.structs.replace(changed, turn=changed.turn + 1)
    await store.settle(claim, done=claim.entries, state=after)


async def test_a_reminder_that_came_to_nothing_comes_the_next_day(store: Store) -> None:
    """Nothing ran when it was to be taken, and then it was night."""
    await leaves(store)
    await pass_time(store, 2 * DAY)
    chore = half_way(store)
    assert await chore.do() == 1
    await taken(store)
    assert await chore.do() == 0
    await pass_time(store, DAY)
    assert await chore.do() == 1


@pytest.mark.parametrize(
    "now, until",
    [
        # Berlin: winter, summer, and the two days on which the clock is put.
        ("2030-12-02T11:00:00+00:00", "2030-12-02T19:00:00+00:00"),
        ("2030-07-01T11:00:00+00:00", "2030-07-01T18:00:00+00:00"),
        ("2030-03-31T08:00:00+00:00", "2030-03-31T18:00:00+00:00"),
        ("2030-10-27T08:00:00+00:00", "2030-10-27T19:00:00+00:00"),
    ],
)
async def test_a_reminder_is_decent_until_the_evening_of_its_person(
    store: Store, now: str, until: str
) -> None:
    await leaves(store)
    await pass_time(store, 2 * DAY)
    chore = half_way(store, expire_days=0.0)
    chore.clock = lambda: datetime.fromisoformat(now)
    assert await chore.do() == 1
    (told,) = await taken(store)
    assert told.argument.split()[1] == until


async def test_only_those_are_reminded_whom_this_process_reaches(store: Store) -> None:
    await leaves(store)
    await pass_time(store, 2 * DAY)
    chore = half_way(store)
    chore.channels = ("telegram",)
    assert await chore.do() == 0


@pytest.mark.parametrize("hour, reminded", [(5, 0), (8, 1), (18, 1), (20, 0)])
async def test_nobody_is_woken_up(store: Store, hour: int, reminded: int) -> None:
    # Berlin is an hour ahead in winter, two in summer: these hours are right in both.
    await leaves(store, ANNA)
    await pass_time(store, 2 * DAY)
    assert await half_way(store, hour=hour).do() == reminded


async def test_what_nobody_goes_on_with_is_put_away(store: Store) -> None:
    journey = await leaves(store)
    await pass_time(store, 31 * DAY)
    chore = half_way(store, expire_days=30.0, nudge_hours=0.0)
    assert await chore.do() == 1
    (told,) = await taken(store)
    assert (told.name, told.argument) == (EXPIRE, mark(journey, 1))


async def test_who_did_something_since_is_left_alone(store: Store) -> None:
    await leaves(store)
    await pass_time(store, 2 * DAY)
    await leaves(store, turn=2)
    assert await half_way(store).do() == 0


class Reading(HalfWay):
    """The chore, in whose middle something happens."""

    meanwhile: Callable[[], Awaitable[object]]

    async def _each(self, idle: float, nudged: bool | None, act: Act, switches: Any) -> int:
        async def then(left: Left, switches: Mapping[str, str]) -> bool:
            await self.meanwhile()
            return await act(left, switches)

        return await super()._each(idle, nudged, then, switches)


def half_way_while(store: Store, meanwhile: Callable[[], Awaitable[object]]) -> HalfWay:
    plain = half_way(store)
    chore = Reading(store, plain.channels, plain.clock, plain.ring)
    chore.meanwhile = meanwhile
    return chore


async def test_who_answers_at_that_very_moment_is_not_reminded_and_the_next_time_they_are(
    store: Store,
) -> None:
    await leaves(store)
    await pass_time(store, 2 * DAY)
    assert await half_way_while(store, lambda: leaves(store, turn=2)).do() == 0
    assert await taken(store) == []

    await pass_time(store, 2 * DAY)
    assert await half_way(store).do() == 1
    (told,) = await taken(store)
    assert told.argument.split()[0] == "j:2"


async def test_who_is_erased_at_that_very_moment_is_met_no_more(store: Store) -> None:
    await leaves(store)
    await pass_time(store, 2 * DAY)
    assert await half_way_while(store, lambda: store.erase("test:1")).do() == 0
    assert [await count(store, one) for one in (inbox, lane, conversation)] == [0, 0, 0]


async def test_what_waits_in_the_lane_comes_first(store: Store) -> None:
    await leaves(store)
    await pass_time(store, 2 * DAY)
    await store.accept(LANE, "late", Words(text="I am back", by=ANNA.id, at=datetime.now(UTC)))
    assert await half_way(store).do() == 0


async def test_a_journey_that_is_over_is_not_looked_at(store: Store) -> None:
    await leaves(store)
    await put(store, "bye")
    claim = await take(store)
    ended = state(2)
    assert ended.journey is not None
    over = msgspec.structs.replace(ended.journey, status=Status.CANCELLED)
    done = msgspec.structs.replace(ended, journey=over)
    await store.settle(claim, done=claim.entries, state=done)
    await pass_time(store, 300 * DAY)
    assert await half_way(store).do() == 0


@pytest.mark.parametrize(
    "switches, hours, told",
    [
        ({}, 25, [NUDGE]),
        ({"nudge": "off"}, 25, []),
        ({"nudge": "48"}, 25, []),
        ({"nudge": "48", "nudge:event": "2"}, 3, [NUDGE]),
        ({"nudge:event": "off"}, 25, []),
        ({"nudge:request": "1"}, 3, []),
        ({"expire": "1"}, 25, [EXPIRE]),
        ({"expire:event": "1", "nudge": "off"}, 23, []),
        ({"nudge": "never"}, 25, [NUDGE]),
    ],
)
async def test_what_admins_set_counts(
    store: Store, switches: dict[str, str], hours: int, told: list[str]
) -> None:
    await leaves(store)
    for name, value in switches.items():
        await store.set_switch(name, value, "telegram:boss")
    await pass_time(store, hours * HOUR)
    (left,) = await store.left(0.0)
    chore = half_way(store)
    chore.clock = lambda: left.heard_at + timedelta(hours=hours)
    chore.decent = (0, 24)
    await chore.do()
    assert [one.name for one in await taken(store)] == told


async def test_more_than_a_page_of_them(store: Store) -> None:
    for number in range(120):
        key = f"test:{number:03}"
        await put(store, "hello", key=key)
        claim = await take(store)
        begun = state(1, key=key, journey=f"j{number}")
        await store.settle(claim, done=claim.entries, state=begun)
    await pass_time(store, 2 * DAY)
    assert await half_way(store).do() == 120


async def test_what_is_old_is_deleted_and_what_is_not_stays(store: Store) -> None:
    await leaves(store)
    await pass_time(store, 8 * DAY)
    await leaves(store, turn=2)
    assert await Retention(store, Keeps(talk=0.0)).do() == 0, "0 keeps it for ever"
    assert await Retention(store, Keeps(talk=90.0)).do() == 1
    assert await count(store, inbox) == 1


async def test_what_a_platform_may_deliver_again_is_known(store: Store) -> None:
    await leaves(store)
    await pass_time(store, DAY)
    assert await Retention(store, Keeps(talk=0.1)).do() == 0
    accepted = await store.accept(LANE, f"{LANE}/hello 1", Words(text="x", by="a", at=_now()))
    assert not accepted


def _now() -> datetime:
    return datetime.now(UTC)


async def test_a_chore_that_fails_hinders_no_other_and_is_tried_again(store: Store) -> None:
    class Broken:
        every = 0.0
        tried = asyncio.Event()
        times = 0

        async def do(self) -> int:
            self.times += 1
            if self.times > 2:
                self.tried.set()
            raise OSError("the disk is full")

    broken, erasing = Broken(), Erasing(store, every=0.01)
    await store.ask_to_erase("test:nobody", "test:boss")
    keeper = asyncio.create_task(Keeper((broken, erasing)).run())
    async with asyncio.timeout(30):
        await broken.tried.wait()
        while await store.to_be_erased():  # noqa: ASYNC110 - the database has no event
            await asyncio.sleep(0)
    keeper.cancel()
