"""From the values found in a reply to its reading: what stands beside them, and what bounds them.

Shared by the readers of numbers, money, dates, times, durations and addresses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

from core.reading.currencies import SMALL_CODES
from core.reading.leftover import Rest, leftover
from core.reading.lexicon import Lexicon, languages, lexicon
from core.reading.patterns import Flat, Span, either, expression, flat, listed, spellings
from core.reading.result import Context, Reading, beside, invalid, settled, suggested
from core.reading.tokens import Kind, Token, normal

# Marks that say nothing of their own. A sign such as % or / beside a number changes what it means.
_QUIET = frozenset(".,!…:;()-\n¡¿_")
_QUIET_IN_PAIRS = frozenset("\"'*")
_NEAR = 60
_SHORT = 3
# Short words that mean the same wherever they stand at a number.
_EVERYWHERE = frozenset({"h", "hr", "min", "am", "pm", "p", "m", "k", "e", "t", "ok", *SMALL_CODES})
# No answer names more values than this, and judging them all would take long.
_MOST_VALUES = 12


@dataclass(frozen=True)
class Reply:
    """A reply to be read as a value: its tokens, its line, and the words of its language."""

    tokens: Sequence[Token]
    line: Flat
    words: Lexicon
    context: Context
    kind: str = field(default="")

    @cached_property
    def around(self) -> Around:
        """What people put around a value of this kind."""
        return around(self.words.language, self.kind)

    @cached_property
    def nouns(self) -> frozenset[str]:
        """The words that the ask is about, as a reply may spell them: one or several of a thing."""
        said = {part for noun in self.context.nouns for part in normal(noun).split()}
        return frozenset(said | {f"{word}s" for word in said} | {w.removesuffix("s") for w in said})


def reply(text: str, context: Context, kind: str) -> Reply:
    """The reply that a text is."""
    words = lexicon(context.locale)
    found = words.tokens(text)
    return Reply(found, flat(found), words, context, kind)


@dataclass(frozen=True)
class Around:
    """The words that are harmless around one kind of value, in one language.

    `lead` and `tail` are harmless only directly before and behind it ("until Friday"), `requests`
    are answers put as a polite question ("could you make it ...?"), `openers` answer an
    offer before the answer itself ("no, the 8th"), `pronouns` are uses of a number word that count
    nothing ("I'd like one at noon"), `inverted` are verbs that ask when a value follows
    ("is Friday okay"), `joins` make two things of what is counted, `choices` stand between values
    that are put as a choice.
    """

    words: frozenset[str]
    lead: re.Pattern[str]
    tail: re.Pattern[str]
    requests: re.Pattern[str]
    openers: re.Pattern[str]
    pronouns: re.Pattern[str]
    inverted: frozenset[str]
    articles: frozenset[str]
    joins: frozenset[str]
    choices: re.Pattern[str]


@cache
def around(language: str, kind: str) -> Around:
    """The harmless words of a language for a kind."""
    section = lexicon(language).sections.get("around") or {}
    kinds = ("all", "date", "time") if kind == "datetime" else ("all", kind)

    def entries(name: str) -> list[str]:
        found = section.get(name) or {}
        return [entry for one in kinds for entry in listed(found.get(one))]

    def spelled(name: str) -> str:
        return either(s for entry in entries(name) for s in spellings(entry))

    def templated(name: str) -> str:
        found = [expression(entry, {}) for entry in entries(name)]
        return "(?:" + "|".join(found) + ")" if found else "(?!)"

    return Around(
        words=frozenset(part for e in entries("words") for s in spellings(e) for part in s.split())
        | frozenset(map(normal, entries("accented"))),
        lead=re.compile(rf"(?<!\w)(?:{spelled('lead')}[ :,]{{1,2}}){{1,3}}$"),
        tail=re.compile(rf"(?:[ ,]{{0,2}}{spelled('tail')}(?!\w)){{1,2}}"),
        requests=re.compile(rf"(?<!\w){templated('requests')}(?!\w)"),
        openers=re.compile(rf"{spelled('openers')} ?(?:[,!;-]|\.(?! ?\d))"),
        pronouns=re.compile(
            rf"(?<!\w){templated('pronouns')}(?= ?$| ?[^\w ]| {spelled('positions')}(?!\w))"
        ),
        inverted=frozenset(s for entry in entries("inverted") for s in spellings(entry)),
        articles=frozenset(s for entry in entries("articles") for s in spellings(entry)),
        joins=frozenset(s for entry in entries("joins") for s in spellings(entry)),
        choices=re.compile(rf" ?(?:[,/]|,? ?{spelled('choices')}) ?"),
    )


def judge(
    given: Reply,
    pieces: Iterable[Span],
    *,
    nouns: frozenset[str] = frozenset(),
    places: Sequence[Span] = (),
) -> Rest:
    """Judge what stands beside the values.

    `pieces` are their places in the line, `places` those of values found in the reply as typed.
    """
    values = sorted(pieces)
    if len(values) > _MOST_VALUES:
        return Rest("another_value")
    extra = _framing(given, values)
    spans = [given.line.place(*piece) for piece in [*values, *extra] if piece[0] < piece[1]]
    spans.extend(places)
    asked = bool(given.around.requests.search(given.line.text))
    found = given.tokens
    if asked and found and found[-1].is_question:
        found = found[:-1]
    loose = [t for t in found if not any(t.start < end and start < t.end for start, end in spans)]
    rest = leftover(found, spans, given.words, nouns=given.around.words | nouns | given.nouns)
    if not rest.harmless:
        return rest
    if cut := [token for token in found if _cut(token, spans)]:
        return Rest("beside", tuple(cut))
    if strange := _strange(given, places):
        return Rest("beside", tuple(strange))
    if not asked and (asking := _asking(given, values)):
        return Rest("question", tuple(asking))
    if odd := _odd(loose) or _signs(given, values):
        return Rest("beside", tuple(odd))
    joins = [t for t in loose if t is not found[0] and t.norm in given.around.joins]
    return Rest("another_value", tuple(joins)) if joins else rest


def _framing(given: Reply, values: Sequence[Span]) -> list[Span]:
    """The places of what people put around values, beside the words that are harmless anywhere."""
    text, near = given.line.text, given.around
    found: list[Span] = []
    for start, end in values:
        begin = max(0, start - _NEAR)
        if before := near.lead.search(text[begin:start]):
            found.append((begin + before.start(), start))
        if behind := near.tail.match(text, end):
            found.append(behind.span())
    for pattern in (near.requests, near.pronouns):
        found.extend(match.span() for match in pattern.finditer(text))
    if opener := near.openers.match(text):
        found.append(opener.span())
    return [_trimmed(text, piece) for piece in found]


def _trimmed(text: str, piece: Span) -> Span:
    start, end = piece
    while start < end and text[start] == " ":
        start += 1
    while start < end and text[end - 1] == " ":
        end -= 1
    return start, end


def _cut(token: Token, spans: Sequence[Span]) -> bool:
    """Whether a value ends within a token, so that the rest of the token is not accounted for."""
    touching = [span for span in spans if token.start < span[1] and span[0] < token.end]
    return bool(touching) and not any(s <= token.start and token.end <= e for s, e in touching)


def _odd(loose: Sequence[Token]) -> list[Token]:
    """The marks among the leftovers that may change a value's meaning: "%", "~", one quote."""
    odd = [
        token
        for token in loose
        if token.kind is Kind.SYMBOL
        or (token.kind is Kind.PUNCT and token.norm not in _QUIET | _QUIET_IN_PAIRS)
    ]
    for mark in _QUIET_IN_PAIRS:
        paired = [token for token in loose if token.norm == mark]
        odd.extend(paired if len(paired) % 2 else ())
    return odd


def choice(given: Reply, pieces: Sequence[Span]) -> Span | None:
    """The one place of several values that are put as a choice ("2 or 3"); None if they are not."""
    text = given.line.text
    gaps = [text[left[1] : right[0]] for left, right in pairwise(pieces)]
    if not gaps or not all(map(given.around.choices.fullmatch, gaps)):
        return None
    return pieces[0][0], pieces[-1][1]


def _strange(given: Reply, places: Sequence[Span]) -> list[Token]:
    """The short words of a reply in a language without a file, if it has no others.

    Such a reply is read as English, and short words mean other things elsewhere ("do 5" is "up to
    5" in Polish). One longer English word shows that it is English indeed.
    """
    language = given.context.locale.replace("_", "-").partition("-")[0].casefold()
    if language in languages() or not language:
        return []
    words = [
        token
        for token in given.tokens
        if token.is_word
        and token.norm not in _EVERYWHERE
        and not any(token.start < end and start < token.end for start, end in places)
    ]
    return [] if any(len(token.norm) > _SHORT for token in words) else words


def _asking(given: Reply, values: Sequence[Span]) -> list[Token]:
    """The verbs that begin a sentence and have a value behind them: a question without its mark."""
    starts = {given.line.place(*value)[0] for value in values}
    found: list[Token] = []
    at, opening = 0, True
    while at < len(given.tokens):
        token = given.tokens[at]
        length = 1
        if token.kind is Kind.PUNCT:
            opening = True
        elif hit := given.words.match(given.tokens, at, _LEADING):
            length = hit.length
        elif opening:
            article = [t.norm in given.around.articles for t in given.tokens[at + 1 : at + 2]]
            behind = given.tokens[at + 1 : at + (3 if any(article) else 2)]
            if token.norm in given.around.inverted and any(t.start in starts for t in behind):
                found.append(token)
            opening = False
        at += length
    return found


_LEADING = ("fillers", "politeness", "greetings")


def _signs(given: Reply, values: Sequence[Span]) -> list[Token]:
    """The dashes that touch a value and no word before: a sign that the value was read without."""
    text = given.line.text
    signs = [
        given.line.place(start - 1, start)
        for start, _ in values
        if text[max(0, start - 1) : start] == "-"
        and text[max(0, start - 2) : start - 1] in ("", " ")
    ]
    return [token for token in given.tokens if (token.start, token.end) in signs]


Check = Callable[[Any], Reading | None]


def answer(values: Sequence[Any], rest: Rest, check: Check) -> Reading:
    """The reading of a reply that holds one value, which can be any of `values`."""
    good: list[Any] = []
    for value in values:
        if value not in good and check(value) is None:
            good.append(value)
    if not rest.harmless:
        return beside(*good, reason=rest.reason)
    if len(good) == 1:
        return settled(good[0])
    if good:
        return suggested(*good)
    refusals = (refusal for value in values if (refusal := check(value)))
    return next((replace(one, proposals=tuple(values)) for one in refusals), beside())


def within(value: Any, low: Any, high: Any, shown: Callable[[Any], str] = str) -> Reading | None:
    """The refusal of a value outside its bounds; None if it keeps them."""
    if low is not None and value < low:
        return invalid("too_small", minimum=shown(low))
    if high is not None and value > high:
        return invalid("too_large", maximum=shown(high))
    return None
