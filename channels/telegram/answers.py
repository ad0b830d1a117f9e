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
    _waiting: dict[str, _Waiting] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def give(self, handle: str, text: str = "") -> None:
        """Answer a tap, once."""
        if not handle or self._given.get(handle):
            return
        self._note(handle, given=True)
        waiting = self._waiting.pop(handle, None)
        if waiting is not None:
            waiting.task.cancel()
        wait = await self._tried(handle, text)
        if wait is not None:
            task = asyncio.create_task(self._insist(handle, text, wait))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def promise(self, handle: str, seconds: float, text: str) -> None:
        """See to it that a tap is answered soon, whatever comes of it and whenever: with this text
        when it has got no other answer in so many seconds."""
        if handle not in self._given:
            self._note(handle, given=False)
            task = asyncio.create_task(self._give_late(handle, seconds, text))
            self._waiting[handle] = _Waiting(text, task)

    async def close(self) -> None:
        """Answer the taps that still wait, and insist no more."""
        late = list(self._waiting.items())
        await asyncio.gather(*(self.give(handle, one.text) for handle, one in late))
        for task in self._tasks:
            task.cancel()

    def _note(self, handle: str, *, given: bool) -> None:
        self._given[handle] = given
        while len(self._given) > _TAPS:
            del self._given[next(iter(self._given))]

    async def _give_late(self, handle: str, seconds: float, text: str) -> None:
        await asyncio.sleep(seconds)
        # Giving an answer ends whoever waits to give one: no longer this task.
        del self._waiting[handle]
        await self.give(handle, text)

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


@dataclass(frozen=True)
class _Waiting:
    """A tap that waits for its answer: the text of a late one, and the task that gives it."""

    text: str
    task: asyncio.Task[None]


def _shortened(text: str) -> str:
    return text if len(text) <= limits.TOAST else text[: limits.TOAST - 1] + "…"
