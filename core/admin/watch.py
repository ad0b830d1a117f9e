"""What admins set, as it is known in this process: no older than a few seconds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic

import structlog

from core.store import Store

log = structlog.get_logger()

PAUSED, RELOAD = "paused:", "reload:"
"""What the names of the switches begin with that pause a journey and have it read anew."""

Reload = Callable[[str], Awaitable[object]]
"""Reads a journey's folder anew."""


@dataclass
class Watch:
    """Looks at the switches again when `fresh` seconds have passed.

    A journey that another process has read anew is read anew here, too.
    """

    store: Store | None = None
    reload: Reload | None = None
    fresh: float = 2.0
    switches: Mapping[str, str] = field(default_factory=dict)
    _looked: float | None = None

    @property
    def paused(self) -> frozenset[str]:
        """The journeys that begin no new one."""
        found = (name.removeprefix(PAUSED) for name in self.switches if name.startswith(PAUSED))
        return frozenset(found)

    async def look(self, *, now: bool = False) -> None:
        """See what is set, `now` or where it has not been looked for a while."""
        if self.store is None:
            return
        if not now and self._looked is not None and monotonic() - self._looked < self.fresh:
            return
        first, before = self._looked is None, self.switches
        self._looked = monotonic()
        self.switches = await self.store.switches()
        if first or self.reload is None:
            return
        for name, value in self.switches.items():
            if name.startswith(RELOAD) and before.get(name) != value:
                await self._read_anew(self.reload, name.removeprefix(RELOAD))

    async def _read_anew(self, reload: Reload, journey: str) -> None:
        try:
            await reload(journey)
        except Exception:
            # The one that is served stays; who asked for it was told what is wrong.
            log.exception("journey_not_reloaded", journey=journey)

    def knows(self, name: str, value: str) -> None:
        """Something is set that this process has set itself."""
        self.switches = {**self.switches, name: value}
