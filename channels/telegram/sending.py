"""Carries out what a turn wants to happen, in as few calls as it takes.

A tap that settles an ask costs three: the answer to the tap, the card that becomes its receipt, the
next card. Words cost the last two. A card that only moves down is deleted where it stood.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

import msgspec
import structlog

from channels.telegram import limits, render, rich
from channels.telegram.api import ApiFailed, Refused
from channels.telegram.calling import Calls, Gone
from channels.telegram.files import send_files
from channels.telegram.native import Drawn, Json, Piece, media_of
from channels.telegram.payload import Dest, dest_of
from channels.telegram.streaming import Streams
from core.cards import Card, Summary
from core.effects import Change, Close, Draw, Effect, Say, Toast
from core.state import Person
from core.texts import Texts

log = structlog.get_logger()

_CARD: msgspec.json.Decoder[Card] = msgspec.json.Decoder(Card)

_TAPS = 10_000
"""Taps that are remembered, so that none is answered twice."""

Pieces = tuple[Piece, ...]
WhoIs = Callable[[str], Awaitable[Person]]
"""Whose conversation a lane is."""


@dataclass
class Sending:
    """Sends into chats. `speaks_rich` is None until the server was asked for a rich message."""

    calls: Calls
    streams: Streams
    who: WhoIs
    speaks_rich: bool | None = None
    answered: dict[str, bool] = field(default_factory=dict)
    """Taps that wait for their answer, by handle, and whether they have got it."""
    _begun: dict[str, _Begun] = field(default_factory=dict)

    async def carry_out(
        self, lane: str, dest: Dest, effect: Effect, drawn: Drawn | None, again: bool
    ) -> Drawn | None:
        """Carry out one effect. Raises ApiFailed."""
        if isinstance(effect, Toast):
            await self.answer(effect.to, effect.text)
            return None
        if self._begun.setdefault(lane, _Begun(effect)).effect != effect:
            self._begun[lane] = _Begun(effect)
        place = await self._shown(lane, dest, effect, drawn, again)
        del self._begun[lane]
        return place

    async def _shown(
        self, lane: str, dest: Dest, effect: Effect, drawn: Drawn | None, again: bool
    ) -> Drawn | None:
        if isinstance(effect, Say):
            await self._say(lane, dest, effect, again)
            return None
        if lane in self.streams:
            unfinished = await self.streams.take(lane, dest)
            await self._delete(dest, () if unfinished is None else (unfinished,))
        if isinstance(effect, Draw):
            return await self._draw(lane, dest, effect.card, again)
        if isinstance(effect, Change):
            return await self._change(lane, dest, effect.card, drawn)
        if isinstance(effect, Close):
            return await self._close(lane, dest, effect, drawn)
        return None

    async def answer(self, handle: str, text: str = "") -> None:
        """Answer a tap, once. An answer that does not arrive is no failure: the tap has counted."""
        if not handle or self.answered.get(handle):
            return
        self.promise(handle)
        self.answered[handle] = True
        with contextlib.suppress(ApiFailed):
            await self.calls.api.call(
                "answerCallbackQuery",
                callback_query_id=handle,
                text=_shortened(text) or None,
            )

    def promise(self, handle: str) -> bool:
        """Note that a tap waits for its answer; False when it was noted before."""
        if handle in self.answered:
            return False
        self.answered[handle] = False
        while len(self.answered) > _TAPS:
            del self.answered[next(iter(self.answered))]
        return True

    # What has no buttons

    async def _say(self, lane: str, dest: Dest, effect: Say, again: bool) -> None:
        begun = self._begun[lane]
        unfinished = await self.streams.take(lane, dest)
        line = Texts((await self.who(lane)).locale)("telegram.again") if again else ""
        pieces = render.message(effect.text, again=line)
        if unfinished is not None and not pieces:
            await self._delete(dest, (unfinished,))
        elif unfinished is not None and not begun.messages:
            begun.messages.append(await self._edit(dest, unfinished, pieces[0]))
        await self._send_rest(dest, begun, pieces)
        media = [one for one in map(media_of, effect.files) if one is not None]
        await send_files(self.calls, dest, media)

    # Cards

    async def _draw(self, lane: str, dest: Dest, card: Card, again: bool) -> Drawn:
        begun = self._begun.setdefault(lane, _Begun(Draw(card=card)))
        try:
            return await self._draw_as(
                dest, card, begun, await self._pieces(lane, card, again=again)
            )
        except _NotRich:
            plain = await self._pieces(lane, card, plain=True, again=again)
            return await self._draw_as(dest, card, begun, plain)

    async def _draw_as(self, dest: Dest, card: Card, begun: _Begun, pieces: Pieces) -> Drawn:
        is_rich = pieces[-1].rich is not None
        if not (is_rich and rich.shows_files(card)):
            await self._send_files(dest, card, begun)
        messages = await self._send_rest(dest, begun, pieces)
        return Drawn(
            chat=dest.chat,
            messages=messages,
            rich=is_rich,
            media=begun.media or (),
            card=_kept(card),
        )

    async def _send_rest(self, dest: Dest, begun: _Begun, pieces: Pieces) -> tuple[int, ...]:
        """Send what has not been sent yet: what is tried again goes on where it stopped."""
        for piece in pieces[len(begun.messages) :]:
            begun.messages.append(await self._send(dest, piece))
        return tuple(begun.messages)

    async def _send_files(self, dest: Dest, card: Card, begun: _Begun) -> None:
        """Send the files that stand in a summary, above it."""
        if isinstance(card, Summary) and begun.media is None:
            refs = [media_of(ref) for row in card.rows for ref in row.files]
            media = [one for one in refs if one is not None]
            begun.media = await send_files(self.calls, dest, media)

    async def _change(self, lane: str, dest: Dest, card: Card, drawn: Drawn | None) -> Drawn:
        if drawn is None or not drawn.messages:
            return await self._draw(lane, dest, card, again=False)
        page = min(drawn.page, render.pages(card) - 1)
        pieces = await self._pieces(lane, card, page=page, plain=not drawn.rich)
        try:
            messages = await self._become(dest, drawn.messages, pieces)
        except _NotRich:
            pieces = await self._pieces(lane, card, page=page, plain=True)
            messages = await self._become(dest, drawn.messages, pieces)
        is_rich = pieces[-1].rich is not None
        return msgspec.structs.replace(
            drawn, messages=messages, rich=is_rich, page=page, card=_kept(card)
        )

    async def turn_page(self, lane: str, dest: Dest, drawn: Drawn, page: int) -> Drawn:
        """Show another page of a card's buttons. Raises ApiFailed."""
        card = _CARD.decode(drawn.card)
        page = max(0, min(page, render.pages(card) - 1))
        pieces = await self._pieces(lane, card, page=page, plain=True)
        messages = await self._become(dest, drawn.messages, pieces)
        return msgspec.structs.replace(drawn, messages=messages, page=page)

    async def _close(
        self, lane: str, dest: Dest, effect: Close, drawn: Drawn | None
    ) -> Drawn | None:
        """Leave the receipt, or nothing, where a card stood. From then on the card stands nowhere:
        a tap on it that comes late takes no receipt away."""
        if effect.receipt and (drawn is None or not drawn.messages):
            for piece in render.receipt(effect.receipt):
                await self._send(dest, piece)
        if drawn is None:
            return None
        if not effect.receipt or not drawn.messages:
            await self._delete(dest, (*drawn.media, *drawn.messages, *drawn.also))
        else:
            await self._leave_receipt(lane, dest, effect, drawn)
        return Drawn(chat=drawn.chat, messages=())

    async def _leave_receipt(self, lane: str, dest: Dest, effect: Close, drawn: Drawn) -> None:
        card = _CARD.decode(drawn.card) if drawn.card else None
        if isinstance(card, Summary):
            await self._confirm(lane, dest, card, effect.receipt, drawn)
        else:
            # The newest of its messages, so that the receipt stands where the buttons were.
            await self._become(dest, drawn.messages[-1:], render.receipt(effect.receipt))
            await self._delete(dest, (*drawn.messages[:-1], *drawn.also))

    async def _confirm(
        self, lane: str, dest: Dest, card: Summary, receipt: str, drawn: Drawn
    ) -> None:
        """A confirmed summary stays as it was shown, without its buttons."""
        texts = Texts((await self.who(lane)).locale)
        pieces: Pieces = render.confirmed(card, texts, receipt)
        as_rich = rich.confirmed(card, dest, texts, receipt) if drawn.rich else None
        try:
            await self._become(dest, drawn.messages, pieces if as_rich is None else (as_rich,))
        except _NotRich:
            await self._become(dest, drawn.messages, pieces)
        await self._delete(dest, drawn.also)

    async def _pieces(
        self, lane: str, card: Card, *, page: int = 0, plain: bool = False, again: bool = False
    ) -> Pieces:
        dest, person = dest_of(lane), await self.who(lane)
        texts = Texts(person.locale)
        name = "" if dest.private else person.name
        line = texts("telegram.again") if again else ""
        if not plain and self.speaks_rich is not False:
            files = rich.shows_files(card)
            drawn = rich.card(card, dest, texts, for_name=name, again=line, files=files)
            if drawn is not None:
                return (drawn,)
        return render.card(card, dest, texts, page=page, for_name=name, again=line)

    # Messages

    async def _send(self, dest: Dest, piece: Piece) -> int:
        if piece.rich is not None:
            with self._rich():
                sent = await self.calls.send(dest, "sendRichMessage", rich_message=piece.rich)
        else:
            sent = await self.calls.send(dest, "sendMessage", **_text_of(piece))
        return int(sent["message_id"])

    async def _become(
        self, dest: Dest, messages: tuple[int, ...], pieces: Pieces
    ) -> tuple[int, ...]:
        """Make messages that are there into these pieces; where they stand now."""
        standing: list[int] = []
        for message, piece in zip(messages, pieces, strict=False):
            standing.append(await self._edit(dest, message, piece))
        standing += [await self._send(dest, piece) for piece in pieces[len(messages) :]]
        await self._delete(dest, messages[len(pieces) :])
        return tuple(standing)

    async def _edit(self, dest: Dest, message: int, piece: Piece) -> int:
        """Change a message; where that is gone, the piece comes as a new one."""
        try:
            if piece.rich is not None:
                with self._rich():
                    await self.calls.edit(dest, "editMessageText", message, rich_message=piece.rich)
            else:
                await self.calls.edit(dest, "editMessageText", message, **_text_of(piece))
        except Gone:
            return await self._send(dest, piece)
        return message

    async def _delete(self, dest: Dest, messages: tuple[int, ...]) -> None:
        """Take messages away; one that is too old for that loses its buttons, and says why."""
        if not messages:
            return
        try:
            await self.calls.to_chat(dest, "deleteMessages", message_ids=list(messages))
        except Refused:
            texts = Texts((await self.who(dest.lane)).locale)
            for message in messages:
                with contextlib.suppress(Refused, Gone):
                    text = texts("telegram.earlier_card")
                    await self.calls.edit(dest, "editMessageText", message, text=text)

    @contextlib.contextmanager
    def _rich(self) -> Iterator[None]:
        """A call with a rich message. Raises _NotRich where the server takes none."""
        try:
            yield
        except Refused as refused:
            if refused.code not in (400, 404):
                raise
            # A server in between knows rich messages, and no buttons in them: it refuses the first.
            if refused.code == 404 or self.speaks_rich is None:
                self.speaks_rich = False
            log.warning("rich_message_refused", code=refused.code)
            raise _NotRich from refused
        self.speaks_rich = True


@dataclass
class _Begun:
    """What of an effect has been sent, while it takes several calls."""

    effect: Effect
    messages: list[int] = field(default_factory=list)
    media: tuple[int, ...] | None = None


class _NotRich(Exception):
    """The server takes no rich message, or not this one."""


def _text_of(piece: Piece) -> Json:
    """The parameters of a text message. It never has a parse mode: no sign in it is markup."""
    return {
        "text": piece.text,
        "entities": list(piece.entities) or None,
        "link_preview_options": {"is_disabled": True},
        "reply_markup": {"inline_keyboard": piece.keyboard} if piece.keyboard else None,
    }


def _kept(card: Card) -> str:
    """The card itself, where it is needed again: to turn its pages, or to leave it standing."""
    if isinstance(card, Summary) or render.pages(card) > 1:
        return msgspec.json.encode(card).decode()
    return ""


def _shortened(text: str) -> str:
    return text if len(text) <= limits.TOAST else text[: limits.TOAST - 1] + "…"
