"""A platform with a chat for each lane, and what a lane wants shown in its own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from sqlalchemy import select

from core.channel import Native
from core.effects import Close, Draw, Effect, Effects, Page, Put, Say, Toast
from core.sender import Sender
from core.store import Store
from core.store.sql import pending
from core.store.tables import outbox
from tests.core.store.building import put, state, take

A, B = "test:a", "test:b"
PATIENCE = 60.0
"""Seconds after which a test that waits for what never comes has failed."""

Fault = Exception | Callable[[], Any]
TURNS = count(1)


@dataclass
class Platform:
    """A platform with a chat for each lane. The faults of a lane happen one after the other."""

    name: str = "test"
    command = "/"
    chats: dict[str, list[str]] = field(default_factory=dict)
    seen: list[tuple[str, Native | None, bool]] = field(default_factory=list)
    faults: dict[str, list[Fault]] = field(default_factory=dict)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Native | None, *, again: bool = False
    ) -> Native | None:
        self.seen.append((name_of(effect), drawn, again))
        if self.faults.get(lane):
            fault = self.faults[lane].pop(0)
            if isinstance(fault, Exception):
                raise fault
            await fault()
        chat = self.chats.setdefault(lane, [])
        chat.append(name_of(effect))
        async with self.changed:
            self.changed.notify_all()
        return {"n": len(chat), "at": 9.0} if isinstance(effect, Draw) else None

    def preview(self, lane: str, text: str) -> None:
        return None

    async def end_preview(self, lane: str) -> None:
        return None

    async def shows(self, lane: str, *texts: str) -> None:
        """Wait until a chat shows exactly these."""
        async with asyncio.timeout(PATIENCE), self.changed:
            await self.changed.wait_for(lambda: self.chats.get(lane) == list(texts))


def name_of(effect: Effect) -> str:
    if isinstance(effect, Say | Toast):
        return effect.text
    if isinstance(effect, Put):
        return effect.post.id
    return effect.card if isinstance(effect, Close | Page) else effect.card.id


@dataclass
class Gate:
    """Somewhere a send waits until it is let through."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self) -> None:
        self.reached.set()
        await self.opened.wait()


async def wants(store: Store, lane: str, *effects: Effect | str) -> None:
    """A turn of a lane wants these shown, and rings."""
    turn = next(TURNS)
    await put(store, f"turn {turn}", key=lane)
    claim = await take(store)
    show = tuple(Say(text=one) if isinstance(one, str) else one for one in effects)
    settled = state(turn, key=lane)
    await store.settle(claim, done=claim.entries, state=settled, effects=Effects(show=show))
    store.outgoing.ring()


@asynccontextmanager
async def running(sender: Sender, lanes: int = 64) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(sender.run(lanes))
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def left(store: Store) -> list[tuple[str, int, str]]:
    """What is still to be sent: its lane, its tries, its last error."""
    chosen = select(outbox.c.lane, outbox.c.tries, outbox.c.error).where(pending(outbox))
    async with store.database.read() as connection:
        rows = await connection.execute(chosen.order_by(outbox.c.id))
        return [(row.lane, row.tries, row.error) for row in rows]
