"""Carries out what a turn wants to happen, in as few calls as it takes.

A click that settles an ask costs two, and so do words: the card that becomes its receipt, the next
card. A card that only moves down is deleted where it stood.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable

import msgspec

from channels.slack import render
from channels.slack.api import Limited, Refused, Unreachable
from channels.slack.calling import Calls, Gone
from channels.slack.controls import opens
from channels.slack.messages import Messages
from channels.slack.native import Drawn, Post
from channels.slack.payload import Dest, dest_of
from channels.slack.streaming import Streams
from core.cards import Card, Summary
from core.channel import Native
from core.effects import Change, Close, Draw, Effect, Say, Toast
from core.previews import Unfinished
from core.progress import Progress, Underway
from core.state import Person
from core.texts import Texts

_CARD: msgspec.json.Decoder[Card] = msgspec.json.Decoder(Card)

Posts = tuple[Post, ...]
WhoIs = Callable[[str], Awaitable[Person]]
"""Whose conversation a lane is."""


class Sending:
    """Sends into conversations."""

    def __init__(self, calls: Calls, streams: Streams, who: WhoIs) -> None:
        self.calls = calls
        self.streams = streams
        self.who = who
        self.messages = Messages(calls)
        self._underway: Underway[Progress] = Underway(Progress)

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Drawn | None, again: bool
    ) -> Drawn | None:
        """Carry out one effect. Raises ApiFailed and Later."""
        dest = dest_of(lane)
        if isinstance(effect, Toast):
            if effect.text and effect.to and not effect.told:
                await self.messages.tell(dest, effect.to, effect.text)
            return None
        begun = self._underway.begin(lane, effect, again)
        if again:
            await self.calls.reach(dest)
        place = await self._shown(lane, dest, effect, drawn, begun)
        self._underway.end(lane)
        return place

    def has_begun(self, lane: str) -> bool:
        """Whether a part of what the lane is sending was carried out."""
        begun = self._underway.get(lane)
        return begun is not None and bool(begun.messages)

    async def _shown(
        self, lane: str, dest: Dest, effect: Effect, drawn: Drawn | None, begun: Progress
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
            return await self._close(dest, effect, drawn, begun)
        return None

    async def texts(self, lane: str) -> Texts:
        """The texts that a lane is talked to with."""
        return Texts((await self.who(lane)).locale)

    async def _line(self, dest: Dest, begun: Progress) -> str:
        """What a message says that is there twice, perhaps."""
        return (await self.texts(dest.lane))("slack.again") if begun.again else ""

    # What has no controls

    async def _say(self, lane: str, dest: Dest, effect: Say, begun: Progress) -> None:
        left = await self.streams.unfinished(lane)
        begun.again = left.lost or begun.again
        line = await self._line(dest, begun) if left.place is None or left.doubted else ""
        posts = render.message(effect.text, again=line)
        if left.place is not None:
            await self._finish(dest, left.place, () if left.doubted else posts, begun)
        if left != Unfinished():
            await self.streams.forget(lane)
        await self._send_rest(dest, begun, posts)

    async def _finish(self, dest: Dest, unfinished: Native, posts: Posts, begun: Progress) -> None:
        """The unfinished answer becomes the answer, or the first message of it."""
        message = str(unfinished["message"])
        await self.streams.stop(dest, unfinished)
        if not posts:
            await self._delete(dest, (message,))
        elif not begun.messages:
            with contextlib.suppress(Gone):
                await self.messages.change(dest, message, posts[0])
                begun.messages.append(message)

    async def _drop_unfinished(self, lane: str, dest: Dest) -> None:
        """Of an answer that was being written, nothing is left to be said."""
        left = await self.streams.unfinished(lane)
        if left.place is not None:
            await self._finish(dest, left.place, (), Progress(Say(text="")))
        if left != Unfinished():
            await self.streams.forget(lane)

    # Cards

    async def _draw(self, lane: str, dest: Dest, card: Card, begun: Progress) -> Drawn:
        posts = await self._posts(lane, card, again=begun.again)
        messages = await self._send_rest(dest, begun, posts)
        # A message's ts is when it was posted (docs.slack.dev/messaging/retrieving-messages).
        at = float(messages[-1])
        return Drawn(channel=dest.channel, messages=messages, card=_kept(card), at=at)

    async def _send_rest(self, dest: Dest, begun: Progress, posts: Posts) -> tuple[str, ...]:
        """Send what has not been sent yet: what is tried again goes on where it stopped."""
        for post in posts[len(begun.messages) :]:
            begun.messages.append(await self._send(dest, begun, post))
        return tuple(begun.messages)

    async def _send(self, dest: Dest, begun: Progress, post: Post) -> str:
        try:
            return await self.messages.post(dest, post)
        except (Limited, Refused, Unreachable):
            raise
        except BaseException:
            # Its answer is lost, or whoever waited for it is cancelled: perhaps it was sent.
            begun.again = True
            raise

    async def _change(
        self, lane: str, dest: Dest, card: Card, drawn: Drawn | None, begun: Progress
    ) -> Drawn:
        if drawn is None or begun.anew or not drawn.messages:
            return await self._draw(lane, dest, card, begun)
        posts = await self._posts(lane, card)
        try:
            messages = await self._become(dest, drawn.messages, posts, begun)
        except Gone:
            await self._give_up(dest, drawn, begun)
            return await self._draw(lane, dest, card, begun)
        await self._delete(dest, drawn.also)
        return msgspec.structs.replace(drawn, messages=messages, also=(), card=_kept(card))

    async def _close(
        self, dest: Dest, effect: Close, drawn: Drawn | None, begun: Progress
    ) -> Drawn | None:
        """Leave the receipt, or nothing, where a card stood. From then on the card stands nowhere:
        a click on it that comes late takes no receipt away."""
        if drawn is None:
            await self._print(dest, effect.receipt, begun)
            return None
        if begun.anew or not drawn.messages:
            await self._print(dest, effect.receipt, begun)
        elif not effect.receipt:
            await self._delete(dest, (*drawn.messages, *drawn.also))
        else:
            await self._leave_receipt(dest, effect, drawn, begun)
        return Drawn(channel=dest.channel, messages=(), card=drawn.card)

    async def _print(self, dest: Dest, receipt: str, begun: Progress) -> None:
        """A receipt, or a confirmed summary, that no card is there to become."""
        if receipt:
            line = await self._line(dest, begun)
            await self._send_rest(dest, begun, render.receipt(receipt, again=line))

    async def _leave_receipt(
        self, dest: Dest, effect: Close, drawn: Drawn, begun: Progress
    ) -> None:
        card = _CARD.decode(drawn.card) if drawn.card else None
        try:
            if isinstance(card, Summary):
                texts = await self.texts(dest.lane)
                posts = render.confirmed(card, texts, effect.receipt)
                await self._become(dest, drawn.messages, posts, begun)
            else:
                # The newest of its messages, so that the receipt stands where the controls were.
                posts = render.receipt(effect.receipt)
                await self._become(dest, drawn.messages[-1:], posts, begun)
                await self._delete(dest, drawn.messages[:-1])
            await self._delete(dest, drawn.also)
        except Gone:
            await self._give_up(dest, drawn, begun)
            await self._print(dest, effect.receipt, begun)

    async def _posts(self, lane: str, card: Card, *, again: bool = False) -> Posts:
        dest, person = dest_of(lane), await self.who(lane)
        texts = Texts(person.locale)
        name = "" if dest.direct else person.name
        line = texts("slack.again") if again else ""
        return render.card(card, dest, texts, for_name=name, again=line)

    # Where cards stand

    async def _give_up(self, dest: Dest, drawn: Drawn, begun: Progress) -> None:
        """A message of a card is gone, so it comes as a new one, and the rest of it goes."""
        begun.anew = True
        begun.messages.clear()
        await self._delete(dest, (*drawn.messages, *drawn.also))

    async def _become(
        self, dest: Dest, messages: tuple[str, ...], posts: Posts, begun: Progress
    ) -> tuple[str, ...]:
        """Make messages that are there into these; where they stand now. Raises Gone where one of
        them is there no longer."""
        for number in range(len(begun.messages), min(len(messages), len(posts))):
            await self.messages.change(dest, messages[number], posts[number])
            begun.messages.append(messages[number])
        standing = await self._send_rest(dest, begun, posts)
        await self._delete(dest, messages[len(posts) :])
        return standing

    async def _delete(self, dest: Dest, messages: tuple[str, ...]) -> None:
        async def instead() -> str:
            return (await self.texts(dest.lane))("slack.earlier_card")

        if messages:
            await self.messages.delete(dest, messages, instead)


def _kept(card: Card) -> str:
    """The card itself, where it is needed again: to open its modal, or to leave it standing."""
    if isinstance(card, Summary) or opens(card):
        return msgspec.json.encode(card).decode()
    return ""
