"""The methods that this server carries out: their arguments, their scopes, their kind of token.

https://docs.slack.dev/reference/methods; the names of the arguments are those of slack_sdk as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.slack.errors import Json, violates

_TRUE, _FALSE = ("true", "True", "1"), ("false", "False", "0")


@dataclass(frozen=True)
class Method:
    """A method. One of `scopes` is needed; `token` is "bot", "app" or "" for none.

    `tier` is its rate limit (https://docs.slack.dev/apis/web-api/rate-limits); 0 is a special one.
    """

    arguments: Mapping[str, str]
    required: tuple[str, ...]
    scopes: tuple[str, ...]
    token: str = "bot"
    tier: int = 3


def _method(arguments: str, *scopes: str, token: str = "bot", tier: int = 3) -> Method:
    """Read arguments written as "channel! blocks:json": required with "!", a string if not told."""
    kinds, required = {}, []
    for one in arguments.split():
        name, _, kind = one.partition(":")
        if name.endswith("!"):
            name = name[:-1]
            required.append(name)
        kinds[name] = kind or "str"
    return Method(kinds, tuple(required), scopes, token, tier)


_SAYS = (
    "channel! text as_user:bool attachments:json blocks:json thread_ts icon_emoji icon_url"
    " link_names:bool username parse markdown_text"
)
_LISTS = "cursor limit:int"
_PAGES = f"channel! {_LISTS} inclusive:bool include_all_metadata:bool latest oldest"
_PANE = "channel_id! thread_ts"
_LOOKS = "icon_emoji icon_url username"

METHODS: dict[str, Method] = {
    "api.test": _method("error", token="", tier=4),
    "apps.connections.open": _method("", "connections:write", token="app", tier=1),
    "apps.uninstall": _method("client_id! client_secret!", tier=1),
    "assistant.threads.setStatus": _method(
        f"{_PANE}! status! loading_messages:json {_LOOKS}", "assistant:write", "chat:write", tier=0
    ),
    "assistant.threads.setSuggestedPrompts": _method(
        f"{_PANE} title prompts!:json", "assistant:write"
    ),
    "assistant.threads.setTitle": _method(f"{_PANE}! title!", "assistant:write"),
    "auth.revoke": _method("test:bool"),
    "auth.test": _method("", tier=0),
    "bots.info": _method("bot team_id", "users:read"),
    "chat.appendStream": _method("channel! ts! markdown_text chunks:json", "chat:write", tier=4),
    "chat.delete": _method("channel! ts! as_user:bool", "chat:write"),
    "chat.getPermalink": _method("channel! message_ts!", tier=0),
    "chat.postEphemeral": _method(f"{_SAYS} user!", "chat:write", tier=4),
    "chat.postMessage": _method(
        f"{_SAYS} reply_broadcast:bool unfurl_links:bool unfurl_media:bool container_id mrkdwn:bool"
        " metadata:json",
        "chat:write",
        tier=0,
    ),
    "chat.startStream": _method(
        "channel! thread_ts! markdown_text recipient_team_id recipient_user_id chunks:json"
        f" task_display_mode {_LOOKS}",
        "chat:write",
        tier=2,
    ),
    "chat.stopStream": _method(
        "channel! ts! markdown_text blocks:json metadata:json chunks:json session_status",
        "chat:write",
        tier=2,
    ),
    "chat.update": _method(
        "channel! ts! text attachments:json blocks:json as_user:bool file_ids:json"
        " link_names:bool parse reply_broadcast:bool metadata:json markdown_text",
        "chat:write",
    ),
    "conversations.history": _method(
        _PAGES, *[f"{one}:history" for one in ("channels", "groups")], "im:history", "mpim:history"
    ),
    "conversations.info": _method("channel! include_locale:bool include_num_members:bool"),
    "conversations.list": _method(f"{_LISTS} exclude_archived:bool team_id types:json", tier=2),
    "conversations.members": _method(f"channel! {_LISTS}", tier=4),
    "conversations.open": _method("channel return_im:bool users:json", "im:write", "mpim:write"),
    "conversations.replies": _method(f"{_PAGES} ts!"),
    "files.completeUploadExternal": _method(
        "files!:json channel_id channels:json initial_comment thread_ts", "files:write", tier=4
    ),
    "files.delete": _method("file!", "files:write"),
    "files.getUploadURLExternal": _method(
        "filename! length!:int alt_txt snippet_type", "files:write", tier=4
    ),
    "files.info": _method("file! count:int cursor limit:int page:int", "files:read", tier=4),
    "oauth.v2.access": _method(
        "client_id client_secret code redirect_uri grant_type refresh_token", token="", tier=4
    ),
    "reactions.add": _method("channel! name! timestamp!", "reactions:write"),
    "reactions.remove": _method(
        "name! file file_comment channel timestamp", "reactions:write", tier=2
    ),
    "team.info": _method("team domain include_slackbot_availability:bool", "team:read"),
    "users.info": _method("user! include_locale:bool", "users:read", tier=4),
    "users.list": _method(f"{_LISTS} include_locale:bool team_id", "users:read", tier=2),
    "users.lookupByEmail": _method("email!", "users:read.email"),
    "views.open": _method("trigger_id interactivity_pointer view!:json", tier=4),
    "views.publish": _method("user_id! view!:json hash", tier=4),
    "views.push": _method("trigger_id interactivity_pointer view!:json", tier=4),
    "views.update": _method("view!:json external_id view_id hash", tier=4),
}
EVERYWHERE = frozenset({"token", "team_id"})
"""What every method takes; slack_bolt adds the team to calls of its own."""
_FORMATS = {"blocks": "invalid_blocks_format", "metadata": "invalid_metadata_format"}


def typed(name: str, given: Json, *, form: bool) -> Json:
    """The arguments in their types. Raises ApiError (a violation) where they do not fit.

    In a form (and in the query) all are strings; null is as good as nothing.
    """
    method = METHODS[name]
    values = {key: value for key, value in given.items() if value is not None}
    unknown = sorted(set(values) - set(method.arguments) - EVERYWHERE)
    if unknown:
        raise violates("invalid_arguments", f"{name} has no argument {', '.join(unknown)}")
    missing = [f"missing required field: {one}" for one in method.required if one not in values]
    if missing:
        raise violates("invalid_arguments", *missing)
    return {
        key: _value(method.arguments[key], key, one, form)
        for key, one in values.items()
        if key in method.arguments
    }


def _value(kind: str, name: str, value: Any, form: bool) -> Any:
    if kind == "json":
        return _decoded(name, value)
    if kind == "bool" and form:
        return _truth(name, value)
    if kind == "int" and form:
        if not str(value).isascii() or not str(value).isdigit():
            raise _wrong(name, "an integer")
        return int(value)
    expected: dict[str, type] = {"str": str, "bool": bool, "int": int}
    if not isinstance(value, expected[kind]):
        raise _wrong(name, {"str": "a string", "bool": "a boolean", "int": "an integer"}[kind])
    return value


def _decoded(name: str, value: Any) -> Any:
    """A list or an object, also one that is written as JSON; identifiers may stand with commas."""
    if not isinstance(value, str):
        return value
    if name in ("users", "channels", "types", "file_ids") and not value.startswith("["):
        return [one.strip() for one in value.split(",") if one.strip()]
    try:
        return json.loads(value)
    except ValueError as error:
        raise violates(_FORMATS.get(name, "invalid_arguments"), f"{name} is no JSON") from error


def _truth(name: str, value: Any) -> bool:
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise _wrong(name, "a boolean")


def _wrong(name: str, kind: str) -> Exception:
    return violates("invalid_arguments", f"must provide {kind} [json-pointer:/{name}]")
