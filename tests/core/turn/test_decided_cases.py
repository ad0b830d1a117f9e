"""The design's decided cases, each as a chat: what the person does, and what is then on the screen.

Every chat is watched: after each turn, all that always holds is checked (G1 to G16).
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.cards import Summary
from core.draft import Source
from core.events import Happened
from core.replies import Tap, Words
from core.state import Status
from tests.support.chat import DOWN, Chat, Says, Types
from tests.support.dinners import at_summary
from tests.support.guarantees import check
from tests.support.journeys import dinner, halls


@pytest.fixture
def chat() -> Chat:
    return Chat(Types((dinner(),)), fetch=halls, watch=check).commands("new", "dinner")


def labels(chat: Chat) -> list[str]:
    return [one.label for one in chat.card.suggestions]


def test_taps_and_words_walk_to_a_summary_that_shows_exactly_the_answers(chat: Chat) -> None:
    at_summary(chat)

    card = chat.card
    assert isinstance(card, Summary)
    assert [row.item for row in card.rows] == [
        "format",
        "hall",
        "seats",
        "day",
        "start",
        "guests",
        "title",
        "about",
    ]
    assert chat.draft["seats"] == 50
    assert chat.draft["day"] == "2026-12-24"
    assert chat.draft["title"] == "Winter Dinner"
    assert chat.draft["guests"] is None

    chat.says("yes, that's right")
    assert len(chat.submissions) == 1
    assert chat.submissions[0].revision == card.revision
    assert chat.live == []


def test_an_answer_and_a_question_in_one_message(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill").says("50")

    chat.says(
        "24 December 2026, and is parking free?",
        Says("Parking behind the mill is free. Which day would you like?"),
    )

    assert "Parking behind the mill is free." in chat.said
    assert "Which day" not in chat.said
    assert chat.card.item == "day"
    assert "day" not in chat.draft
    assert len(labels(chat)) == 1

    chat.taps(labels(chat)[0])
    assert chat.draft["day"] == "2026-12-24"
    assert chat.state.journey is not None
    assert chat.state.journey.draft.values["day"].source is Source.TAP


def test_a_tap_while_the_model_is_answering_counts_and_nothing_is_drawn_twice(chat: Chat) -> None:
    tap = chat.tap_on("In person")

    chat.says("what is the difference?", Says("Online needs no hall."), after=tap)

    assert chat.texts[-3:][0] != chat.texts[-1]
    assert chat.draft["format"] == "in_person"
    assert chat.card.item == "hall"
    assert [text for text in chat.texts if text == "In person or online?"] == []


def test_a_tap_that_waited_on_a_card_which_the_model_replaced_is_an_earlier_one(chat: Chat) -> None:
    at_summary(chat)
    confirm = chat.tap_on("Confirm")

    chat.says(
        "yes but make it 20 seats",
        Says(
            "Sure, here is the question again.", (("open_step", {"item": "seats", "value": "20"}),)
        ),
        after=confirm,
    )

    assert chat.submissions == []
    assert chat.card.item == "seats"
    assert chat.draft["seats"] == 50


def test_yes_but_make_it_20_submits_nothing_and_the_old_confirm_is_inert(chat: Chat) -> None:
    at_summary(chat)
    first = chat.card
    old_confirm = chat.tap_on("Confirm")

    chat.says(
        "yes but make it 20",
        Says("Sure.", (("open_step", {"item": "seats", "value": "20"}),)),
    )
    assert chat.submissions == []
    assert chat.card.item == "seats"

    chat.taps("20")
    assert "Seats changed from 50 to 20" in chat.said
    assert isinstance(chat.card, Summary)
    assert chat.card.revision != first.revision

    chat.reply(old_confirm)
    assert chat.submissions == []
    assert any("earlier card" in toast for toast in chat.toasts)

    chat.taps("Confirm")
    assert len(chat.submissions) == 1
    assert '"seats":20' in chat.submissions[0].content


def test_two_fragments_meet_the_ask_that_was_open_when_the_first_arrived(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill").says("50")

    chat.says("24 December 2026\nat 7 pm", Says("Noted."))

    assert "day" not in chat.draft
    assert chat.card.item == "day"
    assert len(labels(chat)) == 1


def test_words_sent_before_a_card_was_drawn_never_answer_it(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill")
    sent_before = chat.now - timedelta(seconds=5)
    early = Words(text="50", by="anna", at=sent_before)

    taken = chat.taken(chat.state, early, Says("One moment."))

    assert taken.state.journey is not None
    assert not taken.state.journey.draft.has("seats")
    assert taken.state.journey.ask is not None
    assert taken.state.journey.ask.proposals == (50,)


def test_three_refusals_bring_an_example_and_a_way_to_a_human(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill")
    for _ in range(3):
        chat.says("100")
        assert "80" in chat.card.reason

    assert "Ask a person" in [one.label for one in chat.card.controls]
    chat.taps("Ask a person")
    assert "ask@example.org" in chat.said
    assert chat.card.item == "seats"


def test_an_optional_item_can_be_skipped_and_a_required_one_cannot(chat: Chat) -> None:
    assert "Skip" not in [one.label for one in chat.card.controls]
    chat.taps("In person").says("Old Mill").says("50").says("24 December 2026").says("19:00")
    assert chat.card.item == "guests"
    chat.says("skip")
    assert chat.draft["guests"] is None


def test_an_invalid_change_never_destroys_the_good_old_value(chat: Chat) -> None:
    at_summary(chat).says("change seats")
    assert chat.card.item == "seats"
    chat.says("100")
    assert chat.draft["seats"] == 50
    chat.taps("Keep it")
    assert isinstance(chat.card, Summary)
    assert chat.draft["seats"] == 50


def test_back_reopens_the_step_before_with_its_value_and_goes_on_from_there(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill").says("50").taps("Back")
    assert chat.card.item == "seats"
    assert "50" in chat.card.hint
    chat.taps("Back")
    assert chat.card.item == "hall"
    chat.taps("Keep it")
    assert chat.card.item == "day"
    chat.says("back")
    chat.says("40")
    assert "Seats changed from 50 to 40" in chat.said
    assert chat.card.item == "day"


def test_cancel_asks_once_and_going_on_loses_nothing(chat: Chat) -> None:
    chat.taps("In person").says("cancel")
    asked = chat.state.journey
    assert asked is not None
    assert asked.status is Status.OPEN
    chat.taps("No, go on")
    assert chat.card.item == "hall"
    assert chat.draft["format"] == "in_person"
    chat.taps("Cancel").taps("Yes, cancel")
    ended = chat.state.journey
    assert ended is not None
    assert ended.status is Status.CANCELLED
    assert chat.live == []


def test_start_over_keeps_nothing(chat: Chat) -> None:
    chat.taps("In person").taps("Start over").taps("Yes, start over")
    assert chat.card.item == "format"
    assert chat.draft == {}
    assert chat.state.journey is not None
    assert chat.state.journey.draft.former == {}


def test_a_list_grows_and_a_forgotten_entry_never_replaces_it(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill").says("50").says("24 December 2026").says("19:00")
    chat.says("Ada Lovelace\nGrace Hopper")
    assert list(chat.card.entries) == ["Ada Lovelace", "Grace Hopper"]
    assert "guests" not in chat.draft
    chat.says("Katherine Johnson").taps("Done")
    assert chat.draft["guests"] == ["Ada Lovelace", "Grace Hopper", "Katherine Johnson"]

    chat.says("Winter Dinner").says("Food and stories.").says("change guests")
    assert list(chat.card.entries) == ["Ada Lovelace", "Grace Hopper", "Katherine Johnson"]
    chat.says("I forgot Anna")
    assert len(chat.draft["guests"]) == 3
    chat.taps(labels(chat)[0]).taps("Done")
    assert chat.draft["guests"] == [
        "Ada Lovelace",
        "Grace Hopper",
        "Katherine Johnson",
        "Anna",
    ]
    assert isinstance(chat.card, Summary)


def test_a_changed_hall_asks_for_the_seats_again_and_for_nothing_else(chat: Chat) -> None:
    at_summary(chat)
    before = dict(chat.draft)
    chat.says("change hall").says("River Hall")

    assert "Hall changed from Old Mill to River Hall" in chat.said
    assert "Seats" in chat.said
    assert chat.card.item == "seats"
    assert {k: v for k, v in before.items() if k not in ("hall", "seats")} == {
        k: v for k, v in chat.draft.items() if k != "hall"
    }
    assert labels(chat) == ["50"]

    chat.taps("50")
    assert isinstance(chat.card, Summary)


def test_a_hidden_items_value_is_nowhere_and_comes_back_as_a_suggestion(chat: Chat) -> None:
    at_summary(chat).says("change format").taps("Online")

    assert "hall" not in chat.draft
    assert "Hall" in chat.said
    assert chat.card.item == "link"
    chat.says("https://example.org/room").says("60")
    assert isinstance(chat.card, Summary)
    assert "hall" not in [row.item for row in chat.card.rows]

    chat.says("change format").taps("In person")
    assert chat.card.item == "hall"
    assert labels(chat) == ["Old Mill"]
    chat.taps("Old Mill")
    assert chat.draft["hall"]["id"] == "h1"


def test_somebody_elses_tap_settles_nothing_and_is_told_so(chat: Chat) -> None:
    tap = chat.tap_on("In person")
    before = chat.state.journey
    chat.reply(Tap(card=tap.card, token=tap.token, by="bob", at=chat.now))
    assert chat.state.journey == before
    assert any("somebody else" in toast for toast in chat.toasts)


def test_a_tap_on_an_earlier_card_says_so_and_the_open_ask_comes_again(chat: Chat) -> None:
    old = chat.tap_on("Online")
    chat.taps("In person")
    chat.reply(old)
    assert chat.draft["format"] == "in_person"
    assert chat.card.item == "hall"
    assert Happened.STALE_TAP in [event.what for event in chat.last.events]


def test_a_reload_redraws_the_open_ask_as_the_newest_message(chat: Chat) -> None:
    chat.taps("In person")
    first = chat.card.id
    chat.comes_back()
    assert chat.card.item == "hall"
    assert chat.card.id != first
    chat.reply(Tap(card=first, token="o0", by="anna", at=chat.now))
    assert "hall" not in chat.draft


def test_an_answer_from_before_a_reload_settles_since_it_is_the_same_question(chat: Chat) -> None:
    sent = chat.now + timedelta(seconds=1)
    chat.comes_back().comes_back()
    answer = Words(text="in person", by="anna", at=sent)
    taken = chat.taken(chat.state, answer)
    assert taken.state.journey is not None
    assert taken.state.journey.draft.plain() == {"format": "in_person"}


@pytest.mark.parametrize("meanwhile", ["an earlier card", "help", "review"])
def test_an_answer_from_before_the_same_question_came_again_settles(
    chat: Chat, meanwhile: str
) -> None:
    first = chat.card.id
    chat.taps("In person")
    sent = chat.now + timedelta(seconds=1)
    for _ in range(2):
        if meanwhile == "an earlier card":
            chat.reply(Tap(card=first, token="o0", by="anna", at=chat.now))
        else:
            chat.commands(meanwhile)
    assert chat.card.item == "hall"
    taken = chat.taken(chat.state, Words(text="River Hall", by="anna", at=sent))
    assert taken.state.journey is not None
    assert "hall" in taken.state.journey.draft.plain()


def test_a_day_that_has_passed_before_the_confirmation_is_asked_again(chat: Chat) -> None:
    at_summary(chat)
    chat.now += timedelta(days=60)
    chat.taps("Confirm")
    assert chat.submissions == []
    assert "Day" in chat.said
    assert chat.card.item == "day"
    chat.says("1 May 2027")
    assert isinstance(chat.card, Summary)


def test_a_dead_model_costs_one_plain_line_and_the_ask_comes_again(chat: Chat) -> None:
    chat.says("why do you need that?", DOWN)
    assert len([line for line in chat.said.splitlines() if line]) == 1
    assert chat.card.item == "format"


def test_a_plain_no_at_the_summary_sends_nothing_and_asks_what_to_change(chat: Chat) -> None:
    at_summary(chat).says("no")
    assert chat.submissions == []
    assert isinstance(chat.card, Summary)
    assert chat.card.reason
