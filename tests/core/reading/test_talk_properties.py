"""What holds for every reply to a yes or no, a choice or a text."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.reading import LONGEST, is_back, is_cancel, is_done, is_skip, is_start_over, read
from core.reading.result import Context, Option, Outcome

KINDS = ("confirm", "offer", "yes_no", "choice", "choices", "short_text", "long_text", "entries")
CONTROLS = (is_back, is_cancel, is_done, is_skip, is_start_over)
OPTIONS = (Option("talk", "Talk"), Option("show", "Talk show"), Option("lab", "Workshop", ("lab",)))

# Replies that settle, in each language, with what is said for "please" and what stands beside.
PLAIN = {
    "en": (
        ("confirm", "Yes"),
        ("confirm", "that's right"),
        ("confirm", "perfect, go ahead"),
        ("confirm", "No"),
        ("offer", "I would love to"),
        ("offer", "no, not right now"),
        ("yes_no", "I do"),
        ("choice", "the second one"),
        ("choice", "I'd like the workshop"),
        ("choices", "talk and workshop"),
        ("choices", "1, 3"),
    ),
    "de": (
        ("confirm", "Ja, das stimmt"),
        ("confirm", "Nein"),
        ("offer", "sehr gern"),
        ("choice", "Nummer zwei"),
        ("choices", "1 und 3"),
    ),
    "es": (
        ("confirm", "Sí, todo correcto"),
        ("confirm", "No"),
        ("offer", "me encantaría"),
        ("choice", "la segunda"),
        ("choices", "1 y 3"),
    ),
}
KINDLY = {
    "en": ("please", "thanks", "thank you very much", "🙂", "🙏", "!", "."),
    "de": ("bitte", "danke", "vielen Dank", "🙂", "!", "."),
    "es": ("por favor", "gracias", "muchas gracias", "🙂", "!", "."),
}
MORE = {
    "en": (
        "is parking free?", "why do you need that?", "but only if it is dry", "unless it rains",
        "maybe", "I think", "not sure", "probably", "wait", "or something else", "and tell Anna",
        "if Anna agrees", "actually", "on Friday", "at 5 pm", "for 20 people", "I guess",
        "however", "🤔", "?", "except Ben",
    ),
    "de": (
        "ist das kostenlos?", "aber nur wenn es trocken ist", "vielleicht", "glaube ich",
        "Moment", "falls es regnet", "nicht sicher", "am Freitag", "um 17 Uhr",
        "für 20 Personen", "außer Ben", "🤔", "?",
    ),
    "es": (
        "¿es gratis?", "pero solo si es gratis", "quizás", "creo", "espera", "no estoy seguro",
        "el viernes", "a las 5", "para 20 personas", "excepto Ben", "🤔", "?",
    ),
}  # fmt: skip
ODD = (
    "yes", "no", "not", "2", "-", "the", "first", "all", "but", "or", ",", "?", "’", "ja", "sí",
    "Talk", "show", "👍", "\u200d", "\ufe0f", "\n", "3️⃣", "I'd", "of", "both", "none", "…", "½", "²",
)  # fmt: skip
UNKNOWN = ("zebra", "Friday", "Müller", "30", "Straße", "?")
PIECES = (
    "yes ", "very ", "so very really ", "2, ", "talk ", "a", "👍", "not ", "I would like ", "? ",
    "-", "\n", "and ", "the details ", "e\u0301", "👨‍👩‍👧", "1-", "; ", "no thank you ",
)  # fmt: skip
LOCALES = (
    "en",
    "en-GB",
    "de",
    "de-AT",
    "es",
    "es-MX",
    "fr",
    "it",
    "pt-BR",
    "nl",
    "ja",
    "xx",
    "",
    "-",
)
SAID = [(language, kind, reply) for language, said in PLAIN.items() for kind, reply in said]


def where(locale: str = "en") -> Context:
    now = datetime(2026, 12, 2, 10, tzinfo=ZoneInfo("Europe/Berlin"))
    return Context(now=now, locale=locale, options=OPTIONS)


@given(st.sampled_from(SAID), st.data())
def test_kind_words_change_nothing(said: tuple[str, str, str], data: st.DataObject) -> None:
    language, kind, reply = said
    kindly = data.draw(st.lists(st.sampled_from(KINDLY[language]), max_size=3))
    given = where(language)
    assert read(kind, reply, given).outcome is Outcome.SETTLED
    assert read(kind, " ".join([reply, *kindly]), given) == read(kind, reply, given)


@given(st.sampled_from(SAID), st.sampled_from((str.upper, str.title, str.lower, str.capitalize)))
def test_letter_case_changes_nothing(
    said: tuple[str, str, str], change: Callable[[str], str]
) -> None:
    language, kind, reply = said
    assert read(kind, change(reply), where(language)) == read(kind, reply, where(language))


@given(st.sampled_from(SAID), st.booleans(), st.sampled_from((" ", ", ", ". ")), st.data())
def test_what_stands_beside_never_settles(
    said: tuple[str, str, str], first: bool, gap: str, data: st.DataObject
) -> None:
    language, kind, reply = said
    more = data.draw(st.sampled_from(MORE[language]))
    text = gap.join([more, reply] if first else [reply, more])
    # A list may grow and shrink ("1, 3 except Ben" is beside, and so is all the rest).
    assert read(kind, text, where(language)).outcome is not Outcome.SETTLED


@given(st.sampled_from(SAID), st.sampled_from(UNKNOWN), st.data())
def test_a_word_that_no_class_knows_settles_nothing(
    said: tuple[str, str, str], word: str, data: st.DataObject
) -> None:
    language, kind, reply = said
    parts = reply.split()
    at = data.draw(st.integers(0, len(parts)))
    text = " ".join([*parts[:at], word, *parts[at:]])
    assert read(kind, text, where(language)).outcome is not Outcome.SETTLED


@given(st.sampled_from([one for one in SAID if one[1] in ("confirm", "offer", "yes_no")]))
def test_a_contradiction_settles_nothing(said: tuple[str, str, str]) -> None:
    language, kind, reply = said
    yes = read(kind, reply, where(language)).value
    other = {"en": ("yes", "no"), "de": ("ja", "nein"), "es": ("sí", "no")}[language][int(yes)]
    for text in (f"{reply}, {other}", f"{other}. {reply}"):
        assert read(kind, text, where(language)).outcome is not Outcome.SETTLED


@given(
    st.sampled_from(KINDS),
    st.sampled_from(LOCALES),
    st.one_of(
        st.text(max_size=80),
        st.lists(st.sampled_from(ODD), max_size=12).map(" ".join),
    ),
)
def test_reading_never_raises(kind: str, locale: str, text: str) -> None:
    reading = read(kind, text, where(locale))
    assert isinstance(reading.outcome, Outcome)
    for hears in CONTROLS:
        assert hears(text, where(locale)) in (True, False)


@given(st.text(min_size=1, max_size=60))
def test_free_text_is_kept_as_it_was_typed(text: str) -> None:
    reading = read("short_text", text, where())
    if reading.outcome is Outcome.SETTLED:
        assert reading.value == text.strip()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("piece", PIECES)
def test_long_replies_take_no_longer_than_their_length(kind: str, piece: str) -> None:
    for size in (LONGEST, 10_000):
        start = time.perf_counter()
        read(kind, (piece * size)[:size], where())
        assert time.perf_counter() - start < 2
