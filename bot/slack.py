"""Slack, as this program serves it: Socket Mode or HTTP, one workspace or several."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from bot.settings import Settings
from bot.starting import NoAnswer, no_port
from bot.wiring import House, unknown_person
from channels.slack.api import Api, ApiFailed
from channels.slack.arriving import NoSigningSecret, of_the_token
from channels.slack.channel import Shell, Slack
from channels.slack.driver import OneToken, Workspaces, app, connect
from channels.slack.installations import open_installations
from channels.slack.listening import http, socket_mode
from channels.slack.manners import Manners
from core.channel import CannotServe


@dataclass(frozen=True)
class SlackService:
    """The app's channel, and how requests come to it. `place` says which workspace it is in,
    `workspaces` lets more than one install it."""

    channel: Slack
    settings: Settings
    place: str
    workspaces: Workspaces | None = None

    def how(self) -> str:
        """A line for whoever started the process."""
        way = "Socket Mode" if self.settings.slack_app_token is not None else "HTTP"
        return f"Slack: {self.place}, by {way}. Ctrl-C stops."

    async def receive(self, listening: Callable[[], None] = lambda: None) -> None:
        """Take in requests until cancelled; `listening` is called when they are taken in. Raises
        CannotServe."""
        async with AsyncExitStack() as stack:
            start = await self.channel.start()
            try:
                await self._listen(stack)
            except ApiFailed as failed:
                raise _cannot(failed, self.settings) from failed
            except OSError as error:
                raise no_port(error, self.settings, "set SLACK_APP_TOKEN") from error
            listening()
            await self.channel.come_back(start)
            await asyncio.Event().wait()

    async def _listen(self, stack: AsyncExitStack) -> None:
        chosen = self.settings
        secret = chosen.slack_signing_secret
        bolt = app(
            self.channel,
            chosen.slack_api_base,
            signing_secret="" if secret is None else secret.get_secret_value(),
            workspaces=self.workspaces,
            locale=chosen.locale,
        )
        token = chosen.slack_app_token
        if token is None or self.workspaces is not None:
            # With Socket Mode, it is only where people install the app.
            await stack.enter_async_context(http(bolt, host=chosen.web_host, port=chosen.web_port))
        if token is not None:
            sockets = socket_mode(bolt, token.get_secret_value(), chosen.slack_api_base)
            await stack.enter_async_context(sockets)


@asynccontextmanager
async def open_slack(
    settings: Settings, house: House, manners: Manners | None = None
) -> AsyncIterator[SlackService]:
    """The channel of the app whose tokens the settings have. Raises CannotServe."""
    if settings.slack_app_token is None and settings.slack_signing_secret is None:
        raise NoSigningSecret
    async with AsyncExitStack() as stack:
        try:
            api, place, workspaces = await _connected(settings, stack)
        except ApiFailed as failed:
            raise _cannot(failed, settings) from failed
        shell = Shell(
            store=house.store,
            types=house.runtime.types,
            trial=house.runtime.trial,
            ring=house.runtime.bell.ring,
            clock=house.runtime.clock,
            files=house.files.content,
        )
        channel = Slack(api, shell, manners or Manners(unknown=unknown_person(settings)))
        house.files.channels[channel.name] = channel
        stack.push_async_callback(channel.close)
        yield SlackService(channel, settings, place, workspaces)


async def _connected(
    settings: Settings, stack: AsyncExitStack
) -> tuple[Api, str, Workspaces | None]:
    """The Web API, where it leads, and what lets workspaces install the app. Raises CannotServe
    and ApiFailed."""
    base, token = settings.slack_api_base, settings.slack_bot_token
    if token is not None:
        api = await stack.enter_async_context(connect(OneToken(token.get_secret_value()), base))
        told = await api.call("", "auth.test")
        return api, f"{told.get('user', 'the bot')} in {told.get('team', 'a workspace')}", None
    client, secret = settings.slack_client_id, settings.slack_client_secret
    if client is None or secret is None:
        raise CannotServe(
            "To let workspaces install the app, set SLACK_CLIENT_ID and SLACK_CLIENT_SECRET (in the"
            " app's settings: Basic Information, App Credentials). For one workspace, set"
            " SLACK_BOT_TOKEN instead."
        )
    hidden = secret.get_secret_value()
    installations = open_installations(settings.database_url, client, hidden, base)
    known = await stack.enter_async_context(installations)
    api = await stack.enter_async_context(connect(known, base))
    workspaces = Workspaces(known, hidden, api)
    return api, "every workspace that installs it", workspaces


def _cannot(failed: ApiFailed, settings: Settings) -> CannotServe:
    """Why Slack cannot be served, and what to do about it."""
    wrong = of_the_token(failed, "SLACK_BOT_TOKEN")
    if wrong is not None:
        return wrong
    return NoAnswer("The Slack server", settings.slack_api_base, failed, "SLACK_API_BASE")
