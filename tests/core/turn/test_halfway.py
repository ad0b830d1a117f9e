"""Journeys that stop half-way: one reminder, and in the end they are put away."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.events import Happened
from core.state import AskKind, Status
from core.turn.halfway import EXPIRE, NUDGE, mark
from tests.support.chat import Chat, Says, Types
from tests.support.guarantees import check
from tests.support.journeys import dinner, halls


@pytest.fixture
def chat() -> Chat:
    chat = Chat(Types((dinner(),)), fetch=halls, watch=check)
    return chat.commands("new", "dinner").taps("In person").says("Old Mill")


def marked(chat: Chat) -> str:
    assert chat.state.journey is not None
    return mark(chat.state.journey, chat.state.turn)


def is_nudged(chat: Chat) -> Chat:
    return chat.commands(NUDGE, marked(chat))


def asked(chat: Chat) -> tuple[AskKind, str]:
    assert chat.state.journey is not None
    assert chat.state.journey.ask is not None
    return chat.state.journey.ask.kind, chat.state.journey.ask.item


def test_who_left_is_asked_whether_to_go_on(chat: Chat) -> None:
    is_nudged(chat)
    assert chat.card.title == (
        "“A dinner” is still unfinished here, with 2 answered so far. Shall we go on?"
    )
    assert [one.label for one in chat.card.options] == ["Go on", "Drop it"]
    assert [one.what for one in chat.last.events] == [Happened.NUDGED]


def test_going_on_asks_what_was_asked(chat: Chat) -> None:
    is_nudged(chat).taps("Go on")
    assert asked(chat) == (AskKind.STEP, "seats")
    assert chat.draft["hall"]["label"] == "Old Mill"


def test_dropping_it_keeps_nothing(chat: Chat) -> None:
    is_nudged(chat).taps("Drop it")
    assert chat.state.journey is not None
    assert chat.state.journey.status is Status.CANCELLED
    assert chat.draft == {}
    assert chat.live == []


@pytest.mark.parametrize("said, status", [("yes", Status.OPEN), ("no", Status.CANCELLED)])
def test_it_is_answered_in_words(chat: Chat, said: str, status: Status) -> None:
    is_nudged(chat).says(said)
    assert chat.state.journey is not None
    assert chat.state.journey.status is status


def test_the_answer_to_what_was_asked_before_is_taken(chat: Chat) -> None:
    is_nudged(chat).says("50")
    assert chat.draft["seats"] == 50
    assert asked(chat) == (AskKind.STEP, "day")
    assert "Seats: 50" in chat.said


def test_words_beside_an_answer_go_to_the_model_and_the_question_comes_back(chat: Chat) -> None:
    is_nudged(chat).says("Is there parking?", Says("Yes, behind the mill."))
    assert "behind the mill" in chat.said
    assert asked(chat) == (AskKind.STEP, "seats")


def test_a_file_is_no_answer_and_the_question_comes_back(chat: Chat) -> None:
    is_nudged(chat).uploads("plan.jpg")
    assert asked(chat) == (AskKind.STEP, "seats")


def test_a_yes_to_the_reminder_confirms_no_summary(chat: Chat) -> None:
    for answer in ("50", "24 December 2030", "19:00", "skip", "Winter Dinner"):
        chat.says(answer)
    chat.says("Food and stories by the fire.")
    assert asked(chat)[0] is AskKind.SUMMARY
    is_nudged(chat).says("yes")
    assert chat.submissions == []
    assert asked(chat)[0] is AskKind.SUMMARY

    chat.says("yes")
    assert len(chat.submissions) == 1


def test_words_that_are_no_answer_at_the_summary_confirm_nothing(chat: Chat) -> None:
    for answer in ("50", "24 December 2030", "19:00", "skip", "Winter Dinner"):
        chat.says(answer)
    chat.says("Food and stories by the fire.")
    is_nudged(chat).says("Which day was that again?", Says("It is 24 December."))
    assert chat.submissions == []
    assert asked(chat)[0] is AskKind.SUMMARY


def test_once_in_a_journey(chat: Chat) -> None:
    is_nudged(chat).taps("Go on")
    before = chat.card
    is_nudged(chat)
    assert chat.last.show == ()
    assert chat.card == before


def test_who_came_back_meanwhile_is_not_disturbed(chat: Chat) -> None:
    left = marked(chat)
    chat.says("50")
    before = chat.card
    chat.commands(NUDGE, left)
    chat.commands(EXPIRE, left)
    assert chat.last.show == ()
    assert chat.card == before


def test_a_reminder_that_is_taken_too_late_wakes_nobody(chat: Chat) -> None:
    """Nothing ran in the evening, and something does at night."""
    evening = chat.now - timedelta(minutes=1)
    before = chat.card
    chat.commands(NUDGE, f"{marked(chat)} {evening.isoformat()}")
    assert chat.last.show == ()
    assert chat.card == before
    soon = chat.now + timedelta(hours=1)
    chat.commands(NUDGE, f"{marked(chat)} {soon.isoformat()}")
    assert asked(chat)[0] is AskKind.NUDGE


def test_what_was_left_for_too_long_is_put_away_with_a_note(chat: Chat) -> None:
    is_nudged(chat)
    chat.commands(EXPIRE, marked(chat))
    assert chat.state.journey is not None
    assert chat.state.journey.status is Status.EXPIRED
    assert chat.draft == {}
    assert chat.said.startswith("“A dinner” has waited here for a long time, so")
    assert chat.live == []
    assert [one.what for one in chat.last.events] == [Happened.EXPIRED]


def test_nothing_is_put_away_where_nothing_is_open() -> None:
    chat = Chat(Types((dinner(),)), fetch=halls, watch=check)
    for command in (NUDGE, EXPIRE):
        chat.commands(command, "j1:1")
        assert chat.last.show == ()


def test_a_journey_whose_type_is_gone_is_put_away(chat: Chat) -> None:
    left = marked(chat)
    chat.types = Types(())
    chat.commands(NUDGE, left)
    assert chat.last.show == ()
    chat.commands(EXPIRE, marked(chat))
    assert chat.state.journey is not None
    assert chat.state.journey.status is Status.EXPIRED
