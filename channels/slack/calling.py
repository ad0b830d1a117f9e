"""Calls for one conversation: how long its channel wants quiet, what a failure means."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import structlog

from channels.slack.api import Api, ApiFailed, Limited, Refused, Unknown
from channels.slack.native import Json
from channels.slack.payload import Dest
from channels.slack.refusals import Meaning, meaning_of
from core.carrying import Gone
from core.channel import Later, Lost, Never

log = structlog.get_logger()


@dataclass
class Calls:
    """The Web API, for one conversation at a time.

    `clock` counts seconds from any moment. `offline` and `wrong_token` are the seconds until the
    next try when the server cannot be reached, and when it does not know the token.
    """

    api: Api
    clock: Callable[[], float] = time.monotonic
    offline: float = 2.0
    wrong_token: float = 30.0
    _quiet: dict[tuple[str, str, str], float] = field(default_factory=dict)

    async def call(self, dest: Dest, method: str, **parameters: Any) -> Json:
        """Call a method for a conversation's channel. Raises ApiFailed."""
        return await self._call(dest, method, {"channel": dest.channel, **parameters})

    async def assist(self, dest: Dest, method: str, **parameters: Any) -> Json:
        """Call a method of the assistant pane for a conversation. Raises ApiFailed."""
        place = {"channel_id": dest.channel, "thread_ts": dest.thread or None}
        return await self._call(dest, method, {**place, **parameters})

    async def post(self, dest: Dest, method: str, **parameters: Any) -> Json:
        """As `call`, into the thread of the conversation."""
        return await self.call(dest, method, thread_ts=dest.thread or None, **parameters)

    async def change(self, dest: Dest, method: str, message: str, **parameters: Any) -> None:
        """Change a message. Raises Gone where there is nothing to change, and ApiFailed."""
        try:
            await self.call(dest, method, ts=message, **parameters)
        except Refused as refused:
            if meaning_of(refused) is Meaning.GONE:
                raise Gone from refused
            raise

    async def _call(self, dest: Dest, method: str, parameters: Json) -> Json:
        # Slack counts each method for itself, and what is posted for each channel.
        counted = (dest.team, dest.channel, method)
        self._wait_for_quiet(counted)
        try:
            return await self.api.call(dest.team, method, **parameters)
        except Limited as limited:
            self._quiet[counted] = self.clock() + limited.seconds
            raise
        except Refused as refused:
            if meaning_of(refused) is Meaning.BROKEN:
                raise Unknown(refused.error) from refused
            raise

    def _wait_for_quiet(self, counted: tuple[str, str, str]) -> None:
        """What wants quiet is not called before its time. Raises Limited."""
        left = self._quiet.get(counted, 0.0) - self.clock()
        if left > 0:
            raise Limited(left)
        self._quiet.pop(counted, None)

    async def reach(self, dest: Dest) -> None:
        """See that the server answers at all, before a message goes out that may then be there
        twice. Raises Later."""
        try:
            await self.api.call(dest.team, "auth.test")
        except Refused:
            # It answers; what it makes of the message is another matter.
            return
        except ApiFailed as failed:
            wait = failed.seconds if isinstance(failed, Limited) else self.offline
            raise Later(wait, str(failed)) from failed

    def failure(self, error: ApiFailed, *, begun: bool = False) -> Exception:
        """What a failed call means for the effect that it was part of, of which some was carried
        out already where it has `begun`."""
        if isinstance(error, Limited):
            return Later(error.seconds, begun=begun)
        if isinstance(error, Unknown):
            return Lost(str(error))
        if not isinstance(error, Refused):
            return Later(self.offline, str(error), begun=begun)
        match meaning_of(error):
            case Meaning.BUSY:
                return Later(self.offline, error.error, begun=begun)
            case Meaning.BROKEN:
                return Lost(error.error)
            case Meaning.TOKEN:
                log.error("slack_token_refused", error=error.error)
                return Later(self.wrong_token, error.error, begun=begun)
            case Meaning.GONE | Meaning.MALFORMED | Meaning.DENIED | Meaning.OTHER:
                log.error("slack_refused", error=error.error, details=details(error))
        # It would be refused for the same reason again.
        return Never(error.error)


def is_shut(refused: Refused) -> bool:
    """Whether it was the place that was refused, whatever was wanted there."""
    return meaning_of(refused) is Meaning.SHUT


def is_no_fault_of(refused: Refused) -> bool:
    """Whether the place or the token was refused, and not the method that was called."""
    return meaning_of(refused) in (
        Meaning.SHUT,
        Meaning.NOBODY,
        Meaning.UNINSTALLED,
        Meaning.TOKEN,
    )


def details(refused: Refused) -> list[str]:
    """What a refusal says in detail: where in the blocks a fault is, which scope is missing."""
    told = refused.answer.get("response_metadata", {}).get("messages", [])
    needed = refused.answer.get("needed")
    return [*(str(one) for one in told), *([f"needed: {needed}"] if needed else [])]
