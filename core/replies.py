"""What comes in from a person, as plain data that knows no channel.

Each reply says who sent it and when; a channel fills these from what its platform vouches for,
never from what the message itself claims.
"""

from __future__ import annotations

from datetime import datetime

import msgspec


class File(msgspec.Struct, frozen=True, kw_only=True):
    """An uploaded file, by reference: `ref` is the channel's own handle, never a path.

    `size` is in bytes, 0 when the platform did not say.
    """

    ref: str
    name: str = ""
    mime: str = ""
    size: int = 0


class _Reply(msgspec.Struct, frozen=True, kw_only=True, tag_field="reply"):
    """`by` is the sender's id on the platform, `at` the moment of sending (aware, UTC)."""

    by: str
    at: datetime


class Tap(_Reply, frozen=True, kw_only=True, tag="tap"):
    """A button of the card `card` was pressed; `token` names the button on that card."""

    card: str
    token: str


class Submit(_Reply, frozen=True, kw_only=True, tag="submit"):
    """A native form or picker was sent: field name to what was entered, as text or as tokens.

    A picker with one native control (a date picker, a select) submits the field `value`.
    """

    card: str
    values: dict[str, str | list[str]]


class Words(_Reply, frozen=True, kw_only=True, tag="words"):
    """A person's typed text, as they typed it (the channel has undone its platform's escaping)."""

    text: str


class Upload(_Reply, frozen=True, kw_only=True, tag="upload"):
    """One or more files sent together, with the caption typed under them."""

    files: tuple[File, ...]
    caption: str = ""


class Reload(_Reply, frozen=True, kw_only=True, tag="reload"):
    """The person came back (a re-opened conversation, a restart): the open ask is redrawn."""


class Command(_Reply, frozen=True, kw_only=True, tag="command"):
    """A command of the channel: its plain name ("new", "cancel") and what was typed after it."""

    name: str
    argument: str = ""


Reply = Tap | Submit | Words | Upload | Reload | Command
