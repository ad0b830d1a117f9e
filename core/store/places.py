"""Where cards stand on their platform, changed by more than one at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.store.part import Part
from core.store.sql import insert
from core.store.tables import drawn

Change = Callable[[dict[str, Any] | None], dict[str, Any] | None]
"""What a place becomes: it gets the one that is known, if any, and gives None to leave it so."""

_PLACE: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])
_NONE = ""


class Places(Part):
    """Changing places."""

    async def amend_place(self, lane_key: str, card: str, change: Change) -> bool:
        """Change where a card stands, in one transaction, so that of two changes at once the second
        sees what the first one made. False where `change` leaves it as it is; it must not wait."""
        here = (drawn.c.lane == lane_key) & (drawn.c.card == card)

        async def work(connection: AsyncConnection) -> bool:
            known = await _locked(connection, lane_key, card)
            changed = change(known)
            if changed is not None:
                native = msgspec.json.encode(changed).decode()
                await connection.execute(update(drawn).where(here).values(native=native))
            elif known is None:
                await connection.execute(delete(drawn).where(here))
            return changed is not None

        return await self.database.write("amend-place", work)


async def _locked(connection: AsyncConnection, lane_key: str, card: str) -> dict[str, Any] | None:
    """The place of a card, which nobody else can change before the transaction ends."""
    # A place that is not there cannot be locked, so there is one for as long as this takes.
    row = insert(connection, drawn).values(lane=lane_key, card=card, native=_NONE)
    row = row.on_conflict_do_update(
        index_elements=["lane", "card"], set_={"native": drawn.c.native}
    )
    native: str = (await connection.execute(row.returning(drawn.c.native))).scalar_one()
    return None if native == _NONE else _PLACE.decode(native)
