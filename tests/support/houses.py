"""A process with two channels on the real store: everybody writes to it, and sees what is said."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from core.cards import Card, buttons
from core.channel import Native
from core.effects import Close, Draw, Effect, Put, Say
from core.model import Scripted, says
from core.replies import Command, Reply, Tap, Words
from core.runtime import Runtime
from core.sender import Sender
from core.state import Person
from core.step.base import Fetch, Fetched
from core.store import Store
from tests.support.chat import Types
from tests.support.journeys import dinner, halls

BOB = Person(id="bob", name="Bob", zone="UTC")
ANSWERS = ("In person", "Old Mill", "50", "24 December 2030", "19:00", "skip", "Winter Dinner")
PRAISE = "I like Who owns the web? a lot. It is short, and people remember it. Parking is free."
ABOUT = "Food and stories by the fire."


@dataclass
class Screens:
    """A channel that keeps what each lane shows, and what is previewed."""

    name: str
    command = "/"
    shown: dict[str, list[Effect]] = field(default_factory=dict)
    previews: list[str] = field(default_factory=list)

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Native | None, *, again: bool = False
    ) -> Native | None:
        self.shown.setdefault(lane, []).append(effect)
        return {"at": len(self.shown[lane])}

    def preview(self, lane: str, text: str) -> None:
        self.previews.append(text)

    async def end_preview(self, lane: str) -> None:
        return None


@dataclass
class House:
    """A process that serves two channels; everybody writes to it."""

    store: Store
    runtime: Runtime
    sender: Sender
    screens: dict[str, Screens]
    updates: int = 0

    async def gets(self, lane: str, person: Person, reply: Reply) -> str:
        """Take a reply, and give what was said to it."""
        self.updates += 1
        screen = self.screens[lane.partition(":")[0]].shown.setdefault(lane, [])
        before = len(screen)
        await self.store.accept(lane, f"{lane}:{self.updates}", reply, 0.0, person=person)
        await self.runtime.drain()
        await self.sender.drain()
        posts = [one.post for one in screen[before:] if isinstance(one, Put)]
        said = [one.text for one in screen[before:] if isinstance(one, Say)]
        said += [f"{one.title}\n{one.text}".strip() for one in posts]
        receipts = [one.receipt for one in screen[before:] if isinstance(one, Close)]
        return "\n".join(filter(None, (*receipts, *said)))

    async def says(self, lane: str, person: Person, text: str) -> str:
        return await self.gets(lane, person, Words(text=text, by=person.id, at=now()))

    async def commands(self, lane: str, person: Person, name: str, argument: str = "") -> str:
        reply = Command(name=name, argument=argument, by=person.id, at=now())
        return await self.gets(lane, person, reply)

    async def submits_a_dinner(self, lane: str, person: Person) -> None:
        await self.commands(lane, person, "new")
        for answer in (*ANSWERS, ABOUT):
            await self.says(lane, person, answer)
        card = self.card(lane)
        confirm = next(one.token for one in buttons(card) if one.label == "Confirm")
        await self.gets(lane, person, Tap(card=card.id, token=confirm, by=person.id, at=now()))

    def shown(self, lane: str) -> list[Effect]:
        """All that was sent into a lane."""
        return self.screens[lane.partition(":")[0]].shown.get(lane, [])

    def card(self, lane: str) -> Card:
        shown = self.screens[lane.partition(":")[0]].shown[lane]
        return [one.card for one in shown if isinstance(one, Draw)][-1]


def now() -> datetime:
    return datetime.now(UTC)


async def tools(fetch: Fetch) -> Fetched:
    return halls(fetch)


def house_of(store: Store) -> House:
    """Such a process, on a store."""
    numbers = iter(range(1, 10_000))
    screens = {name: Screens(name) for name in ("test", "other")}
    runtime = Runtime(
        store=store,
        types=Types((dinner(),)),
        model=Scripted(by=lambda _: says(f"{PRAISE}\n\nShall we go on?")),
        tools=tools,
        clock=now,
        fresh=lambda: f"j{next(numbers)}",
        owner="house",
        starts="dinner",
        channels=dict(screens),
    )
    sender = Sender(store, "house", channels=dict(screens))
    return House(store, runtime, sender, screens)
