"""Calls by bare HTTP, for tests of the server itself."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from tests.support.telegram.files import png

PNG = png(64, 32)


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
