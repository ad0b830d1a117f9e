"""A button that is typed is pressed; who is answered by nobody is shown the same ways out as who is
refused."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.cards import Picker, Record, Role, Summary
from core.journey import JourneyType
from core.replies import Words
from core.state import AskKind, Person
from core.step.base import Fetch, Fetched
from core.texts import flatten
from tests.support.chat import DOWN, Chat, Says, Types
from tests.support.guarantees import check
from tests.support.journeys import TEXTS, dinner

PAGE = 8
NAMES = (*(f"Hall {number}" for number in range(1, 18)), "River East", "River West", "River Inn")
HALLS = tuple(
    Record(id=f"h{number}", label=label, fields={"capacity": 80})
    for number, label in enumerate(NAMES, 1)
)


def paged(fetch: Fetch) -> Fetched:
    """Twenty halls, eight on a page."""
    words = str(fetch.arguments.get("query", "")).casefold()
    found = [one for one in HALLS if one.label.casefold().startswith(words)]
    start = (int(fetch.arguments.get("page") or 1) - 1) * PAGE
    return Fetched(records=tuple(found[start : start + PAGE]), total=len(found))


def at_halls(locale: str = "en", journey: JourneyType | None = None) -> Chat:
    """Somebody at the first page of the halls, and no model."""
    person = Person(id="anna", locale=locale, zone="Europe/Berlin")
    chat = Chat(Types((journey or dinner(),)), fetch=paged, person=person, watch=check)
    chat.commands("new", "dinner")
    chat.taps(chat.card.options[0].label)
    assert isinstance(chat.card, Picker)
    return chat


def first(chat: Chat) -> str:
    """The first record on the card."""
    return str(chat.card.options[0].label)


@pytest.mark.parametrize("words", ["next", "Next ›", "Next", "more", "next page", "NEXT!"])
@pytest.mark.parametrize("required", [True, False])
def test_next_is_the_next_page_and_not_a_skip(words: str, required: bool) -> None:
    chat = at_halls(journey=dinner(hall={"required": required}))
    chat.says(words)
    assert first(chat) == "Hall 9"
    assert "hall" not in chat.draft
    chat.says("previous")
    assert first(chat) == "Hall 1"


@pytest.mark.parametrize(
    "locale, words", [("de", "weiter"), ("de", "mehr"), ("es", "siguientes"), ("es", "más")]
)
def test_pages_are_turned_in_the_persons_language(locale: str, words: str) -> None:
    journey = dinner()
    texts = {"en": flatten(TEXTS), locale: flatten(TEXTS)}
    chat = at_halls(locale, JourneyType(manifest=journey.manifest, texts=texts))
    chat.says(words)
    assert first(chat) == "Hall 9"


@pytest.mark.parametrize("words", ["all", "show all", "show", "everything"])
def test_all_shows_all_again_after_a_search(words: str) -> None:
    chat = at_halls().says("river")
    assert [one.label for one in chat.card.options] == ["River East", "River West", "River Inn"]
    chat.says(words)
    assert first(chat) == "Hall 1"
    assert chat.card.query == ""


def test_a_word_that_is_on_no_button_is_looked_for() -> None:
    chat = at_halls().says("all")
    assert first(chat) == "Hall 1"
    assert "Nothing on the list fits “all”" in chat.card.reason


@pytest.mark.parametrize("words", ["keep", "keep it", "Keep it."])
def test_keep_keeps_what_stands(words: str) -> None:
    chat = at_halls().taps("Hall 3").taps("Back")
    assert chat.card.item == "hall"
    chat.says(words)
    assert chat.draft["hall"]["id"] == "h3"
    assert chat.card.item == "seats"


def test_a_text_is_a_text_though_a_button_begins_like_it() -> None:
    chat = at_halls().taps("Hall 3").says("50").says("24 December 2026").says("19:00")
    chat.taps("Skip").says("Winter Dinner").taps("Back")
    assert chat.card.item == "title"
    chat.says("Keep")
    assert chat.draft["title"] == "Keep"


def test_a_button_of_a_card_that_was_not_yet_seen_is_not_pressed() -> None:
    chat = at_halls()
    early = Words(text="next", by="anna", at=chat.now - timedelta(minutes=1))
    chat.state = chat.taken(chat.state, early, DOWN).state
    assert chat.state.journey is not None
    assert chat.state.journey.ask is not None
    assert chat.state.journey.ask.cursor == {}


# Stuck


def test_who_is_answered_by_nobody_gets_the_ways_out() -> None:
    chat = at_halls().taps("Hall 3")
    assert chat.card.item == "seats"
    for words in ("why do you need that?", "hm, that depends on many things", "what should I say?"):
        assert "For example" not in chat.card.hint
        chat.says(words)
    assert "For example" in chat.card.hint
    assert Role.HUMAN in [one.role for one in chat.card.controls]

    # and the way to a person can be typed
    chat.says("ask a person")
    assert "ask@example.org" in chat.said
    assert chat.card.item == "seats"


def test_who_is_answered_by_a_model_is_not_stuck() -> None:
    chat = at_halls().taps("Hall 3")
    for _ in range(4):
        chat.says("why do you need that?", Says("So that everybody has a seat."))
    assert Role.HUMAN not in [one.role for one in chat.card.controls]


def test_at_the_summary_too() -> None:
    chat = at_halls().taps("Hall 3").says("50").says("24 December 2026").says("19:00")
    chat.taps("Skip").says("Winter Dinner").says("Food and stories.")
    assert isinstance(chat.card, Summary)
    for _ in range(3):
        chat.says("what happens when I send it?")
    assert Role.HUMAN in [one.role for one in chat.card.controls]


@pytest.mark.parametrize("words", ["help", "Help!", "help me"])
def test_help_is_the_command(words: str) -> None:
    chat = at_halls()
    chat.says(words)
    assert "/review" in chat.said
    assert chat.card.item == "hall"
    assert chat.state.journey is not None
    assert chat.state.journey.ask is not None
    assert chat.state.journey.ask.kind is AskKind.STEP
