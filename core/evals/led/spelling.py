"""The ways in which people and models spell a value, so that a summary which says it differently
is not taken for one that does not say it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from babel.dates import format_date, format_time

from core.manifest import Kind
from core.values import locale_of

_DAYS = ("d MMMM yyyy", "d MMM yyyy", "d MMMM", "d MMM", "dd.MM.yyyy", "d.M.yyyy", "dd/MM/yyyy")
_HOURS = ("HH:mm", "H:mm", "h:mm a", "h a", "H")


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
            return (f"{value} min", f"{value} minutes", f"{value // 60} h", f"{value // 60} hours")
        case Kind.MONEY if isinstance(value, Mapping):
            whole = str(value["amount"]).removesuffix(".00")
            return (f"{whole} {value['currency']}", whole, str(value["amount"]))
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
    return tuple(format_time(hour, how, locale=one) for one in spoken for how in _HOURS)
