"""The real thing mounted into a program with a bot of its own, by the very lines that the README
shows: a journey goes its way, and so does the program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiogram import Dispatcher, F, Router
from aiogram.filters import CommandStart
from aiogram.types import CallbackQuery, Message
from telegram import Update
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    CommandHandler,
    ContextTypes,
    MessageHandler,
    filters,
)

from bot.docs import mounting_examples
from tests.channels.telegram.conftest import aiogram_bot, api_of
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer

THEIRS = {"inline_keyboard": [[{"text": "Theirs", "callback_data": "host:1"}]]}
Context = ContextTypes.DEFAULT_TYPE


def shown(library: str) -> dict[str, Any]:
    """What the code of the README for this library defines."""
    (code,) = [code for title, code in mounting_examples().items() if f"With {library}" in title]
    defined: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), defined)
    return defined


@asynccontextmanager
async def aiogram_program(server: TelegramServer) -> AsyncIterator[None]:
    """A program with a /start, an echo and callback data of its own."""
    own = Router()

    @own.message(CommandStart())
    async def start(message: Message) -> None:
        await message.answer("Hello from the program")

    @own.message(F.text)
    async def echo(message: Message) -> None:
        await message.answer(f"You said {message.text}", parse_mode=None)

    @own.callback_query(F.data)
    async def tapped(query: CallbackQuery) -> None:
        await query.answer(f"The program heard {query.data}")

    dispatcher = Dispatcher()
    async with aiogram_bot(server.url) as bot:
        running = asyncio.create_task(shown("aiogram")["main"](bot, dispatcher, own))
        try:
            yield
        finally:
            await server.until(lambda: server.updates.is_polled, "a poll")
            await dispatcher.stop_polling()
            await running


async def _start(update: Update, context: Context) -> None:
    assert update.message is not None
    await update.message.reply_text("Hello from the program")


async def _echo(update: Update, context: Context) -> None:
    assert update.message is not None
    await update.message.reply_text(f"You said {update.message.text}")


async def _tapped(update: Update, context: Context) -> None:
    assert update.callback_query is not None
    await update.callback_query.answer(f"The program heard {update.callback_query.data}")


@asynccontextmanager
async def ptb_program(server: TelegramServer) -> AsyncIterator[None]:
    """The same with python-telegram-bot; it runs as such programs do, with a loop of its own."""
    builder = Application.builder().token(server.token).base_url(f"{server.url}/bot")
    loop = asyncio.new_event_loop()
    application = builder.post_init(shown("python-telegram-bot")["mount"]).build()
    application.add_handler(CommandHandler("start", _start))
    application.add_handler(MessageHandler(filters.TEXT, _echo))
    application.add_handler(CallbackQueryHandler(_tapped))

    def run() -> None:
        asyncio.set_event_loop(loop)
        application.run_polling(stop_signals=None)

    running = asyncio.create_task(asyncio.to_thread(run))
    try:
        yield
    finally:
        await server.until(lambda: server.updates.is_polled, "a poll")
        loop.call_soon_threadsafe(application.stop_running)
        await running


PROGRAMS = {"aiogram": aiogram_program, "ptb": ptb_program}


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The program's environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path / 'mounted.db'}")
    monkeypatch.setenv("SURESTEP_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)


async def seen(server: TelegramServer, person: Person, words: str) -> None:
    """Wait until the newest message says this."""
    await server.until(lambda: words in person.chat.newest.text, words)


@pytest.mark.usefixtures("settings")
async def test_a_journey_and_the_program_go_their_ways_in_one_bot(
    server: TelegramServer, ada: Person, driver: str
) -> None:
    async with api_of("aiogram", server.url) as api:
        await api.call("sendMessage", chat_id=ada.id, text="Choose", reply_markup=THEIRS)
    async with PROGRAMS[driver](server):
        # Nothing is open: all is the program's.
        ada.says("/start")
        await seen(server, ada, "Hello from the program")
        ada.says("meetup")
        await seen(server, ada, "You said meetup")
        # A journey begins, and its words and taps are its own.
        ada.says("/new event")
        await seen(server, ada, "What kind of event is it?")
        assert (await ada.taps("Meetup").answered()).text == ""
        await seen(server, ada, "Where does it take place?")
        server.passes(60)  # the program goes by the real clock, which has gone on
        ada.says("online")
        await seen(server, ada, "link")
        assert "✓ Format: Online" in ada.chat.screen().texts
        # The program's buttons go on meanwhile, and so does its talk with others.
        assert (await ada.taps("Theirs").answered()).text == "The program heard host:1"
        bob = server.person("Bob")
        bob.says("hello")
        await seen(server, bob, "You said hello")
        # And when the journey is over, all is the program's again.
        ada.says("/cancel")
        await seen(server, ada, "throw away")
        await ada.taps("Yes, cancel").answered()
        await server.until(
            lambda: any("Cancelled." in text for text in ada.chat.screen().texts), "the end"
        )
        ada.says("hello")
        await seen(server, ada, "You said hello")
    assert "You said online" not in ada.chat.screen().texts
    # The menu of commands is the program's.
    assert server.commands == {}
