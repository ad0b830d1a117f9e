"""What a process has seen of itself, for whoever asks how it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from core.model import Failure


@dataclass
class Pulse:
    """The channels that are served, with since when; the model's name, empty where none is set up,
    and its last failure. `clock` gives aware UTC times."""

    clock: Callable[[], datetime]
    model: str = ""
    served: dict[str, datetime] = field(default_factory=dict)
    failed: Failure | None = None
    failed_at: datetime | None = None

    def serves(self, channel: str) -> None:
        """A channel is served from now on."""
        self.served[channel] = self.clock()

    def model_failed(self, kind: Failure) -> None:
        """The model gave no answer, for this reason."""
        self.failed, self.failed_at = kind, self.clock()
