"""A call that is being carried out, and what most calls ask of it first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.support.slack.channels import Channel
from tests.support.slack.errors import Json, refused, violates
from tests.support.slack.messages import Message
from tests.support.slack.people import Person
from tests.support.slack.requests import Sent
from tests.support.slack.workspace import Workspace
from tests.support.slack.world import World

Handler = Callable[["Task"], Json]
HANDLERS: dict[str, Handler] = {}
"""What carries out which method."""


def carries_out(method: str) -> Callable[[Handler], Handler]:
    """Register a function for this method. It gives the answer, without `ok`."""

    def register(handler: Handler) -> Handler:
        HANDLERS[method] = handler
        return handler

    return register


@dataclass
class Task:
    """A call with its arguments in their types: `a`. `workspace` is that of the token."""

    world: World
    method: str
    a: Json
    sent: Sent
    space: Workspace | None

    @property
    def workspace(self) -> Workspace:
        """The workspace in which it is carried out."""
        assert self.space is not None, f"{self.method} has no token"
        return self.space

    def needs(self, *scopes: str) -> None:
        """Raise ApiError (a violation) without one of these scopes."""
        app = self.world.app
        if app.lacks(scopes):
            provided = ",".join(sorted(app.scopes))
            raise violates("missing_scope", needed=scopes[0], provided=provided)

    def channel(self, name: str = "channel") -> Channel:
        """The conversation of the call, by its identifier or its name. Raises ApiError."""
        given = str(self.a.get(name, ""))
        found = self.workspace.channels.get(given)
        if found is None:
            found = self.workspace.channels.get(
                self.workspace.id_of(f"#{given.removeprefix('#')}") or ""
            )
        if found is None or (found.kind == "group" and not found.bot_in):
            raise refused("channel_not_found")
        return found

    def place(self) -> Channel:
        """The conversation that the call says something in. Raises ApiError."""
        person = self.workspace.people.get(str(self.a.get("channel")))
        channel = self.workspace.direct(person) if person is not None else self.channel()
        if channel.archived:
            raise refused("is_archived")
        if not channel.bot_in:
            raise refused("not_in_channel")
        return channel

    def message(self, channel: Channel, name: str = "ts") -> Message:
        """The message of the call. Raises ApiError when there is none that all can see."""
        found = channel.get(str(self.a[name]))
        if found is None:
            raise refused("message_not_found")
        return found

    def thread(self, channel: Channel) -> str | None:
        """The thread of the call. Raises ApiError when nothing begins it."""
        given = self.a.get("thread_ts")
        if given is None:
            return None
        root = next((one for one in channel.messages if one.ts == given), None)
        if root is None:
            raise refused("thread_not_found")
        if root.in_thread_only:
            raise violates("invalid_arguments", "thread_ts is that of a reply, not of its parent")
        root.thread_ts = root.ts if root.subtype == "assistant_app_thread" else root.thread_ts
        return str(given)

    def person(self, name: str) -> Person:
        """The person of the call. Raises ApiError."""
        found = self.workspace.people.get(str(self.a[name]))
        if found is None:
            raise refused("user_not_found")
        return found

    def page(self, every: list[Any], default: int = 100) -> tuple[list[Any], Json]:
        """A page of a list by `cursor` and `limit`, and what the answer says of the next one."""
        start = int(self.a["cursor"].removeprefix("at-")) if self.a.get("cursor") else 0
        end = start + min(int(self.a.get("limit", default)), 1000)
        more = end < len(every)
        return every[start:end], {"response_metadata": {"next_cursor": f"at-{end}" if more else ""}}
