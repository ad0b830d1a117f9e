"""A wake-up within one process, so that nobody asks the database again and again.

Who has put something into the store rings, and whoever works it off waits for that. Other processes
cannot be heard: a wait has a time-out, after which it is looked all the same.
"""

from __future__ import annotations

import asyncio


class Bell:
    """Wakes the one who waits for it; a ring before the wait is not lost.

    `rings` counts them all, so that somebody who is busy can tell whether it rang meanwhile.
    """

    def __init__(self) -> None:
        self.rings = 0
        self._rung = asyncio.Event()

    def ring(self, after: float = 0.0) -> None:
        """Wake whoever waits, in so many seconds: for what is due only then."""
        if after > 0:
            asyncio.get_running_loop().call_later(after, self.ring)
            return
        self.rings += 1
        self._rung.set()

    async def wait(self, seconds: float) -> bool:
        """Wait until it rings, so many seconds at most; whether it rang. One may wait."""
        try:
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        except TimeoutError:
            return False
        self._rung.clear()
        return True
