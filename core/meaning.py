"""What a value is an answer to, beyond the name of its item.

A manifest may keep an item's name and ask something else under it. Many a value would pass for an
answer to that as well: a yes for a statement that its person never saw, 20 guests for 20 minutes.
"""

from __future__ import annotations

import hashlib

from core.manifest import Item, Kind
from core.texts import Texts

_TEXTS = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT, Kind.EMAIL, Kind.PHONE, Kind.URL})
"""What is kept as it was typed reads the same under each of these, as far as it fits there."""


def meaning(item: Item, texts: Texts) -> str:
    """What an item asks. It is the same for two versions of it where a value of the one may be one
    of the other: that it fits (its options, its bounds) is another matter."""
    if item.value in _TEXTS:
        return "text"
    match item.value:
        case Kind.ATTESTATION:
            about = _digest(texts.of(item.name, "statement"))
        case Kind.RECORD:
            about = item.records or ""
        case Kind.FORM:
            about = ",".join(f"{one.name}={one.value.value}" for one in item.fields)
        case Kind.CUSTOM:
            about = item.step or ""
        case _:
            about = ""
    return ":".join(filter(None, (item.value.value, about)))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
