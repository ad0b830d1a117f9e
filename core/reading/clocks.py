"""Find the times of day that a reply names: "5 pm", "half past six in the evening", "17h30".

A mention keeps every time that its words allow. "5:30" is half past five in the morning and in the
evening; "17:30", "05:30" and "10:30" are written as a 24-hour clock shows them and mean one time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import time
from functools import cache
from typing import Any

from core.reading.lexicon import lexicon
from core.reading.numerals import Numerals, numerals
from core.reading.patterns import (
    CLOSES,
    OPENS,
    Flat,
    Span,
    either,
    expression,
    listed,
    longest,
    spellings,
    table,
)
from core.reading.tokens import fold

_HOUR = 60
_HALF = 30
_NOON = 12 * _HOUR
_DAY = 24 * _HOUR

# Ways to count from an hour: where the count starts, and which way its minutes go. German counts
# to the hour that is coming ("halb sechs" is 5:30, "fünf nach halb sechs" 5:35).
_COUNTED = {
    "past": (0, 1),
    "to": (0, -1),
    "half_to": (-30, 1),
    "before_half": (-30, -1),
    "after_half": (-30, 1),
    "three_quarters": (-15, 1),
}


@dataclass(frozen=True)
class Mention:
    """A time named in a line: its place, and the times that it can be (none: there is no such one).

    A `weak` one is a bare number, a time only where a time was asked for. A `doubtful` one has
    words that do not fit together or may mean a range ("11 in the afternoon", "5 to 6"). A `late`
    one may be in the night that follows its day ("Friday at midnight", "Friday night at 1").
    """

    start: int
    end: int
    times: tuple[time, ...]
    weak: bool = False
    doubtful: bool = False
    late: bool = False

    @property
    def piece(self) -> Span:
        """Its place in the line."""
        return self.start, self.end


@dataclass(frozen=True)
class Part:
    """A part of the day: the hours that speakers put in it, on past midnight if need be."""

    first: int
    last: int

    def holds(self, minutes: int) -> bool:
        """Whether a time of day, in minutes, is in it."""
        return self._has(minutes) or self.past_midnight(minutes)

    def past_midnight(self, minutes: int) -> bool:
        """Whether it holds the time only because it runs on past midnight."""
        return not self._has(minutes) and self._has(minutes + _DAY)

    def _has(self, minutes: int) -> bool:
        return self.first * _HOUR <= minutes < (self.last + 1) * _HOUR


@dataclass(frozen=True)
class Grammar:
    """The time phrases of one language, by how they are counted.

    `days` are parts of the day that are named with the day itself ("tonight").
    """

    numerals: Numerals
    halves: Mapping[str, str]
    parts: Mapping[str, Part]
    days: Mapping[str, Part]
    fixed: Mapping[str, int]
    minutes: Mapping[str, int]
    rules: tuple[tuple[str, re.Pattern[str]], ...] = field(repr=False)


@cache
def grammar(language: str) -> Grammar:
    """The time grammar of a language."""
    section = lexicon(language).sections.get("times") or {}
    given = numerals(language)
    halves, fixed, minutes = (table(section.get(name)) for name in ("halves", "fixed", "minutes"))
    parts, days = _parts(section, "words"), _parts(section, "days")

    def words(name: str) -> str:
        return either(s for word in listed(section.get(name)) for s in spellings(word))

    hour = rf"\d{{1,2}}|{given.words}"
    slots = {
        "hour": hour,
        "base": rf"{hour}|{either(fixed)}",
        "minute": rf"\d{{1,2}}|{either(minutes)}|{given.words}",
        "quarter": either(minutes),
        "spoken": rf"{either(minutes)}|{given.words}",
    }
    # "evening 4:30", "in the morning at 8"; "5 o'clock in the evening", "6 pm".
    before = rf"(?:(?P<before>{either(parts)})[ ,]{{1,2}}(?:{words('at')} )?)?"
    behind = (
        rf"(?P<clock> ?{words('clock')})?(?: ?(?P<half>{either(halves)}))?"
        rf"(?:[ ,]{{1,2}}(?P<behind>{either(parts)}))?"
    )
    rules = [
        (name, re.compile(f"{OPENS}{before}(?:{shape}){behind}{CLOSES}"))
        for name, shape in (*_figures(hour, either(fixed)), *_spoken(section, slots))
    ]
    return Grammar(given, halves, parts, days, fixed, minutes, tuple(rules))


def _parts(section: Mapping[str, Any], name: str) -> dict[str, Part]:
    return {
        spelled: Part(*entry["hours"])
        for entry in (section.get("parts") or {}).values()
        for word in listed(entry.get(name))
        for spelled in spellings(word)
    }


def _figures(hour: str, fixed: str) -> list[tuple[str, str]]:
    """Times in figures, alike in all languages, and the hour by itself."""
    return [
        ("figures", r"(?P<hour>\d{1,2})(?P<mark>[:.h])(?P<minute>[0-5]\d)(?::[0-5]\d)?"),
        ("figures", r"(?P<hour>\d{1,2}) ?(?P<mark>h|hr|hrs)"),
        ("together", r"(?P<hour>[1-9]|\d\d)(?P<minute>[0-5]\d)"),
        ("alone", rf"(?P<hour>{hour})"),
        ("fixed", rf"(?P<base>{fixed})"),
    ]


def _spoken(section: Mapping[str, Any], slots: Mapping[str, str]) -> list[tuple[str, str]]:
    return [
        (name, expression(spelled, slots))
        for name in (*_COUNTED, "to_or_range", "hour_minute", "spoken")
        for entry in listed(section.get(name))
        for spelled in dict.fromkeys((entry, fold(entry)))
    ]


def mentions(line: Flat, language: str) -> list[Mention]:
    """The times that a line names, from left to right; bare numbers only if it names no other."""
    given = grammar(language)
    matches = [
        (match.start(), match.end(), mention)
        for name, pattern in given.rules
        for match in pattern.finditer(line.text)
        if (mention := _mention(name, match, given))
    ]
    found = [mention for _, _, mention in longest(matches)]
    return [one for one in found if not one.weak] or found


def part_of(text: str, language: str) -> Part | None:
    """The part of the day that the name of a day has in it ("tonight")."""
    return grammar(language).days.get(text)


def narrowed(mention: Mention, part: Part | None) -> Mention:
    """The mention with the times of a part of the day only."""
    if part is None:
        return mention
    kept = tuple(one for one in mention.times if part.holds(_in_minutes(one)))
    return replace(
        mention,
        times=kept or mention.times,
        doubtful=mention.doubtful or not kept,
        late=mention.late or any(part.past_midnight(_in_minutes(one)) for one in kept),
    )


def _in_minutes(at: time) -> int:
    return at.hour * _HOUR + at.minute


def _group(match: re.Match[str], name: str) -> str:
    return (match[name] or "") if name in match.re.groupindex else ""


def _mention(name: str, match: re.Match[str], given: Grammar) -> Mention | None:
    words = [_group(match, group) for group in ("before", "half", "behind")]
    if (bases := _bases(name, match, given)) is None:
        return None
    offset = _offset(name, match, given)
    if offset is None:
        return None
    times, doubtful = _kept(bases, offset, match, given)
    if name == "to_or_range" and -offset <= 12:
        # "5 to 6" is a range, "five to six" may be one; "20 to 6" is none.
        if _group(match, "minute").isdigit() and not any(words):
            return None
        doubtful = True
    if _group(match, "mark") == "." and offset <= 12 and match.string[match.end() :][:1] == ".":
        # "17.12." may be a date.
        doubtful = True
    said = [given.parts[word] for word in (words[0], words[2]) if word]
    # "00:00" begins its day; "midnight", "12 am" and "24:00" are said of its end as well.
    late = any(part.past_midnight(at) for part in said for at in times) or (
        0 in times and not match[0].startswith("0")
    )
    bare = not any(words) and not _group(match, "clock")
    weak = bare and name in ("alone", "together")
    return Mention(match.start(), match.end(), _clock(times), weak, doubtful, late)


def _bases(name: str, match: re.Match[str], given: Grammar) -> list[int] | None:
    """The full hours that a phrase can count from, in minutes; None if it names no hour."""
    base = _group(match, "base")
    if base in given.fixed:
        return [given.fixed[base] * _HOUR]
    text = _group(match, "hour") or base
    hour = _number(text, given)
    if hour is None:
        return None
    if hour > 24 or (hour == 24 and _group(match, "minute").strip("0")):
        # Two figures and two more are a time gone wrong; any other number is just a number.
        return [] if name == "figures" else None
    if hour >= 13 or hour == 0:
        return [hour % 24 * _HOUR]
    shown = name in ("figures", "together") and (text.startswith("0") or hour >= 10)
    if shown and not _marked(match):
        return [hour * _HOUR]
    return [hour % 12 * _HOUR, hour % 12 * _HOUR + _NOON]


def _marked(match: re.Match[str]) -> bool:
    return any(_group(match, group) for group in ("before", "half", "behind"))


def _offset(name: str, match: re.Match[str], given: Grammar) -> int | None:
    """The minutes that a phrase counts from the hour."""
    text = _group(match, "minute") or _group(match, "quarter") or _group(match, "spoken")
    if not text:
        return _COUNTED.get(name, (0, 1))[0]
    minutes = given.minutes.get(text)
    if name == "to" and minutes == _HALF:
        return None  # "Half past" and "half eight" are times, "half of eight" is four.
    if minutes is None:
        minutes = _number(text, given)
        # "nine five" is no time; "nine oh five" is listed.
        if minutes is None or not (10 if name == "spoken" else 0) <= minutes < _HOUR:
            return None
    start, sign = _COUNTED.get(name, (0, -1 if name == "to_or_range" else 1))
    return start + sign * minutes


def _number(text: str, given: Grammar) -> int | None:
    if text.isdigit():
        return int(text)
    if not given.numerals.multipliers.keys().isdisjoint(given.numerals.piece.findall(text)):
        return None  # "Two dozen" counts things, never hours.
    value = given.numerals.value(text)
    return int(value) if value is not None and value == int(value) else None


def _kept(
    bases: Iterable[int], offset: int, match: re.Match[str], given: Grammar
) -> tuple[list[int], bool]:
    """The times that fit all that a phrase says, and whether something in it does not fit."""
    times = [(base, (base + offset) % _DAY) for base in bases]
    half = given.halves.get(_group(match, "half"))
    if half:
        # "30 minutes before 12 pm": the half of the day may be that of the hour or of the time.
        times = [t for t in times if half in (_half(t[0]), _half(t[1]))]
    found = [at for _, at in times]
    said = [given.parts[word] for g in ("before", "behind") if (word := _group(match, g))]
    held = [at for at in found if all(part.holds(at) for part in said)]
    return held or found, bool(found) and not held


def _half(minutes: int) -> str:
    return "am" if minutes < _NOON else "pm"


def _clock(times: Iterable[int]) -> tuple[time, ...]:
    return tuple(time(*divmod(at, _HOUR)) for at in sorted(set(times)))
