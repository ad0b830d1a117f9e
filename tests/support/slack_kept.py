"""A Surestep that keeps what it is handed, behind the real bolt, by either way of delivery."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from slack_bolt.async_app import AsyncApp

from channels.slack.driver import app
from channels.slack.incoming import Received
from channels.slack.listening import http, socket_mode
from channels.slack.native import Json
from channels.slack.read import received
from tests.support.slack.server import SlackServer

WAYS = ("http", "socket")


@dataclass
class Kept:
    """What came, in its order. It wants what a rule says; `answers` are bodies of acknowledgements,
    by kind; it fails as often as `fails` says."""

    server: SlackServer
    wanted: Callable[[str, Json], bool] = lambda kind, body: True
    bodies: list[tuple[str, Json]] = field(default_factory=list)
    answers: dict[str, Json] = field(default_factory=dict)
    fails: int = 0

    async def wants(self, kind: str, body: Json) -> bool:
        """See arriving.Surestep."""
        return self.wanted(kind, body)

    async def take(self, kind: str, body: Json) -> Json | None:
        """See arriving.Surestep."""
        if self.fails:
            self.fails -= 1
            raise RuntimeError("the disk is full")
        self.bodies.append((kind, body))
        self.server.touch()
        return self.answers.get(kind)

    @property
    def heard(self) -> list[Received]:
        """What is read of all that came, but for what is left alone."""
        found = (received(kind, body) for kind, body in self.bodies)
        return [one for one in found if one is not None]

    def of(self, kind: str) -> list[Json]:
        """The bodies of a kind."""
        return [body for one, body in self.bodies if one == kind]


@asynccontextmanager
async def listening(
    server: SlackServer, surestep: Any, way: str, bolt: AsyncApp | None = None
) -> AsyncIterator[str]:
    """Surestep's bolt app (or another one), delivered to by the server; its address over HTTP."""
    made = bolt or app(surestep, server.api, signing_secret=server.signing_secret)
    if way == "http":
        async with http(made, host="127.0.0.1", port=0) as url:
            await server.posts_to(f"{url}/slack/events")
            yield url
        return
    async with socket_mode(made, server.app_token, server.api):
        await server.until(lambda: server.delivery.sockets.open, "a socket")
        yield ""
