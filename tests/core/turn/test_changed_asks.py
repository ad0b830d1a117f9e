"""A manifest that changes under an open ask: what stood on the screen before the change settles
and submits nothing, what was typed is not lost, and only what changed is asked again."""

from __future__ import annotations

from typing import Any

import pytest

from core.cards import Summary
from core.journey import JourneyType
from core.manifest import Item, Manifest
from core.replies import Command, Tap
from core.turn.halfway import NUDGE, mark
from tests.support.chat import DOWN, Chat, Says, Types
from tests.support.dinners import at_summary
from tests.support.guarantees import check
from tests.support.journeys import dinner, halls


@pytest.fixture
def chat() -> Chat:
    return Chat(Types((dinner(),)), fetch=halls, watch=check).commands("new", "dinner")


def changes(chat: Chat, **items: Any) -> Chat:
    """The next version takes the place of the one before, which is not at hand any more."""
    chat.types = Types((dinner(version=2, **items),))
    return chat


def is_reminded(chat: Chat) -> Chat:
    journey = chat.state.journey
    assert journey is not None
    argument = mark(journey, chat.state.turn)
    return chat.reply(Command(name=NUDGE, argument=argument, by="anna", at=chat.now))


def another(type_: JourneyType, **parts: Any) -> JourneyType:
    """Another version of a journey type."""
    data = {**type_.manifest.model_dump(), "version": 2, **parts}
    return JourneyType(manifest=Manifest.model_validate(data), texts=type_.texts)


# What stood on the screen


def test_a_tap_on_a_card_of_before_is_told_that_it_is_an_earlier_one(chat: Chat) -> None:
    tap = chat.tap_on("In person")
    changes(chat, seats={"maximum": 40}).reply(tap)
    assert "earlier" in chat.toasts[-1]
    assert "nothing" not in chat.toasts[-1].casefold()
    assert chat.card.item == "format"
    assert chat.draft == {}


@pytest.mark.parametrize("answer", ["[Confirm]", "yes, that's right"])
def test_a_summary_of_before_confirms_nothing(chat: Chat, answer: str) -> None:
    at_summary(chat)
    changes(chat, seats={"maximum": 100})
    if answer == "[Confirm]":
        chat.taps("Confirm")
    else:
        chat.says(answer)
    assert chat.submissions == []
    assert isinstance(chat.card, Summary)
    chat.taps("Confirm")
    assert [one.digest for one in chat.submissions] == [
        dinner(2, seats={"maximum": 100}).manifest.digest
    ]


@pytest.mark.parametrize("answer", ["[Confirm]", "yes"])
def test_a_summary_that_shows_what_no_longer_fits_confirms_nothing(chat: Chat, answer: str) -> None:
    at_summary(chat)
    changes(chat, seats={"maximum": 40})
    chat.taps("Confirm") if answer == "[Confirm]" else chat.says(answer)
    assert chat.submissions == []
    assert chat.card.item == "seats"


@pytest.mark.parametrize("kind", ["cancel", "restart", "nudge", "reopened", "language"])
@pytest.mark.parametrize("reply", ["tap", "yes", "back"])
def test_whatever_stood_open_the_owed_item_is_asked_and_nothing_is_lost(
    chat: Chat, kind: str, reply: str
) -> None:
    at_summary(chat)
    match kind:
        case "nudge":
            is_reminded(chat)
        case "reopened":
            chat.taps("Title")
        case _:
            chat.commands(kind)
    before = dict(chat.draft)
    changes(chat, seats={"maximum": 40})
    match reply:
        case "tap":
            card = chat.card
            tokens = [one.token for one in getattr(card, "options", ())] or ["~keep"]
            chat.reply(Tap(card=card.id, token=tokens[0], by="anna", at=chat.now))
        case "yes":
            chat.says("yes")
        case _:
            chat.comes_back()
    assert chat.submissions == []
    assert chat.card.item == "seats"
    assert {**before, "seats": None} == {**chat.draft, "seats": None}
    assert "seats" not in chat.draft
    chat.says("40")
    assert isinstance(chat.card, Summary)


# What was typed


def test_what_answers_the_ask_of_before_is_a_suggestion_on_the_new_one(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill")
    assert chat.card.item == "seats"
    changes(chat, seats={"maximum": 70})
    chat.says("50")
    assert "updated" in chat.said
    assert chat.card.item == "seats"
    assert [one.label for one in chat.card.suggestions] == ["50"]
    chat.taps("50")
    assert chat.draft["seats"] == 50


def test_what_no_longer_fits_is_not_even_suggested(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill")
    changes(chat, seats={"maximum": 40}).says("50")
    assert chat.card.item == "seats"
    assert chat.card.suggestions == ()


def test_a_question_beside_it_is_answered_and_the_answer_suggested(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill")
    changes(chat, seats={"maximum": 70})
    chat.says("50, and is parking free?", Says("Yes, it is."))
    assert "Yes, it is." in chat.said
    assert [one.label for one in chat.card.suggestions] == ["50"]


def test_words_for_an_item_that_is_gone_are_for_the_model(chat: Chat) -> None:
    chat.taps("In person").says("Old Mill")
    changes(chat, seats=None).says("50", DOWN)
    assert chat.card.item == "day"


# What changed of an item


def only(kind: str, **more: Any) -> JourneyType:
    """A journey with one item of a kind, and one that never changes."""
    version = more.pop("version", 1)
    texts = more.pop("texts", {})
    items = [{"name": "thing", "value": kind, **more}, {"name": "last", "value": "short_text"}]
    data = {"name": "dinner", "version": version, "items": items}
    if kind == "record":
        tool = {"name": "find", "description": "x", "records": more["records"], "item": "thing"}
        data["tools"] = [tool]
    manifest = Manifest.model_validate(data)
    said = {
        "title": "A dinner",
        "items.thing.label": "Thing",
        "items.thing.ask": "Which thing?",
        "items.thing.statement": "I bring my own plate.",
        "items.last.label": "Last",
        "items.last.ask": "And last?",
        **texts,
    }
    return JourneyType(manifest=manifest, texts={"en": said})


KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "choice": ("[Yes]", {"options": ["yes", "no"]}),
    "choices": ("[Yes]", {"options": ["yes", "no"]}),
    "yes_no": ("yes", {}),
    "attestation": ("yes", {}),
    "short_text": ("https://example.org", {}),
    "long_text": ("https://example.org", {}),
    "number": ("20", {}),
    "money": ("20", {}),
    "date": ("24 December 2026", {}),
    "time": ("19:00", {}),
    "datetime": ("24 December 2026 at 19:00", {}),
    "duration": ("20 minutes", {}),
    "email": ("anna@example.org", {}),
    "phone": ("+49 30 12345678", {}),
    "url": ("https://example.org", {}),
    "entries": ("Anna", {}),
    "person": ("Kim Lindner", {}),
    "record": ("Old Mill", {"records": "halls"}),
}


TYPED = {"short_text", "long_text", "email", "phone", "url"}
"""What is kept as it was typed fits under another of these, or it does not."""


def answered(kind: str, type_: JourneyType) -> Chat:
    chat = Chat(Types((type_,)), fetch=halls, watch=check).commands("new", "dinner")
    answer = KINDS[kind][0]
    chat.taps(answer.strip("[]")) if answer.startswith("[") else chat.says(answer)
    for label in ("Done", "That's all"):
        if chat.card.item == "thing" and any(
            one.label == label for one in (chat.card.done,) if one is not None
        ):
            chat.taps(label)
    assert chat.card.item == "last", chat.said
    return chat


@pytest.mark.parametrize("old", list(KINDS))
def test_a_value_of_another_kind_is_asked_again(old: str) -> None:
    for new, (_, more) in KINDS.items():
        if {old, new} <= TYPED:
            continue
        chat = answered(old, only(old, **KINDS[old][1]))
        before = chat.draft["thing"]
        chat.types = Types((only(new, version=2, **more),))
        chat.comes_back()
        if new == old:
            assert chat.draft["thing"] == before
            continue
        assert "thing" not in chat.draft, f"{before!r} of a {old} counts as a {new}"
        assert chat.card.item == "thing"
        assert "Thing" in chat.said


def test_a_record_of_another_directory_is_asked_again() -> None:
    chat = answered("record", only("record", records="halls"))
    chat.types = Types((only("record", version=2, records="barns"),))
    chat.comes_back()
    assert chat.card.item == "thing"


@pytest.mark.parametrize("version", [1, 2])
def test_a_statement_that_was_reworded_is_confirmed_again(version: int) -> None:
    chat = answered("attestation", only("attestation")).says("salad")
    assert isinstance(chat.card, Summary)
    words = {"items.thing.statement": "I pay for every plate that breaks."}
    chat.types = Types((only("attestation", version=version, texts=words),))
    chat.taps("Confirm")
    assert chat.submissions == []
    assert chat.card.item == "thing"
    chat.says("yes").taps("Confirm")
    assert len(chat.submissions) == 1


def test_a_statement_in_another_language_is_the_same_statement() -> None:
    type_ = only("attestation")
    german = {**type_.texts["en"], "items.thing.statement": "Ich bringe meinen Teller mit."}
    both = JourneyType(manifest=type_.manifest, texts={**type_.texts, "de": german})
    chat = answered("attestation", both).says("salad")
    chat.commands("language", "de").says("ja")
    assert len(chat.submissions) == 1


def test_an_option_in_use_that_is_gone_is_asked_again(chat: Chat) -> None:
    at_summary(chat)
    changes(chat, format={"options": ["online"]}).comes_back()
    assert chat.card.item == "format"
    assert "Format" in chat.said


def test_another_order_asks_nothing_again(chat: Chat) -> None:
    at_summary(chat)
    (type_,) = chat.types.all
    chat.types = Types((another(type_, items=tuple(reversed(type_.manifest.items))),))
    chat.comes_back()
    assert isinstance(chat.card, Summary)
    assert chat.said.count("updated") == 1
    assert next(row.item for row in chat.card.rows) == "about"


def test_an_item_that_is_called_otherwise_is_asked_and_the_rest_is_kept(chat: Chat) -> None:
    at_summary(chat)
    (type_,) = chat.types.all
    items = tuple(
        one.model_copy(update={"name": "headline"}) if one.name == "title" else one
        for one in type_.manifest.items
    )
    chat.types = Types((another(type_, items=items),))
    chat.comes_back()
    assert chat.card.item == "headline"
    chat.says("Winter Dinner")
    assert isinstance(chat.card, Summary)
    chat.taps("Confirm")
    assert len(chat.submissions) == 1


def test_a_required_item_that_was_added_is_the_only_one_asked(chat: Chat) -> None:
    at_summary(chat)
    (type_,) = chat.types.all
    added = Item.model_validate({"name": "dress", "value": "short_text"})
    chat.types = Types((another(type_, items=(*type_.manifest.items, added)),))
    chat.taps("Confirm")
    assert chat.submissions == []
    assert chat.card.item == "dress"
    chat.says("Black tie").taps("Confirm")
    assert len(chat.submissions) == 1
