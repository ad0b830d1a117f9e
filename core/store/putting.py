"""Putting what is to be sent and to be delivered into its queue, within another transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.effects import Effect
from core.store.part import channel_of
from core.store.sql import now
from core.store.tables import delivery, outbox


async def put_out(
    connection: AsyncConnection, lane_key: str, effects: Iterable[tuple[str, Effect]]
) -> None:
    """Have effects, each with its key, sent to a lane in this order."""
    rows = [
        {
            "lane": lane_key,
            "channel": channel_of(lane_key),
            "key": key,
            "effect": msgspec.json.encode(effect).decode(),
        }
        for key, effect in effects
    ]
    if rows:
        await connection.execute(insert(outbox).values(created_at=now()), rows)


async def deliver_to(
    connection: AsyncConnection, number: int, journey: str, destinations: Sequence[str]
) -> None:
    """Have a submission delivered once to each of its destinations, with the key
    `journey:destination`."""
    rows = [
        {"submission": number, "destination": name, "key": f"{journey}:{name}"}
        for name in destinations
    ]
    if rows:
        await connection.execute(insert(delivery), rows)
