"""A form of several fields: by words, by lines, by taps, by a native form."""

from __future__ import annotations

from typing import Any

import pytest

from core.draft import Source
from core.step.base import Beside, Moved, Refused, Settled
from tests.support.scenes import Asked, ask, labels, tap

FIELDS = [
    {"name": "name", "value": "short_text"},
    {"name": "email", "value": "email"},
    {"name": "phone", "value": "phone", "required": False},
]
TEXTS = {
    "ask": "Who can people write to?",
    "fields": {
        "name": {"label": "Your name"},
        "email": {"label": "E-mail"},
        "phone": {"label": "Phone", "hint": "With the country code, or leave it out."},
    },
}
ANNA = {"name": "Anna Berg", "email": "anna@example.org", "phone": None}


def contact(**more: Any) -> Asked:
    return ask("form", fields=FIELDS, texts=TEXTS, **more)


def values(asked: Asked) -> list[str]:
    return [one.value for one in asked.card.fields]


def test_a_form_draws_its_fields_empty_with_the_first_active() -> None:
    card = contact().card
    assert [one.label for one in card.fields] == ["Your name", "E-mail", "Phone"]
    assert [one.required for one in card.fields] == [True, True, False]
    assert values(contact()) == ["", "", ""]
    assert card.active == "name"
    assert labels(card.edit) == ["Your name", "E-mail", "Phone"]
    assert card.done is None
    assert card.hint.startswith("Type your answer for “Your name”")


def test_words_fill_one_field_after_the_other_and_skip_leaves_an_optional_one_out() -> None:
    asked = contact().says("Anna Berg")
    assert asked.card.active == "email"
    assert asked.card.reason == "Your name: Anna Berg."
    asked.says("anna@example.org")
    assert asked.card.active == "phone"
    assert asked.card.done is not None
    assert "Leave out “Phone”" in labels(asked.card.controls)
    assert asked.says("skip").read == Settled(ANNA, Source.FORM)


def test_the_last_field_filled_settles_without_done() -> None:
    asked = contact().says("Anna Berg").says("anna@example.org").says("+49 30 12345678")
    assert asked.read == Settled({**ANNA, "phone": "+493012345678"}, Source.FORM)


def test_done_leaves_open_optional_fields_out() -> None:
    asked = contact().says("Anna Berg").says("anna@example.org").taps("Done")
    assert asked.read == Settled(ANNA, Source.FORM)


def test_the_leave_out_button_does_what_skip_does() -> None:
    asked = contact().says("Anna Berg").says("anna@example.org").taps("Leave out “Phone”")
    assert asked.read == Settled(ANNA, Source.FORM)


def test_a_required_field_cannot_be_skipped() -> None:
    asked = contact().says("skip")
    assert asked.read == Refused("This one is needed. Please answer it.")
    assert asked.card.active == "name"


def test_an_optional_form_is_skipped_as_a_whole_only_while_it_is_empty() -> None:
    assert contact(required=False).says("skip").read == Settled(None, Source.TYPED)
    asked = contact(required=False).says("Anna Berg").says("skip")
    assert isinstance(asked.read, Refused)
    assert values(asked)[0] == "Anna Berg"
    assert asked.taps("Skip").read == Settled(None, Source.TAP)


@pytest.mark.parametrize(
    "typed",
    [
        "Your name: Anna Berg\nE-mail: anna@example.org\nPhone: +49 30 12345678",
        "phone: +49 30 12345678, e-mail: anna@example.org, your name: Anna Berg",
        "name: Anna Berg; email = anna@example.org; phone: +493012345678",
    ],
)
def test_labelled_lines_fill_several_fields_at_once(typed: str) -> None:
    assert contact().says(typed).read == Settled({**ANNA, "phone": "+493012345678"}, Source.FORM)


def test_a_labelled_line_that_is_wrong_keeps_the_others_and_itself() -> None:
    asked = contact().says("Your name: Anna Berg\nE-mail: anna at example")
    assert isinstance(asked.read, Refused)
    assert asked.read.reason == "Please look again at: E-mail."
    assert values(asked) == ["Anna Berg", "anna at example", ""]
    assert asked.card.active == "email"
    assert asked.card.fields[1].reason != ""
    assert asked.says("anna@example.org").says("skip").read == Settled(ANNA, Source.FORM)


def test_a_label_within_a_sentence_is_no_line() -> None:
    asked = contact().says("Put down Anna, email: anna@example.org")
    assert not isinstance(asked.read, Settled)
    assert values(asked)[1] == ""


def test_a_tapped_field_is_the_active_one() -> None:
    asked = contact().taps("E-mail")
    assert asked.card.active == "email"
    asked.says("anna@example.org")
    assert (values(asked)[1], asked.card.active) == ("anna@example.org", "name")


def test_an_invalid_answer_is_refused_and_the_field_stays_active() -> None:
    asked = contact().says("Anna Berg").says("anna@")
    assert isinstance(asked.read, Refused | Beside)
    assert asked.card.active == "email"
    assert values(asked) == ["Anna Berg", "", ""]


def test_a_question_goes_to_the_talk_and_loses_nothing() -> None:
    asked = contact().says("Anna Berg").says("why do you need my e-mail?")
    assert isinstance(asked.read, Beside)
    assert values(asked) == ["Anna Berg", "", ""]


# A native form


def test_a_native_form_without_a_fault_settles() -> None:
    asked = contact().submits(name="Anna Berg", email="anna@example.org", phone="")
    assert asked.read == Settled(ANNA, Source.FORM)


def test_a_native_form_with_faults_keeps_everything_and_says_what_is_wrong_where() -> None:
    asked = contact().submits(name="Anna Berg", email="anna", phone="12")
    assert isinstance(asked.read, Refused)
    assert asked.read.reason == "Please look again at: E-mail, Phone."
    assert values(asked) == ["Anna Berg", "anna", "12"]
    assert [bool(one.reason) for one in asked.card.fields] == [False, True, True]
    assert asked.card.done is None
    assert asked.replies(tap("done")).read != Settled(ANNA, Source.FORM)

    repaired = asked.submits(name="Anna Berg", email="anna@example.org", phone="")
    assert repaired.read == Settled(ANNA, Source.FORM)


def test_a_native_form_with_a_required_field_left_empty_is_refused() -> None:
    asked = contact().submits(name="", email="anna@example.org")
    assert isinstance(asked.read, Refused)
    assert asked.card.fields[0].reason == "This one is needed. Please answer it."
    assert values(asked)[1] == "anna@example.org"


def test_fields_that_there_are_not_change_nothing() -> None:
    assert contact().submits(admin="yes").read == Moved(cursor={})
    assert contact().submits(name=["a", "b"]).read == Moved(cursor={})
    assert contact().replies(tap("f9")).read == Moved(cursor={})
    assert contact().replies(tap("c0")).read == Moved(cursor={})


def test_what_was_shown_and_came_back_untouched_is_kept_as_it_was() -> None:
    fields = [{"name": "fee", "value": "money"}, {"name": "time", "value": "duration"}]
    kept = {"fee": {"amount": "1234.50", "currency": "EUR"}, "time": 90}
    for locale in ("en", "de", "es"):
        asked = ask("form", fields=fields, settled={"it": kept}, locale=locale)
        fee, time = values(asked)
        assert asked.submits(fee=fee, time=time).read == Settled(kept, Source.FORM)


# In a review


def test_a_review_starts_with_the_settled_fields_and_ends_with_done() -> None:
    asked = contact(settled={"it": ANNA})
    assert values(asked) == ["Anna Berg", "anna@example.org", ""]
    assert asked.card.active == ""
    assert asked.card.hint == "Tap a field to change it, or Done."
    asked.taps("E-mail").says("berg@example.org")
    assert isinstance(asked.read, Moved)
    assert asked.taps("Done").read == Settled({**ANNA, "email": "berg@example.org"}, Source.FORM)


def test_words_for_a_complete_form_need_to_say_which_field() -> None:
    asked = contact(settled={"it": ANNA}).says("berg@example.org")
    assert isinstance(asked.read, Refused)
    assert "Tap the field" in asked.read.reason
    assert asked.says("E-mail: berg@example.org").says("done").read == Settled(
        {**ANNA, "email": "berg@example.org"}, Source.FORM
    )


def test_an_invalid_change_keeps_the_good_old_value() -> None:
    asked = contact(settled={"it": ANNA}).taps("E-mail").says("anna@")
    assert not isinstance(asked.read, Settled)
    assert values(asked)[1] == "anna@example.org"
    assert asked.taps("Done").read == Settled(ANNA, Source.FORM)


# Values


@pytest.mark.parametrize(
    "value, fault",
    [
        (ANNA, ""),
        ({"name": "Anna", "email": "anna@example.org"}, ""),
        ({**ANNA, "email": None}, "E-mail: This one is needed. Please answer it."),
        ({**ANNA, "email": "anna"}, "E-mail: That does not fit here. Please answer again."),
        ({**ANNA, "admin": True}, "That does not fit here. Please answer again."),
        ("Anna", "That does not fit here. Please answer again."),
        (None, "This one is needed. Please answer it."),
    ],
)
def test_what_may_stand_for_a_form(value: Any, fault: str) -> None:
    asked = contact()
    assert asked.step.fault(asked.scene, value) == fault


def test_a_form_reads_as_lines_or_as_the_journey_words_it() -> None:
    asked = contact()
    assert asked.step.show(asked.scene, ANNA) == "Your name: Anna Berg\nE-mail: anna@example.org"
    worded = ask("form", fields=FIELDS, texts={**TEXTS, "show": "{name} <{email}>"})
    assert worded.step.show(worded.scene, ANNA) == "Anna Berg <anna@example.org>"


def test_what_the_journey_words_without_a_field_still_shows_that_field() -> None:
    worded = ask("form", fields=FIELDS, texts={**TEXTS, "show": "{name} <{email}>"})
    with_phone = {**ANNA, "phone": "+493012345678"}
    shown = worded.step.show(worded.scene, with_phone)
    assert shown == "Anna Berg <anna@example.org>, Phone: +49 30 12345678"


def test_a_suggested_form_is_shown_as_it_is_and_taken_by_a_tap() -> None:
    asked = contact(proposals=(ANNA,))
    assert asked.card.verbatim == "Your name: Anna Berg\nE-mail: anna@example.org"
    assert asked.taps("Use this").read == Settled(ANNA, Source.TAP)
