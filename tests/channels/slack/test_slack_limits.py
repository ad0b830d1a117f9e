"""Each limit of Block Kit at its edge: what is as long as Slack takes, what is one longer, and what
is far longer, is all taken; nothing fails for its length.

What Slack takes is what the server of the tests takes (see its own tests), and no constant here.
"""

from __future__ import annotations

from typing import Any

import pytest

from channels.slack import render, views
from channels.slack.blocks import posts, section
from channels.slack.native import Post
from channels.slack.payload import Dest, block_id
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
from tests.support.slack.chatting import UPDATE_LIMIT
from tests.support.slack.checking import check_options, faults_of, view_faults_of

EN = Texts("en")
DM = Dest("T1", "D1", "U1")
LENGTHS = (24, 75, 150, 300, 2000, 3000)
"""What Slack takes of one thing or another."""
SIGNS = ("x", "&", "ab ")
"""A text, one that is longer once it is written for Slack, and one of words."""


def texts() -> list[Any]:
    """Nothing, what is just short enough and just too long, and what is longer than a message."""
    edges = [(length + more, sign) for length in LENGTHS for more in (0, 1) for sign in SIGNS]
    return [
        pytest.param((sign * length)[:length], id=f"{length} of {sign.strip()}")
        for length, sign in [(0, ""), (1, " "), *edges, (12_001, "&")]
    ]


def buttons(count: int, label: str = "", detail: str = "", role: Role = Role.OPTION) -> Any:
    """So many buttons."""
    return tuple(
        Button(token=f"t{one}", label=f"{one}{label}", detail=detail, role=role)
        for one in range(count)
    )


def check(made: tuple[Post, ...]) -> None:
    """Slack takes these messages, also as changes of others."""
    assert made
    for post in made:
        assert faults_of(list(post.blocks)) == []
        assert 1 <= len(post.text) <= UPDATE_LIMIT


def card(kind: type[Any], **more: Any) -> Any:
    """A card."""
    return kind(**{"id": "j-1", "item": "x", "title": "What?", **more})


# How long


def with_text(text: str) -> list[Card]:
    """Cards that have a text wherever they may have one."""
    said = {"title": text, "hint": text, "reason": text, "verbatim": text}
    record = Record(id="r", label=text, detail=text, fields={"name": text})
    edit = Button(token="e", label=text)
    return [
        card(Chips, options=buttons(3, text, text), suggestions=buttons(2, text), **said),
        card(Chips, options=buttons(9, text, text), multiple=True, **said),
        card(Chips, options=buttons(30, text, text), multiple=True, **said),
        card(Chips, options=buttons(30, text, text), controls=buttons(9, text, role=Role.CANCEL)),
        card(Form, fields=(Field(name="f", label=text, kind=FieldKind.TEXT, value=text),), **said),
        card(Picker, mode=PickerMode.RECORDS, options=buttons(1), records=(record,), query=text),
        card(Picker, mode=PickerMode.ENTRIES, options=buttons(1), entries=(text,), **said),
        card(
            Summary,
            revision="1",
            confirm=edit,
            rows=(Row(item="x", label=text, value=text, quote=text, mark=Mark.QUOTED, edit=edit),),
        ),
    ]


@pytest.mark.parametrize("text", texts())
def test_a_text_of_any_length_is_taken_wherever_it_stands(text: str) -> None:
    for one in with_text(text):
        check(render.card(one, DM, EN, again=text))
    if text.strip():
        check(render.message(text, again=text))
        check(render.receipt(text))


@pytest.mark.parametrize("text", texts())
def test_a_text_of_any_length_is_taken_in_a_window(text: str) -> None:
    for kind in FieldKind:
        field = Field(name="f", label=text, kind=kind, hint=text, reason=text, value=text)
        form = card(Form, title=text, reason=text, fields=(field,))
        assert view_faults_of(views.form(form, DM, EN)) == []
        limited = card(
            Form, fields=(Field(name="f", label="F", kind=kind, max_length=max(1, len(text))),)
        )
        assert view_faults_of(views.form(limited, DM, EN, {"f": text})) == []
    entries = card(Picker, mode=PickerMode.ENTRIES, hint=text, entries=(text,))
    assert view_faults_of(views.form(entries, DM, EN, {"value": text})) == []


@pytest.mark.parametrize("text", texts())
def test_a_text_of_any_length_is_found_by_a_search(text: str) -> None:
    found = card(
        Picker,
        mode=PickerMode.RECORDS,
        options=buttons(1, text, text),
        records=(Record(id="r", label=text, detail=text),),
        query=text,
        searchable=True,
    )
    assert check_options({"options": render.options(found)}) == []
    check(render.card(found, DM, EN))


@pytest.mark.parametrize("text", texts())
def test_a_text_of_any_length_is_taken_in_the_home(text: str) -> None:
    offer = views.Offer(name="event", title=text, about=text)
    home = views.home(EN, DM, question=text, open_lines=[text], offers=[offer], submissions=[text])
    assert view_faults_of({**home, "type": "home"}) == []


# How many


@pytest.mark.parametrize("count", [1, 5, 6, 7, 10, 11, 25, 26, 49, 50, 51, 99, 100, 101, 250])
def test_any_number_of_anything_is_taken(count: int) -> None:
    edit = Button(token="e", label="Edit")
    row = Row(item="x", label="Label", value="Value", mark=Mark.YOURS, edit=edit)
    for one in (
        card(Chips, options=buttons(count)),
        card(Chips, options=buttons(count), multiple=True),
        card(Chips, options=buttons(2), suggestions=buttons(count, role=Role.SUGGESTION)),
        card(Chips, options=buttons(2), controls=buttons(count, role=Role.CANCEL)),
        card(Picker, mode=PickerMode.ENTRIES, options=buttons(count), entries=("x",) * count),
        card(
            Picker,
            mode=PickerMode.RECORDS,
            options=buttons(count),
            records=tuple(Record(id=f"r{n}", label=f"Record {n}") for n in range(count)),
        ),
        card(
            Summary,
            revision="1",
            confirm=Button(token="c", label="Confirm"),
            rows=(row,) * count,
        ),
    ):
        check(render.card(one, DM, EN))


@pytest.mark.parametrize("count", [1, 98, 99, 100, 101, 200])
def test_a_window_and_a_home_of_any_size_are_taken(count: int) -> None:
    fields = tuple(Field(name=f"f{n}", label="F", kind=FieldKind.TEXT) for n in range(count))
    assert view_faults_of(views.form(card(Form, fields=fields), DM, EN)) == []
    offers = [views.Offer(name=f"o{n}", title="Offer", about="x") for n in range(count)]
    lines = ["A line."] * count
    home = views.home(EN, DM, open_lines=lines, offers=offers, submissions=lines)
    assert view_faults_of({**home, "type": "home"}) == []
    found = card(Picker, mode=PickerMode.RECORDS, options=buttons(count), searchable=True)
    assert check_options({"options": render.options(found)}) == []


@pytest.mark.parametrize("count", [49, 50, 51, 120])
def test_blocks_go_on_in_the_next_message(count: int) -> None:
    made = posts((section(f"{number}"),) for number in range(count))
    check(made)
    assert sum(len(one.blocks) for one in made) == count


def test_an_identifier_that_slack_would_not_take_is_never_sent() -> None:
    fits = block_id("x" * 246, "p", DM)
    assert len(fits) == 255
    with pytest.raises(ValueError, match="does not fit"):
        block_id("x" * 247, "p", DM)
