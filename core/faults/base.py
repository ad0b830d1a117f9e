"""What a fault is, and what a manifest may name beside its own parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from rapidfuzz import fuzz, process

from core.manifest import Item

MANIFEST = "manifest.yaml"
"""The file of a manifest in its journey's folder."""

NEAR = 70
"""How alike two names must be, of 100, for one to be taken for the other's typing mistake."""

SHOWN = 8
"""As many names as one piece of advice lists."""

Place = tuple[str | int, ...]
"""Where something stands in a file: keys and positions, from the outside in."""


Settings = Mapping[str, str | int | bool]


class SettingsCheck(Protocol):
    """What judges the settings of a kind of destination."""

    def fault(self, settings: Settings) -> str:
        """What to write instead of these settings; empty where they are right."""
        ...


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: where, what, and what to write instead.

    `file` is named from the journey's folder.
    """

    path: Place
    message: str
    instead: str
    file: str = MANIFEST


@dataclass(frozen=True, slots=True)
class Known:
    """What a manifest may name beside its own parts. What is None is not known and not judged.

    `steps` are those that the journey's Python builds, `functions` the tools that it has functions
    for, `destinations` the kinds of destination there are, each with what judges its settings, and
    `columns` the fields that the records of each directory have. `unsure` are the places of parts
    that could not be read as a whole: their names count, and nothing else of them is judged.
    """

    steps: frozenset[str] | None = None
    functions: frozenset[str] | None = None
    destinations: Mapping[str, SettingsCheck] | None = None
    columns: Mapping[str, frozenset[str]] | None = None
    unsure: frozenset[Place] = field(default=frozenset())


def nearest(name: str, names: Iterable[str]) -> str:
    """The name that was probably meant; empty where none is near."""
    found = process.extractOne(
        name.casefold(), list(names), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=NEAR
    )
    return str(found[0]) if found else ""


def meant(name: str, names: Iterable[str], otherwise: str = "", shown: int = SHOWN) -> str:
    """What to write instead of a name that is not known: the near one, or one of those there are,
    of which so many are `shown`."""
    known = list(dict.fromkeys(names))
    near = nearest(name, known)
    if near:
        return f"Did you mean {near}?"
    if not known:
        return otherwise or "Take it out."
    more = f" (and {len(known) - shown} more)" if len(known) > shown else ""
    return f"Write one of: {', '.join(known[:shown])}{more}."


def listed(names: Iterable[str], word: str = "or") -> str:
    """Names as a sentence has them: "a, b or c"."""
    parts = list(names)
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def at(position: int, *more: str | int) -> Place:
    """The place of something in the item at a position."""
    return ("items", position, *more)


def called(item: Item) -> str:
    """How a message names an item."""
    return f"item {item.name}"


def is_reference(bound: str) -> bool:
    """Whether a bound names an item, rather than being a day or a time."""
    return bound != "today" and not bound[:1].isdigit()
