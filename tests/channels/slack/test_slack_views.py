"""Given this form, then this modal; given what a person has, then this App Home."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from channels.slack import views
from channels.slack.native import Json
from channels.slack.payload import Dest, field_of
from core.cards import Field, FieldKind, Form, Picker, PickerMode
from core.texts import Texts
from tests.support.slack import seeing
from tests.support.slack.cards import DM, EN, THREAD, form, picker
from tests.support.slack.checking import view_faults_of
from tests.support.slack.drawing import lines_of

CONTACT = form(
    Field(name="name", label="Name", kind=FieldKind.TEXT, value="Ada", max_length=80),
    Field(name="mail", label="E-mail", kind=FieldKind.EMAIL, hint="We write once."),
    Field(name="phone", label="Phone", kind=FieldKind.PHONE, required=False),
)


def opened(
    card: Form | Picker,
    kept: Mapping[str, str] | None = None,
    dest: Dest = DM,
    texts: Texts = EN,
) -> Json:
    """A card's modal, which Slack takes."""
    view = views.form(card, dest, texts, kept or {})
    assert view_faults_of(view) == []
    return view


def lines(view: Json) -> list[str]:
    assert view_faults_of(view) == []
    return lines_of(view["blocks"], {}, seeing.nobody)


def inputs(view: Json) -> dict[str, Json]:
    """The input blocks of a modal, by the names of their fields."""
    asked = [one for one in view["blocks"] if one["type"] == "input"]
    return {field_of(one["element"]["action_id"]): one for one in asked}


def element(kind: FieldKind, texts: Texts = EN, **more: Any) -> Json:
    """The element that a single field of a kind becomes."""
    field = Field(name="it", label="It", kind=kind, **more)
    made: Json = inputs(opened(form(field), texts=texts))["it"]["element"]
    return made


# The modal of a form


def test_a_modal_asks_for_all_fields_and_carries_where_it_belongs() -> None:
    view = opened(CONTACT, dest=THREAD)
    assert lines(view) == [
        "Who?",
        "Name: [ Ada ▾ ]",
        "E-mail: [ … ▾ ]",
        "  We write once.",
        "Phone (optional): [ … ▾ ]",
    ]
    assert (view["submit"]["text"], view["close"]["text"]) == ("Send", "Not now")
    assert view["notify_on_close"] is True
    assert views.origin_of(view) == views.Origin(lane=THREAD.lane, card="c1")


@pytest.mark.parametrize(
    "view",
    [{}, {"callback_id": views.MODAL}, {"callback_id": views.MODAL, "private_metadata": "{}"}],
)
def test_a_modal_of_somebody_else_s_making_belongs_to_nothing(view: Json) -> None:
    assert views.origin_of(view) is None


@pytest.mark.parametrize(
    "kind,native",
    [
        (FieldKind.TEXT, "plain_text_input"),
        (FieldKind.EMAIL, "email_text_input"),
        (FieldKind.URL, "url_text_input"),
        (FieldKind.NUMBER, "number_input"),
        (FieldKind.MONEY, "plain_text_input"),
        (FieldKind.DURATION, "plain_text_input"),
        (FieldKind.PHONE, "plain_text_input"),
    ],
)
def test_a_field_has_the_input_of_its_kind(kind: FieldKind, native: str) -> None:
    assert element(kind)["type"] == native


def test_a_longer_text_has_several_lines_and_a_limit_is_slack_s_own_too() -> None:
    assert element(FieldKind.LONG_TEXT, max_length=2000)["multiline"] is True
    assert element(FieldKind.LONG_TEXT, max_length=2000)["max_length"] == 2000
    assert element(FieldKind.LONG_TEXT, max_length=9000)["max_length"] == 3000
    assert "max_length" not in element(FieldKind.TEXT, value="far too long", max_length=5)


def test_where_a_comma_sets_decimals_apart_a_number_is_typed_as_text() -> None:
    assert element(FieldKind.NUMBER, Texts("de"))["type"] == "plain_text_input"


@pytest.mark.parametrize(
    "kind,said,native",
    [
        (FieldKind.EMAIL, "anna at example", "plain_text_input"),
        (FieldKind.EMAIL, "anna@example.org", "email_text_input"),
        (FieldKind.URL, "example.org", "plain_text_input"),
        (FieldKind.URL, "https://example.org/a?b=c", "url_text_input"),
        (FieldKind.NUMBER, "about 5", "plain_text_input"),
        (FieldKind.NUMBER, "5.5", "number_input"),
    ],
)
def test_what_was_typed_stands_in_the_field_whatever_it_is(
    kind: FieldKind, said: str, native: str
) -> None:
    found = element(kind, value=said)
    assert (found["type"], found["initial_value"]) == (native, said)


def test_what_was_typed_last_stands_before_what_the_card_holds_in_a_new_block() -> None:
    before, after = inputs(opened(CONTACT)), inputs(opened(CONTACT, {"name": "Ada L."}))
    assert after["name"]["element"]["initial_value"] == "Ada L."
    assert after["name"]["block_id"] != before["name"]["block_id"]
    assert after["mail"]["block_id"] == before["mail"]["block_id"]


def test_a_text_too_long_for_a_window_is_not_lost_by_sending_the_others() -> None:
    long = Field(name="text", label="Text", kind=FieldKind.LONG_TEXT, value="long " * 700)
    view = opened(form(*CONTACT.fields, long))
    assert list(inputs(view)) == ["name", "mail", "phone"]
    told = "“Text” is too long for this window. To change it, send it as a message."
    assert lines(view)[-1] == told


def test_a_long_label_makes_a_short_title_and_stands_in_full_in_the_modal() -> None:
    texts = Texts("en", {"en": {"items.it.label": "The person whom the team may write to"}})
    card = form(*CONTACT.fields, title="Whom may the calendar team write to?")
    view = opened(card, texts=texts)
    assert view["title"]["text"] == "The person whom the tea…"
    assert lines(view)[0] == "Whom may the calendar team write to?"


def test_why_a_field_was_refused_before_stands_below_it() -> None:
    wrong = Field(name="mail", label="E-mail", kind=FieldKind.EMAIL, reason="Not complete.")
    assert lines(opened(form(wrong, reason="Please look again at: E-mail.")))[:3] == [
        "ℹ️ Please look again at: E-mail.",
        "Who?",
        "E-mail: [ … ▾ ]",
    ]
    assert inputs(opened(form(wrong)))["mail"]["hint"]["text"] == "⚠️ Not complete."


# Other modals


def test_a_file_is_put_into_a_file_input_of_its_types() -> None:
    photo = picker(PickerMode.UPLOAD, accepts=("image/png", "application/pdf"), hint="One photo.")
    held = inputs(opened(photo))["files"]
    assert held["element"]["filetypes"] == ["pdf", "png"]
    assert held["hint"]["text"] == "One photo."
    any_type = picker(PickerMode.UPLOAD, accepts=("image/*",))
    assert "filetypes" not in inputs(opened(any_type))["files"]["element"]


# What comes back


def sent(view: Json, **values: str | None) -> Json:
    """The modal as Slack tells it with what was typed."""
    held = {
        one["block_id"]: {
            one["element"]["action_id"]: {"type": one["element"]["type"], "value": values.get(name)}
        }
        for name, one in inputs(view).items()
    }
    return {**view, "state": {"values": held}}


def test_what_was_typed_is_told_by_field_and_an_empty_one_is_empty() -> None:
    told = views.typed(sent(opened(CONTACT), name="Ada", mail="a@example.org"))
    assert told == {"name": "Ada", "mail": "a@example.org", "phone": ""}


def test_faults_stand_at_their_fields() -> None:
    view = opened(CONTACT)
    refused = {"": "Please look again at: E-mail.", "mail": "Not complete.", "gone": "No field."}
    assert views.faults(view, refused) == {views.blocks_of(view)["mail"]: "Not complete."}


def test_the_fault_of_a_form_of_one_field_stands_at_that_field() -> None:
    one = Field(name="it", label="Title", kind=FieldKind.TEXT)
    view = opened(form(one))
    at = views.blocks_of(view)["it"]
    assert views.faults(view, {"": "Too short."}) == {at: "Too short."}
    assert views.faults(view, {"": "Too short.", "it": "\u200b"}) == {at: "Too short."}
    assert views.faults(view, {"": "\u200b"}) == {}
    assert views.faults(view, {}) == {}


# The App Home


def test_the_home_of_somebody_who_has_nothing_offers_all_that_there_is() -> None:
    offers = (views.Offer("event", "An event", "For the <calendar>."), views.Offer("x", "*X*"))
    assert lines(views.home(EN, DM, offers=offers)) == [
        "Open",
        "Nothing is open at the moment.",
        "What would you like to do?",
        "An event",
        "[ Start ]",
        "For the <calendar>.",
        "*X*",
        "[ Start ]",
        "Yours, the newest first",
        "You have not sent anything in yet.",
    ]


def test_the_home_goes_on_with_what_is_open_and_lists_what_was_sent() -> None:
    view = views.home(
        EN,
        DM,
        question="Which venue?",
        open_lines=["Event: open here, 3 of 18 answered"],
        submissions=["Event: submitted, Monday", "Request: submitted, Sunday"],
    )
    assert lines(view) == [
        "Open",
        "Event: open here, 3 of 18 answered",
        "Which venue?",
        "[ Go on ]",
        "Yours, the newest first",
        "Event: submitted, Monday",
        "Request: submitted, Sunday",
    ]
