"""Calls by bare HTTP, and bolt apps, for tests of the server itself."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.support.slack.errors import Json
from tests.support.slack.server import SlackServer

Bolt = AsyncApp


@dataclass(frozen=True)
class Heard:
    """What came back of a call."""

    status: int
    body: dict[str, Any]

    @property
    def why(self) -> str:
        """The code of a refusal."""
        assert self.body["ok"] is False, self.body
        return str(self.body["error"])

    @property
    def messages(self) -> list[str]:
        """What a refusal says in detail."""
        return list(self.body.get("response_metadata", {}).get("messages", []))

    def __getitem__(self, name: str) -> Any:
        assert self.body["ok"] is True, self.body
        return self.body[name]


Ask = Callable[..., Coroutine[Any, Any, Heard]]
"""A method's name and its arguments in, what came back out."""


Running = Callable[[Bolt], Awaitable[None]]
"""Lets a bolt app run until the end of the test."""


def asking(session: aiohttp.ClientSession, server: SlackServer) -> Ask:
    """Call methods with JSON and the bot's token; `token_` is another one."""

    async def call(method: str, token_: str | None = None, **arguments: Any) -> Heard:
        headers = {"Authorization": f"Bearer {token_ or server.token}"}
        url = server.api + method
        async with session.post(url, json=arguments, headers=headers) as answer:
            return Heard(answer.status, await answer.json())

    return call


def bolt(server: SlackServer, **more: Any) -> Bolt:
    """A bolt app that talks to the server."""
    client = AsyncWebClient(token=server.token, base_url=server.api)
    return AsyncApp(client=client, signing_secret=server.signing_secret, **more)


@asynccontextmanager
async def by_http(server: SlackServer, app: Bolt) -> AsyncIterator[str]:
    """The app behind its own HTTP server, which is the request URL."""
    served = app.web_app(path="/slack/events")
    runner = web.AppRunner(served, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    url = f"http://{host}:{port}"
    try:
        await server.posts_to(f"{url}/slack/events")
        yield url
    finally:
        await runner.cleanup()


@asynccontextmanager
async def by_socket(server: SlackServer, app: Bolt) -> AsyncIterator[AsyncSocketModeHandler]:
    """The app with a socket that it opened."""
    handler = AsyncSocketModeHandler(app, server.app_token, ping_interval=1)
    await handler.connect_async()  # type: ignore[no-untyped-call]
    try:
        await server.until(lambda: server.delivery.sockets.open, "a socket")
        yield handler
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


# Blocks


def plain(text: str) -> Json:
    """A plain text object."""
    return {"type": "plain_text", "text": text}


def button(text: str, action_id: str, **more: Any) -> Json:
    """A button."""
    return {"type": "button", "text": plain(text), "action_id": action_id, **more}


def actions(*elements: Json, block_id: str = "actions") -> Json:
    """A block of controls."""
    return {"type": "actions", "block_id": block_id, "elements": list(elements)}


def section(text: str, **more: Any) -> Json:
    """A section of mrkdwn."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}, **more}


def option(text: str, value: str = "") -> Json:
    """An option."""
    return {"text": plain(text), "value": value or text.lower()}


def field(label: str, element: Json, block_id: str, **more: Any) -> Json:
    """A field of a form; its element's action_id is "value"."""
    held = {"action_id": "value", **element}
    return {"type": "input", "block_id": block_id, "label": plain(label), "element": held, **more}


def modal(title: str, *blocks: Json, **more: Any) -> Json:
    """A modal with a Submit button."""
    told = {"type": "modal", "title": plain(title), "submit": plain("Send"), "blocks": list(blocks)}
    return {**told, **more}


def as_json(value: Any) -> str:
    """A value as forms have it."""
    return json.dumps(value)
