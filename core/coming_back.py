"""After a start: the asks that are open are drawn again, each as the newest thing in its chat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.replies import Reload
from core.store import Store

HOUR = 3600.0
"""Seconds in which an ask is drawn again once, however often the program is started."""


@dataclass(frozen=True)
class Start:
    """A start of the program: when it was, and the cards that were still to be drawn then."""

    at: datetime
    to_be_drawn: frozenset[str]


async def start(store: Store, channel: str, now: datetime) -> Start:
    """The start of a channel, which is now: nothing has been sent yet. The time is aware."""
    return Start(now, await store.to_be_drawn(channel))


async def reload(store: Store, channel: str, now: datetime, *, start: Start, within: float) -> int:
    """Have the open asks of a channel drawn again; how many will be.

    Those that were drawn before the start, and `within` so many seconds before `now`, which is
    aware; each at most once an hour, by the store's clock. Where a reply waits, it is what counts.
    A card that was still to be drawn comes by itself, and says that it comes twice where that may
    be.
    """
    count = 0
    for state in await store.conversations_with_open_ask(channel):
        ask = state.journey.ask if state.journey is not None else None
        if ask is None or ask.drawn_at >= start.at or ask.card in start.to_be_drawn:
            continue
        if (now - ask.drawn_at).total_seconds() > within or await store.ready(state.id):
            continue
        reply = Reload(by=state.person.id, at=now)
        count += await store.accept(state.id, f"{state.id}:restart", reply, known_for=HOUR)
    return count
