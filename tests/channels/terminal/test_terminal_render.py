"""Given this card, then these lines on a screen of 88 columns (or of a narrow one)."""

from __future__ import annotations

from io import StringIO

from rich.console import Console, RenderableType

from channels.terminal import render
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
    Role,
    Row,
    Summary,
)
from core.effects import Close, Say
from core.texts import Texts

CONTROLS = (
    Button(token="~back", label="Back", role=Role.BACK),
    Button(token="~cancel", label="Cancel", role=Role.CANCEL),
    Button(token="~restart", label="Start over", role=Role.RESTART),
)


def shown(thing: RenderableType | None, width: int = 88) -> list[str]:
    """What stands on the screen, line by line."""
    console = Console(file=StringIO(), width=width, color_system=None)
    render.show(console, thing)
    assert isinstance(console.file, StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def inside(card: Card, width: int = 88, locale: str = "en") -> list[str]:
    """What stands within a card's frame; every line of it is as wide as the frame."""
    lines = shown(render.card(card, Texts(locale)), width)
    assert {len(line) for line in lines} == {min(88, width)}
    return [line[2:-2].rstrip() for line in lines[1:-1]]


def options(*labels: str, ticked: bool | None = None) -> tuple[Button, ...]:
    return tuple(
        Button(token=f"o{number}", label=label, ticked=ticked)
        for number, label in enumerate(labels)
    )


def december(**changes: object) -> Picker:
    """The days of December 2026 from the 10th on."""
    days = tuple(Button(token=f"d202612{day}", label=str(day)) for day in range(10, 32))
    fields = {"id": "c", "item": "day", "title": "When?", "mode": PickerMode.DATE, "options": days}
    return Picker(**{**fields, "month": "2026-12", **changes})  # type: ignore[arg-type]


def row(label: str, value: str, mark: Mark = Mark.YOURS, quote: str = "") -> Row:
    edit = Button(token="e", label=label, role=Role.EDIT)
    return Row(item=label, label=label, value=value, mark=mark, edit=edit, quote=quote)


def summary(*rows: Row) -> Summary:
    return Summary(
        id="c",
        item="",
        title="Is everything right?",
        hint="Confirm, or pick a line.",
        revision="r",
        rows=rows,
        confirm=Button(token="confirm", label="Confirm", role=Role.CONFIRM),
    )


def test_a_choice_has_a_number_for_each_option_and_its_place_on_the_frame() -> None:
    card = Chips(
        id="c",
        item="kind",
        title="What kind?",
        hint="Tap one.",
        place=(1, 18),
        options=options("Meetup", "Workshop"),
        controls=CONTROLS[1:],
    )
    assert shown(render.card(card, Texts("en")), width=40) == [
        "╭─ What kind? ─────────────────────────╮",
        "│   1 Meetup                           │",
        "│   2 Workshop                         │",
        "│                                      │",
        "│ Tap one.                             │",
        "│                                      │",
        "│ [Cancel]   [Start over]              │",
        "╰─────────────────────────────── 1/18 ─╯",
    ]


def test_a_card_uses_no_more_than_88_columns_of_a_wide_screen() -> None:
    lines = shown(render.card(december(), Texts("en")), width=200)
    assert {len(line) for line in lines} == {88}


def test_a_reason_stands_above_and_a_suggestion_has_a_letter() -> None:
    card = Form(
        id="c",
        item="seats",
        title="How many?",
        hint="Type a number.",
        reason="It can be 40 at most.",
        fields=(Field(name="seats", label="Seats", kind=FieldKind.NUMBER),),
        suggestions=options("40"),
    )
    assert inside(card) == ["It can be 40 at most.", "  a 40", "", "Type a number."]


def test_what_asks_for_nothing_more_leaves_no_blank_line_behind() -> None:
    card = Chips(id="c", item="", title="Cancel?", options=options("Yes", "No"))
    assert inside(card) == ["  1 Yes", "  2 No"]


def test_what_can_be_ticked_says_how_to_tick_it() -> None:
    card = Chips(
        id="c",
        item="languages",
        title="Which?",
        options=(*options("English", ticked=True), *options("German", ticked=False)),
        multiple=True,
        done=Button(token="done", label="Done", role=Role.DONE),
    )
    assert inside(card) == [
        "  1 [x] English",
        "  2 [ ] German",
        "",
        "A number ticks or unticks one. Or type all of them in one line, such as “1 and 3”.",
        "",
        "[Done]",
    ]


def test_a_date_has_a_calendar_with_dots_for_the_days_that_do_not_fit() -> None:
    assert inside(december()) == [
        "         December 2026",
        "  Mon Tue Wed Thu Fri Sat Sun",
        "        ·   ·   ·   ·   ·   ·",
        "    ·   ·   ·  10  11  12  13",
        "   14  15  16  17  18  19  20",
        "   21  22  23  24  25  26  27",
        "   28  29  30  31",
    ]


def test_a_calendar_speaks_the_person_s_language_and_starts_their_week() -> None:
    assert inside(december(), locale="de")[:2] == [
        "         Dezember 2026",
        "   Mo  Di  Mi  Do  Fr  Sa  So",
    ]
    assert inside(december(), locale="en-US")[1] == "  Sun Mon Tue Wed Thu Fri Sat"


def test_a_time_shows_the_hours_that_are_left() -> None:
    hours = tuple(Button(token=f"h{hour}", label=f"{hour}:00") for hour in range(16, 24))
    card = Picker(id="c", item="at", title="When?", mode=PickerMode.TIME, options=hours)
    assert inside(card) == [
        "  16:00   17:00   18:00   19:00   20:00   21:00",
        "  22:00   23:00",
    ]


def test_a_list_is_numbered_and_says_how_to_take_something_off() -> None:
    card = Picker(
        id="c", item="speakers", title="Who?", mode=PickerMode.ENTRIES, entries=("Ada", "Grace")
    )
    assert inside(card) == [
        "  1 Ada",
        "  2 Grace",
        "",
        "“remove 1” takes the first one off the list.",
    ]


def test_a_file_is_asked_for_as_a_keyboard_sends_it() -> None:
    card = Picker(id="c", item="cover", title="A photo?", mode=PickerMode.UPLOAD)
    assert inside(card) == ["Type @ and the path of the file, such as @~/photo.jpg."]


def test_a_button_s_label_is_never_broken_over_two_lines() -> None:
    card = december(options=(), hint="Type a day.", controls=CONTROLS)
    assert inside(card, width=32) == ["Type a day.", "", "[Back]   [Cancel]", "[Start over]"]


def test_a_form_of_several_fields_points_at_the_one_that_is_asked() -> None:
    fields = (
        Field(name="name", label="Name", kind=FieldKind.TEXT, value="Anna"),
        Field(name="email", label="E-mail", kind=FieldKind.EMAIL),
        Field(name="phone", label="Phone", kind=FieldKind.PHONE, required=False),
    )
    card = Form(id="c", item="contact", title="Who?", fields=fields, active="email")
    assert inside(card) == ["   Name    Anna", "›  E-mail  …", "   Phone   –"]


def test_a_summary_says_where_each_value_came_from() -> None:
    card = summary(
        row("Title", "Winter Dinner", Mark.QUOTED, quote="our Winter Dinner"),
        row("Venue", "Old Mill", Mark.RECORD),
    )
    lines = [" ".join(line.split()) for line in inside(card)]
    assert lines == [
        "1 Title Winter Dinner ❝",
        "“our Winter Dinner”",
        "2 Venue Old Mill ◆",
        "",
        "❝ from your words ◆ from a list, accepted by you",
        "",
        "Confirm, or pick a line.",
        "",
        "[Confirm]",
    ]


def test_on_a_very_narrow_screen_a_value_stands_under_its_label() -> None:
    card = summary(row("Description", "Food and stories"))
    assert [line.strip(" •") for line in inside(card, width=30)[:2]] == [
        "1  Description",
        "Food and stories",
    ]


def test_nothing_that_was_typed_can_colour_move_or_clear_the_screen() -> None:
    typed = "\x1b[2J[red]Anna[/red]\x07\r"
    assert shown(render.message(Say(text=typed))) == ["", "[2J[red]Anna[/red]"]
    assert "\x1b" not in "".join(inside(summary(row("Name", typed))))


def test_a_closed_card_leaves_its_receipt_or_nothing() -> None:
    assert shown(render.receipt(Close(card="c", receipt="Title: Dinner"))) == ["Title: Dinner"]
    assert shown(render.receipt(Close(card="c"))) == []
