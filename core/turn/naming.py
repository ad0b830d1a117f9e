"""Rows of the summary that are named in words: by label, by number, or with their new value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

from core import planner
from core.manifest import Kind
from core.replies import Words
from core.step import common
from core.step.base import Beside, Moved, Read, Refused, Settled, Unsure
from core.turn.turning import Turning

_TEXTS = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT})
"""Kinds that take any text: only what stands behind a colon or a "to" is one."""
_JOINS = (":", "=")


@dataclass(frozen=True)
class Named:
    """A row, and what was said of its new value. `reason` is why that cannot be."""

    item: str
    proposals: tuple[object, ...] = ()
    reason: str = ""


def named_row(turn: Turning, reply: Words) -> Named | None:
    """The row that a reply names, and nothing else; None where it names none."""
    said = " ".join(reply.text.split()).strip(" .!")
    bare = _without(_without(said, _listed(turn, "change_verbs")), _listed(turn, "articles"))
    rows = list(planner.content(turn.type.manifest, turn.draft))
    if bare != said and bare.isdecimal() and 0 < int(bare[:4]) <= len(rows):
        return Named(rows[int(bare) - 1]) if len(bare) < 4 else None
    taken = _without(_without(said, _listed(turn, "remove_verbs")), _listed(turn, "articles"))
    for words in dict.fromkeys((bare, taken)):
        if name := _by_label(turn, rows, words.casefold()):
            return Named(name)
    return _with_value(turn, rows, reply, bare)


def _by_label(turn: Turning, rows: Iterable[str], said: str) -> str:
    """The first words of a label do where they are those of one row only ("speakers" of "Speakers
    or hosts"), and so does what the journey calls it."""
    labels = {row: turn.texts.label(row).casefold() for row in rows}
    exactly = [row for row, label in labels.items() if label == said]
    begun = [row for row, label in labels.items() if label.startswith(f"{said} ")]
    called = [row for row in labels if said in _nouns(turn, row)]
    return next((found[0] for found in (exactly, begun, called) if len(found) == 1), "")


def _with_value(turn: Turning, rows: list[str], reply: Words, said: str) -> Named | None:
    """ "places 80": the row, with the suggestion that is the rest."""
    for name, rest, told in _splits(turn, rows, said):
        if not told and turn.type.manifest.item(name).value in _TEXTS:
            continue
        words = msgspec.structs.replace(reply, text=rest)
        found = _read(turn.step(name).read(turn.scene(name), words))
        if found is not None:
            return Named(name, *found)
    return None


def _splits(turn: Turning, rows: list[str], said: str) -> Iterator[tuple[str, str, bool]]:
    """Each way in which a reply is a row and something behind it, the most of a label first;
    whether a word joins them."""
    joints = _listed(turn, "change_to")
    for end in reversed(list(re.finditer(r"\s*[:=,]\s*|\s+", said))):
        name = _by_label(turn, rows, said[: end.start()].casefold())
        rest = said[end.end() :]
        if name and rest:
            bare = _without(rest, joints)
            yield name, bare, bare != rest or end[0].strip() in _JOINS


def _read(result: Read) -> tuple[tuple[object, ...], str] | None:
    if isinstance(result, Settled):
        return None if result.value is None else ((result.value,), "")
    if isinstance(result, Unsure | Refused):
        return result.proposals, result.reason
    assert isinstance(result, Moved | Beside)
    return None


def _listed(turn: Turning, key: str) -> tuple[str, ...]:
    return common.phrases(turn.texts(f"turn.{key}"))


def _nouns(turn: Turning, name: str) -> tuple[str, ...]:
    return common.phrases(turn.texts.of(name, "nouns"))


def _without(text: str, words: Iterable[str]) -> str:
    """A text without these words at its beginning, each at most once."""
    for word in words:
        if text.casefold().startswith(f"{word} "):
            text = text[len(word) + 1 :]
    return text
