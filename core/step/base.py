"""The interface of a step: draw a card, read a reply by its whole content, tell one fact.

A step is pure. It gets a `Scene`, which holds everything it may look at, and answers with plain
data. What must be fetched is asked for with `Scene.fetch`: the turn is then run again with the
answer at hand, so a step never waits for anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import msgspec

from core.cards import Card, Record
from core.draft import Source
from core.manifest import Item, Manifest
from core.reading.result import Context
from core.replies import Submit, Tap, Upload, Words
from core.state import Person
from core.texts import Texts


class Fetch(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a domain tool of a journey: equal calls have the same answer in a turn.

    `arguments` have the settled values in them that the tool takes, `settled` are all (G6).
    """

    journey: str
    tool: str
    arguments: dict[str, Any] = {}
    settled: dict[str, Any] = {}

    def key(self) -> str:
        """One spelling for equal calls."""
        return msgspec.json.encode(self, order="sorted").decode()


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """What a domain tool answered. `total` counts all matches, `records` holds the asked page.

    `failed` says in plain words what went wrong; there are no records then.
    """

    records: tuple[Record, ...] = ()
    total: int = 0
    failed: str = ""


class Needs(Exception):
    """Raised by `Scene.fetch` when the answer is not at hand yet: fetch it, run the turn again."""

    def __init__(self, fetch: Fetch) -> None:
        super().__init__(fetch.tool)
        self.fetch = fetch


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a step may look at.

    `settled` has the bare values of the draft (skipped items are absent), `cursor` the step's own
    state on the open card (a page, ticked boxes, filled fields), `proposals` the suggestions beside
    the ask, as values. `context` is the person's: their clock, language, currency. `person` is who
    is asked, None where a value is only shown. `drawn` are the tokens of the options on the card as
    it was shown, empty where nobody kept them.
    """

    manifest: Manifest
    item: Item
    card: str
    settled: Mapping[str, Any]
    texts: Texts
    context: Context
    cursor: Mapping[str, Any] = field(default_factory=dict)
    proposals: tuple[Any, ...] = ()
    reason: str = ""
    refusals: int = 0
    place: tuple[int, int] = (0, 0)
    fetched: Mapping[str, Fetched] = field(default_factory=dict)
    drawn: tuple[str, ...] = ()
    person: Person | None = None

    def fetch(self, tool: str, **arguments: Any) -> Fetched:
        """What the tool answers to these arguments and the settled values it takes (G6).

        What depends on this very item is not among them: it would be asked anew after a change, so
        it must not narrow what the item may be changed to.
        """
        declared = next(one for one in self.manifest.tools if one.name == tool)
        carried = {
            one.name: self.settled[one.name]
            for one in declared.arguments
            if one.name in self.settled
            and self.item.name not in self.manifest.upstream_of(one.name)
        }
        call = Fetch(
            journey=self.manifest.name,
            tool=tool,
            arguments={**arguments, **carried},
            settled=dict(self.settled),
        )
        found = self.fetched.get(call.key())
        if found is None:
            raise Needs(call)
        return found


@dataclass(frozen=True, slots=True)
class Settled:
    """The reply answers the ask: `value` is written, from `source`. None is a skip.

    `said` is a short line that belongs under the receipt ("one file is enough here").
    """

    value: Any
    source: Source
    said: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """The reply is an answer that cannot be accepted; `reason` is told on the card itself.

    `fields` has the reasons of those fields of a form that are at fault, by name.
    """

    reason: str
    cursor: Mapping[str, Any] | None = None
    proposals: tuple[Any, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moved:
    """The card's own state changed: a page turned, a box ticked, a field filled.

    `said` is one short line of what happened, for replies that were typed.
    """

    cursor: Mapping[str, Any]
    said: str = ""


@dataclass(frozen=True, slots=True)
class Unsure:
    """Nothing stands beside the answer, but only a tap can tell which was meant."""

    proposals: tuple[Any, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Beside:
    """Something stands beside the answer: the words go to the model.

    `reason` is told on the card where no model answers them ("nothing was found for that").
    """

    proposals: tuple[Any, ...] = ()
    reason: str = ""


Read = Settled | Refused | Moved | Unsure | Beside


@runtime_checkable
class Step(Protocol):
    """A moment that the runtime owns. Every method is pure."""

    def draw(self, scene: Scene) -> Card:
        """The open card. The turn adds the controls that every card has."""
        ...

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        """What the reply is to this ask. `reply.card` is known to be the open one."""
        ...

    def fault(self, scene: Scene, value: Any) -> str:
        """Why a value cannot stand (any more), in words for the person; empty where it can."""
        ...

    def show(self, scene: Scene, value: Any) -> str:
        """A value as a person reads it, for receipts and the summary."""
        ...

    def sample(self, scene: Scene) -> Any:
        """A valid value, for scenarios that do not care which. Raises Needs like `draw`."""
        ...


@runtime_checkable
class Proposes(Protocol):
    """A step whose suggestions are parts of a value (an entry of a list), judged by themselves."""

    def proposable(self, scene: Scene, value: Any) -> str:
        """Why a value cannot be suggested, in words for the person; empty where it can."""
        ...


@runtime_checkable
class ReadsClock(Protocol):
    """A step whose replies mean a moment on the person's own clock ("tomorrow at five").

    Where their time zone is not known, it is asked for before such a step is first opened.
    """

    reads_clock: bool
