"""The values of a journey so far, each with where it came from.

A draft holds only what counts now: a value whose item is hidden or that a change has invalidated
is out of it and kept in `former`, from where it can only come back as a suggestion.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec


class Source(StrEnum):
    """Where a value came from. A model's text is never one of these (G2)."""

    TAP = "tap"
    TYPED = "typed"
    FORM = "form"
    UPLOAD = "upload"
    QUOTED = "quoted"
    RECORD = "record"


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """A value that was replaced."""

    value: Any
    source: Source
    turn: int


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """One settled value. `value` is None only when the item was skipped.

    `quote` is the person's own words that a quoted value was found in; `turn` is the number of the
    turn that wrote it; `past` is what it was before, oldest first, as far as it is remembered.
    `meaning` is what it is an answer to (see `core.meaning`), empty where nobody has noted it.
    """

    value: Any
    source: Source
    turn: int
    quote: str = ""
    past: tuple[Past, ...] = ()
    meaning: str = ""

    @property
    def skipped(self) -> bool:
        """The person chose to leave this out."""
        return self.value is None


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """What a journey knows. `former` has values that stopped counting, by item."""

    values: dict[str, Value] = {}
    former: dict[str, Any] = {}

    def plain(self) -> dict[str, Any]:
        """Item name to bare value, skipped items as None."""
        return {name: value.value for name, value in self.values.items()}

    def meaning(self, name: str, meaning: str) -> Draft:
        """The draft with what a value is an answer to."""
        value = msgspec.structs.replace(self.values[name], meaning=meaning)
        return msgspec.structs.replace(self, values={**self.values, name: value})

    def has(self, name: str) -> bool:
        """Whether the item is settled (with a value, or by being skipped)."""
        return name in self.values


def canonical(content: Mapping[str, Any]) -> bytes:
    """The one spelling of a draft's content: the same content gives the same bytes."""
    return msgspec.json.encode(content, order="sorted")


def revision(manifest: str, content: Mapping[str, Any], zone: str = "") -> str:
    """The digest of a draft's content that a summary shows and a confirmation is bound to (G3).

    `zone` is whose clock the content is read on, empty where that makes no difference to it.
    """
    parts = [manifest.encode(), canonical(content), *([zone.encode()] if zone else ())]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
