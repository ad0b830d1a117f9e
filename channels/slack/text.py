"""Text as Slack shows it as it was written: nothing of it is markup, a mention or a link.

What a person reads stands in rich text, whose text elements are shown as they are, or in plain
text. Only the three entities that Slack decodes everywhere have to be thought of: text that spells
one out would be read as the sign that it stands for (docs.slack.dev/messaging/
formatting-message-text#escaping).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence

import regex

from channels.slack.limits import RICH

NOTHING = "…"
"""Stands where there is nothing to see and the platform wants a text."""

_LINE_BREAKS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_UNSENDABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e]")
"""Control characters, and what turns the direction of all that follows it on a card."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_ENTITY = re.compile("&(?=(?:amp|lt|gt);)")
_SPELLED = len("&amp;") - len("&")
_CLUSTER = regex.compile(r"\X")
_INERT = regex.compile(r"[\p{L}\p{M}\p{N}(–][\p{L}\p{M}\p{N} .,;()'’“”„?!+%/–-]*")
"""Signs of which mrkdwn makes nothing, wherever they stand."""

_UNSEEN = frozenset("\u115f\u1160\u2800\u3164\uffa0\ufffc")
"""Letters and signs that are drawn as nothing."""

_BOUNDARIES = (
    re.compile(r"\n[^\S\n]*\n"),
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s|(?<=[。！？])"),
    re.compile(r"\s"),
)
"""Where a text that is too long is cut, best first: paragraph, line, sentence, word."""


def clean(text: str) -> str:
    """The text as it can be sent: line breaks are line feeds, half characters and control
    characters are gone, and all else stands as it was."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _UNSENDABLE.sub("", _LINE_BREAKS.sub("\n", text).replace("\t", " "))


def one_line(text: str) -> str:
    """The clean text in one line, with single spaces."""
    return " ".join(clean(text).split())


def blank(text: str) -> bool:
    """Whether there is nothing to see in a text."""
    return not any(map(_seen, text))


def _seen(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] not in "ZM" and category not in ("Cc", "Cf", "Cs") and char not in _UNSEEN


def seen(text: str) -> str:
    """The clean text; an ellipsis where there is nothing to see in it."""
    kept = clean(text).strip()
    return NOTHING if blank(kept) else kept


def spelled(text: str) -> str:
    """A clean text for a plain text object, where an entity that was typed stays as typed."""
    return _ENTITY.sub("&amp;", text)


def escaped(text: str) -> str:
    """A clean text for a message's own text: nobody is called by it, and nothing is a link."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def inert(text: str) -> bool:
    """Whether mrkdwn shows a text as it is, also between asterisks."""
    return _INERT.fullmatch(text) is not None


def shorten(text: str, limit: int) -> str:
    """A text of at most so many characters as plain text; where it is cut, "…" is its end."""
    if len(spelled(text)) <= limit:
        return text
    entities = [match.start() for match in _ENTITY.finditer(text, 0, limit)]
    end = 0
    for match in _CLUSTER.finditer(text):
        spelled_out = _SPELLED * bisect_left(entities, match.end())
        if match.end() + spelled_out >= limit:
            break
        end = match.end()
    return text[:end].rstrip() + NOTHING


def distinct(labels: Sequence[str], limit: int) -> tuple[str, ...]:
    """Labels in one line of at most `limit` characters each, which can be told apart: by their
    numbers, where they could not be otherwise."""
    lines = [_line(label) for label in labels]
    short = [shorten(line, limit) for line in lines]
    if len(set(short)) == len(short):
        return tuple(short)
    return tuple(shorten(f"{number}. {line}", limit) for number, line in enumerate(lines, 1))


def whole(labels: Sequence[str], limit: int) -> bool:
    """Whether labels fit into so many characters as they are, and can be told apart."""
    lines = [_line(label) for label in labels]
    return len(set(lines)) == len(lines) and all(len(spelled(line)) <= limit for line in lines)


def _line(label: str) -> str:
    line = one_line(label)
    return NOTHING if blank(line) else line


def split(text: str, limit: int = RICH) -> tuple[str, ...]:
    """A clean text in parts of at most `limit` characters, which together are all of it but for a
    line break between two.

    It is cut between paragraphs where that leaves no part under half of the limit, else between
    lines, sentences, words, and at last between characters as a reader sees them.
    """
    parts: list[str] = []
    while len(text) > limit:
        end = _boundary(text, limit)
        parts.append(text[:end].removesuffix("\n"))
        text = text[end:]
    return tuple(filter(None, (*parts, text)))


def _boundary(text: str, limit: int) -> int:
    ends = list(_clusters(text, limit))
    if not ends:
        return limit
    last, allowed = ends[-1], set(ends)
    for pattern in _BOUNDARIES:
        places = (match.end() for match in pattern.finditer(text, 0, last))
        good = [place for place in places if place >= last // 2 and place in allowed]
        if good:
            return good[-1]
    return last


def _clusters(text: str, limit: int) -> Iterator[int]:
    """Where the characters end, as a reader sees them, within so many characters."""
    for match in _CLUSTER.finditer(text, 0, limit + 1):
        if match.end() > limit:
            return
        yield match.end()
