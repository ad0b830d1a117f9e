"""A manifest that changed under an open journey: what is still valid is kept, the rest is re-asked.

Every chat is watched: after each turn, all that always holds is checked (G1 to G16).
"""

from __future__ import annotations

import pytest

from core.cards import Summary
from core.replies import Tap
from tests.support.chat import Chat, Types
from tests.support.dinners import at_summary
from tests.support.guarantees import check
from tests.support.journeys import dinner, halls


@pytest.fixture
def chat() -> Chat:
    return Chat(Types((dinner(),)), fetch=halls, watch=check).commands("new", "dinner")


def test_a_journey_stays_on_its_version_while_that_is_at_hand(chat: Chat) -> None:
    chat.taps("In person")
    old = chat.state.journey
    chat.types = Types((dinner(), dinner(version=2, start=None)))
    chat.says("Old Mill")
    assert old is not None
    assert chat.state.journey is not None
    assert chat.state.journey.digest == old.digest
    assert chat.card.item == "seats"


def test_a_manifest_that_changed_keeps_what_is_valid_and_asks_only_what_changed(chat: Chat) -> None:
    at_summary(chat)
    chat.types = Types(
        (dinner(version=2, format={"options": ["in_person", "hybrid"]}, seats={"maximum": 40}),)
    )
    chat.comes_back()

    assert "updated" in chat.said
    assert "Seats" in chat.said
    assert chat.card.item == "seats"
    assert chat.draft["title"] == "Winter Dinner"
    assert chat.draft["hall"]["id"] == "h1"
    chat.says("40")
    assert isinstance(chat.card, Summary)


@pytest.mark.parametrize("button", ["Back", "Cancel", "In person"])
def test_a_tap_on_a_card_of_the_old_manifest_brings_what_is_owed_now(
    chat: Chat, button: str
) -> None:
    chat.taps("In person").taps("Back")
    chat.types = Types((dinner(version=2, seats={"maximum": 40}),))
    if button == "Back":
        chat.reply(Tap(card=chat.card.id, token="~back", by="anna", at=chat.now))
    else:
        chat.taps(button)
    assert "updated" in chat.said
    assert chat.draft == {"format": "in_person"}
    assert chat.card.item == "hall"


@pytest.mark.parametrize("command", ["help", "new", "back", "review", "resume", "start"])
def test_a_command_after_the_form_changed_brings_what_is_owed_now(chat: Chat, command: str) -> None:
    chat.taps("In person")
    chat.types = Types((dinner(version=2, seats={"maximum": 40}),))
    chat.commands(command, "nothing" if command == "new" else "")
    assert "updated" in chat.said
    assert chat.card.item == "hall"


def test_an_item_that_the_new_manifest_does_not_know_is_dropped_and_nothing_fails(
    chat: Chat,
) -> None:
    at_summary(chat)
    chat.types = Types((dinner(version=2, start=None),))
    chat.comes_back()
    assert isinstance(chat.card, Summary)
    assert "start" not in [row.item for row in chat.card.rows]
    chat.taps("Confirm")
    assert len(chat.submissions) == 1
