"""How a turn's effects are shown in Slack. In what order is in core.showing.

A click that settles an ask costs two calls, and so do words: the card that becomes its receipt, the
next card. A card that only moves down is deleted where it stood.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from channels.slack import render
from channels.slack.api import Limited, Refused, Unreachable
from channels.slack.beside import Beside
from channels.slack.calling import Calls
from channels.slack.controls import opens
from channels.slack.messages import Messages
from channels.slack.native import Drawn, Post
from channels.slack.payload import Dest
from channels.slack.streaming import Streams
from core.cards import Card, Summary
from core.channel import Native
from core.effects import Effect, Say, Toast
from core.progress import Progress
from core.showing import Showing
from core.state import Person
from core.texts import Texts

Posts = Sequence[Post]
WhoIs = Callable[[str], Awaitable[Person]]
"""Whose conversation a lane is."""


class Sending(Showing[Dest, Drawn, str, Post, Progress]):
    """Sends into conversations."""

    def __init__(self, calls: Calls, streams: Streams, who: WhoIs, beside: Beside) -> None:
        super().__init__(streams, Progress, (Limited, Refused, Unreachable))
        self.calls = calls
        self.streams = streams
        self.who = who
        self.messages = Messages(calls)
        self.beside = beside

    async def carry_out(
        self, dest: Dest, effect: Effect, drawn: Drawn | None, again: bool
    ) -> Drawn | None:
        """Carry out one effect. Raises ApiFailed and Later."""
        if not isinstance(effect, Toast):
            return await self.show(dest, effect, drawn, again=again)
        if effect.text and effect.to and not effect.told:
            await self._toast(dest, effect.to, effect.text)
        return None

    async def _toast(self, dest: Dest, person: str, text: str) -> None:
        """Answer a click. Nobody's conversation waits for a word to somebody else, nor for the time
        that Slack wants for one."""
        if person == dest.owner:
            with contextlib.suppress(Limited):
                await self.messages.tell(dest, person, text)
                return
        self.beside.tell((dest.lane, person), lambda: self.messages.tell(dest, person, text))

    async def texts(self, lane: str) -> Texts:
        """The texts that a lane is talked to with."""
        return Texts((await self.who(lane)).locale)

    # What Slack does

    async def _reach(self, to: Dest) -> None:
        await self.calls.reach(to)

    async def _post(self, to: Dest, content: Post, begun: Progress) -> str:
        return await self.messages.post(to, content)

    async def _edit(self, to: Dest, message: str, content: Post) -> None:
        await self.messages.change(to, message, content)

    async def _remove(self, to: Dest, messages: Sequence[str]) -> None:
        async def instead() -> str:
            return (await self.texts(to.lane))("slack.earlier_card")

        await self.messages.delete(to, messages, instead)

    async def _unfinished(self, to: Dest, place: Native) -> str | None:
        return str(place["message"])

    async def _release(self, to: Dest, place: Native) -> None:
        await self.streams.stop(to, place)

    # What things look like

    async def _words(self, to: Dest, effect: Say, *, again: bool) -> Posts:
        return render.message(effect.text, again=await self._line(to, again))

    async def _receipt(self, to: Dest, receipt: str, *, again: bool) -> Posts:
        return render.receipt(receipt, again=await self._line(to, again))

    async def _card(
        self, to: Dest, card: Card, place: Drawn | None, *, plain: bool, again: bool
    ) -> Posts:
        person = await self.who(to.lane)
        name = "" if to.direct else person.name
        line = await self._line(to, again)
        return render.card(card, to, Texts(person.locale), for_name=name, again=line)

    async def _confirmed(
        self, to: Dest, card: Summary, receipt: str, place: Drawn, *, plain: bool
    ) -> Posts:
        return render.confirmed(card, await self.texts(to.lane), receipt)

    async def _line(self, dest: Dest, again: bool) -> str:
        """What a message says that is there twice, perhaps."""
        return (await self.texts(dest.lane))("slack.again") if again else ""

    # What Slack has besides

    async def _say_alone(self, to: Dest, effect: Say, begun: Progress) -> bool:
        """By messages that others do not see."""
        if to.direct:
            return False
        posts = await self._words(to, effect, again=begun.again)
        for post in posts[len(begun.messages) :]:
            said = self.messages.whisper(to, post)
            begun.messages.append(await self._doubting(begun, said))
        return True

    # What is written down

    async def _drawn(self, to: Dest, card: Card, contents: Posts, begun: Progress) -> Drawn:
        messages = tuple(begun.messages)
        # A message's ts is when it was posted (docs.slack.dev/messaging/retrieving-messages).
        at = float(messages[-1])
        return Drawn(channel=to.channel, messages=messages, card=_kept(card), at=at)

    def _redrawn(self, place: Drawn, card: Card, contents: Posts, begun: Progress) -> Drawn:
        messages = tuple(begun.messages)
        return msgspec.structs.replace(place, messages=messages, also=(), card=_kept(card))

    def _closed(self, to: Dest, place: Drawn) -> Drawn:
        return Drawn(channel=to.channel, messages=(), card=place.card)


def _kept(card: Card) -> str:
    """The card itself, where it is needed again: to open its modal, or to leave it standing."""
    if isinstance(card, Summary) or opens(card):
        return msgspec.json.encode(card).decode()
    return ""
