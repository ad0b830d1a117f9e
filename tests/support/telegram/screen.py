"""What a person sees of a chat, also as plain text with the buttons drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tests.support.telegram import rich
from tests.support.telegram.errors import Json
from tests.support.telegram.keyboards import Button, inline_rows
from tests.support.telegram.messages import Message

if TYPE_CHECKING:
    from tests.support.telegram.chats import Chat, Draft

_INDENT = "    "


class Screen(list[Message]):
    """The messages that a person sees, oldest first; `str()` of it draws them.

    `draft` is the preview under them, `keyboard` the one in place of the person's own.
    """

    def __init__(
        self,
        chat: Chat,
        messages: Iterable[Message],
        draft: Draft | None,
        keyboard: list[list[Button]],
    ) -> None:
        super().__init__(messages)
        self.chat = chat
        self.draft = draft
        self.keyboard = keyboard

    @property
    def texts(self) -> list[str]:
        """The texts and captions, in their order."""
        return [message.text for message in self]

    @property
    def live(self) -> list[Message]:
        """The messages that still have buttons."""
        return [message for message in self if message.buttons]

    def __str__(self) -> str:
        title = self.chat.person.name if self.chat.person else self.chat.title
        lines = [f"── {title} ──"]
        for message in self:
            lines += draw(message)
        if self.draft is not None:
            shown = (
                rich.drawn(self.draft.rich) if self.draft.rich else [self.draft.text.text or "…"]
            )
            stop = [f"{_INDENT}[ ■ ]"] if self.draft.can_stop else []
            lines += [f"(writing) {shown[0]}", *(f"{_INDENT}{one}" for one in shown[1:]), *stop]
        lines += [f"⌨ {_row(row)}" for row in self.keyboard]
        return "\n".join(lines)


def draw(message: Message) -> list[str]:
    """A message in lines of plain text: who, what, and its buttons."""
    if message.is_service:
        return [f"· {_service(message.content)} ·"]
    marks = [
        f"↩{message.reply_to.id}" if message.reply_to is not None and not message.in_topic else "",
        "only you" if message.for_user else "",
        "edited" if message.edited and not message.from_bot else "",
    ]
    note = ", ".join(filter(None, marks))
    head = f"{message.sender['first_name']}{f' ({note})' if note else ''}: "
    body = _body(message)
    lines = [head + body[0], *(f"{_INDENT}{line}" for line in body[1:])]
    return [*lines, *(f"{_INDENT}{_row(row)}" for row in inline_rows(message.markup))]


def _body(message: Message) -> list[str]:
    kind = message.media
    lines = message.text.splitlines() or []
    if kind is None:
        return lines or [""]
    return [f"[{kind}{_about(message.content, kind)}]", *lines]


def _about(content: Json, kind: str) -> str:
    medium = content[kind]
    if kind == "location":
        return f" {medium['latitude']}, {medium['longitude']}"
    if kind == "contact":
        return f" {medium['first_name']} {medium['phone_number']}"
    if kind == "poll":
        options = ", ".join(option["text"] for option in medium["options"])
        return f" {medium['question']} {options}"
    if isinstance(medium, dict):
        told = medium.get("file_name") or medium.get("title") or medium.get("emoji") or ""
        return f" {told}".rstrip()
    return ""


def _service(content: Json) -> str:
    kind, told = next(iter(content.items()))
    words = kind.replace("_", " ")
    return f"{words} {told['name']}" if isinstance(told, dict) and "name" in told else words


def _row(row: list[Button]) -> str:
    return " ".join(map(str, row))
