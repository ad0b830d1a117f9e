"""Cards to draw, and what Slack shows of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from channels.slack import render
from channels.slack.native import Post
from channels.slack.payload import Dest
from core.cards import (
    Button,
    Card,
    Chips,
    Field,
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
from tests.support.slack import seeing
from tests.support.slack.checking import faults_of
from tests.support.slack.controls import Control

DM = Dest(team="T1", channel="D1", owner="U1")
THREAD = Dest(team="T1", channel="C1", owner="U1", thread="1700000000.000100")
EN = Texts("en")
BACK = Button(token="~back", label="Back", role=Role.BACK)
CANCEL = Button(token="~cancel", label="Cancel", role=Role.CANCEL)
RESTART = Button(token="~restart", label="Start over", role=Role.RESTART)
SKIP = Button(token="skip", label="Skip", role=Role.SKIP)
DONE = Button(token="done", label="Done", role=Role.DONE)


def drawn(card: Card, dest: Dest = DM, texts: Texts = EN, **more: Any) -> tuple[Post, ...]:
    """A card's messages, each of which Slack takes."""
    posts = render.card(card, dest, texts, **more)
    assert [faults_of(list(post.blocks)) for post in posts] == [[] for _ in posts]
    return posts


def lines(card: Card, **more: Any) -> list[str]:
    return seeing.lines(drawn(card, **more))


def control(posts: Sequence[Post], name: str = "") -> Control:
    """The only control that is called so; the only one that holds something, without a name."""
    every = seeing.controls(posts)
    (found,) = [one for one in every if (name in one.names if name else not one.is_clicked)]
    return found


def options(*labels: str, **more: Any) -> tuple[Button, ...]:
    return tuple(
        Button(token=f"o{number}", label=label, **more) for number, label in enumerate(labels)
    )


def chips(*labels: str, **more: Any) -> Chips:
    frame = {"id": "c1", "item": "it", "title": "Which?", "options": options(*labels)}
    return Chips(**{**frame, **more})


def picker(mode: PickerMode, **more: Any) -> Picker:
    return Picker(**{"id": "c1", "item": "it", "title": "Which?", "mode": mode, **more})


def form(*fields: Field, **more: Any) -> Form:
    return Form(**{"id": "c1", "item": "it", "title": "Who?", "fields": fields, **more})


def row(label: str, value: str, mark: Mark = Mark.YOURS, token: str = "e0", **more: Any) -> Row:
    edit = Button(token=token, label=label, role=Role.EDIT)
    return Row(item=label, label=label, value=value, mark=mark, edit=edit, **more)


def summary(*rows: Row) -> Summary:
    return Summary(
        id="c1",
        item="",
        title="Is everything right?",
        hint="Confirm, or pick a line.",
        revision="r",
        rows=rows,
        confirm=Button(token="confirm", label="Confirm", role=Role.CONFIRM),
        controls=(BACK, CANCEL, RESTART),
    )


def records(*found: Record, **more: Any) -> Picker:
    return picker(
        PickerMode.RECORDS,
        records=found,
        options=tuple(
            Button(token=f"r{number}", label=one.label) for number, one in enumerate(found)
        ),
        searchable=True,
        **more,
    )
