"""Given this card, then this rich message: read as lines, and taken by a Bot API server."""

from __future__ import annotations

from typing import Any

import pytest
from aiogram.types import InputRichMessage

from channels.telegram import rich
from channels.telegram.native import media_ref
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
from tests.support.telegram.conform import conform
from tests.support.telegram.rich import buttons_in, check_rich, drawn, stored

ADA = Dest(chat=77, owner=77)
TEAM = Dest(chat=-5, owner=77)
BACK = Button(token="~back", label="Back", role=Role.BACK)
CANCEL = Button(token="~cancel", label="Cancel", role=Role.CANCEL)
DONE = Button(token="done", label="Done", role=Role.DONE)
CONTROLS = (BACK, CANCEL)
FRAME: dict[str, Any] = {"id": "c7", "item": "it", "controls": CONTROLS}


def rich_of(card: Card, dest: Dest = ADA, locale: str = "en", **more: Any) -> dict[str, Any]:
    """The rich message of a card, which must have one; its types and limits are checked."""
    piece = rich.card(card, dest, Texts(locale), **more)
    assert piece is not None
    assert piece.rich is not None
    assert (piece.text, piece.keyboard) == ("", ())
    conform(InputRichMessage, piece.rich, "rich_message")
    check_rich(piece.rich, private=dest.private)
    return piece.rich


def read(card: Card, dest: Dest = ADA, locale: str = "en", **more: Any) -> list[str]:
    """A card as its owner reads it."""
    return lines_of(rich_of(card, dest, locale, **more))


def lines_of(message: dict[str, Any]) -> list[str]:
    """A rich message as the server draws it, once it is sent."""
    return drawn(stored(message, lambda kind, medium: medium))


def style_of(message: dict[str, Any], token: str, dest: Dest = ADA) -> str | None:
    data = data_for("c7", token, dest)
    (found,) = (one for one in buttons_in(message["blocks"]) if one["callback_data"] == data)
    return found.get("style")


def row(number: int, label: str, value: str, mark: Mark = Mark.YOURS, **more: Any) -> Row:
    edit = Button(token=f"e{number}", label=label, role=Role.EDIT)
    return Row(item=label, label=label, value=value, mark=mark, edit=edit, **more)


def summary(*rows: Row, **more: Any) -> Summary:
    confirm = Button(token="confirm", label="Confirm", role=Role.CONFIRM)
    asked = {"title": "Is everything right?", "hint": "Confirm, or pick a line.", **more}
    return Summary(**{**FRAME, **asked}, revision="r", rows=rows, confirm=confirm)


def picker(mode: PickerMode, *options: Button, **more: Any) -> Picker:
    return Picker(**{**FRAME, "title": "Which?", **more}, mode=mode, options=options)


def december(first: int = 10, **more: Any) -> Picker:
    days = (Button(token=f"d202612{day}", label=str(day)) for day in range(first, 32))
    return picker(PickerMode.DATE, *days, month="2026-12", **more)


# Each kind of card


def test_a_summary_is_a_table_in_which_each_label_changes_its_value() -> None:
    card = summary(
        row(0, "Kind", "Meetup"),
        row(1, "Title", "Tea & <b>cake</b>", Mark.QUOTED, quote="tea & <b>cake</b>"),
        row(2, "Venue", "Lindenhof", Mark.RECORD),
        row(3, "Speakers", "Ada\nGrace"),
        row(4, "Cover", "", Mark.SKIPPED),
        reason="Something changed.",
    )
    assert read(card) == [
        "ℹ️ Something changed.",
        "#### Is everything right?",
        "Confirm, or pick a line.",
        "| [ Kind ] | Meetup |  |",
        "| [ Title ] | Tea & <b>cake</b>\n“tea & <b>cake</b>” | ❝ |",
        "| [ Venue ] | Lindenhof | ◆ |",
        "| [ Speakers ] |  |",
        "| Ada\nGrace |",
        "| [ Cover ] | – |  |",
        "❝ from your words   ◆ from a list, accepted by you",
        "[ Confirm ]",
        "[ Back ] [ Cancel ]",
    ]
    message = rich_of(card)
    assert message["skip_entity_detection"] is True
    assert [style_of(message, one) for one in ("e0", "confirm", "~back")] == [
        "link",
        "success",
        None,
    ]


def test_a_summary_of_own_answers_has_no_marks() -> None:
    assert read(summary(row(0, "Kind", "Meetup"), row(1, "Cover", "left out", Mark.SKIPPED))) == [
        "#### Is everything right?",
        "Confirm, or pick a line.",
        "| [ Kind ] | Meetup |",
        "| [ Cover ] | left out |",
        "[ Confirm ]",
        "[ Back ] [ Cancel ]",
    ]


def test_a_long_value_stands_on_the_summary_to_its_last_letter() -> None:
    text = "\n".join(f"{number}. This is a sentence of many words." for number in range(400))
    (line,) = (one for one in read(summary(row(0, "About", text))) if "399." in one)
    assert line == f"| {text} |"


def test_a_form_has_its_fields_beside_the_links_that_choose_them() -> None:
    names = {"name": "Anna", "email": "anna@", "phone": "", "site": ""}
    fields = tuple(
        Field(
            name=name,
            label=name.capitalize(),
            kind=FieldKind.TEXT,
            value=value,
            required=name != "site",
            reason="Not complete." if name == "email" else "",
            hint="with its country code" if name == "phone" else "",
        )
        for name, value in names.items()
    )
    edit = tuple(
        Button(token=f"f{at}", label=one.label, role=Role.EDIT) for at, one in enumerate(fields)
    )
    form = Form(
        **{**FRAME, "title": "Who?", "place": (3, 9)},
        fields=fields,
        active="phone",
        edit=edit,
        done=DONE,
        suggestions=(Button(token="s0", label="+49 30 1", role=Role.SUGGESTION),),
    )
    assert read(form) == [
        "#### Who? · 3/9",
        "[ 💡 +49 30 1 ]",
        "| [ Name ] | Anna |",
        "| [ Email ] | anna@\n⚠️ Not complete. |",
        "| 👉 [ Phone ] | …\nwith its country code |",
        "| [ Site ] | – |",
        "[ Done ]",
        "[ Back ] [ Cancel ]",
    ]


def test_a_list_has_each_remove_button_beside_its_entry() -> None:
    entries = ("Ada Lovelace", "Grace Hopper, who wrote the first compiler of all")
    options = tuple(
        Button(token=f"x{at}", label=f"{at + 1}. {one[:9]}…", role=Role.REMOVE)
        for at, one in enumerate(entries)
    )
    card = picker(PickerMode.ENTRIES, *options, entries=entries, done=DONE, hint="One a message.")
    assert read(card) == [
        "#### Which?",
        "One a message.",
        "1. Ada Lovelace  [ ✕ ]",
        "2. Grace Hopper, who wrote the first compiler of all  [ ✕ ]",
        "[ Done ]",
        "[ Back ] [ Cancel ]",
    ]


FIELDS: dict[str, Any] = {"city": "Köln", "free_seats": 80, "step_free": False, "note": None}


def test_a_record_has_its_details_under_its_button() -> None:
    records = (
        Record(id="a", label="Lindenhof", detail="Berlin · up to 40 people", fields={"seats": 40}),
        Record(id="b", label="Alte Mühle", fields=FIELDS),
        Record(id="c", label="The long hall by the river, second floor"),
    )
    options = tuple(
        Button(token=f"r{one.id}", label=one.label, detail=one.detail) for one in records
    )
    more = Button(token="np", label="Next ›", role=Role.MOVE)
    card = picker(PickerMode.RECORDS, *options, records=records, moves=(more,), query="hall")
    assert read(card) == [
        "#### Which?",
        "🔎 hall",
        "1. [ Lindenhof ]",
        "  Berlin · up to 40 people",
        "2. [ Alte Mühle ]",
        "  City: Köln",
        "  Free seats: 80",
        "  Step free: No",
        "3. [ The long hall by the river, secon… ]",
        "  The long hall by the river, second floor",
        "[ Next › ]",
        "[ Back ] [ Cancel ]",
    ]


def test_a_month_keeps_its_weekdays_in_their_columns() -> None:
    later = Button(token="mf", label="January 2027 ›", role=Role.MOVE)
    assert read(december(moves=(later,), hint="Tap a day.")) == [
        "#### Which?",
        "Tap a day.",
        "December 2026",
        "| Mon | Tue | Wed | Thu | Fri | Sat | Sun |",
        "|  | 1 | 2 | 3 | 4 | 5 | 6 |",
        "| 7 | 8 | 9 | [ 10 ] | [ 11 ] | [ 12 ] | [ 13 ] |",
        "| [ 14 ] | [ 15 ] | [ 16 ] | [ 17 ] | [ 18 ] | [ 19 ] | [ 20 ] |",
        "| [ 21 ] | [ 22 ] | [ 23 ] | [ 24 ] | [ 25 ] | [ 26 ] | [ 27 ] |",
        "| [ 28 ] | [ 29 ] | [ 30 ] | [ 31 ] |  |  |  |",
        "[ January 2027 › ]",
        "[ Back ] [ Cancel ]",
    ]


def test_a_week_begins_where_the_person_begins_it() -> None:
    assert read(december(), locale="en-US")[2:4] == [
        "| Sun | Mon | Tue | Wed | Thu | Fri | Sat |",
        "|  |  | 1 | 2 | 3 | 4 | 5 |",
    ]


@pytest.mark.parametrize(
    "labels,lines",
    [
        (
            [f"{hour:02}:00" for hour in range(17, 24)],
            [
                "| [ 17:00 ] | [ 18:00 ] | [ 19:00 ] | [ 20:00 ] | [ 21:00 ] | [ 22:00 ] |",
                "| [ 23:00 ] |  |  |  |  |  |",
            ],
        ),
        (
            ["5:00 PM", "5:15 PM", "5:30 PM", "5:45 PM"],
            ["| [ 5:00 PM ] | [ 5:15 PM ] | [ 5:30 PM ] | [ 5:45 PM ] |"],
        ),
    ],
)
def test_the_times_of_a_day_are_a_grid(labels: list[str], lines: list[str]) -> None:
    options = (Button(token=f"h{at}", label=one) for at, one in enumerate(labels))
    other = Button(token="day", label="Another day", role=Role.MOVE)
    card = picker(PickerMode.DATETIME, *options, month="2026-12", moves=(other,))
    assert read(card) == ["#### Which?", *lines, "[ Another day ]", "[ Back ] [ Cancel ]"]


def test_options_with_details_are_told_beside_their_buttons() -> None:
    options = (
        Button(token="t0", label="Wiki", detail="Pages that everybody reads", ticked=True),
        Button(token="t1", label="Mail", ticked=False),
    )
    card = Chips(**{**FRAME, "title": "Which?"}, options=options, multiple=True, done=DONE)
    assert read(card) == [
        "#### Which?",
        "1. [ ✅ Wiki ]",
        "  Pages that everybody reads",
        "2. [ ⬜ Mail ]",
        "[ Done ]",
        "[ Back ] [ Cancel ]",
    ]


def test_a_suggestion_that_its_button_cuts_short_is_told_by_its_letter() -> None:
    long_one = "Lindenhof Saal, Lindenallee 14, in the second yard"
    offers = (
        Button(token="s0", label=long_one, role=Role.SUGGESTION),
        Button(token="s1", label="Alte Mühle", role=Role.SUGGESTION),
    )
    assert read(december(first=31, suggestions=offers))[:4] == [
        "#### Which?",
        f"💡 A. {long_one}",
        "💡 B. Alte Mühle",
        "[ 💡 A. Lindenhof Saal, Lindenallee… ]",
    ]


def test_a_draft_too_long_for_a_plain_message_is_one_rich_message() -> None:
    draft = "word " * 1000
    use = Button(token="use", label="Use this text", role=Role.CONFIRM)
    card = Chips(**{**FRAME, "title": "About?"}, options=(use,), verbatim=draft)
    assert read(card) == ["#### About?", f"  {draft}", "[ Use this text ]", "[ Back ] [ Cancel ]"]


PLAIN: list[Card] = [
    Chips(**FRAME, title="Sure?", options=(BACK, CANCEL)),
    Form(**FRAME, title="How?", fields=(Field(name="a", label="A", kind=FieldKind.TEXT),)),
    picker(PickerMode.ENTRIES),
    picker(PickerMode.RECORDS),
    picker(PickerMode.DATE, hint="No day fits any more."),
    picker(PickerMode.UPLOAD, accepts=("image/png",)),
]


@pytest.mark.parametrize("card", PLAIN, ids=lambda card: card.title)
def test_what_a_plain_message_says_as_well_is_none(card: Card) -> None:
    assert rich.card(card, ADA, Texts("en")) is None


# For whom, how, and how often


def test_in_a_group_the_card_names_its_owner() -> None:
    message = rich_of(summary(), TEAM, for_name="Ada\nL.")
    mention = message["blocks"][0]["text"][0]
    assert (mention["type"], mention["user"]["id"]) == ("text_mention", 77)
    reply_here = Texts("en")("telegram.reply_here", name="Ada L.")
    assert lines_of(message)[0] == f"Ada L. · {reply_here}"


def test_a_card_that_may_come_twice_says_so_at_its_end() -> None:
    message = rich_of(summary(), again="This may come twice.")
    assert message["blocks"][-1]["text"] == {"type": "italic", "text": "This may come twice."}


@pytest.mark.parametrize(
    "title,locale,right_to_left",
    [
        ("האם הכול נכון?", "he", True),
        ("Surestep: האם הכול נכון?", "he", True),
        ("هل كل شيء صحيح؟", "en", True),
        ("Is everything right?", "he", False),
        ("Ist שלום alles richtig?", "de", False),
        ("?", "ar", False),
    ],
)
def test_a_message_runs_as_its_question_is_read(
    title: str, locale: str, right_to_left: bool
) -> None:
    message = rich_of(summary(title=title, hint=""), locale=locale)
    assert message.get("is_rtl", False) is right_to_left


# Files


def test_a_summary_shows_its_files_where_it_is_asked_to() -> None:
    refs = (media_ref("photo", "P1"), media_ref("voice", "V1"))
    card = summary(row(0, "Cover", "cover.png", files=refs))
    assert rich.shows_files(card)
    assert [one["type"] for one in rich_of(card, files=True)["blocks"][3:5]] == [
        "photo",
        "voice_note",
    ]
    assert not [one for one in rich_of(card)["blocks"] if one["type"] == "photo"]


def test_a_confirmed_summary_stands_as_it_was_shown_with_nothing_left_to_tap() -> None:
    card = summary(
        row(0, "Title", "Tea", Mark.QUOTED, quote="just tea"),
        row(1, "Cover", "tea.png", files=(media_ref("photo", "P1"),)),
    )
    piece = rich.confirmed(card, ADA, Texts("en"), "Confirmed.")
    assert piece is not None
    assert piece.rich is not None
    conform(InputRichMessage, piece.rich, "rich_message")
    assert list(buttons_in(piece.rich["blocks"])) == []
    assert lines_of(piece.rich) == [
        "| Title | Tea\n“just tea” | ❝ |",
        "| Cover | tea.png |  |",
        "❝ from your words",
        "[photo] Cover",
        "✓ Confirmed.",
    ]


def test_a_file_that_no_block_can_show_leaves_all_to_be_sent_beside() -> None:
    refs = (media_ref("photo", "P1"), media_ref("video_note", "N1"))
    card = summary(row(0, "Cover", "two files", files=refs))
    assert not rich.shows_files(card)
    assert "[photo] Cover" not in read(card, files=True)
