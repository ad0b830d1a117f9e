"""What is heard when something on a really rendered card is used."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from channels.slack import render
from channels.slack.incoming import (
    Heard,
    Received,
)
from channels.slack.native import Json
from channels.slack.payload import NAME, Dest
from channels.slack.read import received
from channels.slack.updates import Kind
from core.cards import (
    Button,
    Card,
    Chips,
    Field,
    FieldKind,
    Form,
    Picker,
    PickerMode,
    Role,
)
from core.texts import Texts

TEXTS = Texts("en")
DEST = Dest("T1", "D1", "U42")
IN_THREAD = Dest("T1", "C1", "U42", "1796126000.000001")
TS, CLICKED = "1796126400.000100", "1796126460.000200"
AT = datetime.fromtimestamp(float(CLICKED), UTC)
LONG_AGO = datetime.fromtimestamp(0, UTC)
WHO: dict[str, Any] = {"by": "U42", "at": AT, "handle": "U42"}

CONTROLS = tuple(
    Button(token=role.value, label=role.value.title(), role=role)
    for role in (Role.BACK, Role.SKIP, Role.CANCEL, Role.RESTART)
)

FOREIGN = {"type": "button", "action_id": "vote:1", "block_id": "b", "action_ts": CLICKED}

FORM = Form(
    id="j-1",
    item="person",
    title="Who is it?",
    fields=(
        Field(name="name", label="Name", kind=FieldKind.TEXT),
        Field(name="mail", label="E-mail", kind=FieldKind.EMAIL, required=False),
    ),
)


def options(count: int, prefix: str = "o") -> tuple[Button, ...]:
    return tuple(Button(token=f"{prefix}{one}", label=f"Option {one}") for one in range(count))


def chips(count: int, **more: Any) -> Chips:
    return Chips(id="j-1", item="kind", title="Which?", options=options(count), **more)


def blocks_of(card: Card, dest: Dest = DEST) -> list[Json]:
    """The blocks of all messages of a card."""
    return [block for post in render.card(card, dest, TEXTS) for block in post.blocks]


def controls(blocks: list[Json]) -> list[tuple[Json, Json]]:
    """Each control with the block that it stands in."""
    found = []
    for block in blocks:
        elements = block.get("elements", []) if block["type"] == "actions" else []
        beside = [block[name] for name in ("accessory", "element") if name in block]
        found += [(block, one) for one in (*elements, *beside)]
    return found


def control(blocks: list[Json], kind: str, label: str = "", number: int = 0) -> tuple[Json, Json]:
    """The first control of a kind; a button by its label."""
    fitting = [
        (block, one)
        for block, one in controls(blocks)
        if one["type"] == kind and (not label or one["text"]["text"] == label)
    ]
    assert fitting, f"no {kind} {label!r} in {blocks}"
    return fitting[number]


def action(found: tuple[Json, Json], **held: Any) -> Json:
    block, element = found
    return {
        "type": element["type"],
        "action_id": element["action_id"],
        "block_id": block["block_id"],
        "action_ts": CLICKED,
        **held,
    }


def used(blocks: list[Json], what: Json, dest: Dest = DEST, **more: Any) -> Received | None:
    """What is heard when something is used in a message."""
    container = {"type": "message", "message_ts": TS, "channel_id": dest.channel}
    if dest.thread:
        container["thread_ts"] = dest.thread
    body = {
        "type": "block_actions",
        "team": {"id": "T1", "domain": "x"},
        "user": {"id": "U42", "username": "ada", "name": "ada", "team_id": "T1"},
        "api_app_id": "A1",
        "container": container,
        "channel": {"id": dest.channel, "name": "directmessage"},
        "message": {"ts": TS, "blocks": blocks},
        "state": {"values": {}},
        "actions": [what],
        "response_url": "https://hooks.example/1",
        "trigger_id": "1.2.abc",
        "enterprise": None,
        **more,
    }
    return received(Kind.ACTIONS, body)


def heard(reply: Any, what: Json, dest: Dest = DEST) -> Heard:
    """What is to be heard of a click."""
    where = f"{dest.channel}:U42:{TS}:{what['action_id']}:{CLICKED}"
    return Heard(
        dest=dest,
        dedupe=f"{NAME}:T1:a:{where}",
        reply=reply,
        name="ada",
        message=TS,
        shows=True,
    )


def picker(mode: PickerMode, **more: Any) -> Picker:
    return Picker(id="j-1", item="when", title="When?", mode=mode, options=options(5), **more)
