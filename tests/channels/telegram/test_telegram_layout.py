"""Given these buttons, then these rows, and these pages."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from channels.telegram import layout, limits
from channels.telegram.layout import COLUMNS, Key
from core.cards import (
    Button,
    Card,
    Chips,
    Form,
    Mark,
    Picker,
    PickerMode,
    Role,
    Row,
    Summary,
)

CONTROLS = (
    Button(token="~back", label="Back", role=Role.BACK),
    Button(token="~cancel", label="Cancel", role=Role.CANCEL),
    Button(token="~restart", label="Start over", role=Role.RESTART),
)
DONE = Button(token="done", label="Done", role=Role.DONE)


def options(*labels: str, ticked: bool | None = None) -> tuple[Button, ...]:
    return tuple(
        Button(token=f"o{number}", label=label, ticked=ticked)
        for number, label in enumerate(labels)
    )


def chips(*labels: str, **more: object) -> Chips:
    fields = {"id": "c1", "item": "it", "title": "Which?", "options": options(*labels), **more}
    return Chips(**fields)  # type: ignore[arg-type]


def month(first: int, last: int, **more: object) -> Picker:
    """Days of December 2026, which begins on a Tuesday."""
    days = tuple(Button(token=f"d{day}", label=str(day)) for day in range(first, last + 1))
    fields = {"id": "c1", "item": "day", "title": "When?", "month": "2026-12", **more}
    return Picker(mode=PickerMode.DATE, options=days, **fields)  # type: ignore[arg-type]


def rows(card: Card, page: int = 0, locale: str = "en") -> list[str]:
    """The rows of a page, as a person sees them."""
    shown = layout.pages(card)[page]
    return [
        " | ".join(key.label for key in row)
        for group in (*shown.body, *shown.foot)
        for row in group.rows(locale)
    ]


def flowed(*labels: str) -> list[list[str]]:
    keys = [Key(str(number), label) for number, label in enumerate(labels)]
    return [[key.label for key in row] for row in layout.flow(keys)]


# Rows


def test_buttons_share_a_row_while_their_labels_are_shown_whole() -> None:
    assert flowed("Yes", "No") == [["Yes", "No"]]
    assert flowed("In person", "Online", "In person and online") == [
        ["In person", "Online"],
        ["In person and online"],
    ]


def test_equal_short_labels_are_a_grid_with_equal_rows() -> None:
    hours = [f"{hour:02}:00" for hour in range(24)]
    assert [len(row) for row in flowed(*hours)] == [6, 6, 6, 6]
    assert [len(row) for row in flowed(*map(str, range(10)))] == [5, 5]
    assert flowed("19:00", "19:15", "19:30", "19:45") == [["19:00", "19:15", "19:30", "19:45"]]


def test_wide_signs_take_two_columns() -> None:
    assert layout.width("会議室") == 6
    assert len(flowed("会議室の予約をする", "会議室の予約をする")) == 2
    assert len(flowed("abcdefghi", "abcdefghi")) == 1


def test_labels_from_right_to_left_are_laid_out_as_others_are() -> None:
    assert flowed("نعم", "لا") == [["نعم", "لا"]]


def test_a_week_is_a_row_and_begins_where_the_person_begins_it() -> None:
    assert rows(month(3, 31)) == [
        "3 | 4 | 5 | 6",
        "7 | 8 | 9 | 10 | 11 | 12 | 13",
        "14 | 15 | 16 | 17 | 18 | 19 | 20",
        "21 | 22 | 23 | 24 | 25 | 26 | 27",
        "28 | 29 | 30 | 31",
    ]
    assert rows(month(3, 14), locale="en-US") == [
        "3 | 4 | 5",
        "6 | 7 | 8 | 9 | 10 | 11 | 12",
        "13 | 14",
    ]


def test_months_are_turned_above_years() -> None:
    moves = options("« 2025", "‹ November 2026", "January 2027 ›", "2027 »")
    assert rows(month(30, 31, moves=moves))[1:] == [
        "‹ November 2026 | January 2027 ›",
        "« 2025 | 2027 »",
    ]


def test_what_answers_stands_above_what_leads_out() -> None:
    card = chips(
        "English",
        "German",
        suggestions=(Button(token="s0", label="French", role=Role.SUGGESTION),),
        multiple=True,
        done=DONE,
        controls=(Button(token="skip", label="Skip", role=Role.SKIP), *CONTROLS),
    )
    assert rows(card) == [
        "💡 French",
        "English | German",
        "Done",
        "Skip",
        "Back | Cancel | Start over",
    ]


def test_confirm_stands_below_the_edit_buttons_where_a_new_message_is_scrolled_to() -> None:
    labels = ("Kind", "Title", "Description", "Format", "Venue", "Rights and code of conduct")
    edits = [Button(token=f"e{n}", label=label, role=Role.EDIT) for n, label in enumerate(labels)]
    shown = tuple(
        Row(item="x", label=one.label, value="v", mark=Mark.YOURS, edit=one) for one in edits
    )
    confirm = Button(token="confirm", label="Confirm", role=Role.CONFIRM)
    card = Summary(
        id="c1",
        item="",
        title="Right?",
        revision="r",
        rows=shown,
        confirm=confirm,
        controls=CONTROLS,
    )
    assert rows(card) == [
        "✎ Kind | ✎ Title",
        "✎ Description | ✎ Format",
        "✎ Venue",
        "✎ Rights and code of conduct",
        "Confirm",
        "Back | Cancel | Start over",
    ]
    (page,) = layout.pages(card)
    styles = {key.token: key.style for group in (*page.body, *page.foot) for key in group.keys}
    assert [token for token, style in styles.items() if style == "success"] == ["confirm"]


# Labels


def test_boxes_are_ticked_without_a_button_moving() -> None:
    ticked = chips(options=options("English", "German", ticked=True))
    not_ticked = chips(options=options("English", "German", ticked=False))
    assert rows(ticked) == ["✅ English | ✅ German"]
    assert rows(not_ticked) == ["⬜ English | ⬜ German"]
    assert layout.width("✅ ") == layout.width("⬜ ")


def test_labels_too_wide_for_a_button_are_numbered_and_cut() -> None:
    first, second = "The hall with the long " + "name " * 5, "The hall with the long title"
    card = chips(first, second)
    assert layout.numbered(card)
    assert rows(card) == ["1. The hall with the long name na…", "2. The hall with the long title"]


def test_labels_that_fit_need_no_numbers() -> None:
    assert not layout.numbered(chips("Meetup", "Workshop"))
    assert rows(chips("Meetup", "Workshop")) == ["Meetup | Workshop"]


def test_options_of_one_name_or_with_a_detail_are_numbered() -> None:
    assert rows(chips("Library", "Library")) == ["1. Library | 2. Library"]
    detailed = (Button(token="o0", label="Small", detail="up to 20"), *options("Large"))
    assert rows(chips(options=detailed)) == ["1. Small | 2. Large"]


def test_entries_of_a_list_and_fields_of_a_form_have_their_signs() -> None:
    remove = Button(token="x", label="1. Anna", role=Role.REMOVE)
    entries = Picker(id="c", item="i", title="t", mode=PickerMode.ENTRIES, options=(remove,))
    assert rows(entries) == ["✕ 1. Anna"]
    edit = Button(token="f0", label="Name", role=Role.EDIT)
    assert rows(Form(id="c", item="i", title="t", fields=(), edit=(edit,), done=DONE)) == [
        "✎ Name",
        "Done",
    ]


def test_suggestions_that_are_cut_are_told_apart_by_letters() -> None:
    long = "the one with the window to the garden"
    offers = tuple(
        Button(token=f"s{number}", label=long + end, role=Role.SUGGESTION)
        for number, end in enumerate(("", " and the piano"))
    )
    card = chips("Yes", suggestions=offers)
    assert layout.lettered(card)
    assert rows(card)[:2] == [
        "💡 A. the one with the window to…",
        "💡 B. the one with the window to…",
    ]


def test_a_label_that_nobody_can_see_is_a_button_all_the_same() -> None:
    assert rows(chips("\u200b", "")) == ["1. … | 2. …"]


@pytest.mark.parametrize(
    "number,letters", [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (702, "AAA")]
)
def test_letters_never_run_out(number: int, letters: str) -> None:
    assert layout.letter(number) == letters


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=80), st.integers(4, 34))
def test_a_shortened_label_fits_and_ends_between_characters(label: str, columns: int) -> None:
    short = layout.shorten(label, columns)
    assert layout.width(short) <= columns
    if short != label:
        assert short.endswith("…")
        kept = short.removesuffix("…")
        assert label.startswith(kept)
        ends = [match.end() for match in regex.finditer(r"\X", label)]
        after = len(label) - len(label[len(kept) :].lstrip())
        assert not kept or {len(kept), after} & set(ends)


@given(st.lists(st.text("ab 東🎉", min_size=1, max_size=40), max_size=60))
def test_every_label_in_a_shared_row_is_shown_whole(labels: list[str]) -> None:
    laid = layout.flow([Key(str(n), layout.shorten(label)) for n, label in enumerate(labels)])
    assert [key.token for row in laid for key in row] == [str(n) for n in range(len(labels))]
    for row in laid:
        assert 1 <= len(row) <= limits.BUTTONS_IN_ROW
        assert all(layout.width(key.label) <= COLUMNS[len(row) - 1] for key in row)


# Pages


def test_as_many_buttons_as_a_keyboard_holds_are_one_page() -> None:
    assert len(layout.pages(chips(*map(str, range(97)), controls=CONTROLS))) == 1


def test_more_buttons_are_pages_and_the_way_out_is_on_each() -> None:
    card = chips(*map(str, range(98)), controls=CONTROLS)
    first, second = layout.pages(card)
    tokens = [[key.token for group in page.body for key in group.keys] for page in (first, second)]
    assert [len(one) for one in tokens] == [95, 3]
    assert tokens[0] + tokens[1] == [one.token for one in card.options]
    for page in (first, second):
        assert [key.token for group in page.foot for key in group.keys] == [
            "~back",
            "~cancel",
            "~restart",
        ]


def test_a_great_many_controls_are_paged_as_well() -> None:
    many = tuple(Button(token=f"~{n}", label=str(n), role=Role.BACK) for n in range(150))
    pages = layout.pages(chips("Yes", controls=many))
    shown = [key.token for page in pages for g in (*page.body, *page.foot) for key in g.keys]
    assert shown == ["o0", *(one.token for one in many)]
    assert all(sum(len(group.keys) for group in page.body) <= 98 for page in pages)
