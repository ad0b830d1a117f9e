"""One person's chat with the turn, in memory: the shell's work without a store, a clock, a network.

Time stands still but for two seconds a reply; ids count up; so the same replies and the same model
give the same bytes. The model's part goes through `core.talk`, as it does in a process.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import msgspec

from core.effects import Note, Submission
from core.evals.guarantees import Judge
from core.evals.looks import Look
from core.evals.record import Broken, Spent
from core.evals.screen import Screen
from core.events import Event
from core.journey import JourneyType, JourneyTypes
from core.model import Answer, Model, ModelFailed, Request
from core.model.base import OnText
from core.replies import Act, Command, Reload, Reply, Shared, Submit, Tap, Upload, Words
from core.state import Ask, AskKind, Conversation, Journey, Person, is_open
from core.step.base import Fetch, Fetched
from core.talk import Talk, with_needs, words_of
from core.turn import Consult, Taken, World, answered, take

PAUSE = timedelta(seconds=2)
"""Between a reply and the next."""

Fetcher = Callable[[Fetch], Awaitable[Fetched]]


class Metered:
    """A model, and what it was asked and cost since `reset`; an answer that failed counts as asked,
    and costs what was charged for it all the same."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.spent = Spent()

    @property
    def name(self) -> str:
        """The model's own name."""
        return self.model.name

    async def respond(self, request: Request, on_text: OnText | None = None) -> Answer:
        """The model's answer, counted."""
        self.spent = self.spent + Spent(calls=1)
        try:
            answer = await self.model.respond(request, on_text)
        except ModelFailed as failed:
            self.spent = self.spent + Spent(usage=failed.usage)
            raise
        self.spent = self.spent + Spent(usage=answer.usage)
        return answer

    def reset(self) -> Spent:
        """What it cost since the last time, and start to count anew."""
        spent, self.spent = self.spent, Spent()
        return spent


@dataclass
class Took:
    """One turn that was taken."""

    reply: Reply
    before: Conversation
    taken: Taken
    spent: Spent
    fetches: tuple[Fetch, ...]
    broken: list[Broken]
    look: Look


@dataclass
class Chat:
    """The chat. `watched`: the judge looks after every turn whether all guarantees held."""

    types: JourneyTypes
    model: Metered
    fetch: Fetcher
    person: Person
    now: datetime
    starts: str = ""
    talks: bool = True
    watched: bool = True
    screen: Screen = field(default_factory=Screen)
    notes: list[Note] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    submissions: list[Submission] = field(default_factory=list)
    judge: Judge = field(default_factory=Judge)
    state: Conversation = field(init=False)

    def __post_init__(self) -> None:
        self.state = Conversation(id=f"eval:{self.person.id}", person=self.person)

    # What is open

    @property
    def journey(self) -> Journey | None:
        """The person's journey, ended or not."""
        return self.state.journey

    @property
    def ask(self) -> Ask | None:
        """The open ask."""
        return self.journey.ask if self.journey else None

    @property
    def type(self) -> JourneyType:
        """The open journey's type. Raises LookupError where nothing was begun."""
        found = None
        if self.journey is not None:
            found = self.types.version(self.journey.manifest, self.journey.digest)
        if found is None:
            raise LookupError("no journey was begun in this chat")
        return found

    @property
    def is_open(self) -> bool:
        """Whether a journey is under way."""
        return is_open(self.state)

    @property
    def asks(self) -> str:
        """What is open by name: an item, "summary", "zone", ...; empty where nothing is."""
        ask = self.ask
        if ask is None:
            return ""
        return ask.item if ask.kind is AskKind.STEP else ask.kind.value

    # Turns

    async def reply(self, reply: Reply) -> Took:
        """Take the turn of a reply, with the model's part if it comes to that."""
        self.now += PAUSE
        reply = msgspec.structs.replace(reply, at=self.now)
        before, fetches = self.state, list[Fetch]()
        fetched: dict[str, Fetched] = {}
        taken = await self._taken(before, reply, fetched, fetches)
        self.state = taken.state
        self.screen.show(taken.effects.show)
        self.notes.extend(taken.effects.notes)
        self.events.extend(taken.effects.events)
        if taken.effects.submission is not None:
            self.submissions.append(taken.effects.submission)
        spent = self.model.reset()
        look = Look(
            types=self.types,
            reply=reply,
            before=before,
            taken=taken,
            screen=self.screen,
            notes=self.notes,
            again=lambda: take(before, reply, self._world(before, fetched)),
            fetches=tuple(fetches),
            fetched=fetched,
            calls=spent.calls,
        )
        found = self.judge.look(look) if self.watched else []
        return Took(reply, before, taken, spent, tuple(fetches), found, look)

    async def _taken(
        self,
        state: Conversation,
        reply: Reply,
        fetched: dict[str, Fetched],
        fetches: list[Fetch],
    ) -> Taken:
        async def fetch(one: Fetch) -> Fetched:
            fetches.append(one)
            return await self.fetch(one)

        world = self._world(state, fetched)
        taken = await with_needs(lambda: take(state, reply, world), fetch, fetched)
        if taken.consult is None:
            return taken
        consult = taken.consult
        text = await self._text(consult, fetch, fetched)
        if text is None:
            # What a broken answer's tool calls did never counts: a fresh turn (G12).
            taken = await with_needs(lambda: take(state, reply, world), fetch, fetched)
            if taken.consult is None:
                raise AssertionError("the same turn came to a question to the model only once")
            consult = taken.consult
        return await with_needs(lambda: answered(consult, text), fetch, fetched)

    async def _text(
        self, consult: Consult, fetch: Fetcher, fetched: dict[str, Fetched]
    ) -> str | None:
        consult.said = words_of(self.notes)
        try:
            return await Talk(self.model, fetch, fetched).ask(consult, self.notes)
        except ModelFailed:
            return None

    def _world(self, state: Conversation, fetched: dict[str, Fetched]) -> World:
        return World(
            types=self.types,
            now=self.now,
            fresh=f"j{state.turn}",
            fetched=fetched,
            starts=self.starts,
            talks=self.talks,
        )


def told(reply: Reply, label: str = "") -> str:
    """A reply as a person would tell it. `label` is the button's, where one was tapped."""
    match reply:
        case Words():
            return reply.text
        case Tap():
            return f"[{label or reply.token}]"
        case Submit():
            return f"(sends {', '.join(f'{key}: {given}' for key, given in reply.values.items())})"
        case Upload():
            named = ", ".join(file.name for file in reply.files)
            return f"(sends the file {named}){f' {reply.caption}' if reply.caption else ''}"
        case Command():
            return f"/{reply.name} {reply.argument}".rstrip()
        case Reload():
            return "(comes back)"
        case Shared():
            return f"(shares a {reply.kind})"
        case Act():
            return f"[{reply.command}] {reply.words}".rstrip()
