"""A person's own commands, each as a chat: language, what is theirs, what is held, help."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest

from core.cards import Chips
from core.journey import JourneyType
from core.replies import Command, Reload, Tap, Words
from core.state import AskKind
from core.step.base import Fetch, Fetched
from core.texts import flatten, runtime_texts
from core.turn.commands import EDITED
from tests.support.chat import ANNA, Chat, Says, Types
from tests.support.guarantees import check
from tests.support.journeys import TEXTS, dinner, halls
from tests.support.owned import owned, submitted

GERMAN = {
    "title": "Ein Abendessen",
    "items": {
        "format": {"label": "Form", "ask": "Vor Ort oder online?"},
        "hall": {"label": "Saal", "ask": "Welcher Saal?"},
    },
}


def journey() -> JourneyType:
    """The dinner, which speaks German, too."""
    manifest = dinner().manifest.model_copy(update={"languages": ("en", "de")})
    return JourneyType(manifest=manifest, texts={"en": flatten(TEXTS), "de": flatten(GERMAN)})


def new_chat() -> Chat:
    return Chat(Types((journey(),)), fetch=halls, watch=check)


@pytest.fixture
def chat() -> Chat:
    return new_chat().commands("new", "dinner")


def kind(chat: Chat) -> AskKind:
    assert chat.state.journey is not None
    assert chat.state.journey.ask is not None
    return chat.state.journey.ask.kind


# The language


def test_a_language_named_with_the_command_is_spoken_at_once(chat: Chat) -> None:
    chat.commands("language", "de")

    assert chat.said == "Ab jetzt spreche ich Deutsch."
    assert chat.card.title == "Vor Ort oder online?"
    assert chat.state.person.locale == "de"
    assert chat.state.person.locale_chosen


def test_the_command_alone_offers_each_language_in_its_own_name(chat: Chat) -> None:
    chat.commands("language")

    # those that the journey speaks come first
    assert isinstance(chat.card, Chips)
    assert [one.label for one in chat.card.options] == ["English", "Deutsch", "español"]

    chat.taps("Deutsch")
    assert chat.said == "Ab jetzt spreche ich Deutsch."
    assert chat.card.title == "Vor Ort oder online?"


@pytest.mark.parametrize(
    "words, locale",
    [
        ("Deutsch", "de"),
        ("German, please", "de"),
        ("alemán", "de"),
        ("the third one", "es"),
        ("de", "de"),
        ("Español", "es"),
    ],
)
def test_a_language_can_be_typed(chat: Chat, words: str, locale: str) -> None:
    chat.commands("language").says(words)
    assert chat.state.person.locale == locale


@pytest.mark.parametrize("given", ["Deutsch", "german", "de", "DE"])
def test_the_command_reads_names_and_codes(chat: Chat, given: str) -> None:
    chat.commands("language", given)
    assert chat.state.person.locale == "de"


def test_a_region_that_was_typed_or_is_known_is_kept(chat: Chat) -> None:
    chat.commands("language", "de-AT")
    assert chat.state.person.locale == "de-AT"
    chat.commands("language").taps("Deutsch")
    assert chat.state.person.locale == "de-AT"


def test_a_language_that_is_not_spoken_gets_a_kind_list(chat: Chat) -> None:
    chat.commands("language", "Klingon")
    assert chat.card.reason == "I don't speak “Klingon”. I speak: English, Deutsch, español."

    chat.says("French")
    assert chat.card.reason == "I don't speak “French”. I speak: English, Deutsch, español."
    assert kind(chat) is AskKind.LANGUAGE


def test_a_question_beside_it_goes_to_the_model(chat: Chat) -> None:
    chat.commands("language").says("do you speak it well?", Says("I do my best."))
    assert "I do my best." in chat.texts
    assert kind(chat) is AskKind.LANGUAGE


def test_after_the_language_the_ask_that_was_open_comes_back(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill").says("50")
    chat.says("24 December 2026").says("19:00").taps("Skip")
    assert chat.card.item == "title"
    chat.commands("language").taps("Deutsch")
    assert chat.card.item == "title"


def test_from_the_summary_it_comes_back_to_the_summary_in_the_new_language(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill").says("50")
    chat.says("24 December 2026").says("19:00").taps("Skip")
    chat.says("Winter Dinner").says("Food and stories by the fire.")
    chat.commands("language").taps("Deutsch")
    assert chat.card.title == "Stimmt alles?"
    chat.says("ja")
    assert len(chat.submissions) == 1


def test_with_no_journey_open_the_languages_are_listed_and_can_be_chosen() -> None:
    chat = new_chat()
    chat.commands("language")
    assert chat.said.splitlines() == [
        "These are the languages I speak:",
        "/language de - Deutsch",
        "/language en - English",
        "/language es - español",
    ]
    chat.commands("language", "es")
    assert chat.said == "Desde ahora hablo español."
    chat.commands("language", "xx")
    assert chat.said.startswith("No hablo «xx». Hablo: Deutsch, English, español.")


def test_until_it_is_chosen_the_language_is_what_the_platform_says(chat: Chat) -> None:
    by_platform = Reload(by="anna", at=chat.now, locale="de")
    chat.reply(by_platform)
    assert chat.card.title == "Vor Ort oder online?"
    assert not chat.state.person.locale_chosen

    # a platform that says nothing changes nothing
    chat.comes_back()
    assert chat.state.person.locale == "de"

    # and once they chose, it is theirs
    chat.commands("language", "en").reply(by_platform)
    assert chat.state.person.locale == "en"


def test_a_stranger_brings_no_language_along(chat: Chat) -> None:
    before = chat.state.person
    chat.reply(Words(text="Hallo", by="bob", at=chat.now, locale="de"))
    chat.reply(Command(name="language", argument="es", by="bob", at=chat.now))
    tap = Tap(card=chat.card.id, token="o0", by="bob", at=chat.now, locale="de")
    chat.reply(tap)
    assert chat.state.person == before


# What is theirs


def test_mine_lists_what_is_open_and_what_was_submitted_the_newest_first(chat: Chat) -> None:
    past = (
        submitted("j9", "dinner", "2026-11-20T18:30:00+00:00", 9),
        submitted("j4", "retired", "2026-10-01T08:00:00+00:00", 4),
    )
    chat.fetch = partial(_fetched, owned=partial(owned, submissions=past))
    chat.taps("In person").says("Old Mill")

    chat.commands("mine")

    assert chat.said.splitlines() == [
        "Yours, the newest first:",
        "A dinner: open here, 2 of 8 answered",
        "A dinner (no. 9): submitted, Friday, November 20, 2026, 7:30 PM",
        "retired (no. 4): submitted, Thursday, October 1, 2026, 10:00 AM",
    ]
    assert chat.card.item == "seats"


def test_mine_knows_a_cancelled_journey_and_says_when_there_is_nothing() -> None:
    chat = new_chat()
    chat.fetch = partial(_fetched, owned=owned)
    chat.commands("mine")
    assert chat.said == "There is nothing of yours here yet. Send /new to start."
    chat.commands("new", "dinner").commands("cancel").taps("Yes, cancel").commands("mine")
    assert chat.said.splitlines()[1:] == ["A dinner: cancelled"]


def test_mine_asks_for_the_conversations_owner_only(chat: Chat) -> None:
    chat.fetch = partial(_fetched, owned=owned)
    chat.commands("mine")
    asked = [one.arguments for one in chat.calls if one.tool.startswith("~")]
    assert asked[0] == {"person": "anna"}
    before = len(chat.screen)
    chat.reply(Command(name="mine", by="bob", at=chat.now))
    assert len(chat.screen) == before


def test_what_cannot_be_looked_up_is_said_and_the_open_ask_stays(chat: Chat) -> None:
    chat.fetch = lambda _: Fetched(failed="not available right now")
    chat.commands("mine")
    assert chat.said == "I cannot look that up right now. Please try again in a moment."
    chat.commands("privacy")
    assert chat.said == "I cannot look that up right now. Please try again in a moment."
    assert chat.card.item == "format"


def test_privacy_says_what_is_held_and_shows_no_value(chat: Chat) -> None:
    past = (submitted("j9", "dinner", "2026-11-20T18:30:00+00:00"),)
    chat.fetch = partial(_fetched, owned=partial(owned, submissions=past, messages=7))
    chat.taps("In person").says("Old Mill")

    chat.commands("privacy")

    lines = chat.said.splitlines()
    assert lines[1:9] == [
        "Account: test:anna",
        "Name: Anna",
        "Language: English",
        "Time zone: Berlin",
        "Country: Germany",
        "Answers that are not sent yet: Format, Hall",
        "Messages of our talk in this chat: 7",
        "Submissions: 1 (/mine lists them)",
    ]
    assert "Old Mill" not in chat.said
    assert lines[-1] == "For anything else, ask a person: ask@example.org"
    assert chat.card.item == "seats"


def test_privacy_names_what_is_not_known() -> None:
    nobody = msgspec.structs.replace(ANNA, name="", country=None, zone_known=False)
    chat = Chat(Types((journey(),)), fetch=owned, person=nobody).commands("privacy")
    assert "Name: not known" in chat.said
    assert "Time zone: not known" in chat.said
    assert "Country: not known" in chat.said
    assert "Answers that are not sent yet: nothing yet" in chat.said


def test_cancel_throws_the_answers_away_as_it_says(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill")
    chat.commands("cancel").taps("Yes, cancel")
    assert chat.texts[-1] == "Cancelled. Nothing was sent, and your answers are thrown away."
    assert chat.draft == {}


# Edited words, help, and what is not known


def test_words_edited_after_they_were_read_change_nothing_and_it_is_said(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill").says("50")
    chat.commands(EDITED)
    assert chat.said.startswith("I had read your message before you changed it")
    assert chat.draft["seats"] == 50
    assert chat.card.item == "day"


@pytest.mark.parametrize("language", sorted(runtime_texts()))
def test_help_names_every_command(chat: Chat, language: str) -> None:
    chat.commands("language", language).commands("help")
    named = "start new resume review back cancel mine language timezone privacy help"
    for name in named.split():
        assert f"/{name}" in chat.said
    assert chat.card.item == "format"


def test_an_unknown_command_is_said_to_be_unknown_and_gets_the_help(chat: Chat) -> None:
    chat.commands("frobnicate")
    assert chat.said.startswith("There is no command /frobnicate. This is what I can do:\nAnswer")
    assert "/privacy" in chat.said
    assert chat.card.item == "format"

    chat.commands("help")
    assert chat.said.startswith("Answer the open question by a button")
    assert chat.card.item == "format"


def test_start_with_an_unknown_journey_names_what_there_is(chat: Chat) -> None:
    chat.commands("start", "party")
    assert chat.said.splitlines() == [
        "There is no “party” here.",
        "What would you like to do?",
        "/new dinner - A dinner",
    ]
    assert chat.card.item == "format"


def test_start_with_an_unknown_journey_and_nothing_open_starts_nothing() -> None:
    chat = new_chat().commands("start", "party")
    assert "/new dinner - A dinner" in chat.said
    assert chat.state.journey is None


# The person's own values in the model's answer


def test_a_title_that_is_a_question_is_not_cut_from_the_models_answer() -> None:
    # watched by no check: a question mark of the person's own may stand in an answer (G10)
    chat = Chat(Types((journey(),)), fetch=halls).commands("new", "dinner")
    call = (
        "record_item",
        {"item": "title", "value": "Who owns the web?", "quote": "Who owns the web?"},
    )
    chat.says("It is called Who owns the web?", Says("Noted.", (call,)))
    assert chat.draft["title"] == "Who owns the web?"

    chat.says("Is that a good one?", Says("I like Who owns the web? a lot. Shall we go on?"))
    assert chat.texts[-2] == "I like Who owns the web? a lot."


def test_the_same_words_are_cut_while_they_are_not_the_persons(chat: Chat) -> None:
    chat.says("Any idea for a title?", Says("Try this. Who owns the web?"))
    assert chat.texts[-2] == "Try this."


def _fetched(fetch: Fetch, owned: object) -> Fetched:
    assert callable(owned)
    found = owned(fetch) if fetch.tool.startswith("~") else halls(fetch)
    assert isinstance(found, Fetched)
    return found
