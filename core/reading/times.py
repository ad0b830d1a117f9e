"""Read a reply as a time of day, or as a date and a time together.

"Around five in the evening" is an answer: people round a time of day as a matter of course. A doubt
("maybe five") is none. A time that names no half of the day is suggested twice, unless the ask's
bounds leave one.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from typing import Any

from core.reading import clocks, dates, days, durations
from core.reading.answers import Reply, answer, choice, judge, reply
from core.reading.leftover import Rest
from core.reading.patterns import Flat
from core.reading.result import Context, Reading, beside, invalid, suggested


def read_time(text: str, context: Context) -> Reading:
    """The reading of a reply to an ask for a time of day."""
    given = reply(text, context, "time")
    found = clocks.mentions(given.line, given.words.language)
    if not found:
        return beside()
    times = tuple(dict.fromkeys(chain(*(mention.times for mention in found))))
    several = len({mention.times for mention in found}) > 1
    pieces = [mention.piece for mention in found]
    offered = choice(given, pieces) if several else None
    rest = judge(given, [offered] if offered else pieces)
    if several and not (offered and rest.harmless):
        return beside(*map(_hhmm, times), reason=rest.reason or "another_value")
    if not times:
        return invalid("no_such_time") if rest.harmless else beside(reason=rest.reason)
    if rest.harmless and (several or any(mention.doubtful for mention in found)):
        return suggested(*map(_hhmm, times))
    low, high = _bound(context.minimum), _bound(context.maximum)
    return answer([_hhmm(one) for one in times], rest, lambda value: _refusal(value, low, high))


def _hhmm(at: time) -> str:
    return at.strftime("%H:%M")


def _bound(bound: Any) -> str | None:
    if bound is None:
        return None
    return _hhmm(bound) if isinstance(bound, time) else str(bound)[:5]


def _refusal(value: str, low: str | None, high: str | None) -> Reading | None:
    if low and value < low:
        return invalid("too_small", minimum=low)
    if high and value > high:
        return invalid("too_large", maximum=high)
    return None


def read_datetime(text: str, context: Context) -> Reading:
    """The reading of a reply to an ask for a date and a time."""
    given = reply(_ISO_MARK.sub(" ", text), context, "datetime")
    line = given.line
    if relative := _from_now(given, line):
        return relative
    language, today = given.words.language, context.now.date()
    on = days.mentions(line, language, context.locale, today)
    at = clocks.mentions(line.without([mention.piece for mention in on]), language)
    at = [one for one in at if not _is_pronoun(one, on, line)]
    rest = judge(given, [*(day.piece for day in on), *(one.piece for one in at)])
    if len(on) > 1 or len(at) > 1:
        return beside(reason=rest.reason or "another_value")
    found = dates.resolve(on[0], today, dates.Bounds()) if on else dates.Found(())
    if not (on and at):
        missing = "no_time" if on else "no_date" if at else "beside"
        proposals = [d.isoformat() for d in found.days] + [_hhmm(t) for m in at for t in m.times]
        return beside(*proposals, reason=rest.reason or missing)
    part = clocks.part_of(line.text[on[0].start : on[0].end], language)
    return _together(found, clocks.narrowed(at[0], part), rest, context)


def _is_pronoun(at: clocks.Mention, on: list[days.Mention], line: Flat) -> bool:
    """Whether a number word is the "one" of "the first one", which may be anything in a list."""
    word = line.text[at.start : at.end]
    return (
        at.weak and word.isalpha() and any(_counts(day) and day.end + 1 == at.start for day in on)
    )


def _counts(mention: days.Mention) -> bool:
    """Whether it names the day of a month and nothing else, as "the first" does."""
    return all(one == days.Day(day=one.day) for one in mention.readings)


_ISO_MARK = re.compile(r"(?<=\d)[Tt](?=\d\d:)")


def _together(on: dates.Found, at: clocks.Mention, rest: Rest, context: Context) -> Reading:
    if not on.days or not at.times:
        reason = "no_such_time" if on.days else "no_such_day"
        return invalid(reason) if rest.harmless else beside(reason=rest.reason)
    # After midnight, the night may be that of the day before.
    nights = [timedelta(0), timedelta(days=1)] if at.late else [timedelta(0)]
    moments = [_iso(day + night, one) for day in on.days for night in nights for one in at.times]
    if rest.harmless and (on.fault or at.doubtful or at.late):
        return suggested(*moments, reason=on.fault or "which")
    return answer(moments, rest, lambda value: _unfit(datetime.fromisoformat(value), context))


def _iso(day: date, at: time) -> str:
    return datetime.combine(day, at).isoformat(timespec="minutes")


def _unfit(moment: datetime, context: Context) -> Reading | None:
    """The refusal of a moment that its time zone does not have, or that is out of bounds."""
    zone = context.now.tzinfo
    there = moment.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    if there != moment:
        return invalid("no_such_time", clock_goes_to=there.strftime("%H:%M"))
    low = _moment(context.minimum, context.now, time.min)
    high = _moment(context.maximum, context.now, time.max)
    if low and moment < low:
        return invalid("too_small", minimum=low.isoformat(timespec="minutes"))
    if high and moment > high:
        return invalid("too_large", maximum=high.isoformat(timespec="minutes"))
    return None


def _moment(bound: Any, now: datetime, at: time) -> datetime | None:
    """A bound on the person's own clock; a bound that is a day begins or ends with that day."""
    if isinstance(bound, str) and len(bound) > 10:
        bound = datetime.fromisoformat(bound)
    if isinstance(bound, datetime):
        return (bound.astimezone(now.tzinfo) if bound.tzinfo else bound).replace(tzinfo=None)
    day = dates.as_day(bound, now.date())
    return datetime.combine(day, at) if day else None


def _from_now(given: Reply, line: Flat) -> Reading | None:
    """A moment that is counted from now in hours or minutes: "in two hours"."""
    context = given.context
    lasting = durations.mentions(line, given.words.language, context.locale)
    if len(lasting) != 1 or not lasting[0].minutes or lasting[0].minutes >= _DAY:
        return None
    ahead = durations.from_now(line, lasting[0], given.words.language)
    if ahead is None:
        return None
    moment = (context.now + timedelta(minutes=int(lasting[0].minutes))).replace(tzinfo=None)
    rest = judge(given, [ahead])
    value = moment.isoformat(timespec="minutes")
    return answer([value], rest, lambda value: _unfit(datetime.fromisoformat(value), context))


_DAY = 24 * 60

READERS = {"time": read_time, "datetime": read_datetime}
