"""How a person reads a summary before they say yes: the same way, whoever drew or wrote it.

They read what stands there, and nothing else: no draft is looked into. A line that says something
else than they have in mind is wrong, and so is one of which they know nothing; so is a summary in
which something that they gave does not stand at all. Nobody misses what they were never asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

from core.evals.referee import stands_in, words_in
from core.manifest import Item, Kind
from core.texts import Texts

_VERBATIM = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT, Kind.ENTRIES})
_JOINS = frozenset({"and", "und", "y", "e"})
_NUMBERED = re.compile(r"^\s*(\d+[.)]|[-•*])\s+", re.MULTILINE)


class InMind(msgspec.Struct, frozen=True, kw_only=True):
    """What the person has in mind for an item: a value, by its `spellings`, or to leave it out. A
    `verbatim` one is their own text: a word more is wrong, too. `others` are the item's other
    options, of which one may say all that this one does, and more."""

    spellings: tuple[str, ...] = ()
    left_out: bool = False
    verbatim: bool = False
    others: tuple[str, ...] = ()


Mind = Mapping[str, InMind]
"""What they have in mind, by item."""

CORRECTIONS = 3
"""How often the person corrects the same item on summaries before they give up."""

_NOTHING = re.compile(
    r"\W*((it )?(was |is )?(left out|skipped|omitted)|none( given| provided| yet)?|nothing|"
    r"no( photo| image| file| value| answer)?|n/a|"
    r"not (given|provided|set|specified|chosen|needed|required|applicable|available)( yet)?|"
    r"ausgelassen|weggelassen|nichts|nein|kein\w*( angabe| foto| bild)?|"
    r"omitid[oa]|ningun[oa]?|sin (especificar|indicar|foto|imagen))?\W*",
    re.IGNORECASE,
)
"""How a summary says that there is no value."""


def wrong(shows: Mapping[str, str], text: str, mind: Mind, given: Collection[str]) -> list[str]:
    """The items that are wrong on a summary, in its order: `shows` are its lines by item, `text` is
    all of it, `given` are the items that the person has given a value."""
    return [*_wrong_lines(shows, mind), *_missing(shows, text, mind, given)]


def in_mind(item: Item, value: Any, spellings: tuple[str, ...], texts: Texts) -> InMind:
    """What a value is in the mind of who reads; None is left out."""
    if value is None:
        return InMind(left_out=True)
    one_of = item.options if item.value is Kind.CHOICE else ()
    others = tuple(texts.option(item.name, key) for key in one_of if key != value)
    return InMind(spellings=spellings, verbatim=item.value in _VERBATIM, others=others)


def _wrong_lines(shows: Mapping[str, str], mind: Mind) -> Iterator[str]:
    for item, shown in shows.items():
        wanted = mind.get(item)
        if wanted is None or wanted.left_out:
            right = is_nothing(shown)
        else:
            right = stands_in(wanted.spellings, shown) and not _has_more(wanted, shown)
        if not right:
            yield item


def _has_more(wanted: InMind, shown: str) -> bool:
    """Whether a line says more than they mean: another option, or words that are not in their text,
    but for what joins or numbers the entries of a list."""
    own = words_in(" ".join(wanted.spellings))
    if any(own < words_in(one) and stands_in((one,), shown) for one in wanted.others):
        return True
    if not wanted.verbatim:
        return False
    return bool(words_in(_NUMBERED.sub("", shown)) - own - _JOINS)


def _missing(
    shows: Mapping[str, str], text: str, mind: Mind, given: Collection[str]
) -> Iterator[str]:
    for item in given:
        wanted = mind.get(item)
        if item in shows or wanted is None or wanted.left_out:
            continue
        if not stands_in(wanted.spellings, text):
            yield item


def is_nothing(shown: str) -> bool:
    """Whether a line says that an item has no value."""
    return _NOTHING.fullmatch(shown.strip()) is not None


class Patience:
    """How often a person puts the same thing right: it counts when they say what it should be."""

    def __init__(self) -> None:
        self._corrected = Counter[str]()

    def is_left(self, item: str) -> bool:
        """Whether they would correct it once more."""
        return self._corrected[item] < CORRECTIONS

    def corrected(self, item: str) -> None:
        """They have said what it should be."""
        self._corrected[item] += 1
