"""What turns want shown, in order for each lane, and where cards stand on their platform."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from core.effects import Effect
from core.store import crash, leased
from core.store.part import Part, moment
from core.store.sql import insert, pending
from core.store.tables import drawn, outbox

Native = dict[str, Any]
"""Where something stands on its platform, as its channel wrote it down."""

_EFFECT: msgspec.json.Decoder[Effect] = msgspec.json.Decoder(Effect)
_NATIVE: msgspec.json.Decoder[Native] = msgspec.json.Decoder(Native)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One effect to carry out. `key` is the same however often it is tried."""

    id: int
    lane: str
    key: str
    effect: Effect
    tries: int
    fence: int
    created_at: datetime


class Outbox(Part):
    """Sending: take what is due, then say how it went."""

    async def due(
        self, owner: str, channels: Sequence[str], limit: int = 20, lease: float = 60.0
    ) -> list[Outgoing]:
        """Lease the first unsent effect of each lane of these channels that may be sent now.

        Only the first: what waits to be tried again holds back its own lane, and no other. When a
        lease runs out, another sender gets the effect.
        """
        self._owners.add(owner)

        async def work(connection: AsyncConnection) -> list[Outgoing]:
            rows = await leased.take(
                connection,
                outbox,
                _is_first(channels),
                owner=owner,
                lease=lease,
                limit=limit,
                max_tries=self.max_tries,
            )
            return [one for row in rows if (one := await _outgoing(connection, row))]

        return await self.database.write("due", work)

    async def sent(self, row: Outgoing, native: Native | None = None, card: str = "") -> None:
        """The platform has it. `native` is what it answered, kept as the place of `card`."""

        async def work(connection: AsyncConnection) -> None:
            written = msgspec.json.encode(native).decode() if native else None
            await leased.finish(connection, outbox, row.id, native=written)
            crash.point("sent-row")
            if native and card:
                await _remember(connection, row.lane, card, native)

        await self.database.write("sent", work)

    async def retry(
        self, row: Outgoing, error: str, seconds: float, *, counts: bool = True
    ) -> None:
        """Send it again in so many seconds; what follows in its lane waits too. With `counts`
        False it is no failure: the platform only asked to wait."""

        async def work(connection: AsyncConnection) -> None:
            held = leased.held(outbox, row.id, row.fence)
            await leased.put_off(connection, outbox, held, error, seconds, counts)

        await self.database.write("retry", work)

    async def park(self, row: Outgoing, error: str) -> None:
        """It cannot be sent: an admin sees it, and its lane goes on with the next."""

        async def work(connection: AsyncConnection) -> None:
            held = leased.held(outbox, row.id, row.fence)
            await leased.give_up(connection, outbox, held, error)

        await self.database.write("park", work)

    async def where(self, lane_key: str, card: str) -> Native | None:
        """Where a card stands on its platform; None when nothing is known."""
        chosen = select(drawn.c.native).where(drawn.c.lane == lane_key, drawn.c.card == card)
        async with self.database.read() as connection:
            native = (await connection.execute(chosen)).scalar_one_or_none()
        return None if native is None else _NATIVE.decode(native)

    async def remember(self, lane_key: str, card: str, native: Native) -> None:
        """Keep where a card stands on its platform."""

        async def work(connection: AsyncConnection) -> None:
            await _remember(connection, lane_key, card, native)

        await self.database.write("remember", work)


def _is_first(channels: Sequence[str]) -> ColumnElement[bool]:
    # Grouped, not compared with each other: that stays fast when much is pending.
    rows = outbox.alias("rows")
    firsts = select(func.min(rows.c.id)).where(pending(rows), rows.c.channel.in_(channels))
    return outbox.c.id.in_(firsts.group_by(rows.c.lane))


async def _outgoing(connection: AsyncConnection, row: Any) -> Outgoing | None:
    try:
        effect = _EFFECT.decode(row.effect)
    except msgspec.DecodeError:
        held = leased.held(outbox, row.id, row.fence)
        await leased.give_up(connection, outbox, held, "its content cannot be read")
        return None
    return Outgoing(
        id=row.id,
        lane=row.lane,
        key=row.key,
        effect=effect,
        tries=row.tries,
        fence=row.fence,
        created_at=moment(row.created_at),
    )


async def _remember(connection: AsyncConnection, lane_key: str, card: str, native: Native) -> None:
    written = msgspec.json.encode(native).decode()
    statement = insert(connection, drawn).values(lane=lane_key, card=card, native=written)
    await connection.execute(
        statement.on_conflict_do_update(index_elements=["lane", "card"], set_={"native": written})
    )
