"""Read one reply as one kind of value, and settle only when the whole reply is the answer.

Pure: the same kind, text and context give the same reading. Each module below reads a family of
kinds and lists them in its `READERS`.
"""

from __future__ import annotations

from collections.abc import Callable

from core.reading import (
    choices,
    contacts,
    dates,
    durations,
    money,
    numbers,
    people,
    text,
    times,
    yes_no,
)
from core.reading.controls import is_back, is_cancel, is_done, is_skip, is_start_over
from core.reading.result import Context, Reading, beside

__all__ = [
    "KINDS",
    "READERS",
    "is_back",
    "is_cancel",
    "is_done",
    "is_skip",
    "is_start_over",
    "read",
]

Reader = Callable[[str, Context], Reading]

READERS: dict[str, Reader] = {
    **numbers.READERS,
    **dates.READERS,
    **times.READERS,
    **durations.READERS,
    **money.READERS,
    **contacts.READERS,
    **yes_no.READERS,
    **choices.READERS,
    **text.READERS,
    **people.READERS,
}

KINDS = frozenset(READERS)

# Kinds whose answers may be long; for all others a long reply is talk.
LONG_KINDS = frozenset({"short_text", "long_text", "entries"})
LONGEST = 600


def read(kind: str, text: str, context: Context) -> Reading:
    """Read a reply as one of `KINDS`; it never raises for any text."""
    reader = READERS[kind]
    if len(text) > LONGEST and kind not in LONG_KINDS:
        return beside(reason="beside")
    if not text.strip():
        return beside(reason="empty")
    return reader(text, context)
