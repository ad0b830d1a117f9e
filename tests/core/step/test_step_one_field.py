"""One thing to type: texts, numbers, money, durations, addresses, and their bounds."""

from __future__ import annotations

from typing import Any

import pytest

from core.cards import FieldKind, Form
from core.draft import Source
from core.step.base import Beside, Moved, Refused, Settled, Unsure
from tests.support.scenes import Asked, ask, labels, tap

HALL = {"name": "hall", "value": "record"}
FEE = {"name": "fee", "value": "money"}


def euros(amount: str) -> dict[str, str]:
    return {"amount": amount, "currency": "EUR"}


@pytest.mark.parametrize(
    "kind, field, hint",
    [
        ("short_text", FieldKind.TEXT, "Type it in one line."),
        ("long_text", FieldKind.LONG_TEXT, "Type it in your own words."),
        ("number", FieldKind.NUMBER, "Type a number."),
        ("money", FieldKind.MONEY, "Type an amount in EUR."),
        ("duration", FieldKind.DURATION, "Type how long, such as “90 minutes”."),
        ("email", FieldKind.EMAIL, "Type an e-mail address."),
        ("phone", FieldKind.PHONE, "Type a phone number with its country code."),
        ("url", FieldKind.URL, "Type or paste a web address."),
    ],
)
def test_one_field_is_drawn_empty_and_active(kind: str, field: FieldKind, hint: str) -> None:
    card = ask(kind).card
    assert isinstance(card, Form)
    assert [(one.name, one.label, one.kind, one.value) for one in card.fields] == [
        ("it", "Thing", field, "")
    ]
    assert (card.title, card.hint, card.active, card.done) == ("What is it?", hint, "it", None)


@pytest.mark.parametrize(
    "kind, typed, value",
    [
        ("short_text", "Winter Dinner", "Winter Dinner"),
        ("long_text", "Food and stories.\nBring a chair.", "Food and stories.\nBring a chair."),
        ("number", "80", 80),
        ("number", "80 please", 80),
        ("money", "12.50", euros("12.50")),
        ("money", "€20", euros("20.00")),
        ("duration", "90 minutes", 90),
        ("duration", "2 hours", 120),
        ("email", "anna@example.org", "anna@example.org"),
        ("phone", "+49 30 12345678", "+493012345678"),
        ("url", "https://example.org/a", "https://example.org/a"),
    ],
)
def test_words_that_are_wholly_the_answer_settle(kind: str, typed: str, value: Any) -> None:
    asked = ask(kind).says(typed)
    assert asked.read == Settled(value, Source.TYPED)
    assert asked.step.fault(asked.scene, value) == ""


@pytest.mark.parametrize("kind", ["number", "money", "duration", "email", "phone", "url"])
@pytest.mark.parametrize("typed", ["why do you need that?", "I'll tell you tomorrow maybe"])
def test_anything_beside_the_answer_is_for_the_talk(kind: str, typed: str) -> None:
    assert isinstance(ask(kind).says(typed).read, Beside)


def test_a_question_that_could_be_a_title_is_answered_and_stays_one_tap_away() -> None:
    asked = ask("short_text").says("Who owns the city?")
    assert asked.read == Beside(proposals=("Who owns the city?",))
    assert ask("short_text").says("why do you need that?").read == Beside()


def test_a_bare_yes_to_a_text_is_a_suggestion_at_most() -> None:
    read = ask("short_text").says("yes").read
    assert isinstance(read, Beside | Unsure)
    assert read.proposals == ("yes",)


def test_what_could_be_read_beside_a_question_is_one_tap_away() -> None:
    asked = ask("number").says("80, and is parking free?")
    assert asked.read == Beside(proposals=(80,))


@pytest.mark.parametrize(
    "kind, text, value",
    [
        # in a text's own field everything is the text, even a question
        ("short_text", "  Why not?  ", "Why not?"),
        ("number", "80", 80),
        ("money", "12.50", euros("12.50")),
    ],
)
def test_a_native_form_settles_what_stands_in_its_field(kind: str, text: str, value: Any) -> None:
    assert ask(kind).submits(it=text).read == Settled(value, Source.FORM)
    assert ask(kind).submits(value=text).read == Settled(value, Source.FORM)


def test_a_native_form_that_cannot_be_read_is_refused_and_never_goes_to_the_talk() -> None:
    refused = ask("number").submits(it="why?").read
    assert refused == Refused("I cannot read that as “Thing”. Please type it again.")
    assert ask("number").submits(it=" ").read == Refused("Please type something.")
    assert ask("number", required=False).submits(it=" ").read == Settled(None, Source.FORM)


def test_a_review_starts_with_the_settled_value_and_keeps_it_when_it_comes_back_untouched() -> None:
    for locale in ("en", "de", "es"):
        asked = ask("money", settled={"it": euros("1234.50")}, locale=locale)
        shown = asked.card.fields[0].value
        assert asked.submits(it=shown).read == Settled(euros("1234.50"), Source.FORM)
    text = ask("long_text", settled={"it": "Food and stories."})
    assert text.card.fields[0].value == "Food and stories."
    assert text.submits(it="Food and songs.").read == Settled("Food and songs.", Source.FORM)


def test_a_forged_field_or_token_changes_nothing() -> None:
    assert ask("number").submits(other="80").read == Moved(cursor={})
    assert ask("number").submits(it=["80", "90"]).read == Moved(cursor={})
    assert ask("number").replies(tap("s7")).read == Moved(cursor={})


def test_skip_words_are_no_text() -> None:
    assert ask("short_text", required=False).says("skip").read == Settled(None, Source.TYPED)
    assert ask("number", required=False).says("skip").read == Settled(None, Source.TYPED)
    assert isinstance(ask("number").says("skip").read, Refused)


# Suggestions


def test_a_short_suggestion_is_its_own_label_and_a_long_one_is_shown_as_it_is() -> None:
    assert labels(ask("number", proposals=(80, 90)).card.suggestions) == ["80", "90"]
    text = "A text that is much longer than any label of a button may be on any channel."
    card = ask("long_text", proposals=(text, "Short.", text * 2)).card
    assert card.verbatim == text
    assert labels(card.suggestions) == ["Use this", "Short."]
    taken = ask("long_text", proposals=(text,)).taps("Use this").read
    assert taken == Settled(text, Source.TAP)


def test_a_suggestion_that_could_not_be_settled_is_never_drawn() -> None:
    asked = ask("number", minimum=1, maximum=50, proposals=(80, 20, "x", None, 20))
    assert labels(asked.card.suggestions) == ["20"]
    assert asked.replies(tap("s0")).read == Moved(cursor={})
    assert asked.taps("20").read == Settled(20, Source.TAP)


# Bounds


def seats(**more: Any) -> Asked:
    hall = {"id": "h1", "label": "Old Mill", "capacity": 80}
    settled = {"hall": hall, **more.pop("settled", {})}
    return ask(
        "number",
        minimum=1,
        maximum="hall.capacity",
        depends_on=["hall"],
        beside=(HALL,),
        settled=settled,
        **more,
    )


def test_a_bound_is_looked_up_in_the_draft_and_said() -> None:
    assert seats().card.hint == "Type a number.\nFrom 1 to 80."
    assert seats().says("80").read == Settled(80, Source.TYPED)
    refused = seats().says("100")
    assert isinstance(refused.read, Refused)
    assert refused.read.reason == "It can be 80 at most."
    assert refused.card.reason == refused.read.reason
    below = seats().says("0").read
    assert isinstance(below, Refused)
    assert below.reason == "It must be 1 or more."


@pytest.mark.parametrize("hall", [None, "Old Mill", {"id": "h1", "label": "x", "capacity": "many"}])
def test_a_bound_that_nobody_knows_bounds_nothing(hall: Any) -> None:
    settled = {} if hall is None else {"hall": hall}
    asked = ask(
        "number", maximum="hall.capacity", depends_on=["hall"], beside=(HALL,), settled=settled
    )
    assert asked.step.fault(asked.scene, 10**6) == ""


def test_an_amount_may_be_bounded_by_another_of_the_same_currency() -> None:
    more: dict[str, Any] = {"maximum": "fee", "depends_on": ["fee"], "beside": (FEE,)}
    asked = ask("money", settled={"fee": euros("30.00")}, **more)
    assert asked.step.fault(asked.scene, euros("30.00")) == ""
    assert asked.step.fault(asked.scene, euros("30.01")) == "It can be €30.00 at most."
    dollars = ask("money", settled={"fee": {"amount": "1.00", "currency": "USD"}}, **more)
    assert dollars.step.fault(dollars.scene, euros("30.01")) == ""


@pytest.mark.parametrize(
    "kind, value, more, fault",
    [
        ("number", 2.5, {}, "A whole number is needed, such as 2."),
        ("number", 2.5, {"whole": False}, ""),
        ("number", True, {}, "That does not fit here. Please answer again."),
        ("number", "80", {}, "That does not fit here. Please answer again."),
        ("number", 10**16, {}, "That number is too long. Please send a shorter one."),
        ("number", float("inf"), {}, "That number is too long. Please send a shorter one."),
        ("money", euros("-1.00"), {}, "It must be €0.00 or more."),
        ("money", {"amount": "5.00", "currency": "USD"}, {}, "This amount is needed in EUR."),
        (
            "money",
            euros("1.005"),
            {},
            "EUR does not go that fine. Please send €1.00, for instance.",
        ),
        ("money", euros("5"), {}, "That does not fit here. Please answer again."),
        ("money", {"amount": "x", "currency": "EUR"}, {}, None),
        ("money", 5, {}, None),
        ("duration", 90, {"maximum": 60}, "It can be 1 hour at most."),
        ("duration", 0, {}, "It must be 1 minute or more."),
        ("duration", 1.5, {}, None),
        ("email", "anna@example.org", {}, ""),
        ("email", "anna", {}, None),
        ("phone", "030 1234", {}, None),
        ("url", "javascript:alert(1)", {}, None),
        ("short_text", "two\nlines", {}, "Please send it in one line."),
        ("short_text", " ", {}, "Please type something."),
        ("short_text", "abc", {"min_length": 5}, "A little more, please: at least 5 characters."),
        (
            "long_text",
            "abcdef",
            {"max_length": 5},
            "That is too long: up to 5 characters fit. Please shorten it.",
        ),
        ("long_text", "a\x00b", {}, None),
        ("long_text", "a\ud800b", {}, None),
        ("long_text", 7, {}, None),
        ("short_text", None, {}, "This one is needed. Please answer it."),
        ("short_text", None, {"required": False}, ""),
    ],
)
def test_why_a_value_cannot_stand(
    kind: str, value: Any, more: dict[str, Any], fault: str | None
) -> None:
    asked = ask(kind, **more)
    assert asked.step.fault(asked.scene, value) == (
        "That does not fit here. Please answer again." if fault is None else fault
    )


@pytest.mark.parametrize(
    "locale, reason",
    [
        ("en", "It can be 1,000 at most."),
        ("de", "Es können höchstens 1.000 sein."),
        ("es", "Puede ser 1.000 como máximo."),
    ],
)
def test_a_refusal_speaks_the_persons_language(locale: str, reason: str) -> None:
    asked = ask("number", maximum=1000, locale=locale)
    assert asked.step.fault(asked.scene, 2000) == reason


# After refusals


@pytest.mark.parametrize(
    "kind, more, example",
    [
        ("number", {"minimum": 20}, "For example: 20"),
        ("email", {}, "For example: anna@example.org"),
        ("money", {"maximum": 5}, "For example: €5.00"),
        ("short_text", {"texts": {"example": "Jazz at the river"}}, "Jazz at the river"),
        ("duration", {}, "For example: 1 hour 30 minutes"),
    ],
)
def test_after_three_refusals_an_example_is_shown(
    kind: str, more: dict[str, Any], example: str
) -> None:
    assert example not in ask(kind, refusals=2, **more).card.hint
    assert example in ask(kind, refusals=3, **more).card.hint


def test_an_ambiguous_reply_is_settled_by_a_tap_only() -> None:
    asked = ask("number").says("2 or 3")
    assert not isinstance(asked.read, Settled)
    if isinstance(asked.read, Unsure):
        assert labels(asked.card.suggestions) == ["2", "3"]


def test_a_journeys_own_hint_stands_alone() -> None:
    asked = ask("number", maximum=80, texts={"hint": "Count the chairs."})
    assert asked.card.hint == "Count the chairs."
