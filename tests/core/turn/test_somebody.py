"""Who is picked from a platform's list, told by a message of its own, or shared as a contact."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from core.draft import Source
from core.events import Happened
from core.gathering import together
from core.replies import Shared, Somebody, Words
from core.store import Entry
from tests.support.chat import Chat, Says, Types
from tests.support.helper_folder import handover_type
from tests.support.scenes import SENT

KIM = Somebody(id="7", handle="kim", name="Kim Lindner")
KNOWN = {"id": "7", "handle": "kim", "name": "Kim Lindner"}


@pytest.fixture
def chat() -> Chat:
    """Who helps is asked."""
    begun = Chat(Types((handover_type(),)))
    begun.commands("new", "handover")
    return begun


def picks(chat: Chat, *people: Somebody, card: str = "") -> Chat:
    shared = Shared(
        kind="person",
        people=people,
        card=card or chat.card.id,
        by=chat.state.person.id,
        at=chat.now,
    )
    return chat.reply(shared)


def kept(chat: Chat, item: str = "helper") -> Any:
    assert chat.state.journey is not None
    return chat.state.journey.draft.values[item]


def test_who_is_picked_settles_and_the_next_card_stands_below(chat: Chat) -> None:
    picks(chat, KIM)
    assert (kept(chat).value, kept(chat).source) == (KNOWN, Source.TAP)
    assert chat.card.item == "deputy"
    assert chat.screen[-1].card is not None


def test_who_cannot_be_named_is_refused_below_the_message_that_told_of_them(chat: Chat) -> None:
    before = chat.card.id
    picks(chat, msgspec.structs.replace(KIM, wrong="bot"))
    assert chat.card.id != before
    assert chat.card.reason == "That is a bot. Please name a person."
    assert chat.card.item == "helper"


@pytest.mark.parametrize("people", [(), (KIM, msgspec.structs.replace(KIM, id="8"))])
def test_nobody_or_several_are_no_answer(chat: Chat, people: tuple[Somebody, ...]) -> None:
    picks(chat, *people)
    assert chat.card.item == "helper"


def test_a_pick_of_another_card_settles_nothing_and_says_so(chat: Chat) -> None:
    first = chat.card.id
    chat.says("Zoë Zander")
    picks(chat, KIM, card=first)
    assert chat.card.item == "deputy"
    assert any("earlier card" in text for text in chat.texts)
    assert Happened.STALE_TAP in [event.what for event in chat.last.events]


def test_a_pick_at_the_summary_is_of_another_card(chat: Chat) -> None:
    picks(chat, KIM).taps("Skip")
    picks(chat, msgspec.structs.replace(KIM, id="8"))
    assert kept(chat).value == KNOWN
    assert chat.card.item == ""


def test_a_contact_answers_with_whose_it_is(chat: Chat) -> None:
    ada = Somebody(name="ada", said="ada")
    shared = Shared(
        kind="contact",
        value="+4930",
        detail="ada",
        people=(ada,),
        by=chat.state.person.id,
        at=chat.now,
    )
    chat.reply(shared)
    assert kept(chat).value == {"id": "", "handle": "", "name": "ada"}
    assert kept(chat).source is Source.TYPED


def test_a_row_of_the_summary_is_changed_to_who_is_called(chat: Chat) -> None:
    chat.says("Zoë Zander").taps("Skip")
    said = msgspec.structs.replace(KIM, said="@Kim Lindner")
    words = Words(text="helper: @Kim Lindner", people=(said,), by=chat.state.person.id, at=chat.now)
    chat.reply(words)
    chat.taps("Kim Lindner (@kim)")
    assert kept(chat).value == KNOWN
    assert "Helper changed from Zoë Zander to Kim Lindner (@kim)" in chat.said


def test_what_the_model_says_of_somebody_is_a_name_and_no_more(chat: Chat) -> None:
    suggested = Says("Perhaps Kim.", (("suggest_value", {"item": "helper", "value": "Kim"}),))
    chat.says("who could help me with it?", suggested).taps("Kim")
    assert kept(chat).value == {"id": "", "handle": "", "name": "Kim"}


def test_who_is_called_in_pieces_of_one_message_is_called_in_all_of_it() -> None:
    said = msgspec.structs.replace(KIM, said="@Kim Lindner")
    first = Words(text="my helper is", by="anna", at=SENT)
    second = Words(text="@Kim Lindner", people=(said,), by="anna", at=SENT)
    entries = [Entry(number, one, SENT, 0) for number, one in enumerate((first, second))]
    _, reply = together(entries)
    assert reply == Words(text="my helper is\n@Kim Lindner", people=(said,), by="anna", at=SENT)
