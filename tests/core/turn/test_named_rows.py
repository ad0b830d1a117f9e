"""At the summary, a row is re-opened by naming it."""

from __future__ import annotations

import pytest

from core.cards import Summary
from core.journey import JourneyType
from tests.support.chat import DOWN, Chat, Says, Types
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


@pytest.mark.parametrize("words", ["Guests or hosts, what for?", "Guests, is parking free?"])
def test_a_row_with_a_question_behind_it_is_a_question(chat: Chat, words: str) -> None:
    chat.says(words, Says("Their names are printed."))
    assert chat.said == "Their names are printed."
    assert isinstance(chat.card, Summary)


@pytest.mark.parametrize("words", ["Day of the dinner, 26 December 2026", "day: 26 December 2026"])
def test_the_most_of_a_label_is_the_row_and_the_rest_its_new_value(chat: Chat, words: str) -> None:
    chat.says(words)
    assert chat.card.item == "day"
    assert [one.label for one in chat.card.suggestions] == ["Saturday, December 26, 2026"]


@pytest.mark.parametrize("words", ["change the place", "change the hosts", "change", "the"])
def test_words_that_name_no_row_or_two_open_none(chat: Chat, words: str) -> None:
    chat.says(words, DOWN)
    assert isinstance(chat.card, Summary)
    assert chat.submissions == []


@pytest.mark.parametrize(
    "words, item",
    [
        ("edit 3", "seats"),
        ("change 1", "format"),
        ("Please edit 8.", "about"),
        ("remove the guests or hosts", "guests"),
        ("delete seats", "seats"),
        ("edit seats", "seats"),
        ("change people", "seats"),
    ],
)
def test_a_row_is_named_by_its_number_or_to_be_taken_away(
    chat: Chat, words: str, item: str
) -> None:
    chat.says(words)
    assert chat.card.item == item


@pytest.mark.parametrize("words", ["edit 0", "edit 9", "change 99999", "edit"])
def test_a_number_of_no_row_opens_nothing(chat: Chat, words: str) -> None:
    chat.says(words)
    assert isinstance(chat.card, Summary)


@pytest.mark.parametrize(
    "words, item, offered",
    [
        ("seats 60", "seats", "60"),
        ("seats: 60", "seats", "60"),
        ("change the seats to 60", "seats", "60"),
        ("people 60", "seats", "60"),
        ("start 20:30", "start", "8:30"),
        ("name: Autumn Dinner", "title", "Autumn Dinner"),
        ("change the name to Autumn Dinner", "title", "Autumn Dinner"),
    ],
)
def test_a_row_and_its_new_value_opens_it_with_the_value_one_tap_away(
    chat: Chat, words: str, item: str, offered: str
) -> None:
    before = dict(chat.draft)
    chat.says(words)
    assert chat.card.item == item
    assert chat.card.suggestions[0].label.startswith(offered)
    assert dict(chat.draft) == before


def test_a_new_value_that_cannot_be_opens_the_row_and_says_why(chat: Chat) -> None:
    chat.says("seats 5000")
    assert chat.card.item == "seats"
    assert "80" in chat.said


@pytest.mark.parametrize(
    "words", ["seats 60, and is parking free?", "name is odd", "seats 60 and start 20:30"]
)
def test_more_than_one_value_is_for_the_talk(chat: Chat, words: str) -> None:
    chat.says(words)
    assert isinstance(chat.card, Summary)
