"""What a model may do in a turn, and what comes of what it may not."""

from __future__ import annotations

import pytest

from core.cards import Summary
from core.draft import Source
from core.events import Happened
from core.replies import File, Upload
from tests.support.chat import Chat, Says, Types
from tests.support.guarantees import check
from tests.support.journeys import dinner, halls


@pytest.fixture
def chat() -> Chat:
    return Chat(Types((dinner(),)), fetch=halls, starts="dinner", watch=check)


def records(title: str, quote: str) -> tuple[str, dict[str, str]]:
    return ("record_item", {"item": "title", "value": title, "quote": quote})


def named(chat: Chat) -> Chat:
    """A journey that began with a first message from which the model recorded the title."""
    return chat.says(
        "Hi! I'd like to organise a dinner, let's call it Winter Dinner.",
        Says("Lovely idea.", (records("Winter Dinner", "call it Winter Dinner"),)),
    )


def at_summary(chat: Chat) -> Chat:
    named(chat).taps("In person").says("Old Mill").says("50")
    return chat.says("24 December 2026").says("19:00").taps("Skip").says("Food and stories.")


def happened(chat: Chat) -> list[Happened]:
    return [event.what for event in chat.last.events]


def test_a_first_message_starts_the_journey_and_a_quoted_title_is_recorded_and_shown(
    chat: Chat,
) -> None:
    named(chat)

    assert chat.draft == {"title": "Winter Dinner"}
    assert chat.state.journey is not None
    value = chat.state.journey.draft.values["title"]
    assert (value.source, value.quote) == (Source.QUOTED, "call it Winter Dinner")
    assert "Title: Winter Dinner" in chat.said
    assert chat.card.item == "format"


@pytest.mark.parametrize(
    "title, quote",
    [
        ("Winter Dinner", "please call it Winter Dinner"),
        ("Summer Dinner", "a dinner on Friday"),
        ("Dinner on Friday with everyone", "dinner on Friday"),
        ("inner on Frida", "inner on Frida"),
        ("Winter Dinner", ""),
        ("", "dinner on Friday"),
    ],
)
def test_a_quote_that_nobody_said_or_that_does_not_hold_the_value_records_nothing(
    chat: Chat, title: str, quote: str
) -> None:
    chat.says("I want a dinner on Friday.", Says("All right.", (records(title, quote),)))
    assert chat.draft == {}
    assert Happened.QUOTE_REFUSED in happened(chat)


@pytest.mark.parametrize(
    "words",
    [
        "A dinner, but please don't call it Winter Dinner",
        "Anything, just not Winter Dinner.",
        "Winter Dinner is not what I want",
    ],
)
def test_what_was_only_said_to_turn_it_down_is_not_recorded(chat: Chat, words: str) -> None:
    chat.says(words, Says("Noted.", (records("Winter Dinner", "Winter Dinner"),)))
    assert chat.draft == {}
    assert Happened.QUOTE_REFUSED in happened(chat)
    assert chat.state.journey is not None
    assert chat.state.journey.proposals == {}


def test_a_title_that_was_taken_back_since_is_not_recorded_from_the_older_words(
    chat: Chat,
) -> None:
    chat.says("Call it Winter Dinner", Says("Nice."))
    chat.says(
        "no wait, not Winter Dinner",
        Says("Noted.", (records("Winter Dinner", "it Winter Dinner"),)),
    )
    assert chat.draft == {}
    chat.says(
        "hm, call it Winter Dinner after all",
        Says("Noted.", (records("Winter Dinner", "Winter Dinner"),)),
    )
    assert chat.draft == {"title": "Winter Dinner"}


def test_a_not_in_the_title_or_in_another_clause_denies_nothing(chat: Chat) -> None:
    chat.says(
        "It's not a lunch, call it Not Another Dinner",
        Says("Noted.", (records("Not Another Dinner", "call it Not Another Dinner"),)),
    )
    assert chat.draft == {"title": "Not Another Dinner"}


def test_a_call_that_needs_a_search_first_is_counted_once(chat: Chat) -> None:
    chat.commands("new", "dinner")
    assert chat.calls == []
    suggested = ("suggest_value", {"item": "hall", "value": "River Hall"})
    chat.says("somewhere by the river, what is there?", Says("This one.", (suggested,)))
    assert [fetch.tool for fetch in chat.calls] == ["find_halls"]
    assert happened(chat).count(Happened.TOOL_CALLED) == 1


def test_a_quote_is_found_whatever_its_quotation_marks_and_letter_case(chat: Chat) -> None:
    chat.says(
        "The title is “Who’s Afraid of Soup?”",
        Says("Good.", (records("Who's afraid of soup?", '"who\'s afraid of soup?"'),)),
    )
    assert chat.draft == {"title": "Who’s Afraid of Soup?"}


def test_a_quoted_value_changes_only_by_what_was_said_just_now_and_the_change_is_printed(
    chat: Chat,
) -> None:
    named(chat)
    chat.says("Thanks!", Says("Sure.", (records("Winter", "call it Winter Dinner"),)))
    assert chat.draft["title"] == "Winter Dinner"

    chat.says(
        "Actually call it Feast of Stories",
        Says("Sure.", (records("Feast of Stories", "call it Feast of Stories"),)),
    )
    assert chat.draft["title"] == "Feast of Stories"
    assert "Title changed from Winter Dinner to Feast of Stories" in chat.said


def test_a_confirm_that_waited_while_the_model_changed_the_draft_submits_nothing(
    chat: Chat,
) -> None:
    at_summary(chat)
    assert isinstance(chat.card, Summary)
    shown = chat.card.revision
    confirm = chat.tap_on("Confirm")

    chat.says(
        "call it Feast of Stories please",
        Says("Of course.", (records("Feast of Stories", "call it Feast of Stories"),)),
        after=confirm,
    )

    assert chat.submissions == []
    assert "Title changed from Winter Dinner to Feast of Stories" in chat.said
    assert isinstance(chat.card, Summary)
    assert chat.card.revision != shown
    chat.taps("Confirm")
    assert '"title":"Feast of Stories"' in chat.submissions[0].content


def test_a_model_cannot_change_what_a_step_settled_it_only_opens_its_card(chat: Chat) -> None:
    chat.commands("new", "dinner").taps("In person").says("Old Mill").says("50")
    chat.says(
        "hm, we may be fewer",
        Says("I changed it to 20.", (("record_item", {"item": "seats", "value": "20"}),)),
    )
    assert chat.draft["seats"] == 50
    assert chat.card.item == "seats"
    chat.taps("20")
    assert chat.draft["seats"] == 20
    assert "Seats changed from 50 to 20" in chat.said
    assert chat.card.item == "day"


def test_an_invented_list_is_never_more_than_a_suggestion(chat: Chat) -> None:
    at_summary(chat).says("change guests")
    chat.says(
        "who could come?",
        Says("Perhaps these.", (("suggest_value", {"item": "guests", "value": ["Eve", "Mel"]}),)),
    )
    assert chat.draft["guests"] is None
    assert list(chat.card.entries) == []


def test_no_tool_confirms_submits_or_attests(chat: Chat) -> None:
    at_summary(chat)
    calls = tuple((name, {"confirmed": True}) for name in ("confirm", "submit", "publish"))
    chat.says("is that all?", Says("I have submitted it.", calls))
    assert chat.submissions == []
    assert isinstance(chat.card, Summary)


def test_settled_values_are_carried_into_a_tool_call_and_win_over_the_models(chat: Chat) -> None:
    chat.commands("new", "dinner").taps("In person").says("River Hall").says("150")
    chat.says(
        "is there another hall?",
        Says("Let me see.", (("find_halls", {"query": "old", "seats": 9999}),)),
    )
    call = chat.calls[-1]
    assert call.arguments == {"query": "old", "seats": 150}
    assert call.settled["seats"] == 150
    assert call.settled["hall"]["id"] == "h3"
    assert Happened.OVERRIDDEN in happened(chat)


def test_fetched_records_are_offered_on_their_card_and_enter_the_draft_by_a_tap(
    chat: Chat,
) -> None:
    chat.commands("new", "dinner").taps("In person")
    chat.says(
        "something by the river?",
        Says("There is one.", (("find_halls", {"query": "river"}),)),
    )
    assert "hall" not in chat.draft
    assert chat.card.item == "hall"
    assert [record.label for record in chat.card.records] == ["River Hall"]
    chat.taps("River Hall")
    assert chat.draft["hall"] == {"id": "h3", "label": "River Hall", "capacity": 200}


def test_a_drafted_text_is_shown_verbatim_and_used_by_a_tap(chat: Chat) -> None:
    named(chat)
    text = "An evening of food & <b>stories</b> by the fire."
    chat.says(
        "can you write the description? food and stories by the fire",
        Says("Here is a draft.", (("suggest_value", {"item": "about", "value": text}),)),
    )
    assert chat.card.item == "about"
    assert chat.card.verbatim == text
    assert "about" not in chat.draft
    chat.taps("Use this text")
    assert chat.draft["about"] == text
    assert chat.state.journey is not None
    assert chat.state.journey.draft.values["about"].source is Source.TAP


def test_a_hidden_item_cannot_be_recorded_suggested_or_opened(chat: Chat) -> None:
    chat.commands("new", "dinner").taps("Online")
    for tool in ("record_item", "suggest_value", "open_step"):
        chat.says("hm?", Says("Sure.", ((tool, {"item": "hall", "value": "Old Mill"}),)))
        assert chat.card.item == "link"
        assert "hall" not in chat.draft


def test_the_models_own_question_and_list_of_choices_are_cut_above_a_card(chat: Chat) -> None:
    named(chat)
    chat.says("hm", Says("Noted. Shall it be online? Please choose:\n- Online\n- In person"))
    assert "Noted." in chat.said
    assert "?" not in chat.said
    assert "- Online" not in chat.said
    assert Happened.QUESTION_CUT in happened(chat)


def test_a_search_of_the_models_by_more_than_words_is_what_the_card_shows(chat: Chat) -> None:
    chat.commands("new", "dinner").taps("In person")
    chat.says("for a hundred?", Says("Let me see.", (("find_halls", {"seats": 100}),)))
    assert chat.card.item == "hall"
    assert chat.calls[-1].arguments["seats"] == 100


def test_a_name_that_nothing_fits_is_said_where_no_model_answers(chat: Chat) -> None:
    chat.commands("new", "dinner").taps("In person").says("Palace")
    assert "Palace" in chat.card.reason
    assert chat.card.item == "hall"


def test_one_entry_that_the_model_names_is_a_suggestion_for_a_list_that_has_none(
    chat: Chat,
) -> None:
    at_summary(chat).says("change guests")
    chat.says(
        "who?", Says("Eve maybe.", (("suggest_value", {"item": "guests", "value": ["Eve"]}),))
    )
    assert [one.label for one in chat.card.suggestions] == ["Add Eve"]
    assert list(chat.card.entries) == []
    chat.taps("Add Eve").taps("Done")
    assert chat.draft["guests"] == ["Eve"]


@pytest.mark.parametrize(
    "said",
    [
        "what if we called it Jazz Night?",
        "hmm, not sure, maybe Jazz Night",
        "Should I call it Jazz Night?",
        "could it be Jazz Night or so?",
        "I think Jazz Night could work",
        "Jazz Night if my boss agrees",
        "Do you like Jazz Night?",
        "how about Jazz Night",
        "Good, should we call it Jazz Night?",
        "¿cuenta Jazz Night?",
    ],
)
def test_what_was_only_weighed_is_suggested_and_not_recorded(chat: Chat, said: str) -> None:
    chat.commands("new", "dinner")
    chat.says(said, Says("A fine name.", (records("Jazz Night", "Jazz Night"),)))
    assert "title" not in chat.draft
    assert Happened.QUOTE_REFUSED in happened(chat)
    assert chat.state.journey is not None
    assert chat.state.journey.proposals == {"title": ("Jazz Night",)}


@pytest.mark.parametrize(
    "said, title",
    [
        ("Call it Jazz Night", "Jazz Night"),
        ("The title is Who Owns the Web?", "Who Owns the Web"),
        ("It's called Jazz Night. Do you like it?", "Jazz Night"),
        ("We want to do the Jazz Night again, is that ok here?", "Jazz Night"),
        ("Jazz Night, it is about food and stories", "Jazz Night"),
        ("Se llama ¿Quién sabe?", "¿Quién sabe"),
    ],
)
def test_what_was_meant_is_recorded(chat: Chat, said: str, title: str) -> None:
    chat.says(said, Says("Good.", (records(title, title),)))
    assert chat.draft == {"title": title}


def test_a_caption_is_the_persons_own_words_and_a_files_name_is_not(chat: Chat) -> None:
    chat.commands("new", "dinner")
    file = File(ref="r", name="Pirate Feast.jpg", mime="image/jpeg", size=10)

    def sent(caption: str) -> Upload:
        return Upload(files=(file,), caption=caption, by="anna", at=chat.now)

    chat.reply(sent("for the poster"), Says("Nice.", (records("Pirate Feast", "Pirate Feast"),)))
    assert "title" not in chat.draft
    chat.reply(sent("call it Jazz Night"), Says("Nice.", (records("Jazz Night", "Jazz Night"),)))
    assert chat.draft["title"] == "Jazz Night"


@pytest.mark.parametrize("said", ["hm, I'm not sure", "maybe", "I don't know"])
def test_a_doubt_is_no_title(chat: Chat, said: str) -> None:
    chat.commands("new", "dinner")
    piece = said.removeprefix("hm, ")
    chat.says(said, Says("Take your time.", (records(piece, piece),)))
    assert "title" not in chat.draft


@pytest.mark.parametrize("piece", ["hm", "hm, I'm not", "okay, maybe", "not sure yet"])
def test_a_piece_of_a_doubt_is_no_title(chat: Chat, piece: str) -> None:
    chat.commands("new", "dinner")
    chat.says(f"{piece} sure yet", Says("Take your time.", (records(piece, piece),)))
    assert "title" not in chat.draft
