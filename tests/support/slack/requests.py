"""A call as it came over HTTP: a query, a form, or JSON; and its token.

https://docs.slack.dev/apis/web-api#basics
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.support.slack.errors import Json, violates

BODY_LIMIT = 64 * 2**20


@dataclass(frozen=True)
class Sent:
    """The arguments of a call as they came. In a `form`, and in a query, all are strings."""

    arguments: Json = field(default_factory=dict)
    form: bool = True
    token: str | None = None
    basic: tuple[str, str] | None = None


async def read_request(request: web.Request) -> Sent:
    """Read a call. Raises ApiError (a violation) for a body that is neither a form nor JSON."""
    header = request.headers.get("Authorization", "")
    token = header.removeprefix("Bearer ").strip() if header.startswith("Bearer ") else None
    basic = _basic(header)
    arguments: Json = dict(request.query)
    if "token" in arguments:
        raise violates("invalid_auth", "a token belongs into a header, never into the address")
    if request.content_type == "application/json":
        body = await _json(request)
        if "token" in body:
            raise violates("not_authed", "with JSON, the token belongs into the header")
        return Sent({**arguments, **body}, form=False, token=token, basic=basic)
    if request.method == "POST" and request.can_read_body:
        if request.content_type not in ("application/x-www-form-urlencoded", "multipart/form-data"):
            raise violates("invalid_post_type")
        form = await request.post()
        arguments |= {name: value for name, value in form.items() if isinstance(value, str)}
    token = token or arguments.pop("token", None)
    return Sent(arguments, token=token, basic=basic)


async def _json(request: web.Request) -> Json:
    if not request.can_read_body:
        return {}
    try:
        body: Any = json.loads(await request.read() or b"{}")
    except ValueError as error:
        raise violates("invalid_json") from error
    if not isinstance(body, dict):
        raise violates("json_not_object")
    return body


def _basic(header: str) -> tuple[str, str] | None:
    if not header.startswith("Basic "):
        return None
    name, _, secret = base64.b64decode(header.removeprefix("Basic ")).decode().partition(":")
    return name, secret
