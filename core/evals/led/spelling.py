"""The ways in which people and models spell a value, so that a summary which says it differently
is not taken for one that does not say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any

from babel.dates import format_date, format_time
from babel.numbers import get_currency_symbol

from core.manifest import Kind
from core.values import locale_of

_DAYS = ("d MMMM yyyy", "d MMM yyyy", "d MMMM", "d MMM", "dd.MM.yyyy", "d.M.yyyy", "dd/MM/yyyy")
_TIMES = ("HH:mm", "H:mm", "h:mm a", "HH'h'mm", "H'h'mm")
_FULL_HOURS = ("h a", "H 'Uhr'", "H 'h'")
"""Only what is a full hour may be told by its hour, and never by a bare number."""

_MINUTES = ("min", "minutes", "Minuten", "minutos")
_LONGER = {
    1440: ("day", "days", "Tag", "Tage", "día", "días"),
    60: ("h", "hour", "hours", "Stunde", "Stunden", "Std", "hora", "horas"),
}
"""Units of a duration, in minutes, as people write them."""


def spellings(kind: Kind, value: Any, locale: str) -> tuple[str, ...]:
    """Spellings of a kept value besides the runtime's own and the one that is typed."""
    match kind:
        case Kind.DATE:
            return _days(date.fromisoformat(str(value)), locale)
        case Kind.TIME:
            return _hours(time.fromisoformat(str(value)), locale)
        case Kind.DATETIME if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            return tuple(
                f"{day} {hour}"
                for day in _days(moment.date(), locale)
                for hour in _hours(moment.time(), locale)
            )
        case Kind.DURATION:
            return tuple(_lengths(int(value)))
        case Kind.MONEY if isinstance(value, Mapping):
            return tuple(_amounts(str(value["amount"]), str(value["currency"]), locale))
        case Kind.PERSON if isinstance(value, Mapping):
            return (str(value.get("name") or value.get("handle")),)
        case Kind.FORM | Kind.RECORD | Kind.UPLOAD if isinstance(value, Mapping):
            named = value.get("label") or value.get("name")
            return (str(named),) if kind is not Kind.FORM else (_values(value),)
        case Kind.CHOICES | Kind.ENTRIES:
            return (" ".join(map(str, value)),)
        case Kind.ATTESTATION | Kind.YES_NO:
            return ("yes", "ja", "sí", "confirmed", "agreed", "true") if value else ("no", "nein")
    return (str(value),)


def _values(form: Mapping[str, Any]) -> str:
    return " ".join(str(one) for one in form.values() if one is not None)


def _days(day: date, locale: str) -> tuple[str, ...]:
    spoken = {locale_of(locale), locale_of("en")}
    return (day.isoformat(), *(format_date(day, how, one) for one in spoken for how in _DAYS))


def _hours(hour: time, locale: str) -> tuple[str, ...]:
    spoken = {locale_of(locale), locale_of("en")}
    ways = _TIMES if hour.minute else (*_TIMES, *_FULL_HOURS)
    return tuple(format_time(hour, how, locale=one) for one in spoken for how in ways)


def _lengths(minutes: int) -> Iterator[str]:
    """A duration, whole: an hour and a half is no "1 h"."""
    yield from (f"{minutes} {unit}" for unit in _MINUTES)
    for size, units in _LONGER.items():
        whole, rest = divmod(minutes, size)
        for unit in units if whole else ():
            if not rest:
                yield f"{whole} {unit}"
            elif size == 60:
                yield from (f"{whole} {unit} {rest} {one}" for one in _MINUTES)
            if rest * 2 == size:
                yield from (f"{whole}.5 {unit}", f"{whole},5 {unit}")


def _amounts(amount: str, currency: str, locale: str) -> Iterator[str]:
    """An amount with its currency; a number alone may be anything."""
    ways = {amount, amount.replace(".", ","), amount.removesuffix(".00")}
    for money in (currency, get_currency_symbol(currency, locale_of(locale))):
        yield from (f"{one} {money}" for one in sorted(ways))
