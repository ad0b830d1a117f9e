"""A call as it came over HTTP, in any of the forms that the Bot API takes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

import aiohttp
from aiohttp import web
from aiohttp.multipart import MultipartResponseWrapper

from tests.support.telegram.errors import ApiError, Json, violates

UPLOAD_LIMIT = 50 * 2**20
"""Bytes; the server of api.telegram.org takes no more in one file."""


@dataclass(frozen=True)
class Upload:
    """A file in a request."""

    name: str
    content: bytes
    mime: str = ""

    def __repr__(self) -> str:
        return f"Upload({self.name!r}, {len(self.content)} bytes)"


@dataclass(frozen=True)
class Sent:
    """The parameters of a call as they came, and its files by the names of their parts."""

    parameters: Json = field(default_factory=dict)
    files: dict[str, Upload] = field(default_factory=dict)


async def read_request(request: web.Request) -> Sent:
    """Read a call: query string, URL-encoded form, multipart form or JSON.

    Raises ApiError: 400 for a body that is none of these, 413 for a file that is too big.
    """
    parameters: Json = dict(request.query)
    if request.content_type == "application/json":
        return Sent({**parameters, **await _json(request)})
    if request.method == "GET" or not request.can_read_body:
        return Sent(parameters)
    form = await request.post()
    files = {}
    for name, value in form.items():
        if isinstance(value, web.FileField):
            content = value.file.read()
            if len(content) > UPLOAD_LIMIT:
                raise ApiError(413, "Request Entity Too Large", violation=True)
            files[name] = Upload(value.filename, content, value.content_type)
        elif isinstance(value, str):
            parameters[name] = value
        else:
            parameters[name] = bytes(value).decode()
    return Sent(parameters, files)


async def read_answer(answer: aiohttp.ClientResponse) -> Sent | None:
    """Read a call that came in the answer to a webhook; None when there is none."""
    if answer.content_type.startswith("multipart/"):
        return await _parts(aiohttp.MultipartReader.from_response(answer))
    body = await answer.text()
    if answer.content_type == "application/x-www-form-urlencoded":
        return Sent(dict(parse_qsl(body)))
    try:
        asked = json.loads(body)
    except ValueError:
        return None
    return Sent(asked) if isinstance(asked, dict) else None


async def _parts(reader: MultipartResponseWrapper) -> Sent:
    sent = Sent()
    while (part := await reader.next()) is not None:
        if not isinstance(part, aiohttp.BodyPartReader) or part.name is None:
            continue
        content = bytes(await part.read(decode=True))
        if part.filename is None:
            sent.parameters[part.name] = content.decode()
        else:
            sent.files[part.name] = Upload(part.filename, content)
    return sent


async def _json(request: web.Request) -> Json:
    try:
        body = json.loads(await request.read() or b"{}")
    except ValueError as error:
        raise violates("can't parse JSON object in the request") from error
    if not isinstance(body, dict):
        raise violates("a JSON object is expected in the request")
    return body
