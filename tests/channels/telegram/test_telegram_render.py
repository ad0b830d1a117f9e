"""Given this card, then these lines and these rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from channels.telegram import render
from channels.telegram.native import Piece
from channels.telegram.payload import Dest, data_for
from core.cards import (
    Button,
    Card,
    Chips,
    Field,
    FieldKind,
    Form,
    Mark,
    Picker,
    PickerMode,
    Record,
    Role,
    Row,
    Summary,
)
from core.texts import Texts
from tests.support.telegram.entities import Text

ADA = Dest(chat=77, owner=77)
GROUP = Dest(chat=-100_123, owner=77, thread=5)
EN = Texts("en")
CONTROLS = (
    Button(token="~back", label="Back", role=Role.BACK),
    Button(token="~cancel", label="Cancel", role=Role.CANCEL),
)
DONE = Button(token="done", label="Done", role=Role.DONE)


def lines(pieces: Sequence[Piece]) -> list[str]:
    """The lines of all pieces, as a person reads them."""
    return [line for piece in pieces for line in piece.text.split("\n")]


def rows(pieces: Sequence[Piece]) -> list[str]:
    """The rows of the keyboard under the last piece; none has one but the last."""
    assert all(not piece.keyboard for piece in pieces[:-1])
    return [" | ".join(button["text"] for button in row) for row in pieces[-1].keyboard]


def shown(card: Card, texts: Texts = EN, **more: Any) -> tuple[list[str], list[str]]:
    """A card's lines and rows, for Ada alone."""
    pieces = render.card(card, ADA, texts, **more)
    return lines(pieces), rows(pieces)


def covered(pieces: Sequence[Piece], kind: str) -> list[str]:
    """The parts of a text that are of this kind."""
    return [
        Text(piece.text).part(entity)
        for piece in pieces
        for entity in piece.entities
        if entity["type"] == kind
    ]


def options(*labels: str, **more: Any) -> tuple[Button, ...]:
    return tuple(
        Button(token=f"o{number}", label=label, **more) for number, label in enumerate(labels)
    )


def chips(*labels: str, **more: Any) -> Chips:
    return Chips(
        **{"id": "c1", "item": "it", "title": "Which?", "options": options(*labels), **more}
    )


def row(label: str, value: str, mark: Mark = Mark.YOURS, token: str = "e0", **more: Any) -> Row:
    edit = Button(token=token, label=label, role=Role.EDIT)
    return Row(item=label, label=label, value=value, mark=mark, edit=edit, **more)


def summary(*shown_rows: Row) -> Summary:
    return Summary(
        id="c1",
        item="",
        title="Is everything right?",
        hint="Confirm, or pick a line.",
        revision="r",
        rows=shown_rows,
        confirm=Button(token="confirm", label="Confirm", role=Role.CONFIRM),
        controls=CONTROLS,
    )


# Each card


def test_a_choice_has_its_question_its_place_and_its_options() -> None:
    card = chips("Meetup", "Workshop", place=(1, 18), hint="Tap one.", controls=CONTROLS)
    pieces = render.card(card, ADA, EN)
    assert lines(pieces) == ["Which? · 1/18", "", "Tap one."]
    assert rows(pieces) == ["Meetup | Workshop", "Back | Cancel"]
    assert covered(pieces, "bold") == ["Which?"]
    assert covered(pieces, "italic") == ["Tap one."]


def test_a_button_names_its_card_and_its_token_and_nothing_else() -> None:
    (piece,) = render.card(chips("Meetup"), GROUP, EN)
    ((button,),) = piece.keyboard
    assert button == {"text": "Meetup", "callback_data": data_for("c1", "o0", GROUP)}


def test_a_reason_comes_first_and_suggestions_above_the_options() -> None:
    offer = Button(token="s0", label="40", role=Role.SUGGESTION)
    card = chips("Yes", reason="It can be 40 at most.", suggestions=(offer,))
    assert shown(card) == (["ℹ️ It can be 40 at most.", "", "Which?"], ["💡 40", "Yes"])


def test_a_text_shown_as_it_is_is_a_quotation() -> None:
    card = chips("I agree", verbatim="I hold the rights to <all> texts.\n\nAnd *images*.")
    pieces = render.card(card, ADA, EN)
    assert covered(pieces, "blockquote") == ["I hold the rights to <all> texts.\n\nAnd *images*."]


def test_a_box_is_ticked_and_done_is_below() -> None:
    ticks = (*options("English", ticked=True), Button(token="t1", label="German", ticked=False))
    card = chips(options=ticks, multiple=True, done=DONE)
    pieces = render.card(card, ADA, EN)
    assert rows(pieces) == ["✅ English | ⬜ German", "Done"]
    assert pieces[-1].keyboard[1][0]["style"] == "success"
    plain = render.card(card, ADA, EN, styles=False)
    assert not any("style" in button for line in plain[-1].keyboard for button in line)


def test_options_too_long_for_a_button_are_told_in_full() -> None:
    long = "The hall on the ground floor, with the garden and the piano"
    assert shown(chips(long, "Another")) == (
        ["Which?", "", f"1. {long}", "2. Another"],
        ["1. The hall on the ground floor,…", "2. Another"],
    )


def test_options_with_details_are_told_with_them() -> None:
    detailed = (Button(token="o0", label="Small", detail="up to 20"), *options("Large"))
    pieces = render.card(chips(options=detailed), ADA, EN)
    assert lines(pieces) == ["Which?", "", "1. Small", "up to 20", "2. Large"]
    assert covered(pieces, "bold") == ["Which?", "1. Small", "2. Large"]


def test_a_suggestion_too_long_for_a_button_is_told_in_full() -> None:
    long = "the one with the window to the garden, the piano and the kitchen"
    offer = Button(token="s0", label=long, role=Role.SUGGESTION)
    assert shown(chips("Yes", suggestions=(offer,))) == (
        ["Which?", "", f"💡 A. {long}"],
        ["💡 A. the one with the window to…", "Yes"],
    )


def december(first: int, **more: Any) -> Picker:
    days = tuple(Button(token=f"d{day}", label=str(day)) for day in range(first, 32))
    fields = {"id": "c1", "item": "day", "title": "When?", "month": "2026-12", "options": days}
    return Picker(mode=PickerMode.DATE, **{**fields, **more})


def test_a_month_stands_as_a_table_above_its_days() -> None:
    pieces = render.card(december(10), ADA, EN)
    assert lines(pieces) == [
        "When?",
        "",
        "December 2026",
        "Mo Tu We Th Fr Sa Su",
        "    ·  ·  ·  ·  ·  ·",
        " ·  ·  · 10 11 12 13",
        "14 15 16 17 18 19 20",
        "21 22 23 24 25 26 27",
        "28 29 30 31",
    ]
    assert covered(pieces, "pre")[0].startswith("Mo Tu")
    assert rows(pieces)[0] == "10 | 11 | 12 | 13"
    assert len(rows(pieces)) == 4


@pytest.mark.parametrize(
    "locale,title,head,first",
    [
        ("de", "Dezember 2026", "Mo Di Mi Do Fr Sa So", "10 | 11 | 12 | 13"),
        ("en-US", "December 2026", "Su Mo Tu We Th Fr Sa", "10 | 11 | 12"),
        ("es", "diciembre 2026", "LU MA MI JU VI SA DO", "10 | 11 | 12 | 13"),
    ],
)
def test_a_month_speaks_the_person_s_language_and_starts_their_week(
    locale: str, title: str, head: str, first: str
) -> None:
    told, buttoned = shown(december(10), Texts(locale))
    assert told[2:4] == [title, head]
    assert buttoned[0] == first


def test_a_month_without_a_day_left_is_no_table() -> None:
    assert shown(december(32, hint="No day fits any more.")) == (
        ["When?", "", "No day fits any more."],
        [],
    )


def test_times_are_a_grid() -> None:
    hours = tuple(Button(token=f"h{hour}", label=f"{hour}:00") for hour in range(16, 24))
    card = Picker(id="c1", item="at", title="When?", mode=PickerMode.TIME, options=hours)
    assert shown(card) == (
        ["When?"],
        ["16:00 | 17:00 | 18:00 | 19:00", "20:00 | 21:00 | 22:00 | 23:00"],
    )


def test_records_tell_all_that_is_accepted_with_them() -> None:
    mill = Record(
        id="1",
        label="Old Mill",
        detail="Mill Lane 3 · up to 80 people",
        fields={"address": "Mill Lane 3", "capacity": 80, "step_free": True, "note": None},
    )
    hall = Record(id="2", label="Hall", fields={"price_note": "EUR 40"})
    card = Picker(
        id="c1",
        item="venue",
        title="Which venue?",
        mode=PickerMode.RECORDS,
        query="ll",
        records=(mill, hall),
        options=options("Old Mill", "Hall"),
        moves=(Button(token="np", label="Next ›", role=Role.MOVE),),
    )
    assert shown(card) == (
        [
            *("Which venue?", "", "🔎 ll", "", "1. Old Mill", "Mill Lane 3 · up to 80 people"),
            *("Step free: Yes", "", "2. Hall", "Price note: EUR 40"),
        ],
        ["1. Old Mill | 2. Hall", "Next ›"],
    )


def test_a_list_is_numbered_and_each_entry_can_be_taken_off() -> None:
    removes = tuple(
        Button(token=f"x{number}", label=f"{number}. {name}", role=Role.REMOVE)
        for number, name in enumerate(("Ada", "Grace"), 1)
    )
    card = Picker(
        id="c1",
        item="speakers",
        title="Who?",
        mode=PickerMode.ENTRIES,
        entries=("Ada", "Grace"),
        options=removes,
        done=DONE,
    )
    assert shown(card) == (
        ["Who?", "", "1. Ada", "2. Grace"],
        ["✕ 1. Ada | ✕ 2. Grace", "Done"],
    )


def test_a_file_is_asked_for() -> None:
    card = Picker(
        id="c1", item="cover", title="A photo?", hint="Fits: JPEG.", mode=PickerMode.UPLOAD
    )
    assert shown(card) == (["A photo?", "", "📎 Fits: JPEG."], [])


def test_a_form_shows_what_is_in_its_fields_and_points_at_the_one_that_is_asked() -> None:
    fields = (
        Field(name="name", label="Name", kind=FieldKind.TEXT, value="Anna"),
        Field(name="mail", label="E-mail", kind=FieldKind.EMAIL, reason="Please check it."),
        Field(name="phone", label="Phone", kind=FieldKind.PHONE, required=False),
    )
    edits = tuple(
        Button(token=f"f{number}", label=field.label, role=Role.EDIT)
        for number, field in enumerate(fields)
    )
    card = Form(id="c1", item="c", title="Who?", fields=fields, active="mail", edit=edits)
    told, buttoned = shown(card)
    assert told == [
        *("Who?", "", "Name: Anna", "👉 E-mail: …", "⚠️ Please check it.", "Phone: –"),
    ]
    assert buttoned == ["✎ Name | ✎ E-mail | ✎ Phone"]


def test_a_form_of_one_field_is_its_question() -> None:
    field = Field(name="seats", label="Seats", kind=FieldKind.NUMBER)
    card = Form(id="c1", item="seats", title="How many?", fields=(field,), active="seats")
    assert shown(card) == (["How many?"], [])


# The summary


def test_a_summary_says_where_each_value_came_from() -> None:
    card = summary(
        row("Title", "Winter Dinner", Mark.QUOTED, quote="our Winter Dinner"),
        row("Place", "Old Mill", Mark.RECORD),
        row("Kind", "Meetup"),
        row("Cover", "left out", Mark.SKIPPED),
    )
    assert shown(card) == (
        [
            "Is everything right?",
            "",
            "Title: Winter Dinner ❝",
            "“our Winter Dinner”",
            "Place: Old Mill ◆",
            "Kind: Meetup",
            "Cover: left out",
            "",
            "❝ from your words",
            "◆ from a list, accepted by you",
            "",
            "Confirm, or pick a line.",
        ],
        ["✎ Title | ✎ Place | ✎ Kind | ✎ Cover", "Confirm", "Back | Cancel"],
    )


def test_a_long_value_is_folded_and_whole() -> None:
    short, long = "1. Ada\n2. Bo", "We mend clothes and bikes. " * 60
    card = summary(row("Speakers", short, long=True), row("About", long, long=True))
    pieces = render.card(card, ADA, EN)
    assert covered(pieces, "blockquote") == [short]
    assert covered(pieces, "expandable_blockquote") == [long.strip()]


def test_a_summary_longer_than_a_message_is_several_with_the_buttons_under_the_last() -> None:
    long = "\n\n".join(f"Paragraph {number} " + "about mending. " * 20 for number in range(60))
    pieces = render.card(summary(row("About", long), row("Kind", "Meetup")), ADA, EN)
    assert len(pieces) > 4
    together = "".join("\n".join(lines(pieces)).split())
    assert "".join(long.split()) in together
    assert rows(pieces)[-2:] == ["Confirm", "Back | Cancel"]


def test_a_confirmed_summary_stands_as_it_was_shown_without_its_buttons() -> None:
    card = summary(row("Title", "Dinner"))
    pieces = render.confirmed(card, EN, "Confirmed.")
    assert lines(pieces) == ["Title: Dinner", "", "✓ Confirmed."]
    assert not any(piece.keyboard for piece in pieces)


# Around the card


def test_in_a_group_a_card_is_its_owner_s_and_can_be_replied_to() -> None:
    card = chips("Yes", reason="Please tap one.")
    pieces = render.card(card, GROUP, EN, for_name="Ada L.")
    assert lines(pieces) == [
        *("Ada L.", "", "ℹ️ Please tap one.", "", "Which?", ""),
        "To type your answer, reply to this message.",
    ]
    (mention,) = (one for one in pieces[0].entities if one["type"] == "text_mention")
    assert (mention["offset"], mention["user"]["id"]) == (0, 77)


def test_what_may_come_twice_says_so_at_its_end() -> None:
    line = EN("telegram.again")
    pieces = render.card(chips("Yes", hint="Tap."), ADA, EN, again=line)
    assert lines(pieces)[-1] == line
    assert covered(pieces, "italic") == ["Tap.", line]
    assert lines(render.message("Hello", again=line)) == ["Hello", "", line]


def test_a_message_is_what_was_said() -> None:
    (piece,) = render.message("Hi <b>*there*</b>\n")
    assert piece == Piece(text="Hi <b>*there*</b>")
    assert render.message(" \n", again="twice") == ()
    (to_ada,) = render.message("Hi", for_name="Ada", owner=77)
    assert to_ada.text == "Ada\n\nHi"
    assert to_ada.entities[0]["user"]["id"] == 77


def test_a_receipt_is_ticked_once_and_has_no_buttons() -> None:
    assert render.receipt("Title: Dinner") == (Piece(text="✓ Title: Dinner"),)
    assert render.receipt("✅ Confirmed.") == (Piece(text="✅ Confirmed."),)
    assert render.receipt(" ") == ()
