"""One turn as a judge sees it: the reply, what stood on the screen before and after it, and what
the turn did."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec

from core.cards import Card, Summary
from core.effects import Change, Close, Draw, Note, Say
from core.evals.screen import Screen
from core.events import Happened
from core.journey import JourneyType, JourneyTypes
from core.manifest import Item
from core.replies import Reply
from core.state import Conversation, Journey, Status
from core.step.base import Fetch, Fetched
from core.turn import Taken
from core.turn.turning import Turning, World

ENDINGS = frozenset({Status.SUBMITTED, Status.CANCELLED, Status.EXPIRED})

Found = Iterator[tuple[str, str]]
"""Each occasion on which a guarantee had something to decide, with the fault that was seen; empty
where the guarantee held."""


@dataclass(frozen=True)
class Look:
    """One turn, with what was on the screen after it.

    `again` takes the same turn once more, with the same answers from the tools. `fetches` are the
    tool calls that this turn made, `fetched` what they brought; `notes` all that was said in the
    chat so far; `waited` is a tap that waited while the model was answering; `calls` how often the
    model was asked.
    """

    types: JourneyTypes
    reply: Reply
    before: Conversation
    taken: Taken
    screen: Screen
    notes: list[Note]
    again: Callable[[], Taken] | None = None
    fetches: tuple[Fetch, ...] = ()
    waited: Reply | None = None
    fetched: Mapping[str, Fetched] = field(default_factory=dict)
    calls: int = 0

    @property
    def after(self) -> Conversation:
        """The state that the turn left."""
        return self.taken.state

    @property
    def replies(self) -> tuple[Reply, ...]:
        """What the person did in this turn."""
        return tuple(one for one in (self.reply, self.waited) if one is not None)

    @property
    def asked_model(self) -> bool:
        """Whether a model had a part in the turn."""
        handed = (Happened.HANDED, Happened.MODEL_FAILED, Happened.TOOL_CALLED)
        spoke = any(note.role == "bot" for note in self.taken.effects.notes)
        return spoke or any(one.what in handed for one in self.taken.effects.events)

    # The journey

    @property
    def journey(self) -> Journey:
        """The journey that the turn left. Raises LookupError where there is none."""
        if self.after.journey is None:
            raise LookupError("there is no journey after this turn")
        return self.after.journey

    @cached_property
    def old(self) -> Journey | None:
        """The same journey before the turn; None where the turn began it."""
        before, after = self.before.journey, self.after.journey
        return (
            before if before is not None and after is not None and before.id == after.id else None
        )

    @cached_property
    def kind(self) -> JourneyType | None:
        """The journey's type; None where there is none at hand, or no journey."""
        journey = self.after.journey
        return self.types.version(journey.manifest, journey.digest) if journey else None

    @property
    def migrated(self) -> bool:
        """Whether the journey came to another version of its manifest."""
        return self.old is not None and self.old.digest != self.journey.digest

    def item(self, name: str) -> Item:
        """An item of the journey. Raises LookupError where its type is not at hand."""
        if self.kind is None:
            raise LookupError(f"there is no item {name}: the journey's type is not at hand")
        return self.kind.manifest.item(name)

    @cached_property
    def values(self) -> dict[str, Any]:
        """The bare values after the turn."""
        return self.journey.draft.plain()

    @cached_property
    def old_values(self) -> dict[str, Any]:
        """The bare values before it, of the same journey."""
        return self.old.draft.plain() if self.old is not None else {}

    @cached_property
    def written(self) -> frozenset[str]:
        """Items whose value is not what it was before the turn."""
        missing = object()
        known = self.old_values
        return frozenset(n for n, one in self.values.items() if known.get(n, missing) != one)

    # What was shown

    @property
    def messages(self) -> list[str]:
        """What the runtime itself said, message by message; a receipt is one, too."""
        found = []
        for effect in self.taken.effects.show:
            if isinstance(effect, Say) and not effect.model:
                found.append(effect.text)
            elif isinstance(effect, Close) and effect.receipt:
                found.append(effect.receipt)
        return found

    @property
    def answers(self) -> list[str]:
        """What the model said."""
        shown = self.taken.effects.show
        return [one.text for one in shown if isinstance(one, Say) and one.model]

    @property
    def cards(self) -> list[Card]:
        """The cards that were drawn, anew or where they stand."""
        return [one.card for one in self.taken.effects.show if isinstance(one, Draw | Change)]

    @property
    def summaries(self) -> list[Summary]:
        """The summaries among them."""
        return [one for one in self.cards if isinstance(one, Summary)]

    def told(self, *texts: str) -> bool:
        """Whether the runtime said all of these in one message."""
        return any(all(text in message for text in texts) for message in self.messages)

    # Values as a person reads them

    def shown(self, name: str, value: Any) -> str:
        """A value as the draft after the turn shows it."""
        return self._now.display(name, value)

    def shown_before(self, name: str, value: Any) -> str:
        """A value as the draft before the turn showed it, in the language of now."""
        return self._then.display(name, value)

    def cannot_stand(self, name: str, value: Any) -> bool:
        """Whether time has overtaken a value that stood before the turn, or its item asks something
        else by now."""
        if value is None:
            return False
        return bool(self._then.fault(name, self._then.draft.values[name]))

    @cached_property
    def _now(self) -> Turning:
        return Turning(self.after, self._world)

    @cached_property
    def _then(self) -> Turning:
        return Turning(msgspec.structs.replace(self.before, person=self.after.person), self._world)

    @property
    def _world(self) -> World:
        return World(types=self.types, now=self.reply.at, fresh="", fetched=self.fetched)


def shown_text(taken: Taken) -> str:
    """Everything that a turn printed."""
    parts: list[str] = []
    for effect in taken.effects.show:
        if isinstance(effect, Say):
            parts.append(effect.text)
        elif isinstance(effect, Close):
            parts.append(effect.receipt)
        elif isinstance(effect, Draw) and isinstance(effect.card, Summary):
            parts.append(effect.card.title)
    return "\n".join(parts)
