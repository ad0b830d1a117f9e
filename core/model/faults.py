"""What the SDK raises, as one kind of failure, with what the service says about trying again.

Measured on anthropic 2.14 and 2.15: before the first byte the SDK raises its own errors; after it,
a lost connection is the HTTP library's error, a bad line is a JSON error, and an `error` event is a
plain APIStatusError under the status 200 with the true type in its body.
"""

from __future__ import annotations

from typing import NamedTuple

import anthropic
import httpx2

from core.model.base import Failure, ModelFailed

_PASSING = frozenset(
    {
        Failure.RATE_LIMITED,
        Failure.OVERLOADED,
        Failure.SERVICE,
        Failure.CONNECTION,
        Failure.STALLED,
        Failure.BROKEN,
    }
)
_STATUS = {
    401: Failure.CREDENTIALS,
    402: Failure.CREDENTIALS,
    403: Failure.CREDENTIALS,
    408: Failure.SERVICE,
    409: Failure.SERVICE,
    429: Failure.RATE_LIMITED,
    529: Failure.OVERLOADED,
}
_TYPE = {
    "authentication_error": Failure.CREDENTIALS,
    "billing_error": Failure.CREDENTIALS,
    "permission_error": Failure.CREDENTIALS,
    "invalid_request_error": Failure.REQUEST,
    "not_found_error": Failure.REQUEST,
    "request_too_large": Failure.REQUEST,
    "rate_limit_error": Failure.RATE_LIMITED,
    "overloaded_error": Failure.OVERLOADED,
}
_LONGEST = 300


class Fault(NamedTuple):
    """A failure, whether it may pass, and the wait in seconds, where the service asks for one."""

    failed: ModelFailed
    passing: bool
    wait: float | None = None


def fault_of(error: Exception) -> Fault:
    """What an error of an attempt is."""
    if isinstance(error, ModelFailed):
        return Fault(error, error.kind in _PASSING)
    if isinstance(error, anthropic.APIStatusError):
        return _status(error)
    kind = _kind(error)
    return Fault(ModelFailed(kind, _detail(error)), kind in _PASSING)


def _kind(error: Exception) -> Failure:
    if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
        return Failure.STALLED
    if isinstance(error, anthropic.APIConnectionError | httpx2.TransportError | OSError):
        return Failure.CONNECTION
    if isinstance(error, anthropic.AnthropicError) and not isinstance(error, anthropic.APIError):
        return Failure.CREDENTIALS
    return Failure.BROKEN


def _status(error: anthropic.APIStatusError) -> Fault:
    status, headers = error.status_code, error.response.headers
    if status < 400:
        kind = _TYPE.get(_body_type(error.body), Failure.SERVICE)
    else:
        kind = _STATUS.get(status, Failure.SERVICE if status >= 500 else Failure.REQUEST)
    advice = headers.get("x-should-retry")
    passing = kind in _PASSING if advice not in ("true", "false") else advice == "true"
    return Fault(ModelFailed(kind, _detail(error)), passing, _wait(headers))


def _body_type(body: object) -> str:
    inner = body.get("error") if isinstance(body, dict) else None
    return str(inner.get("type", "")) if isinstance(inner, dict) else ""


def _wait(headers: httpx2.Headers) -> float | None:
    """The wait that is asked for; infinite when it is asked for as a date (it is not worth it to
    trust two clocks for a wait of seconds)."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        given = headers.get(name)
        if given is None:
            continue
        try:
            return max(0.0, float(given) * unit)
        except ValueError:
            return float("inf")
    return None


def _detail(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:_LONGEST]
