"""What a person hears of a decision, and how what is to be changed comes back."""

from __future__ import annotations

import msgspec
import pytest

from core.cards import Summary
from core.draft import Source
from core.effects import Say
from core.events import Happened
from core.journey import JourneyType
from core.manifest import Moderation
from core.state import Journey, Returned, Status
from core.turn.moderated import APPROVED, CHANGES, REJECTED, told
from tests.support.chat import Chat, Types
from tests.support.journeys import dinner, halls


def moderated() -> JourneyType:
    """The dinner, looked at by people before it is delivered."""
    base = dinner()
    chat = Moderation(chat="telegram:-100123")
    return JourneyType(
        manifest=base.manifest.model_copy(update={"moderation": chat}),
        texts=base.texts,
        steps=base.steps,
    )


@pytest.fixture
def chat() -> Chat:
    """A dinner that was submitted, and waits to be looked at."""
    made = Chat(Types((moderated(),)), halls)
    made.commands("new", "dinner")
    for answer in ("in person", "Old Mill", "50", "24 December 2030", "19:00", "skip"):
        made.says(answer)
    made.says("Winter Dinner").says("Food and stories by the fire.")
    return made.taps("Confirm")


def returned(chat: Chat, words: str = "Please name the menu.") -> Returned:
    sent = chat.submissions[-1]
    return Returned(
        number=12,
        title="Winter Dinner",
        words=words,
        journey=sent.journey,
        manifest=sent.manifest,
        digest=sent.digest,
        content=msgspec.json.decode(sent.content),
        sources=sent.sources,
    )


def journey_of(chat: Chat) -> Journey:
    assert chat.state.journey is not None
    return chat.state.journey


def said(chat: Chat) -> str:
    return "\n".join(one.text for one in chat.last.show if isinstance(one, Say))


def test_who_confirms_hears_that_people_look_at_it_first(chat: Chat) -> None:
    assert "look at it first" in said(chat)
    assert journey_of(chat).status is Status.SUBMITTED


def test_an_approval_is_told_by_number(chat: Chat) -> None:
    chat.commands(APPROVED, told(returned(chat)))
    assert "Winter Dinner” (no. 12) was approved" in said(chat)
    assert journey_of(chat).status is Status.SUBMITTED


def test_a_rejection_is_told_with_its_reason(chat: Chat) -> None:
    chat.commands(REJECTED, told(returned(chat, "We have one that day.")))
    assert "We have one that day." in said(chat)
    assert journey_of(chat).status is Status.SUBMITTED


def test_changes_bring_back_the_summary_with_all_values(chat: Chat) -> None:
    before = journey_of(chat)
    chat.commands(CHANGES, told(returned(chat)))

    assert "Please name the menu." in said(chat)
    assert isinstance(chat.card, Summary)
    again = journey_of(chat)
    assert again.id != before.id
    assert again.draft.plain() == before.draft.plain()

    chat.taps("Title").says("Winter Dinner with goose").taps("Confirm")
    assert [msgspec.json.decode(one.content)["title"] for one in chat.submissions] == [
        "Winter Dinner",
        "Winter Dinner with goose",
    ]
    assert len({one.journey for one in chat.submissions}) == 2


def test_a_changed_submission_is_neither_started_nor_submitted_twice(chat: Chat) -> None:
    chat.commands(CHANGES, told(returned(chat)))
    happened = [one.what for one in chat.last.events]
    chat.taps("Confirm")
    happened += [one.what for one in chat.last.events]
    once = {Happened.STARTED, Happened.SUBMITTED, Happened.REACHED, Happened.PASSED}
    assert not once & set(happened)
    assert Happened.RESUBMITTED in happened


def test_what_is_open_ends_first(chat: Chat) -> None:
    chat.commands("new", "dinner").commands(CHANGES, told(returned(chat)))
    assert "as soon as what is open here has ended" in said(chat)
    assert not isinstance(chat.card, Summary)

    chat.commands("cancel").taps("Yes, cancel")
    assert "Please name the menu." in said(chat)
    assert isinstance(chat.card, Summary)
    assert not chat.state.returned


def test_what_was_said_since_is_no_loss_the_values_come_from_the_submission(chat: Chat) -> None:
    sent = returned(chat)
    chat.commands("new", "dinner").commands("cancel").taps("Yes, cancel")
    chat.commands(CHANGES, told(sent))
    values = journey_of(chat).draft.values
    assert {name: one.value for name, one in values.items()} == sent.content
    assert values["title"].source in (Source.TYPED, Source.QUOTED)
    assert isinstance(chat.card, Summary)


def test_two_that_come_back_come_one_after_the_other(chat: Chat) -> None:
    first, second = returned(chat, "First."), returned(chat, "Second.")
    chat.commands(CHANGES, told(first)).commands(CHANGES, told(second))
    assert "Second." in said(chat)
    assert [one.words for one in chat.state.returned] == ["Second."]
    chat.taps("Confirm")
    assert "Second." in said(chat)
    assert not chat.state.returned


def test_a_day_that_has_passed_meanwhile_is_asked_again(chat: Chat) -> None:
    chat.now = chat.now.replace(year=2031)
    chat.commands(CHANGES, told(returned(chat)))
    assert chat.card.item == "day"
    assert "no longer works" in said(chat)


def test_what_is_offered_no_longer_is_told_so(chat: Chat) -> None:
    sent = returned(chat)
    chat.types = Types(())
    chat.commands(CHANGES, told(sent))
    assert "no longer offered" in said(chat)
    assert not chat.state.returned
