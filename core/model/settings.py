"""What can be set about the model. The key is not in here: it is handed to the model alone."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

DEFAULT_MODEL = "claude-sonnet-5-5"
"""The best conversation that still answers at chat speed; at low effort its thinking is short. Its
prompt rules hold better against people who argue than those of claude-haiku-5-5, which is far
cheaper and may be set instead: what must be right does not rest on the model."""

_FAMILY_5 = re.compile(r"claude-[a-z]+-5(-\d{1,2})?")


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Which model answers, and for how long it may try. All times are in seconds.

    `max_tokens` bounds thinking and answer together; an answer that hits it is a failure, so it is
    far above what a chat needs. `effort` is how much it thinks: "auto" is low for the models of
    the 5 family, by their name, and nothing for others, which may refuse to be told any; "" is
    nothing for all. `temperature` is sent only when it is set: the 5 family refuses it.

    `attempts` counts the first one. An attempt follows only where the person has seen nothing yet
    and the fault may pass. It waits `first_wait`, then twice as long, or as long as the service
    asks; where that is more than `longest_wait`, or than is left of `deadline`, there is none.
    `stall` is the longest silence of an open connection; `deadline` bounds one answer with all its
    attempts.

    `window` is how many bytes of transcript are sent at most; beyond it the oldest half is left out
    at once, so that the rest stays the same for many turns.
    """

    model: str = DEFAULT_MODEL
    base_url: str = "https://api.anthropic.com"
    max_tokens: int = 4096
    effort: Literal["auto", "", "low", "medium", "high", "xhigh", "max"] = "auto"
    temperature: float | None = None
    cache_ttl: Literal["5m", "1h"] = "5m"
    attempts: int = 3
    first_wait: float = 0.5
    longest_wait: float = 5.0
    connect: float = 5.0
    stall: float = 20.0
    deadline: float = 60.0
    window: int = 48_000

    @property
    def effort_sent(self) -> str:
        """The effort that the service is told; empty for none."""
        if self.effort != "auto":
            return self.effort
        return "low" if _FAMILY_5.fullmatch(self.model) else ""

    def __post_init__(self) -> None:
        positive = ("max_tokens", "attempts", "connect", "stall", "deadline", "window")
        for name in positive:
            if getattr(self, name) <= 0:
                raise ValueError(f"The model's {name} must be more than 0.")
        if self.first_wait < 0 or self.longest_wait < 0:
            raise ValueError("The model's waits must not be less than 0.")
