"""How updates arrive, whichever way: what is asked for, who takes them, what ends it.

An update is acknowledged to Telegram only after it was taken, that is: is on disk.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Protocol

from channels.telegram.api import Api, ApiFailed, Refused
from channels.telegram.native import Json
from core.channel import CannotServe

KINDS = (
    "message",
    "edited_message",
    "callback_query",
    "my_chat_member",
    "stopped_message_generation",
)
"""The kinds of update that the channel reads (`allowed_updates`)."""

Take = Callable[[Json], Awaitable[None]]
"""Stores an update. What it raises means that the update is not stored."""

Sleep = Callable[[float], Awaitable[object]]
"""Waits so many seconds."""

_FIRST = 0.5
_LONGEST = 30.0
_NO_SUCH_BOT = (401, 404)
_FIRST_LOOK = 0.1
_LOOKS = 6
"""Looks at what still waits for the bot: they take some six seconds in all."""


class Surestep(Protocol):
    """The channel, as a program that already runs a bot mounts it (see the drivers)."""

    async def take(self, update: Json) -> None:
        """Store an update, given as the Bot API's own JSON."""
        ...

    async def wants(self, update: Json) -> bool:
        """Whether an update is for Surestep; all others are the program's own."""
        ...


class WrongToken(CannotServe):
    """The Bot API server knows no bot with this token."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(
            f"Telegram knows no bot with this token (it answered {refused}). Copy the token that"
            " @BotFather gave you, all of it and without spaces, into TELEGRAM_BOT_TOKEN, and start"
            " again. For a bot on your own Bot API server, set TELEGRAM_API_BASE as well."
        )


def of_the_token(error: Exception) -> WrongToken | None:
    """The error as one of the token, when the server refused a method that every server has."""
    if isinstance(error, Refused) and error.code in _NO_SUCH_BOT:
        return WrongToken(error)
    return None


async def caught_up(api: Api, sleep: Sleep = asyncio.sleep) -> None:
    """Wait until what people did while the program was away has come in, for seconds at most.

    Telegram counts an update as pending until it was confirmed, by a poll or by a webhook's answer.
    """
    wait = _FIRST_LOOK
    for _ in range(_LOOKS):
        with contextlib.suppress(ApiFailed):
            told = await api.call("getWebhookInfo")
            if not told.get("pending_update_count"):
                return
        await sleep(wait)
        wait *= 2


class Backoff:
    """How long to wait after a failure: half a second, doubled with each more, up to `longest`."""

    def __init__(self, longest: float = _LONGEST) -> None:
        self._longest = longest
        self._next = _FIRST

    def after_failure(self) -> float:
        """The seconds to wait now."""
        wait, self._next = self._next, min(self._next * 2, self._longest)
        return wait

    def reset(self) -> None:
        """It went well: the next failure waits short again."""
        self._next = _FIRST
