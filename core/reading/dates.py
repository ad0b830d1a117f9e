"""Read a reply as one date: "on Friday", "the 4th of March please", "2026-12-04".

A date without a year is the next such date, today among them; if only the one before it keeps the
ask's bounds, that one is meant. A weekday that does not fit its date settles nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain
from typing import Any

from core.reading.answers import Reply, answer, choice, judge, reply
from core.reading.days import Day, Mention, mentions, month_later
from core.reading.result import Context, Outcome, Reading, beside, invalid, suggested


@dataclass(frozen=True)
class Bounds:
    """The first and the last day that an ask accepts."""

    first: date | None = None
    last: date | None = None

    def refusal(self, day: date) -> Reading | None:
        """Why a day is not accepted, or None."""
        if self.first and day < self.first:
            return invalid("too_small", minimum=self.first.isoformat())
        if self.last and day > self.last:
            return invalid("too_large", maximum=self.last.isoformat())
        return None


def as_day(bound: Any, today: date) -> date | None:
    """A bound as a day. It may be a day, a moment, the ISO form of either, or "today"."""
    if bound is None or bound == "":
        return None
    if isinstance(bound, datetime):
        return bound.date()
    if isinstance(bound, date):
        return bound
    return today if bound == "today" else date.fromisoformat(str(bound)[:10])


def bounds(context: Context) -> Bounds:
    """The days that a context accepts."""
    today = context.now.date()
    return Bounds(as_day(context.minimum, today), as_day(context.maximum, today))


@dataclass(frozen=True)
class Found:
    """The days that a mention can be; `fault` says why it cannot be taken as it stands."""

    days: tuple[date, ...]
    fault: str = ""


def resolve(mention: Mention, today: date, limits: Bounds) -> Found:
    """The days that a mention can be."""
    found = [_resolved(day, today, limits) for day in mention.readings]
    sound = [one for one in found if not one.fault]
    if sound:
        return Found(tuple(dict.fromkeys(chain(*(one.days for one in sound)))))
    return found[0] if found else Found((), "no_such_day")


def _resolved(day: Day, today: date, limits: Bounds) -> Found:
    if day.exact:
        near = _dated(day, day.exact.year, day.exact.month, day.exact.day)
        return Found((day.exact,), "" if near == day.exact and _agrees(day, near) else "weekday")
    if day.day is None:
        return Found(_weekdays(day, today, limits))
    ahead, behind = _nearest(day, today)
    if not ahead and not behind:
        return Found((), "no_such_day")
    chosen = ahead or behind
    if ahead and behind and limits.refusal(ahead) and not limits.refusal(behind):
        chosen = behind
    if chosen and not _agrees(day, chosen):
        return Found((chosen, *_fitting(day, today)), "weekday")
    return Found((chosen,) if chosen else ())


def _fitting(day: Day, today: date) -> tuple[date, ...]:
    """The next day of that number that has the weekday: the next Friday the 13th."""
    months = () if day.month else _months(today.replace(day=1), range(24))
    ahead = (_dated(day, at.year, at.month, 0) for at in months)
    return tuple(found for found in ahead if found and found > today and _agrees(day, found))[:1]


def _agrees(day: Day, found: date) -> bool:
    return day.weekday is None or day.weekday == found.weekday()


def _dated(day: Day, year: int, month: int, number: int) -> date | None:
    try:
        return date(day.year or year, day.month or month, day.day or number)
    except ValueError:
        return None


def _nearest(day: Day, today: date) -> tuple[date | None, date | None]:
    """The next and the last day of that number (of that month, of that year)."""
    if day.year and day.month:
        return _dated(day, 0, 0, 0), None
    number = day.day or 0
    # 29 February may be eight years away.
    steps = [12 * years for years in range(9)] if day.month else [0, 1, 2]
    first = today.replace(day=1)
    ahead = (_dated(day, at.year, at.month, number) for at in _months(first, steps))
    behind = (_dated(day, at.year, at.month, number) for at in _months(first, [-s for s in steps]))
    return (
        next((found for found in ahead if found and found >= today), None),
        next((found for found in behind if found and found < today), None),
    )


def _months(first: date, steps: Sequence[int]) -> list[date]:
    return [month_later(first, step) for step in steps]


def _weekdays(day: Day, today: date, limits: Bounds) -> tuple[date, ...]:
    """The coming day of a weekday; said on that weekday itself, it may be today or in a week."""
    ahead = today + timedelta(days=((day.weekday or 0) - today.weekday()) % 7)
    week = timedelta(days=7)
    if ahead == today:
        return (today, today + week) if not limits.refusal(today + week) else (today,)
    if limits.refusal(ahead) and not limits.refusal(ahead - week):
        return (ahead - week,)
    return (ahead,)


def read_date(text: str, context: Context) -> Reading:
    """The reading of a reply to an ask for a date."""
    given = reply(text, context, "date")
    today = context.now.date()
    found = mentions(given.line, given.words.language, context.locale, today)
    if not found:
        return _bare(given, today)
    resolved = [resolve(mention, today, bounds(context)) for mention in found]
    return _read(given, found, resolved, bounds(context))


def _read(
    given: Reply, found: Sequence[Mention], resolved: Sequence[Found], limits: Bounds
) -> Reading:
    days = tuple(dict.fromkeys(chain(*(one.days for one in resolved))))
    several = len({one.days for one in resolved}) > 1
    pieces = [mention.piece for mention in found]
    offered = choice(given, pieces) if several else None
    rest = judge(given, [offered] if offered else pieces)
    if several and not (offered and rest.harmless):
        return beside(*_iso(days), reason=rest.reason or "another_value")
    fault = next((one.fault for one in resolved if one.fault), "")
    if fault and rest.harmless:
        return invalid(fault) if not days else suggested(*_iso(days), reason=fault)
    if several:
        return suggested(*_iso(days))
    return _spelled(answer(days, rest, limits.refusal))


def _iso(days: Sequence[date]) -> tuple[str, ...]:
    return tuple(day.isoformat() for day in days)


def _spelled(reading: Reading) -> Reading:
    value = reading.value.isoformat() if reading.outcome is Outcome.SETTLED else None
    return Reading(reading.outcome, value, _iso(reading.proposals), reading.reason, reading.details)


def _bare(given: Reply, today: date) -> Reading:
    """A bare number may be a day of the month; it is never taken for one without a tap."""
    if not (bare := re.fullmatch(r"(?:on )?(\d{1,2})\.?", given.line.text)):
        return beside()
    mention = Mention(0, len(given.line.text), (Day(day=int(bare[1])),))
    found = resolve(mention, today, Bounds())
    return suggested(*_iso(found.days)) if found.days else beside()


READERS = {"date": read_date}
