"""Answers of the model while they are still coming: shown again and again, each at its own pace.

How one look of an answer is shown is the channel's; here is when. Whoever has an answer shown waits
for nothing. An answer that comes begins only when all that was said before is out, and it has ended
before the answer itself is put into the outbox: so no look of it can come after that, whichever
process sends it.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import structlog

from core.channel import Native
from core.store import Store

log = structlog.get_logger()

PLACE = "~preview"
"""Where the place of an unfinished answer is kept, among the places of the lane's cards."""

PATIENCE = 5.0
"""Seconds that the end of an answer waits for the look that is under way."""

_UNSENT = 0.1
"""Seconds until it is looked again whether all that was said before is out."""

D = TypeVar("D")


@dataclass
class Preview(Generic[D]):
    """An answer that is coming: all of it so far, and what of it was shown last.

    `begun` is whether all before it is out. `lost` is True when a message of it perhaps stands
    where nobody knows of it.
    """

    dest: D
    text: str | None = None
    shown: str | None = None
    begun: bool = False
    lost: bool = False
    task: asyncio.Task[None] | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True)
class Unfinished:
    """What is left of an answer that was coming.

    `place` is where its message stands, as the channel wrote it down; None where none does. It may
    become the answer, unless it is `doubted`: a change of it may still be on its way then. `lost`
    is True when a message perhaps stands where nobody knows of it.
    """

    place: Native | None = None
    doubted: bool = False
    lost: bool = False


P = TypeVar("P", bound=Preview)  # type: ignore[type-arg]


class Previews(ABC, Generic[D, P]):
    """The answers that are coming now, by lane.

    `failures` are those that a look may have: it may be lost, since the answer itself is sent in
    any case. `unknown` is the one of them after which nobody knows what was done.
    """

    def __init__(
        self,
        store: Store,
        make: Callable[[D], P],
        failures: tuple[type[Exception], ...],
        unknown: type[Exception],
    ) -> None:
        self.store = store
        self.patience = PATIENCE
        self._make = make
        self._failures = failures
        self._unknown = unknown
        self._coming: dict[str, P] = {}
        self._standing: set[str] = set()

    @abstractmethod
    async def _show(self, lane: str, preview: P, text: str) -> None:
        """Show the answer so far."""

    @abstractmethod
    async def _show_begun(self, lane: str, dest: D) -> None:
        """Show that an answer is being written."""

    @abstractmethod
    async def _adopt(self, lane: str, preview: P, place: Native) -> None:
        """Go on in the message that an answer left which never came: its process died."""

    @abstractmethod
    def _pause(self, dest: D) -> float:
        """Seconds between two looks."""

    def show(self, lane: str, dest: D, text: str) -> None:
        """Have the answer so far shown, soon; with nothing of it yet, that it is being written."""
        preview = self._coming.setdefault(lane, self._make(dest))
        preview.text = text
        if preview.task is None or preview.task.done():
            preview.task = asyncio.create_task(self._keep_showing(lane, preview))

    async def end(self, lane: str) -> None:
        """Nothing more is shown, and nothing is under way any more when this returns."""
        preview = self._coming.pop(lane, None)
        if preview is None or preview.task is None:
            return
        preview.ended.set()
        # Not cancelled at once: a message that is being sent would never be known of.
        await asyncio.wait({preview.task}, timeout=self.patience)
        preview.task.cancel()
        await asyncio.wait({preview.task})

    # What is left of it

    def __contains__(self, lane: str) -> bool:
        return lane in self._standing

    async def unfinished(self, lane: str) -> Unfinished:
        """What is left of an answer that was coming, until it is forgotten."""
        place = await self.store.where(lane, PLACE) or {}
        lost, doubted = bool(place.get("lost")), bool(place.get("doubted"))
        return Unfinished(place if place.get("message") else None, doubted=doubted, lost=lost)

    async def forget(self, lane: str) -> None:
        """Its message became the answer, or is gone."""
        self._standing.discard(lane)
        await self.store.remember(lane, PLACE, {"message": ""})

    # For those who show

    async def _remember(self, lane: str, place: Native) -> None:
        """Its message stands there."""
        self._standing.add(lane)
        await self.store.remember(lane, PLACE, place)

    @contextlib.asynccontextmanager
    async def _beginning(self, lane: str, preview: P) -> AsyncIterator[None]:
        """Its message is being sent. Where the answer to that is lost, a second one could only
        stand beside it, so none is sent."""
        try:
            yield
        except (self._unknown, asyncio.CancelledError):
            preview.lost = True
            await self._remember(lane, {"message": "", "lost": True})
            raise

    @contextlib.asynccontextmanager
    async def _changing(self, lane: str, place: Native) -> AsyncIterator[None]:
        """Its message, which stands there, is being changed."""
        try:
            yield
        except (self._unknown, asyncio.CancelledError):
            await self._remember(lane, {**place, "doubted": True})
            raise

    # When it is shown

    async def _keep_showing(self, lane: str, preview: P) -> None:
        while preview.shown != preview.text and not preview.ended.is_set():
            try:
                pause = await self._look(lane, preview)
            except self._failures as error:
                log.debug("preview_failed", lane=lane, error=type(error).__name__)
                pause = self._pause(preview.dest)
            except Exception:
                log.warning("preview_broken", lane=lane, exc_info=True)
                pause = self._pause(preview.dest)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(preview.ended.wait(), pause)

    async def _look(self, lane: str, preview: P) -> float:
        """Show what there is of an answer now; the seconds until the next look."""
        text = preview.text
        if text and not await self._is_free(lane, preview):
            return _UNSENT
        preview.shown = text
        if not text:
            await self._show_begun(lane, preview.dest)
            return 0.0
        if not preview.lost:
            await self._show(lane, preview, text)
        return self._pause(preview.dest)

    async def _is_free(self, lane: str, preview: P) -> bool:
        """Whether all that was said before is out. Nothing is said meanwhile: only a turn of the
        lane says something, and this is one."""
        if not preview.begun and not await self.store.is_sending(lane):
            left = await self.unfinished(lane)
            preview.lost = left.lost
            if left.place is not None:
                self._standing.add(lane)
                await self._adopt(lane, preview, left.place)
            preview.begun = True
        return preview.begun
