"""What is looked at after every turn can fail: each guarantee is broken by hand, and found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from core.draft import Source, Value
from core.effects import Close, Draw, Effect, Note, Say, Toast
from core.evals.guarantees import JUDGED, Judge, Look, Where, broken
from core.evals.screen import Screen
from core.events import Event, Happened
from core.replies import Reply, Tap
from core.state import Ask, AskKind, Conversation
from core.step.base import Fetch
from core.turn import Taken
from tests.support.chat import Chat, Says, Types
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
        found = {one.key(): halls(one) for one in chat.fetches}
        look = Look(chat.types, reply, before, taken, screen, [*chat.notes], fetched=found)
        self.looks.append(look)

    @property
    def last(self) -> Look:
        return self.looks[-1]

    def judged(self, look: Look) -> set[str]:
        """What a judge finds in such a last turn who has seen all turns before it."""
        judge = Judge()
        for earlier in self.looks[:-1]:
            assert judge.look(earlier) == []
        return {one.guarantee for one in judge.look(look)}


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
    """The look at a turn that left another value, and that printed its receipt."""
    assert look.after.journey is not None
    draft = look.after.journey.draft
    values = {**draft.values, name: value}
    left = with_journey(look, draft=msgspec.structs.replace(draft, values=values))
    receipt = Say(text=f"{dinner().speak('en').label(name)}: {left.shown(name, value.value)}")
    return with_effects(left, show=(receipt, *left.taken.effects.show))


def with_kept(look: Look, name: str) -> Look:
    """The look at a turn that left a value as it was before."""
    assert look.old is not None
    assert look.after.journey is not None
    draft = look.after.journey.draft
    values = {**draft.values, name: look.old.draft.values[name]}
    return with_journey(look, draft=msgspec.structs.replace(draft, values=values))


def with_gone(look: Look, name: str) -> Look:
    """The look at a turn that took a value away."""
    assert look.after.journey is not None
    draft = look.after.journey.draft
    values = {key: one for key, one in draft.values.items() if key != name}
    return with_journey(look, draft=msgspec.structs.replace(draft, values=values))


def without(look: Look, kind: type[Effect] | tuple[type[Effect], ...]) -> Look:
    kept = tuple(one for one in look.taken.effects.show if not isinstance(one, kind))
    return with_effects(look, show=kept)


def test_a_turn_as_it_should_be_breaks_nothing(seen: Seen) -> None:
    at_summary(seen.chat).says("yes")
    assert len(seen.chat.submissions) == 1
    assert [broken(look) for look in seen.looks] == [[]] * len(seen.looks)


def test_every_guarantee_that_a_turn_decides_is_counted_and_no_other(seen: Seen) -> None:
    judge = Judge()
    at_summary(seen.chat).taps("Hall").says("River Hall").says("40").says("yes")
    for look in seen.looks:
        judge.look(look)
    once = {name: judge.decided[name] for name in ("G3", "G4", "G5", "G6", "G10", "G12", "G15")}
    assert once == {"G3": 1, "G4": 1, "G5": 4, "G6": 0, "G10": 0, "G12": 0, "G15": 0}
    assert judge.decided["G16"] == 1


def test_the_data_say_where_each_guarantee_is_judged() -> None:
    assert list(JUDGED) == [f"G{number}" for number in range(1, 17)]
    assert all(JUDGED.values())
    assert [name for name in JUDGED if Where.EVALS not in JUDGED[name]] == ["G13"]


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


@pytest.mark.parametrize("told", ["Seats: 40", "Seats was 50", "Seats changed to 40", "50 to 40"])
def test_g4_a_change_is_told_with_old_and_new(seen: Seen, told: str) -> None:
    at_summary(seen.chat).taps("Seats").says("40")
    show = (Say(text=told), *without(seen.last, (Say, Close)).taken.effects.show)
    assert names(with_effects(seen.last, show=show)) == {"G4"}
    by_model = (Say(text="Seats changed from 50 to 40", model=True), *show)
    assert names(with_effects(seen.last, show=by_model)) == {"G4"}
    said = (Say(text="Seats changed from 50 to 40"), *show)
    assert names(with_effects(seen.last, show=said)) == set()


def test_g16_what_a_change_takes_away_is_not_told(seen: Seen) -> None:
    at_summary(seen.chat).taps("Hall").says("River Hall")
    assert names(seen.last) == set()
    assert names(without(seen.last, Say)) == {"G16"}


def test_g16_what_a_change_takes_away_stands_all_the_same(seen: Seen) -> None:
    at_summary(seen.chat).taps("Hall").says("River Hall")
    assert seen.last.old is not None
    assert names(with_kept(seen.last, "seats")) == {"G16"}


def test_g16_something_goes_for_nothing(seen: Seen) -> None:
    at_summary(seen.chat).taps("Seats").says("40")
    assert names(with_gone(seen.last, "title")) == {"G1", "G16"}


def test_g16_what_still_stands_is_asked_again(seen: Seen) -> None:
    at_summary(seen.chat).taps("Seats").says("40")
    card = seen.chat.card.id
    ask = Ask(kind=AskKind.STEP, item="day", card=card, drawn_at=seen.chat.now)
    assert "G16" in names(with_journey(seen.last, ask=ask))


def test_g16_a_hidden_item_keeps_its_value(seen: Seen) -> None:
    seen.chat.taps("Online")
    value = Value(value={"id": "h1", "label": "Old Mill"}, source=Source.RECORD, turn=1)
    assert "G16" in names(with_value(seen.last, "hall", value))


def test_g5_a_record_that_nobody_accepted(seen: Seen) -> None:
    seen.chat.taps("In person")
    value = Value(value={"id": "h1", "label": "Old Mill"}, source=Source.TYPED, turn=2)
    assert "G5" in names(with_value(seen.last, "hall", value))


def test_g5_another_record_than_the_one_that_was_taken(seen: Seen) -> None:
    seen.chat.taps("In person").taps("Old Mill")
    assert names(seen.last) == set()
    hall = {"id": "h3", "label": "River Hall", "capacity": 200}
    value = Value(value=hall, source=Source.RECORD, turn=2)
    assert names(with_value(seen.last, "hall", value)) == {"G5"}


@pytest.mark.parametrize("reply", ["Old Mill", "the first one", "old mill please", "1"])
def test_g5_a_record_is_taken_by_its_name_and_by_its_place(seen: Seen, reply: str) -> None:
    seen.chat.taps("In person").says(reply)
    assert seen.chat.draft["hall"]["label"] == "Old Mill"
    assert names(seen.last) == set()


def test_g5_a_record_on_the_summary_that_nobody_took(seen: Seen) -> None:
    at_summary(seen.chat)
    card = seen.chat.card
    rows = tuple(
        msgspec.structs.replace(row, value="River Hall") if row.item == "hall" else row
        for row in card.rows
    )
    other = Draw(card=msgspec.structs.replace(card, rows=rows))
    show = tuple(other if isinstance(one, Draw) else one for one in seen.last.taken.effects.show)
    assert seen.judged(with_effects(seen.last, show=show)) == {"G5"}


def test_g6_a_tool_call_without_the_settled_values(seen: Seen) -> None:
    at_summary(seen.chat).says("hello?")
    settled = {name: one for name, one in seen.chat.draft.items() if one is not None}
    call = Fetch(
        journey="dinner",
        tool="find_halls",
        arguments={"query": "", "seats": 9999},
        settled=settled,
    )
    # The search for a hall must not be narrowed by the seats, which depend on it.
    assert names(replace(seen.last, fetches=(call,))) == set()
    kind = dinner(seats={"depends_on": [], "maximum": 500})
    chat = Chat(Types((kind,)), fetch=halls)
    at_summary(chat.commands("new", "dinner"))
    look = replace(seen.last, types=Types((kind,)), before=chat.state)
    look = replace(look, taken=replace(look.taken, state=chat.state), screen=chat.view)
    look = with_effects(look, show=(), events=())
    assert names(replace(look, fetches=(call,))) == {"G6"}
    carried = msgspec.structs.replace(call, arguments={"query": "", "seats": 50})
    assert names(replace(look, fetches=(carried,))) == set()
    alone = msgspec.structs.replace(carried, settled={"seats": 50})
    assert names(replace(look, fetches=(alone,))) == {"G6"}


def test_g6_what_a_broken_answer_had_quoted_was_settled_for_its_own_calls(seen: Seen) -> None:
    at_summary(seen.chat).says("hello?")
    settled = {name: one for name, one in seen.chat.draft.items() if one is not None}
    call = Fetch(journey="dinner", tool="find_halls", arguments={}, settled=settled)
    quoted = msgspec.structs.replace(call, settled={**settled, "title": "Otto"})
    other = msgspec.structs.replace(call, settled={**settled, "start": "20:00"})
    broke = with_effects(seen.last, events=(Event(what=Happened.MODEL_FAILED),))
    fine = with_effects(seen.last, events=())
    assert names(replace(broke, fetches=(quoted,))) == set()
    assert names(replace(broke, fetches=(other,))) == {"G6"}
    assert names(replace(fine, fetches=(quoted,))) == {"G6"}


def test_g7_something_is_below_the_open_card(seen: Seen) -> None:
    screen = Screen([*seen.last.screen.messages], [], seen.last.screen.drawn)
    screen.show([Say(text="One more thing.")])
    assert names(replace(seen.last, screen=screen)) == {"G7"}
    assert names(with_journey(seen.last, ask=None)) == {"G7"}


def test_g8_two_cards_are_live(seen: Seen) -> None:
    screen = Screen([*seen.last.screen.messages], [], seen.last.screen.drawn)
    screen.messages.insert(0, replace(screen.messages[-1], id="older"))
    assert names(replace(seen.last, screen=screen)) == {"G8"}


def test_g8_a_tap_on_an_earlier_card_is_not_told_so(seen: Seen) -> None:
    first = seen.chat.card
    seen.chat.taps("In person").reply(seen.chat.tap_on("Online", first))
    assert names(seen.last) == set()
    assert names(without(seen.last, Toast)) == {"G8"}


def test_g9_a_value_without_its_receipt(seen: Seen) -> None:
    seen.chat.taps("In person")
    assert names(without(seen.last, Close)) == {"G9"}


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


def test_g11_a_tap_that_asks_the_model(seen: Seen) -> None:
    seen.chat.taps("In person")
    assert names(replace(seen.last, calls=1)) == {"G11"}


def test_g12_a_model_that_failed_did_something_all_the_same(seen: Seen) -> None:
    seen.chat.taps("In person").says("why do you need that?")
    assert names(seen.last) == set()
    assert names(without(seen.last, Say)) == {"G12"}
    show = (Say(text="Because", model=True), *seen.last.taken.effects.show)
    assert names(with_effects(seen.last, show=show)) == {"G12"}


def test_g14_an_event_with_words_in_it(seen: Seen) -> None:
    event = Event(what=Happened.SETTLED, item="Anna")  # type: ignore[arg-type]
    assert names(with_effects(seen.last, events=(event,))) == {"G14"}


def test_g15_a_tap_of_somebody_else_settles(seen: Seen) -> None:
    seen.chat.taps("In person")
    look = seen.last
    assert isinstance(look.reply, Tap)
    assert names(replace(look, reply=msgspec.structs.replace(look.reply, by="bob"))) == {"G15"}
    stale = msgspec.structs.replace(look.reply, card="older")
    # It did something that was on no card of theirs, and was not told that its card is an earlier
    # one.
    assert names(replace(look, reply=stale)) == {"G15", "G8", "G2"}


@pytest.mark.parametrize("source", [Source.TYPED, Source.FORM, Source.UPLOAD])
def test_g2_a_value_that_came_of_nothing_the_person_did(seen: Seen, source: Source) -> None:
    value = Value(value="Pirate Feast", source=source, turn=1)
    assert names(with_value(seen.last, "title", value)) == {"G2"}


def test_g2_a_typed_text_that_is_not_what_was_typed(seen: Seen) -> None:
    seen.chat.taps("In person").says("Old Mill").says("50").says("24 December 2026")
    seen.chat.says("19:00").taps("Skip").says("Winter Dinner")
    assert names(seen.last) == set()
    value = Value(value="Pirate Feast", source=Source.TYPED, turn=1)
    assert names(with_value(seen.last, "title", value)) == {"G2"}
    typed = Value(value="winter dinner", source=Source.TYPED, turn=1)
    assert names(with_value(seen.last, "title", typed)) == set()


def test_g2_a_value_of_an_item_that_was_not_asked(seen: Seen) -> None:
    seen.chat.says("in person").says("Old Mill")
    typed = Value(value="old mill", source=Source.TYPED, turn=1)
    assert names(with_value(seen.last, "title", typed)) == {"G2"}


def test_g2_an_entry_that_nobody_typed_or_took(seen: Seen) -> None:
    seen.chat.taps("In person").says("Old Mill").says("50").says("24 December 2026").says("19:00")
    seen.chat.says("Ada Lovelace").says("Grace Hopper").taps("Done")
    assert seen.judged(seen.last) == set()
    guests = Value(value=["Ada Lovelace", "Mallory"], source=Source.TAP, turn=1)
    assert seen.judged(with_value(seen.last, "guests", guests)) == {"G2"}


def test_g2_what_stands_on_a_suggestion_is_taken_by_a_tap(seen: Seen) -> None:
    seen.chat.taps("In person").says("Old Mill").says("50").says("24 December 2026")
    suggested = Says("They may like it.", (("suggest_value", {"item": "guests", "value": "Ada"}),))
    seen.chat.says("who could come?", suggested).says("19:00").taps("Add Ada").taps("Done")
    assert seen.chat.draft["guests"] == ["Ada"]
    assert seen.judged(seen.last) == set()


def test_g2_a_value_that_does_not_stand_in_its_quote(seen: Seen) -> None:
    said = [Note(role="person", text="call it a feast", words=True)]
    value = Value(value="Pirate Feast", source=Source.QUOTED, turn=1, quote="call it a feast")
    look = replace(with_value(seen.last, "title", value), notes=said)
    assert names(look) == {"G2"}
