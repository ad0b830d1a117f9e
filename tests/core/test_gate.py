"""The gate: who floods waits, what is too large is refused, who is blocked is not heard."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.draft import Draft, Source, Value
from core.effects import Effects, Say, Toast
from core.gate import Gate, Limits
from core.replies import (
    ARRIVED,
    Act,
    Command,
    File,
    Reload,
    Reply,
    Shared,
    Submit,
    Tap,
    Upload,
    Words,
)
from core.state import Conversation, Journey, Person, Status
from core.store import Store
from core.turn import Taken
from core.turn.halfway import EXPIRE, NUDGE

Answered = Effects | Taken | None

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
ANNA = Person(id="anna", name="Anna")
LANE = "test:T1:C1:0:anna"
STATE = Conversation(id=LANE, person=ANNA)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def words(text: str = "hello", by: str = "anna") -> Words:
    return Words(text=text, by=by, at=NOON)


def tap(by: str = "anna") -> Tap:
    return Tap(card="j-1", token="a", handle="h", by=by, at=NOON)


def said(effects: Effects | Taken | None) -> str:
    assert isinstance(effects, Effects)
    return "\n".join(one.text for one in effects.show if isinstance(one, Say | Toast))


async def times(gate: Gate, reply: Reply, count: int, lane: str = LANE) -> list[Answered]:
    return [await gate.answer(lane, STATE, reply) for _ in range(count)]


async def test_who_floods_is_told_once_to_wait_and_then_nothing(store: Store, clock: Clock) -> None:
    gate = Gate(store, clock, Limits(turns_a_minute=3))
    assert await times(gate, words(), 3) == [None, None, None]
    first, second, third = await times(gate, words(), 3)
    assert "Please wait a minute" in said(first)
    assert second == third == Effects()


async def test_after_a_minute_they_are_heard_again(store: Store, clock: Clock) -> None:
    gate = Gate(store, clock, Limits(turns_a_minute=2))
    await times(gate, words(), 5)
    clock.passes(59)
    assert await gate.answer(LANE, STATE, words()) is not None
    clock.passes(1)
    assert await times(gate, words(), 2) == [None, None]
    assert "Please wait" in said(await gate.answer(LANE, STATE, words())), "told anew"


async def test_all_lanes_of_a_person_count_together_and_no_others(
    store: Store, clock: Clock
) -> None:
    gate = Gate(store, clock, Limits(turns_a_minute=2))
    await times(gate, words(), 2)
    assert await gate.answer("test:T1:C2:0:anna", STATE, words()) is not None
    assert await gate.answer("test:T2:C1:0:anna", STATE, words()) is None, "another workspace"
    bob = Conversation(id="test:T1:C1:0:bob", person=Person(id="bob"))
    assert await gate.answer("test:T1:C1:0:bob", bob, words(by="bob")) is None


async def test_a_stranger_uses_up_nothing_of_whose_card_they_tap(
    store: Store, clock: Clock
) -> None:
    gate = Gate(store, clock, Limits(turns_a_minute=2))
    await times(gate, tap(by="mallory"), 5)
    assert await times(gate, tap(), 2) == [None, None]


async def test_a_tap_in_a_flood_is_answered_so_that_no_button_waits(
    store: Store, clock: Clock
) -> None:
    gate = Gate(store, clock, Limits(turns_a_minute=1))
    await times(gate, tap(), 1)
    told, quiet = await times(gate, tap(), 2)
    assert "Please wait" in said(told)
    assert quiet == Effects(show=(Toast(to="h"),))


async def test_without_a_limit_nothing_is_counted(store: Store, clock: Clock) -> None:
    gate = Gate(store, clock, Limits(turns_a_minute=0))
    assert await times(gate, words(), 300) == [None] * 300


@pytest.mark.parametrize(
    "reply",
    [
        Reload(by="anna", at=NOON),
        Command(name="~nudge", argument="j:1", by="anna", at=NOON),
    ],
)
async def test_what_the_runtime_does_is_no_turn_of_theirs(
    store: Store, clock: Clock, reply: Reply
) -> None:
    gate = Gate(store, clock, Limits(turns_a_minute=1))
    await times(gate, words(), 2)
    assert await gate.answer(LANE, STATE, reply) is None


async def test_who_is_blocked_is_not_heard_until_they_are_let_in_again(
    store: Store, clock: Clock
) -> None:
    gate = Gate(store, clock)
    assert await store.block("test:T1:anna", "test:boss", "spam")
    assert not await store.block("test:T1:anna", "test:boss", "spam")
    assert await gate.answer(LANE, STATE, words()) == Effects()
    assert await gate.answer(LANE, STATE, tap()) == Effects(show=(Toast(to="h"),))
    assert await gate.answer(LANE, STATE, tap(by="bob")) is None, "another person's tap"

    for way in (
        Command(name="privacy", by="anna", at=NOON),
        Command(name="privacy", argument="erase", by="anna", at=NOON),
        Act(command="privacy erase yes", by="anna", at=NOON),
    ):
        assert await gate.answer(LANE, STATE, way) is None, "what is held of them stays theirs"
    other = Act(command="queue", by="anna", at=NOON, handle="h")
    assert await gate.answer(LANE, STATE, other) == Effects(show=(Toast(to="h"),))

    assert await store.unblock("test:T1:anna")
    assert not await store.unblock("test:T1:anna")
    assert await gate.answer(LANE, STATE, words()) is None


@pytest.mark.parametrize(
    "reply",
    [
        Reload(by="anna", at=NOON),
        Command(name=NUDGE, argument="j:1", by="anna", at=NOON),
        Command(name=ARRIVED, argument="j", by="anna", at=NOON),
    ],
)
async def test_who_is_blocked_is_told_nothing_by_the_runtime_either(
    store: Store, clock: Clock, reply: Reply
) -> None:
    gate = Gate(store, clock)
    await store.block("test:T1:anna", "test:boss", "spam")
    assert await gate.answer(LANE, STATE, reply) == Effects()


async def test_what_somebody_blocked_left_is_put_away_without_a_word(
    store: Store, clock: Clock
) -> None:
    gate = Gate(store, clock)
    await store.block("test:T1:anna", "test:boss", "spam")
    values = {"title": Value(value="A dinner", source=Source.TYPED, turn=1)}
    journey = Journey(id="j", manifest="event", digest="d", draft=Draft(values=values))
    left = Conversation(id=LANE, person=ANNA, turn=3, journey=journey)
    expire = Command(name=EXPIRE, argument="j:3", by="anna", at=NOON)
    taken = await gate.answer(LANE, left, expire)
    assert isinstance(taken, Taken)
    assert taken.effects == Effects()
    assert taken.state.journey is not None
    assert (taken.state.journey.status, taken.state.journey.draft) == (Status.EXPIRED, Draft())


async def test_who_is_blocked_cannot_flood_with_it(store: Store, clock: Clock) -> None:
    gate = Gate(store, clock, Limits(turns_a_minute=2))
    await store.block("test:T1:anna", "test:boss", "spam")
    asks = Command(name="privacy", by="anna", at=NOON)
    assert await times(gate, asks, 2) == [None, None]
    assert "Please wait" in said((await times(gate, asks, 1))[0])


@pytest.mark.parametrize(
    "reply",
    [
        words("x" * 101),
        Shared(kind="contact", value="x" * 101, by="anna", at=NOON),
        Shared(kind="poll", detail="x" * 101, by="anna", at=NOON),
        Upload(files=(File(ref="r"),), caption="x" * 101, by="anna", at=NOON),
        Submit(card="j-1", values={"name": "x", "about": "x" * 101}, by="anna", at=NOON),
        Command(name="new", argument="x" * 101, by="anna", at=NOON),
    ],
)
async def test_what_is_too_long_is_refused_with_what_to_do(
    store: Store, clock: Clock, reply: Reply
) -> None:
    gate = Gate(store, clock, Limits(text=100))
    assert said(await gate.answer(LANE, STATE, reply)) == (
        "That is more than 100 characters, too much for me at once. Please send it shorter, or in"
        " parts."
    )


async def test_what_just_fits_is_let_in(store: Store, clock: Clock) -> None:
    assert await Gate(store, clock, Limits(text=100)).answer(LANE, STATE, words("x" * 100)) is None


async def test_as_many_files_as_may_come_at_once(store: Store, clock: Clock) -> None:
    gate = Gate(store, clock, Limits(files=2))
    files = tuple(File(ref=f"r{number}") for number in range(3))
    for kind in (
        lambda some: Upload(files=some, by="anna", at=NOON),
        lambda some: Submit(card="j-1", values={}, files=some, by="anna", at=NOON),
    ):
        assert await gate.answer(LANE, STATE, kind(files[:2])) is None
        assert "more than 2 files" in said(await gate.answer(LANE, STATE, kind(files)))


async def test_it_is_said_in_the_persons_language(store: Store, clock: Clock) -> None:
    gate = Gate(store, clock, Limits(turns_a_minute=1))
    await times(gate, words(), 1)
    german = Conversation(id=LANE, person=Person(id="anna", locale="de"))
    assert "warte eine Minute" in said(await gate.answer(LANE, german, words()))


async def test_what_was_spent_counts_for_its_day(store: Store) -> None:
    await store.spend("test:anna", 100, NOON)
    await store.spend("test:anna", 50, NOON + timedelta(hours=11))
    await store.spend("test:anna", 7, NOON + timedelta(hours=12))
    await store.spend("test:bob", 1, NOON)
    spent = await store.spent_on("test:anna", NOON)
    assert (spent.turns, spent.tokens) == (2, 150)
    assert (await store.spent_on("test:anna", NOON + timedelta(days=1))).tokens == 7
    assert (await store.spent_on("test:eve", NOON)).tokens == 0
