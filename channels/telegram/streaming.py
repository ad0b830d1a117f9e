"""The model's answer while it is still coming.

In a private chat it is a draft of the platform's own (sendMessageDraft), which nobody has to take
back. Where the server knows none, or others are there, it is a message that is changed at a polite
rate and then becomes the answer itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from channels.telegram import limits, render
from channels.telegram.api import ApiFailed, Refused, Unknown
from channels.telegram.calling import Calls, Gone
from channels.telegram.payload import Dest
from channels.telegram.text import units
from core.previews import PLACE, Preview, Previews
from core.state import Person
from core.store import Store

WhoIs = Callable[[str], Awaitable[Person]]
"""Whose conversation a lane is."""


@dataclass(frozen=True)
class Pace:
    """Seconds between two looks of one answer: a chat takes about one message a second, a group 20
    a minute (core.telegram.org/bots/faq)."""

    draft: float = 0.4
    private: float = 1.2
    group: float = 4.0


@dataclass
class _Stream(Preview[Dest]):
    message: int | None = None


class Streams(Previews[Dest, _Stream]):
    """The answers that are coming now, by lane. `drafts` is whether the server knows them."""

    def __init__(self, calls: Calls, store: Store, who: WhoIs, pace: Pace) -> None:
        super().__init__(store, _Stream, (ApiFailed, Gone))
        self.calls = calls
        self.who = who
        self.pace = pace
        self.drafts = True
        self._serial = 0

    async def show(self, lane: str, dest: Dest, text: str) -> None:
        """Show the answer so far; with nothing of it yet, that one is being written."""
        self.show_more(lane, dest, text)
        if not text:
            with contextlib.suppress(ApiFailed):
                await self.calls.send(dest, "sendChatAction", action="typing")

    async def take(self, lane: str, dest: Dest) -> int | None:
        """The answer is here. The message that may become it, if any, until it is forgotten."""
        place = await self.stop(lane)
        if place is None or place.get("chat") != await self.calls.number_of(dest.chat):
            return None
        return int(place["message"])

    def _by_draft(self, dest: Dest) -> bool:
        return self.drafts and dest.private

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
            self.lose(lane, stream)
            raise
        stream.message = int(sent["message_id"])
        chat = await self.calls.number_of(stream.dest.chat)
        await self.store.remember(lane, PLACE, {"message": stream.message, "chat": chat})

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
