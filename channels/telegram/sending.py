"""Carries out what a turn wants to happen, in as few calls as it takes.

A tap that settles an ask costs three: the answer to the tap, the card that becomes its receipt, the
next card. Words cost the last two. A card that only moves down is deleted where it stood.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypedDict

import msgspec

from channels.telegram import render, rich
from channels.telegram.answers import Answers
from channels.telegram.api import Flooded, Refused, Unreachable
from channels.telegram.calling import SHUT, Calls, Gone
from channels.telegram.files import Sent, send_files
from channels.telegram.left import Left
from channels.telegram.messages import Messages, NotRich
from channels.telegram.native import Drawn, Piece, media_of
from channels.telegram.payload import Dest, dest_of
from channels.telegram.streaming import Streams, WhoIs
from core.cards import Card, Summary
from core.effects import Change, Close, Draw, Effect, Say, Toast
from core.previews import Unfinished
from core.progress import Progress, Underway
from core.texts import Texts

_CARD: msgspec.json.Decoder[Card] = msgspec.json.Decoder(Card)

Pieces = tuple[Piece, ...]
Below = Callable[[str, int], Awaitable[None]]
"""Told when a message was put below the open card of another lane."""


class Whose(TypedDict):
    """Whom a message is for where others are: their name and their id."""

    for_name: str
    owner: int


@dataclass
class _Begun(Progress):
    """What of an effect has been done, its files too; `at` is when its newest message was sent."""

    files: Sent = field(default_factory=Sent)
    at: float | None = None


def _begin(effect: Effect, again: bool) -> _Begun:
    return _Begun(effect, again, files=Sent(again=again))


class Sending:
    """Sends into chats."""

    def __init__(self, calls: Calls, streams: Streams, who: WhoIs, home: str, below: Below) -> None:
        """`home` is the address of the bot's private chat."""
        self.home = home
        self.below = below
        self.calls = calls
        self.streams = streams
        self.who = who
        self.answers = Answers(calls.api)
        self.messages = Messages(calls)
        self.left = Left(calls.store)
        self._underway: Underway[_Begun] = Underway(_begin)

    async def carry_out(
        self, lane: str, dest: Dest, effect: Effect, drawn: Drawn | None, again: bool
    ) -> Drawn | None:
        """Carry out one effect. Raises ApiFailed and Later."""
        if isinstance(effect, Toast):
            await self.answer(effect.to, effect.text)
            return None
        begun = self._underway.begin(lane, effect, again)
        if again:
            await self.calls.reach(dest)
        place = await self._shown(lane, dest, effect, drawn, begun)
        self._underway.end(lane)
        if isinstance(effect, Draw):
            await self.left.catch_up(lane, lambda one, where: self._close_late(dest, one, where))
        return place

    async def _close_late(self, dest: Dest, effect: Close, drawn: Drawn) -> None:
        await self._close(dest.lane, dest, effect, drawn, _Begun(effect))

    def has_begun(self, lane: str) -> bool:
        """Whether a part of what the lane is sending was carried out."""
        begun = self._underway.get(lane)
        return begun is not None and bool(begun.messages or begun.files.handled)

    async def _shown(
        self, lane: str, dest: Dest, effect: Effect, drawn: Drawn | None, begun: _Begun
    ) -> Drawn | None:
        if isinstance(effect, Say):
            await self._say(lane, dest, effect, begun)
            return None
        if isinstance(effect, Draw) or lane in self.streams:
            await self._drop_unfinished(lane, dest)
        if isinstance(effect, Draw):
            return await self._draw(lane, dest, effect.card, begun)
        if isinstance(effect, Change):
            return await self._change(lane, dest, effect.card, drawn, begun)
        if isinstance(effect, Close):
            return await self._close(lane, dest, effect, drawn, begun)
        return None

    async def answer(self, handle: str, text: str = "") -> None:
        """Answer a tap, once."""
        await self.answers.give(handle, text)

    async def _line(self, dest: Dest, begun: _Begun) -> str:
        """What a message says that is there twice, perhaps."""
        return (await self._texts(dest))("telegram.again") if begun.again else ""

    async def _texts(self, dest: Dest) -> Texts:
        return Texts((await self.who(dest.lane)).locale)

    async def _name(self, dest: Dest) -> str:
        """Whom it is for; nothing needs to be said where nobody else is."""
        return "" if dest.private else (await self.who(dest.lane)).name

    async def _named(self, dest: Dest) -> Whose:
        return {"for_name": await self._name(dest), "owner": dest.owner}

    # What has no buttons

    async def _say(self, lane: str, dest: Dest, effect: Say, begun: _Begun) -> None:
        if effect.personal and not dest.private:
            await self._say_alone(dest, effect, begun)
            return
        left = await self.streams.unfinished(lane)
        begun.again = left.lost or begun.again
        message = await self._standing_of(dest, left)
        line = await self._line(dest, begun) if message is None or left.doubted else ""
        pieces = render.message(effect.text, again=line, **await self._named(dest))
        if message is not None:
            await self._finish(dest, message, () if left.doubted else pieces, begun)
        if left != Unfinished():
            await self.streams.forget(lane)
        await self._send_rest(dest, begun, pieces)
        media = [one for one in map(media_of, effect.files) if one is not None]
        line = (await self._texts(dest))("telegram.again") if begun.files.again else ""
        await send_files(self.calls, dest, media, begun.files, line)

    async def _say_alone(self, dest: Dest, effect: Say, begun: _Begun) -> None:
        """What is for nobody else's eyes goes into the person's private chat. Where the bot may not
        write to them, it says how to ask for it there."""
        alone, key = Dest(chat=dest.owner, owner=dest.owner), "telegram.in_private"
        said = render.message(effect.text, again=await self._line(dest, begun))
        try:
            await self._send_rest(alone, begun, said)
        except Refused as refused:
            if refused.code != 403 and not refused.says(*SHUT):
                raise
            said, key = (), "telegram.ask_in_private"
        else:
            await self.below(alone.lane, begun.messages[-1])
        line = (await self._texts(dest))(key, chat=self.home)
        named = render.message(line, **await self._named(dest))
        await self._send_rest(dest, begun, (*said, *named))

    async def _finish(self, dest: Dest, message: int, pieces: Pieces, begun: _Begun) -> None:
        """The unfinished answer becomes the answer, or the first message of it."""
        if not pieces:
            await self._delete(dest, (message,))
        elif not begun.messages:
            with contextlib.suppress(Gone):
                await self.messages.edit(dest, message, pieces[0])
                begun.messages.append(message)

    async def _drop_unfinished(self, lane: str, dest: Dest) -> None:
        """Of an answer that was being written, nothing is left to be said."""
        left = await self.streams.unfinished(lane)
        message = await self._standing_of(dest, left)
        if message is not None:
            await self._delete(dest, (message,))
        if left != Unfinished():
            await self.streams.forget(lane)

    async def _standing_of(self, dest: Dest, left: Unfinished) -> int | None:
        """The message of an unfinished answer, if one stands in the chat."""
        place = left.place
        if place is None or place.get("chat") != await self.calls.number_of(dest.chat):
            return None
        return int(place["message"])

    # Cards

    async def _draw(self, lane: str, dest: Dest, card: Card, begun: _Begun) -> Drawn:
        again = begun.again
        try:
            return await self._draw_as(
                dest, card, begun, await self._pieces(lane, card, again=again)
            )
        except NotRich:
            plain = await self._pieces(lane, card, plain=True, again=again)
            return await self._draw_as(dest, card, begun, plain)

    async def _draw_as(self, dest: Dest, card: Card, begun: _Begun, pieces: Pieces) -> Drawn:
        is_rich = pieces[-1].rich is not None
        if isinstance(card, Summary) and not (is_rich and rich.shows_files(card)):
            await self._send_files(dest, card, begun)
        messages = await self._send_rest(dest, begun, pieces)
        return Drawn(
            chat=await self.calls.number_of(dest.chat),
            messages=messages,
            rich=is_rich,
            media=tuple(begun.files.messages),
            card=_kept(card),
            at=begun.at,
        )

    async def _send_rest(self, dest: Dest, begun: _Begun, pieces: Pieces) -> tuple[int, ...]:
        """Send what has not been sent yet: what is tried again goes on where it stopped."""
        for piece in pieces[len(begun.messages) :]:
            begun.messages.append(await self._send(dest, begun, piece))
        return tuple(begun.messages)

    async def _send(self, dest: Dest, begun: _Begun, piece: Piece) -> int:
        try:
            message, begun.at = await self.messages.send(dest, piece)
            return message
        except (Flooded, Refused, Unreachable, NotRich):
            raise
        except BaseException:
            # Its answer is lost, or whoever waited for it is cancelled: perhaps it was sent.
            begun.again = True
            raise

    async def _send_files(self, dest: Dest, card: Summary, begun: _Begun) -> None:
        """Send the files that stand in a summary, above it."""
        refs = [media_of(ref) for row in card.rows for ref in row.files]
        media = [one for one in refs if one is not None]
        try:
            await send_files(self.calls, dest, media, begun.files)
        finally:
            # The card itself says so.
            begun.again = begun.again or begun.files.again

    async def _change(
        self, lane: str, dest: Dest, card: Card, drawn: Drawn | None, begun: _Begun
    ) -> Drawn:
        if drawn is None or begun.anew or not await self._stands(drawn, dest):
            return await self._draw(lane, dest, card, begun)
        page = min(drawn.page, render.pages(card) - 1)
        try:
            shown = await self._redrawn(lane, dest, card, drawn, page, begun)
        except Gone:
            await self._give_up(dest, drawn, begun)
            return await self._draw(lane, dest, card, begun)
        await self._delete(dest, drawn.also)
        return shown

    async def _redrawn(
        self, lane: str, dest: Dest, card: Card, drawn: Drawn, page: int, begun: _Begun
    ) -> Drawn:
        """A card drawn anew where it stands; no other message has its buttons then."""
        pieces = await self._pieces(lane, card, page=page, plain=not drawn.rich)
        try:
            messages = await self._become(dest, drawn.messages, pieces, begun)
        except NotRich:
            pieces = await self._pieces(lane, card, page=page, plain=True)
            messages = await self._become(dest, drawn.messages, pieces, begun)
        is_rich = pieces[-1].rich is not None
        changes = {"messages": messages, "rich": is_rich, "page": page, "card": _kept(card)}
        return msgspec.structs.replace(drawn, also=(), **changes)

    async def turn_page(self, lane: str, dest: Dest, drawn: Drawn, page: int) -> Drawn:
        """Show another page of a card's buttons. Raises ApiFailed."""
        card = _CARD.decode(drawn.card)
        page = max(0, min(page, render.pages(card) - 1))
        pieces = await self._pieces(lane, card, page=page, plain=True)
        begun = _Begun(Change(card=card))
        try:
            messages = await self._become(dest, drawn.messages, pieces, begun)
        except Gone:
            return drawn
        return msgspec.structs.replace(drawn, messages=messages, page=page)

    async def _close(
        self, lane: str, dest: Dest, effect: Close, drawn: Drawn | None, begun: _Begun
    ) -> Drawn | None:
        """Leave the receipt, or nothing, where a card stood. From then on the card stands nowhere:
        a tap on it that comes late takes no receipt away."""
        if drawn is None:
            await self._print(dest, effect.receipt, begun)
            return None
        if begun.anew or not await self._stands(drawn, dest):
            await self._print(dest, effect.receipt, begun)
        elif not effect.receipt:
            await self._delete(dest, (*drawn.media, *drawn.messages, *drawn.also))
        else:
            await self._leave_receipt(dest, effect, drawn, begun)
        return Drawn(chat=drawn.chat, messages=())

    async def _print(self, dest: Dest, receipt: str, begun: _Begun) -> None:
        """A receipt, or a confirmed summary, that no card is there to become."""
        line = await self._line(dest, begun)
        pieces = render.receipt(receipt, again=line, **await self._named(dest))
        await self._send_rest(dest, begun, pieces)

    async def _leave_receipt(self, dest: Dest, effect: Close, drawn: Drawn, begun: _Begun) -> None:
        card = _CARD.decode(drawn.card) if drawn.card else None
        try:
            if isinstance(card, Summary):
                await self._confirm(dest, card, effect.receipt, drawn, begun)
            else:
                # The newest of its messages, so that the receipt stands where the buttons were.
                pieces = render.receipt(effect.receipt, **await self._named(dest))
                await self._become(dest, drawn.messages[-1:], pieces, begun)
                await self._delete(dest, drawn.messages[:-1])
            await self._delete(dest, drawn.also)
        except Gone:
            await self._give_up(dest, drawn, begun)
            await self._print(dest, effect.receipt, begun)

    async def _confirm(
        self, dest: Dest, card: Summary, receipt: str, drawn: Drawn, begun: _Begun
    ) -> None:
        """A confirmed summary stays as it was shown, without its buttons."""
        texts = await self._texts(dest)
        name = await self._name(dest)
        pieces: Pieces = render.confirmed(card, texts, receipt, for_name=name, owner=dest.owner)
        as_rich = rich.confirmed(card, dest, texts, receipt, name) if drawn.rich else None
        form = pieces if as_rich is None else (as_rich,)
        try:
            await self._become(dest, drawn.messages, form, begun)
        except NotRich:
            await self._become(dest, drawn.messages, pieces, begun)

    async def _pieces(
        self, lane: str, card: Card, *, page: int = 0, plain: bool = False, again: bool = False
    ) -> Pieces:
        dest, person = dest_of(lane), await self.who(lane)
        texts = Texts(person.locale)
        name = await self._name(dest)
        line = texts("telegram.again") if again else ""
        if not plain and self.messages.speaks_rich is not False:
            files = rich.shows_files(card)
            drawn = rich.card(card, dest, texts, for_name=name, again=line, files=files)
            if drawn is not None:
                return (drawn,)
        return render.card(card, dest, texts, page=page, for_name=name, again=line)

    # Where cards stand

    async def _stands(self, drawn: Drawn, dest: Dest) -> bool:
        """Whether a card stands in the chat as far as the bot knows, and not in the group that it
        was before it became a supergroup, where nothing can be changed any more."""
        return bool(drawn.messages) and drawn.chat == await self.calls.number_of(dest.chat)

    async def _give_up(self, dest: Dest, drawn: Drawn, begun: _Begun) -> None:
        """A message of a card is gone, so it comes as a new one, and the rest of it goes."""
        begun.anew = True
        begun.messages.clear()
        if await self._stands(drawn, dest):
            await self._delete(dest, (*drawn.media, *drawn.messages, *drawn.also))

    async def _become(
        self, dest: Dest, messages: tuple[int, ...], pieces: Pieces, begun: _Begun
    ) -> tuple[int, ...]:
        """Make messages that are there into these pieces; where they stand now. Raises Gone where
        one of them is there no longer."""
        for number in range(len(begun.messages), min(len(messages), len(pieces))):
            await self.messages.edit(dest, messages[number], pieces[number])
            begun.messages.append(messages[number])
        standing = await self._send_rest(dest, begun, pieces)
        await self._delete(dest, messages[len(pieces) :])
        return standing

    async def _delete(self, dest: Dest, messages: tuple[int, ...]) -> None:
        async def instead() -> str:
            return (await self._texts(dest))("telegram.earlier_card")

        if messages:
            await self.messages.delete(dest, messages, instead)


def _kept(card: Card) -> str:
    """The card itself, where it is needed again: to turn its pages, or to leave it standing."""
    if isinstance(card, Summary) or render.pages(card) > 1:
        return msgspec.json.encode(card).decode()
    return ""
