"""The bounds of an item as they stand now: plain, or looked up in the draft and on the clock.

A bound that cannot be looked up (its item is skipped, its record has no such field) bounds
nothing: the person must not be held to what nobody knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from core.manifest import Kind
from core.step.base import Scene
from core.values import decimal_of

_NUMERIC = frozenset({Kind.NUMBER, Kind.MONEY, Kind.DURATION})
_FLOOR = {Kind.MONEY: 0, Kind.DURATION: 1}

Bound = Any
"""A Decimal for numbers, money and minutes; ISO text for dates and times: it sorts as they do."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and the highest value that an item may have; None where there is no bound."""

    low: Bound | None
    high: Bound | None

    @property
    def empty(self) -> bool:
        """Nothing lies between them: no answer is possible."""
        return self.low is not None and self.high is not None and bool(self.low > self.high)


def bounds_of(scene: Scene) -> Bounds:
    """The bounds of the scene's item. Money and durations are never negative."""
    item = scene.item
    low = _bound(scene, item.minimum, late=False)
    if low is None and item.value in _FLOOR:
        low = decimal_of(_FLOOR[item.value])
    return Bounds(low, _bound(scene, item.maximum, late=True))


def _bound(scene: Scene, raw: Any, *, late: bool) -> Bound | None:
    value = _looked_up(scene, raw)
    kind = scene.item.value
    if value is None or isinstance(value, bool):
        return None
    if kind in _NUMERIC:
        return _amount(scene, value)
    moment = _moment(value, late=late)
    if moment is None:
        return None
    return {Kind.DATE: moment[:10], Kind.TIME: moment[11:], Kind.DATETIME: moment}.get(kind)


def _looked_up(scene: Scene, raw: Any) -> Any:
    if not isinstance(raw, str):
        return raw
    if raw == "today":
        return scene.context.now
    name, _, part = raw.partition(".")
    if name not in scene.manifest.by_name:
        return raw
    value = scene.settled.get(name)
    if not part:
        return value
    return value.get(part) if isinstance(value, Mapping) else None


def _amount(scene: Scene, value: Any) -> Bound | None:
    if isinstance(value, Mapping) and value.get("currency") != currency_of(scene):
        return None
    return decimal_of(value)


def _moment(value: Any, *, late: bool) -> str | None:
    """Any date or time as `2026-12-04T17:00`; a day without a time stands for its whole length.

    Today's clock bounds from below, so that nothing is asked for that has passed already.
    """
    if isinstance(value, datetime):
        day = value.date().isoformat()
        return f"{day}T23:59" if late else f"{day}T{value:%H:%M}"
    if not isinstance(value, str):
        return None
    for read in (_as_time, _as_date, _as_datetime):
        found = read(value, late)
        if found:
            return found
    return None


def _as_time(text: str, late: bool) -> str | None:
    try:
        return f"0001-01-01T{time.fromisoformat(text):%H:%M}" if ":" in text[:3] else None
    except ValueError:
        return None


def _as_date(text: str, late: bool) -> str | None:
    try:
        return f"{date.fromisoformat(text).isoformat()}T{'23:59' if late else '00:00'}"
    except ValueError:
        return None


def _as_datetime(text: str, late: bool) -> str | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None).isoformat(timespec="minutes")
    except ValueError:
        return None


def currency_of(scene: Scene) -> str:
    """The currency that an item's amounts are in."""
    return scene.item.currency or scene.manifest.currency
