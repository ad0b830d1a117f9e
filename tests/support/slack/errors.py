"""What Slack answers when it does not carry a call out.

The codes are those of the methods' reference (docs.slack.dev/reference/methods), the wording of the
messages is what Slack was seen to answer. A *violation* is an error that a careful bot never
causes, whatever people do: a wrong type, a broken limit, a scope that was never asked for. The
server keeps those, and fails the test that had one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]


class ApiError(Exception):
    """An error answer: `error` is Slack's code, `messages` say where in the arguments it is."""

    def __init__(
        self,
        error: str,
        *,
        messages: Sequence[str] = (),
        violation: bool = False,
        status: int = 200,
        more: Json | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(error)
        self.error = error
        self.messages = list(messages)
        self.violation = violation
        self.status = status
        self.more = more or {}
        self.headers = headers or {}

    @property
    def told(self) -> str:
        """The code with its messages, for people."""
        return f"{self.error} {self.messages}" if self.messages else self.error

    def body(self) -> Json:
        """The answer's JSON."""
        body: Json = {"ok": False, "error": self.error, **self.more}
        if self.messages:
            body["response_metadata"] = {"messages": [f"[ERROR] {one}" for one in self.messages]}
        return body


def refused(error: str, **more: Any) -> ApiError:
    """For what a bot may meet in real life: a channel is archived, a view was closed."""
    return ApiError(error, more=more)


def violates(error: str, *messages: str, **more: Any) -> ApiError:
    """For what no careful bot sends."""
    return ApiError(error, messages=messages, violation=True, more=more)


def invalid_blocks(messages: Sequence[str]) -> ApiError:
    """The blocks of a message break Block Kit's rules."""
    return ApiError(
        "invalid_blocks", messages=messages, violation=True, more={"errors": list(messages)}
    )


def invalid_view(messages: Sequence[str]) -> ApiError:
    """A view breaks Block Kit's rules."""
    every = ["failed to match all allowed schemas [json-pointer:/view]", *messages]
    return ApiError("invalid_arguments", messages=every, violation=True)


def ratelimited(retry_after: int) -> ApiError:
    """429; `retry_after` in seconds. https://docs.slack.dev/apis/web-api/rate-limits"""
    return ApiError("ratelimited", status=429, headers={"Retry-After": str(retry_after)})
