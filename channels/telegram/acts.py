"""Actions below posts: what their buttons send back, and the prompts for the words that some want.

Anybody in a chat may use an action, as if they had typed its command. So callback data and prompts
hold the command itself, and nothing in them is believed: it counts by who the platform says used
it, and whether they may is decided when it is carried out.

A prompt is a message of the bot's own that is answered by a reply to it. What its answer is for
lies under its text, as a link: so it outlives the process, and nothing has to be kept.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import msgspec

from channels.telegram.layout import shorten
from channels.telegram.limits import CALLBACK_DATA, INPUT_HINT
from channels.telegram.native import Json
from channels.telegram.payload import in_36
from channels.telegram.text import NOTHING, blank, joined, mention, one_line, plain, units
from channels.telegram.updates import Entity
from core.posts import Action

_AT_ONCE, _ASKS = "a1", "a2"
_QUERY = "act"


@dataclass(frozen=True, slots=True)
class Used:
    """An action as its callback data names it; `asks` says that it wants words first. `post` is
    empty where the post's id did not fit."""

    command: str
    post: str
    thread: int
    asks: bool


def data_of(action: Action, post: str, thread: int = 0) -> str:
    """The callback data of an action below a post that stands in this topic. The post's id is left
    out where it does not fit.

    Raises ValueError where not even the command fits into what the platform takes.
    """
    mark = _ASKS if action.needs else _AT_ONCE
    for name in (post, ""):
        parts = (mark, action.command, name, in_36(thread) if thread else "")
        data = "|".join(parts)
        if len(data.encode()) <= CALLBACK_DATA and data.count("|") == len(parts) - 1:
            return data
    raise ValueError(f"the action {action.command!r} does not fit into callback data")


def used(data: str) -> Used | None:
    """What callback data names; None where it is no action's."""
    parts = data.split("|")
    if len(parts) != 4 or parts[0] not in (_AT_ONCE, _ASKS) or not parts[1]:
        return None
    try:
        thread = int(parts[3] or "0", 36)
    except ValueError:
        return None
    return Used(parts[1], parts[2], max(thread, 0), parts[0] == _ASKS)


# Prompts


class Wanted(msgspec.Struct, frozen=True, array_like=True):
    """What the answer to a prompt is for, and who (their id) is to give it."""

    command: str
    post: str
    by: int


def prompt(wanted: Wanted, needs: str, label: str, *, bot: str, name: str = "") -> Json:
    """The parameters of a message that asks somebody for words.

    `needs` asks for them, `label` is the action's, `bot` the bot's username. `name` is what the
    person is called, where others are: then it is shown to them alone that it wants an answer.
    """
    action = one_line(label)
    action = NOTHING if blank(action) else action
    asked = plain(f"{action}: ") + plain(needs).trimmed()
    text = joined([mention(name, wanted.by), asked]) if name else asked
    before = units(text.text[: len(text.text) - len(asked.text)])
    link = {"type": "text_link", "offset": before, "length": units(action)}
    return {
        "text": text.text,
        "entities": [*text.entities(), {**link, "url": _address(wanted, bot)}],
        "link_preview_options": {"is_disabled": True},
        "reply_markup": {"force_reply": True, "selective": True, **_hint(needs)},
    }


def _hint(needs: str) -> Json:
    hint = shorten(one_line(needs), INPUT_HINT)
    return {} if blank(hint) else {"input_field_placeholder": hint}


def _address(wanted: Wanted, bot: str) -> str:
    told = base64.urlsafe_b64encode(msgspec.json.encode(wanted)).decode().rstrip("=")
    return f"https://t.me/{bot}?{_QUERY}={told}"


def wanted_by(entities: Iterable[Entity]) -> Wanted | None:
    """What the answer to a message of the bot's own is for; None where it is no prompt."""
    links = [one.url for one in entities if one.type == "text_link"]
    return next((found for found in map(_wanted, links) if found is not None), None)


def _wanted(address: str) -> Wanted | None:
    try:
        told: Sequence[str] = parse_qs(urlsplit(address).query).get(_QUERY, ())
        decoded = base64.urlsafe_b64decode("".join(told) + "===")
        return msgspec.json.decode(decoded, type=Wanted)
    except (ValueError, binascii.Error, msgspec.DecodeError):
        return None
