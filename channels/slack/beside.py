"""What nobody's conversation waits for: the Home, the pane, a word to somebody who only looked in.

Its failures are logged, and are nobody's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass, field
from typing import Any

import structlog

from channels.slack.api import ApiFailed, Limited

log = structlog.get_logger()

Work = Callable[[], Coroutine[Any, Any, None]]

MOST = 100
"""Words to people that wait to be said at once. Who clicks without end is told no more often."""
_QUIET = 10.0
"""Seconds that Slack may want quiet for before something is given up: later it would be of no use
to anybody."""


@dataclass
class Beside:
    """Does things beside the conversations; `tasks` are still being done."""

    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _told: set[Hashable] = field(default_factory=set)

    def start(self, work: Work) -> asyncio.Task[None]:
        """Do something that nobody waits for."""
        task = asyncio.create_task(_logged(work))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def tell(self, whom: Hashable, work: Work) -> None:
        """Tell somebody something. While it is being said they are told nothing else, and nobody
        is while too many are."""
        if whom in self._told or len(self._told) >= MOST:
            log.info("slack_not_told", waiting=len(self._told))
            return
        self._told.add(whom)
        self.start(work).add_done_callback(lambda _: self._told.discard(whom))


async def _logged(work: Work) -> None:
    try:
        await _in_time(work)
    except ApiFailed as failed:
        log.warning("slack_not_shown", error=str(failed))
    except Exception:
        log.exception("slack_task_failed")


async def _in_time(work: Work) -> None:
    """Do it; once more when Slack wants quiet first, and not for too long."""
    try:
        await work()
    except Limited as limited:
        if limited.seconds > _QUIET:
            raise
        await asyncio.sleep(limited.seconds)
        await work()
