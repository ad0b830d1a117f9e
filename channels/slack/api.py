"""Slack's Web API as this channel calls it: a method, its parameters, four ways to fail.

A driver carries calls out with slack_sdk and turns its errors into these. Nothing else of the
channel knows the library.
"""

from __future__ import annotations

from typing import Any, Protocol

from channels.slack.native import Json


class ApiFailed(Exception):
    """A call had no result."""


class Unreachable(ApiFailed):
    """The call never reached the server: nothing was carried out."""


class Unknown(ApiFailed):
    """The answer was lost (a time-out, a server error, a broken answer): perhaps it was done."""


class Limited(ApiFailed):
    """The server wants to be asked again after so many `seconds`; nothing was carried out."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"again in {seconds:g} s")
        self.seconds = seconds


class Refused(ApiFailed):
    """The server refused the call with an `error` code of its own ("channel_not_found")."""

    def __init__(self, error: str, answer: Json | None = None) -> None:
        super().__init__(error)
        self.error = error
        self.answer = answer or {}


class Api(Protocol):
    """Slack for all workspaces that this app is installed in."""

    async def call(self, team: str, method: str, /, **parameters: Any) -> Json:
        """Carry out a method in a workspace; the answer as Slack's own JSON.

        None is left out. Raises ApiFailed; a workspace without a token is Refused
        ("not_authed").
        """
        ...

    async def fetch(self, team: str, address: str, limit: int, mime: str) -> bytes:
        """A private file of a workspace by its address, whose type is `mime`. Raises ApiFailed; one
        of more than `limit` bytes is Refused ("too_large")."""
        ...

    async def upload(self, address: str, content: bytes) -> None:
        """Upload a file to the address that files.getUploadURLExternal told. Raises ApiFailed."""
        ...
