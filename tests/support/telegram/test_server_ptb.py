"""python-telegram-bot talks to the server: a journey two ways, files, news, and errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from telegram import (
    BotCommand,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaDocument,
    KeyboardButton,
    Message,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
    Update,
)
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)
from telegram.ext import (
    CallbackQueryHandler,
    CommandHandler,
    ContextTypes,
    ExtBot,
    MessageHandler,
    filters,
)

from tests.support.telegram.bare import PNG
from tests.support.telegram.conftest import PtbApplication
from tests.support.telegram.faults import Breaks, Drops, Floods, Garbles, Refuses
from tests.support.telegram.people import Medium, Person
from tests.support.telegram.profile import commands_shown
from tests.support.telegram.server import TelegramServer
from tests.support.telegram.webhook import SECRET_HEADER

Context = ContextTypes.DEFAULT_TYPE
CHIPS = InlineKeyboardMarkup(
    [
        [
            InlineKeyboardButton("Talk", callback_data="talk"),
            InlineKeyboardButton("Workshop", callback_data="workshop"),
        ]
    ]
)


async def start(update: Update, context: Context) -> None:
    assert update.message is not None
    text = f"<b>What</b> is it, {' '.join(context.args or [])}?"
    await update.message.reply_text(text, parse_mode="HTML", reply_markup=CHIPS)


async def settle(update: Update, context: Context) -> None:
    query = update.callback_query
    assert query is not None
    await query.answer(f"{query.data} it is")
    await query.edit_message_text(f"Kind: {query.data}")


def with_journey(app: PtbApplication) -> PtbApplication:
    """Asks for the kind of an event, and settles it in place."""
    app.add_handler(CommandHandler("start", start))
    app.add_handler(CallbackQueryHandler(settle))
    return app


@asynccontextmanager
async def polling(app: PtbApplication) -> AsyncIterator[None]:
    assert app.updater is not None
    await app.start()
    await app.updater.start_polling()
    try:
        yield
    finally:
        await app.updater.stop()
        await app.stop()


@asynccontextmanager
async def webhook(app: PtbApplication, secret: str) -> AsyncIterator[str]:
    """The application behind aiohttp, as its documentation shows it for other web servers."""

    async def take(request: web.Request) -> web.Response:
        if request.headers.get(SECRET_HEADER) != secret:
            return web.Response(status=401)
        update = Update.de_json(await request.json(), app.bot)
        await app.process_update(update)
        return web.Response()

    server = web.Application()
    server.router.add_post("/hook", take)
    runner = web.AppRunner(server)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    try:
        yield f"http://{host}:{port}/hook"
    finally:
        await runner.cleanup()


async def takes_the_journey(server: TelegramServer, ada: Person) -> None:
    ada.starts("event")
    (ask,) = await server.until(lambda: ada.chat.screen().live, "the question")
    assert (ask.text, ask.marked("bold")) == ("What is it, event?", ["What"])
    assert ask.labels == ["Talk", "Workshop"]
    assert (await ada.taps("Workshop").answered()).text == "workshop it is"
    await server.until(lambda: ask.text == "Kind: workshop", "the receipt")
    assert ask.buttons == []
    assert str(ada.chat.screen()) == "── Ada ──\nAda: /start event\nSurestep: Kind: workshop"


async def test_a_journey_by_polling(
    server: TelegramServer, ada: Person, ptb_app: PtbApplication
) -> None:
    async with polling(with_journey(ptb_app)):
        await takes_the_journey(server, ada)
    assert [call.method for call in server.called()] == [
        "getMe",
        "deleteWebhook",
        "sendMessage",
        "answerCallbackQuery",
        "editMessageText",
    ]


async def test_a_journey_by_webhook(
    server: TelegramServer, ada: Person, ptb_app: PtbApplication
) -> None:
    async with webhook(with_journey(ptb_app), "s3cret") as url:
        await ptb_app.bot.set_webhook(url, secret_token="s3cret")
        await takes_the_journey(server, ada)
        assert (await ptb_app.bot.get_webhook_info()).url == url
        await ptb_app.bot.delete_webhook()
    assert server.updates.waiting() == []


async def test_a_webhook_with_another_secret_is_refused_by_the_bot(
    server: TelegramServer, ada: Person, ptb_app: PtbApplication
) -> None:
    async with webhook(with_journey(ptb_app), "s3cret") as url:
        await ptb_app.bot.set_webhook(url, secret_token="another")
        ada.starts()
        hook = server.updates.webhook
        assert hook is not None
        await server.until(lambda: len(hook.attempts) > 1, "two attempts")
        await ptb_app.bot.delete_webhook()
    assert {attempt.status for attempt in hook.attempts} == {401}
    assert len(server.updates.waiting()) == 1


async def test_all_that_people_send_arrives(
    server: TelegramServer, ada: Person, ptb_bot: ExtBot[None]
) -> None:
    ada.sends_photo(PNG, caption="our poster")
    ada.sends_document(b"a,b", "list.csv")
    ada.sends_sticker("🎉")
    ada.sends_voice()
    ada.shares_location(52.5, 13.4)
    ada.shares_contact("+4930123456")
    ada.sends_poll("When?", "Mon", "Tue")
    ada.sends_album([Medium("photo", "1.png", PNG), Medium("photo", "2.png", PNG, "two")])
    words = ada.says("/help me at https://e.org")
    ada.edits(words, "never mind")
    updates = await ptb_bot.get_updates()
    messages = [update.message for update in updates if update.message]
    kinds = (filters.PHOTO, filters.Document.ALL, filters.Sticker.ALL, filters.VOICE)
    places = (filters.LOCATION, filters.CONTACT, filters.POLL, filters.PHOTO, filters.PHOTO)
    for one, message in zip((*kinds, *places, filters.COMMAND), messages, strict=True):
        assert one.filter(message), (one, message)
    assert messages[7].media_group_id == messages[8].media_group_id is not None
    edited = updates[-1].edited_message
    assert edited is not None
    assert (edited.text, edited.message_id) == ("never mind", words.id)
    assert messages[1].document is not None
    file = await messages[1].document.get_file()
    assert bytes(await file.download_as_bytearray()) == b"a,b"


async def test_files_go_up_and_come_down(
    server: TelegramServer, ada: Person, ptb_bot: ExtBot[None]
) -> None:
    sent = await ptb_bot.send_photo(ada.id, PNG, caption="<i>hi</i>", parse_mode="HTML")
    again = await ptb_bot.send_photo(ada.id, sent.photo[-1].file_id)
    assert again.photo == sent.photo
    album = await ptb_bot.send_media_group(
        ada.id,
        [
            InputMediaDocument(b"1", filename="1.txt"),
            InputMediaDocument(b"2", filename="2.txt", caption="both"),
        ],
    )
    assert [message.caption for message in album] == [None, "both"]
    file = await sent.photo[-1].get_file()
    assert bytes(await file.download_as_bytearray()) == PNG
    assert [message.media for message in ada.chat.screen()] == [
        *("photo", "photo", "document", "document")
    ]
    assert ada.chat.screen()[0].marked("italic") == ["hi"]


async def test_what_is_new_in_the_api_goes_by_the_raw_request(
    server: TelegramServer, ada: Person, ptb_bot: ExtBot[None]
) -> None:
    cell = {"align": "left", "valign": "top"}
    blocks = [
        {"type": "paragraph", "text": [{"type": "bold", "text": "Check"}, " it"]},
        {"type": "table", "cells": [[{**cell, "text": "Kind"}, {**cell, "text": "Talk"}]]},
        {"type": "buttons", "buttons": [{"text": "Confirm", "callback_data": "c"}]},
    ]
    asked = {"chat_id": ada.id, "rich_message": {"blocks": blocks}}
    sent = await ptb_bot.do_api_request("sendRichMessage", asked, return_type=Message)
    assert isinstance(sent, Message)
    assert sent.api_kwargs["rich_message"] == {"blocks": blocks}
    assert ada.chat.newest.labels == ["Confirm"]
    ada.taps("Confirm")
    stop = {"can_stop": True}
    assert await ptb_bot.send_message_draft(ada.id, 7, "I think", api_kwargs=stop)
    ada.stops()
    (_, told) = await ptb_bot.get_updates()
    assert told.api_kwargs["stopped_message_generation"]["draft_id"] == 7


async def test_a_keyboard_in_place_of_ones_own(
    server: TelegramServer, ada: Person, ptb_app: PtbApplication
) -> None:
    async def thanks(update: Update, context: Context) -> None:
        assert update.message is not None
        await update.message.reply_text("Thanks", reply_markup=ReplyKeyboardRemove())

    ptb_app.add_handler(MessageHandler(filters.TEXT, thanks))
    share = KeyboardButton("Share my number", request_contact=True)
    markup = ReplyKeyboardMarkup([["Yes", "No"], [share]])
    await ptb_app.bot.send_message(ada.id, "Sure?", reply_markup=markup)
    assert str(ada.chat.screen()).splitlines()[-2:] == ["⌨ [ Yes ] [ No ]", "⌨ [ Share my number ]"]
    async with polling(ptb_app):
        ada.types("Yes")
        await server.until(lambda: ada.chat.newest.text == "Thanks")
    assert ada.chat.reply_keyboard == []


async def test_commands_are_set_for_each_language(
    server: TelegramServer, ptb_bot: ExtBot[None]
) -> None:
    await ptb_bot.set_my_commands([BotCommand("help", "How it works")])
    await ptb_bot.set_my_commands([BotCommand("help", "So geht es")], language_code="de")
    assert commands_shown(server, "de")[0]["description"] == "So geht es"
    assert commands_shown(server, "fr")[0]["description"] == "How it works"
    (told,) = await ptb_bot.get_my_commands(language_code="de")
    assert told.description == "So geht es"


Arrange = Callable[[TelegramServer, Person], Any]


@pytest.mark.parametrize(
    "arrange,error,why",
    [
        (lambda s, ada: ada.blocks(), Forbidden, "bot was blocked by the user"),
        (lambda s, ada: s.chats.pop(ada.id), BadRequest, "Chat not found"),
        (lambda s, ada: s.befall(Floods(5)), RetryAfter, "Retry in 5 seconds"),
        (lambda s, ada: s.befall(Breaks()), NetworkError, "Bad Gateway"),
        (lambda s, ada: s.befall(Garbles()), TelegramError, "Invalid server response"),
        (lambda s, ada: s.befall(Drops()), NetworkError, "httpx"),
        (lambda s, ada: s.befall(Refuses(500, "Internal: sorry")), NetworkError, "sorry"),
        (lambda s, ada: setattr(s, "token", "1:other"), InvalidToken, "Unauthorized"),
    ],
)
async def test_what_goes_wrong_is_the_librarys_own_error(
    server: TelegramServer,
    ada: Person,
    ptb_bot: ExtBot[None],
    arrange: Arrange,
    error: type[TelegramError],
    why: str,
) -> None:
    arrange(server, ada)
    with pytest.raises(error, match=why):
        await ptb_bot.send_message(ada.id, "hello")


async def test_a_group_that_moved_says_where(
    server: TelegramServer, ada: Person, ptb_bot: ExtBot[None]
) -> None:
    group = server.group("Team", ada)
    moved = group.upgrades()
    with pytest.raises(ChatMigrated) as refused:
        await ptb_bot.send_message(group.id, "hello")
    assert refused.value.new_chat_id == moved.id
    await ptb_bot.send_message(moved.id, "hello")
    assert moved.newest.text == "hello"


async def test_edits_that_cannot_be_made(
    server: TelegramServer, ada: Person, ptb_bot: ExtBot[None]
) -> None:
    sent = await ptb_bot.send_message(ada.id, "hello")
    with pytest.raises(BadRequest, match="Message is not modified"):
        await sent.edit_text("hello")
    ada.deletes(ada.chat.newest)
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await sent.edit_text("hello again")
    with pytest.raises(BadRequest, match="Message to delete not found"):
        await sent.delete()


async def test_a_tap_on_a_message_out_of_reach(
    server: TelegramServer, ada: Person, ptb_bot: ExtBot[None]
) -> None:
    await ptb_bot.send_message(ada.id, "old", reply_markup=CHIPS)
    ada.chat.puts_out_of_reach(ada.chat.newest)
    tap = ada.taps("Talk")
    (update,) = await ptb_bot.get_updates()
    assert update.callback_query is not None
    # python-telegram-bot makes a Message of it all the same, which only its date tells apart.
    assert isinstance(update.callback_query.message, Message)
    assert not update.callback_query.message.is_accessible
    assert update.callback_query.data == "talk"
    server.passes(seconds=61)
    with pytest.raises(BadRequest, match="Query is too old"):
        await ptb_bot.answer_callback_query(tap.id)


async def test_a_second_poller_ends_the_first(
    server: TelegramServer, ada: Person, ptb_bot: ExtBot[None]
) -> None:
    first = asyncio.create_task(ptb_bot.get_updates(timeout=20))
    await server.until(lambda: server.updates.is_polled, "the first poll")
    # python-telegram-bot polls over one connection, so the second poller is another bot of its.
    async with ExtBot(
        server.token, base_url=f"{server.url}/bot", base_file_url=f"{server.url}/file/bot"
    ) as other:
        second = asyncio.create_task(other.get_updates(timeout=20))
        with pytest.raises(Conflict, match="only one bot instance is running"):
            await first
        ada.says("hello")
        assert len(await second) == 1


async def test_an_unknown_method_is_not_found(
    server: TelegramServer, ptb_bot: ExtBot[None]
) -> None:
    with pytest.raises(EndPointNotFound):
        await ptb_bot.do_api_request("inventSomething")
    assert server.take_violations() == ["inventSomething: Not Found: method not found"]
