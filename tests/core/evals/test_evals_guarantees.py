"""What is looked at after every turn can fail: each guarantee is broken by hand, and found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from core.draft import Source, Value
from core.effects import Close, Draw, Effect, Note, Say
from core.evals.guarantees import Look, broken
from core.evals.screen import Screen
from core.events import Event, Happened
from core.replies import Reply, Tap
from core.state import Ask, AskKind, Conversation
from core.step.base import Fetch
from core.turn import Taken
from tests.support.chat import Chat, Types
from tests.support.dinners import at_summary
from tests.support.journeys import dinner, halls


class Seen:
    """A chat, and the look at its last turn."""

    def __init__(self) -> None:
        self.looks: list[Look] = []
        self.chat = Chat(Types((dinner(),)), fetch=halls, watch=self._watch)
        self.chat.commands("new", "dinner")

    def _watch(self, chat: Chat, reply: Reply, before: Conversation, taken: Taken) -> None:
        screen = Screen([replace(one) for one in chat.view.messages], [], dict(chat.view.drawn))
        self.looks.append(Look(chat.types, reply, before, taken, screen, [*chat.notes]))

    @property
    def last(self) -> Look:
        return self.looks[-1]


@pytest.fixture
def seen() -> Seen:
    return Seen()


def names(look: Look) -> set[str]:
    return {one.guarantee for one in broken(look)}


def with_journey(look: Look, **changes: Any) -> Look:
    """The look at a turn that left another journey."""
    assert look.after.journey is not None
    journey = msgspec.structs.replace(look.after.journey, **changes)
    state = msgspec.structs.replace(look.after, journey=journey)
    return replace(look, taken=replace(look.taken, state=state))


def with_effects(look: Look, **changes: Any) -> Look:
    effects = msgspec.structs.replace(look.taken.effects, **changes)
    return replace(look, taken=replace(look.taken, effects=effects))


def with_value(look: Look, name: str, value: Value) -> Look:
    assert look.after.journey is not None
    draft = look.after.journey.draft
    values = {**draft.values, name: value}
    return with_journey(look, draft=msgspec.structs.replace(draft, values=values))


def without(look: Look, kind: type[Effect] | tuple[type[Effect], ...]) -> Look:
    kept = tuple(one for one in look.taken.effects.show if not isinstance(one, kind))
    return with_effects(look, show=kept)


def test_a_turn_as_it_should_be_breaks_nothing(seen: Seen) -> None:
    at_summary(seen.chat).says("yes")
    assert len(seen.chat.submissions) == 1
    assert [broken(look) for look in seen.looks] == [[]] * len(seen.looks)


def test_g1_a_summary_while_something_is_owed(seen: Seen) -> None:
    ask = Ask(kind=AskKind.SUMMARY, card=seen.chat.card.id, drawn_at=seen.chat.now)
    assert names(with_journey(seen.last, ask=ask)) == {"G1"}


@pytest.mark.parametrize("quote", ["what nobody said", ""])
def test_g2_a_quote_that_nobody_said(seen: Seen, quote: str) -> None:
    value = Value(value="Pirate Feast", source=Source.QUOTED, turn=1, quote=quote)
    assert names(with_value(seen.last, "title", value)) == {"G2"}
    said = replace(
        with_value(seen.last, "title", msgspec.structs.replace(value, quote="Pirate Feast")),
        notes=[Note(role="person", text="call it pirate feast!", words=True)],
    )
    assert names(said) == set()


def test_g3_what_is_submitted_is_not_what_was_shown(seen: Seen) -> None:
    at_summary(seen.chat).says("yes")
    look, submission = seen.last, seen.chat.submissions[0]
    other = msgspec.structs.replace(submission, content=submission.content.replace("50", "51"))
    assert "G3" in names(with_effects(look, submission=other))
    assert "G3" in names(replace(look, before=seen.looks[0].after))
    assert "G3" in names(replace(look, screen=Screen()))
    by_bob = msgspec.structs.replace(look.reply, by="bob")
    assert "G3" in names(replace(look, reply=by_bob))


def test_g4_a_change_that_is_not_told(seen: Seen) -> None:
    at_summary(seen.chat).taps("Seats").says("40")
    assert names(seen.last) == set()
    assert "G4" in names(without(seen.last, (Say, Close)))


def test_g16_what_a_change_takes_away_is_not_told(seen: Seen) -> None:
    at_summary(seen.chat).taps("Hall").says("River Hall")
    assert names(seen.last) == set()
    assert "G16" in names(without(seen.last, (Say, Close)))


def test_g16_a_hidden_item_keeps_its_value(seen: Seen) -> None:
    seen.chat.taps("Online")
    value = Value(value={"id": "h1", "label": "Old Mill"}, source=Source.RECORD, turn=1)
    assert names(with_value(seen.last, "hall", value)) == {"G16"}


def test_g5_a_record_that_nobody_accepted(seen: Seen) -> None:
    seen.chat.taps("In person")
    value = Value(value={"id": "h1", "label": "Old Mill"}, source=Source.TYPED, turn=2)
    assert "G5" in names(with_value(seen.last, "hall", value))


def test_g6_a_tool_call_without_the_settled_values(seen: Seen) -> None:
    at_summary(seen.chat).says("hello?")
    call = Fetch(journey="dinner", tool="find_halls", arguments={"query": "", "seats": 9999})
    # The search for a hall must not be narrowed by the seats, which depend on it.
    assert names(replace(seen.last, fetches=(call,))) == set()
    kind = dinner(seats={"depends_on": [], "maximum": 500})
    chat = Chat(Types((kind,)), fetch=halls)
    at_summary(chat.commands("new", "dinner"))
    look = replace(seen.last, types=Types((kind,)), before=chat.state)
    look = replace(look, taken=replace(look.taken, state=chat.state), screen=chat.view)
    look = with_effects(look, show=())
    assert names(replace(look, fetches=(call,))) == {"G6"}
    carried = msgspec.structs.replace(call, arguments={"query": "", "seats": 50})
    assert names(replace(look, fetches=(carried,))) == set()


def test_g7_something_is_below_the_open_card(seen: Seen) -> None:
    screen = Screen([*seen.last.screen.messages], [], seen.last.screen.drawn)
    screen.show([Say(text="One more thing.")])
    assert names(replace(seen.last, screen=screen)) == {"G7"}
    assert names(with_journey(seen.last, ask=None)) == {"G7"}


def test_g8_two_cards_are_live(seen: Seen) -> None:
    screen = Screen([*seen.last.screen.messages], [], seen.last.screen.drawn)
    screen.messages.insert(0, replace(screen.messages[-1], id="older"))
    assert names(replace(seen.last, screen=screen)) == {"G8"}


def test_g9_a_receipt_without_the_next_card(seen: Seen) -> None:
    seen.chat.taps("In person")
    assert names(without(seen.last, Draw)) == {"G9"}


@pytest.mark.parametrize("text", ["Which day?", "¿Qué día prefieres?", "أي يوم؟", "哪一天？"])
def test_g10_a_question_of_the_model_above_a_card(seen: Seen, text: str) -> None:
    show = (Say(text=text, model=True), *seen.last.taken.effects.show)
    assert names(with_effects(seen.last, show=show)) == {"G10"}
    link = (Say(text="See https://example.org/?q=1", model=True), *show[1:])
    assert names(with_effects(seen.last, show=link)) == set()


def test_g11_the_same_turn_gives_other_bytes(seen: Seen) -> None:
    seen.chat.taps("In person")
    same: Callable[[], Taken] = lambda: seen.last.taken  # noqa: E731
    assert names(replace(seen.last, again=same)) == set()
    assert names(replace(seen.last, again=lambda: seen.looks[0].taken)) == {"G11"}


def test_g14_an_event_with_words_in_it(seen: Seen) -> None:
    event = Event(what=Happened.SETTLED, item="Anna")  # type: ignore[arg-type]
    assert names(with_effects(seen.last, events=(event,))) == {"G14"}


def test_g15_a_tap_of_somebody_else_settles(seen: Seen) -> None:
    seen.chat.taps("In person")
    look = seen.last
    assert isinstance(look.reply, Tap)
    assert names(replace(look, reply=msgspec.structs.replace(look.reply, by="bob"))) == {"G15"}
    stale = msgspec.structs.replace(look.reply, card="older")
    assert names(replace(look, reply=stale)) == {"G15"}


@pytest.mark.parametrize("source", [Source.TYPED, Source.FORM, Source.UPLOAD])
def test_g2_a_value_that_came_of_nothing_the_person_did(seen: Seen, source: Source) -> None:
    value = Value(value="Pirate Feast", source=source, turn=1)
    assert names(with_value(seen.last, "title", value)) == {"G2"}


def test_g2_a_typed_text_that_is_not_what_was_typed(seen: Seen) -> None:
    seen.chat.says("in person").says("Old Mill")
    value = Value(value="Pirate Feast", source=Source.TYPED, turn=1)
    assert names(with_value(seen.last, "title", value)) == {"G2"}
    typed = Value(value="old mill", source=Source.TYPED, turn=1)
    assert names(with_value(seen.last, "title", typed)) == set()


def test_g2_a_value_that_does_not_stand_in_its_quote(seen: Seen) -> None:
    said = [Note(role="person", text="call it a feast", words=True)]
    value = Value(value="Pirate Feast", source=Source.QUOTED, turn=1, quote="call it a feast")
    look = replace(with_value(seen.last, "title", value), notes=said)
    assert names(look) == {"G2"}
