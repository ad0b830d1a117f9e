"""Erases everything of whoever asked for it, as soon as nothing of theirs is under way."""

from __future__ import annotations

from dataclasses import dataclass

from core.store import Store


@dataclass
class Erasing:
    """A chore (see core.upkeep.keeper)."""

    store: Store
    every: float = 5.0

    async def do(self) -> int:
        """Erase whom there is to erase; who has something under way comes the next time."""
        return sum([await self.store.erase(one) for one in await self.store.to_be_erased()])
