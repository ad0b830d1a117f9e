"""What can come in from Telegram, read: a closed set of plain data (see `read.received`)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec

from channels.telegram.menu import ADMIN
from channels.telegram.payload import Dest
from core.replies import Reply, Somebody


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """The bot itself; `username` without the @. `admin` is the command of those who run it, empty
    where they have none."""

    id: int
    username: str
    admin: str = ADMIN


class Address(StrEnum):
    """Whether a message is meant for the bot: it is, or it is while its sender has an open ask, or
    if another file of its album is."""

    YES = "yes"
    IF_OPEN = "if_open"
    IF_ALBUM = "if_album"


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """A reply for the lane of `dest`.

    `name` is what its sender is called, `handle` what they go by (without its "@"; None where that
    is not told). They are not the lane's owner where somebody taps another person's card
    (`reply.by` tells). `held` says that it waits a little for more of its kind.
    `message` is the number of the message, for a tap that of the message with the button, which is
    0 where it has none; `shows` is whether the button is there, as far as the platform vouches for
    it, and not only in what somebody's client sent. `request` is the number of the button that
    people were picked with, which tells of which card (`payload.request_of`).
    """

    dest: Dest
    dedupe: str
    reply: Reply
    name: str
    held: bool
    address: Address
    message: int
    handle: str | None = None
    shows: bool = False
    request: int | None = None


class Amended(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a message, or those under a file, are others now, and call these `people`.

    `dedupe` is that of the message when it was sent.
    """

    dest: Dest
    dedupe: str
    text: str
    at: datetime
    people: tuple[Somebody, ...] = ()


class Turned(msgspec.Struct, frozen=True, kw_only=True):
    """One of the channel's own buttons was tapped: show another page of the card's keyboard.

    `by` is who tapped, whoever the card belongs to.
    """

    dest: Dest
    card: str
    page: int
    handle: str
    message: int
    by: str


class Unread(msgspec.Struct, frozen=True, kw_only=True):
    """A tap on a button that is none of this channel's: only its spinner is to be stopped."""

    handle: str


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """A group has become a supergroup, which has another number. It is told twice, in both."""

    old: int
    new: int


class Gone(msgspec.Struct, frozen=True, kw_only=True):
    """The bot was blocked by a person, or is in a group no longer."""

    chat: int


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody used an action that wants words with it: they are to be asked for those.

    `dest` is where they are to be asked, `chat` and `message` where the post stands, `label` what
    stands on the action's button, `name` what the person is called.
    """

    dest: Dest
    command: str
    post: str
    handle: str
    chat: int
    message: int
    label: str
    name: str
    locale: str


Received = Heard | Asked | Amended | Turned | Unread | Moved | Gone
