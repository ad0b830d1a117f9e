"""An HTTP receiver on loopback: it keeps what is posted, and answers as it is told to.

async with HttpReceiver() as receiver:
    receiver.answers.append(Answer(503))
    ...
    assert receiver.keys == ["j:hook"]
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ssl import SSLContext
from types import TracebackType
from typing import Any

from aiohttp import web


@dataclass(frozen=True)
class Answer:
    """What a request is answered with. `lost`: the connection breaks instead. `late`: no answer
    comes at all."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    lost: bool = False
    late: bool = False


@dataclass(frozen=True)
class Posted:
    """A request that came in whole."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def key(self) -> str:
        return self.headers["webhook-id"]

    @property
    def content(self) -> Any:
        return json.loads(self.body)["content"]

    def is_signed(self, secret: bytes) -> bool:
        """Whether it was signed with this secret, as Standard Webhooks 1.0 says."""
        signed = f"{self.key}.{self.headers['webhook-timestamp']}.".encode() + self.body
        expected = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
        return self.headers["webhook-signature"] == f"v1,{expected}"


@dataclass
class HttpReceiver:
    """The receiver. It gives its `answers` in their order, and then says that all is well.
    `watch` is called with each request."""

    answers: deque[Answer] = field(default_factory=deque)
    posted: list[Posted] = field(default_factory=list)
    watch: Callable[[], None] = lambda: None
    host: str = "127.0.0.1"
    tls: SSLContext | None = None
    port: int = 0

    async def __aenter__(self) -> HttpReceiver:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._take)
        self._ends = asyncio.Event()
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self.host, self.port, ssl_context=self.tls)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ends.set()
        await self._runner.cleanup()

    @property
    def url(self) -> str:
        scheme = "http" if self.tls is None else "https"
        return f"{scheme}://{self.host}:{self.port}/events"

    @property
    def keys(self) -> list[str]:
        """The keys of what came, in order."""
        return [one.key for one in self.posted]

    async def _take(self, request: web.Request) -> web.StreamResponse:
        self.posted.append(Posted(request.path, dict(request.headers), await request.read()))
        self.watch()
        answer = self.answers.popleft() if self.answers else Answer()
        if answer.late:
            await self._ends.wait()
        if answer.lost:
            assert request.transport is not None
            request.transport.abort()
        return web.Response(status=answer.status, headers=answer.headers, text=answer.body)
