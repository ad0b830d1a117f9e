"""The model's answer while it is still coming.

In a private chat it is a draft of the platform's own (sendMessageDraft), which nobody has to take
back. Where the server knows none, or others are there, it is a message that is changed at a polite
rate and then becomes the answer itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from channels.telegram import limits, render
from channels.telegram.api import ApiFailed, Refused, Unknown
from channels.telegram.calling import Calls
from channels.telegram.payload import Dest
from channels.telegram.text import units
from core.carrying import Gone
from core.channel import Native
from core.previews import Preview, Previews
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
    """`place` is where its message stands; `draft` the number of its draft."""

    place: Native | None = None
    draft: int = 0


class Streams(Previews[Dest, _Stream]):
    """The answers that are coming now, by lane. `drafts` is whether the server knows them."""

    def __init__(self, calls: Calls, store: Store, who: WhoIs, pace: Pace) -> None:
        super().__init__(store, _Stream, (ApiFailed, Gone), Unknown)
        self.calls = calls
        self.who = who
        self.pace = pace
        self.drafts = True
        self._serial = 0

    def _by_draft(self, dest: Dest) -> bool:
        return self.drafts and dest.private

    def _pause(self, dest: Dest) -> float:
        if self._by_draft(dest):
            return self.pace.draft
        return self.pace.private if dest.private else self.pace.group

    async def _show_begun(self, lane: str, dest: Dest) -> None:
        await self.calls.send(dest, "sendChatAction", action="typing")

    async def _adopt(self, lane: str, stream: _Stream, place: Native) -> None:
        # In the group that it was before it became a supergroup nothing can be changed any more.
        if place.get("chat") == await self.calls.number_of(stream.dest.chat):
            stream.place = place

    async def _show(self, lane: str, stream: _Stream, text: str) -> None:
        if units(text) > limits.TEXT:
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
        if stream.place is None:
            await self._begin(lane, stream, shown)
            return
        async with self._changing(lane, stream.place):
            message = int(stream.place["message"])
            await self.calls.edit(stream.dest, "editMessageText", message, **shown)

    async def _begin(self, lane: str, stream: _Stream, shown: dict[str, Any]) -> None:
        async with self._beginning(lane, stream):
            sent: dict[str, Any] = await self.calls.send(stream.dest, "sendMessage", **shown)
            chat = await self.calls.number_of(stream.dest.chat)
            stream.place = {"message": int(sent["message_id"]), "chat": chat}
            await self._remember(lane, stream.place)

    async def _draft(self, lane: str, stream: _Stream, text: str) -> None:
        if not stream.draft:
            self._serial += 1
            stream.draft = self._serial
        try:
            await self.calls.send(
                stream.dest, "sendMessageDraft", draft_id=stream.draft, text=text, can_stop=True
            )
        except Refused as refused:
            if refused.code != 404:
                raise
            self.drafts = False
            await self._show(lane, stream, text)
