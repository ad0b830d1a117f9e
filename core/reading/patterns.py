"""Turn a reply into one flat line, and a language's templates into expressions that match in it.

A template is written by whoever adds a language: `in {count} {unit}`, `[the ]{day} of {month}`.
Square brackets hold what may be missing, round ones alternatives, braces a slot that the reader of
that family fills with its own expression. Every repetition is bounded, so that matching a reply
takes time in proportion to its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.reading.tokens import Kind, Token, fold, normal

# A value stands alone: no letter or digit touches it, and it is no part of "3-4", "1/2" or "5:30".
OPENS = r"(?<!\w)(?<!\d[.,:/\-])"
CLOSES = r"(?!\w)(?![.,:/\-]\d)"

_TEMPLATE = re.compile(r"\{(?P<slot>[a-z]+)(?P<tag>\d?)\}|(?P<open>\[)|(?P<close>\])|(?P<text>.)")
_TRANSLITERATED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})

Span = tuple[int, int]


@dataclass(frozen=True)
class Flat:
    """A reply as one line: each token's norm, and one space where the reply had a gap.

    `places` gives for each character the place of its token in the reply.
    """

    text: str
    places: Sequence[Span]

    def span(self, match: re.Match[str]) -> Span:
        """The place in the reply of what an expression matched."""
        return self.place(match.start(), match.end())

    def place(self, start: int, end: int) -> Span:
        """The place in the reply of a piece of the line."""
        return self.places[start][0], self.places[end - 1][1]

    def without(self, spans: Iterable[Span]) -> Flat:
        """The line with those pieces (places in the line) blotted out, to read none twice."""
        text = self.text
        for start, end in spans:
            text = text[:start] + "\0" * (end - start) + text[end:]
        return Flat(text, self.places)


def flat(found: Sequence[Token]) -> Flat:
    """The line of a reply's tokens."""
    text: list[str] = []
    places: list[Span] = []
    end = 0
    for at, token in enumerate(found):
        if at and _apart(found[at - 1], token):
            text.append(" ")
            places.append((end, token.start))
        norm = _written(token)
        text.append(norm)
        places.extend([(token.start, token.end)] * len(norm))
        end = token.end
    return Flat("".join(text), places)


def _apart(left: Token, right: Token) -> bool:
    # The parts of a contraction have one place, and "5️⃣5️⃣" is two numbers, not 55.
    both = left.kind is Kind.NUMBER and right.kind is Kind.NUMBER
    return right.start > left.end or right.start == left.start or both


def _written(token: Token) -> str:
    if token.norm == "\n":
        return " "
    # "²" and "½" are numbers, and no digits: nothing may read them as such.
    return "\0" if token.kind is Kind.NUMBER and not token.norm.isdecimal() else token.norm


def spellings(word: str) -> Iterator[str]:
    """A word as it is written, and as people type it on a keyboard without its accents."""
    plain = " ".join(normal(part) for part in word.split())
    yield plain
    yield fold(plain)
    yield fold(plain.translate(_TRANSLITERATED))


def listed(entry: Any) -> list[str]:
    """An entry of a word file: a word, several, or nothing."""
    if entry is None:
        return []
    return [str(one) for one in entry] if isinstance(entry, list) else [str(entry)]


def table(entries: Mapping[Any, Any] | None) -> dict[str, Any]:
    """Each spelling of the words of a table `{value: words}`, with its value."""
    return {
        spelled: value
        for value, words in (entries or {}).items()
        for word in listed(words)
        for spelled in spellings(word)
    }


def either(words: Iterable[str]) -> str:
    """An expression for any of these words, the longest first; for none, one that never matches."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(map(re.escape, ordered)) + ")" if ordered else "(?!)"


def expression(template: str, slots: Mapping[str, str]) -> str:
    """The expression of a template; slot `{day}` becomes the group `day`, `{day2}` `day2`."""
    parts = []
    for part in _TEMPLATE.finditer(" ".join(spelled_line(template))):
        if part["slot"]:
            parts.append(f"(?P<{part['slot']}{part['tag']}>{slots[part['slot']]})")
        elif part["open"]:
            parts.append("(?:")
        elif part["close"]:
            parts.append(")?")
        elif part["text"] in "()|":
            parts.append("(?:" if part["text"] == "(" else part["text"])
        elif part["text"] == "~":
            parts.append(" ?")
        else:
            parts.append(re.escape(part["text"]))
    return "".join(parts)


def spelled_line(template: str) -> list[str]:
    """The words of a template, their letters folded as those of a reply are."""
    return [normal(part) for part in template.split(" ")]


def alone(pattern: str) -> re.Pattern[str]:
    """An expression for a value that stands alone."""
    return re.compile(OPENS + "(?:" + pattern + ")" + CLOSES)


def templates(entry: Any, slots: Mapping[str, str]) -> list[re.Pattern[str]]:
    """The expressions of a word file's list of templates, accents written or left out."""
    spelled = dict.fromkeys(s for one in listed(entry) for s in (one, fold(one)))
    return [alone(expression(one, slots)) for one in spelled]


def longest(matches: Iterable[tuple[int, int, Any]]) -> list[tuple[int, int, Any]]:
    """Of matches that overlap, the longest; of equally long ones, the first that was found."""
    kept: list[tuple[int, int, Any]] = []
    for match in sorted(matches, key=lambda m: m[0] - m[1]):
        if all(match[1] <= start or end <= match[0] for start, end, _ in kept):
            kept.append(match)
    return sorted(kept, key=lambda m: (m[0], m[1]))
