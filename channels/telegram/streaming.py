"""The model's answer while it is still coming.

In a private chat it is a draft of the platform's own (sendMessageDraft), which nobody has to take
back. Where the server knows none, or others are there, it is a message that is changed at a polite
rate and then becomes the answer itself.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import structlog

from channels.telegram import limits, render
from channels.telegram.api import ApiFailed, Refused, Unknown
from channels.telegram.calling import Calls, Gone
from channels.telegram.payload import Dest
from channels.telegram.text import units
from core.state import Person
from core.store import Store

log = structlog.get_logger()

_PLACE = "~preview"
"""Where the place of an unfinished answer is kept, among the places of the lane's cards."""


@dataclass(frozen=True)
class Pace:
    """Seconds between two looks of one answer: a chat takes about one message a second, a group 20
    a minute (core.telegram.org/bots/faq)."""

    draft: float = 0.4
    private: float = 1.2
    group: float = 4.0


@dataclass
class _Stream:
    dest: Dest
    text: str = ""
    shown: str = ""
    message: int | None = None
    task: asyncio.Task[None] | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    lost: bool = False


@dataclass
class Streams:
    """The answers that are coming now, by lane."""

    calls: Calls
    store: Store
    who: Callable[[str], Awaitable[Person]]
    pace: Pace = field(default_factory=Pace)
    drafts: bool = True
    _streams: dict[str, _Stream] = field(default_factory=dict)
    _lost: set[str] = field(default_factory=set)
    _serial: int = 0

    async def show(self, lane: str, dest: Dest, text: str) -> None:
        """Show the answer so far; with nothing of it yet, that one is being written."""
        stream = self._streams.setdefault(lane, _Stream(dest))
        stream.text = text
        if not text:
            with contextlib.suppress(ApiFailed):
                await self.calls.send(dest, "sendChatAction", action="typing")
        elif stream.task is None or stream.task.done():
            stream.task = asyncio.create_task(self._keep_showing(lane, stream))

    def __contains__(self, lane: str) -> bool:
        return lane in self._streams

    async def take(self, lane: str, dest: Dest) -> int | None:
        """The answer is here: nothing more is shown. The message that may become it, if any, until
        it is forgotten."""
        stream = self._streams.pop(lane, None)
        if stream is not None and stream.task is not None:
            # Not cancelled: a message that is being sent would never be known of.
            stream.ended.set()
            await asyncio.shield(stream.task)
        place = await self.store.where(lane, _PLACE)
        if not place or place.get("chat") != await self.calls.number_of(dest.chat):
            return None
        return int(place["message"]) or None

    async def forget(self, lane: str) -> None:
        """The message became the answer, or is gone."""
        await self.store.remember(lane, _PLACE, {"message": 0})

    def has_lost(self, lane: str) -> bool:
        """Whether an unfinished answer perhaps stands in the chat where nobody knows of it. It is
        told once."""
        lost = lane in self._lost
        self._lost.discard(lane)
        return lost

    def _by_draft(self, dest: Dest) -> bool:
        return self.drafts and dest.private

    async def _keep_showing(self, lane: str, stream: _Stream) -> None:
        while stream.shown != stream.text and not stream.ended.is_set():
            text = stream.text
            try:
                await self._show(lane, stream, text)
            except (ApiFailed, Gone) as error:
                # A preview may be lost; the answer itself is sent in any case.
                log.debug("preview_failed", lane=lane, error=type(error).__name__)
            stream.shown = text
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stream.ended.wait(), self._pause(stream.dest))

    def _pause(self, dest: Dest) -> float:
        if self._by_draft(dest):
            return self.pace.draft
        return self.pace.private if dest.private else self.pace.group

    async def _show(self, lane: str, stream: _Stream, text: str) -> None:
        if units(text) > limits.TEXT or stream.lost:
            return
        if self._by_draft(stream.dest):
            await self._draft(lane, stream, text)
            return
        shown: dict[str, Any] = {"text": text}
        if not stream.dest.private:
            name = (await self.who(lane)).name
            pieces = render.message(text, for_name=name, owner=stream.dest.owner)
            if len(pieces) != 1:
                return
            shown = {"text": pieces[0].text, "entities": list(pieces[0].entities) or None}
        if stream.message is not None:
            await self.calls.edit(stream.dest, "editMessageText", stream.message, **shown)
        else:
            await self._begin(lane, stream, shown)

    async def _begin(self, lane: str, stream: _Stream, shown: dict[str, Any]) -> None:
        try:
            sent: dict[str, Any] = await self.calls.send(stream.dest, "sendMessage", **shown)
        except Unknown:
            # A second one could only stand beside it.
            stream.lost = True
            self._lost.add(lane)
            raise
        stream.message = int(sent["message_id"])
        chat = await self.calls.number_of(stream.dest.chat)
        await self.store.remember(lane, _PLACE, {"message": stream.message, "chat": chat})

    async def _draft(self, lane: str, stream: _Stream, text: str) -> None:
        if stream.message is None:
            self._serial += 1
            stream.message = self._serial
        try:
            await self.calls.send(
                stream.dest,
                "sendMessageDraft",
                draft_id=stream.message,
                text=text,
                can_stop=True,
            )
        except Refused as refused:
            if refused.code != 404:
                raise
            self.drafts, stream.message = False, None
            await self._show(lane, stream, text)
