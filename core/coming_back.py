"""After a start: the asks that are open are drawn again, each as the newest thing in its chat."""

from __future__ import annotations

from datetime import datetime

from core.replies import Reload
from core.store import Store


async def reload(
    store: Store, channel: str, now: datetime, *, before: datetime, within: float
) -> int:
    """Have the open asks of a channel drawn again; how many will be.

    Those that were drawn `before` this moment, and `within` so many seconds before `now`; each at
    most once an hour. Where a reply waits, it is what counts. The times are aware.
    """
    count = 0
    for state in await store.conversations_with_open_ask(channel):
        ask = state.journey.ask if state.journey is not None else None
        if ask is None or ask.drawn_at >= before or await store.ready(state.id):
            continue
        if (now - ask.drawn_at).total_seconds() <= within:
            reply = Reload(by=state.person.id, at=now)
            count += await store.accept(state.id, f"{state.id}:restart:{now:%Y%m%d%H}", reply)
    return count
