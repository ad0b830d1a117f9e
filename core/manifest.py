"""The data that describes a journey type: its items in order, their steps, tools and destinations.

The models below say what a manifest may hold and refuse everything else; what depends on several
items at once (unknown names, cycles) is judged by `core.faults`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
"""A name in a manifest: lower-case letters, digits and underscores."""


class Kind(StrEnum):
    """What sort of value an item holds."""

    CHOICE = "choice"
    CHOICES = "choices"
    YES_NO = "yes_no"
    SHORT_TEXT = "short_text"
    LONG_TEXT = "long_text"
    NUMBER = "number"
    MONEY = "money"
    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    DURATION = "duration"
    EMAIL = "email"
    PHONE = "phone"
    URL = "url"
    ENTRIES = "entries"
    RECORD = "record"
    UPLOAD = "upload"
    PERSON = "person"
    ATTESTATION = "attestation"
    FORM = "form"
    CUSTOM = "custom"


class Gather(StrEnum):
    """Who gathers an item: the runtime by a step, or the talk with the model."""

    STEP = "step"
    TALK = "talk"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Test(_Part):
    """What one item's value must satisfy. All that is given must hold.

    `one_of` holds for a list when any of its entries is named.
    """

    one_of: tuple[str | int | bool, ...] | None = None
    none_of: tuple[str | int | bool, ...] | None = None
    at_least: float | None = None
    at_most: float | None = None
    given: bool | None = None


class Condition(_Part):
    """When an item belongs to a journey. In a manifest: `when: {format: [in_person, both]}`.

    `tests` must all hold; `any` needs one of its conditions; `none` needs all of its to fail.
    """

    tests: dict[Name, Test] = Field(default_factory=dict)
    any: tuple[Condition, ...] = ()
    none: tuple[Condition, ...] = ()

    def names(self) -> tuple[str, ...]:
        """The items it looks at, each once, in the order they are named."""
        nested = [name for part in (*self.any, *self.none) for name in part.names()]
        return tuple(dict.fromkeys([*self.tests, *nested]))


class FormField(_Part):
    """One field of a form item."""

    name: Name
    value: Literal[
        Kind.SHORT_TEXT,
        Kind.LONG_TEXT,
        Kind.NUMBER,
        Kind.MONEY,
        Kind.DURATION,
        Kind.EMAIL,
        Kind.PHONE,
        Kind.URL,
    ]
    required: bool = True
    max_length: int | None = Field(default=None, ge=1, le=4000)


class Item(_Part):
    """One thing a journey must end up knowing.

    `minimum` and `maximum` are a plain bound, or a reference: `venue.capacity` (a field of a
    record), the name of another item, or `today`. A reference must stand in `depends_on`.
    `minimum` and `maximum` of a duration are minutes. `count` bounds how many entries or options.
    With `somebody_else`, nobody can name themselves.
    """

    name: Name
    value: Kind
    gather: Gather = Gather.STEP
    step: str | None = None
    required: bool = True
    when: Condition | None = None
    needs: tuple[Name, ...] = ()
    depends_on: tuple[Name, ...] = ()
    options: tuple[Name, ...] = ()
    fields: tuple[FormField, ...] = ()
    records: Name | None = None
    minimum: int | float | str | None = None
    maximum: int | float | str | None = None
    count: tuple[int, int] | None = None
    whole: bool = True
    currency: str | None = None
    min_length: int | None = Field(default=None, ge=0)
    max_length: int | None = Field(default=None, ge=1, le=20000)
    accepts: tuple[str, ...] = ()
    max_bytes: int = Field(default=10_000_000, ge=1)
    draftable: bool = False
    somebody_else: bool = False

    def bounds(self) -> tuple[str, ...]:
        """The names of the items that its bounds refer to."""
        given = (self.minimum, self.maximum)
        names = (one.partition(".")[0] for one in given if isinstance(one, str) and one != "today")
        return tuple(names)

    @cached_property
    def upstream(self) -> tuple[str, ...]:
        """Every item that must be settled, or not belong, before this one is asked."""
        asked = self.when.names() if self.when else ()
        return tuple(dict.fromkeys([*asked, *self.needs, *self.depends_on]))


class Argument(_Part):
    """One argument of a domain tool; one named like an item is filled in by the runtime."""

    name: Name
    type: Literal["string", "integer", "number", "boolean"] = "string"
    description: str
    required: bool = False


class Tool(_Part):
    """A domain tool: it fetches, it never publishes, submits or attests.

    `records` names the directory that it searches by itself; without it, the journey's Python has
    a function of the tool's name. `item` is the item that its records are for.
    """

    name: Name
    description: str
    arguments: tuple[Argument, ...] = ()
    records: Name | None = None
    item: Name | None = None


class Destination(_Part):
    """Where a confirmed submission goes. `settings` belong to the kind of destination, and
    `leave_out` names the items that it is not to know."""

    name: Name
    kind: Name
    settings: dict[str, str | int | bool] = Field(default_factory=dict)
    leave_out: tuple[Name, ...] = ()


class Moderation(_Part):
    """Who looks at a submission before it is delivered: the people of a chat.

    `chat` is `telegram:-1001234567890`, `slack:C0123456789`, or `$VARIABLE`: what that variable of
    the environment says.
    """

    chat: Annotated[str, StringConstraints(pattern=r"^(\$[A-Z][A-Z0-9_]*|[a-z]+:[\w/-]+)$")]


class Manifest(_Part):
    """A journey type."""

    name: Name
    version: int = Field(ge=1)
    items: tuple[Item, ...] = Field(min_length=1)
    tools: tuple[Tool, ...] = ()
    directories: dict[Name, str] = Field(default_factory=dict)
    destinations: tuple[Destination, ...] = ()
    moderation: Moderation | None = None
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")] = "EUR"
    human: str | None = None
    languages: tuple[str, ...] = ("en",)

    @cached_property
    def by_name(self) -> dict[str, Item]:
        """Items by their name."""
        return {item.name: item for item in self.items}

    @cached_property
    def digest(self) -> str:
        """What identifies this very content, so that an open journey knows its own version."""
        return hashlib.sha256(self.model_dump_json(exclude=self._absent()).encode()).hexdigest()[
            :12
        ]

    def _absent(self) -> dict[str, Any]:
        """What a manifest does not have of all that later came to be: left out of its digest, so
        that every version before keeps the one that it had."""
        absent: dict[str, Any] = {
            "items": _lacking(self.items, "somebody_else"),
            "destinations": _lacking(self.destinations, "leave_out"),
        }
        return absent if self.moderation is not None else {**absent, "moderation": True}

    def item(self, name: str) -> Item:
        """The item of this name; KeyError where there is none."""
        return self.by_name[name]

    def upstream_of(self, name: str) -> frozenset[str]:
        """Every item whose change takes an item's value away, however far up."""
        found: set[str] = set()
        waiting = [name]
        while waiting:
            above = set(self.item(waiting.pop()).depends_on) - found
            found |= above
            waiting += above
        return frozenset(found)


def _lacking(parts: Sequence[_Part], name: str) -> dict[int, set[str]]:
    """The positions of the parts that have nothing under a name."""
    return {number: {name} for number, one in enumerate(parts) if not getattr(one, name)}


def condition_from(data: Any) -> Any:
    """A manifest's short way to write a condition, spelled out for `Condition`.

    `{format: [in_person, both]}`, `{admission: paid}`, `{capacity: {at_least: 50}}`,
    `{any: [...]}`, `{none: [...]}`. What is not understood is left for the model to refuse.
    """
    if not isinstance(data, dict):
        return data
    spelled: dict[str, Any] = {"tests": {}}
    for key, value in data.items():
        if key in ("any", "none"):
            parts = value if isinstance(value, list) else [value]
            spelled[key] = [condition_from(part) for part in parts]
        elif isinstance(value, dict):
            spelled["tests"][key] = value
        else:
            spelled["tests"][key] = {"one_of": value if isinstance(value, list) else [value]}
    return spelled
