"""The two ways in which Slack delivers to a bolt app: Socket Mode, and HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog
from aiohttp import WSMessage, web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from channels.slack.arriving import HEALTH, PATH, of_the_token
from channels.slack.driver import failure

log = structlog.get_logger()

PING = 5.0
"""Seconds between the pings that show whether a socket still lives; after four it is replaced."""
BODY = 4 * 2**20
"""Bytes of a request at most; the longest messages with their blocks take some hundred thousand."""
_CLOSING = 5.0
"""Seconds for which requests that are being taken are waited for at the end."""


@asynccontextmanager
async def socket_mode(bolt: AsyncApp, app_token: str, base: str) -> AsyncIterator[None]:
    """Listen over a WebSocket that is opened from here, which is replaced whenever it ends.

    Raises WrongToken for a token that Slack does not accept, and ApiFailed where it does not
    answer at all.
    """
    client = _Client(base_url=base, retry_handlers=[])
    await _check(client, app_token)
    handler = AsyncSocketModeHandler(bolt, app_token, web_client=client, ping_interval=PING)
    handler.client.message_listeners.append(_greeted)
    # slack_sdk hands a disconnect to none of its own listeners.
    handler.client.on_message_listeners.append(client.hear)
    try:
        await handler.connect_async()  # type: ignore[no-untyped-call]
        yield
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


async def _check(client: AsyncWebClient, app_token: str) -> None:
    """See that there will be a socket: the SDK tries for ever, whatever is wrong."""
    try:
        await client.apps_connections_open(app_token=app_token)
    except Exception as error:
        failed = failure(error, app_token)
        raise (of_the_token(failed, "SLACK_APP_TOKEN") or failed) from error


async def _greeted(_: object, message: dict[str, Any], __: str | None = None) -> None:
    """Slack tells how many sockets the app has: each delivery goes to any one of them."""
    sockets = message.get("num_connections", 1) if message.get("type") == "hello" else 1
    if isinstance(sockets, int) and sockets > 1:
        log.warning(
            "slack_sockets",
            connections=sockets,
            meaning="Another process has the same SLACK_APP_TOKEN, or a socket that died is still "
            "counted: what people do may arrive there. Processes of one bot share a database.",
        )


_ENDS = {
    "link_disabled": "Socket Mode was switched off in the app's settings, so nothing arrives any "
    "more. Switch it on again at https://api.slack.com/apps (Socket Mode); no restart is needed.",
    "too_many_websockets": "The app has more sockets than Slack allows (ten), so nothing arrives "
    "here. End other processes with the same SLACK_APP_TOKEN; this one goes on trying.",
}
"""What somebody has to do something about. All else that Slack ends a socket for is renewed by
itself (docs.slack.dev/apis/events-api/using-socket-mode#disconnect)."""


class _Client(AsyncWebClient):
    """Asks for sockets, in no haste once one was refused: slack_sdk would try again at once."""

    refused = False

    async def apps_connections_open(self, *, app_token: str, **more: Any) -> AsyncSlackResponse:
        """See AsyncWebClient."""
        if self.refused:
            self.refused = False
            await asyncio.sleep(PING)
        return await super().apps_connections_open(app_token=app_token, **more)

    async def hear(self, message: WSMessage) -> None:
        """Slack ends a socket, and tells why."""
        try:
            told = json.loads(message.data)
        except ValueError:
            return
        reason = told.get("reason") if told.get("type") == "disconnect" else None
        if reason in _ENDS:
            self.refused = True
            log.error("slack_socket_refused", reason=reason, meaning=_ENDS[reason])


@asynccontextmanager
async def http(bolt: AsyncApp, *, host: str, port: int) -> AsyncIterator[str]:
    """Listen for requests that Slack signs; the address, where that is told. `port` 0 is any.

    Raises OSError where the port is taken.
    """
    runner = web.AppRunner(application(bolt), access_log=None, shutdown_timeout=_CLOSING)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        yield f"http://{host}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def application(bolt: AsyncApp) -> web.Application:
    """An aiohttp application that hands Slack's requests to bolt, lets people install the app
    where it has an OAuth flow, and tells at /healthz that it runs."""
    app = web.Application(client_max_size=BODY)
    app.router.add_post(PATH, _Endpoint(bolt).receive)
    app.router.add_get(HEALTH, _healthy)
    if bolt.oauth_flow is not None:
        installing = _Installing(bolt.oauth_flow)
        app.router.add_get(bolt.oauth_flow.install_path, installing.begin)
        app.router.add_get(bolt.oauth_flow.redirect_uri_path, installing.end)
    return app


async def _healthy(_: web.Request) -> web.Response:
    return web.Response(text="ok")


class _Endpoint:
    """Where Slack posts to."""

    def __init__(self, bolt: AsyncApp) -> None:
        self._bolt = bolt

    async def receive(self, request: web.Request) -> web.Response:
        """A request: 401 for one that Slack did not sign, 400 for what is none of Slack's at all,
        413 for one that is too long."""
        try:
            asked = await to_bolt_request(request)
        except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
            return web.Response(status=400, text="This address is for Slack only.")
        return await to_aiohttp_response(await self._bolt.async_dispatch(asked))


class _Installing:
    """The pages on which people install the app."""

    def __init__(self, flow: AsyncOAuthFlow) -> None:
        self._flow = flow

    async def begin(self, request: web.Request) -> web.Response:
        """The way to Slack's own page."""
        asked = await to_bolt_request(request)
        return await to_aiohttp_response(await self._flow.handle_installation(asked))

    async def end(self, request: web.Request) -> web.Response:
        """They come back from there."""
        asked = await to_bolt_request(request)
        return await to_aiohttp_response(await self._flow.handle_callback(asked))
