"""Which currency a symbol, a word or a code names, and for whom.

Codes and full names ("Swiss francs") come from Unicode's data by way of Babel; short words
("bucks") from the word files. Where several countries write the same sign, the ask's own currency
is meant if it is one of them, then that of the person's country; otherwise nobody guesses.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.numbers import get_currency_name, get_currency_precision, get_territory_currencies

from core.reading.lexicon import lexicon
from core.reading.patterns import table
from core.reading.result import Context
from core.reading.tokens import normal

Codes = tuple[str, ...]

# Signs, and the currencies that are written with them, the likeliest first.
SIGNS: Mapping[str, Codes] = {
    "$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "ARS", "CLP", "COP", "TWD"),
    "us$": ("USD",), "c$": ("CAD",), "ca$": ("CAD",), "a$": ("AUD",), "au$": ("AUD",),
    "nz$": ("NZD",), "s$": ("SGD",), "hk$": ("HKD",), "nt$": ("TWD",), "mx$": ("MXN",),
    "r$": ("BRL",), "€": ("EUR",), "£": ("GBP",), "¥": ("JPY", "CNY"), "₹": ("INR",),
    "₩": ("KRW",), "₽": ("RUB",), "₺": ("TRY",), "₴": ("UAH",), "₫": ("VND",), "₪": ("ILS",),
    "฿": ("THB",), "₱": ("PHP",), "₦": ("NGN",), "₵": ("GHS",), "₡": ("CRC",), "₸": ("KZT",),
    "zł": ("PLN",), "kč": ("CZK",), "kr": ("SEK", "NOK", "DKK", "ISK"), "lei": ("RON", "MDL"),
    "元": ("CNY", "TWD"), "円": ("JPY",), "원": ("KRW",),
}  # fmt: skip

# Codes that people also write in small letters; others are words in some language ("all", "try").
SMALL_CODES = frozenset(
    """
    eur usd gbp chf jpy cny aud cad nzd sek nok dkk pln czk huf inr krw brl mxn sgd hkd zar
    """.split()  # noqa: SIM905
)


@cache
def codes() -> frozenset[str]:
    """The codes of all currencies that some country uses or used lately."""
    found = {
        entry[0] for entries in get_global("territory_currencies").values() for entry in entries
    }
    return frozenset(found)


def is_code(written: str) -> bool:
    """Whether a word, as it is written, is a currency's code."""
    return written.upper() in codes() and (written.isupper() or written.casefold() in SMALL_CODES)


@cache
def words(language: str) -> Mapping[str, Codes]:
    """The words of a language for currencies."""
    found = dict(_full_names(language))
    section: dict[str, Any] = lexicon(language).sections.get("money") or {}
    for word, key in table(section.get("words")).items():
        found[word] = SIGNS.get(str(key), tuple(str(key).split()))
    return {**found, **SIGNS}


def _full_names(language: str) -> Mapping[str, Codes]:
    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        locale = Locale("en")
    named: dict[str, Codes] = {}
    for code in sorted(codes()):
        for count in (None, 1, 2, 5):
            name = " ".join(map(normal, get_currency_name(code, count, locale).split()))
            if code not in named.get(name, ()):
                named[name] = (*named.get(name, ()), code)
    return named


def meant(named: Codes, context: Context) -> Codes:
    """Of the currencies that a word names, the one that is meant, or all if that is open."""
    if len(named) < 2:
        return named
    if context.currency in named:
        return (str(context.currency),)
    local = [code for code in _local(context) if code in named]
    return (local[0],) if local else named


def unnamed(context: Context) -> Codes:
    """The currency of an amount that names none."""
    return (context.currency,) if context.currency else ()


def _local(context: Context) -> list[str]:
    region = context.locale.replace("_", "-").rpartition("-")[2]
    places = [place for place in (context.country, region) if place and place.isupper()]
    return [code for place in places for code in get_territory_currencies(place)]


def digits(code: str) -> int:
    """How many decimals an amount in a currency may have."""
    return int(get_currency_precision(code))
