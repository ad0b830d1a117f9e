"""Days, hours and minutes to tap, beside the words for them.

A token names the very day or minute that it stands for: a tap that arrives after the card has
turned its page still means what the person saw.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from typing import Any

from core import values
from core.cards import Button, Card, Picker, PickerMode, Role
from core.draft import Source
from core.manifest import Kind
from core.reading import read
from core.reading.result import Outcome
from core.replies import Submit, Tap, Upload, Words
from core.step import common
from core.step.base import Beside, Moved, Read, Refused, Scene, Settled, Unsure
from core.step.bounds import Bounds, bounds_of
from core.step.samples import sample_of

QUARTERS = (0, 15, 30, 45)
OTHER_DAY, OTHER_HOUR = "day", "hour"
_PAGES = {"yb": -12, "mb": -1, "mf": 1, "yf": 12}
_FIRST, _LAST = "1900-01", "2199-12"
_TOKEN = re.compile(r"d(?P<day>\d{8})|h(?P<hour>\d\d)|m(?P<minute>\d{4})", re.ASCII)


class _Moment(common.Checked):
    """What dates and times have in common."""

    reads_clock = True

    def draw(self, scene: Scene) -> Card:
        """See `Step.draw`."""
        raise NotImplementedError

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        if isinstance(reply, Tap):
            found = self.tapped(scene, reply.token)
            found = found or common.common_tap(self, scene, reply.token)
            return found or common.unchanged(scene)
        if isinstance(reply, Submit):
            return self._submitted(scene, reply)
        return self.typed(scene, reply.text) if isinstance(reply, Words) else Beside()

    def tapped(self, scene: Scene, token: str) -> Read | None:
        """What one of the picker's own buttons does; None for any other."""
        raise NotImplementedError

    def typed(self, scene: Scene, text: str) -> Read:
        """Typed words."""
        return common.read_words(self, scene, text)

    def sample(self, scene: Scene) -> Any:
        return sample_of(scene)

    def settled(self, scene: Scene, value: str, source: Source = Source.TAP) -> Read:
        """The value, if it may stand."""
        fault = self.fault(scene, value)
        return Refused(fault) if fault else Settled(value, source)

    def _submitted(self, scene: Scene, reply: Submit) -> Read:
        given = common.single(reply.values, scene.item.name)
        if given is None:
            return common.unchanged(scene)
        value = _spelled(scene, given.strip())
        if value is None:
            return Refused(scene.texts("reason.wrong_kind"))
        return self.settled(scene, value, Source.FORM)


class DateStep(_Moment):
    """A day, from a calendar."""

    def draw(self, scene: Scene) -> Card:
        return Picker(mode=PickerMode.DATE, **_calendar(self, scene))

    def tapped(self, scene: Scene, token: str) -> Read | None:
        day = _day(token)
        if day is not None:
            return self.settled(scene, day)
        return _turned(scene, token)


class TimeStep(_Moment):
    """A time of day: the hour, then the minutes."""

    def draw(self, scene: Scene) -> Card:
        return Picker(mode=PickerMode.TIME, **_clock(self, scene, ""))

    def tapped(self, scene: Scene, token: str) -> Read | None:
        minute = _minute(token)
        if minute is not None:
            return self.settled(scene, minute)
        return _hour_chosen(scene, token)


class DatetimeStep(_Moment):
    """A day, then the hour, then the minutes."""

    def draw(self, scene: Scene) -> Card:
        day = _kept_day(scene)
        parts = _clock(self, scene, day) if day else _calendar(self, scene)
        return Picker(mode=PickerMode.DATETIME, **parts)

    def tapped(self, scene: Scene, token: str) -> Read | None:
        day, minute, kept = _day(token), _minute(token), _kept_day(scene)
        if day is not None:
            return self._on(scene, day, Source.TAP)
        if minute is not None and kept:
            return self.settled(scene, f"{kept}T{minute}")
        if token == OTHER_DAY:
            return Moved(cursor={"month": kept[:7]} if kept else {})
        return _hour_chosen(scene, token) if kept else _turned(scene, token)

    def _on(self, scene: Scene, day: str, source: Source) -> Read:
        """A day was chosen: with the time that was typed before it, it is the whole answer."""
        clock = _kept_clock(scene)
        if clock:
            return self.settled(scene, f"{day}T{clock}", source)
        if not _minutes_within(scene, day, range(24), range(60)):
            return Refused(self.fault(scene, f"{day}T12:00") or scene.texts("hint.no_time"))
        shown = values.shown(Kind.DATE, day, scene.context.locale)
        return Moved(cursor={"day": day}, said=scene.texts("step.day_noted", day=shown))

    def typed(self, scene: Scene, text: str) -> Read:
        # A day or a time alone is not of the item's kind, so its bounds are kept by the step.
        kept = _kept_day(scene)
        context = replace(common.context_of(scene), minimum=None, maximum=None)
        clock = read("time", text, context)
        if kept and clock.outcome is Outcome.SETTLED:
            return self.settled(scene, f"{kept}T{clock.value}", Source.TYPED)
        if kept and clock.outcome is Outcome.SUGGESTED and clock.proposals:
            return self._which_hour(scene, kept, clock.proposals)
        result = super().typed(scene, text)
        if isinstance(result, Settled):
            return result
        day = read("date", text, context)
        if day.outcome is Outcome.SETTLED:
            return self._on(scene, day.value, Source.TYPED)
        if clock.outcome is Outcome.SETTLED:
            said = scene.texts("step.time_noted", time=_shown_time(scene, clock.value))
            return Moved(cursor={"clock": clock.value}, said=said)
        return result

    def _which_hour(self, scene: Scene, day: str, clocks: Sequence[Any]) -> Read:
        """A bare hour on the chosen day, which a tap makes one of the morning or the evening."""
        moments = [f"{day}T{clock}" for clock in clocks]
        fit = common.good(self, scene, moments)
        if not fit:
            return Refused(self.fault(scene, moments[0]))
        return Unsure(fit, scene.texts("reason.this_one" if len(fit) == 1 else "reason.which"))


# The calendar


def _calendar(step: _Moment, scene: Scene) -> dict[str, Any]:
    bounds = bounds_of(scene)
    month = _month(scene, bounds)
    days = [] if bounds.empty else list(_days(month, bounds))
    options = (Button(token=f"d{day.replace('-', '')}", label=str(int(day[8:]))) for day in days)
    hint = scene.texts("hint.no_days") if bounds.empty else _day_hint(scene)
    return {
        **common.frame(step, scene, hint),
        "options": tuple(options),
        "moves": () if bounds.empty else _pages(scene, month, bounds),
        "month": month,
        **_native(scene, bounds),
    }


def _day_hint(scene: Scene) -> str:
    clock = _kept_clock(scene)
    return scene.texts("hint.day_for", time=_shown_time(scene, clock)) if clock else ""


def _native(scene: Scene, bounds: Bounds) -> dict[str, str]:
    """What a native control needs to know: the bounds, and what stands in it at first."""
    return {
        "minimum": str(bounds.low or ""),
        "maximum": str(bounds.high or ""),
        "value": _kept_day(scene) or _kept_clock(scene) or _before(scene),
    }


def _before(scene: Scene) -> str:
    """What was settled before; empty where it is no date or time (a journey's own "now")."""
    return _spelled(scene, str(scene.settled.get(scene.item.name, ""))) or ""


def _range(bounds: Bounds) -> tuple[str, str]:
    """The first and the last month that have a day to choose."""
    low = str(bounds.low)[:7] if bounds.low is not None else _FIRST
    high = str(bounds.high)[:7] if bounds.high is not None else _LAST
    return max(low, _FIRST), min(high, _LAST)


def _month(scene: Scene, bounds: Bounds) -> str:
    """The month that is shown: the one turned to, or the settled value's, or this one."""
    before = scene.settled.get(scene.item.name)
    today = f"{scene.context.now:%Y-%m}"
    wished = scene.cursor.get("month") or (str(before)[:7] if before else today)
    low, high = _range(bounds)
    shown = min(max(str(wished), low), high)
    return shown if re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", shown, re.ASCII) else today


def _days(month: str, bounds: Bounds) -> Iterator[str]:
    year, number = int(month[:4]), int(month[5:])
    for day in range(1, calendar.monthrange(year, number)[1] + 1):
        text = date(year, number, day).isoformat()
        low, high = str(bounds.low or text)[:10], str(bounds.high or text)[:10]
        if low <= text <= high:
            yield text


def _shifted(month: str, by: int) -> str:
    count = int(month[:4]) * 12 + int(month[5:]) - 1 + by
    return f"{count // 12:04}-{count % 12 + 1:02}"


def _pages(scene: Scene, month: str, bounds: Bounds) -> tuple[Button, ...]:
    names = {"yb": "year_earlier", "mb": "earlier", "mf": "later", "yf": "year_later"}
    found = []
    for token, page in _targets(month, bounds):
        name = values.month_name(page, scene.context.locale)
        label = scene.texts(f"step.{names[token]}", month=name, year=page[:4])
        found.append(Button(token=token, label=label, role=Role.MOVE))
    return tuple(found)


def _turned(scene: Scene, token: str) -> Read | None:
    bounds = bounds_of(scene)
    pages = dict(_targets(_month(scene, bounds), bounds))
    if token not in pages:
        return None
    clock = _kept_clock(scene)
    return Moved(cursor={"month": pages[token], **({"clock": clock} if clock else {})})


def _targets(month: str, bounds: Bounds) -> list[tuple[str, str]]:
    """The pages that can be turned to, by token."""
    low, high = _range(bounds)
    found = ((token, _shifted(month, by)) for token, by in _PAGES.items())
    return [(token, page) for token, page in found if low <= page <= high]


# The clock


def _clock(step: _Moment, scene: Scene, day: str) -> dict[str, Any]:
    """Hours, or the minutes of the chosen hour; on a day where there is one."""
    bounds, hour = bounds_of(scene), _kept_hour(scene, day)
    options: list[Button] = []
    if hour is None:
        for at in range(24):
            if _minutes_within(scene, day, (at,), range(60)):
                label = _shown_time(scene, f"{at:02}:00")
                options.append(Button(token=f"h{at:02}", label=label))
    else:
        for clock in _offered_minutes(scene, day, hour):
            token = f"m{clock.replace(':', '')}"
            options.append(Button(token=token, label=_shown_time(scene, clock)))
    return {
        **common.frame(step, scene, _clock_hint(scene, day, hour)),
        "options": tuple(options),
        "moves": _back_moves(scene, day, hour),
        "month": day[:7],
        **_native(scene, bounds),
    }


def _clock_hint(scene: Scene, day: str, hour: int | None) -> str:
    shown = values.shown(Kind.DATE, day, scene.context.locale) if day else ""
    if bounds_of(scene).empty:
        return scene.texts("hint.no_time")
    if hour is not None:
        at = _shown_time(scene, f"{hour:02}:00")
        return scene.texts("hint.minute", hour=f"{shown}, {at}" if shown else at)
    return scene.texts("hint.hour", day=shown) if shown else ""


def _back_moves(scene: Scene, day: str, hour: int | None) -> tuple[Button, ...]:
    names = [("other_day", OTHER_DAY)] if day else []
    names += [("other_hour", OTHER_HOUR)] if hour is not None else []
    return tuple(
        Button(token=token, label=scene.texts(f"step.{name}"), role=Role.MOVE)
        for name, token in names
    )


def _hour_chosen(scene: Scene, token: str) -> Read | None:
    kept = {"day": _kept_day(scene)} if _kept_day(scene) else {}
    if token == OTHER_HOUR:
        return Moved(cursor=kept)
    found = _TOKEN.fullmatch(token)
    hour = int(found["hour"]) if found and found["hour"] else 24
    if hour > 23 or not _minutes_within(scene, _kept_day(scene), (hour,), range(60)):
        return None
    return Moved(cursor={**kept, "hour": hour})


def _offered_minutes(scene: Scene, day: str, hour: int) -> list[str]:
    """Quarters; where the bounds leave none of them, the first minute that they leave."""
    quarters = _minutes_within(scene, day, (hour,), QUARTERS)
    return quarters or _minutes_within(scene, day, (hour,), range(60))[:1]


def _minutes_within(scene: Scene, day: str, hours: Any, minutes: Any) -> list[str]:
    bounds, prefix = bounds_of(scene), f"{day}T" if day else ""
    clocks = (f"{hour:02}:{minute:02}" for hour in hours for minute in minutes)
    return [
        clock
        for clock in clocks
        if (bounds.low is None or prefix + clock >= bounds.low)
        and (bounds.high is None or prefix + clock <= bounds.high)
    ]


def _shown_time(scene: Scene, clock: str) -> str:
    return values.shown(Kind.TIME, clock, scene.context.locale)


# Tokens, cursors and native values


def _day(token: str) -> str | None:
    found = _TOKEN.fullmatch(token)
    text = found["day"] if found else None
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:])).isoformat() if text else None
    except ValueError:
        return None


def _minute(token: str) -> str | None:
    found = _TOKEN.fullmatch(token)
    text = found["minute"] if found else None
    try:
        return f"{time(int(text[:2]), int(text[2:])):%H:%M}" if text else None
    except ValueError:
        return None


def _kept_day(scene: Scene) -> str:
    """The day that was chosen, while it is still within the bounds."""
    day = _day("d" + str(scene.cursor.get("day", "")).replace("-", ""))
    return day if day and _minutes_within(scene, day, range(24), range(60)) else ""


def _kept_clock(scene: Scene) -> str:
    """The time that was typed before its day."""
    return _minute("m" + str(scene.cursor.get("clock", "")).replace(":", "")) or ""


def _kept_hour(scene: Scene, day: str) -> int | None:
    """The hour that was chosen, while it is still within the bounds."""
    hour = scene.cursor.get("hour")
    if not isinstance(hour, int) or not 0 <= hour < 24:
        return None
    return hour if _minutes_within(scene, day, (hour,), range(60)) else None


def _spelled(scene: Scene, text: str) -> str | None:
    """What a native control sent, as it is kept; None where it is no such thing."""
    try:
        if scene.item.value is Kind.DATE:
            return date.fromisoformat(text).isoformat()
        if scene.item.value is Kind.TIME:
            return time.fromisoformat(text).replace(tzinfo=None).isoformat("minutes")
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            moment = moment.astimezone(scene.context.now.tzinfo)
    except (OverflowError, ValueError):
        return None
    return moment.replace(tzinfo=None).isoformat(timespec="minutes")
