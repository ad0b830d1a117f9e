"""At the summary, a row is re-opened by naming it."""

from __future__ import annotations

import pytest

from core.cards import Summary
from core.journey import JourneyType
from tests.support.chat import DOWN, Chat, Types
from tests.support.guarantees import check
from tests.support.journeys import dinner, halls

LABELS = {
    "items.guests.label": "Guests or hosts",
    "items.day.label": "Day of the dinner",
    "items.title.label": "Name",
    "items.about.label": "Name and story",
    "items.hall.label": "Place in town",
    "items.format.label": "Place or online",
}


@pytest.fixture
def chat() -> Chat:
    """A dinner at its summary; some of its labels begin alike."""
    plain = dinner()
    texts = {"en": {**plain.texts["en"], **LABELS}}
    journey = JourneyType(manifest=plain.manifest, texts=texts)
    chat = Chat(Types((journey,)), fetch=halls, watch=check).commands("new", "dinner")
    chat.taps("In person").says("Old Mill").says("50")
    chat.says("24 December 2026").says("19:00").taps("Skip")
    chat.says("Winter Dinner").says("Food and stories by the fire.")
    assert isinstance(chat.card, Summary)
    return chat


@pytest.mark.parametrize(
    "words, item",
    [
        ("change the guests or hosts", "guests"),
        ("change the guests", "guests"),
        ("guests", "guests"),
        ("please edit the day", "day"),
        ("Change the name.", "title"),
        ("the name and story", "about"),
    ],
)
def test_a_label_or_its_first_words_open_the_row(chat: Chat, words: str, item: str) -> None:
    chat.says(words)
    assert chat.card.item == item


@pytest.mark.parametrize("words", ["change the place", "change the hosts", "change", "the"])
def test_words_that_name_no_row_or_two_open_none(chat: Chat, words: str) -> None:
    chat.says(words, DOWN)
    assert isinstance(chat.card, Summary)
    assert chat.submissions == []
