"""What a bot asked of the server, in its order."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from tests.support.telegram.errors import ApiError, Json
from tests.support.telegram.requests import Upload

POLLING = ("getUpdates",)


@dataclass
class Call:
    """One call. `parameters` are in their types, `raw` as they came; `files` are its uploads;
    `chat` is the one that it names, or where the tap was made that it answers.

    `at` is the server's clock, `since` real seconds since the computer started, for the distance
    between two calls. A call that had no `error` was carried out; when its answer was `lost`, its
    bot does not know. `by_webhook` calls came in the answer to a webhook.
    """

    number: int
    method: str
    at: int
    parameters: Json = field(default_factory=dict)
    raw: Json = field(default_factory=dict)
    chat: int | str | None = None
    files: dict[str, Upload] = field(default_factory=dict)
    since: float = field(default_factory=time.monotonic)
    result: Any = None
    error: ApiError | None = None
    lost: bool = False
    by_webhook: bool = False

    @property
    def carried_out(self) -> bool:
        """Whether it has a result."""
        return self.error is None and self.result is not None

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value!r:.60}" for name, value in self.parameters.items())
        end = f" -> {self.error.code} {self.error.description}" if self.error else ""
        return f"{self.number}. {self.method}({told}){end}{' (answer lost)' if self.lost else ''}"
