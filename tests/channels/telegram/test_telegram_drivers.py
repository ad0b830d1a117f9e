"""Calls through both libraries: the same bytes, whatever the program's defaults, and the same
meaning of every failure."""

from __future__ import annotations

import asyncio
import socket
import warnings
from typing import Any

import pytest
from telegram import Bot as PtbBot
from telegram.request import HTTPXRequest

from channels.telegram.api import Api, ApiFailed, File, Flooded, Refused, Unknown, Unreachable
from channels.telegram.driver_aiogram import AiogramApi
from channels.telegram.driver_ptb import PtbApi
from tests.channels.telegram.conftest import aiogram_bot, api_of
from tests.support.telegram.bare import PNG
from tests.support.telegram.faults import (
    Breaks,
    Delays,
    Drops,
    Fault,
    Floods,
    Garbles,
    Refuses,
    Waits,
)
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer

ROWS = [[{"text": "Ja & <b>nein</b> – 🙂", "callback_data": "s1|c|t|1|0"}]]


def closed_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


async def all_kinds(api: Api, chat: int, photo: str) -> None:
    """Calls with every kind of value."""
    sent = await api.call(
        "sendMessage",
        chat_id=chat,
        text="Größe: 5 < 6 & “so” \u202e🙂",
        entities=[{"type": "bold", "offset": 0, "length": 5}],
        message_thread_id=None,
        disable_notification=True,
        protect_content=False,
        link_preview_options={"is_disabled": True},
        reply_markup={"inline_keyboard": ROWS},
        reply_parameters={"message_id": 1, "allow_sending_without_reply": True},
    )
    await api.call(
        "editMessageText",
        chat_id=chat,
        message_id=sent["message_id"],
        text="<b>kept as typed</b>",
        reply_markup={"inline_keyboard": []},
    )
    await api.call("sendPhoto", chat_id=chat, photo=photo, caption="*x*")
    media = [{"type": "photo", "media": photo, "caption": "ä"}, {"type": "photo", "media": photo}]
    await api.call("sendMediaGroup", chat_id=chat, media=media)
    await api.call("setMyCommands", commands=[{"command": "new", "description": "Neu"}])
    await api.call("sendLocation", chat_id=chat, latitude=48.25, longitude=16.5)
    await api.call("sendChatAction", chat_id=chat, action="typing")
    await api.call("getUpdates", offset=-1, timeout=0, allowed_updates=["message"])
    await api.call("getMe")


async def heard_of(driver: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """What a server hears of `all_kinds` through a driver, as it came."""
    async with TelegramServer(now=1_800_000_000) as server, api_of(driver, server.url) as api:
        ada = server.person("Ada")
        ada.sends_photo()
        photo = ada.chat.newest.content["photo"][-1]["file_id"]
        await all_kinds(api, ada.id, photo)
        assert all(call.carried_out for call in server.calls)
        return [(call.method, list(call.raw.items())) for call in server.calls]


async def test_both_libraries_send_the_same_bytes_whatever_the_programs_defaults() -> None:
    by_aiogram, by_ptb = await heard_of("aiogram"), await heard_of("ptb")
    assert by_aiogram == by_ptb
    method, first = by_aiogram[0]
    assert method == "sendMessage"
    assert dict(first)["entities"] == '[{"type":"bold","offset":0,"length":5}]'
    assert dict(first)["disable_notification"] == "true"
    assert dict(first)["protect_content"] == "false"
    assert "Ja & <b>nein</b> – 🙂" in dict(first)["reply_markup"]
    assert "parse_mode" not in dict(first)
    assert len(by_aiogram) == 9


async def test_the_result_is_the_bot_apis_own_json(
    server: TelegramServer, ada: Person, api: Api
) -> None:
    sent = await api.call("sendMessage", chat_id=ada.id, text="<b>5 < 6</b> & so on")
    assert sent == server.called("sendMessage")[0].result
    assert sent["chat"]["id"] == ada.id
    assert ada.chat.screen().texts == ["<b>5 < 6</b> & so on"]


async def test_a_methods_name_may_be_new_to_the_library(
    server: TelegramServer, ada: Person, api: Api
) -> None:
    rich = {"blocks": [{"type": "paragraph", "text": "Of a newer Bot API"}]}
    await api.call("sendRichMessage", chat_id=ada.id, rich_message=rich)
    assert server.called("sendRichMessage")[0].carried_out


async def test_no_warning_is_printed_for_a_method_that_the_library_has(
    ada: Person, api: Api
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        await api.call("sendMessage", chat_id=ada.id, text="x")
        await api.call("getWebhookInfo")


async def test_half_a_character_is_no_failure(ada: Person, api: Api) -> None:
    await api.call("sendMessage", chat_id=ada.id, text="\ud83d\ude42 and a half: \ud83d.")
    assert ada.chat.screen().texts == ["🙂 and a half: \ufffd."]


async def test_an_empty_text_is_left_out(server: TelegramServer, ada: Person, api: Api) -> None:
    message = await api.call(
        "sendMessage", chat_id=ada.id, text="x", reply_markup={"inline_keyboard": ROWS}
    )
    assert message["reply_markup"]["inline_keyboard"] == ROWS
    tap = ada.taps(ROWS[0][0]["text"])
    await api.call("answerCallbackQuery", callback_query_id=tap.id, text="", url=None)
    (call,) = server.called("answerCallbackQuery")
    assert call.raw == {"callback_query_id": tap.id}


async def test_a_file_is_uploaded_and_fetched(
    server: TelegramServer, ada: Person, api: Api
) -> None:
    name = 'a "plan"\r\n für morgen.png'
    sent = await api.call("sendDocument", chat_id=ada.id, document=File(name, PNG), caption="ä")
    (upload,) = server.called("sendDocument")[0].files.values()
    assert upload.content == PNG
    assert upload.name == "a plan für morgen.png"
    told = await api.call("getFile", file_id=sent["document"]["file_id"])
    assert await api.fetch(told["file_path"], len(PNG)) == PNG


async def test_a_file_that_is_not_there_is_refused(api: Api) -> None:
    with pytest.raises(Refused) as raised:
        await api.fetch("documents/nothing.pdf", 100)
    assert raised.value.code == 404


FAILURES: list[tuple[Fault, type[ApiFailed]]] = [
    (Breaks(500), Unknown),
    (Breaks(502), Unknown),
    (Breaks(504), Unknown),
    (Breaks(done=True), Unknown),
    (Garbles(), Unknown),
    (Garbles(done=True), Unknown),
    (Drops(), Unknown),
    (Drops(done=True), Unknown),
    (Refuses(500, "Internal Server Error"), Unknown),
    (Refuses(502, "Bad Gateway"), Unknown),
    (Refuses(504, "Gateway Timeout"), Unknown),
    (Floods(9), Flooded),
    (Refuses(429, "Too Many Requests: later"), Flooded),
    (Refuses(400, "Bad Request: message is not modified"), Refused),
    (Refuses(401, "Unauthorized"), Refused),
    (Refuses(403, "Forbidden: bot was blocked by the user"), Refused),
    (Refuses(404, "Not Found"), Refused),
    (Refuses(409, "Conflict: terminated by other getUpdates request"), Refused),
    (Refuses(413, "Request Entity Too Large"), Refused),
]


@pytest.mark.parametrize("fault,kind", FAILURES, ids=lambda value: repr(value)[:60])
async def test_a_failure_means_the_same_through_both(
    server: TelegramServer, ada: Person, api: Api, fault: Fault, kind: type[ApiFailed]
) -> None:
    server.befall(fault, "sendMessage")
    with pytest.raises(ApiFailed) as raised:
        await api.call("sendMessage", chat_id=ada.id, text="x")
    error = raised.value
    assert type(error) is kind
    (call,) = server.called("sendMessage")
    if isinstance(error, Refused) and isinstance(fault, Refuses):
        assert error.code == fault.code
        assert error.says(fault.description)
    if isinstance(error, Flooded):
        assert call.error is not None
        assert error.seconds == (call.error.parameters or {"retry_after": 1})["retry_after"]


async def test_a_group_that_became_a_supergroup_tells_its_number(
    server: TelegramServer, ada: Person, api: Api
) -> None:
    group = server.group("Orga", ada)
    now = group.upgrades()
    with pytest.raises(Refused) as raised:
        await api.call("sendMessage", chat_id=group.id, text="x")
    assert raised.value.code == 400
    assert raised.value.moved == now.id
    assert raised.value.says("upgraded to a supergroup")


async def test_a_wrong_token_is_refused(server: TelegramServer, driver: str) -> None:
    async with api_of(driver, server.url, "4242:another-token-for-tests-on-loop") as api:
        with pytest.raises(Refused) as raised:
            await api.call("getMe")
    assert raised.value.code == 401


async def test_a_method_that_the_server_does_not_know_is_refused(
    server: TelegramServer, api: Api
) -> None:
    with pytest.raises(Refused) as raised:
        await api.call("sendTelepathy")
    assert raised.value.code == 404
    assert server.take_violations()


async def test_nobody_at_the_port_means_that_nothing_was_sent(driver: str) -> None:
    async with api_of(driver, f"http://127.0.0.1:{closed_port()}") as api:
        with pytest.raises(Unreachable):
            await api.call("sendMessage", chat_id=1, text="x")
        with pytest.raises(Unreachable):
            await api.fetch("photos/1.jpg", 100)


async def test_an_unknown_host_means_that_nothing_was_sent(driver: str) -> None:
    async with api_of(driver, "http://bot-api.invalid") as api:
        with pytest.raises(Unreachable):
            await api.call("sendMessage", chat_id=1, text="x")


async def test_no_failure_repeats_the_token(server: TelegramServer, driver: str) -> None:
    async with api_of(driver, server.url.replace("http:", "ftp:")) as api:
        with pytest.raises(Unreachable) as raised:
            await api.call("getMe")
    assert "ftp" in str(raised.value)
    assert server.token not in str(raised.value)


@pytest.mark.parametrize("done", [False, True])
async def test_no_answer_in_time_leaves_it_open_whether_it_was_done(
    server: TelegramServer, ada: Person, api: Api, done: bool
) -> None:
    server.befall(Waits(done=done), "sendMessage")
    with pytest.raises(Unknown):
        await api.call("sendMessage", within=0.05, chat_id=ada.id, text="x")
    assert ada.chat.screen().texts == (["x"] if done else [])


async def test_a_slow_answer_in_time_is_an_answer(
    server: TelegramServer, ada: Person, api: Api
) -> None:
    server.befall(Delays(0.05), "sendMessage")
    sent = await api.call("sendMessage", within=60, chat_id=ada.id, text="x")
    assert sent["text"] == "x"


async def test_no_free_connection_means_that_nothing_was_sent(server: TelegramServer) -> None:
    ada = server.person("Ada")
    gate = Waits()
    trouble = server.befall(gate, "sendMessage")
    narrow = HTTPXRequest(connection_pool_size=1, pool_timeout=0.05)
    bot = PtbBot(server.token, base_url=f"{server.url}/bot", request=narrow)
    api = PtbApi(bot)
    first = asyncio.create_task(api.call("sendMessage", within=60, chat_id=ada.id, text="first"))
    await server.until(lambda: trouble.met)
    with pytest.raises(Unreachable, match="PoolTimeout"):
        await api.call("sendMessage", chat_id=ada.id, text="second")
    gate.open()
    await first
    assert ada.chat.screen().texts == ["first"]
    await narrow.shutdown()
    with pytest.raises(Unreachable, match="not initialized"):
        await api.call("sendMessage", chat_id=ada.id, text="third")


async def test_a_programs_session_middleware_sees_the_call(
    server: TelegramServer, ada: Person
) -> None:
    seen: list[str] = []
    async with aiogram_bot(server.url) as bot:

        async def middleware(make_request: Any, bot: Any, method: Any) -> Any:
            seen.append(f"{type(method).__name__} to {method.chat_id}")
            return await make_request(bot, method)

        bot.session.middleware(middleware)
        await AiogramApi(bot).call("sendMessage", chat_id=ada.id, text="x")
    assert seen == [f"SendMessage to {ada.id}"]
