"""Calls by bare HTTP, for tests of the server itself."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x20\x08\x06\0\0\0"
"""The beginning of a picture of 64 by 32 pixels, which is all that the server looks at."""


@dataclass(frozen=True)
class Heard:
    """What came back of a call."""

    status: int
    body: dict[str, Any]

    @property
    def result(self) -> Any:
        """The result of a call that was carried out."""
        assert self.body.get("ok"), self.body
        return self.body["result"]

    @property
    def why(self) -> str:
        """The description of a refusal."""
        assert not self.body["ok"], self.body
        assert self.body["error_code"] == self.status
        return str(self.body["description"])


Ask = Callable[..., Coroutine[Any, Any, Heard]]
"""A method's name and its parameters in, what came back out."""
