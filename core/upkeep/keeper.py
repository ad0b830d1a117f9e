"""Does every chore again and again; one that fails hinders no other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import structlog

log = structlog.get_logger()


class Chore(Protocol):
    """Something to be done from time to time."""

    @property
    def every(self) -> float:
        """Seconds between two times."""
        ...

    async def do(self) -> int:
        """Do it; how much there was to do."""
        ...


@dataclass
class Keeper:
    """Does the chores of a process."""

    chores: Sequence[Chore]

    async def run(self) -> None:
        """Do them until cancelled."""
        async with asyncio.TaskGroup() as group:
            for one in self.chores:
                group.create_task(_again_and_again(one))


async def _again_and_again(chore: Chore) -> None:
    while True:
        try:
            count = await chore.do()
            if count:
                log.info("chore_done", chore=type(chore).__name__, count=count)
        except Exception:
            # A database that is away comes back.
            log.exception("chore_failed", chore=type(chore).__name__)
        await asyncio.sleep(chore.every)
