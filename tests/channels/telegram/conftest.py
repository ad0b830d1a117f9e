"""A Bot API server on loopback, and each library's way to call it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiogram import Bot as AiogramBot
from aiogram.client.default import DefaultBotProperties
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from telegram.ext import Defaults, ExtBot

from channels.telegram.api import Api
from channels.telegram.driver_aiogram import AiogramApi
from channels.telegram.driver_ptb import PtbApi
from tests.support.telegram.people import Person
from tests.support.telegram.server import TOKEN, TelegramServer

DRIVERS = ("aiogram", "ptb")


@asynccontextmanager
async def aiogram_bot(url: str, token: str = TOKEN) -> AsyncIterator[AiogramBot]:
    """aiogram's bot, in a program with defaults of its own."""
    session = AiohttpSession(api=TelegramAPIServer.from_base(url))
    defaults = DefaultBotProperties(parse_mode="HTML", protect_content=True)
    bot = AiogramBot(token, session=session, default=defaults)
    try:
        yield bot
    finally:
        await bot.session.close()


@asynccontextmanager
async def ptb_bot(url: str, token: str = TOKEN) -> AsyncIterator[ExtBot[None]]:
    """python-telegram-bot's bot, in a program with defaults of its own."""
    defaults = Defaults(parse_mode="HTML", protect_content=True, allow_sending_without_reply=True)
    bot: ExtBot[None] = ExtBot(
        token, base_url=f"{url}/bot", base_file_url=f"{url}/file/bot", defaults=defaults
    )
    try:
        yield bot
    finally:
        for request in bot._request:
            await request.shutdown()


@asynccontextmanager
async def api_of(driver: str, url: str, token: str = TOKEN) -> AsyncIterator[Api]:
    """A driver's calls to a server."""
    if driver == "aiogram":
        async with aiogram_bot(url, token) as by_aiogram:
            yield AiogramApi(by_aiogram)
    else:
        async with ptb_bot(url, token) as by_ptb:
            yield PtbApi(by_ptb)


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    """A server that is closed, and checked for violations, at the end."""
    async with TelegramServer() as running:
        yield running


@pytest.fixture
def ada(server: TelegramServer) -> Person:
    """Somebody who has started the bot."""
    return server.person("Ada", username="ada_l")


@pytest.fixture(params=DRIVERS)
def driver(request: pytest.FixtureRequest) -> str:
    """Both drivers, one after the other."""
    return str(request.param)


@pytest.fixture
async def api(driver: str, server: TelegramServer) -> AsyncIterator[Api]:
    """The Bot API of the server, through a driver."""
    async with api_of(driver, server.url) as made:
        yield made
