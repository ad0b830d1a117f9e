"""One turn while it is being taken: the state so far and the effects so far.

It is a working object inside a pure function: it is made from the state handed in, never leaves
the turn, and holds nothing that was not handed in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

import msgspec

from core import planner
from core.draft import Draft, Value
from core.effects import Close, Effect, Effects, Note, Say, Submission, Toast
from core.events import Event, Happened
from core.journey import JourneyType, JourneyTypes
from core.manifest import Item
from core.meaning import meaning
from core.reading.result import Context
from core.state import Ask, Conversation, Journey
from core.step.base import Fetched, Proposes, Scene, Step
from core.texts import COMMAND, Texts
from core.turn.zones import local


@dataclass(frozen=True)
class Sight:
    """What is known of when the open card came to be seen.

    `at` is when, by the clock that stamps replies; None where nobody knows better than the turn
    that drew it. `unseen`: it is not to be seen at all yet. `unsure`: perhaps it is, since it is
    being sent, or whoever sent it was cut short.
    """

    at: datetime | None = None
    unseen: bool = False
    unsure: bool = False


@dataclass(frozen=True)
class World:
    """What is handed in to a turn beside the state and the reply.

    `now` is aware (UTC will do); `fresh` is the id for a journey that this turn may start;
    `fetched` holds what the turn asked for when it was run before (see `core.step.base.Needs`).
    `starts` is the journey type that a first message starts, empty where there is none. `talks` is
    False where no model is set up at all. `command` is what people type before a command's name.
    `sight` is of the open card. `under_way` counts the journeys that the person has open elsewhere,
    where they may begin no more; else it is 0. `paused` are the journey types that nobody begins
    at the moment.
    """

    types: JourneyTypes
    now: datetime
    fresh: str
    fetched: Mapping[str, Fetched] = field(default_factory=dict)
    starts: str = ""
    talks: bool = True
    command: str = COMMAND
    sight: Sight = Sight()
    under_way: int = 0
    paused: Collection[str] = ()


@dataclass(frozen=True)
class _Known:
    """What follows from one draft alone: every scene of it looks at this."""

    type: JourneyType
    draft: Draft
    settled: Mapping[str, Any]
    asked: tuple[str, ...]


class Turning:
    """The state and the effects of a turn, as they grow."""

    def __init__(self, state: Conversation, world: World) -> None:
        self.state = msgspec.structs.replace(state, turn=state.turn + 1)
        self.world = world
        self.show: list[Effect] = []
        self.notes: list[Note] = []
        self.events: list[Event] = []
        self.submission: Submission | None = None
        self.handle = ""
        """The channel's handle of the tap that this turn answers."""
        self.moved_from = ""
        """The item that was asked on a card that went with its version of the manifest."""
        self.below = False
        """Something was said since the open card was drawn, so it must be drawn anew (G7)."""
        self.refused: dict[str, str] = {}
        """Why the reply was refused (see `Taken.refused`)."""
        self._last_known: _Known | None = None
        self._last_texts: tuple[JourneyType, Texts] | None = None

    def fork(self) -> Turning:
        """The same turn, to be tried further: what is done to the copy is not done to this one."""
        copy = Turning(self.state, self.world)
        copy.state = self.state
        copy.show, copy.notes, copy.events = self.show[:], self.notes[:], self.events[:]
        copy.submission, copy.below = self.submission, self.below
        copy.handle, copy.refused = self.handle, self.refused
        copy.moved_from = self.moved_from
        return copy

    # The state, read and written

    @property
    def journey(self) -> Journey:
        """The open journey; a turn only asks for it where there is one."""
        assert self.state.journey is not None
        return self.state.journey

    @property
    def draft(self) -> Draft:
        """The open journey's draft."""
        return self.journey.draft

    @property
    def ask(self) -> Ask | None:
        """The open ask."""
        return self.state.journey.ask if self.state.journey else None

    def update(self, **changes: Any) -> None:
        """Change the open journey."""
        journey = msgspec.structs.replace(self.journey, **changes)
        self.state = msgspec.structs.replace(self.state, journey=journey)

    def update_ask(self, **changes: Any) -> None:
        """Change the open ask."""
        assert self.ask is not None
        self.update(ask=msgspec.structs.replace(self.ask, **changes))

    def meet(self, **changes: Any) -> None:
        """Change what is known of the person; all that is said after it is in their language."""
        person = msgspec.structs.replace(self.state.person, **changes)
        self.state = msgspec.structs.replace(self.state, person=person)
        self.__dict__.pop("common", None)
        self._last_texts = None

    @property
    def type(self) -> JourneyType:
        """The journey type at hand for the open journey."""
        found = self.world.types.version(self.journey.manifest, self.journey.digest)
        assert found is not None
        return found

    @cached_property
    def common(self) -> Texts:
        """The runtime's own texts, for when there is no journey."""
        return Texts(self.state.person.locale, command=self.world.command)

    @property
    def texts(self) -> Texts:
        """The texts of the open journey, or the runtime's own."""
        if self.state.journey is None:
            return self.common
        known = self.world.types.version(self.journey.manifest, self.journey.digest)
        if known is None:
            return self.common
        if self._last_texts is None or self._last_texts[0] is not known:
            texts = known.speak(self.state.person.locale, self.world.command)
            self._last_texts = (known, texts)
        return self._last_texts[1]

    # What happens

    def say(self, key: str, **values: Any) -> None:
        """The runtime says one of its texts."""
        self.tell(self.texts(key, **values))

    def tell(self, text: str, *, model: bool = False, personal: bool = False) -> None:
        """A message without buttons; a `personal` one is for nobody else's eyes."""
        if text:
            self.show.append(Say(text=text, model=model, personal=personal))
            self.below = True

    def toast(self, text: str = "", *, told: bool = False) -> None:
        """The short answer to the tap itself: every tap gets one, so that no button waits."""
        self.show.append(Toast(text=text, to=self.handle, told=told))

    def close(self, card: str, receipt: str = "") -> None:
        """A card is open no longer."""
        self.show.append(Close(card=card, receipt=receipt))

    def fact(self, sentence: str) -> None:
        """What the model is told about what happened, the next time it is asked."""
        facts = (*self.state.facts, sentence)[-20:]
        self.state = msgspec.structs.replace(self.state, facts=facts)

    def event(self, what: Happened, item: str = "", count: int = 1) -> None:
        """Report behaviour."""
        number = 0
        if item and self.state.journey is not None:
            names = [one.name for one in self.type.manifest.items]
            number = names.index(item) + 1 if item in names else 0
        self.events.append(Event(what=what, item=number, count=count, turn=self.state.turn))

    def reach(self, item: str) -> None:
        """An item is asked or settled, or the summary is shown (""), perhaps for the first time."""
        reached = self.journey.reached
        if item not in reached:
            self.update(reached=(*reached, item))
            self.event(Happened.REACHED, item)

    def next_card(self) -> str:
        """An id for a card to be drawn: new with every draw, never used again."""
        serial = self.state.serial + 1
        self.state = msgspec.structs.replace(self.state, serial=serial)
        return f"{self.journey.id}-{serial}"

    def effects(self) -> Effects:
        """All that the turn wants to happen."""
        return Effects(
            show=tuple(self.show),
            notes=tuple(self.notes),
            events=tuple(self.events),
            submission=self.submission,
        )

    # What a step may look at

    @property
    def local_now(self) -> datetime:
        """The person's own clock."""
        return local(self.state.person.zone, self.world.now)

    def settled(self) -> dict[str, Any]:
        """The bare settled values that belong; skipped items are absent (G6)."""
        return dict(self._known().settled)

    def _known(self) -> _Known:
        """What follows from the draft as it stands, worked out once until the draft changes."""
        known, found, draft = self._last_known, self.type, self.draft
        if known is None or known.draft is not draft or known.type is not found:
            content = planner.content(found.manifest, draft)
            truths = planner.belonging(found.manifest, draft)
            known = self._last_known = _Known(
                type=found,
                draft=draft,
                settled={name: value for name, value in content.items() if value is not None},
                asked=tuple(name for name, one in truths.items() if one is not planner.Truth.NO),
            )
        return known

    def step(self, name: str) -> Step:
        """The step of an item."""
        return self.type.step(self.type.manifest.item(name))

    def scene(self, name: str, **changes: Any) -> Scene:
        """What the step of an item looks at; the ask's own state when it is the open one."""
        item = self.type.manifest.item(name)
        person = self.state.person
        base = Scene(
            manifest=self.type.manifest,
            item=item,
            card="",
            settled=self.settled(),
            texts=self.texts,
            context=Context(
                now=self.local_now,
                locale=person.locale,
                currency=item.currency or self.type.manifest.currency,
                country=person.country,
            ),
            place=self._place(item),
            fetched=self.world.fetched,
            person=person,
        )
        ask = self.ask
        if ask is not None and ask.item == name:
            changes = {
                "card": ask.card,
                "cursor": ask.cursor,
                "proposals": ask.proposals,
                "refusals": ask.refusals,
                "drawn": ask.drawn,
                **changes,
            }
        return replace(base, **changes)

    def _place(self, item: Item) -> tuple[int, int]:
        asked = self._known().asked
        done = sum(1 for name in asked if self.draft.has(name) and name != item.name)
        return (min(done + 1, len(asked)), len(asked))

    def display(self, name: str, value: Any) -> str:
        """A value as a person reads it; what was skipped reads as left out."""
        if value is None:
            return self.texts("turn.left_out")
        return self.step(name).show(self.scene(name), value)

    def proposable(self, name: str, value: Any) -> bool:
        """Whether a value could be suggested for an item right now."""
        if value is None:
            return False
        step = self.step(name)
        judge = step.proposable if isinstance(step, Proposes) else step.fault
        return not judge(self.scene(name), value)

    def acceptable(self, name: str, value: Any) -> bool:
        """Whether a value could be settled for an item right now."""
        return value is not None and not self.step(name).fault(self.scene(name), value)

    def meaning(self, name: str) -> str:
        """What an item asks, in the person's language."""
        return meaning(self.type.manifest.item(name), self.texts)

    def fault(self, name: str, value: Value) -> str:
        """Why a settled value cannot stand any more, in words; empty where it can."""
        found = self.step(name).fault(self.scene(name), value.value)
        return found or ("" if self.means_the_same(name, value) else self.texts("reason.reworded"))

    def means_the_same(self, name: str, value: Value) -> bool:
        """Whether an item still asks what the value answered, in whichever language it was."""
        item = self.type.manifest.item(name)
        spoken = {self.state.person.locale, *self.type.texts}
        asked = {meaning(item, self.type.speak(language)) for language in spoken}
        return not value.meaning or value.meaning in asked
