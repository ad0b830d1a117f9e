"""What can come in from Slack, read: a closed set of plain data (see `read.received`)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec

from channels.slack.native import Json
from channels.slack.payload import Dest
from channels.slack.typed import Called
from core.replies import Reply, Submit


class Address(StrEnum):
    """Whether a message is meant for the bot, and in which conversation.

    `PANE` is what was written in a thread of a direct message. It is meant for the bot; it belongs
    to the conversation of that thread where there is one (the assistant pane has such threads),
    and else, as an answer in a thread of its own, to that of the direct message itself.
    """

    YES = "yes"
    IF_OPEN = "if_open"
    PANE = "pane"


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """A reply for the lane of `dest`.

    An empty `dest.channel` stands for the owner's direct message with the bot, which a command, a
    shortcut and the App Home do not tell; `written` is the channel that a command was typed in.
    `reply.by` tells who it was, who is not the lane's owner where somebody uses another person's
    card; `name` is what Slack says along of their name, often nothing. `held` says that it waits a
    little for more of its kind. `people` are those who are named in the words, or picked.
    `message` is the ts of the message, for a click that of the
    message with the control; `shows` is whether the control is there.
    """

    dest: Dest
    dedupe: str
    reply: Reply
    name: str = ""
    held: bool = False
    address: Address = Address.YES
    written: str = ""
    people: tuple[Called, ...] = ()
    message: str = ""
    shows: bool = False


class Opens(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody (`by`) wants the modal of a card; `trigger` is good for three seconds, and once."""

    dest: Dest
    card: str
    trigger: str
    by: str
    message: str = ""
    shows: bool = False


class Asks(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody used an action of a post that wants words with it: they are to be asked for those,
    in a modal. `dest` is that person's own, `needs` asks, `label` stands on the action's button."""

    dest: Dest
    command: str
    post: str
    needs: str
    label: str
    trigger: str


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    """A modal was sent, with what was typed and the files that were chosen.

    `view` is Slack's own JSON of it, for the block_ids of its fields.
    """

    dest: Dest
    dedupe: str
    card: str
    reply: Submit
    view: Json
    name: str = ""


class Left(msgspec.Struct, frozen=True, kw_only=True):
    """A modal was closed by `by` without being sent; `values` is what was typed into it."""

    dest: Dest
    card: str
    values: dict[str, str]
    by: str


class Seeks(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody types into a card's search: what `reply` would find is to be answered at once."""

    dest: Dest
    reply: Submit


class Home(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody opened the app: its Home, or (`messages`) their direct message with it."""

    dest: Dest
    messages: bool


class Pane(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody opened the assistant pane, which began a thread, or (not `started`) looks at
    something else beside it."""

    dest: Dest
    started: bool


class Amended(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a message are others now. `dedupe` is that of the message when it was sent;
    `address` and `people` are as in Heard."""

    dest: Dest
    dedupe: str
    text: str
    at: datetime
    address: Address
    people: tuple[Called, ...] = ()


class Gone(msgspec.Struct, frozen=True, kw_only=True):
    """A workspace removed the app, or its bot's token."""

    team: str


class Elsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """Something was used that is none of this channel's; it only has to be acknowledged."""

    by: str


Received = Heard | Opens | Asks | Entered | Left | Seeks | Home | Pane | Amended | Gone | Elsewhere
