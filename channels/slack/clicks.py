"""What was used on a card, in its modal or in the App Home, and what that tells."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from channels.slack import views
from channels.slack.files import file_told
from channels.slack.incoming import Elsewhere, Entered, Heard, Left, Opens, Received, Seeks
from channels.slack.native import Json
from channels.slack.payload import (
    DATE,
    MORE,
    NAME,
    OPEN,
    SEND,
    SET,
    TIME,
    VALUE,
    Dest,
    Part,
    dest_of,
    field_of,
    found_of,
    part_of,
    token_of,
)
from channels.slack.typed import Called
from channels.slack.updates import Action, Container, Id, Interaction, Option, SlackFile, Ts, View
from core.replies import Command, Submit, Tap

_QUERY = "query"
"""The field of a picker's search."""

_AT_ONCE = (
    "static_select",
    "external_select",
    "radio_buttons",
    "datepicker",
    "timepicker",
    "users_select",
    "plain_text_input",
)
"""Controls that answer as soon as something is chosen; what others hold is sent by a button."""


def clicked(used: Interaction) -> Received | None:
    """A control of a card or of the App Home was used. None where nothing comes of it by itself: a
    box was ticked."""
    team, action = team_of(used), next(iter(used.actions), None)
    part = part_of(action.block_id) if action is not None else None
    if team is None or action is None or part is None:
        return Elsewhere(by=used.user.id)
    if used.view is not None and used.view.type == "home":
        return _at_home(used, action, team)
    dest = _dest(used, part, team)
    if dest is None:
        return Elsewhere(by=used.user.id)
    if action.type in ("button", "overflow"):
        return _pressed(used, action, part, dest)
    return _chosen(used, action, part, dest)


# Buttons


def _pressed(used: Interaction, action: Action, part: Part, dest: Dest) -> Received:
    token = _token(action)
    if not token:
        return Elsewhere(by=used.user.id)
    if token == OPEN:
        return Opens(
            dest=dest,
            card=part.card,
            trigger=used.trigger_id,
            by=used.user.id,
            message=used.container.message_ts or "",
            shows=_shows(used, action),
        )
    who = _who(used, action)
    values = _held(used, part.card) if part.part.startswith(SEND) else {}
    if values or token == SET:
        return _heard(used, action, dest, Submit(card=part.card, values=values, **who))
    return _heard(used, action, dest, Tap(card=part.card, token=token, **who))


def _token(action: Action) -> str:
    """The token of a button, or of one in a menu of buttons."""
    token = token_of(action.action_id)
    if not token.startswith(MORE):
        return token
    return action.selected_option.value if action.selected_option is not None else ""


def _at_home(used: Interaction, action: Action, team: str) -> Received:
    names = {views.GO_ON: "resume", views.START: "new"}
    name = names.get(token_of(action.action_id))
    if name is None:
        return Elsewhere(by=used.user.id)
    argument = action.value if name == "new" else ""
    reply = Command(name=name, argument=argument, by=used.user.id, at=moment_of(action.action_ts))
    return _heard(used, action, Dest(team, "", used.user.id), reply)


# Controls that hold something


def _chosen(used: Interaction, action: Action, part: Part, dest: Dest) -> Received | None:
    field = field_of(action.action_id)
    if not field:
        return Elsewhere(by=used.user.id)
    if action.type not in _AT_ONCE or field in (DATE, TIME):
        return None
    value = _value_of(action)
    if not value:
        return None
    values: dict[str, str | list[str]] = {field: value}
    if action.type == "external_select" and action.selected_option is not None:
        values = _found(field, action.selected_option)
    submit = Submit(card=part.card, values=values, **_who(used, action))
    heard = _heard(used, action, dest, submit)
    # Of who is picked, only the id is told.
    picked = (Called(value),) if action.type == "users_select" else ()
    return msgspec.structs.replace(heard, people=picked)


def _value_of(action: Action) -> str:
    if action.selected_option is not None:
        return action.selected_option.value
    return action.selected_date or action.selected_time or action.selected_user or action.value


def _found(field: str, option: Option) -> dict[str, str | list[str]]:
    """What was taken out of a search, and what finds it again: the card need not show it."""
    text, (token, query) = option.text, found_of(option.value)
    label = text.get("text", "") if isinstance(text, dict) else ""
    return {field: token, _QUERY: query or str(label)}


def _held(used: Interaction, card: str) -> dict[str, str | list[str]]:
    """What the controls of a card hold, by their fields: several are lists of what was chosen, a
    date and a time together are one moment."""
    values: dict[str, str | list[str]] = {}
    for field, control in _controls(used, card):
        held, before = _what_is_held(control), values.get(field)
        if isinstance(held, list) and isinstance(before, list):
            held = [*before, *held]  # what is too much for one select stands in several
        values[field] = held
    date, time = values.pop(DATE, None), values.pop(TIME, None)
    if date is not None or time is not None:
        # Half of a moment is none: without its "T", a day would be read as its midnight.
        values[VALUE] = f"{date or ''}T{time or ''}"
    return values


def _controls(used: Interaction, card: str) -> Iterator[tuple[str, Json]]:
    for block, controls in used.state.values.items():
        part = part_of(block)
        for action, control in controls.items() if part is not None else ():
            field = field_of(action)
            if part is not None and part.card == card and field:
                yield field, control


def _what_is_held(control: Json) -> str | list[str]:
    several = control.get("selected_options")
    if isinstance(several, list) or control.get("type") in _SEVERAL:
        return [_option(one) for one in several or () if _option(one)]
    names = ("selected_date", "selected_time", "value")
    found = [_option(control.get("selected_option")), *(control.get(name) for name in names)]
    return next((one for one in found if isinstance(one, str) and one), "")


_SEVERAL = ("checkboxes", "multi_static_select", "multi_external_select")


def _option(one: Any) -> str:
    value = one.get("value") if isinstance(one, dict) else None
    return value if isinstance(value, str) else ""


# Searches


def seeks(used: Interaction) -> Seeks | Elsewhere:
    """Somebody types into a search."""
    team, part = team_of(used), part_of(used.block_id)
    dest = _dest(used, part, team) if part is not None and team is not None else None
    if part is None or dest is None or not field_of(used.action_id):
        return Elsewhere(by=used.user.id)
    who: dict[str, Any] = {"by": used.user.id, "at": moment_of(None), "handle": used.user.id}
    return Seeks(dest=dest, reply=Submit(card=part.card, values={_QUERY: used.value}, **who))


# Modals


def submitted(used: Interaction, view: Json) -> Entered | Elsewhere:
    """A modal was sent."""
    found = _origin(used, view)
    if found is None or used.view is None:
        return Elsewhere(by=used.user.id)
    dest, card = found
    reply = Submit(
        card=card,
        values={**views.typed(view)},
        files=tuple(file_told(one, dest.team) for one in _files(used.view)),
        handle=used.user.id,
        by=used.user.id,
        at=moment_of(None),
    )
    return Entered(
        dest=dest,
        dedupe=f"{NAME}:{dest.team}:v:{used.view.id}:{used.view.hash}",
        card=card,
        reply=reply,
        view=view,
        name=used.user.username or used.user.name,
    )


def closed(used: Interaction, view: Json) -> Left | Elsewhere:
    """A modal was closed without being sent."""
    found = _origin(used, view)
    if found is None:
        return Elsewhere(by=used.user.id)
    dest, card = found
    return Left(dest=dest, card=card, values=views.typed(view), by=used.user.id)


def _origin(used: Interaction, view: Json) -> tuple[Dest, str] | None:
    origin = views.origin_of(view)
    try:
        dest = dest_of(origin.lane) if origin is not None else None
    except ValueError:
        return None
    if dest is None or origin is None or dest.team != team_of(used) or not is_sound(dest):
        return None
    return dest, origin.card


def _files(used: View | None) -> list[SlackFile]:
    found = []
    values = used.state.values if used is not None else {}
    for control in (control for block in values.values() for control in block.values()):
        told = control.get("files")
        for one in told if isinstance(told, list) else ():
            with contextlib.suppress(msgspec.ValidationError):
                found.append(msgspec.convert(one, SlackFile))
    return found


# Who, where and when


def team_of(used: Interaction) -> str | None:
    """The workspace that the app is installed in, as slack_bolt's `extract_team_id` finds it."""
    if used.view is not None and used.view.app_installed_team_id is not None:
        return used.view.app_installed_team_id
    return used.team.id if used.team is not None else used.user.team_id


def _dest(used: Interaction, part: Part, team: str) -> Dest | None:
    """Where a card stands; None where it cannot stand as it says it does.

    A message that others answered in a thread is told with that thread, which it began.
    """
    container = used.container
    channel = used.channel.id if used.channel is not None else container.channel_id
    dest = Dest(team, channel or "", part.owner, part.thread)
    if not channel or not is_sound(dest):
        return None
    thread = thread_of(container)
    if thread and thread != part.thread:
        return None
    if dest.direct and part.owner != used.user.id:
        return None  # nobody else's card was ever drawn there
    return dest


def thread_of(container: Container) -> str:
    thread = container.thread_ts or ""
    return "" if thread == container.message_ts else thread


def is_sound(dest: Dest) -> bool:
    """Whether it can be a lane's."""
    try:
        msgspec.convert([dest.team, dest.channel, dest.owner], list[Id])
        msgspec.convert(dest.thread or "0.0", Ts)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return False
    return True


def _who(used: Interaction, action: Action) -> dict[str, Any]:
    return {"by": used.user.id, "at": moment_of(action.action_ts), "handle": used.user.id}


def _heard(used: Interaction, action: Action, dest: Dest, reply: Tap | Submit | Command) -> Heard:
    return Heard(
        dest=dest,
        dedupe=dedupe_of(used, action, dest),
        reply=reply,
        name=used.user.username or used.user.name,
        message=used.container.message_ts or "",
        shows=_shows(used, action),
    )


def dedupe_of(used: Interaction, action: Action, dest: Dest) -> str:
    """Of a click: who made it, on what, when."""
    where = used.container.message_ts or (used.view.id if used.view is not None else "")
    what = f"{where}:{action.action_id}:{action.action_ts or used.trigger_id}"
    return f"{NAME}:{dest.team}:a:{dest.channel}:{used.user.id}:{what}"


def _shows(used: Interaction, action: Action) -> bool:
    """Whether the message has the control that was used, as the platform tells the message."""
    blocks = used.message.blocks if used.message is not None else []
    return any(isinstance(one, dict) and one.get("block_id") == action.block_id for one in blocks)


def moment_of(ts: str | None) -> datetime:
    """The moment of a timestamp; long ago where the platform does not say."""
    return datetime.fromtimestamp(float(ts or 0), UTC)
