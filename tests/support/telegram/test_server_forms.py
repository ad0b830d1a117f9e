"""Whatever form a call comes in, it is the same call; what is no call is refused."""

from __future__ import annotations

import json
from typing import Any

import aiohttp
import pytest

from tests.support.telegram.bare import PNG, Ask, Heard
from tests.support.telegram.methods import METHODS
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram.tasks import HANDLERS

KEYBOARD = {"inline_keyboard": [[{"text": "Yes", "callback_data": "y"}]]}


async def send(server: TelegramServer, form: str, parameters: dict[str, Any]) -> Heard:
    url = f"{server.url}/bot{server.token}/sendMessage"
    texts = {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in parameters.items()
    }
    multipart = aiohttp.FormData(texts, default_to_multipart=True)
    ways: dict[str, tuple[str, str, dict[str, Any]]] = {
        "json": ("POST", url, {"json": parameters}),
        "json of texts": ("POST", url, {"json": texts}),
        "url-encoded": ("POST", url, {"data": texts}),
        "multipart": ("POST", url, {"data": multipart}),
        "query": ("GET", url, {"params": texts}),
        "small letters": ("POST", url.lower(), {"json": parameters}),
    }
    verb, address, how = ways[form]
    async with (
        aiohttp.ClientSession() as session,
        session.request(verb, address, **how) as answer,
    ):
        return Heard(answer.status, await answer.json())


@pytest.mark.parametrize(
    "form", ["json", "json of texts", "url-encoded", "multipart", "query", "small letters"]
)
async def test_a_call_is_the_same_in_every_form(
    server: TelegramServer, ada: Person, form: str
) -> None:
    parameters = {
        "chat_id": ada.id,
        "text": "5 < 6 & 🎉",
        "disable_notification": True,
        "reply_markup": KEYBOARD,
    }
    heard = await send(server, form, parameters)
    assert heard.result["text"] == "5 < 6 & 🎉"
    assert heard.result["reply_markup"] == KEYBOARD
    (call,) = server.called()
    assert (call.method, call.parameters) == ("sendMessage", parameters)


async def test_a_file_comes_as_a_part_of_its_own_or_by_attach(
    server: TelegramServer, ada: Person
) -> None:
    url = f"{server.url}/bot{server.token}/sendPhoto"
    async with aiohttp.ClientSession() as session:
        for part, parameter in (("photo", None), ("xyz", "attach://xyz")):
            form = aiohttp.FormData({"chat_id": str(ada.id)})
            form.add_field(part, PNG, filename="p.png")
            if parameter:
                form.add_field("photo", parameter)
            async with session.post(url, data=form) as answer:
                heard = Heard(answer.status, await answer.json())
            assert heard.result["photo"][-1]["width"] == 64
    assert [message.media for message in ada.chat.screen()] == ["photo", "photo"]


@pytest.mark.parametrize(
    "method,parameters,why",
    [
        ("sendNonsense", {}, "Not Found: method not found"),
        ("sendMessage", {"text": "x"}, "Bad Request: chat_id is empty"),
        ("sendMessage", {"chat_id": 1}, "Bad Request: message text is empty"),
        ("sendMessage", {"chat_id": 1, "text": ""}, "Bad Request: message text is empty"),
        ("sendPhoto", {"chat_id": 1}, "Bad Request: there is no photo in the request"),
        ("sendMessage", {"chat_id": 1, "text": "x", "colour": "red"}, "no parameter 'colour'"),
        ("sendMessage", {"chat_id": 1, "text": 5}, "text: a text is expected, not 5"),
        ("sendMessage", {"chat_id": 1, "text": "x", "message_thread_id": "two"}, "no whole number"),
        ("sendMessage", {"chat_id": 1, "text": "x", "protect_content": "maybe"}, "neither true"),
        ("sendMessage", {"chat_id": 1, "text": "x", "reply_markup": "{"}, "can't parse"),
        (
            "sendMessage",
            {"chat_id": 1, "text": "x", "reply_markup": {"inline_keyboard": [[{"text": 1}]]}},
            "reply_markup.inline_keyboard[0][0].text: a text is expected, not 1",
        ),
        (
            "sendMessage",
            {
                "chat_id": 1,
                "text": "x",
                "reply_markup": {"inline_keyboard": [[{"text": "a", "color": "red"}]]},
            },
            "InlineKeyboardButton has no field 'color'",
        ),
        ("deleteMessage", {"chat_id": 1}, 'parameter "message_id" is required'),
        ("sendMediaGroup", {"chat_id": 1, "media": [{"media": "x"}]}, "an object needs 'type'"),
        ("banChatMember", {"chat_id": 1, "user_id": 2}, "Not Implemented"),
    ],
)
async def test_what_no_careful_bot_sends_is_a_violation(
    server: TelegramServer, ask: Ask, method: str, parameters: dict[str, Any], why: str
) -> None:
    heard = await ask(method, **parameters)
    assert why in heard.why
    (violation,) = server.take_violations()
    assert heard.why in violation


async def test_a_test_does_not_pass_over_a_violation() -> None:
    with pytest.raises(AssertionError, match="violated the Bot API: sendNonsense"):
        async with TelegramServer() as server, aiohttp.ClientSession() as session:
            await session.post(f"{server.url}/bot{server.token}/sendNonsense")


@pytest.mark.parametrize(
    "path,status,why",
    [
        ("/bot1:wrong/getMe", 401, "Unauthorized"),
        ("/botnonsense", 404, "Not Found"),
        ("/", 404, "Not Found"),
        ("/file/bot{token}/documents/file_1.txt", 404, "Not Found"),
    ],
)
async def test_only_the_bots_own_token_opens_the_api(
    server: TelegramServer, path: str, status: int, why: str
) -> None:
    url = server.url + path.replace("{token}", server.token)
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        heard = Heard(answer.status, await answer.json())
    assert (heard.status, heard.why) == (status, why)


async def test_an_upload_that_no_parameter_names_is_a_violation(
    server: TelegramServer, ada: Person
) -> None:
    form = aiohttp.FormData({"chat_id": str(ada.id), "text": "x"})
    form.add_field("lost", b"file", filename="a.txt")
    url = f"{server.url}/bot{server.token}/sendMessage"
    async with aiohttp.ClientSession() as session, session.post(url, data=form) as answer:
        assert answer.status == 400
    assert "the file 'lost' is in the request" in server.take_violations()[0]


def test_every_method_carried_out_is_one_of_the_bot_api() -> None:
    assert set(HANDLERS) <= set(METHODS)
    assert {"sendmessage", "sendrichmessage", "setwebhook"} <= set(HANDLERS)
