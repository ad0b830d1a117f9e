"""Is a quoted value really the person's own? The quote must stand in what they typed, and the
value must be readable from the quote. Both are judged by code; the model is not asked (G2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any

from core.manifest import Item, Kind
from core.prose.sentences import begins_question, first_word
from core.reading import read
from core.reading.lexicon import talk
from core.reading.result import Context, Outcome
from core.reading.text import speaks_to_bot
from core.reading.tokens import Kind as TokenKind
from core.turn.turning import Turning

_VERBATIM = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT})
_FOLDED = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_MARKS = " \t\n\"'“”‘’«»„"
_EDGES = _MARKS + ".,;:!?()[]"
_CLAUSES = re.compile(r"[.,;:!?…\n؟？]")
_SENTENCES = re.compile(r"[.;!?…\n؟？]")
_EDGES_ONLY = re.compile(r"[\s\"'“”‘’«»„)\]]*")
_ASKING = frozenset("?؟？")
_OPENS = "¿"
"""Begins a question where one is begun by a mark; a title that has it begins with it."""
_WEIGHED = ("weighing",)
_SAYS_NOTHING = ("weighing", "hedges", "negations", "fillers", "frames")
"""Words that are no value by themselves, however many of them there are ("hm, I'm not")."""


def own_texts(turn: Turning) -> tuple[str, ...]:
    """The person's own settled values that are texts: repeated in an answer, not one of them is a
    question of the model's ("Who owns the web?" for a title)."""
    found = {text.strip() for value in turn.settled().values() for text in _texts(value)}
    return tuple(sorted(text for text in found if text))


def _texts(value: Any) -> Iterator[str]:
    """The texts in a value, however it is put together."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(part)


def folded(text: str) -> str:
    """Text as it is compared: letter case, white space and typographic quotes do not count."""
    return _fold(text)[0].strip()


def _fold(text: str) -> tuple[str, list[int]]:
    """Folded text, and for each of its characters the place in the text that it came from."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        plain = unicodedata.normalize("NFKC", char).translate(_FOLDED).casefold()
        for one in plain:
            blank = one.isspace()
            if blank and chars and chars[-1] == " ":
                continue
            chars.append(" " if blank else one)
            places.append(place)
    return "".join(chars), places


def find(wanted: str, text: str) -> str | None:
    """The piece of a text that is the wanted one when both are folded, as whole words and in the
    text's own spelling; None where it is not in there."""
    start, end = next(_places(wanted, text), (0, 0))
    return text[start:end] or None


def _places(wanted: str, text: str) -> Iterator[tuple[int, int]]:
    """Where the wanted piece stands in a text, each time."""
    needle = folded(wanted)
    hay, places = _fold(text)
    start = hay.find(needle) if needle else -1
    while start >= 0:
        end = start + len(needle)
        if not _inside_word(hay, start, needle[0]) and not _inside_word(hay, end, needle[-1]):
            yield places[start], places[end - 1] + 1
        start = hay.find(needle, start + 1)


def _inside_word(text: str, place: int, edge: str) -> bool:
    return (
        0 < place < len(text)
        and edge.isalnum()
        and text[place - 1].isalnum()
        and (text[place].isalnum())
    )


def quoted_in(quote: str, said: Iterable[str]) -> str | None:
    """The quote as the person typed it, in one of their messages; None where nobody said it."""
    for text in said:
        for wanted in (quote.strip(_MARKS), quote.strip(_EDGES)):
            found = find(wanted, text)
            if found is not None:
                return found
    return None


class Stance(Enum):
    """How the person last spoke of something."""

    MEANT = "meant"
    DENIED = "denied"
    """With a "not" beside it ("don't call it that")."""
    WEIGHED = "weighed"
    """As a question, with a hedge or under a condition ("what if we called it that?")."""


def stance(piece: str, said: Iterable[str], locale: str) -> Stance:
    """How the person last spoke of a piece. `said` are their messages, the newest last.

    What stands in the piece itself neither denies nor doubts it, unless that is all of it.
    """
    if _only(piece, _SAYS_NOTHING, locale) or speaks_to_bot(piece, locale):
        return Stance.WEIGHED
    for text in reversed(tuple(said)):
        if spans := list(_places(piece.strip(_EDGES) or piece, text)):
            start, end = spans[-1]
            behind = _CLAUSES.search(text, end)
            clauses = (
                _CLAUSES.split(text[:start])[-1],
                text[end : behind.start() if behind else len(text)],
            )
            if any(_has(words, ("negations",), locale) for words in clauses):
                return Stance.DENIED
            weighed = any(_has(words, _WEIGHED, locale) for words in clauses)
            weighed = weighed or _asked_about(text, start, end, locale)
            return Stance.WEIGHED if weighed else Stance.MEANT
    return Stance.MEANT


def _asked_about(text: str, start: int, end: int, locale: str) -> bool:
    """Whether the clause that a piece stands in asks. A mark right behind it may be its own."""
    mark = _CLAUSES.search(text, end)
    if mark is None or mark[0] not in _ASKING:
        return False
    if _EDGES_ONLY.fullmatch(text, end, mark.start()) is None:
        return True
    openings = (_CLAUSES.split(text[:start])[-1], _SENTENCES.split(text[:start])[-1])
    return any(_opens_question(opening, locale) for opening in openings)


def _opens_question(words: str, locale: str) -> bool:
    if _OPENS in words:
        return True
    known = talk(locale)
    found = known.tokens(words)
    listed = bool(found) and known.match(found, 0, ("question_words",)) is not None
    return listed or begins_question(first_word(words))


def _only(words: str, classes: tuple[str, ...], locale: str) -> bool:
    """Whether nothing but such words is in it ("I'm not sure")."""
    known = talk(locale)
    found = [token for token in known.tokens(words) if token.kind is not TokenKind.PUNCT]
    at = 0
    while at < len(found) and (match := known.match(found, at, classes)) is not None:
        at += match.length
    return bool(found) and at == len(found)


def _has(words: str, classes: tuple[str, ...], locale: str) -> bool:
    known = talk(locale)
    found = known.tokens(words)
    return any(known.match(found, at, classes) for at in range(len(found)))


def value_of(item: Item, claimed: Any, quote: str, context: Context) -> Any | None:
    """The value that a quote (as the person typed it) holds, when it is the claimed one.

    A text is taken as it stands in the quote; a typed value must be the one thing that the reader
    reads in it. None where it is not.
    """
    if item.value in _VERBATIM:
        return _verbatim(str(claimed or ""), quote)
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
    """The claimed text as the person spelled it; quotation marks around it belong to the sentence
    that it stands in, its own punctuation belongs to it."""
    for wanted in (claimed.strip(_MARKS), claimed.strip(_EDGES)):
        found = find(wanted, quote)
        if found is not None:
            return found
    return None
