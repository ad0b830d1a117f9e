"""Why a value cannot stand for an item, now: its kind, its bounds, its length, its count.

A value may come from anywhere (an old version of the manifest, a suggestion of the model), so
every check first looks at what sort of thing it has, and none raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from babel.numbers import get_currency_precision

from core.manifest import Item, Kind
from core.reading import read
from core.reading.result import Outcome
from core.step.base import Scene
from core.step.bounds import bounds_of, currency_of
from core.values import DIGITS, decimal_of, shown, stored

SHORTEST = 1
LENGTHS = {Kind.SHORT_TEXT: 200, Kind.LONG_TEXT: 4000, Kind.ENTRIES: 200, Kind.PERSON: 200}
"""How many characters a text (or one entry, or what somebody is called) may have where its manifest
does not say."""
COUNT = (1, 100)
"""How many entries or options an answer has where its manifest does not say."""

# No keyboard types these, and no database keeps them.
UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


def fault_of(scene: Scene, value: Any) -> str:
    """Why the value cannot stand, in words for the person; empty where it can.

    None is a skip, which only an optional item may be.
    """
    if value is None:
        return scene.texts("reason.required") if scene.item.required else ""
    check = _CHECKS.get(scene.item.value)
    return check(scene, value) if check else ""


def longest(item: Item) -> int:
    """How many characters the item's text, or one of its entries, may have."""
    return item.max_length or LENGTHS.get(item.value, 2000)


def count_of(item: Item) -> tuple[int, int]:
    """How many entries or options the item takes."""
    return item.count or COUNT


def count_fault(scene: Scene, count: int) -> str:
    """Why so many entries or options cannot stand."""
    low, high = count_of(scene.item)
    if count < low:
        return scene.texts("reason.too_few", minimum=low, count=count)
    return scene.texts("reason.too_many", maximum=high) if count > high else ""


def _wrong(scene: Scene) -> str:
    return scene.texts("reason.wrong_kind")


def _choice(scene: Scene, value: Any) -> str:
    known = isinstance(value, str) and value in scene.item.options
    return "" if known else scene.texts("reason.not_an_option")


def _choices(scene: Scene, value: Any) -> str:
    if not isinstance(value, list):
        return _wrong(scene)
    if any(_choice(scene, one) for one in value):
        return scene.texts("reason.not_an_option")
    if len(set(value)) < len(value):
        return scene.texts("reason.twice")
    return count_fault(scene, len(value))


def _yes_no(scene: Scene, value: Any) -> str:
    return "" if isinstance(value, bool) else _wrong(scene)


def _attestation(scene: Scene, value: Any) -> str:
    return "" if value is True else scene.texts("reason.not_attested")


def text_fault(scene: Scene, value: Any) -> str:
    """Why a text cannot stand: empty, too short, too long, or more than the line it should be."""
    if not isinstance(value, str) or UNSTORABLE.search(value):
        return _wrong(scene)
    if not value.strip():
        return scene.texts("reason.empty")
    low, high = scene.item.min_length or SHORTEST, longest(scene.item)
    if len(value) < low:
        return scene.texts("reason.too_short", minimum=low)
    if len(value) > high:
        return scene.texts("reason.too_long", maximum=high)
    if scene.item.value is not Kind.LONG_TEXT and len(value.splitlines()) > 1:
        return scene.texts("reason.one_line")
    return ""


def _entries(scene: Scene, value: Any) -> str:
    if not isinstance(value, list):
        return _wrong(scene)
    faults = (text_fault(scene, one) for one in value)
    return next(filter(None, faults), "") or count_fault(scene, len(value))


def _number(scene: Scene, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _wrong(scene)
    exact = decimal_of(value)
    if exact is None or _digits(exact) > DIGITS:
        return scene.texts("reason.too_many_digits")
    if scene.item.whole and exact != exact.to_integral_value():
        return scene.texts("reason.whole", example=shown(Kind.NUMBER, round(value), _locale(scene)))
    return _outside(scene, exact)


def _money(scene: Scene, value: Any) -> str:
    exact = decimal_of(value) if isinstance(value, Mapping) else None
    if exact is None or not isinstance(value.get("currency"), str):
        return _wrong(scene)
    currency = currency_of(scene)
    if value["currency"] != currency:
        return scene.texts("reason.currency", currency=currency)
    if _digits(exact) > DIGITS:
        return scene.texts("reason.too_many_digits")
    if exact != round(exact, get_currency_precision(currency)):
        near = stored(Kind.MONEY, {"amount": round(exact), "currency": currency})
        example = shown(Kind.MONEY, near, _locale(scene))
        return scene.texts("reason.coins", currency=currency, example=example)
    if value != stored(Kind.MONEY, value):
        return _wrong(scene)
    return _outside(scene, exact)


def _duration(scene: Scene, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int):
        return _wrong(scene)
    exact = Decimal(value)
    return scene.texts("reason.too_many_digits") if _digits(exact) > 9 else _outside(scene, exact)


def _date(scene: Scene, value: Any) -> str:
    right = _spelled(value, lambda text: date.fromisoformat(text).isoformat())
    return _outside(scene, value) if right else _wrong(scene)


def _time(scene: Scene, value: Any) -> str:
    right = _spelled(value, lambda text: _minutes(time.fromisoformat(text)))
    return _outside(scene, value) if right else _wrong(scene)


def _datetime(scene: Scene, value: Any) -> str:
    right = _spelled(value, lambda text: _minutes(datetime.fromisoformat(text)))
    if not right:
        return _wrong(scene)
    return _outside(scene, value) or _skipped_by_clock(scene, value)


def _skipped_by_clock(scene: Scene, value: str) -> str:
    """A time that the person's clocks jump over, when summer time begins, is none."""
    zone = scene.context.now.tzinfo
    try:
        there = datetime.fromisoformat(value).replace(tzinfo=zone).astimezone(UTC)
        same = there.astimezone(zone).replace(tzinfo=None).isoformat(timespec="minutes") == value
    except OverflowError:
        return _wrong(scene)
    return "" if same else scene.texts("reason.no_such_time")


def _spelled(value: Any, spell: Callable[[str], str]) -> bool:
    """Whether a date or time is written in the one way that it is kept in."""
    try:
        return isinstance(value, str) and spell(value) == value
    except ValueError:
        return False


def _minutes(moment: time | datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(timespec="minutes")


def _digits(exact: Decimal) -> int:
    sign_free = exact.normalize().as_tuple()
    return max(len(sign_free.digits), exact.adjusted() + 1)


def _outside(scene: Scene, value: Any) -> str:
    bounds = bounds_of(scene)
    timed = scene.item.value in (Kind.DATE, Kind.TIME, Kind.DATETIME)
    if bounds.low is not None and value < bounds.low:
        key = "reason.not_before" if timed else "reason.at_least"
        return scene.texts(key, minimum=bound_shown(scene, bounds.low))
    if bounds.high is not None and value > bounds.high:
        key = "reason.not_after" if timed else "reason.at_most"
        return scene.texts(key, maximum=bound_shown(scene, bounds.high))
    return ""


def bound_shown(scene: Scene, bound: Any) -> str:
    """A bound as a person reads it."""
    kind = scene.item.value
    if kind is Kind.MONEY:
        bound = stored(kind, {"amount": bound, "currency": currency_of(scene)})
    return shown(kind, bound, _locale(scene))


def _reread(scene: Scene, value: Any) -> str:
    """An address stands when reading it gives just itself, for sure or as what was meant."""
    if not isinstance(value, str):
        return _wrong(scene)
    if len(value) > longest(scene.item):
        return scene.texts("reason.too_long", maximum=longest(scene.item))
    context = replace(scene.context, max_length=longest(scene.item))
    reading = read(scene.item.value.value, value, context)
    if reading.outcome is Outcome.SETTLED:
        return "" if reading.value == value else _wrong(scene)
    meant = reading.outcome is Outcome.SUGGESTED and value in reading.proposals
    return "" if meant else _wrong(scene)


def _record(scene: Scene, value: Any) -> str:
    if not isinstance(value, Mapping):
        return _wrong(scene)
    named = all(isinstance(value.get(key), str) and value[key] for key in ("id", "label"))
    plain = all(one is None or isinstance(one, str | int | float) for one in value.values())
    return "" if named and plain else _wrong(scene)


def _person(scene: Scene, value: Any) -> str:
    """Somebody is known by a name or a handle at least, with the platform's id or without it."""
    if not isinstance(value, Mapping) or set(value) != {"id", "handle", "name"}:
        return _wrong(scene)
    texts = list(value.values())
    if not all(isinstance(one, str) and not UNSTORABLE.search(one) for one in texts):
        return _wrong(scene)
    called = f"{value['name']}{value['handle']}"
    if not called.strip() or len(called.splitlines()) > 1:
        return _wrong(scene)
    if scene.item.somebody_else and _is_asked(scene, value):
        return scene.texts("reason.person_yourself")
    most = longest(scene.item)
    return scene.texts("reason.too_long", maximum=most) if len(called) > most else ""


def _is_asked(scene: Scene, value: Mapping[str, str]) -> bool:
    """Whether a value names who is asked: by the platform's id or, where there is none, by their
    whole name."""
    person = scene.person
    if person is None:
        return False
    if value["id"]:
        return value["id"] == person.id
    return bool(person.name) and value["name"].casefold() == person.name.casefold()


def _locale(scene: Scene) -> str:
    return scene.context.locale


_CHECKS: dict[Kind, Callable[[Scene, Any], str]] = {
    Kind.CHOICE: _choice,
    Kind.CHOICES: _choices,
    Kind.YES_NO: _yes_no,
    Kind.ATTESTATION: _attestation,
    Kind.SHORT_TEXT: text_fault,
    Kind.LONG_TEXT: text_fault,
    Kind.ENTRIES: _entries,
    Kind.NUMBER: _number,
    Kind.MONEY: _money,
    Kind.DURATION: _duration,
    Kind.DATE: _date,
    Kind.TIME: _time,
    Kind.DATETIME: _datetime,
    Kind.EMAIL: _reread,
    Kind.PHONE: _reread,
    Kind.URL: _reread,
    Kind.RECORD: _record,
    Kind.PERSON: _person,
}
