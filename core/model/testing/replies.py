"""What the loopback Messages API may be told to answer: whole answers, refusals and faults."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any

import msgspec


class Fault(StrEnum):
    """What can befall a stream after `Says.after` of its text pieces."""

    ENDS = "ends"
    """The body ends cleanly, with no stop reason."""
    DROPS = "drops"
    """The connection is reset."""
    STALLS = "stalls"
    """Nothing more comes, and the connection stays open."""
    BAD_LINE = "bad_line"
    """A data line that is no JSON."""
    ERROR = "error"
    """An `error` event, of the type `Says.error`."""


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call. An `input` that is a text is streamed as it is, whole JSON or not."""

    name: str
    input: dict[str, Any] | str = {}
    id: str = ""


class Says(msgspec.Struct, frozen=True, kw_only=True):
    """A streamed answer.

    `thinking` comes first, as a signed block; `uses` come last. `stop` is the stop reason, by
    default the one that fits. `pause` is how long it waits before every piece of text, in seconds.
    With `odd`, kinds of event that no client knows come in between.
    """

    text: str = ""
    uses: tuple[Use, ...] = ()
    thinking: str = ""
    stop: str = ""
    fault: Fault | None = None
    after: int = 1
    error: str = "overloaded_error"
    pause: float = 0.0
    odd: bool = False


class Refuses(msgspec.Struct, frozen=True, kw_only=True):
    """An HTTP error before any stream. `type` is the error's type, by default the status's own."""

    status: int
    type: str = ""
    message: str = "told so by the test"
    headers: dict[str, str] = {}


Reply = Says | Refuses
Responder = Callable[[dict[str, Any]], Reply | str | Awaitable[Reply | str]]
"""Answers a request's JSON; a text is a `Says` with it."""

STATUS_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}
