"""Read a reply as a duration, in whole minutes: "an hour and a half", "90 min", "1h30".

A bare number has no unit and is only suggested, unless the ask names the unit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from core.reading.answers import Reply, answer, judge, reply, within
from core.reading.lexicon import lexicon
from core.reading.numerals import LITERAL, Numerals, literal, numerals
from core.reading.patterns import (
    Flat,
    Span,
    alone,
    either,
    listed,
    longest,
    spellings,
    table,
    templates,
)
from core.reading.result import Context, Reading, beside, invalid, settled, suggested

_HOUR = 60
# A bare number up to this is taken for hours, a larger one for minutes.
_MOST_HOURS = 9


@dataclass(frozen=True)
class Mention:
    """A duration named in a line: its place, and its minutes (None: there are no such)."""

    start: int
    end: int
    minutes: Decimal | None

    @property
    def piece(self) -> Span:
        """Its place in the line."""
        return self.start, self.end


@dataclass(frozen=True)
class Grammar:
    """The duration phrases of one language."""

    numerals: Numerals
    units: Mapping[str, int]
    phrases: Mapping[str, int]
    rules: tuple[re.Pattern[str], ...]
    ahead: re.Pattern[str]
    behind: re.Pattern[str]


@cache
def grammar(language: str) -> Grammar:
    """The duration grammar of a language."""
    section = lexicon(language).sections.get("durations") or {}
    given = numerals(language)
    units, phrases = table(section.get("units")), table(section.get("phrases"))
    count, unit = f"{LITERAL}|{given.words}", either(units)
    hours = either(word for word, minutes in units.items() if minutes == _HOUR)
    slots = {"count": count, "unit": unit, "half": either(given.half)}
    shared = [
        alone(rf"(?P<phrase>{either(phrases)})"),
        alone(rf"(?P<count>{count}) ?(?P<unit>{unit})"),
        alone(r"(?P<count>[01]?\d|2[0-4]):(?P<minutes>[0-5]\d)(?: ?h)?"),
        alone(rf"(?P<count>\d{{1,2}}) ?(?P<unit>{hours}) ?(?P<minutes>[0-5]?\d)"),
    ]
    ahead = either(s for word in listed(section.get("ahead")) for s in spellings(word))
    behind = either(s for word in listed(section.get("behind")) for s in spellings(word))
    return Grammar(
        numerals=given,
        units=units,
        phrases=phrases,
        rules=(*shared, *templates(section.get("patterns"), slots)),
        ahead=re.compile(rf"(?<!\w){ahead} $"),
        behind=re.compile(rf" {behind}(?!\w)"),
    )


def mentions(line: Flat, language: str, locale: str) -> list[Mention]:
    """The durations that a line names, from left to right."""
    given = grammar(language)
    matches = [
        (match.start(), match.end(), match)
        for pattern in given.rules
        for match in pattern.finditer(line.text)
    ]
    return [
        Mention(start, end, _minutes(match, given, locale))
        for start, end, match in longest(matches)
    ]


def _minutes(match: re.Match[str], given: Grammar, locale: str) -> Decimal | None:
    groups = match.groupdict()
    if groups.get("phrase"):
        return Decimal(given.phrases[groups["phrase"]])
    units = [given.units.get(groups.get(name) or "", _HOUR) for name in ("unit", "unit2")]
    if groups.get("unit2") and units[1] >= units[0]:
        return None
    total = Decimal(groups.get("minutes") or 0)
    for tag, unit in zip(("", "2"), units, strict=True):
        if f"count{tag}" not in groups and f"unit{tag}" not in groups:
            continue
        text = groups.get(f"count{tag}")
        count = _count(text, given, locale) if text else Decimal(1)
        if count is None:
            return None
        total += count * unit
    # "an hour and a half": half of the unit that was named.
    if groups.get("half"):
        total += Decimal(given.units[groups["unit"] or ""]) / 2
    return total


def _count(text: str, given: Grammar, locale: str) -> Decimal | None:
    if text[0].isdigit():
        values = literal(text, locale)
        return values[0] if len(values) == 1 else None
    return given.numerals.value(text)


def from_now(line: Flat, lasting: Mention, language: str) -> Span | None:
    """The place of a duration with the words that count it from now ("in ...", "... from now")."""
    ahead, behind = grammar(language).ahead, grammar(language).behind
    if before := ahead.search(line.text[: lasting.start]):
        return before.start(), lasting.end
    if after := behind.match(line.text, lasting.end):
        return lasting.start, after.end()
    return None


def read_duration(text: str, context: Context) -> Reading:
    """The reading of a reply to an ask for a duration."""
    given = reply(text, context, "duration")
    found = mentions(given.line, given.words.language, context.locale)
    if not found:
        return _bare(given)
    rest = judge(given, [mention.piece for mention in found])
    said = list(dict.fromkeys(mention.minutes for mention in found))
    whole = [int(one) for one in said if one is not None and one == int(one)]
    if len(said) > 1:
        return beside(*whole, reason=rest.reason or "another_value")
    if not whole:
        return invalid("whole") if rest.harmless and said[0] is not None else beside()
    return answer(whole, rest, lambda value: _refusal(value, context))


def _refusal(value: int, context: Context) -> Reading | None:
    if value <= 0:
        return invalid("too_small", minimum="1")
    return within(value, context.minimum, context.maximum)


def _bare(given: Reply) -> Reading:
    """A number without a unit: the unit that the ask names, or a suggestion of the likely one."""
    known = grammar(given.words.language)
    match = re.fullmatch(rf"({LITERAL}|{known.numerals.words})[.!]?", given.line.text)
    count = _count(match[1], known, given.context.locale) if match else None
    if not count or count < 0:
        return beside()
    named = {known.units[noun] for noun in given.nouns if noun in known.units}
    likely = _HOUR if count <= _MOST_HOURS else 1
    minutes = count * (next(iter(named)) if len(named) == 1 else likely)
    if minutes != int(minutes):
        return invalid("whole")
    if len(named) == 1:
        return _refusal(int(minutes), given.context) or settled(int(minutes))
    return suggested(int(minutes))


READERS = {"duration": read_duration}
