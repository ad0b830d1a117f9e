"""Telegram, as this program serves it: the driver that the settings name, polling or a webhook."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import structlog

from bot.settings import Settings
from bot.starting import NoAnswer, no_port
from bot.wiring import House, admin_command, unknown_person
from channels.telegram import menu, webhook
from channels.telegram.api import Api, ApiFailed
from channels.telegram.arriving import of_the_token
from channels.telegram.channel import Telegram
from channels.telegram.manners import Manners
from channels.telegram.polling import poll
from core.channel import CannotServe

log = structlog.get_logger()


@dataclass(frozen=True)
class TelegramService:
    """The bot's channel, and how updates come to it."""

    channel: Telegram
    settings: Settings
    house: House

    def how(self) -> str:
        """A line for whoever started the process."""
        name = f"Telegram: https://t.me/{self.channel.me.username}"
        way = "a webhook" if self.settings.telegram_webhook_url else "long polling"
        return f"{name}, by {way} with {self.settings.telegram_driver}. Ctrl-C stops."

    async def receive(self, listening: Callable[[], None] = lambda: None) -> None:
        """Take in updates until cancelled; `listening` is called when they are taken in.

        Whatever passes is waited out. Raises CannotServe for what does not.
        """
        back = asyncio.create_task(self._come_back())
        try:
            await menu.show(self.channel.api)
            await self._receive(listening)
        finally:
            back.cancel()
            await asyncio.gather(back, return_exceptions=True)

    async def _come_back(self) -> None:
        try:
            await self.channel.come_back(self.house.runtime.clock)
        except Exception:
            # An open ask that is not drawn again can be answered all the same.
            log.exception("telegram_not_come_back")

    async def _receive(self, listening: Callable[[], None]) -> None:
        if self.settings.telegram_webhook_url is None:
            listening()
            await poll(self.channel.api, self.channel.take)
        else:
            await self._deliver_to(self.settings.telegram_webhook_url, listening)

    async def _deliver_to(self, url: str, listening: Callable[[], None]) -> None:
        chosen = self.settings
        host, port, secret = chosen.web_host, chosen.web_port, webhook_secret(chosen)
        api, take = self.channel.api, self.channel.take
        try:
            await webhook.serve(
                api, take, url, host=host, port=port, secret=secret, listening=listening
            )
        except OSError as error:
            raise no_port(error, chosen, "leave out TELEGRAM_WEBHOOK_URL") from error


@asynccontextmanager
async def open_telegram(
    settings: Settings, house: House, manners: Manners | None = None
) -> AsyncIterator[TelegramService]:
    """The channel of the bot whose token the settings have. Raises CannotServe."""
    async with AsyncExitStack() as stack:
        try:
            api = await stack.enter_async_context(_driver(settings))
            channel = await Telegram.connect(
                api,
                house.store,
                manners=manners
                or Manners(unknown=unknown_person(settings), admin=admin_command(settings)),
                ring=house.runtime.bell.ring,
                menus=True,
                files=house.files.content,
            )
        except ApiFailed as failed:
            raise _cannot(failed, settings) from None
        house.files.channels[channel.name] = channel
        stack.push_async_callback(channel.close)
        yield TelegramService(channel, settings, house)


def _cannot(failed: ApiFailed, settings: Settings) -> CannotServe:
    """Why Telegram cannot be served, and what to do about it."""
    wrong = of_the_token(failed)
    if wrong is not None:
        return wrong
    base = settings.telegram_api_base
    return NoAnswer("The Bot API server", base, failed, "TELEGRAM_API_BASE")


def _driver(settings: Settings) -> AbstractAsyncContextManager[Api]:
    """The library that the settings name; only that one is loaded."""
    token = settings.telegram_bot_token
    assert token is not None
    if settings.telegram_driver == "ptb":
        from channels.telegram import driver_ptb

        return driver_ptb.connect(token.get_secret_value(), settings.telegram_api_base)
    from channels.telegram import driver_aiogram

    return driver_aiogram.connect(token.get_secret_value(), settings.telegram_api_base)


def webhook_secret(settings: Settings) -> str:
    """What Telegram sends along with each update, so that nobody else can: it follows from the
    token, so that all processes of one bot know it and nobody has to set it."""
    token = settings.telegram_bot_token
    assert token is not None
    key = token.get_secret_value().encode()
    return hmac.new(key, b"telegram webhook", hashlib.sha256).hexdigest()
