"""A manifest that changed under an open journey: what is still valid is kept, the rest is re-asked.

Every chat is watched: after each turn, all that always holds is checked (G1 to G16).
"""

from __future__ import annotations

import pytest

from core.cards import Summary
from core.journey import JourneyType
from core.manifest import Manifest
from core.replies import Tap
from core.state import Status
from tests.support.chat import Chat, Types
from tests.support.dinners import at_summary
from tests.support.guarantees import check
from tests.support.journeys import dinner, halls
from tests.support.owned import owned


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


def other() -> JourneyType:
    """A journey type that has nothing to do with a dinner."""
    manifest = Manifest.model_validate(
        {"name": "trip", "version": 1, "items": [{"name": "place", "value": "short_text"}]}
    )
    return JourneyType(manifest=manifest, texts={"en": {"title": "A trip"}})


@pytest.fixture
def gone() -> Chat:
    """A chat whose open journey's type is not there any more, while another one is."""
    chat = Chat(Types((dinner(), other())), fetch=owned).commands("new", "dinner")
    chat.taps("Online")
    chat.types = Types((other(),))
    return chat


@pytest.mark.parametrize("said", ["hello", "yes"])
def test_what_is_open_is_told_to_be_gone_and_waits(gone: Chat, said: str) -> None:
    gone.says(said)
    assert "no longer offered" in gone.said
    gone.types = Types((dinner(), other()))
    gone.says("https://example.org/room")
    assert gone.draft["link"] == "https://example.org/room"


@pytest.mark.parametrize("command, argument", [("new", ""), ("new", "trip"), ("start", "trip")])
def test_another_journey_begins_in_its_place(gone: Chat, command: str, argument: str) -> None:
    gone.commands(command, argument)
    assert gone.state.journey is not None
    assert gone.state.journey.manifest == "trip"
    assert [card.item for card in gone.live] == ["place"]


def test_it_can_be_cancelled(gone: Chat) -> None:
    gone.commands("cancel")
    assert gone.said == "Cancelled. Nothing was sent, and your answers are thrown away."
    assert gone.state.journey is not None
    assert gone.state.journey.status is Status.CANCELLED
    assert gone.live == []
    assert not gone.state.journey.draft.values


@pytest.mark.parametrize("command", ["help", "mine", "privacy", "language", "timezone", "what"])
def test_what_needs_no_journey_is_answered_and_it_waits(gone: Chat, command: str) -> None:
    before = gone.state.journey
    gone.commands(command)
    assert gone.said
    assert "no longer offered" not in gone.said
    assert gone.state.journey == before


def test_a_language_is_chosen_without_it(gone: Chat) -> None:
    gone.commands("language", "de")
    assert gone.state.person.locale == "de"


def test_starting_over_as_something_that_is_gone_by_then_starts_the_same_again() -> None:
    chat = Chat(Types((dinner(), other()))).commands("new", "dinner").commands("new", "trip")
    assert chat.card.title.startswith("Stop “A dinner” and start “A trip”?")
    chat.types = Types((dinner(),))
    chat.taps("Yes, start over")
    assert chat.state.journey is not None
    assert chat.state.journey.manifest == "dinner"


def test_new_without_a_name_starts_the_same_again() -> None:
    chat = Chat(Types((dinner(), other())), starts="dinner").commands("new", "trip")
    chat.commands("new")
    assert chat.card.title.startswith("Start over")
    chat.taps("Yes, start over")
    assert chat.state.journey is not None
    assert chat.state.journey.manifest == "trip"
