"""What holds for the reading of every reply to an ask for a value."""

from __future__ import annotations

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.reading import LONGEST, read
from core.reading.result import Context, Outcome

KINDS = (
    "number", "money", "date", "time", "datetime", "duration", "email", "phone", "url",
)  # fmt: skip
PLAIN = (
    ("number", "12"),
    ("number", "twenty-five people"),
    ("number", "I need 3 tickets"),
    ("money", "€20"),
    ("money", "twenty euros"),
    ("date", "Friday"),
    ("date", "the 4th of March"),
    ("date", "on 2026-12-24"),
    ("time", "5 pm"),
    ("time", "half past six in the evening"),
    ("datetime", "tomorrow at 17:30"),
    ("duration", "an hour and a half"),
    ("duration", "90 minutes"),
    ("email", "anna@example.org"),
    ("phone", "+49 30 901820"),
    ("url", "https://example.org/a"),
)
KINDLY = ("please", "thanks", "thank you", "ok", "🙂", "🙏", "!", ".", "...", "  ")
BESIDE = (
    "is parking free?", "why do you need that?", "but only if it is dry", "unless it rains",
    "maybe", "I think", "not sure", "probably", "wait", "or something else", "and tell Anna",
    "if Anna agrees",
)  # fmt: skip
LOCALES = ("en", "en-GB", "en-US", "de", "de-AT", "es", "es-MX", "fr", "ja", "ar", "xx", "")


def where(locale: str = "en") -> Context:
    now = datetime(2026, 12, 2, 10, tzinfo=ZoneInfo("Europe/Berlin"))
    return Context(now=now, locale=locale, currency="EUR", country="DE")


@given(st.sampled_from(PLAIN), st.lists(st.sampled_from(KINDLY), max_size=3))
def test_kind_words_change_nothing(plain: tuple[str, str], kindly: list[str]) -> None:
    kind, reply = plain
    assert read(kind, " ".join([reply, *kindly]), where()) == read(kind, reply, where())


@given(st.sampled_from(PLAIN[:13]), st.sampled_from([str.upper, str.title, str.lower]))
def test_letter_case_changes_nothing(plain: tuple[str, str], change: object) -> None:
    kind, reply = plain
    assert callable(change)
    assert read(kind, change(reply), where()) == read(kind, reply, where())


@given(st.sampled_from(PLAIN), st.sampled_from(BESIDE), st.booleans(), st.sampled_from((" ", ", ")))
def test_what_stands_beside_never_settles(
    plain: tuple[str, str], more: str, first: bool, gap: str
) -> None:
    kind, reply = plain
    said = [more, reply] if first else [reply, more]
    reading = read(kind, gap.join(said), where())
    assert reading.outcome in (Outcome.BESIDE, Outcome.SUGGESTED)


@given(st.sampled_from(PLAIN), st.sampled_from(PLAIN))
def test_two_values_never_settle(one: tuple[str, str], other: tuple[str, str]) -> None:
    if one[1] != other[1]:
        for kind in (one[0], other[0]):
            reading = read(kind, f"{one[1]} and {other[1]}", where())
            assert (
                reading.outcome is not Outcome.SETTLED
                # "tomorrow at 17:30" and "Friday" are one moment when they fall on one day
                or kind == "datetime"
            )


@given(st.sampled_from(KINDS), st.text(max_size=80), st.sampled_from(LOCALES))
def test_no_text_raises(kind: str, text: str, locale: str) -> None:
    read(kind, text, where(locale))


WORDS = (
    "0 1 5 12 13 31 99 2026 0000 1e9 one twenty hundred million a an and half am pm st th of the",
    "in on at to next last this week month year day hours min h march friday tomorrow noon past",
    "midnight quarter uhr y media el las com org http:// https:// mailto: +49 030 k 1.5 12:30 eur",
    "4.12. 29.2. 31.11. 24:00 cents . , : / - + ( ) @ # % € $ £ ² ½ ٥ ' \"",
)
PIECES = st.sampled_from([*" ".join(WORDS).split(), "\n"])


@given(st.sampled_from(KINDS), st.lists(PIECES, max_size=9), st.sampled_from(LOCALES))
def test_no_jumble_raises(kind: str, pieces: list[str], locale: str) -> None:
    for gap in ("", " "):
        read(kind, gap.join(pieces), where(locale))


@given(st.sampled_from(KINDS), st.lists(PIECES, min_size=1, max_size=6))
def test_the_same_reply_reads_the_same(kind: str, pieces: list[str]) -> None:
    reply = " ".join(pieces)
    assert read(kind, reply, where()) == read(kind, reply, where())


REPEATED = (
    "1", "1 ", "one ", "1,", "1.", "-", "(", "a@", "a.", "@", "hundred ", "in 1 ", "friday ",
    "and ", "5:30 ", "1:", "http://", "€1 ", "ein", "und", "\u0301", "\u202e", "🙂", "٥",
    "the ", "+1 ",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("piece", REPEATED)
def test_no_reply_takes_long(kind: str, piece: str) -> None:
    read(kind, "1", where())  # the word files are loaded once
    for length in (LONGEST, 10_000):
        start = time.process_time()
        read(kind, (piece * length)[:length], where())
        assert time.process_time() - start < 1
