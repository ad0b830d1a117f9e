"""People who walk through a journey for `benchmarks/turn.py`: with the bare turn, or a store."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.cards import Card, Summary, buttons
from core.catalogue import PAGE, Catalogue
from core.effects import Change, Draw, Effect
from core.journey import JourneyType, JourneyTypes
from core.manifest import Manifest
from core.model import NoModel
from core.replies import Command, Reply, Tap, Words
from core.runtime import Runtime
from core.sender import Sender
from core.state import Conversation, Person
from core.step.base import Fetch, Fetched, Needs
from core.store import Store
from core.texts import flatten
from core.turn import Taken, World, take
from tests.support.chat import Types
from tests.support.walker import ANSWERS

LONG = "We will talk about testing in Python, tell stories and eat. " * 30
TAPPED = {"kind": "Meetup", "format": "In person", "admission": "Free"}
SHORT = {"format": "online", "place": "Winter Dinner", "seats": "150", "day": "2026-12-24"}
IDS = itertools.count(1)


def short_form() -> JourneyType:
    """The form of four questions that the peers have too, with the same bounds."""
    items: list[dict[str, Any]] = [
        {"name": "format", "value": "choice", "options": ["in_person", "online"]},
        {"name": "place", "value": "short_text"},
        {"name": "seats", "value": "number", "minimum": 1, "maximum": 200},
        {"name": "day", "value": "date"},
    ]
    asks = ("In person or online?", "What is it called?", "How many seats?", "On which day?")
    texts = {
        item["name"]: {"label": item["name"].capitalize(), "ask": ask}
        for item, ask in zip(items, asks, strict=True)
    }
    manifest = Manifest.model_validate({"name": "short", "version": 1, "items": items})
    return JourneyType(manifest=manifest, texts={"en": flatten({"title": "Form", "items": texts})})


@dataclass
class Walker:
    """One person, who sees the newest card and answers it by a tap or by words."""

    journey: str
    id: str = "anna"
    card: Card | None = None
    answered: set[str] = field(default_factory=set)
    changes: int = 0
    shown: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def person(self) -> Person:
        """Who it is, as a store meets them."""
        return Person(id=self.id, name="Anna", zone="Europe/Berlin", country="DE")

    def sees(self, effect: Effect) -> None:
        """Look at what is drawn."""
        if isinstance(effect, Draw | Change):
            self.card = effect.card
        if isinstance(effect, Draw | Change) or self.confirming:
            self.shown.set()

    @property
    def confirming(self) -> bool:
        """Whether the summary was confirmed: no card comes after that."""
        return "summary" in self.answered

    @property
    def at_summary(self) -> bool:
        """Whether nothing is owed any more."""
        return isinstance(self.card, Summary)

    def start(self) -> Reply:
        """Begin the journey."""
        return Command(name="new", argument=self.journey, by=self.id, at=datetime.now(UTC))

    def answer(self) -> Reply:
        """Answer what is asked; confirm the summary."""
        card = self.card
        assert card is not None
        if isinstance(card, Summary):
            self.answered.add("summary")
            return self.tap(card.confirm.label)
        if self.journey == "short":
            return self.words(SHORT[card.item])
        if card.item in TAPPED:
            return self.tap(TAPPED[card.item])
        again = card.item in ("speakers", "contact") and card.item in self.answered
        self.answered.add(card.item)
        return self.words("done" if again else ANSWERS[card.item])

    def change(self) -> Reply:
        """At the summary, change the long text and the number in turn."""
        if self.at_summary:
            self.changes += 1
            return self.tap("Description" if self.changes % 2 else "Places")
        long = self.card is not None and self.card.item == "description"
        return self.words(
            f"Version {self.changes}. {LONG}" if long else f"{20 + self.changes % 30}"
        )

    def tap(self, label: str) -> Tap:
        """Tap a button of the newest card."""
        assert self.card is not None
        token = next(one.token for one in buttons(self.card) if one.label == label)
        return Tap(card=self.card.id, token=token, by=self.id, at=datetime.now(UTC))

    def words(self, text: str) -> Words:
        """Write."""
        return Words(text=text, by=self.id, at=datetime.now(UTC))


def venues(catalogue: Catalogue) -> Callable[[Fetch], Fetched]:
    """The shipped directory of venues, searched in memory by the beginning of a name."""
    records = catalogue.journey("event").directories["venues"].records

    def search(fetch: Fetch) -> Fetched:
        query = str(fetch.arguments.get("query", "")).casefold()
        found = [one for one in records if one.label.casefold().startswith(query)]
        return Fetched(records=tuple(found[:PAGE]), total=len(found))

    return search


class Bare:
    """One person's conversation with the bare turn."""

    def __init__(self, types: JourneyTypes, search: Callable[[Fetch], Fetched], walker: Walker):
        self.types, self.search, self.walker = types, search, walker
        self.state = Conversation(id="bench:1", person=walker.person)
        self.turns = 0

    def turn(self, reply: Reply) -> None:
        """Take one turn, fetching what it needs."""
        fetched: dict[str, Fetched] = {}
        taken: Taken | None = None
        while taken is None:
            world = World(types=self.types, now=reply.at, fresh="j", fetched=fetched, talks=False)
            try:
                taken = take(self.state, reply, world)
            except Needs as missing:
                fetched[missing.fetch.key()] = self.search(missing.fetch)
        self.turns += 1
        assert taken.consult is None, f"not understood: {reply}"
        self.state = taken.state
        for effect in taken.effects.show:
            self.walker.sees(effect)

    def to_summary(self) -> None:
        """Start, and answer all that is owed."""
        self.turn(self.walker.start())
        while not self.walker.at_summary:
            self.turn(self.walker.answer())


class Screens:
    """A channel whose messages are seen at once, and by nobody but the walkers."""

    name = "bench"
    command = "/"

    def __init__(self) -> None:
        self.walkers: dict[str, Walker] = {}

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Any, *, again: bool = False
    ) -> dict[str, Any]:
        self.walkers[lane].sees(effect)
        return {"message_id": 1}

    def preview(self, lane: str, text: str) -> None:
        return None

    async def end_preview(self, lane: str) -> None:
        return None


class Stored:
    """Conversations through a store: accept, claim, take, settle, send.

    `hands` is how many replies are taken and sent at a time.
    """

    def __init__(self, store: Store, catalogue: Catalogue, hands: int = 1) -> None:
        self.store, self.hands, self.screens, self.turns = store, hands, Screens(), 0
        types = Types((short_form(), *filter(None, map(catalogue.latest, catalogue.names()))))
        self.runtime = Runtime(
            store=store,
            types=types,
            model=NoModel(),
            tools=catalogue.tools(store),
            clock=lambda: datetime.now(UTC),
            fresh=lambda: f"j{next(IDS)}",
            owner="bench",
            talks=False,
            channels={"bench": self.screens},
        )
        self.sender = Sender(store, "bench", channels={"bench": self.screens})

    def walker(self, journey: str) -> Walker:
        """Somebody new, in a lane of their own."""
        number = next(IDS)
        walker = Walker(journey, id=f"p{number}")
        self.screens.walkers[f"bench:{walker.id}"] = walker
        return walker

    async def round(self, walkers: Sequence[Walker], reply: Callable[[Walker], Reply]) -> None:
        """A turn of each of these: nobody replies again before all have been answered."""
        shares = [walkers[hand :: self.hands] for hand in range(self.hands)]
        await asyncio.gather(*(self._accept(share, reply) for share in shares))
        await asyncio.gather(*(self.runtime.drain() for _ in range(self.hands)))
        await self.sender.drain()
        self.turns += len(walkers)

    async def _accept(self, walkers: Iterable[Walker], reply: Callable[[Walker], Reply]) -> None:
        for one in walkers:
            lane = f"bench:{one.id}"
            await self.store.accept(lane, f"{next(IDS)}", reply(one), person=one.person)

    async def journeys(self, journey: str, people: int) -> None:
        """So many people walk through a journey to its submission, in step."""
        walkers = [self.walker(journey) for _ in range(people)]
        await self.to_summary(walkers)
        await self.round(walkers, Walker.answer)
        await self._are_submitted(walkers)

    async def _are_submitted(self, walkers: Sequence[Walker]) -> None:
        for one in walkers:
            state = await self.store.conversation(f"bench:{one.id}")
            assert state is not None
            assert state.journey is not None
            assert state.journey.status == "submitted", state.journey.status

    async def at_their_own_pace(self, journey: str, people: int) -> None:
        """So many people at once, as a process serves them: everybody replies as soon as they see
        what is asked, and what works is woken by bells."""
        walkers = [self.walker(journey) for _ in range(people)]
        jobs = [asyncio.create_task(job) for job in (self.runtime.run(), self.sender.run())]
        try:
            await asyncio.gather(*(self._walk(one) for one in walkers))
        finally:
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
        await self._are_submitted(walkers)

    async def _walk(self, walker: Walker) -> None:
        reply = Walker.start
        while not walker.confirming:
            await self._accept([walker], reply)
            self.runtime.bell.ring()
            await walker.shown.wait()
            walker.shown.clear()
            self.turns += 1
            reply = Walker.answer

    async def to_summary(self, walkers: Sequence[Walker]) -> None:
        """Start, and answer all that is owed."""
        await self.round(walkers, Walker.start)
        while not walkers[0].at_summary:
            await self.round(walkers, Walker.answer)
