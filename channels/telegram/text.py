"""Text with entities, as Telegram takes it: any text, and no call fails on its content.

Nothing is escaped, because nothing is markup: a message goes out without a parse mode, and what is
bold or a quotation is said by entities (core.telegram.org/bots/api#messageentity), whose places
count UTF-16 units.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import regex

from channels.telegram.limits import ENTITIES, TEXT
from channels.telegram.native import Json, Keyboard, Piece

Kind = Literal[
    "text_mention", "pre", "blockquote", "expandable_blockquote", "bold", "code", "italic"
]

NOTHING = "…"
"""Stands where there is nothing to see and the platform wants a text."""

_RANKS: dict[Kind, int] = {
    "text_mention": 0,
    "pre": 1,
    "blockquote": 1,
    "expandable_blockquote": 1,
    "bold": 2,
    "code": 3,
    "italic": 4,
}
"""What goes first when a message has more entities than count: the last of the highest rank."""

_LINE_BREAKS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_UNSENDABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u030a\u0333\u033f]")
"""Control characters, and what the server takes out of every text: overrides of the direction of
writing, and three marks (tdlib, clean_input_string)."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_RING = "\u030a"

_UNSEEN = frozenset("\u115f\u1160\u2800\u3164\uffa0\ufffc")
"""Letters and signs that are drawn as nothing."""

_BOUNDARIES = (
    re.compile(r"\n[^\S\n]*\n"),
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?…])[\"'”’»)\]]*(\s)|(?<=[。！？])"),
    re.compile(r"\s"),
)
"""Where a text that is too long is cut, best first: paragraph, line, sentence, word."""


def clean(text: str) -> str:
    """The text as it can be sent: line breaks are line feeds, half characters and control
    characters are gone, and all else stands as it was."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if _RING in text:
        # The server takes this mark away; in one letter with its base (å) it survives.
        text = unicodedata.normalize("NFC", text)
    text = _LINE_BREAKS.sub("\n", text).replace("\t", " ")
    return _UNSENDABLE.sub("", text)


def one_line(text: str) -> str:
    """The clean text in one line, with single spaces."""
    return " ".join(clean(text).split())


def units(text: str) -> int:
    """The length of a text in UTF-16 units, as Telegram counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def blank(text: str) -> bool:
    """Whether there is nothing to see in a text; the server refuses such a message."""
    return not any(map(_seen, text))


def _seen(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] not in "ZM" and category not in ("Cc", "Cf", "Cs") and char not in _UNSEEN


@dataclass(frozen=True, slots=True)
class Span:
    """What the characters from `start` to before `end` are; `user` is who is mentioned."""

    kind: Kind
    start: int
    end: int
    user: int = 0

    def moved(self, by: int) -> Span:
        return replace(self, start=self.start + by, end=self.end + by)


@dataclass(frozen=True, slots=True)
class Styled:
    """A text and its spans. It is made by `plain`, `styled`, `mention`, `joined` and `+`."""

    text: str = ""
    spans: tuple[Span, ...] = ()

    def __bool__(self) -> bool:
        return not blank(self.text)

    def __add__(self, other: Styled) -> Styled:
        shifted = (span.moved(len(self.text)) for span in other.spans)
        return Styled(self.text + other.text, (*self.spans, *shifted))

    def cut(self, start: int, end: int) -> Styled:
        """The characters from `start` to before `end`, their spans cut along."""
        cut = (
            replace(span, start=max(span.start, start) - start, end=min(span.end, end) - start)
            for span in self.spans
            if span.start < end and span.end > start
        )
        return Styled(self.text[start:end], tuple(cut))

    def trimmed(self) -> Styled:
        """Without white space at both ends."""
        end = len(self.text.rstrip())
        start = end - len(self.text[:end].lstrip())
        return self.cut(start, end)

    def entities(self) -> tuple[Json, ...]:
        """The spans as MessageEntity: none empty, none with white space at its ends, and no more
        than count in one message; the less important ones are left out."""
        kept = sorted(filter(None, map(self._tight, self.spans)), key=_importance)[:ENTITIES]
        ordered = sorted(kept, key=lambda span: (span.start, -span.end))
        return tuple(map(self._entity, ordered))

    def _tight(self, span: Span) -> Span | None:
        inside = self.text[span.start : span.end]
        start = span.start + len(inside) - len(inside.lstrip())
        end = span.start + len(inside.rstrip())
        return replace(span, start=start, end=end) if start < end else None

    def _entity(self, span: Span) -> Json:
        place: Json = {
            "type": span.kind,
            "offset": units(self.text[: span.start]),
            "length": units(self.text[span.start : span.end]),
        }
        if span.kind == "text_mention":
            name = self.text[span.start : span.end]
            place["user"] = {"id": span.user, "is_bot": False, "first_name": name}
        return place


def _importance(span: Span) -> tuple[int, int]:
    return _RANKS[span.kind], span.start


def plain(text: str) -> Styled:
    """A text as it is, whatever stands in it."""
    return Styled(clean(text))


def styled(kind: Kind, text: str) -> Styled:
    """A text that is all of one kind."""
    kept = clean(text)
    return Styled(kept, (Span(kind, 0, len(kept)),))


def mention(name: str, user: int) -> Styled:
    """A person's name, as a link to the person with this id, who is told of it."""
    shown = one_line(name)
    shown = NOTHING if blank(shown) else shown
    return Styled(shown, (Span("text_mention", 0, len(shown), user),))


def tick(said: str) -> str:
    """The tick before a receipt; nothing where it has one."""
    return "" if said.startswith(("✓", "✔", "☑", "✅")) else "✓ "


def joined(parts: Iterable[Styled], between: str = "\n") -> Styled:
    """The parts that have something to see, one after the other."""
    text: list[str] = []
    spans: list[Span] = []
    length = 0
    for part in filter(None, parts):
        if text:
            text.append(between)
            length += len(between)
        text.append(part.text)
        spans += (span.moved(length) for span in part.spans)
        length += len(part.text)
    return Styled("".join(text), tuple(spans))


def pieces(content: Styled, keyboard: Keyboard = ()) -> tuple[Piece, ...]:
    """The messages of a text, the last with the keyboard.

    There is none where there is nothing to see; a keyboard needs a message all the same.
    """
    parts = split(content)
    if not parts and keyboard:
        parts = (plain(NOTHING),)
    last = len(parts) - 1
    return tuple(
        Piece(
            text=part.text,
            entities=part.entities(),
            keyboard=keyboard if number == last else (),
        )
        for number, part in enumerate(parts)
    )


def split(content: Styled, limit: int = TEXT) -> tuple[Styled, ...]:
    """A text in parts of at most `limit` UTF-16 units, none of them blank.

    It is cut between paragraphs where that leaves no part under half of the limit, else between
    lines, sentences, words, and at last between characters as a reader sees them.
    """
    parts: list[Styled] = []
    rest = content.trimmed()
    while units(rest.text) > limit:
        end = _boundary(rest.text, limit)
        parts.append(rest.cut(0, end).trimmed())
        rest = rest.cut(end, len(rest.text)).trimmed()
    return tuple(filter(None, (*parts, rest)))


def _boundary(text: str, limit: int) -> int:
    ends = list(_clusters(text, limit))
    if not ends:
        return len(_fitting(text, limit))
    last, allowed = ends[-1], set(ends)
    for pattern in _BOUNDARIES:
        found = (match.start(match.lastindex or 0) for match in pattern.finditer(text[: last + 2]))
        good = [place for place in found if last // 2 <= place <= last and place in allowed]
        if good:
            return good[-1]
    return last


def _clusters(text: str, limit: int) -> Iterator[int]:
    """Where the characters end, as a reader sees them, that fit into so many UTF-16 units."""
    used = 0
    for match in regex.finditer(r"\X", text):
        used += units(match.group())
        if used > limit:
            return
        yield match.end()


def _fitting(text: str, limit: int) -> str:
    """The beginning of a text that fits, where one sign alone is longer than a message."""
    start = text[:limit]
    while units(start) > limit:
        start = start[: len(start) - max(1, (units(start) - limit) // 2)]
    return start
