"""Answers to taps: each tap gets one, so that no button keeps spinning."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import structlog

from channels.telegram import limits
from channels.telegram.api import Api, ApiFailed, Flooded, Refused

log = structlog.get_logger()

_TAPS = 10_000
"""Taps that are remembered, so that none is answered twice."""
_TRIES = 3
"""Tries beyond the first: a client waits for some seconds only."""


@dataclass
class Answers:
    """Answers taps. An answer that does not arrive is no failure: the tap has counted.

    `again` are the seconds until one whose arrival is unknown is sent once more; nothing else waits
    for that. An answer that arrives twice is refused the second time, and does no harm.
    """

    api: Api
    again: float = 0.5
    _given: dict[str, bool] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def give(self, handle: str, text: str = "") -> None:
        """Answer a tap, once."""
        if not handle or self._given.get(handle):
            return
        self.promise(handle)
        self._given[handle] = True
        wait = await self._tried(handle, text)
        if wait is not None:
            task = asyncio.create_task(self._insist(handle, text, wait))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def promise(self, handle: str) -> bool:
        """Note that a tap waits for its answer; False when it was noted before."""
        if handle in self._given:
            return False
        self._given[handle] = False
        while len(self._given) > _TAPS:
            del self._given[next(iter(self._given))]
        return True

    def stop(self) -> None:
        """Insist no more."""
        for task in self._tasks:
            task.cancel()

    async def _insist(self, handle: str, text: str, seconds: float) -> None:
        wait: float | None = seconds
        for _ in range(_TRIES):
            if wait is None:
                return
            await asyncio.sleep(wait)
            wait = await self._tried(handle, text)

    async def _tried(self, handle: str, text: str) -> float | None:
        """Answer a tap; the seconds until it is to be tried again, or None."""
        try:
            await self.api.call(
                "answerCallbackQuery", callback_query_id=handle, text=_shortened(text) or None
            )
        except Refused as refused:
            # It is too old, or has its answer already.
            log.debug("tap_not_answered", why=refused.description)
        except Flooded as flooded:
            return flooded.seconds
        except ApiFailed:
            return self.again
        return None


def _shortened(text: str) -> str:
    return text if len(text) <= limits.TOAST else text[: limits.TOAST - 1] + "…"
