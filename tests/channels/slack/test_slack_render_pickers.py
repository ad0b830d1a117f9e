"""Given something to pick, to collect or to fill in, then these lines and these controls."""

from __future__ import annotations

import pytest

from channels.slack import render
from channels.slack.payload import OPEN, SET, field_id, found_of, token_of
from core.cards import Field, FieldKind, PickerMode, Record, Role
from tests.support.slack import seeing
from tests.support.slack.cards import (
    DONE,
    SKIP,
    control,
    drawn,
    form,
    lines,
    options,
    picker,
    records,
)

# Dates and times


def test_a_day_is_picked_natively_and_its_bounds_are_told() -> None:
    days = options(*map(str, range(10, 32)))
    card = picker(PickerMode.DATE, options=days, minimum="2026-12-10", maximum="2027-02-01")
    posts = drawn(card)
    assert seeing.lines(posts) == [
        "Which?",
        "From Thursday, December 10, 2026 to Monday, February 1, 2027.",
        "[ Pick a date ▾ ]",
    ]
    assert control(posts).element["action_id"] == field_id("value")
    told = picker(PickerMode.DATE, options=days, maximum="2027-02-01", hint="By February 1, 2027.")
    assert lines(told)[1] == "By February 1, 2027."
    again = picker(
        PickerMode.DATE,
        options=days,
        minimum="2026-12-10",
        hint="After Thursday, December 10, 2026!",
    )
    assert lines(again)[1:-1] == ["After Thursday, December 10, 2026!"]


def test_a_refused_day_can_be_picked_once_more() -> None:
    asked = picker(PickerMode.DATE, options=options("1"))
    refused = picker(PickerMode.DATE, options=options("1"), reason="It cannot be before today.")
    first, second = (control(drawn(card)).key[0] for card in (asked, refused))
    assert first != second


def test_a_time_is_picked_natively() -> None:
    (time,) = seeing.controls(drawn(picker(PickerMode.TIME, options=options("19", "20"))))
    assert (time.kind, time.element["action_id"]) == ("timepicker", field_id("value"))


def test_a_moment_is_a_day_and_a_time_that_are_sent_together() -> None:
    card = picker(PickerMode.DATETIME, options=options("1"), value="2027-02-03")
    posts = drawn(card)
    assert seeing.lines(posts)[1:] == ["[ 2027-02-03 ▾ ] [ Pick a time ▾ ]", "[ Set ]"]
    day, time = (one for one in seeing.controls(posts) if not one.is_clicked)
    assert (day.element["action_id"], time.element["action_id"]) == (
        field_id("date"),
        field_id("time"),
    )
    assert token_of(control(posts, "Set").element["action_id"]) == SET


@pytest.mark.parametrize(
    "value,shown",
    [
        ("", "[ Pick a date ▾ ] [ Pick a time ▾ ]"),
        ("19:30", "[ Pick a date ▾ ] [ 19:30 ▾ ]"),
        ("2027-02-03T19:30", "[ 2027-02-03 ▾ ] [ 19:30 ▾ ]"),
        ("now", "[ Pick a date ▾ ] [ Pick a time ▾ ]"),
    ],
)
def test_a_moment_begins_with_what_is_known_of_it(value: str, shown: str) -> None:
    card = picker(PickerMode.DATETIME, options=options("1"), value=value)
    assert lines(card)[1] == shown


def test_where_no_day_fits_none_can_be_picked() -> None:
    card = picker(PickerMode.DATE, hint="No day fits any more.", minimum="2027-01-01")
    assert lines(card) == ["Which?", "No day fits any more."]


# Records, entries, files


def test_a_record_stands_with_all_that_it_has_beside_the_button_that_takes_it() -> None:
    hall = Record(
        id="1",
        label="Café <Früh> & Spät",
        detail="Weserstraße 203",
        fields={"city": "Berlin", "step_free": False, "street": "Weserstraße 203", "note": None},
    )
    posts = drawn(records(hall, Record(id="2", label="Halle 1"), query="ha"))
    assert seeing.lines(posts) == [
        "Which?",
        "🔎 ha",
        "Café <Früh> & Spät",
        "[ Choose ]",
        "Weserstraße 203",
        "City: Berlin",
        "Step free: No",
        "Halle 1",
        "[ Choose ]",
        "[ Search by name ▾ ]",
    ]
    assert token_of(control(posts, "Choose: Halle 1").element["action_id"]) == "r1"
    search = control(posts)
    assert (search.kind, search.element["min_query_length"]) == ("external_select", 1)


def test_a_search_finds_records_and_keeps_what_was_searched_for() -> None:
    east = Record(id="1", label="Halle <1> & more", detail="Ost")
    found = render.options(records(east, Record(id="2", label="Halle 1"), query="halle 1"))
    assert [one["text"]["text"] for one in found] == ["Halle <1> & more", "Halle 1"]
    assert [found_of(one["value"]) for one in found] == [("r0", "halle 1"), ("r1", "halle 1")]
    assert found[0]["description"]["text"] == "Ost"
    assert "description" not in found[1]


def test_a_search_that_is_too_long_to_be_kept_is_left_out() -> None:
    (found,) = render.options(records(Record(id="1", label="Halle"), query="halle " * 30))
    assert found_of(found["value"]) == ("r0", "")


def test_entries_stand_each_beside_the_button_that_removes_it() -> None:
    entries = ("Ada *Lovelace*", "<!here>")
    removals = options("1. Ada *Lovelace*", "2. <!here>", role=Role.REMOVE)
    posts = drawn(picker(PickerMode.ENTRIES, entries=entries, options=removals, done=DONE))
    assert seeing.lines(posts) == [
        "Which?",
        "1. Ada *Lovelace*",
        "[ Remove ]",
        "2. <!here>",
        "[ Remove ]",
        "[ Add in a form ] [ Done ]",
    ]
    assert seeing.words(posts).pings == []


def test_an_upload_says_how_and_opens_a_window_for_it() -> None:
    card = picker(PickerMode.UPLOAD, hint="Send one photo.", controls=(SKIP,))
    posts = drawn(card)
    assert seeing.lines(posts) == [
        "Which?",
        "📎 Send one photo.",
        "Drag the file into this conversation, or add it with the + below.",
        "[ Choose a file ]",
        "[ Skip ]",
    ]
    assert token_of(control(posts, "Choose a file").element["action_id"]) == OPEN


# Forms


def test_a_form_shows_how_far_it_is_and_opens_its_window() -> None:
    card = form(
        Field(name="name", label="Name", kind=FieldKind.TEXT, value="Ada"),
        Field(name="mail", label="E-mail", kind=FieldKind.EMAIL, reason="Not complete."),
        Field(name="phone", label="Phone", kind=FieldKind.PHONE, required=False),
        active="mail",
        edit=options("Name", "E-mail", "Phone"),
        done=DONE,
    )
    posts = drawn(card)
    assert seeing.lines(posts) == [
        "Who?",
        "Name: Ada",
        "👉 E-mail: …",
        "⚠️ Not complete.",
        "Phone: –",
        "[ Fill in the form ] [ Done ]",
    ]
    assert token_of(control(posts, "Fill in the form").element["action_id"]) == OPEN
    assert control(posts, "Done").element["style"] == "primary"


def test_a_form_of_one_field_is_answered_in_words_or_in_its_window() -> None:
    one = Field(name="title", label="Title", kind=FieldKind.TEXT)
    assert lines(form(one, hint="One line.")) == ["Who?", "One line.", "[ Answer in a form ]"]


def test_a_text_that_fits_into_no_window_is_answered_in_words_only() -> None:
    one = Field(name="text", label="Text", kind=FieldKind.LONG_TEXT, value="long " * 700)
    assert seeing.controls(drawn(form(one))) == []
