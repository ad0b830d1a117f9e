"""How each kind's bare value is kept as JSON, and how a person reads it in their locale.

| kind | kept as |
| --- | --- |
| choice | the option's key |
| choices, entries | a list of texts |
| yes_no, attestation | true or false |
| number | an integer, or a float where there are decimals |
| money | `{"amount": "12.50", "currency": "EUR"}`: a decimal text with the currency's own digits |
| date, time, datetime | `2026-12-04`, `17:00`, `2026-12-04T17:00`, on the person's own clock |
| duration | whole minutes |
| email, phone, url, texts | the text; a phone number as `+493012345678` |
| record | `{"id": ..., "label": ..., <field>: ...}`, as it was shown |
| upload | `{"ref": ..., "name": ..., "mime": ..., "size": ...}` |
| person | `{"id": ..., "handle": ..., "name": ...}`, each empty where nobody tells it |
| form | field name to value, null where a field was left out |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any, Literal

import phonenumbers
from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time, get_datetime_format, get_timezone_location
from babel.numbers import format_currency, format_decimal, get_currency_precision
from babel.units import format_unit

from core.manifest import Kind

DIGITS = 15
"""As many significant digits as a JSON number carries without loss."""

_MINUTES = {"day": 24 * 60, "hour": 60, "minute": 1}
_BYTES = (("gigabyte", 1_000_000_000), ("megabyte", 1_000_000), ("kilobyte", 1000), ("byte", 1))


@cache
def locale_of(tag: str) -> Locale:
    """The locale of a tag ("de-AT"), or of its language, or English."""
    for name in (tag.replace("-", "_"), tag.replace("-", "_").partition("_")[0]):
        try:
            return Locale.parse(name)
        except (UnknownLocaleError, ValueError):
            continue
    return Locale("en")


def decimal_of(value: Any) -> Decimal | None:
    """A number, or an amount of money, as an exact decimal; None for anything else."""
    if isinstance(value, Mapping):
        value = value.get("amount")
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return None
    try:
        found = Decimal(str(value))
    except InvalidOperation:
        return None
    return found if found.is_finite() and abs(found.adjusted()) < 50 else None


def stored(kind: Kind, value: Any) -> Any:
    """A value that was read, as it is kept: the same after a journey through JSON."""
    if kind is Kind.NUMBER:
        return _number(value)
    if kind is Kind.MONEY and isinstance(value, Mapping):
        return _money(value)
    if isinstance(value, tuple):
        return list(value)
    return value


def _number(value: Any) -> Any:
    exact = decimal_of(value)
    if exact is None or isinstance(value, Mapping | str):
        return value
    return int(exact) if exact == exact.to_integral_value() else float(exact)


def _money(value: Mapping[str, Any]) -> Any:
    exact, currency = decimal_of(value), value.get("currency")
    if exact is None or not isinstance(currency, str):
        return dict(value)
    return {"amount": str(_in_coins(exact, currency)), "currency": currency}


def _in_coins(exact: Decimal, currency: str) -> Decimal:
    # What is finer than the smallest coin, or beyond all money, is kept, so that it can be refused.
    try:
        coins = exact.quantize(Decimal(1).scaleb(-get_currency_precision(currency)))
    except InvalidOperation:
        return exact
    return coins if coins == exact else exact


def shown(kind: Kind, value: Any, locale: str) -> str:
    """A value as a person reads it. What is not of its kind (any more) reads as it is kept."""
    show = _SHOWS.get(kind)
    if show is None:
        return str(value)
    try:
        return show(value, locale_of(locale)).replace("\u202f", " ").replace("\xa0", " ")
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError):
        return str(value)


def month_name(month: str, locale: str) -> str:
    """A month ("2026-12") as a calendar's heading."""
    return format_date(date.fromisoformat(f"{month}-01"), "LLLL y", locale=locale_of(locale))


def size(count: int, locale: str) -> str:
    """A number of bytes, as people read it."""
    unit, one = next(pair for pair in _BYTES if count >= pair[1] or pair[1] == 1)
    # The short form of a byte is the same for one and for many.
    length: Literal["long", "short"] = "long" if one == 1 else "short"
    text = format_unit(round(count / one, 1), unit, length, locale=locale_of(locale))
    return text.replace("\u202f", " ").replace("\xa0", " ")


def _shown_number(value: Any, locale: Locale) -> str:
    return format_decimal(Decimal(str(value)), locale=locale, decimal_quantization=False)


def _shown_money(value: Any, locale: Locale) -> str:
    return format_currency(Decimal(value["amount"]), value["currency"], locale=locale)


def _shown_date(value: Any, locale: Locale) -> str:
    return format_date(date.fromisoformat(value), "full", locale=locale)


def _shown_time(value: Any, locale: Locale) -> str:
    return _clock(time.fromisoformat(value), locale)


def _clock(moment: time, locale: Locale) -> str:
    """A time of day; on a 24-hour clock with both digits of the hour, for "9:10" may be either."""
    pattern = str(locale.time_formats["short"].pattern)
    whole_day = "H" in pattern and "HH" not in pattern
    shown = pattern.replace("H", "HH") if whole_day else "short"
    return format_time(moment, shown, locale=locale)


def _shown_datetime(value: Any, locale: Locale) -> str:
    moment = datetime.fromisoformat(value)
    day = format_date(moment.date(), "full", locale=locale)
    clock = _clock(moment.time(), locale)
    pattern = str(get_datetime_format("full", locale=locale)).replace("'", "")
    return pattern.replace("{1}", day).replace("{0}", clock)


def _shown_duration(value: Any, locale: Locale) -> str:
    parts, rest = [], int(value)
    for unit, minutes in _MINUTES.items():
        count, rest = divmod(rest, minutes)
        if count:
            parts.append(format_unit(count, unit, "long", locale=locale))
    return " ".join(parts) or format_unit(0, "minute", "long", locale=locale)


def _shown_person(value: Any, locale: Locale) -> str:
    name, handle = str(value["name"]), str(value["handle"])
    called = f"@{handle}" if handle and handle != name else ""
    return f"{name} ({called})" if name and called else name or called


def _shown_phone(value: Any, locale: Locale) -> str:
    try:
        number = phonenumbers.parse(value)
    except phonenumbers.NumberParseException:
        return str(value)
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.INTERNATIONAL)


_SHOWS: dict[Kind, Callable[[Any, Locale], str]] = {
    Kind.NUMBER: _shown_number,
    Kind.MONEY: _shown_money,
    Kind.DATE: _shown_date,
    Kind.TIME: _shown_time,
    Kind.DATETIME: _shown_datetime,
    Kind.DURATION: _shown_duration,
    Kind.PHONE: _shown_phone,
    Kind.PERSON: _shown_person,
}


def city(zone: str, locale: str) -> str:
    """A zone by its city in the person's language ("Rom"); "UTC+2" for one without a city."""
    name = zone.rpartition("/")[2]
    if name in ("UTC", "GMT", "UCT", "Zulu", "Universal", "Greenwich", "GMT0", "GMT+0", "GMT-0"):
        return "UTC"
    if zone.startswith("Etc/GMT"):
        sign = "-" if "+" in name else "+"
        return f"UTC{sign}{name.lstrip('GMT+-')}"
    try:
        return get_timezone_location(zone, locale=locale_of(locale), return_city=True)
    except (LookupError, ValueError):
        return "UTC"
