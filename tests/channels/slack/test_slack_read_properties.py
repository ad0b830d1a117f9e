"""Whatever Slack delivers is read or left alone: reading never fails."""

from __future__ import annotations

import copy
import html
import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from channels.slack.incoming import (
    Elsewhere,
    Entered,
    Gone,
    Heard,
    Home,
    Left,
    Opens,
    Received,
    Seeks,
)
from channels.slack.payload import Dest, block_id, button_id, dest_of, field_id
from channels.slack.read import received
from channels.slack.typed import typed
from channels.slack.updates import Kind, kind_of
from core.replies import Reply
from tests.channels.slack.test_slack_read import CASES, COMMANDS, message_of, slash

DEST = Dest("T1", "D1", "U42")
TS = "1796126400.000100"

TEXT = st.text(st.characters(), max_size=20)
"""Half a surrogate pair too: JSON can spell it."""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def interaction(kind: str, **more: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "team": {"id": "T1"},
        "user": {"id": "U42", "username": "ada"},
        "container": {"type": "message", "message_ts": TS, "channel_id": "D1"},
        "channel": {"id": "D1"},
        "trigger_id": "1.2.abc",
        **more,
    }


def clicked(kind: str, action: str, **held: Any) -> dict[str, Any]:
    where = block_id("j-1", "send0", DEST)
    what = {"type": kind, "action_id": action, "block_id": where, "action_ts": TS, **held}
    boxes = {"type": "checkboxes", "selected_options": [{"value": "o1"}]}
    state = {"values": {where: {field_id("value"): boxes}}}
    return interaction("block_actions", actions=[what], state=state)


OPTION = {"text": {"type": "plain_text", "text": "Old Mill"}, "value": "r7"}
VIEW = {
    "id": "V1",
    "type": "modal",
    "hash": "1.2",
    "callback_id": "s1:modal",
    "private_metadata": '{"lane": "slack:T1:D1:0:U42", "card": "j-1"}',
    "blocks": [],
    "state": {
        "values": {
            block_id("j-1", "f0", DEST): {field_id("name"): {"type": "x", "value": "Zoë"}},
            block_id("j-1", "f1", DEST): {field_id("files"): {"files": [{"id": "F1"}]}},
        }
    },
}
REAL = [
    *(message_of(case) for case in CASES),
    *(slash(case["text"]) for case in COMMANDS[:4]),
    clicked("button", button_id("done")),
    clicked("button", button_id("~open")),
    clicked("overflow", button_id("~more"), selected_option=OPTION),
    clicked("static_select", field_id("value"), selected_option=OPTION),
    clicked("external_select", field_id("value"), selected_option=OPTION),
    clicked("datepicker", field_id("value"), selected_date="2026-12-24"),
    interaction("view_submission", view=VIEW),
    interaction("view_closed", view=VIEW, is_cleared=False),
    interaction(
        "block_suggestion",
        action_id=field_id("value"),
        block_id=block_id("j-1", "find", DEST),
        value="x",
    ),
    interaction("shortcut", callback_id="surestep_start", action_ts=TS),
]
"""A payload of each kind."""


def read(kind: str, body: Any) -> Received | None:
    """Read a payload, and see that what came of it can be kept."""
    found = received(kind, body)
    match found:
        case Heard() | Entered() | Seeks():
            kept(found.reply)
    if found is not None and not isinstance(found, Gone | Elsewhere):
        place = found.dest
        if place.channel:
            assert dest_of(place.lane) == place
        else:
            assert isinstance(found, Heard | Home)
            assert place.team
            assert place.owner
    return found


def kept(reply: Reply) -> None:
    spelled = json.dumps(msgspec.to_builtins(reply)).encode()
    assert msgspec.json.decode(spelled, type=Reply) is not None
    assert reply.at.utcoffset() is not None


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a JSON value."""
    if isinstance(value, dict):
        inner = [places(one, (*path, name)) for name, one in value.items()]
    elif isinstance(value, list):
        inner = [places(one, (*path, number)) for number, one in enumerate(value)]
    else:
        inner = []
    return [path, *(one for some in inner for one in some)]


def test_the_real_payloads_are_of_every_kind() -> None:
    """Else changing them would prove little."""
    assert {kind_of(body) for body in REAL} == set(Kind)
    kinds = {type(read(kind_of(body), body)) for body in REAL}
    assert kinds >= {Heard, Opens, Entered, Left, Seeks}


@given(st.sampled_from(list(Kind)) | TEXT, JSON)
@example(Kind.EVENT, {"event": {"type": "message", "ts": "9" * 400 + ".1", "channel": "D1"}})
@example(Kind.ACTIONS, {"user": {"id": "U1"}, "team": {"id": "T1"}, "actions": [{"type": ""}]})
def test_any_json_is_read_or_left_alone(kind: str, body: Any) -> None:
    read(kind, body)
    kind_of(body)


@given(st.sampled_from(list(Kind)), st.data())
def test_any_json_in_place_of_a_payloads_parts_is_read_or_left_alone(
    kind: Kind, data: st.DataObject
) -> None:
    body = copy.deepcopy(data.draw(st.sampled_from([one for one in REAL if kind_of(one) == kind])))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(body)))
        if not path:
            continue
        inside = body
        for name in path[:-1]:
            inside = inside[name]
        if data.draw(st.booleans()):
            inside[path[-1]] = data.draw(JSON)
        else:
            del inside[path[-1]]
    read(kind, body)


@given(st.sampled_from(REAL), st.dictionaries(st.text(max_size=9), JSON, min_size=1, max_size=3))
def test_what_a_newer_slack_adds_changes_nothing_of_what_is_read(
    body: dict[str, Any], added: dict[str, Any]
) -> None:
    newer = copy.deepcopy(body)
    for inside in (newer, newer.get("event"), newer.get("user"), newer.get("container")):
        if isinstance(inside, dict):
            inside.update({f"new_{key}": one for key, one in added.items()})
    found, before = received(kind_of(newer), newer), received(kind_of(body), body)
    assert found == before


def test_a_list_in_a_list_in_a_list() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    event = {"type": "message", "channel": "D1", "ts": TS, "user": "U1", "text": "x", "x": deep}
    assert received(Kind.EVENT, {"team_id": "T1", "event": event}) is None


# --- texts ---------------------------------------------------------------------------------------


@given(st.text(st.characters(), max_size=40))
def test_whatever_is_typed_comes_back_as_it_was(text: str) -> None:
    delivered = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert typed(delivered, "UBOT").text == text


@given(TEXT, st.sampled_from(["", "👋", "so"]))
def test_the_bots_name_is_all_that_is_taken_out(text: str, before: str) -> None:
    delivered = html.escape(text, quote=False)
    said = typed(f"{before} <@UBOT> x{delivered}", "UBOT")
    assert said.mentions
    assert said.text == (f"{before} x{text}" if before else f"x{text}")


@given(st.text("<>|@#!&;abU1^", max_size=30))
def test_no_text_is_too_odd(text: str) -> None:
    found = typed(text, "U1")
    assert isinstance(found.text, str)


@pytest.mark.parametrize("sign", [" ", "\n", ",", "<", "<@U1>", "&", "<a|"])
def test_a_long_text_takes_no_long_time(sign: str) -> None:
    """An expression that looks back from every place would take hours for these."""
    long = sign * 400_000
    assert len(typed(f"a{long}b<@U1>{long}c", "U1").text) <= 2 * len(long) + 3
