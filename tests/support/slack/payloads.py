"""What the bot is sent: events, interactions and commands, in the form of Slack's own payloads.

https://docs.slack.dev/apis/events-api, https://docs.slack.dev/reference/interaction-payloads
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.slack.controls import HELD_AS, Control, state_of
from tests.support.slack.errors import Json
from tests.support.slack.text import escaped
from tests.support.slack.typed import escaped_command
from tests.support.slack.views import View

if TYPE_CHECKING:
    from tests.support.slack.channels import Channel
    from tests.support.slack.messages import Message
    from tests.support.slack.people import Person

    # views are built on what payloads tell of them
    from tests.support.slack.workspace import Workspace

VERIFICATION_TOKEN = "a-verification-token"


# Events


def event_callback(workspace: Workspace, event: Json) -> Json:
    """The envelope of every event."""
    world = workspace.world
    return {
        "token": VERIFICATION_TOKEN,
        "team_id": workspace.id,
        "context_team_id": workspace.id,
        "context_enterprise_id": None,
        "api_app_id": world.app_id,
        "event": event,
        "type": "event_callback",
        "event_id": world.next_id("Ev"),
        "event_time": int(world.now),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": workspace.id,
                "user_id": workspace.bot_user_id,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
        "event_context": f"4-{world.next_id('Ec')}",
    }


def message_event(message: Message) -> Json:
    """A message, as its event has it."""
    kinds = {"channel": "channel", "group": "group", "im": "im", "mpim": "mpim"}
    told = message.json() | {
        "channel": message.channel.id,
        "channel_type": kinds[message.channel.kind],
        "event_ts": message.ts,
    }
    if message.sender is not None:
        if message.sender.is_stranger:
            told |= {"user_team": message.sender.team, "source_team": message.sender.team}
        told["client_msg_id"] = f"00000000-0000-4000-8000-{message.ts.replace('.', '')[-12:]:>012}"
    if message.subtype == "thread_broadcast" and message.thread_ts is not None:
        root = message.channel.get(message.thread_ts)
        told["root"] = root.json() if root else {"ts": message.thread_ts}
    return told


def mention_event(message: Message) -> Json:
    """A message that mentions the bot, as the app_mention event has it."""
    told = {name: value for name, value in message_event(message).items() if name != "channel_type"}
    return told | {"type": "app_mention"}


def changed_event(message: Message, before: Json) -> Json:
    """A message was edited, or got the preview of a link."""
    return _hidden(message, "message_changed") | {
        "message": message.json(),
        "previous_message": before,
    }


def deleted_event(message: Message) -> Json:
    """A message was deleted."""
    return _hidden(message, "message_deleted") | {
        "deleted_ts": message.ts,
        "previous_message": message.json(),
    }


def _hidden(message: Message, subtype: str) -> Json:
    ts = message.channel.workspace.world.next_ts()
    return {
        "type": "message",
        "subtype": subtype,
        "hidden": True,
        "channel": message.channel.id,
        "channel_type": message.channel.kind,
        "ts": ts,
        "event_ts": ts,
    }


def revoked_event(workspace: Workspace) -> Json:
    """The bot's token is gone."""
    tokens = {"oauth": [], "bot": [workspace.bot_user_id]}
    return {"type": "tokens_revoked", "tokens": tokens}


# Interactions


def _common(person: Person, kind: str) -> Json:
    workspace = person.workspace
    return {
        "type": kind,
        "token": VERIFICATION_TOKEN,
        "api_app_id": workspace.world.app_id,
        "team": {"id": workspace.id, "domain": workspace.domain},
        "user": {
            "id": person.id,
            "username": person.username,
            "name": person.username,
            "team_id": person.team,
        },
        "enterprise": None,
        "is_enterprise_install": False,
    }


def _place(channel: Channel) -> Json:
    names = {"im": "directmessage", "group": "privategroup"}
    return {"id": channel.id, "name": names.get(channel.kind, channel.name)}


def _container(message: Message) -> Json:
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": message.channel.id,
        "is_ephemeral": message.only_for is not None,
    }
    return container | ({"thread_ts": message.thread_ts} if message.thread_ts else {})


def action_of(control: Control, held: Json, action_ts: str) -> Json:
    """What was done with a control: `held` is what it holds now, or the button that was pressed."""
    action: Json = {
        "type": control.kind,
        "action_id": control.element["action_id"],
        "block_id": control.block["block_id"],
        "action_ts": action_ts,
    }
    if control.kind in HELD_AS:
        return action | held | _initial(control)
    if control.kind == "button":
        kept = ("text", "value", "url", "style", "confirm")
        return action | {name: control.element[name] for name in kept if name in control.element}
    return action | held


def _initial(control: Control) -> Json:
    return {
        name: value
        for name, value in control.element.items()
        if name.startswith("initial_") or name == "placeholder"
    }


def message_actions(person: Person, message: Message, action: Json) -> Json:
    """block_actions in a message; an ephemeral one is not told along."""
    told = _common(person, "block_actions") | {
        "container": _container(message),
        "channel": _place(message.channel),
        "state": state_of(message.controls, message.held_by(person)),
        "actions": [action],
        "response_url": person.workspace.world.opens_hook(person, message.channel, message),
        "trigger_id": person.workspace.world.opens_trigger(person),
    }
    return told if message.only_for is not None else told | {"message": message.json()}


def view_actions(person: Person, view: View, action: Json) -> Json:
    """block_actions in a modal or an App Home."""
    return _of_view(person, "block_actions") | {
        "container": {"type": "view", "view_id": view.id},
        "view": view.json(),
        "actions": [action],
        "trigger_id": person.workspace.world.opens_trigger(person, view),
    }


def _of_view(person: Person, kind: str) -> Json:
    """As `_common`; with a view, a stranger's own workspace is told (slack_bolt's
    `extract_team_id` says so)."""
    return _common(person, kind) | {"team": {"id": person.team, "domain": "theirs"}}


def view_submission(person: Person, view: View) -> Json:
    """A modal was submitted."""
    return _of_view(person, "view_submission") | {
        "view": view.json(),
        "response_urls": [],
        "trigger_id": person.workspace.world.opens_trigger(person, view),
    }


def view_closed(person: Person, view: View, *, is_cleared: bool) -> Json:
    """A modal was closed, alone or (`is_cleared`) with all of its stack."""
    return _of_view(person, "view_closed") | {"view": view.json(), "is_cleared": is_cleared}


def suggestion(person: Person, control: Control, value: str, place: Message | View) -> Json:
    """Somebody searches in an external select."""
    told = _common(person, "block_suggestion") | {
        "action_id": control.element["action_id"],
        "block_id": control.block["block_id"],
        "value": value,
    }
    if isinstance(place, View):
        return told | {"container": {"type": "view", "view_id": place.id}, "view": place.json()}
    return told | {
        "container": _container(place),
        "channel": _place(place.channel),
        "message": place.json(),
    }


def shortcut(person: Person, callback_id: str) -> Json:
    """A global shortcut."""
    return _common(person, "shortcut") | {
        "callback_id": callback_id,
        "action_ts": person.workspace.world.next_ts(),
        "trigger_id": person.workspace.world.opens_trigger(person),
    }


def message_shortcut(person: Person, callback_id: str, message: Message) -> Json:
    """A shortcut on a message."""
    world = person.workspace.world
    return _common(person, "message_action") | {
        "callback_id": callback_id,
        "action_ts": world.next_ts(),
        "trigger_id": world.opens_trigger(person),
        "response_url": world.opens_hook(person, message.channel, None),
        "message_ts": message.ts,
        "channel": _place(message.channel),
        "message": message.json(),
    }


def command(person: Person, name: str, text: str, channel: Channel) -> Json:
    """A slash command; all of its values are strings, as in a form, and its text is escaped."""
    workspace = person.workspace
    escapes = workspace.app.escapes
    place = _place(channel)
    return {
        "token": VERIFICATION_TOKEN,
        "team_id": workspace.id,
        "team_domain": workspace.domain,
        "channel_id": place["id"],
        "channel_name": place["name"],
        "user_id": person.id,
        "user_name": person.username,
        "command": name,
        "text": escaped_command(text, workspace.id_of) if escapes else escaped(text),
        "api_app_id": workspace.world.app_id,
        "is_enterprise_install": "false",
        "response_url": workspace.world.opens_hook(person, channel, None),
        "trigger_id": workspace.world.opens_trigger(person),
    }
