"""What is used in the modals of cards and in the App Home, each really rendered."""

from __future__ import annotations

import pytest

from channels.slack import views
from channels.slack.incoming import (
    Elsewhere,
    Entered,
    Heard,
    Left,
    Opens,
    Received,
)
from channels.slack.native import Json
from channels.slack.payload import Dest, button_id, field_id
from channels.slack.read import received
from channels.slack.updates import Kind
from core.cards import (
    PickerMode,
)
from core.replies import Command, File, Submit
from tests.support.slack.clicking import (
    AT,
    DEST,
    FOREIGN,
    FORM,
    IN_THREAD,
    LONG_AGO,
    TEXTS,
    TS,
    action,
    blocks_of,
    control,
    picker,
    used,
)

# --- modals --------------------------------------------------------------------------------------


def test_the_button_of_a_form_opens_its_modal() -> None:
    blocks = blocks_of(FORM)
    what = action(control(blocks, "button", "Fill in the form"))
    assert used(blocks, what) == Opens(
        dest=DEST, card="j-1", trigger="1.2.abc", by="U42", message=TS, shows=True
    )


def modal(view: Json, kind: str, **held: Json) -> Received | None:
    """What is heard of a modal that is sent or closed, with what its fields hold by their names."""
    values: Json = {}
    for block in view["blocks"]:
        element = block.get("element")
        if element is not None:
            name = element["action_id"].partition("=")[2]
            value = {"type": element["type"], **held.get(name, {"value": None})}
            values[block["block_id"]] = {element["action_id"]: value}
    shown = {
        **view,
        "id": "V1",
        "hash": "1796126400.h1",
        "app_id": "A1",
        "root_view_id": "V1",
        "previous_view_id": None,
        "state": {"values": values},
    }
    body = {
        "type": kind,
        "team": {"id": "T1"},
        "user": {"id": "U42", "username": "ada", "name": "ada"},
        "view": shown,
        "response_urls": [],
    }
    return received(kind, body)


def test_a_modal_is_sent_with_what_was_typed() -> None:
    found = modal(views.form(FORM, IN_THREAD, TEXTS), "view_submission", name={"value": "Zoë <b>"})
    assert isinstance(found, Entered)
    values: dict[str, str | list[str]] = {"name": "Zoë <b>", "mail": ""}
    assert found.reply == Submit(card="j-1", values=values, by="U42", at=LONG_AGO, handle="U42")
    assert (found.dest, found.card, found.name) == (IN_THREAD, "j-1", "ada")
    assert found.dedupe == "slack:T1:v:V1:1796126400.h1"
    assert set(views.blocks_of(found.view)) == {"name", "mail"}


def test_a_modal_is_closed() -> None:
    found = modal(views.form(FORM, DEST, TEXTS), "view_closed", name={"value": "Zo"})
    assert found == Left(dest=DEST, card="j-1", values={"name": "Zo", "mail": ""}, by="U42")


def test_the_files_of_a_modal_are_those_of_its_card() -> None:
    card = picker(PickerMode.UPLOAD)
    files = [{"id": "F1", "name": "plan.pdf", "mimetype": "application/pdf", "size": 42}, {"id": 7}]
    found = modal(views.form(card, DEST, TEXTS), "view_submission", files={"files": files})
    assert isinstance(found, Entered)
    file = File(ref="slack:T1:F1", name="plan.pdf", mime="application/pdf", size=42)
    assert found.reply == Submit(
        card="j-1", values={}, files=(file,), by="U42", at=LONG_AGO, handle="U42"
    )


@pytest.mark.parametrize(
    "more",
    [
        {"callback_id": "theirs"},
        {"private_metadata": ""},
        {"private_metadata": '{"lane": "slack:T1:D1"}'},
        {"private_metadata": '["slack:T2:D1:0:U42", "j-1"]'},
        {"private_metadata": '{"lane": "slack:T2:D1:0:U42", "card": "j-1"}'},
        {"private_metadata": '{"lane": "telegram:1:0:1", "card": "j-1"}'},
    ],
)
@pytest.mark.parametrize("kind", ["view_submission", "view_closed"])
def test_a_modal_of_another_making_is_only_acknowledged(more: Json, kind: str) -> None:
    assert modal({**views.form(FORM, DEST, TEXTS), **more}, kind) == Elsewhere(by="U42")


# --- the App Home --------------------------------------------------------------------------------


def at_home(what: Json, view: Json) -> Received | None:
    body = {
        "type": "block_actions",
        "team": {"id": "T1"},
        "user": {"id": "U42", "username": "ada"},
        "container": {"type": "view", "view_id": "V1"},
        "view": {**view, "id": "V1"},
        "actions": [what],
        "trigger_id": "1.2.abc",
    }
    return received(Kind.ACTIONS, body)


def test_the_buttons_of_the_home_are_commands() -> None:
    offer = views.Offer(name="event", title="Submit an event")
    view = views.home(TEXTS, DEST, question="When?", offers=[offer])
    go_on = at_home(action(control(view["blocks"], "button", "Go on")), view)
    found = control(view["blocks"], "button", "Start")
    start = at_home(action(found, value=found[1]["value"]), view)
    assert isinstance(go_on, Heard)
    assert isinstance(start, Heard)
    assert go_on.reply == Command(name="resume", by="U42", at=AT)
    assert start.reply == Command(name="new", argument="event", by="U42", at=AT)
    assert {go_on.dest, start.dest} == {Dest("T1", "", "U42")}
    other = action(control(view["blocks"], "button", "Go on"), action_id=button_id("x"))
    assert at_home(other, view) == Elsewhere(by="U42")


def test_a_field_of_no_card() -> None:
    what = {**FOREIGN, "type": "static_select", "action_id": field_id("value")}
    assert used([], what) == Elsewhere(by="U42")
