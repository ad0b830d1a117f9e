"""The person hears, in one sentence, that what they sent in has arrived."""

from __future__ import annotations

import pytest

from core.replies import ARRIVED
from core.state import Status
from tests.support.chat import Chat, Types
from tests.support.guarantees import check
from tests.support.journeys import dinner, halls

TOLD = "Good news: what you sent in has arrived."


def submitted() -> Chat:
    chat = Chat(Types((dinner(),)), fetch=halls, watch=check)
    chat.commands("new", "dinner").taps("In person").says("Old Mill").says("50")
    chat.says("24 December 2030").says("19:00").says("skip").says("Winter Dinner")
    chat.says("Food and stories by the fire.").taps("Confirm")
    assert chat.state.journey is not None
    assert chat.state.journey.status is Status.SUBMITTED
    return chat


def arrives(chat: Chat) -> Chat:
    return chat.commands(ARRIVED, chat.submissions[0].journey)


def test_it_is_one_sentence() -> None:
    chat = submitted()
    before = len(chat.texts)
    assert arrives(chat).texts[before:] == [TOLD]
    assert chat.live == []


@pytest.mark.parametrize(
    "locale, told",
    [
        ("de", "Gute Nachricht: Was du abgesendet hast, ist angekommen."),
        ("es", "Buenas noticias: lo que enviaste ha llegado."),
    ],
)
def test_it_is_said_in_the_persons_language(locale: str, told: str) -> None:
    chat = submitted()
    chat.commands("language", locale)
    assert arrives(chat).texts[-1] == told


def test_what_is_open_meanwhile_is_the_newest_thing_again() -> None:
    chat = submitted().commands("new", "dinner")
    asked = chat.card
    arrives(chat)
    assert TOLD in chat.texts
    assert (chat.card.title, chat.card.item) == (asked.title, asked.item)
    assert chat.card.id != asked.id, "it was drawn below what was said"
    assert len(chat.live) == 1
    chat.taps("Online")
    assert chat.draft["format"] == "online"


def test_nothing_of_the_journey_changes() -> None:
    chat = submitted()
    journey = chat.state.journey
    arrives(chat)
    assert chat.state.journey == journey
    assert chat.last.events == ()
