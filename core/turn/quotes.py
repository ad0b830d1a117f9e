"""Is a quoted value really the person's own? The quote must stand in what they typed, and the
value must be readable from the quote. Both are judged by code; the model is not asked (G2)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from core.manifest import Item, Kind
from core.reading import read
from core.reading.result import Context, Outcome

_VERBATIM = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT})
_FOLDED = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."})
_EDGES = " \t\n.,;:!?\"'()[]«»„"


def folded(text: str) -> str:
    """Text as it is compared: letter case, white space and typographic quotes do not count."""
    plain = unicodedata.normalize("NFKC", text).translate(_FOLDED).casefold()
    return " ".join(plain.split())


def stands_in(quote: str, said: Iterable[str]) -> bool:
    """Whether the person typed the quote, in one of their messages, as whole words."""
    wanted = folded(quote).strip(_EDGES)
    return bool(wanted) and any(_has_words(folded(text), wanted) for text in said)


def _has_words(text: str, wanted: str) -> bool:
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        inner_left = start > 0 and text[start - 1].isalnum() and wanted[0].isalnum()
        inner_right = end < len(text) and text[end].isalnum() and wanted[-1].isalnum()
        if not inner_left and not inner_right:
            return True
        start = text.find(wanted, start + 1)
    return False


def value_of(item: Item, claimed: Any, quote: str, context: Context) -> Any | None:
    """The value that the quote holds, when it is the claimed one; None when it is not.

    A text is taken as it stands in the quote; a typed value must be what the reader reads in it.
    """
    if item.value in _VERBATIM:
        return _verbatim(str(claimed), quote)
    if item.value is Kind.ENTRIES:
        entries = [str(one) for one in claimed] if isinstance(claimed, list) else [str(claimed)]
        found = [_verbatim(one, quote) for one in entries]
        return found if all(found) and found else None
    asked = replace(context, currency=item.currency or context.currency)
    meant = read(item.value.value, str(claimed), asked)
    if meant.outcome is not Outcome.SETTLED:
        return None
    reading = read(item.value.value, quote, asked)
    readable = [reading.value] if reading.outcome is Outcome.SETTLED else list(reading.proposals)
    return meant.value if len(readable) == 1 and readable[0] == meant.value else None


def _verbatim(claimed: str, quote: str) -> str | None:
    """The claimed text as the person spelled it in the quote; None where it is not in there."""
    wanted = folded(claimed).strip(_EDGES)
    if not wanted or not stands_in(claimed, [quote]):
        return None
    for start in range(len(quote)):
        for end in range(start + len(wanted) // 2, len(quote) + 1):
            piece = quote[start:end].strip()
            if folded(piece).strip(_EDGES) == wanted:
                return _trimmed(piece, claimed)
    return None


def _trimmed(piece: str, claimed: str) -> str:
    # A quoted title often stands between quotation marks: they belong to the sentence around it.
    bare = piece.strip("\"'“”‘’«»„ ")
    return bare if folded(bare) == folded(claimed).strip("\"' ") else piece
