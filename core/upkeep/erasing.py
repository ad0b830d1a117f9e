"""Erases everything of whoever asked for it, as soon as nothing of theirs is under way."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from core.store import Store
from core.store.erasing import Instead
from core.upkeep.handed_out import HandedOut


@dataclass
class Erasing:
    """A chore (see core.upkeep.keeper). `instead` is what is shown to moderators in the place of a
    submission of theirs; `handed_out` are the files that were made on this machine, in which they
    may stand."""

    store: Store
    instead: Instead | None = None
    handed_out: HandedOut | None = None
    every: float = 5.0

    async def do(self) -> int:
        """Erase whom there is to erase; who has something under way comes the next time."""
        asked = await self.store.to_be_erased()
        erased = sum([await self.store.erase(one, self.instead) for one in asked])
        if erased:
            self.store.outgoing.ring()
            await self.store.database.overwrite()
            if self.handed_out is not None:
                await asyncio.to_thread(self.handed_out.remove)
        return erased
