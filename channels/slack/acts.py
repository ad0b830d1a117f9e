"""Actions below posts: what their buttons are called, what is heard when one is used, and the modal
for the words that some want.

Anybody in a channel may use an action, as if they had typed its command. So a button holds the
command itself, and nothing in it is believed: it counts by who the platform says used it, and
whether they may is decided when it is carried out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from channels.slack.blocks import actions, button, plain
from channels.slack.clicks import dedupe_of, is_sound, moment_of, team_of, thread_of
from channels.slack.controls import IN_ROW
from channels.slack.incoming import Asks, Elsewhere, Heard
from channels.slack.limits import INPUT_LABEL, METADATA, TYPED, VIEW_TITLE
from channels.slack.native import Json
from channels.slack.payload import LIMIT, NAME, Dest, dest_of
from channels.slack.text import NOTHING, blank, one_line, seen, shorten
from channels.slack.updates import Action as Clicked
from channels.slack.updates import Interaction
from core.posts import Action, Post, Tone
from core.replies import Act
from core.texts import Texts

MODAL = "a1:words"
"""The callback_id of a modal that asks for words."""

_MARK = "a1"
_FIELD = "=words"
_VALUE = 2000
"""Characters of a button's value (docs.slack.dev/reference/block-kit/block-elements)."""
_MOST = 25 * IN_ROW
"""Actions of a post; a message has 50 blocks in all."""
_STYLES = {Tone.PLAIN: "", Tone.GOOD: "primary", Tone.BAD: "danger"}


class _Held(msgspec.Struct, frozen=True, array_like=True):
    """What a button holds: its action's command, and what it asks for."""

    command: str
    needs: str = ""


class Origin(msgspec.Struct, frozen=True):
    """What a modal asks words for, and in which lane they count."""

    lane: str
    command: str
    post: str


# The buttons


def rows(post: Post) -> tuple[Json, ...]:
    """The actions of a post, in rows; as many as a message holds, the first ones count. Raises
    ValueError where a command or the post's id does not fit."""
    shown = post.actions[:_MOST]
    return tuple(
        actions(
            [_button(one, f"{_MARK}:{at + number}") for number, one in enumerate(row)],
            _block_id(post.id, at // IN_ROW),
        )
        for at in range(0, len(shown), IN_ROW)
        if (row := shown[at : at + IN_ROW])
    )


def _button(action: Action, name: str) -> Json:
    label = one_line(action.label)
    made = button(NOTHING if blank(label) else label, name, style=_STYLES[action.tone])
    return {**made, "value": _value(action)}


def _value(action: Action) -> str:
    held, needs = "", action.needs
    while not held or len(held) > _VALUE:
        held = msgspec.json.encode(_Held(action.command, needs)).decode()
        if len(held) > _VALUE and len(needs) < 2:
            raise ValueError(f"the action {action.command!r} does not fit into a button")
        needs = shorten(needs, len(needs) // 2)
    return held


def _block_id(post: str, row: int) -> str:
    name = f"{_MARK}|{row}|{post}"
    if len(name) > LIMIT:
        raise ValueError(f"the post {post!r} does not fit into a block_id")
    return name


# What is heard


def clicked(used: Interaction) -> Heard | Asks | Elsewhere | None:
    """Somebody used an action; None where something else was used."""
    action = next(iter(used.actions), None)
    mark, _, rest = action.block_id.partition("|") if action is not None else ("", "", "")
    if action is None or mark != _MARK or used.view is not None:
        return None
    held, dest = _held(action), _dest(used)
    if held is None or dest is None:
        return Elsewhere(by=used.user.id)
    post = rest.partition("|")[2]
    name = used.user.username or used.user.name
    if held.needs:
        return Asks(
            dest=dest,
            command=held.command,
            post=post,
            needs=held.needs,
            label=_label(action),
            trigger=used.trigger_id,
        )
    who: dict[str, Any] = {"by": used.user.id, "at": moment_of(action.action_ts)}
    act = Act(command=held.command, post=post, handle=used.user.id, **who)
    return Heard(dest=dest, dedupe=dedupe_of(used, action, dest), reply=act, name=name)


def _held(action: Clicked) -> _Held | None:
    try:
        held = msgspec.json.decode(action.value, type=_Held)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    return held if held.command else None


def _label(action: Clicked) -> str:
    text = action.text if isinstance(action.text, dict) else {}
    return str(text.get("text", ""))


def _dest(used: Interaction) -> Dest | None:
    """Where what comes of it is said: in a channel in the thread below the post."""
    container, team = used.container, team_of(used)
    channel = used.channel.id if used.channel is not None else container.channel_id
    if team is None or not channel:
        return None
    thread = thread_of(container)
    dest = Dest(team, channel, used.user.id, thread)
    if not dest.direct and not thread and not container.is_ephemeral:
        dest = replace(dest, thread=container.message_ts or "")
    return dest if is_sound(dest) else None


# Words


def modal(asks: Asks, texts: Texts) -> Json:
    """The modal that asks for the words that an action wants. Raises ValueError where what they are
    for does not fit into a view."""
    origin = Origin(asks.dest.lane, asks.command, asks.post)
    told = msgspec.json.encode(origin).decode()
    if len(told) > METADATA:
        raise ValueError(f"the action {asks.command!r} does not fit into a view")
    element = {
        "type": "plain_text_input",
        "action_id": f"{_MARK}:{_FIELD}",
        "multiline": True,
        "max_length": TYPED,
    }
    return {
        "type": "modal",
        "callback_id": MODAL,
        "private_metadata": told,
        "title": plain(one_line(asks.label), VIEW_TITLE),
        "submit": plain(texts("slack.send"), VIEW_TITLE),
        "close": plain(texts("slack.close"), VIEW_TITLE),
        "blocks": [
            {
                "type": "input",
                "block_id": f"{_MARK}|words",
                "label": plain(one_line(seen(asks.needs)), INPUT_LABEL),
                "element": element,
            }
        ],
    }


def submitted(used: Interaction, view: Json) -> Heard | Elsewhere | None:
    """The words for an action were sent; None where another modal was."""
    if view.get("callback_id") != MODAL or used.view is None:
        return None
    try:
        origin = msgspec.json.decode(view.get("private_metadata") or "", type=Origin)
        dest = dest_of(origin.lane)
    except (msgspec.DecodeError, ValueError):
        return Elsewhere(by=used.user.id)
    words = next(iter(_typed(view)), "")
    # Everybody opens a modal of their own.
    mine = dest.owner == used.user.id and dest.team == team_of(used)
    if not mine or not is_sound(dest) or not origin.command or not words:
        return Elsewhere(by=used.user.id)
    return Heard(
        dest=dest,
        dedupe=f"{NAME}:{dest.team}:v:{used.view.id}:{used.view.hash}",
        reply=Act(
            command=origin.command,
            words=words,
            post=origin.post,
            handle=used.user.id,
            by=used.user.id,
            at=moment_of(None),
        ),
        name=used.user.username or used.user.name,
    )


def _typed(view: Json) -> list[str]:
    values = (view.get("state") or {}).get("values", {})
    found = [held.get(f"{_MARK}:{_FIELD}", {}) for held in values.values()]
    return [words for one in found if (words := str(one.get("value") or "").strip())]
