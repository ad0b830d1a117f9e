"""Read a reply as somebody: called so that the platform knows them, by a handle, or by a name.

Nobody has a list of all names, so a name is known by its looks: a few words that begin with capital
letters, and nothing beside them. Where a name is written small, or its first word may be another
one ("Please Kim"), a tap decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from core.reading.answers import judge, reply
from core.reading.leftover import REASONS
from core.reading.lexicon import FALLBACK, Lexicon, talk
from core.reading.patterns import Span
from core.reading.result import Context, Outcome, Reading, beside, invalid, settled, suggested
from core.reading.text import aside, no_entry
from core.reading.tokens import Kind, Token, normal

Value = dict[str, str]

_HANDLE = regex.compile(r"(?<![\p{L}\p{N}_@.])@([\p{L}\p{N}_][\p{L}\p{N}_.\-]{0,63})")
_EVERYBODY = frozenset({"here", "channel", "everyone", "all", "team"})
_PART = regex.compile(r"[\p{L}\p{M}][\p{L}\p{M}'’ʼ.·‧\-‐‑]*+")
"""One word of a name: "Kim", "O'Neil", "J.R.", "Anne-Marie"."""
_PARTICLES = frozenset(
    """
    von van der den de del della di da do dos das du des la le los las el al bin ibn abu ben bat
    zu zum zur af av ter ten op y e i und san st
    """.split()  # noqa: SIM905
)
"""What is written small within a name."""
_MOST_WORDS = 6
_LONGEST = 200
_SEPARATORS = regex.compile(r"[,;:/()\n!?…]|(?<=\p{Ll}{3})\.(?=\s|$)")
_QUESTION = regex.compile(r"[^.!?？…\n]*+[?？]")
_COURTESY = ("fillers", "politeness", "greetings", "frames")
_JOINTS = ("list_and", "or_words", "and_words")


def person(text: str, context: Context) -> Reading:
    """Somebody: `{"id": ..., "handle": ..., "name": ...}`.

    The options of the context are those whom the platform knows to be called in the reply: their
    labels are how they stand in it, and their keys become the ids.
    """
    whole = text.strip()
    called = list(_called(whole, context))
    if called:
        return _one_called(whole, context, called)
    words = talk(context.locale)
    spoken = _spoken(whole, context, words)
    return spoken if spoken is not None else _Name(whole, context, words).reading()


READERS = {"person": person}


def somebody(*, id: str = "", handle: str = "", name: str = "") -> Value:
    """Who is meant, as it is kept."""
    return {"id": id, "handle": handle, "name": name}


# Called by the platform's own signs


@dataclass(frozen=True)
class _Call:
    span: Span
    value: Value


def _called(text: str, context: Context) -> Iterator[_Call]:
    """Everybody who is called, the longest names first found."""
    taken: list[Span] = []
    for option in sorted(context.options, key=lambda one: -len(one.label)):
        at = text.find(option.label) if option.label else -1
        while at >= 0:
            end = at + len(option.label)
            if not any(start < end and at < stop for start, stop in taken):
                taken.append((at, end))
                yield _Call((at, end), somebody(id=option.key))
            at = text.find(option.label, end)
    for match in _HANDLE.finditer(text):
        handle = match[1].rstrip(".-")
        span = match.start(), match.start(1) + len(handle)
        inside = any(start < span[1] and span[0] < stop for start, stop in taken)
        if not inside and handle.casefold() not in _EVERYBODY:
            yield _Call(span, somebody(handle=handle))


def _one_called(text: str, context: Context, called: Sequence[_Call]) -> Reading:
    values = list({str(one.value): one.value for one in called}.values())
    rest = judge(reply(text, context, "person"), (), places=[one.span for one in called])
    if len(values) > 1:
        return beside(*values, reason=rest.reason or "another_value")
    if rest.harmless:
        return settled(values[0])
    named = _named_too(text, context, called[0]) if len(called) == 1 else None
    return named or beside(values[0], reason=rest.reason)


def _named_too(text: str, context: Context, call: _Call) -> Reading | None:
    """A handle with the name that goes with it: "Kim Lindner (@kim)"."""
    handle = call.value["handle"]
    if not handle:
        return None
    start, end = call.span
    before, after = text[:start].rstrip(" (["), text[end:].lstrip(" )]")
    name = person(f"{before} {after}", context)
    if name.outcome is not Outcome.SETTLED:
        return None
    return settled(somebody(handle=handle, name=name.value["name"]))


# Named


def _spoken(text: str, context: Context, words: Lexicon) -> Reading | None:
    """A reply that speaks to the bot, or says that there is nobody; None where it may be a name."""
    nobody = no_entry(text, words)
    if nobody is not None:
        return nobody
    found = aside(text, context)
    if found is None:
        return None
    if found.reason == "question":
        told = _QUESTION.sub("", text)
        names = list(_runs(told, words.tokens(told), words))
    else:
        names = [text] if found.proposals and _is_name(text) else []
    return beside(*(somebody(name=one) for one in names), reason=found.reason)


class _Name:
    """A reply that may be a name, and what people put around it."""

    def __init__(self, text: str, context: Context, words: Lexicon) -> None:
        self.text = text
        self.context = context
        self.words = words
        self.found = words.tokens(text)
        said = {part for noun in context.nouns for part in normal(noun).split()}
        self.nouns = said | {f"{noun}s" for noun in said}
        self.wide: Span | None = None
        """The tokens of the name with what was left out and may be a part of it."""

    def reading(self) -> Reading:
        start, end = self._without_ends()
        if start >= end:
            return beside()
        name = self._between(start, end)
        turning = self._turning(start, end)
        if turning:
            return beside(*self._proposals(turning), reason=turning)
        if not _is_name(name):
            return self._no_name(name)
        if len(name) > (self.context.max_length or _LONGEST):
            most = self.context.max_length or _LONGEST
            return invalid("too_long", maximum=str(most))
        if self.wide is not None:
            wide = self._between(min(start, self.wide[0]), max(end, self.wide[1]))
            return suggested(somebody(name=name), somebody(name=wide))
        first = self.found[start].norm
        if first in self.words.vocabulary or first in talk(FALLBACK).vocabulary:
            # "Will Ferris" may be somebody, and "Ask Ferris" may ask for something.
            return suggested(somebody(name=name))
        return settled(somebody(name=name))

    def _between(self, start: int, end: int) -> str:
        shown = self.text[self.found[start].start : self.found[end - 1].end]
        is_sentence = _SEPARATORS.search(shown[-1:]) or shown.endswith(".")
        return shown.rstrip(" .,;:!") if is_sentence else shown

    # What stands around a name

    def _without_ends(self) -> tuple[int, int]:
        start, end = 0, len(self.found)
        while start < end and (length := self._before(start, end)):
            start += length
        while start < end and (length := self._behind(start, end)):
            end -= length
        return start, end

    def _before(self, at: int, end: int) -> int:
        """How many tokens at a place come before a name; 0 where the name begins."""
        token = self.found[at]
        if token.kind in (Kind.PUNCT, Kind.EMOJI) and not token.is_question:
            return 1
        if length := self._noun(at, end):
            return length
        classes = (*_COURTESY, "be") if at else _COURTESY
        match = self.words.match(self.found[:end], at, classes)
        if match is None:
            return 0
        self._doubt(at, at + match.length, end)
        return match.length

    def _behind(self, start: int, end: int) -> int:
        """How many of the last tokens come behind a name."""
        last = self.found[end - 1]
        if last.kind in (Kind.PUNCT, Kind.EMOJI) and not last.is_question:
            return 1
        for at in range(max(start + 1, end - 12), end):
            if at + self._noun(at, end) == end:
                return end - at
            match = self.words.match(self.found[:end], at, (*_COURTESY, "be"))
            if match is not None and at + match.length == end:
                self._doubt(at, end, end)
                return end - at
        return 0

    def _noun(self, at: int, end: int) -> int:
        """How many tokens name what is asked for: "helper", "my team lead"; 0 where none do."""
        first = self.found[at]
        article = first.is_word and (at == 0 or not _is_capital(first.text))
        start = at + 1 if article and first.norm not in self.nouns else at
        stop = start
        while stop < end and self.found[stop].norm in self.nouns:
            stop += 1
        return stop - at if stop > start else 0

    def _doubt(self, start: int, stop: int, end: int) -> None:
        """A word alone, written as a name is and set off by nothing, may be a part of it."""
        if stop - start > 1 or not _is_capital(self.found[start].text):
            return
        beside_it = [self.found[at] for at in (start - 1, stop) if 0 <= at < end]
        if beside_it and all(token.is_word for token in beside_it):
            first, last = self.wide or (start, stop)
            self.wide = min(first, start), max(last, stop)

    # What is no name alone

    def _turning(self, start: int, end: int) -> str:
        """Why a reply is none ("not Kim", "maybe Kim"); empty where nothing turns it."""
        for at in range(start, end):
            token = self.found[at]
            if token.is_question:
                return "question"
            if at > start and token.is_word and _is_capital(token.text):
                continue
            match = self.words.match(self.found[:end], at, REASONS.keys())
            if match is not None:
                return next(why for name, why in REASONS.items() if name in match.classes)
            if self.words.match(self.found[:end], at, _JOINTS) is not None:
                return "another_value"
        return ""

    def _no_name(self, name: str) -> Reading:
        parts = [part.strip() for part in name.split(",")]
        if len(parts) == 2 and all(_is_name(part) for part in parts):
            # "Lindner, Kim" may be one name turned round.
            return suggested(somebody(name=name))
        words = name.split()
        small = len(words) <= 3 and all(_PART.fullmatch(word) for word in words)
        known = any(normal(word.strip(".")) in self.words.vocabulary for word in words)
        if small and not known and not any(_is_capital(word) for word in words):
            return suggested(somebody(name=name))
        return beside(*self._proposals(""))

    def _proposals(self, turning: str) -> list[Value]:
        """The names that stand in the reply; who is not meant is not offered."""
        if turning == "negation":
            return []
        runs = list(_runs(self.text, self.found, self.words))
        return [somebody(name=one) for one in dict.fromkeys(runs)][:3]


def _runs(text: str, found: Sequence[Token], words: Lexicon) -> Iterator[str]:
    """The runs of words that look like names."""
    run: list[Token] = []
    for token in [*found, None]:
        follows = bool(run) and token is not None and not text[run[-1].end : token.start].strip()
        known = token is not None and not run and token.norm in words.vocabulary
        fits = token is not None and token.is_word and _is_capital(token.text) and not known
        if run and not (follows and fits):
            yield text[run[0].start : run[-1].end]
            run = []
        if token is not None and fits:
            run.append(token)


def _is_name(text: str) -> bool:
    """Whether a text looks like a name, and like nothing else."""
    words = text.split()
    if not 0 < len(words) <= _MOST_WORDS or _SEPARATORS.search(text):
        return False
    if not all(_PART.fullmatch(word) for word in words):
        return False
    fits = [_is_capital(word) or word in _PARTICLES for word in words]
    return all(fits) and any(map(_is_capital, words))


def _is_capital(word: str) -> bool:
    """Whether a word begins as a name does, in a script that has capital letters or has none."""
    return word[:1].isalpha() and not word[:1].islower()
