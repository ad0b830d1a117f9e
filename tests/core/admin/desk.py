"""A whole process for tests of administration: the real store, runtime and sender, a journey from
its folder, and a channel that keeps what is shown in each lane."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.settings import Settings
from bot.wiring import House, open_house
from core.cards import Card, buttons
from core.channel import Native
from core.effects import Close, Draw, Effect, Put, Say, Toast
from core.posts import Post
from core.replies import Act, Command, Reply, Tap, Words
from core.state import Conversation, Person
from tests.support.trip_folder import MANIFEST, TEXTS, write_trip

ANNA = Person(id="anna", name="Anna", zone="Europe/Berlin")
BOB = Person(id="bob", name="Bob")
CARL = Person(id="carl", name="Carl")
OLGA = Person(id="olga", name="Olga", zone="Europe/Berlin")

MODERATION = {"moderation": {"chat": "test:room"}}


@dataclass
class Screens:
    """A channel that keeps what each lane shows."""

    name: str = "test"
    command = "/"
    shown: dict[str, list[Effect]] = field(default_factory=dict)

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Native | None, *, again: bool = False
    ) -> Native | None:
        self.shown.setdefault(lane, []).append(effect)
        return {"at": len(self.shown[lane])}

    def preview(self, lane: str, text: str) -> None:
        """Nothing is previewed: no model is set up."""

    async def end_preview(self, lane: str) -> None:
        """Nothing is previewed."""

    def chat_lane(self, chat: str) -> str:
        if not chat.isalpha():
            raise ValueError("write letters")
        return f"{self.name}:{chat}:0"

    async def download(self, ref: str, limit: int) -> bytes:
        return ref.encode()


@dataclass
class Desk:
    """One process, and everybody who writes to it."""

    house: House
    screens: Screens
    updates: int = 0

    async def gets(self, person: Person, reply: Reply, lane: str = "") -> list[Effect]:
        """Take a reply; what is shown to it in its lane."""
        lane = lane or lane_of(person)
        self.updates += 1
        before = len(self.shown(lane))
        dedupe = f"{id(self)}:{self.updates}"
        await self.house.store.accept(lane, dedupe, reply, 0.0, person=person)
        await self.works()
        return self.shown(lane)[before:]

    async def works(self) -> None:
        while await self.house.runtime.work() or await self.house.sender.send():
            pass

    async def admin(self, person: Person, written: str, lane: str = "") -> str:
        """What `/admin ...` answers, as one text."""
        reply = Command(name="admin", argument=written, by=person.id, at=now())
        return told(await self.gets(person, reply, lane))

    async def acts(
        self, person: Person, command: str, words: str = "", post: str = "", lane: str = ""
    ) -> str:
        """What the button of a post answers."""
        reply = Act(command=command, words=words, post=post, handle="h", by=person.id, at=now())
        return told(await self.gets(person, reply, lane))

    async def commands(self, person: Person, name: str, argument: str = "") -> str:
        reply = Command(name=name, argument=argument, by=person.id, at=now())
        return told(await self.gets(person, reply))

    async def says(self, person: Person, *texts: str) -> str:
        shown: list[Effect] = []
        for text in texts:
            shown += await self.gets(person, Words(text=text, by=person.id, at=now()))
        return told(shown)

    async def taps(self, person: Person, label: str) -> str:
        card = self.card(person)
        token = next(one.token for one in buttons(card) if one.label == label)
        return told(await self.gets(person, Tap(card=card.id, token=token, by=person.id, at=now())))

    async def submits(self, person: Person, place: str = "The sea", notes: str = "skip") -> int:
        """Walk a trip to its end; the number of the submission."""
        await self.commands(person, "new", "trip")
        await self.says(person, place, "5 February 2031", notes)
        await self.taps(person, "Confirm")
        sent = await self.house.store.submissions(f"test:{person.id}")
        return sent[-1].id

    def shown(self, lane: str) -> list[Effect]:
        """All that was shown in a lane."""
        return self.screens.shown.get(lane, [])

    def posts(self, lane: str) -> dict[str, Post]:
        """The posts of a lane as they stand, by id."""
        return {one.post.id: one.post for one in self.shown(lane) if isinstance(one, Put)}

    def last_post(self, person: Person) -> Post:
        return [one.post for one in self.shown(lane_of(person)) if isinstance(one, Put)][-1]

    def room(self) -> dict[str, Post]:
        """The posts of the moderators' chat."""
        return self.posts("test:room:0")

    def card(self, person: Person) -> Card:
        return [one.card for one in self.shown(lane_of(person)) if isinstance(one, Draw)][-1]

    async def state(self, person: Person) -> Conversation:
        found = await self.house.store.conversation(lane_of(person))
        assert found is not None
        return found

    async def records(self) -> list[tuple[str, str, str, str]]:
        """The records of what admins did, the oldest first."""
        found = await self.house.store.audits(100)
        return [(one.account, one.verb, one.subject, one.outcome) for one in reversed(found)]


def lane_of(person: Person) -> str:
    return f"test:{person.id}"


def now() -> datetime:
    return datetime.now(UTC)


def told(shown: list[Effect]) -> str:
    """What was shown, as text."""
    parts: list[str] = []
    for one in shown:
        match one:
            case Say() | Toast() if one.text:
                parts.append(one.text)
            case Close(receipt=receipt) if receipt:
                parts.append(receipt)
            case Put(post=post):
                parts += [post.title, post.text, *(f"{x.label}: {x.value}" for x in post.lines)]
                parts.append(post.footer)
    return "\n".join(filter(None, parts))


def settings_for(folder: Path, url: str, **more: Any) -> Settings:
    return Settings(
        database_url=url,
        data_dir=folder / "data",
        journeys_dir=folder / "journeys",
        journey="trip",
        owners="test:olga",
        **more,
    )


def desk_of(house: House) -> Desk:
    screens = Screens()
    house.open_channel(screens)
    house.files.channels["test"] = screens
    return Desk(house, screens)


__all__ = [
    "ANNA",
    "BOB",
    "CARL",
    "MANIFEST",
    "OLGA",
    "TEXTS",
    "Desk",
    "desk_of",
    "open_house",
    "settings_for",
    "write_trip",
]
