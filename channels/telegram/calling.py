"""Calls to one chat: where the chat is now, how long it wants quiet, what a failure means.

A group that became a supergroup has another number since; its conversations keep the lane that they
began in. What the two numbers are is kept in the store, so that it outlives the process.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import structlog

from channels.telegram.api import Api, ApiFailed, Flooded, Refused, Unknown
from channels.telegram.native import Json
from channels.telegram.payload import NAME, Dest
from core.carrying import Gone
from core.channel import Later, Lost, Never
from core.store import Store

log = structlog.get_logger()

_MOVED = f"{NAME}:moved"
_FIRST_SUPERGROUP = -1_000_000_000_000
_THERE = frozenset({"message_id", "message_ids"})
"""Parameters that name a message: in another chat it would be another message."""

_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid")
SHUT = (
    "chat not found",
    "not enough rights",
    "have no rights",
    "no write access",
    "_forbidden",
    "chat_restricted",
    "channel_private",
    "need administrator rights",
    "not a member",
    "user_deactivated",
    "user_is_blocked",
    "peer_id_invalid",
    "topic_closed",
    "topic_deleted",
    "topic_id_invalid",
    "message thread not found",
    "group chat was deactivated",
)
"""What a server says with the code 400 when nothing can be sent to a chat or topic for now."""


@dataclass
class Calls:
    """The Bot API, for one chat at a time.

    `clock` counts seconds from any moment. `offline` and `wrong_token` are the seconds until the
    next try when the server cannot be reached, and when it knows no such bot.
    """

    api: Api
    store: Store
    clock: Callable[[], float] = time.monotonic
    offline: float = 2.0
    wrong_token: float = 30.0
    _quiet: dict[int, float] = field(default_factory=dict)
    _now_at: dict[int, int] = field(default_factory=dict)
    _origin: dict[int, int] = field(default_factory=dict)

    async def to_chat(self, dest: Dest, method: str, **parameters: Any) -> Any:
        """Call a method for the chat of a conversation. Raises ApiFailed, and Gone for a message
        that stands in the group from before it became a supergroup."""
        chat = await self.number_of(dest.chat)
        try:
            return await self._call(chat, method, parameters)
        except Refused as refused:
            if refused.moved is None or refused.moved == chat:
                raise
            await self.moved(dest.chat, refused.moved)
            if not _THERE.isdisjoint(parameters):
                raise Gone from refused
            return await self._call(refused.moved, method, parameters)

    async def _call(self, chat: int, method: str, parameters: Json) -> Any:
        self.wait_for_quiet(chat)
        try:
            return await self.api.call(method, chat_id=chat, **parameters)
        except Flooded as flooded:
            self._quiet[chat] = self.clock() + flooded.seconds
            raise

    async def send(self, dest: Dest, method: str, **parameters: Any) -> Any:
        """As `to_chat`, into the topic of the conversation."""
        thread = dest.thread or None
        return await self.to_chat(dest, method, message_thread_id=thread, **parameters)

    async def edit(self, dest: Dest, method: str, message: int, **parameters: Any) -> None:
        """Change a message; one that already looks like it is no failure. Raises Gone where there
        is nothing to change, and ApiFailed."""
        try:
            await self.to_chat(dest, method, message_id=message, **parameters)
        except Refused as refused:
            if refused.says("not modified"):
                return
            if refused.says(*_GONE):
                raise Gone from refused
            raise

    def wait_for_quiet(self, chat: int) -> None:
        """A chat that wants quiet is not called before its time: it would only want more of it.

        Raises Flooded. Everybody in a group shares its quiet.
        """
        left = self._quiet.get(chat, 0.0) - self.clock()
        if left > 0:
            raise Flooded(left)
        self._quiet.pop(chat, None)

    async def number_of(self, chat: int) -> int:
        """The number that a chat has now."""
        if not _FIRST_SUPERGROUP < chat < 0:
            return chat
        if chat not in self._now_at:
            found = await self.store.where(_MOVED, str(chat))
            self._now_at[chat] = int(found["to"]) if found else chat
        return self._now_at[chat]

    async def origin_of(self, chat: int) -> int:
        """The number under which a chat's conversations began."""
        if chat > _FIRST_SUPERGROUP:
            return chat
        if chat not in self._origin:
            found = await self.store.where(_MOVED, str(chat))
            self._origin[chat] = int(found["from"]) if found else chat
        return self._origin[chat]

    async def moved(self, old: int, new: int) -> None:
        """A group has got a new number."""
        await self.store.remember(_MOVED, str(old), {"to": new})
        await self.store.remember(_MOVED, str(new), {"from": old})
        self._now_at[old], self._origin[new] = new, old

    async def reach(self, dest: Dest) -> None:
        """See that the server answers at all, before a message goes out that may then be there
        twice. Raises Later."""
        try:
            await self.send(dest, "sendChatAction", action="typing")
        except Refused:
            # It answers; what it makes of the message is another matter.
            return
        except ApiFailed as failed:
            wait = failed.seconds if isinstance(failed, Flooded) else self.offline
            raise Later(wait, str(failed)) from failed

    def failure(self, error: ApiFailed, *, begun: bool = False) -> Exception:
        """What a failed call means for the effect that it was part of, of which some was carried
        out already where it has `begun`."""
        if isinstance(error, Flooded):
            return Later(error.seconds, begun=begun)
        if isinstance(error, Unknown):
            return Lost(str(error))
        if not isinstance(error, Refused):
            return Later(self.offline, str(error), begun=begun)
        if error.code in (401, 404):
            log.error("telegram_token_refused", code=error.code)
            return Later(self.wrong_token, str(error), begun=begun)
        # It would be refused for the same reason again.
        return Never(str(error))
