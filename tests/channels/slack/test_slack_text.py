"""Text that is shown as it was written, cut where it must be and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.slack.text import (
    NOTHING,
    blank,
    clean,
    distinct,
    escaped,
    inert,
    shorten,
    spelled,
    split,
    whole,
)
from tests.support.any_cards import TEXTS
from tests.support.slack import seeing
from tests.support.slack.text import mrkdwn, plain


@pytest.mark.parametrize(
    "text,kept",
    [
        ("a\r\nb\u2028c\td", "a\nb\nc d"),
        ("a\x00b\u202ec", "abc"),
        ("half \ud83d", "half \ufffd"),
        ("\ud83c\udf89", "🎉"),
        ("*bold* &amp; <b>", "*bold* &amp; <b>"),
    ],
)
def test_only_what_cannot_be_sent_is_taken_out(text: str, kept: str) -> None:
    assert clean(text) == kept


@pytest.mark.parametrize("text", ["", " ", "\u200b", "\u2800\n", "\ufffc"])
def test_nothing_to_see_is_blank(text: str) -> None:
    assert blank(text)


@given(TEXTS)
def test_plain_text_is_read_as_it_was_written(text: str) -> None:
    assert plain(spelled(clean(text))).text == clean(text)


@given(TEXTS)
def test_a_message_s_own_text_calls_nobody(text: str) -> None:
    shown = mrkdwn(escaped(clean(text)), seeing.nobody, verbatim=False)
    assert [one for one in shown.pings if one not in ("here", "channel", "everyone")] == []
    assert mrkdwn(escaped(clean(text)), seeing.nobody).pings == []


@given(st.text(alphabet="ab 1*_~`<>&@#:\n.-’ü東", max_size=12))
def test_what_is_inert_is_shown_as_it_is_and_bold_between_asterisks(text: str) -> None:
    if not inert(text.strip()) or "\n" in text:
        return
    (span,) = mrkdwn(f"*{text.strip()}*", seeing.nobody)
    assert (span.text, span.styles) == (text.strip(), frozenset({"bold"}))


@pytest.mark.parametrize("text", ["a*b", "_a", "a:b", "@here", "<a", "a&b", "`a`", "", " a", "~a"])
def test_what_mrkdwn_might_read_is_not_inert(text: str) -> None:
    assert not inert(text)


def test_a_label_is_cut_between_letters_as_people_see_them() -> None:
    assert shorten("Lindenhof", 9) == "Lindenhof"
    assert shorten("Lindenhof Saal", 10) == "Lindenhof…"
    family = "👨‍👩‍👧"
    assert shorten("a" + family * 3, 1 + 2 * len(family)) == f"a{family}…"


@given(TEXTS, st.integers(1, 90))
def test_a_short_text_fits_as_it_is_sent(text: str, limit: int) -> None:
    short = shorten(clean(text), limit)
    assert len(spelled(short)) <= limit
    assert short == clean(text) or short.endswith(NOTHING)


def test_labels_stay_apart_when_they_are_cut() -> None:
    long = "A room in the house at the end of the street with the number "
    labels = [f"{long}{number}" for number in range(3)]
    assert not whole(labels, 30)
    assert distinct(labels, 30) == (
        "1. A room in the house at the…",
        "2. A room in the house at the…",
        "3. A room in the house at the…",
    )
    assert distinct(["Yes", "No"], 30) == ("Yes", "No")
    assert distinct(["Same", "Same", ""], 30) == ("1. Same", "2. Same", "3. …")


def test_a_long_text_is_cut_where_it_hurts_least() -> None:
    assert split("one two\n\nthree four", 12) == ("one two\n", "three four")
    assert split("one two\nthree four", 12) == ("one two", "three four")
    assert split("One two. Three four", 12) == ("One two. ", "Three four")
    assert split("one twothree four", 9) == ("one ", "twothree ", "four")
    assert split("abcdefgh", 3) == ("abc", "def", "gh")


@given(TEXTS, st.integers(1, 300))
def test_nothing_but_line_breaks_is_lost_by_a_cut(text: str, limit: int) -> None:
    parts = split(clean(text), limit)
    assert all(1 <= len(part) <= limit for part in parts)
    assert "".join(parts).replace("\n", "") == clean(text).replace("\n", "")
