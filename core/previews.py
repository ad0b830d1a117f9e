"""Answers of the model while they are still coming: shown again and again, each at its own pace.

How one look of an answer is shown is the channel's; here is when, and that nothing is shown after
the answer itself.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import structlog

from core.channel import Native
from core.store import Store

log = structlog.get_logger()

PLACE = "~preview"
"""Where the place of an unfinished answer is kept, among the places of the lane's cards."""

D = TypeVar("D")


@dataclass
class Preview(Generic[D]):
    """An answer that is coming: all of it so far, and what of it was shown last.

    `lost` is True when a message of it perhaps stands where nobody knows of it.
    """

    dest: D
    text: str = ""
    shown: str = ""
    task: asyncio.Task[None] | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    lost: bool = False


P = TypeVar("P", bound=Preview)  # type: ignore[type-arg]


class Previews(ABC, Generic[D, P]):
    """The answers that are coming now, by lane. `failures` are those that a look may have: it may
    be lost, since the answer itself is sent in any case."""

    def __init__(
        self, store: Store, make: Callable[[D], P], failures: tuple[type[Exception], ...]
    ) -> None:
        self.store = store
        self._make = make
        self._failures = failures
        self._coming: dict[str, P] = {}
        self._lost: set[str] = set()

    @abstractmethod
    async def _show(self, lane: str, preview: P, text: str) -> None:
        """Show the answer so far."""

    @abstractmethod
    def _pause(self, dest: D) -> float:
        """Seconds between two looks."""

    def show_more(self, lane: str, dest: D, text: str) -> None:
        """Have the answer so far shown; with nothing of it yet, nothing is."""
        preview = self._coming.setdefault(lane, self._make(dest))
        preview.text = text
        if text and (preview.task is None or preview.task.done()):
            preview.task = asyncio.create_task(self._keep_showing(lane, preview))

    def __contains__(self, lane: str) -> bool:
        return lane in self._coming

    async def stop(self, lane: str) -> Native | None:
        """The answer is here: nothing more is shown. The place of the message that may become it,
        until it is forgotten."""
        preview = self._coming.pop(lane, None)
        if preview is not None and preview.task is not None:
            # Not cancelled: a message that is being sent would never be known of.
            preview.ended.set()
            await asyncio.shield(preview.task)
        place = await self.store.where(lane, PLACE)
        return place if place and place.get("message") else None

    async def forget(self, lane: str) -> None:
        """The message became the answer, or is gone."""
        await self.store.remember(lane, PLACE, {"message": ""})

    def lose(self, lane: str, preview: P) -> None:
        """The answer to the sending of its message was lost: a second one could only stand beside
        it, so none is sent."""
        preview.lost = True
        self._lost.add(lane)

    def has_lost(self, lane: str) -> bool:
        """Whether an unfinished answer perhaps stands in the chat where nobody knows of it. It is
        told once."""
        lost = lane in self._lost
        self._lost.discard(lane)
        return lost

    async def _keep_showing(self, lane: str, preview: P) -> None:
        while preview.shown != preview.text and not preview.ended.is_set():
            text = preview.text
            try:
                await self._show(lane, preview, text)
            except self._failures as error:
                log.debug("preview_failed", lane=lane, error=type(error).__name__)
            preview.shown = text
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(preview.ended.wait(), self._pause(preview.dest))
