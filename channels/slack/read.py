"""What Slack delivers becomes a reply in somebody's lane, or one of a few other things; or nothing.

Who, where and when is what the platform vouches for. Nothing here decides what a reply means.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from channels.slack import acts
from channels.slack.clicks import clicked, closed, seeks, submitted
from channels.slack.emoji import signs_in
from channels.slack.files import file_told
from channels.slack.incoming import (
    Address,
    Amended,
    Elsewhere,
    Entered,
    Gone,
    Heard,
    Home,
    Left,
    Opens,
    Pane,
    Received,
    Seeks,
)
from channels.slack.payload import NAME, SHORTCUT, Dest
from channels.slack.typed import plain_signs, typed
from channels.slack.updates import (
    Attachment,
    Envelope,
    Event,
    Interaction,
    Kind,
    Message,
    SlackFile,
    SlashCommand,
    kind_of,
    raw_view,
    without_nulls,
)
from core.replies import Command, File, Reply, Shared, Upload, Words

__all__ = [
    "COMMANDS",
    "Address",
    "Amended",
    "Elsewhere",
    "Entered",
    "Gone",
    "Heard",
    "Home",
    "Kind",
    "Left",
    "Opens",
    "Pane",
    "Received",
    "Seeks",
    "kind_of",
    "received",
]

COMMANDS = (
    "start",
    "new",
    "resume",
    "review",
    "mine",
    "back",
    "cancel",
    "restart",
    "language",
    "timezone",
    "privacy",
    "help",
)
"""What can be typed behind the slash command; anything else gets the help."""

ADMIN = "admin"
"""For those who run the bot. No help shows it."""

_TYPED = ("", "file_share", "me_message")
"""The subtypes of what people write. All others tell what happened, or repeat what was written: a
`thread_broadcast` shows a reply of a thread in its channel as well."""

_SLACKBOT = "USLACKBOT"
_UNREACHABLE = ("tombstone", "hidden_by_limit")
"""Files that are there no more."""


def received(kind: str, body: Any) -> Received | None:
    """What one of Slack's payloads tells, as bolt has it (its JSON; a command as its form).

    An event tells along who the bot is in that workspace: nothing has to be asked before the
    acknowledgement. None for what concerns nobody's conversation, and for what cannot be read.
    Never raises.
    """
    try:
        return _read(kind, without_nulls(body))
    # Half a surrogate pair cannot be written as UTF-8; a list in a list in a list has an end.
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError):
        return None


def _read(kind: str, body: Any) -> Received | None:
    if kind == Kind.EVENT:
        return _event(msgspec.convert(body, Envelope))
    if kind == Kind.COMMAND:
        return _command(msgspec.convert(body, SlashCommand))
    if kind not in list(Kind):
        return None
    used = msgspec.convert(body, Interaction)
    match kind:
        case Kind.ACTIONS:
            return acts.clicked(used) or clicked(used)
        case Kind.SUBMISSION:
            return acts.submitted(used, raw_view(body)) or submitted(used, raw_view(body))
        case Kind.CLOSED:
            return closed(used, raw_view(body))
        case Kind.SEARCH:
            return seeks(used)
    return _shortcut(used)


# Events


def _event(envelope: Envelope) -> Received | None:
    team = envelope.context_team_id or envelope.team_id
    if team is None:
        return None
    event = envelope.event
    if event.type in ("app_uninstalled", "team_access_revoked"):
        return Gone(team=team)
    if event.type == "tokens_revoked":
        return Gone(team=team) if event.tokens.get("bot") else None
    if event.type == "app_home_opened":
        return _home(event, team)
    if event.type.startswith("assistant_thread_"):
        return _pane(event, team)
    if event.type not in ("message", "app_mention"):
        return None
    me = _me_of(envelope)
    if event.subtype == "message_changed":
        return _edited(event, envelope, team, me)
    return _message(event, envelope, team, me)


def _me_of(envelope: Envelope) -> str:
    """The bot's own id as a member of the workspace."""
    return next((one.user_id for one in envelope.authorizations if one.is_bot), "")


def _home(event: Event, team: str) -> Home | None:
    if event.user is None:
        return None
    dest = Dest(team=team, channel=event.channel or "", owner=event.user)
    return Home(dest=dest, messages=event.tab == "messages")


def _pane(event: Event, team: str) -> Pane | None:
    thread = event.assistant_thread
    if thread is None or not (thread.user_id and thread.channel_id and thread.thread_ts):
        return None
    dest = Dest(team, thread.channel_id, thread.user_id, thread.thread_ts)
    return Pane(dest=dest, started=event.type == "assistant_thread_started")


# Messages


def _message(event: Event, envelope: Envelope, team: str, me: str) -> Heard | None:
    if event.hidden or event.subtype not in _TYPED:
        return None
    if event.user is None or event.ts is None or event.channel is None:
        return None
    if _is_bots(event, event.user, envelope, me):
        return None
    said = typed(event.text, me, signs_in(event.blocks))
    mentions = said.mentions or event.type == "app_mention"
    address = _address(event, mentions)
    reply = _reply(event, team, event.user, said.text, mentions, _moment(event.ts))
    if address is None or reply is None:
        return None
    return Heard(
        dest=_dest(team, event.channel, event.user, event.ts, event.thread_ts),
        dedupe=_dedupe(team, event.channel, event.ts),
        reply=reply,
        held=isinstance(reply, Words),
        address=address,
        people=said.people,
        message=event.ts,
    )


def _is_bots(sent: Event | Message, user: str, envelope: Envelope, me: str) -> bool:
    """Whether it was a bot that said it, the bot itself above all: bolt's own filter was seen to
    miss some of what it says (github.com/slackapi/bolt-python/issues/683)."""
    is_own = user == me or (bool(sent.app_id) and sent.app_id == envelope.api_app_id)
    return is_own or bool(sent.bot_id) or user == _SLACKBOT


def _dest(team: str, channel: str, user: str, ts: str, thread: str | None) -> Dest:
    """In a direct message all is one conversation; elsewhere it is the thread, which a message
    begins that is in none."""
    if channel.startswith("D"):
        return Dest(team, channel, user, "" if thread in (None, ts) else str(thread))
    return Dest(team, channel, user, thread or ts)


def _dedupe(team: str, channel: str, ts: str) -> str:
    # A message that names the bot in a channel comes twice, as two events with ids of their own.
    return f"{NAME}:{team}:m:{channel}:{ts}"


def _address(event: Event, mentions: bool) -> Address | None:
    in_thread = event.thread_ts not in (None, event.ts)
    if (event.channel or "").startswith("D"):
        # The pane's own messages tell that they are.
        known = not in_thread or event.assistant_thread is not None
        return Address.YES if known else Address.PANE
    if mentions:
        return Address.YES
    return Address.IF_OPEN if in_thread else None


def _reply(
    event: Event, team: str, user: str, text: str, mentions: bool, at: datetime
) -> Reply | None:
    files = tuple(_files(event, team))
    if files:
        return Upload(files=files, caption=text, by=user, at=at)
    passed_on = [one for one in map(_attachment, event.attachments) if one and one.is_share]
    if passed_on and not text.strip():
        told = "\n".join(one.text or one.fallback for one in passed_on)
        return Shared(kind="forwarded", detail=typed(told).text, by=user, at=at)
    if text.strip():
        return Words(text=text, by=user, at=at)
    # Who writes the bot's name and nothing else calls it.
    return Command(name="start", by=user, at=at) if mentions else None


def _files(event: Event, team: str) -> Iterator[File]:
    for one in event.files:
        with contextlib.suppress(msgspec.ValidationError):
            file = msgspec.convert(one, SlackFile)
            if file.mode not in _UNREACHABLE:
                yield file_told(file, team)


def _attachment(one: Any) -> Attachment | None:
    try:
        return msgspec.convert(one, Attachment)
    except msgspec.ValidationError:
        return None


def _edited(event: Event, envelope: Envelope, team: str, me: str) -> Amended | None:
    """A message says something else now. The preview of a link, which Slack adds by itself, comes
    as a change, too, but changes no word."""
    now, before = event.message, event.previous_message
    if now is None or now.ts is None or now.user is None or event.channel is None:
        return None
    if now.subtype not in _TYPED or _is_bots(now, now.user, envelope, me):
        return None
    if before is not None and before.text == now.text:
        return None
    said = typed(now.text, me, signs_in(now.blocks))
    in_thread = now.thread_ts not in (None, now.ts)
    direct = event.channel.startswith("D")
    return Amended(
        dest=_dest(team, event.channel, now.user, now.ts, now.thread_ts),
        dedupe=_dedupe(team, event.channel, now.ts),
        text=said.text,
        at=_moment(event.ts or now.ts),
        address=Address.PANE if direct and in_thread else Address.YES,
        people=said.people,
    )


# Commands


def _command(command: SlashCommand) -> Heard:
    """The slash command. It tells the channel that it was typed in, which may be a direct message
    with somebody else; its conversation is the one that the person has with the bot."""
    said = typed(command.text)
    name, _, argument = plain_signs(said.text).strip().partition(" ")
    name = name.casefold() or "start"
    who: dict[str, Any] = {"by": command.user_id, "at": _moment("0")}
    known = name in (*COMMANDS, ADMIN)
    return Heard(
        dest=Dest(command.team_id, "", command.user_id),
        dedupe=f"{NAME}:{command.team_id}:c:{command.trigger_id}",
        reply=Command(
            name=name if known else "help", argument=argument.strip() if known else "", **who
        ),
        name=command.user_name,
        written=command.channel_id,
        people=said.people if name == ADMIN else (),
    )


def _shortcut(used: Interaction) -> Heard | Elsewhere:
    team = used.team.id if used.team is not None else used.user.team_id
    if used.callback_id != SHORTCUT or team is None:
        return Elsewhere(by=used.user.id)
    return Heard(
        dest=Dest(team, "", used.user.id),
        dedupe=f"{NAME}:{team}:c:{used.trigger_id}",
        reply=Command(name="start", by=used.user.id, at=_moment(used.action_ts or "0")),
        name=used.user.username,
    )


def _moment(ts: str) -> datetime:
    return datetime.fromtimestamp(float(ts), UTC)
