"""What the Bot API answers when it does not carry a call out.

The wording is that of the Bot API server's source (tdlib/telegram-bot-api, `fail_query_with_error`)
and of TDLib. A *violation* is an error that a careful bot never causes, whatever people do: a wrong
type, a broken limit, bad markup. The server counts those, and fails the test that had one.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)
TOO_OLD = "query is too old and response timeout expired or query ID is invalid"


class ApiError(Exception):
    """An error answer. `code` is the HTTP status as well; `parameters` is `ResponseParameters`."""

    def __init__(
        self,
        code: int,
        description: str,
        *,
        parameters: Json | None = None,
        violation: bool = False,
    ) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters
        self.violation = violation

    def body(self) -> Json:
        """The answer's JSON."""
        body: Json = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            body["parameters"] = self.parameters
        return body


def bad_request(reason: str) -> ApiError:
    """400 for what a bot may meet in real life: a message is gone, a right is missing."""
    return ApiError(400, f"Bad Request: {_lowered(reason)}")


def violates(reason: str) -> ApiError:
    """400 for what no careful bot sends."""
    return ApiError(400, f"Bad Request: {_lowered(reason)}", violation=True)


def forbidden(reason: str) -> ApiError:
    """403: the bot may not do this in that chat."""
    return ApiError(403, f"Forbidden: {reason}")


def conflict(reason: str) -> ApiError:
    """409: two ways of getting updates at once."""
    return ApiError(409, f"Conflict: {reason}")


def too_many_requests(retry_after: int) -> ApiError:
    """429; `retry_after` in seconds."""
    return ApiError(
        429,
        f"Too Many Requests: retry after {retry_after}",
        parameters={"retry_after": retry_after},
    )


def migrated(to: int) -> ApiError:
    """400: the group has another identifier now."""
    return ApiError(
        400,
        "Bad Request: group chat was upgraded to a supergroup chat",
        parameters={"migrate_to_chat_id": to},
    )


def unauthorized() -> ApiError:
    """401: no bot has this token."""
    return ApiError(401, "Unauthorized")


def method_not_found(*, violation: bool) -> ApiError:
    """404: this server has no such method."""
    return ApiError(404, "Not Found: method not found", violation=violation)


def _lowered(reason: str) -> str:
    """As the server writes it: a small letter first, except in a word like MESSAGE_TOO_LONG."""
    if len(reason) > 1 and (reason[1] == "_" or reason[1].isupper()):
        return reason
    return reason[:1].lower() + reason[1:]
