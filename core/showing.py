"""How effects are shown in a chat, in as few calls as it takes. The rules, on every platform:

1. What is tried again goes on where it stopped; a message that is there twice, perhaps, says so
   (see `core.carrying`).
2. A card that is changed is changed where it stands, message by message. What it has more comes
   below, what it had more goes.
3. A card that is closed becomes its receipt, where its controls were; one without a receipt goes. A
   summary stays as it was shown, without its controls. From then on it stands nowhere.
4. What is gone, or stands where it cannot be changed, comes as something new below, and what is
   left of the old one goes.
5. An unfinished answer becomes the answer. It goes where nothing is said, where a card comes
   instead, and where a change of it may still be on its way.
6. What the platform does not take in its best form comes in a plainer one.

A channel says how its platform sends, changes and takes away one message, and what a card, a
receipt or a text look like there.
"""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from core.cards import Card, Summary
from core.carrying import B, Carrying, Gone, M, N, NotTaken, T, W
from core.channel import Native
from core.effects import Change, Close, Draw, Effect, Say
from core.previews import Previews, Unfinished

_CARD: msgspec.json.Decoder[Card] = msgspec.json.Decoder(Card)


class Place(Protocol):
    """Where a card stands: its `messages` in their order, the last with the controls.

    `also` are further messages of the same card that came to be known later. `card` is the card's
    JSON, where it is needed again.
    """

    @property
    def messages(self) -> tuple[Any, ...]: ...

    @property
    def also(self) -> tuple[Any, ...]: ...

    @property
    def card(self) -> str: ...


P = TypeVar("P", bound=Place)


class Showing(Carrying[W, M, N, B], Generic[W, P, M, N, B]):
    """Shows effects in the chats of one platform (see `core.carrying.Carrying`)."""

    def __init__(
        self,
        previews: Previews[Any, Any],
        begin: Callable[[Effect, bool], B],
        unsent: tuple[type[Exception], ...],
    ) -> None:
        super().__init__(begin, unsent)
        self._previews = previews

    # What a platform does

    @abstractmethod
    async def _unfinished(self, to: W, place: Native) -> M | None:
        """The message of an unfinished answer, if it stands where it can be changed."""

    async def _release(self, to: W, place: Native) -> None:
        """Make an unfinished answer a message like any other, which can be changed."""

    # What things look like

    @abstractmethod
    async def _words(self, to: W, effect: Say, *, again: bool) -> Sequence[N]:
        """A message without controls; empty where there is nothing to see in it."""

    @abstractmethod
    async def _receipt(self, to: W, receipt: str, *, again: bool) -> Sequence[N]:
        """What a closed card becomes."""

    @abstractmethod
    async def _card(
        self, to: W, card: Card, place: P | None, *, plain: bool, again: bool
    ) -> Sequence[N]:
        """A card, and where it stands if it is drawn in its own place."""

    @abstractmethod
    async def _confirmed(
        self, to: W, card: Summary, receipt: str, place: P, *, plain: bool
    ) -> Sequence[N]:
        """A confirmed summary as it was shown, without its controls, and its receipt."""

    # What is written down

    @abstractmethod
    async def _drawn(self, to: W, card: Card, contents: Sequence[N], begun: B) -> P:
        """The place of a card that has just been drawn."""

    @abstractmethod
    def _redrawn(self, place: P, card: Card, contents: Sequence[N], begun: B) -> P:
        """The place of a card that was drawn again where it stands."""

    @abstractmethod
    def _closed(self, to: W, place: P) -> P:
        """The place of a card that stands nowhere any more."""

    async def _stands(self, to: W, place: P) -> bool:
        """Whether a card stands where it can be changed, as far as the bot knows."""
        return bool(place.messages)

    def _all_of(self, place: P) -> tuple[M, ...]:
        """Every message of a card."""
        return (*place.messages, *place.also)

    # What a platform has besides

    async def _say_alone(self, to: W, effect: Say, begun: B) -> bool:
        """Say what is for nobody else's eyes; False where nobody else is there."""
        return False

    async def _put_above(self, to: W, card: Card, contents: Sequence[N], begun: B) -> None:
        """Send what stands above a card that is drawn."""

    # The order

    async def show(self, to: W, effect: Effect, place: P | None, *, again: bool) -> P | None:
        """Show an effect, whose card stands at `place`; where it stands then. Raises what the
        channel's calls raise, and Later."""
        begun = await self._begin(to, effect, again)
        stands = await self._shown(to, effect, place, begun)
        self._underway.end(to.lane, effect)
        return stands

    async def _shown(self, to: W, effect: Effect, place: P | None, begun: B) -> P | None:
        if isinstance(effect, Say):
            await self._say(to, effect, begun)
            return None
        shows = isinstance(effect, Draw | Change | Close)
        if isinstance(effect, Draw) or (shows and to.lane in self._previews):
            left = await self._previews.unfinished(to.lane)
            await self._finish(to, left, (), begun)
        if isinstance(effect, Draw):
            return await self._draw(to, effect.card, begun)
        if isinstance(effect, Change):
            return await self._change(to, effect.card, place, begun)
        if isinstance(effect, Close):
            return await self._close(to, effect, place, begun)
        return None

    async def _say(self, to: W, effect: Say, begun: B) -> None:
        if effect.personal and await self._say_alone(to, effect, begun):
            return
        left = await self._previews.unfinished(to.lane)
        begun.again = left.lost or begun.again
        becomes = not left.doubted and await self._message_of(to, left) is not None
        contents = await self._words(to, effect, again=begun.again and not becomes)
        await self._finish(to, left, contents, begun)
        await self._send_rest(to, contents, begun)

    async def _finish(self, to: W, left: Unfinished, contents: Sequence[N], begun: B) -> None:
        """The unfinished answer becomes the answer, or the first message of it, or goes."""
        message = await self._message_of(to, left)
        if left.place is not None and message is not None:
            await self._release(to, left.place)
            if left.doubted or not contents:
                await self._remove(to, (message,))
            elif not begun.messages:
                with contextlib.suppress(Gone):
                    await self._edit(to, message, contents[0])
                    begun.messages.append(message)
        if left != Unfinished():
            await self._previews.forget(to.lane)

    async def _message_of(self, to: W, left: Unfinished) -> M | None:
        return None if left.place is None else await self._unfinished(to, left.place)

    async def _draw(self, to: W, card: Card, begun: B) -> P:
        again = begun.again

        async def drawn(plain: bool) -> P:
            contents = await self._card(to, card, None, plain=plain, again=again)
            await self._put_above(to, card, contents, begun)
            await self._send_rest(to, contents, begun)
            return await self._drawn(to, card, contents, begun)

        return await _as_taken(drawn)

    async def _change(self, to: W, card: Card, place: P | None, begun: B) -> P:
        if place is not None and not begun.anew and await self._stands(to, place):
            with contextlib.suppress(Gone):
                return await self._redraw(to, card, place, begun)
            await self._give_up(to, place, begun)
        return await self._draw(to, card, begun)

    async def _redraw(self, to: W, card: Card, place: P, begun: B) -> P:
        async def redrawn(plain: bool) -> P:
            contents = await self._card(to, card, place, plain=plain, again=False)
            await self._become(to, place.messages, contents, begun)
            return self._redrawn(place, card, contents, begun)

        stands = await _as_taken(redrawn)
        # No other message has its controls then.
        await self._take_away(to, place.also)
        return stands

    async def _close(self, to: W, effect: Close, place: P | None, begun: B) -> P | None:
        """From then on the card stands nowhere: a tap on it that comes late takes no receipt
        away."""
        if place is None:
            await self._print(to, effect.receipt, begun)
            return None
        if begun.anew or not await self._stands(to, place):
            await self._print(to, effect.receipt, begun)
        elif not effect.receipt:
            await self._take_away(to, self._all_of(place))
        else:
            await self._leave_receipt(to, effect.receipt, place, begun)
        return self._closed(to, place)

    async def _leave_receipt(self, to: W, receipt: str, place: P, begun: B) -> None:
        card = _CARD.decode(place.card) if place.card else None
        try:
            if isinstance(card, Summary):
                await self._confirm(to, card, receipt, place, begun)
            else:
                # The newest of its messages, so that the receipt stands where the controls were.
                contents = await self._receipt(to, receipt, again=False)
                await self._become(to, place.messages[-1:], contents, begun)
                await self._take_away(to, place.messages[:-1])
            await self._take_away(to, place.also)
        except Gone:
            await self._give_up(to, place, begun)
            await self._print(to, receipt, begun)

    async def _confirm(self, to: W, card: Summary, receipt: str, place: P, begun: B) -> None:
        async def confirmed(plain: bool) -> None:
            contents = await self._confirmed(to, card, receipt, place, plain=plain)
            await self._become(to, place.messages, contents, begun)

        await _as_taken(confirmed)

    async def _print(self, to: W, receipt: str, begun: B) -> None:
        """A receipt, or a confirmed summary, that no card is there to become."""
        if receipt:
            contents = await self._receipt(to, receipt, again=begun.again)
            await self._send_rest(to, contents, begun)

    # Messages

    async def _give_up(self, to: W, place: P, begun: B) -> None:
        """A message of a card is gone, so it comes as a new one, and the rest of it goes."""
        begun.anew = True
        begun.messages.clear()
        if await self._stands(to, place):
            await self._take_away(to, self._all_of(place))


async def _as_taken(show: Callable[[bool], Awaitable[T]]) -> T:
    """Show it in its best form, or else plainly."""
    try:
        return await show(False)
    except NotTaken:
        return await show(True)
