"""Find the days that a reply names: "the 4th of March", "Friday next week", "in two weeks".

A mention says what is known of a day and leaves open what is not; `core.reading.dates` settles
which day that is. Where people mean two things by one phrase ("next Saturday" said on a Friday,
"03/04"), a mention has two readings, and nothing here chooses between them.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache

from babel import Locale, UnknownLocaleError

from core.reading import figures
from core.reading.lexicon import lexicon
from core.reading.numerals import Numerals, numerals
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

_WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Day:
    """What a phrase says of a day. `exact` is the day itself, if it and today give it."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    exact: date | None = None

    def and_also(self, other: Day) -> Day | None:
        """One day that both say something of; None if they name the same part of it twice."""
        parts = ("year", "month", "day", "weekday", "exact")
        both = [name for name in parts if getattr(self, name) is not None]
        if any(getattr(other, name) is not None for name in both):
            return None
        return replace(other, **{name: getattr(self, name) for name in both})


@dataclass(frozen=True)
class Mention:
    """A day named in a line: its place, and what it can mean (nothing: no such day exists)."""

    start: int
    end: int
    readings: tuple[Day, ...]

    @property
    def piece(self) -> Span:
        """Its place in the line."""
        return self.start, self.end


@dataclass(frozen=True)
class Clock:
    """What a phrase is read against: today, the locale, and how a country begins its week."""

    today: date
    locale: str
    numerals: Numerals

    @property
    def week_starts(self) -> tuple[int, ...]:
        """The weekdays that a week may begin with for this person, Monday always among them."""
        return tuple(dict.fromkeys((0, first_weekday(self.locale))))


@cache
def first_weekday(locale: str) -> int:
    """The weekday that a week begins with, Monday being 0."""
    try:
        return int(Locale.parse(locale.replace("-", "_")).first_week_day)
    except (UnknownLocaleError, ValueError):
        return 0


@dataclass(frozen=True)
class Grammar:
    """The day phrases of one language, by what they mean.

    `loose` are counts of days that also stand for another: "in acht Tagen" is mostly in a week.
    """

    numerals: Numerals
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    ordinals: Mapping[str, int]
    relative: Mapping[str, int]
    units: Mapping[str, str]
    loose: Mapping[int, int]
    rules: tuple[tuple[str, re.Pattern[str]], ...]
    between: re.Pattern[str]


@cache
def grammar(language: str) -> Grammar:
    """The day grammar of a language."""
    section = lexicon(language).sections.get("dates") or {}
    given = numerals(language)
    months, weekdays = table(section.get("months")), table(section.get("weekdays"))
    ordinals, relative = table(section.get("ordinals")), table(section.get("relative"))
    units = table(section.get("units"))
    marks = either(s for mark in listed(section.get("marks")) for s in spellings(mark))
    marked = rf"\d{{1,2}} ?{marks}|{either(ordinals)}"
    weekday, named = rf"{either(weekdays)}\.?", rf"{either(months)}\.?"
    spoken = given.words if section.get("cardinal_days") else "(?!)"
    slots = {
        "day": rf"{marked}|\d{{1,2}}|{spoken}",
        "marked": marked,
        "nth": either(ordinals) + rf"|\d{marks}",
        "month": named,
        "weekday": weekday,
        "relative": either(relative),
        "base": rf"{either(relative)}|{weekday}",
        "unit": either(units),
        "count": rf"\d{{1,3}}|{given.words}",
        "year": r"(?:19|20)\d\d|'\d\d",
    }
    rules = [
        (name, pattern)
        for name, entry in (section.get("patterns") or {}).items()
        for pattern in templates(entry, slots)
    ]
    rules += [(name, alone(pattern)) for name, pattern in figures.shapes(named).items()]
    between = either(s for word in listed(section.get("between")) for s in spellings(word))
    return Grammar(
        numerals=given,
        months=months,
        weekdays=weekdays,
        ordinals=ordinals,
        relative=relative,
        units=units,
        loose=section.get("loose") or {},
        rules=tuple(rules),
        between=re.compile(rf"[ ,.(]{{0,3}}(?:{between} )?"),
    )


def mentions(line: Flat, language: str, locale: str, today: date) -> list[Mention]:
    """The days that a line names, from left to right; parts of one day are one mention."""
    given = grammar(language)
    clock = Clock(today, locale, given.numerals)
    matches = [
        (match.start(), match.end(), (name, match))
        for name, pattern in given.rules
        for match in pattern.finditer(line.text)
    ]
    # What is listed under "no_day" only looks like a day: the "mañana" of "por la mañana".
    found = [
        Mention(start, end, tuple(dict.fromkeys(_RULES[name](match, given, clock))))
        for start, end, (name, match) in longest(matches)
        if name != "no_day"
    ]
    return _together(found, line, given)


def _together(found: Iterable[Mention], line: Flat, given: Grammar) -> list[Mention]:
    """Join what stands side by side and says different things of one day: "Friday, the 13th"."""
    joined: list[Mention] = []
    for mention in found:
        last = joined[-1] if joined else None
        if last and given.between.fullmatch(line.text[last.end : mention.start]):
            both = [one.and_also(other) for one in last.readings for other in mention.readings]
            if both and all(both):
                readings = tuple(one for one in both if one)
                joined[-1] = Mention(last.start, mention.end, readings)
                continue
        joined.append(mention)
    return joined


Match = re.Match[str]


def _group(match: Match, name: str) -> str | None:
    return match[name] if name in match.re.groupindex else None


def _number(text: str, given: Grammar) -> int:
    """The day or count that a slot holds; 0 if it is none."""
    if figures := re.match(r"\d+", text):
        return int(figures[0])
    if text in given.ordinals:
        return given.ordinals[text]
    value = given.numerals.value(text)
    return int(value) if value is not None and value == int(value) else 0


def _named(word: str, words: Mapping[str, int]) -> int:
    return words[word.rstrip(".")] if word.rstrip(".") in words else words[word]


def _day_month(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
    year = figures.year_of(_group(match, "year"), clock.today)
    yield Day(year, _named(match["month"], given.months), _number(match["day"], given))


def _day(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
    name = "marked" if _group(match, "marked") else "day"
    yield Day(day=_number(match[name], given))


def _in_month(months: int) -> Rule:
    def rule(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
        first = month_later(clock.today.replace(day=1), months)
        yield Day(first.year, first.month, _number(match["day"], given))

    return rule


def _weekday(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
    yield Day(weekday=_named(match["weekday"], given.weekdays))


def _weekday_day(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
    weekday = _named(match["weekday"], given.weekdays)
    yield Day(day=_number(match["day"], given), weekday=weekday)


def _coming(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
    yield Day(exact=_after(clock.today, _named(match["weekday"], given.weekdays)))


def _next(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
    # Some say it of the very next one, some of the one in next week.
    yield from _coming(match, given, clock)
    yield from _in_week(1)(match, given, clock)


def _last(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
    yield Day(exact=_after(clock.today, _named(match["weekday"], given.weekdays)) - _WEEK)


def _in_week(weeks: int) -> Rule:
    def rule(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
        wanted = _named(match["weekday"], given.weekdays)
        days = [
            clock.today
            - timedelta(days=(clock.today.weekday() - start) % 7)
            + timedelta(days=(wanted - start) % 7 + 7 * weeks)
            for start in clock.week_starts
        ]
        ahead = [day for day in days if weeks or day >= clock.today]
        yield from (Day(exact=day) for day in ahead or days)

    return rule


def _relative(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
    yield Day(exact=clock.today + timedelta(days=given.relative[match["relative"]]))


def _later(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
    """Some days, weeks, months or years after today, or after another day that is named."""
    count = _number(match["count"], given) if _group(match, "count") else 1
    unit = given.units[match["unit"]]
    base = _group(match, "base")
    if not base:
        starts = [clock.today]
    elif base in given.relative:
        starts = [clock.today + timedelta(days=given.relative[base])]
    else:
        wanted = _named(base, given.weekdays)
        starts = [_after(clock.today, wanted)]
        if clock.today.weekday() == wanted:
            starts.append(clock.today)
    counts = {count, given.loose.get(count, count)} if unit == "day" else {count}
    for start in starts if 0 < count < 1000 else ():
        for one in sorted(counts):
            yield from _moved(start, one, unit)


def _moved(start: date, count: int, unit: str) -> Iterable[Day]:
    if unit in ("day", "week"):
        yield Day(exact=start + timedelta(days=count * (7 if unit == "week" else 1)))
        return
    months = count * (12 if unit == "year" else 1)
    moved = month_later(start, months)
    yield Day(exact=moved)
    if moved.day != start.day:
        # A month after 31 January: the month's last day, or the day after it.
        yield Day(exact=moved + timedelta(days=1))


def _nth_weekday(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
    month = _named(match["month"], given.months)
    year = figures.year_of(_group(match, "year"), clock.today)
    years = [year] if year else [clock.today.year, clock.today.year + 1]
    days = [_nth_of(match, given, date(one, month, 1)) for one in years]
    ahead = [day for day in days if day and (year or day >= clock.today)]
    yield from (Day(exact=day) for day in ahead[:1])


def _nth_weekday_in(months: int) -> Rule:
    def rule(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
        day = _nth_of(match, given, month_later(clock.today.replace(day=1), months))
        if day:
            yield Day(exact=day)

    return rule


def _nth_of(match: Match, given: Grammar, first: date) -> date | None:
    weekday = _named(match["weekday"], given.weekdays)
    days = monthrange(first.year, first.month)[1]
    if not _group(match, "nth"):
        end = first.replace(day=days)
        return end - timedelta(days=(end.weekday() - weekday) % 7)
    day = 1 + (weekday - first.weekday()) % 7 + 7 * (_number(match["nth"], given) - 1)
    return first.replace(day=day) if 1 <= day <= days else None


def _in_figures(match: Match, given: Grammar, clock: Clock) -> Iterable[Day]:
    for year, month, day in figures.readings(match, clock.locale, clock.today):
        if month and day:  # There is no "1.00."
            yield Day(year, month, day)


def _after(today: date, weekday: int) -> date:
    """The next day of a weekday, today not among them."""
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def month_later(start: date, months: int) -> date:
    """The same day some months later, or that month's last day."""
    years, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(years, month + 1, min(start.day, monthrange(years, month + 1)[1]))


Rule = Callable[[Match, Grammar, Clock], Iterable[Day]]

_RULES: dict[str, Rule] = {
    "day_month": _day_month,
    "day": _day,
    "day_this_month": _in_month(0),
    "day_next_month": _in_month(1),
    "weekday": _weekday,
    "weekday_day": _weekday_day,
    "coming": _coming,
    "next": _next,
    "last": _last,
    "this_week": _in_week(0),
    "next_week": _in_week(1),
    "relative": _relative,
    "later": _later,
    "nth_weekday": _nth_weekday,
    "nth_weekday_this_month": _nth_weekday_in(0),
    "nth_weekday_next_month": _nth_weekday_in(1),
    "year_first": _in_figures,
    "figures": _in_figures,
    "short": _in_figures,
}
