"""Many people at once on one process: nobody waits for somebody else's model, and nobody polls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from core.cards import Card, Summary, buttons
from core.effects import Change, Draw, Effect, Say
from core.journey import JourneyType
from core.model import Request, Scripted, says
from core.replies import Command, Reply, Tap, Words
from core.runtime import Rules, Runtime
from core.sender import Sender
from core.state import Person
from core.step.base import Fetch, Fetched
from core.store import Store
from core.store.part import account_of
from tests.support.chat import Types
from tests.support.journeys import dinner, halls

PATIENCE = 120.0
"""Seconds after which a test that waits for what never comes has failed."""

DINNER = (
    *("in person", "Old Mill", "50", "24 December 2030", "19:00", "skip"),
    *("Winter Dinner", "Food and stories by the fire."),
)


@dataclass
class Chats:
    """A channel with a chat for each lane, and whoever waits for something in one."""

    name: str = "test"
    command = "/"
    shown: dict[str, list[Effect]] = field(default_factory=dict)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Any, *, again: bool = False
    ) -> dict[str, Any]:
        chat = self.shown.setdefault(lane, [])
        chat.append(effect)
        async with self.changed:
            self.changed.notify_all()
        return {"at": len(chat)}

    def preview(self, lane: str, text: str) -> None:
        return None

    async def end_preview(self, lane: str) -> None:
        return None

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE), self.changed:
            await self.changed.wait_for(true)


@dataclass
class Process:
    """One process: its runtime and its sender, woken by bells alone."""

    store: Store
    runtime: Runtime
    sender: Sender
    chats: Chats

    @asynccontextmanager
    async def running(self, workers: int = 16) -> AsyncIterator[None]:
        jobs = [self.runtime.run(workers=workers), self.sender.run()]
        tasks = [asyncio.create_task(job) for job in jobs]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(one, asyncio.CancelledError) for one in ended)


Start = Callable[..., Any]


@pytest.fixture
async def start(database_url: str) -> AsyncIterator[Start]:
    """Starts a process on the test's database; nothing but a ring wakes it within the hour."""

    async def tools(fetch: Fetch) -> Fetched:
        return halls(fetch)

    async with AsyncExitStack() as opened:

        async def process(model: Scripted | None = None, idle: float = 3600) -> Process:
            store = await Store.open(database_url)
            opened.push_async_callback(store.close)
            await store.migrate()
            ids, chats, owner = count(), Chats(), f"{id(store)}"
            runtime = Runtime(
                store=store,
                types=Types((dinner(),)),
                model=model or Scripted(),
                tools=tools,
                clock=lambda: datetime.now(UTC),
                fresh=lambda: f"j{owner}-{next(ids)}",
                owner=owner,
                starts="dinner",
                channels={"test": chats},
                rules=Rules(look=0.01, retry=0.01, idle=idle),
            )
            sender = Sender(store, owner, {"test": chats}, idle=idle)
            return Process(store, runtime, sender, chats)

        yield process


UPDATES = count()


@dataclass
class Somebody:
    """A person in a chat of their own, who answers what they see."""

    process: Process
    name: str

    @property
    def lane(self) -> str:
        return f"test:{self.name}"

    async def sends(self, reply: Reply) -> None:
        person = Person(id=self.name, zone="Europe/Berlin")
        await self.process.store.accept(self.lane, f"test:{next(UPDATES)}", reply, person=person)
        self.process.runtime.bell.ring()

    async def says(self, text: str) -> None:
        await self.sends(Words(text=text, by=self.name, at=datetime.now(UTC)))

    async def begins(self) -> None:
        now = datetime.now(UTC)
        await self.sends(Command(name="new", argument="dinner", by=self.name, at=now))
        await self.sees("format")

    @property
    def cards(self) -> list[Card]:
        shown = self.process.chats.shown.get(self.lane, [])
        return [one.card for one in shown if isinstance(one, Draw | Change)]

    @property
    def heard(self) -> list[str]:
        shown = self.process.chats.shown.get(self.lane, [])
        return [one.text for one in shown if isinstance(one, Say)]

    async def sees(self, item: str) -> None:
        await self.process.chats.until(lambda: bool(self.cards) and self.cards[-1].item == item)

    async def hears(self, text: str) -> None:
        await self.process.chats.until(lambda: any(text in one for one in self.heard))

    async def sees_more_than(self, cards: int) -> None:
        await self.process.chats.until(lambda: len(self.cards) > cards)

    async def walks(self) -> None:
        await self.begins()
        for answer in DINNER:
            seen = len(self.cards)
            await self.says(answer)
            await self.sees_more_than(seen)
        card = self.cards[-1]
        assert isinstance(card, Summary)
        token = next(one.token for one in buttons(card) if one.label == "Confirm")
        await self.sends(Tap(card=card.id, token=token, by=self.name, at=datetime.now(UTC)))
        await self.hears("Thank you")


@dataclass
class Slow:
    """A model that answers nobody until it is let."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, request: Request) -> Any:
        self.asked.set()
        await self.go_on.wait()
        return says("Parking is free.")


async def test_many_people_walk_to_the_end_each_in_their_order(start: Start) -> None:
    process: Process = await start()
    people = [Somebody(process, f"p{number}") for number in range(8)]
    async with process.running(workers=4):
        await asyncio.gather(*(one.walks() for one in people))
    for one in people:
        asked = [card.item for card in one.cards if card.item]
        assert asked == list(dict.fromkeys(asked)), "nothing was asked twice"
        assert len(await process.store.submissions(account_of(one.lane))) == 1


async def test_a_slow_model_in_one_lane_delays_no_other(start: Start) -> None:
    model = Slow()
    process: Process = await start(Scripted(by=model))
    anna, bob = Somebody(process, "anna"), Somebody(process, "bob")
    async with process.running():
        await anna.begins()
        await anna.says("is parking free?")
        await model.asked.wait()
        await bob.begins()
        await bob.says("in person")
        await bob.sees("hall")
        assert anna.heard == []
        model.go_on.set()
        await anna.hears("Parking is free.")


async def test_what_comes_into_a_busy_lane_is_taken_after_it(start: Start) -> None:
    model = Slow()
    process: Process = await start(Scripted(by=model))
    anna, bob = Somebody(process, "anna"), Somebody(process, "bob")
    async with process.running():
        await anna.begins()
        await anna.says("is parking free?")
        await model.asked.wait()
        await anna.sends(Command(name="new", by="anna", at=datetime.now(UTC)))
        # Whoever looks now finds the other's reply, and has to look again for this one.
        await bob.begins()
        model.go_on.set()
        await anna.hears("Parking is free.")
        await process.chats.until(lambda: anna.cards[-1].item != "format")


async def test_no_more_lanes_are_worked_on_than_there_are_workers(start: Start) -> None:
    model = Slow()
    process: Process = await start(Scripted(by=model))
    anna, bob = Somebody(process, "anna"), Somebody(process, "bob")
    async with process.running(workers=1):
        await anna.begins()
        await anna.says("is parking free?")
        await model.asked.wait()
        await bob.sends(Command(name="new", argument="dinner", by="bob", at=datetime.now(UTC)))
        model.go_on.set()
        await anna.hears("Parking is free.")
        await bob.sees("format")


async def test_words_that_come_while_the_model_answers_are_noticed_by_the_ring(
    start: Start,
) -> None:
    asked = asyncio.Event()

    async def silent_at_first(request: Request) -> Any:
        if not asked.is_set():
            asked.set()
            await asyncio.Event().wait()
        return says("I heard both.")

    process: Process = await start(Scripted(by=silent_at_first))
    anna = Somebody(process, "anna")
    async with process.running():
        await anna.begins()
        await anna.says("why do you ask?")
        await asked.wait()
        await anna.says("and is parking free?")
        await anna.hears("I heard both.")


async def test_who_is_stopped_gives_back_the_lane_with_all_that_waits_in_it(start: Start) -> None:
    model = Slow()
    process: Process = await start(Scripted(by=model))
    anna = Somebody(process, "anna")
    async with process.running():
        await anna.begins()
        await anna.says("is parking free?")
        await model.asked.wait()

    # At once, and not after a lease.
    claim = await process.store.claim("another")
    assert claim is not None
    assert [
        (one.reply.text, one.tries) for one in claim.entries if isinstance(one.reply, Words)
    ] == [("is parking free?", 0)]


async def test_what_another_process_accepted_is_found_without_a_ring(start: Start) -> None:
    one: Process = await start(idle=0.05)
    other: Process = await start()
    anna = Somebody(other, "anna")
    async with one.running():
        now = datetime.now(UTC)
        await anna.sends(Command(name="new", argument="dinner", by="anna", at=now))
        await Somebody(one, "anna").sees("format")


@dataclass
class FailsTwice:
    """Journey types that cannot be had the first two times."""

    types: Types
    failures: int = 0

    def latest(self, name: str) -> JourneyType | None:
        return self.types.latest(name)

    def version(self, name: str, digest: str) -> JourneyType | None:
        if self.failures < 2:
            self.failures += 1
            raise OSError("the disk is away")
        return self.types.version(name, digest)

    def names(self) -> tuple[str, ...]:
        return self.types.names()


async def test_a_turn_that_failed_is_taken_again_without_anybody_ringing(start: Start) -> None:
    process: Process = await start()
    anna = Somebody(process, "anna")
    async with process.running():
        await anna.begins()
        failing = FailsTwice(Types((dinner(),)))
        process.runtime.types = failing
        await anna.says("in person")
        await anna.sees("hall")
    assert failing.failures == 2
