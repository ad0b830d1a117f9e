"""Bounds and currencies: a bound is of its item's kind, and what it refers to can bound it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any

from babel.numbers import list_currencies

from core.faults.base import Fault, Known, at, called, is_reference, listed, meant
from core.faults.kinds import RANGED
from core.manifest import Item, Kind, Manifest

_AMOUNTS = frozenset({Kind.NUMBER, Kind.MONEY, Kind.DURATION})
_DAYS = frozenset({Kind.DATE, Kind.DATETIME})
# What an item's value can be compared with, by its own kind.
_BOUNDED_BY: dict[Kind, frozenset[Kind]] = {
    Kind.NUMBER: frozenset({Kind.NUMBER, Kind.DURATION}),
    Kind.DURATION: frozenset({Kind.NUMBER, Kind.DURATION}),
    Kind.MONEY: frozenset({Kind.MONEY, Kind.NUMBER}),
    Kind.DATE: _DAYS,
    Kind.DATETIME: _DAYS,
    Kind.TIME: frozenset({Kind.TIME}),
}
_WRITTEN: dict[Kind, tuple[Any, str]] = {
    Kind.DATE: (date, "2026-12-04"),
    Kind.DATETIME: (datetime, "2026-12-04T17:00"),
    Kind.TIME: (time, "17:00"),
}


def bound_faults(manifest: Manifest, known: Known) -> Iterator[Fault]:
    """Faults of minimum, maximum and currency."""
    yield from _currency(("currency",), f"journey {manifest.name}", manifest.currency)
    for number, item in enumerate(manifest.items):
        if item.value is Kind.MONEY and item.currency is not None:
            yield from _currency(at(number, "currency"), called(item), item.currency)
        if item.value not in RANGED:
            continue
        for key, bound in (("minimum", item.minimum), ("maximum", item.maximum)):
            if bound is not None:
                yield from _bound(manifest, known, number, key, bound)
        yield from _crossed(number, item)


def _currency(place: tuple[str | int, ...], subject: str, code: str) -> Iterator[Fault]:
    known = list_currencies("en")
    if code in known:
        return
    near = [one for one in known if one[:2] == code.upper()[:2]]
    advice = meant(code, near, "Write its three letters, such as EUR or USD.")
    if code.upper() in known:
        advice = f"Write {code.upper()}."
    elif len(near) == 1:
        advice = f"Did you mean {near[0]}?"
    yield Fault(place, f"{subject}: there is no currency {code}", advice)


def _bound(
    manifest: Manifest, known: Known, number: int, key: str, bound: float | str
) -> Iterator[Fault]:
    item = manifest.items[number]
    place, subject = at(number, key), f"{called(item)}: {key} {bound}"
    if isinstance(bound, str) and is_reference(bound):
        yield from _reference(manifest, known, number, key, bound)
    elif item.value in _AMOUNTS:
        if isinstance(bound, str):
            yield Fault(place, f"{subject} is no number", "Write a number without quotes.")
        elif item.value in (Kind.MONEY, Kind.DURATION) and bound < 0:
            yield Fault(place, f"{subject} is below zero", "Write 0 or more.")
    elif not (bound == "today" and item.value in _DAYS) and not _written(item.value, bound):
        _, example = _WRITTEN[item.value]
        today = "today, " if item.value in _DAYS else ""
        yield Fault(
            place,
            f"{subject} is no {item.value.value}",
            f'Write {today}"{example}" or the name of an item.',
        )


def _written(kind: Kind, bound: float | str) -> bool:
    cls, _ = _WRITTEN[kind]
    try:
        return isinstance(bound, str) and bool(cls.fromisoformat(bound) or True)
    except ValueError:
        return False


def _reference(
    manifest: Manifest, known: Known, number: int, key: str, bound: str
) -> Iterator[Fault]:
    item = manifest.items[number]
    name, _, part = bound.partition(".")
    target = manifest.by_name.get(name)
    if target is None or name == item.name:
        return
    place, subject = at(number, key), f"{called(item)}: {key} {bound}"
    if target.value is Kind.RECORD and not part:
        yield Fault(
            place,
            f"{subject} is a record and not one of its fields",
            f"Write the field too, such as {name}.capacity.",
        )
    elif target.value is Kind.RECORD:
        yield from _column(known, target, part, place, subject)
    elif target.value is not Kind.CUSTOM and part:
        yield Fault(place, f"{subject}: {name} is no record", f"Write {name} alone.")
    elif target.value is not Kind.CUSTOM and target.value not in _BOUNDED_BY[item.value]:
        of = listed(sorted(kind.value for kind in _BOUNDED_BY[item.value]))
        yield Fault(
            place,
            f"{subject}: a {target.value.value} item cannot bound a {item.value.value} item",
            f"Name an item that is a {of}.",
        )
    if name not in item.depends_on:
        yield Fault(
            place,
            f"{subject} refers to {name}, and a change of {name} would go unnoticed",
            f"Add {name} to depends_on.",
        )


def _column(
    known: Known, target: Item, part: str, place: tuple[str | int, ...], subject: str
) -> Iterator[Fault]:
    if known.columns is None or target.records is None:
        return
    columns = known.columns.get(target.records)
    if columns is not None and part not in columns:
        yield Fault(
            place,
            f"{subject}: the records of {target.records} have no field {part}",
            meant(part, sorted(columns)),
        )


def _crossed(number: int, item: Item) -> Iterator[Fault]:
    low, high = item.minimum, item.maximum
    plain = isinstance(low, int | float) and isinstance(high, int | float)
    written = (
        isinstance(low, str)
        and isinstance(high, str)
        and _written(item.value, low)
        and _written(item.value, high)
        if item.value in _WRITTEN
        else False
    )
    if (plain or written) and low > high:  # type: ignore[operator]
        yield Fault(
            at(number, "minimum"),
            f"{called(item)}: minimum {low} is more than maximum {high}",
            "Write the smaller one under minimum.",
        )
