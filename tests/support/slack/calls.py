"""What a bot asked of the server, in its order."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from tests.support.slack.errors import ApiError, Json

RESPONSE_URL = "response_url"
"""The method of calls that were posts to a response_url."""


@dataclass
class Call:
    """One call. `arguments` are in their types; `channel` is the identifier that it names.

    `at` is the server's clock, `since` real seconds since the computer started, for the distance
    between two calls. A call that had no `error` was carried out; when its answer was `lost`, its
    bot does not know.
    """

    number: int
    method: str
    at: float
    arguments: Json = field(default_factory=dict)
    channel: str | None = None
    since: float = field(default_factory=time.monotonic)
    result: Any = None
    error: ApiError | None = None
    lost: bool = False

    @property
    def carried_out(self) -> bool:
        """Whether it has a result."""
        return self.error is None and self.result is not None

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value!r:.60}" for name, value in self.arguments.items())
        end = f" -> {self.error.told}" if self.error else ""
        return f"{self.number}. {self.method}({told}){end}{' (answer lost)' if self.lost else ''}"
