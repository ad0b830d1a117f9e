"""What is put into a chat for whoever reads there: a submission, a list, a picture.

A post is no card: no ask is open on it, and anybody in the chat may use what stands below it. Each
of its actions carries a command, which counts by who used it, as if they had typed it.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

MADE = "made"
"""The origin of a file that is made when it is sent (an export, a picture): its `ref` is the
recipe."""


class Attachment(msgspec.Struct, frozen=True, kw_only=True):
    """A file by reference. `origin` is the channel whose own handle `ref` is, or `MADE`.

    `size` is in bytes, 0 where nobody said. `name` is only ever shown, never used as a path.
    """

    origin: str
    ref: str
    name: str = ""
    mime: str = ""
    size: int = 0


OWN = ("privacy",)
"""Commands that are everybody's own, by their first word; all others are of who runs the bot."""


def typed(command: str) -> str:
    """What people type in place of using an action, behind what begins every command."""
    return command if command.partition(" ")[0] in OWN else f"admin {command}"


class Tone(StrEnum):
    """How an action is to look."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """Something to do about a post: a button with a command. `needs` asks for the words that the
    command wants with it, empty where it wants none."""

    command: str
    label: str
    needs: str = ""
    tone: Tone = Tone.PLAIN


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a post tells, with its label. `long` is shown below its label."""

    label: str
    value: str
    long: bool = False


class Post(msgspec.Struct, frozen=True, kw_only=True):
    """A post. Put again with the same `id` into the same chat, it is changed where it stands.

    `text` stands above the lines, `footer` below them, small. All of it is plain text.
    """

    id: str
    title: str = ""
    text: str = ""
    lines: tuple[Line, ...] = ()
    footer: str = ""
    files: tuple[Attachment, ...] = ()
    actions: tuple[Action, ...] = ()
