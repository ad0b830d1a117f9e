"""What may go wrong on the way from Slack to the bot, on demand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.support.slack.errors import Json


@dataclass(frozen=True)
class Repeats:
    """The event's acknowledgement gets lost so many times: the event is sent again, as a retry."""

    times: int = 1


@dataclass(frozen=True)
class Holds:
    """It is held back until the test opens the gate; others overtake it."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)

    def open(self) -> None:
        """Let it go on."""
        self.gate.set()


@dataclass(frozen=True)
class Loses:
    """It never arrives; the person who clicked is warned."""


@dataclass
class Upset:
    """A disturbance and the deliveries that it upsets. `met` counts them."""

    upsets: Repeats | Holds | Loses
    kinds: frozenset[str]
    times: int | None = 1
    where: Callable[[Json], bool] | None = None
    met: int = 0

    def takes(self, kind: str, payload: Json) -> bool:
        """Whether it upsets this delivery; counts it when it does."""
        if self.kinds and kind not in self.kinds:
            return False
        if self.times is not None and self.met >= self.times:
            return False
        if self.where is not None and not self.where(payload):
            return False
        self.met += 1
        return True
