"""A chat with the pure turn, as a person sees it: for tests that read as a conversation.

No store, no network, no clock: the model's answers are given, ids count up, and time stands still
unless a test moves it. `Chat` keeps what is on the screen and checks after every turn what always
holds (see `tests/support/guarantees.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, TypeVar

import msgspec

from core.cards import Card, buttons
from core.effects import Close, Effects, Note, Say, Submission
from core.evals.guarantees import Judge
from core.evals.screen import Screen, Shown
from core.journey import JourneyType
from core.replies import Command, File, Reload, Reply, Submit, Tap, Upload, Words
from core.state import Conversation, Person
from core.step.base import Fetch, Fetched, Needs
from core.turn import Consult, Taken, World, answered, take

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
"""When the tests' chats take place: a Tuesday."""

ANNA = Person(id="anna", name="Anna", locale="en", zone="Europe/Berlin", country="DE")


@dataclass(frozen=True)
class Types:
    """Journey types at hand, the newest of a name last."""

    all: tuple[JourneyType, ...]

    def latest(self, name: str) -> JourneyType | None:
        found = [one for one in self.all if one.manifest.name == name]
        return found[-1] if found else None

    def version(self, name: str, digest: str) -> JourneyType | None:
        found = (one for one in self.all if one.manifest.name == name)
        return next((one for one in found if one.manifest.digest == digest), None)

    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.manifest.name for one in self.all))


Call = tuple[str, dict[str, Any]]
T = TypeVar("T")


@dataclass(frozen=True)
class Says:
    """What the model does in one turn: its tool calls, then its text; no text: it fails."""

    text: str | None
    calls: tuple[Call, ...] = ()


DOWN = Says(None)


@dataclass
class Chat:
    """One person's chat. `fetch` answers domain tools."""

    types: Types
    fetch: Callable[[Fetch], Fetched] = lambda fetch: Fetched(failed="nobody answers")
    person: Person = ANNA
    starts: str = ""
    now: datetime = NOON
    watch: Callable[[Chat, Reply, Conversation, Taken], None] | None = None
    state: Conversation = field(init=False)
    view: Screen = field(default_factory=Screen)
    submissions: list[Submission] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    calls: list[Fetch] = field(default_factory=list)
    fetches: tuple[Fetch, ...] = ()
    waited: Tap | None = None
    last: Effects = field(default_factory=Effects)
    judge: Judge = field(default_factory=Judge)
    journeys: int = 0

    def __post_init__(self) -> None:
        self.state = Conversation(id="test:anna", person=self.person)

    # What the person does

    def says(self, text: str, model: Says = DOWN, *, after: Tap | None = None) -> Chat:
        return self.reply(Words(text=text, by=self.person.id, at=self.now), model, after=after)

    def taps(self, label: str, model: Says = DOWN) -> Chat:
        return self.reply(self.tap_on(label), model)

    def tap_on(self, label: str, card: Card | None = None) -> Tap:
        """The tap on a button of the open card (or of another one), by its label."""
        card = card or self.card
        found = [one for one in buttons(card) if one.label.casefold() == label.casefold()]
        assert found, f"no button {label!r} among {[one.label for one in buttons(card)]}"
        return Tap(card=card.id, token=found[0].token, by=self.person.id, at=self.now)

    def submits(self, **values: str | list[str]) -> Chat:
        card = self.card.id
        return self.reply(Submit(card=card, values=values, by=self.person.id, at=self.now))

    def uploads(self, name: str, mime: str = "image/jpeg", size: int = 1000) -> Chat:
        file = File(ref=f"ref-{name}", name=name, mime=mime, size=size)
        return self.reply(Upload(files=(file,), by=self.person.id, at=self.now))

    def commands(self, name: str, argument: str = "") -> Chat:
        return self.reply(Command(name=name, argument=argument, by=self.person.id, at=self.now))

    def comes_back(self) -> Chat:
        return self.reply(Reload(by=self.person.id, at=self.now))

    def reply(self, reply: Reply, model: Says = DOWN, *, after: Tap | None = None) -> Chat:
        """Take the turn, with the model's part if it comes to that."""
        self.now += timedelta(seconds=2)
        reply = msgspec.structs.replace(reply, at=self.now)
        self.waited = after
        before, called = self.state, len(self.calls)
        taken = self.taken(before, reply, model, after)
        self.fetches = tuple(self.calls[called:])
        self.state = taken.state
        self._show(taken.effects)
        if self.watch is not None:
            self.watch(self, reply, before, taken)
        return self

    def taken(
        self, state: Conversation, reply: Reply, model: Says = DOWN, after: Tap | None = None
    ) -> Taken:
        """What a reply comes to in a state; nothing is kept."""
        fetched: dict[str, Fetched] = {}
        world = World(
            types=self.types,
            now=self.now,
            fresh=f"j{state.turn}",
            fetched=fetched,
            starts=self.starts,
        )
        taken = self._fetching(lambda: take(state, reply, world), fetched)
        if taken.consult is None:
            return taken
        consult, text = taken.consult, model.text
        consult.said = tuple(note.text for note in self.notes if note.words)
        if text is not None:
            self._call_tools(consult, model.calls, fetched)
        return self._fetching(lambda: answered(consult, text, after), fetched)

    def _call_tools(
        self, consult: Consult, calls: Sequence[Call], fetched: dict[str, Fetched]
    ) -> None:
        for name, arguments in calls:
            made = self._fetching(partial(consult.call, name, arguments), fetched)
            if isinstance(made, Fetch):
                self.calls.append(made)
                found = fetched.setdefault(made.key(), self.fetch(made))
                consult.fetched(made, found)

    def _fetching(self, run: Callable[[], T], fetched: dict[str, Fetched]) -> T:
        while True:
            try:
                return run()
            except Needs as missing:
                self.calls.append(missing.fetch)
                fetched[missing.fetch.key()] = self.fetch(missing.fetch)

    # What is on the screen

    def _show(self, effects: Effects) -> None:
        self.last = effects
        self.notes.extend(effects.notes)
        if effects.submission is not None:
            self.submissions.append(effects.submission)
        self.view.show(effects.show)

    @property
    def screen(self) -> list[Shown]:
        """Every message, the newest last."""
        return self.view.messages

    @property
    def toasts(self) -> list[str]:
        """The short answers to taps."""
        return self.view.toasts

    @property
    def card(self) -> Any:
        """The open card."""
        live = self.live
        assert len(live) == 1, f"{len(live)} live cards"
        return live[0]

    @property
    def live(self) -> list[Card]:
        """Every card that still has its buttons."""
        return self.view.live

    @property
    def texts(self) -> list[str]:
        """Everything on the screen, as text."""
        return self.view.texts

    @property
    def said(self) -> str:
        """What the last turn showed, receipts and messages, as one text."""
        shown = []
        for effect in self.last.show:
            if isinstance(effect, Say):
                shown.append(effect.text)
            if isinstance(effect, Close):
                shown.append(effect.receipt)
        return "\n".join(filter(None, shown))

    @property
    def draft(self) -> Mapping[str, Any]:
        """The bare values of the draft."""
        assert self.state.journey is not None
        return self.state.journey.draft.plain()
