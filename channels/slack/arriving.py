"""How Slack's payloads arrive, whichever way: who takes them, and what can be wrong with tokens.

What arrives is acknowledged to Slack only after it was taken, that is: is on disk.
"""

from __future__ import annotations

from typing import Protocol

from channels.slack.api import Refused
from channels.slack.native import Json
from core.channel import CannotServe

PATH, HEALTH = "/slack/events", "/healthz"
INSTALL, RETURN = "/slack/install", "/slack/oauth_redirect"
"""Where Slack posts to; where one sees that the program runs; where people install the app, and
where Slack sends them back to."""

_WRONG = frozenset(
    {
        "account_inactive",
        "invalid_auth",
        "not_allowed_token_type",
        "not_authed",
        "token_expired",
        "token_revoked",
    }
)


class Surestep(Protocol):
    """The channel, as a driver hands over to it, in a program of its own or in somebody else's.

    `kind` is the type of the body (updates.Kind, or any other of Slack's), `body` its JSON.
    """

    async def take(self, kind: str, body: Json) -> Json | None:
        """Store what a body tells; the body of its acknowledgement, None for an empty one. What it
        raises means that it is not stored."""
        ...

    async def wants(self, kind: str, body: Json) -> bool:
        """Whether a body is for Surestep; all others are the program's own."""
        ...


class WrongToken(CannotServe):
    """Slack knows no app, or no bot, with this token."""

    def __init__(self, variable: str, refused: Refused) -> None:
        starts = "xapp-" if variable == "SLACK_APP_TOKEN" else "xoxb-"
        super().__init__(
            f"Slack does not accept the token in {variable} (it answered {refused.error}). Copy it"
            f" anew from the app's settings at https://api.slack.com/apps: it starts with {starts}."
            " Then start again."
        )


class NoSigningSecret(CannotServe):
    """Without it, anybody could send what only Slack may send."""

    def __init__(self) -> None:
        super().__init__(
            "To take requests over HTTP, set SLACK_SIGNING_SECRET (in the app's settings: Basic"
            " Information, App Credentials). Or set SLACK_APP_TOKEN, and no address is needed."
        )


def of_the_token(error: Exception, variable: str) -> WrongToken | None:
    """The error as one of the token in this variable, when that is what was refused."""
    if isinstance(error, Refused) and is_of_the_token(error):
        return WrongToken(variable, error)
    return None


def is_of_the_token(refused: Refused) -> bool:
    """Whether it was the token that Slack refused."""
    return refused.error in _WRONG
