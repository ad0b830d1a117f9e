"""A state does not grow with the length of its conversation: it is written anew with every turn."""

from __future__ import annotations

import pytest

from core.cards import Summary
from core.state import encode
from tests.support.chat import Chat, Types
from tests.support.guarantees import check
from tests.support.journeys import dinner, halls

LONG = "We will cook together, eat by the fire and tell each other stories. " * 20


@pytest.fixture
def chat() -> Chat:
    """At the summary of a dinner."""
    chat = Chat(Types((dinner(),)), fetch=halls, watch=check).commands("new", "dinner")
    chat.taps("In person").says("Old Mill").says("50")
    chat.says("24 December 2026").says("19:00").taps("Skip")
    return chat.says("Winter Dinner").says(LONG)


def waver(chat: Chat, times: int) -> int:
    """Change the long text and the number of seats so often; the bytes of the state after that."""
    for number in range(times):
        chat.taps("About").says(f"Version {number}. {LONG}")
        chat.taps("Seats").says(str(20 + number % 50))
        assert isinstance(chat.card, Summary)
    return len(encode(chat.state))


def test_a_person_who_wavers_for_long_has_no_larger_state(chat: Chat) -> None:
    after_some = waver(chat, 21)
    after_many = waver(chat, 21)
    digits = 40  # numbers of turns, cards and versions that have become longer
    assert after_many <= after_some + digits


def test_a_long_text_is_in_the_draft_in_full_and_in_the_facts_in_brief(chat: Chat) -> None:
    waver(chat, 3)
    assert chat.draft["about"] == f"Version 2. {LONG.strip()}"
    told = [fact for fact in chat.state.facts if fact.startswith("about was changed")]
    assert told
    assert all("Version 1" in fact or "Version 0" in fact for fact in told)
    assert all(len(fact) < 400 for fact in told)
