"""How a turn's effects are shown in Telegram. In what order is in core.showing.

A tap that settles an ask costs three calls: the answer to the tap, the card that becomes its
receipt, the next card. Words cost the last two. A card that only moves down is deleted where it
stood.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

import msgspec
import structlog

from channels.telegram import render, rich
from channels.telegram.answers import Answers
from channels.telegram.api import Flooded, Refused, Unreachable
from channels.telegram.calling import SHUT, Calls
from channels.telegram.files import Sent, send_files
from channels.telegram.left import Left
from channels.telegram.messages import Messages
from channels.telegram.native import Drawn, Piece, media_of
from channels.telegram.payload import Dest
from channels.telegram.streaming import Streams, WhoIs
from core.cards import Card, Summary
from core.carrying import Gone
from core.channel import Native
from core.effects import Change, Close, Draw, Effect, Page, Say, Toast
from core.progress import Progress
from core.showing import Showing
from core.texts import Texts

log = structlog.get_logger()

_CARD: msgspec.json.Decoder[Card] = msgspec.json.Decoder(Card)

Pieces = Sequence[Piece]
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

    @property
    def has_begun(self) -> bool:
        """Whether a part of it was carried out."""
        return bool(self.messages or self.files.handled)


def _begin(effect: Effect, again: bool) -> _Begun:
    return _Begun(effect, again, files=Sent(again=again))


class Sending(Showing[Dest, Drawn, int, Piece, _Begun]):
    """Sends into chats."""

    def __init__(self, calls: Calls, streams: Streams, who: WhoIs, home: str, below: Below) -> None:
        """`home` is the address of the bot's private chat."""
        super().__init__(streams, _begin, (Flooded, Refused, Unreachable))
        self.home = home
        self.below = below
        self.calls = calls
        self.who = who
        self.answers = Answers(calls.api)
        self.messages = Messages(calls)
        self.left = Left(calls.store)

    async def carry_out(
        self, dest: Dest, effect: Effect, drawn: Drawn | None, again: bool
    ) -> Drawn | None:
        """Carry out one effect. Raises ApiFailed and Later."""
        if isinstance(effect, Toast):
            await self.answer(effect.to, effect.text)
            return None
        if isinstance(effect, Page):
            return await self._turn_page(dest, effect, drawn)
        place = await self.show(dest, effect, drawn, again=again)
        if isinstance(effect, Draw):
            await self.left.catch_up(dest.lane, lambda one, at: self._close_late(dest, one, at))
        return place

    async def _close_late(self, dest: Dest, effect: Close, drawn: Drawn) -> None:
        await self._close(dest, effect, drawn, _Begun(effect))

    async def answer(self, handle: str, text: str = "") -> None:
        """Answer a tap, once."""
        await self.answers.give(handle, text)

    async def _turn_page(self, dest: Dest, effect: Page, drawn: Drawn | None) -> Drawn | None:
        """Show another page of a card's buttons, where it still stands."""
        await self.answer(effect.to)
        if drawn is None or not drawn.card or not await self._stands(dest, drawn):
            return None
        card = _CARD.decode(drawn.card)
        page = max(0, min(effect.number, render.pages(card) - 1))
        turned = msgspec.structs.replace(drawn, page=page)
        begun = _Begun(Change(card=card))
        try:
            pieces = await self._card(dest, card, turned, plain=True, again=False)
            await self._become(dest, drawn.messages, pieces, begun)
        except (Gone, Refused) as refused:
            log.warning("page_not_turned", lane=dest.lane, error=type(refused).__name__)
            return None
        return msgspec.structs.replace(turned, messages=tuple(begun.messages))

    # What Telegram does

    async def _reach(self, to: Dest) -> None:
        await self.calls.reach(to)

    async def _post(self, to: Dest, content: Piece, begun: _Begun) -> int:
        message, begun.at = await self.messages.send(to, content)
        return message

    async def _edit(self, to: Dest, message: int, content: Piece) -> None:
        await self.messages.edit(to, message, content)

    async def _remove(self, to: Dest, messages: Sequence[int]) -> None:
        async def instead() -> str:
            return (await self._texts(to))("telegram.earlier_card")

        await self.messages.delete(to, messages, instead)

    async def _unfinished(self, to: Dest, place: Native) -> int | None:
        there = place.get("chat") == await self.calls.number_of(to.chat)
        return int(place["message"]) if there else None

    # What things look like

    async def _words(self, to: Dest, effect: Say, *, again: bool) -> Pieces:
        line = await self._line(to, again)
        return render.message(effect.text, again=line, **await self._named(to))

    async def _receipt(self, to: Dest, receipt: str, *, again: bool) -> Pieces:
        line = await self._line(to, again)
        return render.receipt(receipt, again=line, **await self._named(to))

    async def _card(
        self, to: Dest, card: Card, place: Drawn | None, *, plain: bool, again: bool
    ) -> Pieces:
        texts, name, line = await self._texts(to), await self._name(to), await self._line(to, again)
        was_plain = place is not None and not place.rich
        if not plain and not was_plain and self.messages.speaks_rich is not False:
            files = rich.shows_files(card)
            drawn = rich.card(card, to, texts, for_name=name, again=line, files=files)
            if drawn is not None:
                return (drawn,)
        page = _page(card, place)
        return render.card(card, to, texts, page=page, for_name=name, again=line)

    async def _confirmed(
        self, to: Dest, card: Summary, receipt: str, place: Drawn, *, plain: bool
    ) -> Pieces:
        texts, name = await self._texts(to), await self._name(to)
        if place.rich and not plain:
            as_rich = rich.confirmed(card, to, texts, receipt, name)
            if as_rich is not None:
                return (as_rich,)
        return render.confirmed(card, texts, receipt, for_name=name, owner=to.owner)

    async def _texts(self, dest: Dest) -> Texts:
        return Texts((await self.who(dest.lane)).locale)

    async def _line(self, dest: Dest, again: bool) -> str:
        """What a message says that is there twice, perhaps."""
        return (await self._texts(dest))("telegram.again") if again else ""

    async def _name(self, dest: Dest) -> str:
        """Whom it is for; nothing needs to be said where nobody else is."""
        return "" if dest.private else (await self.who(dest.lane)).name

    async def _named(self, dest: Dest) -> Whose:
        return {"for_name": await self._name(dest), "owner": dest.owner}

    # What is written down

    async def _drawn(self, to: Dest, card: Card, contents: Pieces, begun: _Begun) -> Drawn:
        return Drawn(
            chat=await self.calls.number_of(to.chat),
            messages=tuple(begun.messages),
            rich=contents[-1].rich is not None,
            media=tuple(begun.files.messages),
            card=_kept(card),
            at=begun.at,
        )

    def _redrawn(self, place: Drawn, card: Card, contents: Pieces, begun: _Begun) -> Drawn:
        changed = msgspec.structs.replace(place, messages=tuple(begun.messages), also=())
        is_rich, page = contents[-1].rich is not None, _page(card, place)
        return msgspec.structs.replace(changed, rich=is_rich, page=page, card=_kept(card))

    def _closed(self, to: Dest, place: Drawn) -> Drawn:
        return Drawn(chat=place.chat, messages=())

    async def _stands(self, to: Dest, place: Drawn) -> bool:
        # In the group that it was before it became a supergroup nothing can be changed any more.
        return bool(place.messages) and place.chat == await self.calls.number_of(to.chat)

    def _all_of(self, place: Drawn) -> tuple[int, ...]:
        return (*place.media, *place.messages, *place.also)

    # What Telegram has besides

    async def _say_alone(self, to: Dest, effect: Say, begun: _Begun) -> bool:
        """Into the person's private chat. Where the bot may not write to them, it says how to ask
        for it there."""
        if to.private:
            return False
        alone, key = Dest(chat=to.owner, owner=to.owner), "telegram.in_private"
        said: Pieces = render.message(effect.text, again=await self._line(to, begun.again))
        try:
            await self._send_rest(alone, said, begun)
        except Refused as refused:
            if refused.code != 403 and not refused.says(*SHUT):
                raise
            said, key = (), "telegram.ask_in_private"
        else:
            await self.below(alone.lane, begun.messages[-1])
        line = (await self._texts(to))(key, chat=self.home)
        named = render.message(line, **await self._named(to))
        await self._send_rest(to, (*said, *named), begun)
        return True

    async def _put_above(self, to: Dest, card: Card, contents: Pieces, begun: _Begun) -> None:
        """The files that stand in a summary, unless it shows them itself."""
        is_rich = contents[-1].rich is not None
        if not isinstance(card, Summary) or (is_rich and rich.shows_files(card)):
            return
        try:
            refs = [media_of(ref) for row in card.rows for ref in row.files]
            media = [one for one in refs if one is not None]
            await send_files(self.calls, to, media, begun.files)
        finally:
            # The card itself says so.
            begun.again = begun.again or begun.files.again


def _page(card: Card, place: Drawn | None) -> int:
    return 0 if place is None else min(place.page, render.pages(card) - 1)


def _kept(card: Card) -> str:
    """The card itself, where it is needed again: to turn its pages, or to leave it standing."""
    if isinstance(card, Summary) or render.pages(card) > 1:
        return msgspec.json.encode(card).decode()
    return ""
