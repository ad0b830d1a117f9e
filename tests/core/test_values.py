"""Values: kept as JSON without loss, shown as people of a locale write them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.manifest import Kind
from core.values import decimal_of, locale_of, month_name, shown, size, stored


@pytest.mark.parametrize(
    "kind, read, kept",
    [
        (Kind.NUMBER, 80, 80),
        (Kind.NUMBER, Decimal("3.0"), 3),
        (Kind.NUMBER, Decimal("2.50"), 2.5),
        (Kind.MONEY, {"amount": Decimal("12.5"), "currency": "EUR"}, ("12.50", "EUR")),
        (Kind.MONEY, {"amount": 12, "currency": "EUR"}, ("12.00", "EUR")),
        (Kind.MONEY, {"amount": Decimal("1E+2"), "currency": "JPY"}, ("100", "JPY")),
        (Kind.MONEY, {"amount": "0.125", "currency": "KWD"}, ("0.125", "KWD")),
        # finer than a cent: kept as it is, so that it can be refused
        (Kind.MONEY, {"amount": Decimal("1.005"), "currency": "EUR"}, ("1.005", "EUR")),
        (Kind.CHOICES, ("a", "b"), ["a", "b"]),
        (Kind.DATE, "2026-12-04", "2026-12-04"),
    ],
)
def test_what_was_read_is_kept_in_one_spelling(kind: Kind, read: Any, kept: Any) -> None:
    if kind is Kind.MONEY:
        kept = {"amount": kept[0], "currency": kept[1]}
    assert stored(kind, read) == kept


@given(st.decimals(min_value=-(10**12), max_value=10**12, places=2))
def test_numbers_and_money_come_back_from_json_as_they_were(amount: Decimal) -> None:
    number = stored(Kind.NUMBER, amount)
    money = stored(Kind.MONEY, {"amount": amount, "currency": "EUR"})
    for kept in (number, money):
        assert msgspec.json.decode(msgspec.json.encode(kept)) == kept
        assert decimal_of(kept) == amount


@pytest.mark.parametrize(
    "kind, value, en, de, es",
    [
        (Kind.NUMBER, 1234.5, "1,234.5", "1.234,5", "1.234,5"),
        (
            Kind.MONEY,
            {"amount": "12.50", "currency": "EUR"},
            "€12.50",
            "12,50 €",
            "12,50 €",
        ),
        (
            Kind.DATE,
            "2026-12-04",
            "Friday, December 4, 2026",
            "Freitag, 4. Dezember 2026",
            "viernes, 4 de diciembre de 2026",
        ),
        (Kind.TIME, "17:00", "5:00 PM", "17:00", "17:00"),
        (
            Kind.DATETIME,
            "2026-12-04T17:00",
            "Friday, December 4, 2026, 5:00 PM",
            "Freitag, 4. Dezember 2026, 17:00",
            "viernes, 4 de diciembre de 2026, 17:00",
        ),
        (Kind.DURATION, 90, "1 hour 30 minutes", "1 Stunde 30 Minuten", "1 hora 30 minutos"),
        (Kind.DURATION, 0, "0 minutes", "0 Minuten", "0 minutos"),
        (Kind.PHONE, "+493012345678", "+49 30 12345678", "+49 30 12345678", "+49 30 12345678"),
    ],
)
def test_a_value_reads_as_people_of_the_locale_write_it(
    kind: Kind, value: Any, en: str, de: str, es: str
) -> None:
    assert shown(kind, value, "en") == en
    assert shown(kind, value, "de") == de
    assert shown(kind, value, "es") == es


def test_a_country_of_a_language_has_its_own_ways_and_an_unknown_one_reads_english() -> None:
    assert shown(Kind.TIME, "17:00", "en-GB") == "17:00"
    assert shown(Kind.DATE, "2026-12-04", "en-GB") == "Friday, 4 December 2026"
    assert str(locale_of("xx-YY")) == "en"
    assert locale_of("de-ZZ").language == "de"


@pytest.mark.parametrize("kind", list(Kind))
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=5,
    )
)
def test_a_value_that_is_not_of_its_kind_any_more_still_reads_as_something(
    kind: Kind, value: Any
) -> None:
    assert isinstance(shown(kind, value, "en"), str)


def test_no_shown_value_has_a_space_that_only_looks_like_one() -> None:
    for locale in ("en", "de", "es", "fr"):
        for kind, value in (
            (Kind.TIME, "17:00"),
            (Kind.NUMBER, 1234567),
            (Kind.MONEY, {"amount": "1234.50", "currency": "EUR"}),
        ):
            assert not set(shown(kind, value, locale)) & {"\u202f", "\xa0"}


def test_months_and_sizes_have_names() -> None:
    assert month_name("2026-12", "de") == "Dezember 2026"
    assert size(10_000_000, "en") == "10 MB"
    assert size(1500, "de") == "1,5 kB"
    assert size(1, "en") == "1 byte"


@pytest.mark.parametrize(
    "locale, said",
    [("en", "9:10 AM"), ("de", "09:10"), ("es", "09:10"), ("cs", "09:10")],
)
def test_a_time_on_a_24_hour_clock_has_both_digits_of_its_hour(locale: str, said: str) -> None:
    assert shown(Kind.TIME, "09:10", locale) == said
