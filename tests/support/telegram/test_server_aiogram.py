"""aiogram talks to the server: a journey by polling and by webhook, files, news, and errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from aiogram import Bot, Dispatcher, F, Router
from aiogram.exceptions import (
    ClientDecodeError,
    TelegramAPIError,
    TelegramBadRequest,
    TelegramConflictError,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramNetworkError,
    TelegramNotFound,
    TelegramRetryAfter,
    TelegramServerError,
    TelegramUnauthorizedError,
)
from aiogram.filters import CommandObject, CommandStart
from aiogram.methods import SendMessage, TelegramMethod
from aiogram.types import (
    BotCommand,
    BufferedInputFile,
    CallbackQuery,
    InaccessibleMessage,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaDocument,
    InputRichBlockButtons,
    InputRichBlockParagraph,
    InputRichBlockTable,
    InputRichMessage,
    Message,
    MessageGenerationStopped,
    RichBlockTableCell,
    RichMessageButton,
    RichTextBold,
)
from aiogram.webhook.aiohttp_server import SimpleRequestHandler
from aiohttp import web

from tests.support.telegram.bare import PNG
from tests.support.telegram.faults import Breaks, Drops, Floods, Garbles, Refuses
from tests.support.telegram.people import Medium, Person
from tests.support.telegram.profile import commands_shown
from tests.support.telegram.server import TelegramServer

CHIPS = InlineKeyboardMarkup(
    inline_keyboard=[
        [
            InlineKeyboardButton(text="Talk", callback_data="talk"),
            InlineKeyboardButton(text="Workshop", callback_data="workshop"),
        ]
    ]
)


def journey() -> Dispatcher:
    """Asks for the kind of an event, and settles it in place."""
    router = Router()

    @router.message(CommandStart())
    async def start(message: Message, command: CommandObject) -> None:
        text = f"<b>What</b> is it, {command.args}?"
        await message.answer(text, parse_mode="HTML", reply_markup=CHIPS)

    @router.callback_query(F.data)
    async def settle(query: CallbackQuery) -> None:
        await query.answer(f"{query.data} it is")
        assert isinstance(query.message, Message)
        await query.message.edit_text(f"Kind: {query.data}")

    dispatcher = Dispatcher()
    dispatcher.include_router(router)
    return dispatcher


@asynccontextmanager
async def polling(bot: Bot, dispatcher: Dispatcher) -> AsyncIterator[None]:
    running = dispatcher.start_polling(bot, handle_signals=False, close_bot_session=False)
    task = asyncio.create_task(running)
    try:
        yield
    finally:
        await dispatcher.stop_polling()
        await task


@asynccontextmanager
async def webhook(bot: Bot, dispatcher: Dispatcher, secret: str) -> AsyncIterator[str]:
    app = web.Application()
    handler = SimpleRequestHandler(dispatcher, bot, handle_in_background=False, secret_token=secret)
    handler.register(app, "/hook")
    runner = web.AppRunner(app)
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


async def test_a_journey_by_polling(server: TelegramServer, ada: Person, aiogram_bot: Bot) -> None:
    async with polling(aiogram_bot, journey()):
        await takes_the_journey(server, ada)
    assert [call.method for call in server.called()] == [
        "getMe",
        "sendMessage",
        "answerCallbackQuery",
        "editMessageText",
    ]


async def test_a_journey_by_webhook(server: TelegramServer, ada: Person, aiogram_bot: Bot) -> None:
    async with webhook(aiogram_bot, journey(), "s3cret") as url:
        await aiogram_bot.set_webhook(url, secret_token="s3cret")
        await takes_the_journey(server, ada)
        assert (await aiogram_bot.get_webhook_info()).url == url
        await aiogram_bot.delete_webhook()
    assert server.updates.waiting() == []


async def test_a_webhook_with_another_secret_is_refused_by_the_bot(
    server: TelegramServer, ada: Person, aiogram_bot: Bot
) -> None:
    async with webhook(aiogram_bot, journey(), "s3cret") as url:
        await aiogram_bot.set_webhook(url, secret_token="another")
        ada.starts()
        hook = server.updates.webhook
        assert hook is not None
        await server.until(lambda: len(hook.attempts) > 1, "two attempts")
        await aiogram_bot.delete_webhook()
    assert {attempt.status for attempt in hook.attempts} == {401}
    assert len(server.updates.waiting()) == 1


async def test_a_method_in_the_answer_to_a_webhook_is_carried_out(
    server: TelegramServer, ada: Person, aiogram_bot: Bot
) -> None:
    dispatcher = Dispatcher()

    @dispatcher.message()
    async def echo(message: Message) -> TelegramMethod[Message]:
        return SendMessage(chat_id=message.chat.id, text=f"You said {message.text}")

    async with webhook(aiogram_bot, dispatcher, "") as url:
        await aiogram_bot.set_webhook(url)
        ada.says("hello")
        await server.until(lambda: ada.chat.newest.text == "You said hello")
    (call,) = server.called("sendMessage")
    assert call.by_webhook


async def test_all_that_people_send_arrives(
    server: TelegramServer, ada: Person, aiogram_bot: Bot
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
    updates = await aiogram_bot.get_updates()
    messages = [update.message for update in updates if update.message]
    assert [message.content_type for message in messages] == [
        *("photo", "document", "sticker", "voice", "location", "contact", "poll"),
        *("photo", "photo", "text"),
    ]
    assert messages[7].media_group_id == messages[8].media_group_id is not None
    assert [entity.type for entity in messages[-1].entities or []] == ["bot_command", "url"]
    edited = updates[-1].edited_message
    assert edited is not None
    assert (edited.text, edited.message_id) == ("never mind", words.id)
    assert messages[1].document is not None
    content = await aiogram_bot.download(messages[1].document.file_id)
    assert content is not None
    assert content.read() == b"a,b"


async def test_files_go_up_and_come_down(
    server: TelegramServer, ada: Person, aiogram_bot: Bot
) -> None:
    sent = await aiogram_bot.send_photo(
        ada.id, BufferedInputFile(PNG, "p.png"), caption="<i>hi</i>", parse_mode="HTML"
    )
    assert sent.photo is not None
    again = await aiogram_bot.send_photo(ada.id, sent.photo[-1].file_id)
    assert again.photo == sent.photo
    album = await aiogram_bot.send_media_group(
        ada.id,
        [
            InputMediaDocument(media=BufferedInputFile(b"1", "1.txt")),
            InputMediaDocument(media=BufferedInputFile(b"2", "2.txt"), caption="both"),
        ],
    )
    assert [message.caption for message in album] == [None, "both"]
    content = await aiogram_bot.download(sent.photo[-1])
    assert content is not None
    assert content.read() == PNG
    assert [message.media for message in ada.chat.screen()] == [
        *("photo", "photo", "document", "document")
    ]
    assert ada.chat.screen()[0].marked("italic") == ["hi"]


async def test_what_is_new_in_the_api(
    server: TelegramServer, ada: Person, aiogram_bot: Bot
) -> None:
    cells = [RichBlockTableCell(text=text, align="left", valign="top") for text in ("Kind", "Talk")]
    table = InputRichBlockTable(cells=[cells])
    buttons = InputRichBlockButtons(
        buttons=[RichMessageButton(text="Confirm", callback_data="c", style="success")]
    )
    title = InputRichBlockParagraph(text=[RichTextBold(text="Check"), " it"])
    rich = InputRichMessage(blocks=[title, table, buttons])
    sent = await aiogram_bot.send_rich_message(ada.id, rich)
    assert sent.rich_message is not None
    assert ada.chat.newest.labels == ["Confirm"]
    assert str(ada.chat.screen()).splitlines()[1:] == [
        "Surestep: Check it",
        "    | Kind | Talk |",
        "    [ Confirm ]",
    ]
    ada.taps("Confirm")
    await aiogram_bot.send_message_draft(ada.id, 7, text="I think", can_stop=True)
    assert str(ada.chat.screen()).splitlines()[-2:] == ["(writing) I think", "    [ ■ ]"]
    ada.stops()
    told = (await aiogram_bot.get_updates())[-1].stopped_message_generation
    assert isinstance(told, MessageGenerationStopped)
    assert (told.draft_id, ada.chat.draft) == (7, None)


async def test_an_ephemeral_message_is_seen_by_one_person(
    server: TelegramServer, ada: Person, aiogram_bot: Bot
) -> None:
    bob = server.person("Bob")
    group = server.group("Team", ada, bob)
    sent = await aiogram_bot.send_message(group.id, "Only Ada", receiver_user_id=ada.id)
    assert (sent.message_id, sent.ephemeral_message_id) == (0, 1)
    assert group.screen(ada).texts == ["Only Ada"]
    assert group.screen(bob).texts == []
    await aiogram_bot.edit_ephemeral_message_text(group.id, ada.id, 1, text="Still only Ada")
    assert group.screen(ada).texts == ["Still only Ada"]
    await aiogram_bot.delete_ephemeral_message(group.id, ada.id, 1)
    assert group.screen(ada).texts == []


async def test_commands_are_set_for_each_language(server: TelegramServer, aiogram_bot: Bot) -> None:
    await aiogram_bot.set_my_commands([BotCommand(command="help", description="How it works")])
    await aiogram_bot.set_my_commands(
        [BotCommand(command="help", description="So geht es")], language_code="de"
    )
    assert commands_shown(server, "de")[0]["description"] == "So geht es"
    assert commands_shown(server, "fr")[0]["description"] == "How it works"
    (told,) = await aiogram_bot.get_my_commands(language_code="de")
    assert told.description == "So geht es"


Arrange = Callable[[TelegramServer, Person], object]


@pytest.mark.parametrize(
    "arrange,error,why",
    [
        (lambda s, ada: ada.blocks(), TelegramForbiddenError, "bot was blocked by the user"),
        (lambda s, ada: s.chats.pop(ada.id), TelegramBadRequest, "chat not found"),
        (lambda s, ada: s.befall(Floods(5)), TelegramRetryAfter, "retry after 5"),
        (lambda s, ada: s.befall(Breaks()), ClientDecodeError, "Failed to decode object"),
        (lambda s, ada: s.befall(Garbles()), ClientDecodeError, "Failed to decode object"),
        (lambda s, ada: s.befall(Drops()), TelegramNetworkError, "Disconnected"),
        (
            lambda s, ada: s.befall(Refuses(500, "Internal Server Error: sorry")),
            TelegramServerError,
            "sorry",
        ),
        (lambda s, ada: setattr(s, "token", "1:other"), TelegramUnauthorizedError, "Unauthorized"),
    ],
)
async def test_what_goes_wrong_is_the_librarys_own_error(
    server: TelegramServer,
    ada: Person,
    aiogram_bot: Bot,
    arrange: Arrange,
    error: type[TelegramAPIError],
    why: str,
) -> None:
    arrange(server, ada)
    with pytest.raises(error, match=why):
        await aiogram_bot.send_message(ada.id, "hello")


async def test_a_group_that_moved_says_where(
    server: TelegramServer, ada: Person, aiogram_bot: Bot
) -> None:
    group = server.group("Team", ada)
    moved = group.upgrades()
    with pytest.raises(TelegramMigrateToChat) as refused:
        await aiogram_bot.send_message(group.id, "hello")
    assert refused.value.migrate_to_chat_id == moved.id
    await aiogram_bot.send_message(moved.id, "hello")
    assert moved.newest.text == "hello"


async def test_edits_that_cannot_be_made(
    server: TelegramServer, ada: Person, aiogram_bot: Bot
) -> None:
    sent = await aiogram_bot.send_message(ada.id, "hello")
    with pytest.raises(TelegramBadRequest, match="message is not modified"):
        await sent.edit_text("hello")
    ada.deletes(ada.chat.newest)
    with pytest.raises(TelegramBadRequest, match="message to edit not found"):
        await sent.edit_text("hello again")
    with pytest.raises(TelegramBadRequest, match="message to delete not found"):
        await sent.delete()


async def test_a_tap_on_a_message_out_of_reach(
    server: TelegramServer, ada: Person, aiogram_bot: Bot
) -> None:
    await aiogram_bot.send_message(ada.id, "old", reply_markup=CHIPS)
    ada.chat.puts_out_of_reach(ada.chat.newest)
    tap = ada.taps("Talk")
    (update,) = await aiogram_bot.get_updates()
    assert update.callback_query is not None
    assert isinstance(update.callback_query.message, InaccessibleMessage)
    assert update.callback_query.data == "talk"
    server.passes(seconds=61)
    with pytest.raises(TelegramBadRequest, match="query is too old"):
        await aiogram_bot.answer_callback_query(tap.id)


async def test_a_second_poller_ends_the_first(
    server: TelegramServer, ada: Person, aiogram_bot: Bot
) -> None:
    first = asyncio.create_task(aiogram_bot.get_updates(timeout=20))
    await server.until(lambda: server.updates.is_polled, "the first poll")
    second = asyncio.create_task(aiogram_bot.get_updates(timeout=20))
    with pytest.raises(TelegramConflictError, match="only one bot instance is running"):
        await first
    ada.says("hello")
    assert len(await second) == 1


async def test_an_unknown_method_is_not_found(aiogram_bot: Bot, server: TelegramServer) -> None:
    class Invented(TelegramMethod[bool]):
        __returning__ = bool
        __api_method__ = "inventSomething"

    with pytest.raises(TelegramNotFound, match="method not found"):
        await aiogram_bot(Invented())
    assert server.take_violations() == ["inventSomething: Not Found: method not found"]
