"""Surestep mounted into a program that runs a bot already, with either library: it takes what is
for it, and the program's own handlers go on as before."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from aiogram import Bot, Dispatcher, F, Router
from aiogram.filters import CommandStart
from aiogram.types import CallbackQuery, Message
from telegram import CallbackQuery as PtbQuery
from telegram import Chat, InlineKeyboardButton, InlineKeyboardMarkup, Update, User
from telegram import Message as PtbMessage
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    CommandHandler,
    ContextTypes,
    Defaults,
    InvalidCallbackData,
    MessageHandler,
    filters,
)

from channels.telegram.driver_aiogram import router
from channels.telegram.driver_ptb import handlers, raw
from channels.telegram.native import Json
from tests.channels.telegram.conftest import aiogram_bot, api_of
from tests.support.telegram.bare import PNG
from tests.support.telegram.people import Medium, Person
from tests.support.telegram.server import TelegramServer

BUTTONS = {
    "inline_keyboard": [
        [
            {"text": "Ours", "callback_data": "s1|card|token|7|0"},
            {"text": "Theirs", "callback_data": "host:1"},
        ]
    ]
}
Context = ContextTypes.DEFAULT_TYPE


class Listed:
    """A Surestep for tests: it wants what a rule says, and keeps what it was handed."""

    def __init__(self, server: TelegramServer, rule: Callable[[Json], bool]) -> None:
        self.server = server
        self.rule = rule
        self.kept: list[Json] = []
        self.fails = False

    async def wants(self, update: Json) -> bool:
        return self.rule(update)

    async def take(self, update: Json) -> None:
        if self.fails:
            self.fails = False
            raise RuntimeError("not stored")
        self.kept.append(update)
        self.server.touch()


def is_ours(update: Json) -> bool:
    """Words after "event", and taps on our buttons."""
    words = update.get("message") or update.get("edited_message") or {}
    tap = update.get("callback_query", {})
    return "event" in words.get("text", "") or tap.get("data", "").startswith("s1|")


@asynccontextmanager
async def aiogram_program(server: TelegramServer, surestep: Listed) -> AsyncIterator[None]:
    """A program with an echo, a /start and callback data of its own."""
    own = Router()

    @own.message(CommandStart())
    async def start(message: Message) -> None:
        await message.answer("Hello from the program")

    @own.message(F.text)
    async def echo(message: Message) -> None:
        await message.answer(f"You said {message.text}")

    @own.callback_query(F.data)
    async def tapped(query: CallbackQuery) -> None:
        await query.answer(f"The program heard {query.data}")

    dispatcher = Dispatcher()
    dispatcher.include_router(router(surestep))
    dispatcher.include_router(own)
    async with aiogram_bot(server.url) as bot:
        task = asyncio.create_task(_polls(dispatcher, bot))
        try:
            yield
        finally:
            await server.until(lambda: server.updates.is_polled, "a poll")
            await dispatcher.stop_polling()
            await task


async def _polls(dispatcher: Dispatcher, bot: Bot) -> None:
    await dispatcher.start_polling(bot, handle_signals=False, close_bot_session=False)


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
async def ptb_program(server: TelegramServer, surestep: Listed) -> AsyncIterator[None]:
    """The same with python-telegram-bot, whose handlers do not block where nothing else is said."""
    builder = Application.builder().token(server.token).base_url(f"{server.url}/bot")
    app = builder.defaults(Defaults(block=False, parse_mode="HTML")).build()
    app.add_handler(CommandHandler("start", _start))
    app.add_handler(MessageHandler(filters.TEXT, _echo))
    app.add_handler(CallbackQueryHandler(_tapped))
    app.add_handlers(handlers(surestep))
    assert app.updater is not None
    async with app:
        await app.start()
        await app.updater.start_polling(allowed_updates=Update.ALL_TYPES)
        try:
            yield
        finally:
            await server.until(lambda: server.updates.is_polled, "a poll")
            await app.updater.stop()
            await app.stop()


@asynccontextmanager
async def program(driver: str, server: TelegramServer, surestep: Listed) -> AsyncIterator[None]:
    """A program that runs, with Surestep mounted."""
    made = aiogram_program if driver == "aiogram" else ptb_program
    async with made(server, surestep):
        yield


async def buttons_for(server: TelegramServer, ada: Person) -> None:
    """A message of the bot with a button of ours and one of the program's."""
    async with api_of("aiogram", server.url) as api:
        await api.call("sendMessage", chat_id=ada.id, text="Choose", reply_markup=BUTTONS)


@pytest.fixture
def surestep(server: TelegramServer) -> Listed:
    """It wants what is about events."""
    return Listed(server, is_ours)


async def test_the_programs_own_handlers_go_on_as_before(
    server: TelegramServer, ada: Person, surestep: Listed, driver: str
) -> None:
    await buttons_for(server, ada)
    async with program(driver, server, surestep):
        ada.says("/start")
        await server.until(lambda: "Hello from the program" in ada.chat.screen().texts)
        ada.says("just talk")
        await server.until(lambda: "You said just talk" in ada.chat.screen().texts)
        assert (await ada.taps("Theirs").answered()).text == "The program heard host:1"
    assert surestep.kept == []


async def test_what_is_for_surestep_reaches_no_handler_of_the_program(
    server: TelegramServer, ada: Person, surestep: Listed, driver: str
) -> None:
    await buttons_for(server, ada)
    before = ada.chat.screen().texts
    async with program(driver, server, surestep):
        said = ada.says("/start event")
        ada.edits(said, "/start event_2")
        tap = ada.taps("Ours")
        await server.until(lambda: len(surestep.kept) == 3, "three updates")
    # aiogram begins to handle the updates of one answer side by side
    kept = sorted(surestep.kept, key=lambda update: update["update_id"])
    assert kept == [one.json() for one in server.updates.log]
    assert tap.answer is None
    assert ada.chat.screen().texts == [*before, "/start event_2"]


async def test_a_failure_to_store_is_the_programs_to_know_and_nobody_else_answers(
    server: TelegramServer, ada: Person, surestep: Listed, driver: str
) -> None:
    surestep.fails = True
    async with program(driver, server, surestep):
        ada.says("an event")
        ada.says("just talk")
        await server.until(lambda: "You said just talk" in ada.chat.screen().texts)
        ada.says("another event")
        await server.until(lambda: surestep.kept)
    assert [update["message"]["text"] for update in surestep.kept] == ["another event"]
    assert "You said an event" not in ada.chat.screen().texts


def test_arbitrary_callback_data_of_a_program_leaves_ours_as_it_was() -> None:
    # What ExtBot.insert_callback_data puts in place of data that is not in its own cache.
    ours = "s1|card|token|7|0"
    user = User(7, "Ada", is_bot=False)
    buttons = InlineKeyboardMarkup(
        [[InlineKeyboardButton("Ours", callback_data=InvalidCallbackData(ours))]]
    )
    query = PtbQuery("1", user, "2", data=InvalidCallbackData(ours))  # type: ignore[arg-type]
    date = datetime.fromtimestamp(1_800_000_000, UTC)
    told = raw(Update(9, callback_query=query))
    assert told["callback_query"]["data"] == ours
    message = PtbMessage(3, date, Chat(7, "private"), reply_markup=buttons)
    told = raw(Update(9, message=message))
    assert told["message"]["reply_markup"]["inline_keyboard"][0][0]["callback_data"] == ours
    assert told["message"]["chat"] == {"id": 7, "type": "private"}
    assert told["message"]["date"] == 1_800_000_000
    json.dumps(told)


def everything_happens(server: TelegramServer, ada: Person) -> None:
    """People do all that a bot is told of."""
    first = ada.says("<b>Hi</b> @surestep_bot, see https://example.org and mail a@example.org 🙂")
    ada.says("an answer", reply_to=first)
    ada.sends_photo(caption="look: #here")
    ada.sends_document(PNG, "plän.png", caption="")
    ada.sends_voice()
    ada.sends_sticker()
    ada.sends_album([Medium("photo", "a.png", PNG, "one"), Medium("photo", "b.png", PNG)])
    ada.shares_location(48.25, 16.5)
    ada.shares_contact("+431234567")
    ada.sends_poll("When?", "Now", "Later")
    ada.sends({"text": "of a newer Bot API", "telepathy": {"depth": 3, "from": ["x", None]}})
    ada.sends({"text": "see", "link_preview_options": {"url": "https://example.org"}})
    ada.sends({"dice": {"emoji": "🎲", "value": 6}})
    ada.edits(first, "Hi, edited")
    group = server.group("Orga", ada)
    ada.says("/new@surestep_bot", chat=group)
    forum = server.group("Forum", ada, forum=True)
    topic = forum.topic("Events")
    ada.says("/new in a topic", chat=forum, thread=topic)
    tapped = ada.chat.screen().live[0]
    ada.taps("Ours")
    tapped.inaccessible = True
    ada.taps("Theirs", tapped)
    group.kicks_bot(ada)
    server.group("Later super", ada).upgrades()
    ada.blocks()
    ada.says("back again")


def filled(value: Any) -> Any:
    """Without empty lists, which python-telegram-bot leaves out."""
    if isinstance(value, dict):
        return {name: filled(part) for name, part in value.items() if part != []}
    return [filled(part) for part in value] if isinstance(value, list) else value


async def test_every_update_arrives_as_the_server_sent_it(
    server: TelegramServer, ada: Person, driver: str
) -> None:
    await buttons_for(server, ada)
    surestep = Listed(server, lambda update: True)
    async with program(driver, server, surestep):
        everything_happens(server, ada)
        sent = server.updates.log
        await server.until(lambda: len(surestep.kept) == len(sent), f"{len(sent)} updates")
    kept = {update["update_id"]: update for update in surestep.kept}
    for one in sent:
        assert filled(kept[one.id]) == filled(one.json())
    assert {one.kind for one in sent} == {
        "message",
        "edited_message",
        "callback_query",
        "my_chat_member",
    }
    assert json.loads(json.dumps(kept)) == {str(key): value for key, value in kept.items()}
