"""What a person sees of a conversation, also as plain text with the controls drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tests.support.slack.controls import State
from tests.support.slack.drawing import lines_of

if TYPE_CHECKING:
    from tests.support.slack.channels import Channel
    from tests.support.slack.messages import Message
    from tests.support.slack.people import Person

_INDENT = "    "


class Screen(list["Message"]):
    """The messages that a person sees, oldest first, threads under their roots; `str()` draws them.

    With a `root` it is the view of that one thread.
    """

    def __init__(
        self,
        channel: Channel,
        messages: Iterable[Message],
        viewer: Person | None,
        root: str | None = None,
    ) -> None:
        super().__init__(messages)
        self.channel = channel
        self.viewer = viewer
        self.root = root

    @property
    def texts(self) -> list[str]:
        """The words of the messages, in their order."""
        return [message.text for message in self]

    @property
    def live(self) -> list[Message]:
        """The messages that have controls."""
        return [message for message in self if message.controls]

    def __str__(self) -> str:
        lines = [f"── {self.channel.title} ──"]
        if self.root is not None:
            for message in self:
                lines += draw(message, self.viewer)
        else:
            for message in self:
                if not message.in_thread_only:
                    lines += draw(message, self.viewer)
                    lines += self._thread_of(message)
                elif not any(one.ts == message.thread_ts for one in self):
                    lines += draw(message, self.viewer)
        return "\n".join([*lines, *self._pane()])

    def _thread_of(self, root: Message) -> list[str]:
        replies = [one for one in self if one.thread_ts == root.ts and one is not root]
        return [f"  │ {line}" for one in replies for line in draw(one, self.viewer)]

    def _pane(self) -> list[str]:
        threads = self.channel.assistants
        chosen = threads.values() if self.root is None else [threads.get(self.root)]
        lines = []
        for thread in chosen:
            if thread is not None and thread.status:
                lines.append(f"({self.channel.workspace.app.name} {thread.status})")
            if thread is not None and thread.prompts:
                lines.append(" ".join(f"( {one} )" for one in thread.suggestions))
        if self.channel.prompts:
            lines.append(" ".join(f"( {one['title']} )" for one in self.channel.prompts))
        return lines


def draw(message: Message, viewer: Person | None) -> list[str]:
    """A message in lines of plain text: who, what, and its controls."""
    marks = [
        "only you" if message.only_for is not None else "",
        "edited" if message.edited and not message.from_bot else "",
        "also sent to the channel" if message.broadcast else "",
        "writing" if message.streaming is not None else "",
    ]
    note = ", ".join(filter(None, marks))
    body = _body(message, message.held_by(viewer) if viewer else {})
    head = f"{message.author}{f' ({note})' if note else ''}: "
    return [head + body[0], *(f"{_INDENT}{line}" for line in body[1:])]


def _body(message: Message, held: State) -> list[str]:
    names = message.channel.workspace.name_of
    if message.sender is None and message.blocks:
        said = message.said and message.shown.text.splitlines()[: len(message.said.splitlines())]
        lines = [*(said or []), *lines_of(message.blocks, held, names)]
    else:
        lines = message.text.splitlines()
    lines += [f"[file {one['name']}]" for one in message.files]
    marks = [f":{name}:" for name in message.reactions]
    return [*lines, *([" ".join(marks)] if marks else [])] or [""]
