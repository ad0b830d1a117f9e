"""What a button sends back, and the lanes of this channel.

Callback data names the card, the button's token, whose card it is and the topic that it stands in.
It holds no value, and nothing in it is believed: the tap counts by who the platform says made it,
in the chat that the platform says it was made in, and only on the card that is open there. So
whoever forges it can at most tap their own open card.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from channels.telegram.limits import CALLBACK_DATA

NAME = "telegram"
_MARK = "s1"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

NO_CARD = "~"
"""Stands for a card that is not open, or that is none of this channel's."""

PAGE = "~page"
"""A token of the channel's own: turn a page of a keyboard that holds less than the card's
buttons. The page's number follows it."""


@dataclass(frozen=True, slots=True)
class Dest:
    """Where a conversation takes place and whose it is. `thread` is 0 outside of topics."""

    chat: int
    owner: int
    thread: int = 0

    @property
    def private(self) -> bool:
        """Whether nobody else is there: a private chat has the person's own number."""
        return self.chat == self.owner

    @property
    def lane(self) -> str:
        """The conversation's lane."""
        return f"{NAME}:{self.chat}:{self.thread}:{self.owner}"


def dest_of(lane: str) -> Dest:
    """Where a lane takes place. Raises ValueError when it is none of this channel's."""
    name, chat, thread, owner = lane.split(":")
    if name != NAME:
        raise ValueError(f"{lane} is no lane of {NAME}")
    return Dest(chat=int(chat), owner=int(owner), thread=int(thread))


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button as its callback data names it."""

    card: str
    token: str
    owner: int
    thread: int


def data_for(card: str, token: str, dest: Dest) -> str:
    """The callback data of a button.

    Raises ValueError where it would be longer than the platform takes.
    """
    parts = (_MARK, card, token, in_36(dest.owner), in_36(dest.thread))
    data = "|".join(parts)
    if len(data.encode()) > CALLBACK_DATA or any("|" in part for part in parts):
        raise ValueError(f"the button {token!r} of {card!r} does not fit into callback data")
    return data


def pressed(data: str) -> Pressed | None:
    """What callback data names; None where it is none of this channel's making."""
    parts = data.split("|")
    if len(parts) != 5 or parts[0] != _MARK or not parts[1] or not parts[2]:
        return None
    try:
        owner, thread = int(parts[3], 36), int(parts[4], 36)
    except ValueError:
        return None
    if owner < 1 or thread < 0:
        return None
    return Pressed(card=parts[1], token=parts[2], owner=owner, thread=thread)


def page_token(number: int) -> str:
    """The token that turns to a page, counted from 0."""
    return f"{PAGE}{number}"


def page_of(token: str) -> int | None:
    """The page that a token turns to; None where it turns none."""
    number = token.removeprefix(PAGE)
    return int(number) if number != token and number.isascii() and number.isdigit() else None


def request_of(card: str) -> int:
    """The number of a card's button that picks people: all that comes back of the button."""
    return zlib.crc32(card.encode("utf-8", "surrogatepass")) & 0x7FFFFFFF


def in_36(number: int) -> str:
    """A number in as few signs as it takes."""
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
    return digits or "0"
