"""Carries out what turns want to happen, in order for each lane, from the durable outbox."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import structlog

from core.channel import Channel, Later, Never
from core.effects import Change, Close, Draw, Effect
from core.store import Outgoing, Store

log = structlog.get_logger()


@dataclass
class Sender:
    """Sends for the channels of this process.

    A failing effect is tried `tries` times; `lease` are the seconds that one attempt may take.
    """

    store: Store
    owner: str
    channels: dict[str, Channel] = field(default_factory=dict)
    tries: int = 5
    lease: float = 60.0

    async def send(self) -> int:
        """Carry out the head of every lane that has one; how many there were."""
        rows = await self.store.due(self.owner, tuple(self.channels), lease=self.lease)
        await asyncio.gather(*(self._carry_out(row) for row in rows))
        return len(rows)

    async def drain(self) -> None:
        """Send until nothing is due."""
        while await self.send():
            pass

    async def run(self, idle: float = 0.1) -> None:
        """Send until cancelled."""
        while True:
            if not await self.send():
                await asyncio.sleep(idle)

    async def _carry_out(self, row: Outgoing) -> None:
        channel = self.channels[row.lane.partition(":")[0]]
        card = card_of(row.effect)
        drawn = await self.store.where(row.lane, card) if card else None
        try:
            native = await channel.carry_out(row.lane, row.effect, drawn, again=row.tries > 0)
        except Later as later:
            await self.store.retry(row, str(later), later.seconds, counts=False)
        except Never as never:
            await self.store.park(row, str(never))
        except Exception as error:
            log.exception("send_failed", lane=row.lane, tries=row.tries)
            if row.tries + 1 >= self.tries:
                await self.store.park(row, type(error).__name__)
            else:
                await self.store.retry(row, type(error).__name__, 2.0**row.tries)
        else:
            await self.store.sent(row, native, card)


def card_of(effect: Effect) -> str:
    """The card that an effect draws, changes or closes; empty for one without."""
    if isinstance(effect, Draw | Change):
        return effect.card.id
    return effect.card if isinstance(effect, Close) else ""
