"""Read a reply as one number: "4", "there will be twenty-five of us", "1,200 please".

A range, an ordinal, a number with a unit of its own or beside another number is no answer. A noun
may stand at the number when it is one that people count, or one that the ask is about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import chain, pairwise

from core.reading.answers import Reply, answer, choice, judge, reply, within
from core.reading.leftover import Rest
from core.reading.lexicon import lexicon
from core.reading.numerals import LITERAL, Numerals, decimal_mark, literal, numerals
from core.reading.patterns import CLOSES, OPENS, Flat, Span, either, listed, spellings
from core.reading.result import Context, Reading, beside, invalid, suggested


@dataclass(frozen=True)
class Number:
    """A number in a line: its place, and what it can mean (nothing, if it is malformed).

    A `weak` one is an article as well ("ein", "una"): it counts only if no other number is there. A
    `doubtful` one has another country's decimal mark, which may as well part two numbers ("1,5").
    """

    start: int
    end: int
    values: tuple[Decimal, ...]
    weak: bool = False
    doubtful: bool = False

    @property
    def piece(self) -> Span:
        """Its place in the line."""
        return self.start, self.end


@dataclass(frozen=True)
class Grammar:
    """What the reader of numbers knows of one language.

    `never_after` are words after which a number is no count ("at 6").
    """

    numerals: Numerals
    pattern: re.Pattern[str]
    weak: frozenset[str]
    people: frozenset[str]
    things: frozenset[str]
    never_after: re.Pattern[str]


@cache
def grammar(language: str) -> Grammar:
    """The number grammar of a language."""
    section = lexicon(language).sections.get("numbers") or {}
    given = numerals(language)

    def words(name: str) -> frozenset[str]:
        return frozenset(s for word in listed(section.get(name)) for s in spellings(word))

    minus = either([*words("minus"), "\0"])
    return Grammar(
        numerals=given,
        pattern=re.compile(
            rf"(?:(?P<sign>(?<![\w,.:/\-])-)|(?P<minus>(?<!\w){minus}) )?{OPENS}"
            rf"(?:(?P<digits>{LITERAL})(?P<scale>{given.scaled})?|(?P<words>{given.words})){CLOSES}"
        ),
        weak=words("weak"),
        people=words("people"),
        things=words("things"),
        never_after=re.compile(rf"(?<!\w){either(words('never_after'))} $"),
    )


def numbers(line: Flat, language: str, locale: str) -> list[Number]:
    """The numbers of a line, from left to right."""
    given = grammar(language)
    found = [_number(match, given, locale) for match in given.pattern.finditer(line.text)]
    return [one for one in found if not one.weak] or found


def _number(match: re.Match[str], given: Grammar, locale: str) -> Number:
    values: tuple[Decimal, ...]
    if match["words"]:
        value = given.numerals.value(match["words"])
        values = () if value is None else (value,)
    else:
        values = literal(match["digits"], locale)
        if match["scale"]:
            factor = given.numerals.times(match["scale"].strip())
            # Nobody groups digits before "k": "1.200k" is a slip of some kind.
            values = tuple(value * factor for value in values[:1])
    if match["minus"]:
        values = tuple(-value for value in values)
    elif match["sign"]:
        # "-5" alone is below zero; "guests -5" may as well be a dash.
        dash = values if match.string[: match.start()].strip() else ()
        values = (*(-value for value in values), *dash)
    foreign = {".": ",", ",": "."}[decimal_mark(locale)]
    doubtful = match["digits"] is not None and bool(
        re.fullmatch(rf"\d+[{foreign}]\d{{1,2}}", match["digits"])
    )
    return Number(match.start(), match.end(), values, match[0] in given.weak, doubtful)


def read_number(text: str, context: Context) -> Reading:
    """The reading of a reply to an ask for a number."""
    given = reply(text, context, "number")
    found = numbers(given.line, given.words.language, context.locale)
    if not found or not all(one.values for one in found):
        return beside()
    values = tuple(_plain(value) for value in dict.fromkeys(chain(*(one.values for one in found))))
    pieces = [one.piece for one in found]
    several = len({one.values for one in found}) > 1
    offered = choice(given, pieces) if several else None
    rest = _judged(given, [offered] if offered else pieces)
    if several and not offered:
        return beside(*values, reason=rest.reason or "another_value")
    if _repeated(found, given.line):
        return beside(*values, reason=rest.reason or "another_value")
    if rest.harmless and (offered or any(one.doubtful for one in found)):
        return suggested(*values)
    return answer(values, rest, lambda value: _refusal(value, context))


def _repeated(found: Sequence[Number], line: Flat) -> bool:
    """Whether the same number stands twice with nothing between: "5 5" may be a slip for 55."""
    return any(not line.text[a.end : b.start].strip() for a, b in pairwise(found))


def _judged(given: Reply, pieces: Sequence[Span]) -> Rest:
    known = grammar(given.words.language)
    nouns = known.people if given.nouns else known.people | known.things
    rest = judge(given, pieces, nouns=nouns)
    before = given.line.text[: pieces[0][0]]
    if rest.harmless and known.never_after.search(before):
        return Rest("another_value")
    return rest


def _plain(value: Decimal) -> int | Decimal:
    return int(value) if value == value.to_integral_value() else value.normalize()


def _refusal(value: int | Decimal, context: Context) -> Reading | None:
    if context.whole and isinstance(value, Decimal):
        return invalid("whole", example=str(round(value)))
    return within(value, context.minimum, context.maximum)


READERS = {"number": read_number}
