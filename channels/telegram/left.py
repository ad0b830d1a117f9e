"""Cards that were to be closed while their chat took nothing: the bot was blocked, or muted.

They still stand there with their buttons. When the chat takes something again, they are closed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import msgspec
import structlog

from channels.telegram.api import ApiFailed
from channels.telegram.native import Drawn
from core.effects import Close, Effect
from core.store import Store

log = structlog.get_logger()

_PLACE = "~left"
"""Where they are kept, among the places of the lane's cards."""

CloseLate = Callable[[Close, Drawn], Awaitable[None]]


@dataclass
class Left:
    """The cards left open, by lane. Nothing is asked of the store for a lane that has none."""

    store: Store
    _none_in: set[str] = field(default_factory=set)

    async def keep(self, lane: str, effect: Effect) -> None:
        """Note what an effect that was given up would have closed."""
        if isinstance(effect, Close):
            receipts = await self._receipts(lane)
            await self._write(lane, receipts | {effect.card: effect.receipt})
            self._none_in.discard(lane)

    async def catch_up(self, lane: str, close: CloseLate) -> None:
        """Close them now; the lane's chat takes messages. What fails is tried the next time."""
        if lane in self._none_in:
            return
        receipts = await self._receipts(lane)
        for card, receipt in list(receipts.items()):
            native = await self.store.where(lane, card)
            try:
                if native:
                    drawn = msgspec.convert(native, Drawn)
                    await close(Close(card=card, receipt=receipt), drawn)
                    closed = msgspec.structs.replace(drawn, messages=(), also=())
                    await self.store.remember(lane, card, msgspec.to_builtins(closed))
            except ApiFailed as failed:
                log.info("card_still_left", lane=lane, why=str(failed))
                return
            del receipts[card]
            await self._write(lane, receipts)
        self._none_in.add(lane)

    async def _receipts(self, lane: str) -> dict[str, str]:
        found = await self.store.where(lane, _PLACE)
        return dict(found["receipts"]) if found else {}

    async def _write(self, lane: str, receipts: dict[str, str]) -> None:
        await self.store.remember(lane, _PLACE, {"receipts": receipts})
