"""How Slack names what was used on a card, and the lanes of this channel.

Every block that can be used has a block_id that names the card, the part of it that the block is,
whose card it is and the thread that it stands in; an action_id is a button's token or a field's
name. Neither holds a value, and nothing in them is believed: a reply counts by who the platform
says made it, in the conversation that the platform says it was made in, on the card that is open
there.
"""

from __future__ import annotations

from dataclasses import dataclass

NAME = "slack"
_MARK = "s1"
_FIELD = "="

OPEN, SET, MORE = "~open", "~set", "~more"
"""Tokens of the channel's own: open the card's modal; send what its pickers hold; a menu of buttons
(an overflow), whose chosen option has the button's token as its value."""

SEND = "send"
"""What the parts of a card begin with whose buttons send it, and what its controls hold with it."""

COMMAND = "/surestep"
"""The slash command, as the app's manifest has it; what is to be done stands behind it."""

SHORTCUT = "surestep_start"
"""The callback_id of the global shortcut, as the app's manifest has it."""

VALUE, DATE, TIME, FILES = "value", "date", "time", "files"
"""Fields: what is chosen, typed or ticked; the two halves of a date and time; a modal's files."""

LIMIT = 255
"""Characters of a block_id and of an action_id (docs.slack.dev/reference/block-kit/blocks)."""

OPTION_VALUE = 150
"""Characters of an option's value."""


@dataclass(frozen=True, slots=True)
class Dest:
    """Where a conversation takes place and whose it is.

    `team` is the workspace, `channel` a direct message or a channel, `thread` the ts of the message
    that its thread hangs on, empty for a conversation that is no thread.
    """

    team: str
    channel: str
    owner: str
    thread: str = ""

    @property
    def direct(self) -> bool:
        """Whether nobody else is there."""
        return self.channel.startswith("D")

    @property
    def lane(self) -> str:
        """The conversation's lane."""
        return f"{NAME}:{self.team}:{self.channel}:{self.thread or 0}:{self.owner}"


def dest_of(lane: str) -> Dest:
    """Where a lane takes place. Raises ValueError when it is none of this channel's."""
    name, team, channel, thread, owner = lane.split(":")
    if name != NAME:
        raise ValueError(f"{lane} is no lane of {NAME}")
    return Dest(team=team, channel=channel, owner=owner, thread="" if thread == "0" else thread)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a card as a block_id names it."""

    card: str
    part: str
    owner: str
    thread: str


def block_id(card: str, part: str, dest: Dest) -> str:
    """The block_id of a part of a card: `part` is unique on it, and another one when what the
    block holds is to be taken anew (a client keeps what was typed under a known id).

    Raises ValueError where it would be longer than Slack takes.
    """
    parts = (_MARK, card, part, dest.owner, dest.thread)
    name = "|".join(parts)
    if len(name) > LIMIT or any("|" in one for one in parts):
        raise ValueError(f"the part {part!r} of {card!r} does not fit into a block_id")
    return name


def part_of(name: str) -> Part | None:
    """What a block_id names; None where it is none of this channel's making."""
    parts = name.split("|")
    if len(parts) != 5 or parts[0] != _MARK or not all(parts[1:4]):
        return None
    return Part(card=parts[1], part=parts[2], owner=parts[3], thread=parts[4])


def button_id(token: str) -> str:
    """The action_id of a button."""
    return f"{_MARK}:{token}"


def field_id(name: str) -> str:
    """The action_id of what is filled in or chosen: the name of the field that is submitted."""
    return f"{_MARK}:{_FIELD}{name}"


def token_of(action: str) -> str:
    """The token of a button's action_id; empty where it is none."""
    mark, _, token = action.partition(":")
    return token if mark == _MARK and not token.startswith(_FIELD) else ""


def field_of(action: str) -> str:
    """The field's name of an action_id; empty where it is none."""
    mark, _, name = action.partition(":")
    return name[1:] if mark == _MARK and name.startswith(_FIELD) else ""


def found_id(token: str, query: str) -> str:
    """The value of what a search found: the token, and what was searched for, so that the same can
    be found again. Without the search where it is longer than Slack takes."""
    value = f"{token} {query}"
    return value if query and len(value) <= OPTION_VALUE else token


def found_of(value: str) -> tuple[str, str]:
    """The token of what a search found, and what was searched for, empty where that is unknown."""
    token, _, query = value.partition(" ")
    return token, query
