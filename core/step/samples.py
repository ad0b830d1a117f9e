"""A valid value of each kind, for scenarios and examples that do not care which: the journey's own
example where it can stand, since it reads best, or else one that is made up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time, timedelta
from decimal import ROUND_CEILING, Decimal
from typing import Any

from core.manifest import Kind
from core.reading import read
from core.reading.result import Outcome
from core.step.base import Scene
from core.step.bounds import Bounds, bounds_of, currency_of
from core.step.checks import count_of, fault_of, longest
from core.values import stored


def sample_of(scene: Scene, example: str | None = None) -> Any:
    """A value that stands for the item now, if any does.

    `example` is the journey's own answer as a person types it, where it is not the item's.
    """
    given = scene.texts.of(scene.item.name, "example") if example is None else example
    value = _exemplary(scene, given.strip()) if given.strip() else None
    if value is not None and not fault_of(scene, value):
        return value
    return _SAMPLES[scene.item.value](scene, bounds_of(scene))


def _exemplary(scene: Scene, example: str) -> Any | None:
    """The example as a value of the item's kind; None where it does not read as one."""
    kind = scene.item.value
    if kind in (Kind.SHORT_TEXT, Kind.LONG_TEXT):
        return example
    if kind is Kind.ENTRIES:
        return [line.strip() for line in example.splitlines() if line.strip()]
    reading = read(kind.value, example, replace(scene.context, currency=currency_of(scene)))
    return stored(kind, reading.value) if reading.outcome is Outcome.SETTLED else None


def _text(scene: Scene, bounds: Bounds) -> str:
    return _filled(scene, scene.texts.label(scene.item.name))


def _filled(scene: Scene, text: str) -> str:
    while len(text) < (scene.item.min_length or 1):
        text += f", {text}"
    return text[: longest(scene.item)].strip() or "x"


def _entries(scene: Scene, bounds: Bounds) -> list[str]:
    label = scene.texts.label(scene.item.name)
    return [_filled(scene, f"{label} {n}") for n in range(1, max(1, count_of(scene.item)[0]) + 1)]


def _amount(bounds: Bounds, usual: int) -> Decimal:
    low = bounds.low if bounds.low is not None else Decimal(min(usual, bounds.high or usual))
    wished = max(low, Decimal(usual))
    return wished if bounds.high is None or wished <= bounds.high else Decimal(bounds.high)


def _number(scene: Scene, bounds: Bounds) -> Any:
    amount = _amount(bounds, 10)
    if scene.item.whole and amount != amount.to_integral_value():
        amount = (bounds.low or amount).to_integral_value(ROUND_CEILING)
    return stored(Kind.NUMBER, amount)


def _money(scene: Scene, bounds: Bounds) -> Any:
    return stored(Kind.MONEY, {"amount": _amount(bounds, 20), "currency": currency_of(scene)})


def _duration(scene: Scene, bounds: Bounds) -> int:
    return int(_amount(bounds, 90))


def _date(scene: Scene, bounds: Bounds) -> str:
    wished = (scene.context.now.date() + timedelta(days=14)).isoformat()
    return _within(bounds, wished)


def _time(scene: Scene, bounds: Bounds) -> str:
    return _within(bounds, "18:00")


def _datetime(scene: Scene, bounds: Bounds) -> str:
    day = scene.context.now.date() + timedelta(days=14)
    return _within(bounds, datetime.combine(day, time(18)).isoformat(timespec="minutes"))


def _within(bounds: Bounds, wished: str) -> str:
    if bounds.low is not None and wished < bounds.low:
        return str(bounds.low)
    return str(bounds.high) if bounds.high is not None and wished > bounds.high else wished


_SAMPLES: dict[Kind, Callable[[Scene, Bounds], Any]] = {
    Kind.SHORT_TEXT: _text,
    Kind.LONG_TEXT: _text,
    Kind.ENTRIES: _entries,
    Kind.NUMBER: _number,
    Kind.MONEY: _money,
    Kind.DURATION: _duration,
    Kind.EMAIL: lambda scene, bounds: "anna@example.org",
    Kind.PHONE: lambda scene, bounds: "+493012345678",
    Kind.URL: lambda scene, bounds: "https://example.org",
    Kind.PERSON: lambda scene, bounds: {"id": "", "handle": "", "name": "Kim Lindner"},
    Kind.DATE: _date,
    Kind.TIME: _time,
    Kind.DATETIME: _datetime,
}
