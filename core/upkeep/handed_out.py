"""Files that were made to be handed out, and saved where no platform takes them: they go again.

They are copies: whoever wants one again has it made again, of what is held by then.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.upkeep.retention import TRAFFIC_DAYS

_DAY = 24 * 3600.0


@dataclass
class HandedOut:
    """A chore (see core.upkeep.keeper). `clock` gives seconds since 1970, as files have them."""

    folder: Path
    days: float = TRAFFIC_DAYS
    clock: Callable[[], float] = time.time
    every: float = 3600.0

    async def do(self) -> int:
        """Remove what was saved so many days ago."""
        return await asyncio.to_thread(self.remove, self.days * _DAY)

    def remove(self, seconds: float = 0.0) -> int:
        """Remove what was saved so many seconds ago; how many files that were. Raises OSError."""
        until = self.clock() - seconds
        count = 0
        for file in self.folder.glob("*"):
            if file.is_file() and not file.is_symlink() and file.stat().st_mtime <= until:
                file.unlink(missing_ok=True)
                count += 1
        return count
