"""A server whose every answer and update is checked against the Bot API, and ways to call it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from aiogram import Bot as AiogramBot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.types import Update
from telegram.ext import Application, ExtBot

from tests.support.telegram.bare import Ask, Heard
from tests.support.telegram.conform import conform
from tests.support.telegram.methods import METHODS
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    """A server; what it answered and told fits the types of the Bot API."""
    async with TelegramServer() as running:
        yield running
        answers_fit(running)


def answers_fit(server: TelegramServer) -> None:
    """Every result and every update is of the Bot API's own type."""
    for call in server.calls:
        if call.result is not None:
            conform(METHODS[call.method.lower()].__returning__, call.result, call.method)
    for update in server.updates.log:
        conform(Update, update.json(), update.kind)


@pytest.fixture
def ada(server: TelegramServer) -> Person:
    """Somebody who has started the bot."""
    return server.person("Ada", username="ada_l")


@pytest.fixture
async def ask(server: TelegramServer) -> AsyncIterator[Ask]:
    """Call a method by bare HTTP, with JSON."""
    async with aiohttp.ClientSession() as session:

        async def call(method: str, **parameters: Any) -> Heard:
            url = f"{server.url}/bot{server.token}/{method}"
            async with session.post(url, json=parameters) as answer:
                return Heard(answer.status, await answer.json())

        yield call


@pytest.fixture
async def aiogram_bot(server: TelegramServer) -> AsyncIterator[AiogramBot]:
    """aiogram's bot, talking to the server."""
    api = TelegramAPIServer.from_base(server.url)
    bot = AiogramBot(server.token, session=AiohttpSession(api=api))
    yield bot
    await bot.session.close()


PtbApplication = Application[Any, Any, Any, Any, Any, Any]


@pytest.fixture
async def ptb_app(server: TelegramServer) -> AsyncIterator[PtbApplication]:
    """python-telegram-bot's application, talking to the server; not started."""
    app = (
        Application.builder()
        .token(server.token)
        .base_url(f"{server.url}/bot")
        .base_file_url(f"{server.url}/file/bot")
        .build()
    )
    async with app:
        yield app


@pytest.fixture
def ptb_bot(ptb_app: PtbApplication) -> ExtBot[None]:
    """python-telegram-bot's bot, talking to the server."""
    bot: ExtBot[None] = ptb_app.bot
    return bot
