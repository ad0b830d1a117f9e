"""The parts of Slack's payloads that this channel reads (docs.slack.dev/reference/events and
/reference/interaction-payloads).

Unknown fields are ignored, so that a newer Slack is no surprise; null is as good as a missing
field (see `without_nulls`). `msgspec.convert(json, Envelope)` raises ValidationError for a field
that is there and is not of Slack's type.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import msgspec

from channels.slack.native import Json

Id = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9]{1,64}\Z")]
"""Of a workspace, a channel, a person. Whatever is no such thing cannot be part of a lane."""

Ts = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,10}\.[0-9]{1,12}\Z")]
"""Unix seconds with a fraction, which name a message in its channel."""


class Kind(StrEnum):
    """What Slack delivers. A slash command has no type of its own on the wire."""

    EVENT = "event_callback"
    ACTIONS = "block_actions"
    SUBMISSION = "view_submission"
    CLOSED = "view_closed"
    SEARCH = "block_suggestion"
    SHORTCUT = "shortcut"
    COMMAND = "command"


def kind_of(body: Any) -> str:
    """What a body is, by its type; empty for what has none."""
    if not isinstance(body, dict):
        return ""
    kind = body.get("type")
    if isinstance(kind, str):
        return kind
    return Kind.COMMAND.value if isinstance(body.get("command"), str) else ""


def without_nulls(value: Any) -> Any:
    """The same JSON without fields that are null, which Slack writes for what is not there."""
    if isinstance(value, dict):
        return {name: without_nulls(one) for name, one in value.items() if one is not None}
    return [without_nulls(one) for one in value] if isinstance(value, list) else value


# Events


class Attachment(msgspec.Struct, frozen=True, kw_only=True):
    """Something that hangs on a message: the preview of a link, or a message that was passed on
    (`is_share`)."""

    is_share: bool = False
    text: str = ""
    fallback: str = ""


class SlackFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file; `size` in bytes. A deleted one has the mode "tombstone"; one that is beyond what a
    free workspace keeps, "hidden_by_limit". Of a file from elsewhere only the id may be told."""

    id: Id
    name: str = ""
    title: str = ""
    mimetype: str = ""
    mode: str = ""
    size: int = 0


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A message that was changed, as it is now or was before."""

    user: Id | None = None
    bot_id: str = ""
    app_id: str = ""
    subtype: str = ""
    text: str = ""
    ts: Ts | None = None
    thread_ts: Ts | None = None
    blocks: Any = None


class Thread(msgspec.Struct, frozen=True, kw_only=True):
    """A thread of the assistant pane. A message in one has only a token in it, or nothing."""

    user_id: Id | None = None
    channel_id: Id | None = None
    thread_ts: Ts | None = None


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What happened. `ts` and `channel` are those of a message."""

    type: str
    subtype: str = ""
    hidden: bool = False
    user: Id | None = None
    bot_id: str = ""
    app_id: str = ""
    text: str = ""
    channel: Id | None = None
    ts: Ts | None = None
    thread_ts: Ts | None = None
    tab: str = ""
    blocks: Any = None
    files: list[Any] = []
    attachments: list[Any] = []
    message: Message | None = None
    previous_message: Message | None = None
    assistant_thread: Thread | None = None
    tokens: dict[str, list[str]] = {}


class Authorization(msgspec.Struct, frozen=True, kw_only=True):
    """An installation that an event is told to."""

    user_id: str = ""
    is_bot: bool = False


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """An event and the workspace that it is told to (`context_team_id`, where others share the
    channel), or else happened in."""

    event: Event
    team_id: Id | None = None
    context_team_id: Id | None = None
    api_app_id: str = ""
    authorizations: list[Authorization] = []


# Interactions


class Team(msgspec.Struct, frozen=True, kw_only=True):
    """A workspace."""

    id: Id


class User(msgspec.Struct, frozen=True, kw_only=True):
    """Who did it; `username` is not what they are called, but better than nothing."""

    id: Id
    username: str = ""
    name: str = ""
    team_id: Id | None = None


class Channel(msgspec.Struct, frozen=True, kw_only=True):
    """Where it was done."""

    id: Id


class Container(msgspec.Struct, frozen=True, kw_only=True):
    """What was used: a message, or a view."""

    type: str = ""
    message_ts: Ts | None = None
    thread_ts: Ts | None = None
    channel_id: Id | None = None
    is_ephemeral: bool = False


class State(msgspec.Struct, frozen=True, kw_only=True):
    """What all controls hold, by block_id and action_id."""

    values: dict[str, dict[str, dict[str, Any]]] = {}


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A modal, or the App Home. In a channel that several workspaces share, whoever uses it may be
    of another one than that which the app is installed in."""

    id: str = ""
    app_installed_team_id: Id | None = None
    type: str = ""
    hash: str = ""
    callback_id: str = ""
    private_metadata: str = ""
    blocks: list[dict[str, Any]] = []
    state: State = State()


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """The message whose control was used."""

    ts: Ts | None = None
    blocks: list[Any] = []


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A chosen option."""

    value: str
    text: Any = None


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """What was done with a control: its type, and what it holds now."""

    type: str
    action_id: str = ""
    block_id: str = ""
    action_ts: Ts | None = None
    text: Any = None
    value: str = ""
    selected_option: Option | None = None
    selected_date: str = ""
    selected_time: str = ""
    selected_user: str = ""


class Interaction(msgspec.Struct, frozen=True, kw_only=True):
    """A click, a submission, a search, a shortcut."""

    user: User
    team: Team | None = None
    channel: Channel | None = None
    container: Container = Container()
    message: Shown | None = None
    view: View | None = None
    state: State = State()
    actions: list[Action] = []
    action_id: str = ""
    block_id: str = ""
    value: str = ""
    callback_id: str = ""
    action_ts: Ts | None = None
    trigger_id: str = ""


class SlashCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A slash command."""

    team_id: Id
    channel_id: Id
    user_id: Id
    user_name: str = ""
    command: str = ""
    text: str = ""
    trigger_id: str = ""


def raw_view(body: Json) -> Json:
    """The view of an interaction as Slack told it; empty where it has none."""
    view = body.get("view")
    return view if isinstance(view, dict) else {}
