"""Messages in a chat: sent, changed, taken away. They are rich where the server knows that."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from channels.telegram.api import Refused
from channels.telegram.calling import SHUT, Calls
from channels.telegram.native import Json, Piece
from channels.telegram.payload import Dest
from core.carrying import Gone, NotTaken

log = structlog.get_logger()

Instead = Callable[[], Awaitable[str]]
"""What a message says that cannot be taken away; it is seldom asked for."""


@dataclass
class Messages:
    """Single messages. `speaks_rich` is None until the server was asked for a rich one."""

    calls: Calls
    speaks_rich: bool | None = None

    async def send(self, dest: Dest, piece: Piece) -> tuple[int, float]:
        """Send a message; its number, and when it was sent, in seconds since 1970 by Telegram's
        clock. Raises NotTaken and ApiFailed."""
        if piece.rich is not None:
            with self._rich():
                sent = await self.calls.send(dest, "sendRichMessage", rich_message=piece.rich)
        else:
            try:
                sent = await self.calls.send(dest, "sendMessage", **_text_of(piece))
            except Refused as refused:
                _only_for_entities(refused, piece)
                sent = await self.calls.send(dest, "sendMessage", **_bare(piece))
        return int(sent["message_id"]), float(sent["date"])

    async def edit(self, dest: Dest, message: int, piece: Piece) -> None:
        """Change a message. Raises Gone where it cannot be changed (any more), NotTaken and
        ApiFailed."""
        if piece.rich is not None:
            with self._rich():
                await self._change(dest, message, rich_message=piece.rich)
            return
        if piece.keys:
            # Nothing of it ever changes, and Telegram edits no message with such a keyboard.
            return
        try:
            await self._change_text(dest, message, piece)
        except Refused as refused:
            if refused.code != 400 or refused.says(*SHUT):
                raise
            # Whatever it is about this message, a new one may still be sent.
            log.warning("edit_refused", why=refused.description)
            raise Gone from refused

    async def _change_text(self, dest: Dest, message: int, piece: Piece) -> None:
        try:
            await self._change(dest, message, **_text_of(piece))
        except Refused as refused:
            _only_for_entities(refused, piece)
            await self._change(dest, message, **_bare(piece))

    async def _change(self, dest: Dest, message: int, **parameters: Any) -> None:
        await self.calls.edit(dest, "editMessageText", message, **parameters)

    async def delete(self, dest: Dest, messages: Sequence[int], instead: Instead) -> None:
        """Take messages away; those that are too old for that say so (`instead`), without buttons.

        The last one has the buttons, if any has. It goes by a call of its own, because the call for
        several may leave out what it cannot take away and say nothing. Raises ApiFailed.
        """
        *others, last = messages
        if others:
            await self._take_away(dest, "deleteMessages", others, instead, message_ids=others)
        await self._take_away(dest, "deleteMessage", [last], instead, message_id=last)

    async def _take_away(
        self, dest: Dest, method: str, messages: Sequence[int], instead: Instead, **which: Any
    ) -> None:
        with contextlib.suppress(Gone):
            try:
                await self.calls.to_chat(dest, method, **which)
            except Refused as refused:
                if refused.says("message to delete not found"):
                    return
                text = await instead()
                for message in messages:
                    with contextlib.suppress(Refused, Gone):
                        await self._change(dest, message, text=text)

    @contextlib.contextmanager
    def _rich(self) -> Iterator[None]:
        """A call with a rich message. Raises NotTaken where the server takes none."""
        try:
            yield
        except Refused as refused:
            if refused.code not in (400, 404) or refused.says(*SHUT):
                raise
            # A server in between knows rich messages, and no buttons in them: it refuses the first.
            if refused.code == 404 or self.speaks_rich is None:
                self.speaks_rich = False
            log.warning("rich_message_refused", code=refused.code)
            raise NotTaken from refused
        self.speaks_rich = True


def _text_of(piece: Piece) -> Json:
    """The parameters of a text message. It never has a parse mode: no sign in it is markup."""
    return {
        "text": piece.text,
        "entities": list(piece.entities) or None,
        "link_preview_options": {"is_disabled": True},
        "reply_markup": _markup(piece),
    }


def _markup(piece: Piece) -> Json | None:
    if piece.keys:
        return {"keyboard": piece.keys, "resize_keyboard": True, "one_time_keyboard": True}
    return {"inline_keyboard": piece.keyboard} if piece.keyboard else None


def _bare(piece: Piece) -> Json:
    return {**_text_of(piece), "entities": None}


def _only_for_entities(refused: Refused, piece: Piece) -> None:
    """Raise the refusal again, unless the same text without its entities may be taken."""
    if not piece.entities or refused.code != 400 or not refused.says("entit"):
        raise refused
    log.warning("entities_refused", why=refused.description)
