"""A bot that only listens: it acknowledges all, and keeps what it got."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from aiohttp import web

from tests.support.slack.errors import Json
from tests.support.slack.server import SlackServer

Answer = Callable[[Json], Awaitable[web.Response]]


@dataclass
class Sink:
    """What came, as the JSON of the bodies; `headers` has their headers."""

    server: SlackServer
    bodies: list[Json] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    answer: Answer | None = None

    async def heard(self, kind: str) -> Json:
        """Wait for an event or an interaction of this kind; the first one."""
        return await self.server.until(lambda: self._first(kind), f"{kind} in the sink")

    def _first(self, kind: str) -> Json | None:
        every = (one for one in self.bodies if kind in (one.get("type"), _event(one)))
        return next(every, None)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Acknowledge, and keep."""
        body = _read(request.content_type, await request.text())
        if body.get("type") == "url_verification":
            return web.Response(text=body["challenge"])
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        self.server.touch()
        return web.Response() if self.answer is None else await self.answer(body)


def _event(body: Json) -> str:
    return str(body.get("event", {}).get("type", ""))


def _read(content_type: str, text: str) -> Json:
    if content_type == "application/json":
        body: Json = json.loads(text)
        return body
    form = {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}
    if "payload" in form:
        payload: Json = json.loads(form["payload"])
        return payload
    return {"type": "command", **form}


@asynccontextmanager
async def listening(server: SlackServer) -> AsyncIterator[Sink]:
    """A sink that is the request URL."""
    sink = Sink(server)
    app = web.Application()
    app.router.add_post("/", sink.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    try:
        await server.posts_to(f"http://{host}:{port}/")
        yield sink
    finally:
        await runner.cleanup()
