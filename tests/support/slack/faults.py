"""What may go wrong between a bot and the Web API, on demand.

A fault befalls the calls that a test names. With `done=True` the call is carried out all the same,
and only its answer is lost or spoilt: that is when a bot cannot know whether its message was sent.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.support.slack.errors import Json


@dataclass(frozen=True)
class Refuses:
    """An error answer of the Web API with this code."""

    error: str = "internal_error"
    more: Json | None = None
    done: bool = False


@dataclass
class Limits:
    """429 with Retry-After: for so many real seconds, every further call that fits is refused.

    A bot that waits as it was told meets this once (`Trouble.met`). `times` does not count here.
    """

    seconds: float = 1.0
    done: bool = False
    until: float = 0.0

    def left(self) -> int:
        """Whole seconds still to wait, at least 1; the first call starts them."""
        now = time.monotonic()
        if not self.until:
            self.until = now + self.seconds
        return max(1, math.ceil(self.until - now))

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return bool(self.until) and time.monotonic() >= self.until


@dataclass(frozen=True)
class Breaks:
    """A gateway's error page with this status, which is no JSON."""

    status: int = 502
    done: bool = False


@dataclass(frozen=True)
class Garbles:
    """Status 200 and half of a JSON object."""

    done: bool = False


@dataclass(frozen=True)
class Drops:
    """The connection is gone, without an answer."""

    done: bool = False


@dataclass(frozen=True)
class Waits:
    """The call waits until the test opens the gate, before it is carried out or (`done`) after."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    done: bool = False

    def open(self) -> None:
        """Let the calls go on."""
        self.gate.set()


Fault = Refuses | Limits | Breaks | Garbles | Drops | Waits


@dataclass
class Trouble:
    """A fault and the calls that it befalls. `met` counts those that it befell."""

    fault: Fault
    methods: frozenset[str]
    channel: str | None = None
    times: int | None = 1
    skip: int = 0
    where: Callable[[Json], bool] | None = None
    met: int = 0

    def takes(self, method: str, arguments: Json, channel: str | None) -> bool:
        """Whether it befalls this call; counts it when it does."""
        if not self._fits(method, arguments, channel) or self._is_over():
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.met += 1
        return True

    def _fits(self, method: str, arguments: Json, channel: str | None) -> bool:
        if self.methods and method not in self.methods:
            return False
        if self.channel is not None and channel != self.channel:
            return False
        return self.where is None or self.where(arguments)

    def _is_over(self) -> bool:
        if isinstance(self.fault, Limits):
            return self.fault.is_over
        return self.times is not None and self.met >= self.times
