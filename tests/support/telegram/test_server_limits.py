"""Each limit holds on both of its sides: the last that fits is taken, the next is refused."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from tests.support.telegram.bare import PNG, Ask
from tests.support.telegram.errors import ApiError
from tests.support.telegram.files import Files, picture_size, png
from tests.support.telegram.people import Person
from tests.support.telegram.requests import Upload
from tests.support.telegram.server import TelegramServer

Parameters = dict[str, Any]


def people(**wanted: int) -> Parameters:
    """A keyboard that lets people be picked."""
    return {"keyboard": [[{"text": "b", "request_users": wanted}]]}


def asks(number: int) -> Parameters:
    """A button that lets people be picked."""
    return {"text": "b", "request_users": {"request_id": number}}


def keyboard(*rows: int, **button: Any) -> Parameters:
    shown = {"callback_data": "x", **button}
    return {"inline_keyboard": [[{"text": "b", **shown}] * row for row in rows]}


def bold(times: int) -> list[Parameters]:
    return [{"type": "bold", "offset": 2 * place, "length": 1} for place in range(times)]


def commands(count: int, name: str = "go", about: str = "a") -> list[Parameters]:
    return [{"command": name, "description": about}] * count


@pytest.mark.parametrize(
    "method,fits,does_not,why",
    [
        ("sendMessage", {"text": "a" * 4096}, {"text": "a" * 4097}, "message is too long"),
        ("sendMessage", {"text": "🎉" * 2048}, {"text": "🎉" * 2049}, "message is too long"),
        (
            "sendMessage",
            {"text": "<b>" + "a" * 4096 + "</b>", "parse_mode": "HTML"},
            {"text": "<b>" + "a" * 4097 + "</b>", "parse_mode": "HTML"},
            "message is too long",
        ),
        ("sendMessage", {"text": " x "}, {"text": " \n "}, "text must be non-empty"),
        (
            "sendMessage",
            {"text": "a " * 101, "entities": bold(100)},
            {"text": "a " * 101, "entities": bold(101)},
            "at most 100 entities",
        ),
        ("sendMessage", {"parse_mode": "html"}, {"parse_mode": "bbcode"}, "unsupported parse_mode"),
        (
            "sendMessage",
            {"reply_markup": keyboard(1, callback_data="é" * 32)},
            {"reply_markup": keyboard(1, callback_data="é" * 32 + "x")},
            "BUTTON_DATA_INVALID",
        ),
        (
            "sendMessage",
            {"reply_markup": keyboard(8)},
            {"reply_markup": keyboard(9)},
            "reply markup is too long",
        ),
        (
            "sendMessage",
            {"reply_markup": keyboard(*[5] * 20)},
            {"reply_markup": keyboard(*[5] * 20, 1)},
            "reply markup is too long",
        ),
        (
            "sendMessage",
            {"reply_markup": keyboard(1)},
            {"reply_markup": {"inline_keyboard": [[{"text": "only words"}]]}},
            "Text buttons are unallowed in the inline keyboard",
        ),
        (
            "sendMessage",
            {"reply_markup": keyboard(1, style="danger")},
            {"reply_markup": keyboard(1, style="pink")},
            "button style 'pink' is unknown",
        ),
        (
            "sendMessage",
            {"reply_markup": {"inline_keyboard": [[{"text": "b", "url": "https://e.org"}]]}},
            {"reply_markup": {"inline_keyboard": [[{"text": "b", "url": "no link"}]]}},
            "Wrong HTTP URL",
        ),
        (
            "sendMessage",
            {"reply_markup": {"inline_keyboard": [[{"text": "b", "copy_text": {"text": "c"}}]]}},
            {"reply_markup": keyboard(1, url="https://e.org")},
            "exactly one kind",
        ),
        (
            "sendMessage",
            {"reply_markup": {"force_reply": True, "input_field_placeholder": "a" * 64}},
            {"reply_markup": {"force_reply": True, "input_field_placeholder": "a" * 65}},
            "placeholder",
        ),
        (
            "sendMessage",
            {"reply_markup": people(request_id=2**31 - 1, max_quantity=10)},
            {"reply_markup": people(request_id=2**31)},
            "32-bit",
        ),
        (
            "sendMessage",
            {"reply_markup": people(request_id=-(2**31))},
            {"reply_markup": people(request_id=1, max_quantity=11)},
            "max_quantity",
        ),
        (
            "sendMessage",
            {"reply_markup": {"keyboard": [[asks(1), asks(2)]]}},
            {"reply_markup": {"keyboard": [[asks(1), asks(1)]]}},
            "unique within the message",
        ),
        (
            "sendMessage",
            {"reply_markup": {"keyboard": [[asks(1)]]}},
            {"reply_markup": {"keyboard": [[{**asks(1), "request_contact": True}]]}},
            "exactly one of the request_ fields",
        ),
        ("setMyCommands", {"commands": commands(100)}, {"commands": commands(101)}, "TOO_MUCH"),
        (
            "setMyCommands",
            {"commands": commands(1, "a" * 32, "d" * 256)},
            {"commands": commands(1, "Start")},
            "BOT_COMMAND_INVALID",
        ),
        (
            "setMyCommands",
            {"commands": commands(1), "language_code": "de"},
            {"commands": commands(1), "language_code": "german"},
            "invalid language code",
        ),
        ("setMyName", {"name": "n" * 64}, {"name": "n" * 65}, "longer than 64"),
        (
            "setMyShortDescription",
            {"short_description": "n" * 120},
            {"short_description": "n" * 121},
            "longer than 120",
        ),
        ("setMyDescription", {"description": "n" * 512}, {"description": "n" * 513}, "than 512"),
        ("sendChatAction", {"action": "typing"}, {"action": "dancing"}, "wrong parameter action"),
        (
            "sendPoll",
            {"question": "q" * 300, "options": [{"text": "a"}, {"text": "b"}]},
            {"question": "q" * 300, "options": [{"text": "a"}]},
            "2-12 options",
        ),
        (
            "setWebhook",
            {"url": "http://127.0.0.1:9/", "secret_token": "aZ9_-" * 51 + "x"},
            {"url": "http://127.0.0.1:9/", "secret_token": "with space"},
            "unallowed characters",
        ),
        ("getUpdates", {"limit": 100}, {"limit": 101}, "limit is 1-100"),
    ],
)
async def test_a_limit_on_both_sides(
    server: TelegramServer,
    ada: Person,
    ask: Ask,
    method: str,
    fits: Parameters,
    does_not: Parameters,
    why: str,
) -> None:
    base: Parameters = {"chat_id": ada.id} if method.startswith("send") else {}
    base |= {"text": "x"} if method == "sendMessage" else {}
    assert (await ask(method, **{**base, **fits})).status == 200
    assert why in (await ask(method, **{**base, **does_not})).why
    assert why in server.take_violations()[0]


@pytest.mark.parametrize(
    "given,why",
    [
        ({"caption": "c" * 1025}, "message caption is too long"),
        ({"photo": "unheard-of"}, "wrong file identifier/HTTP URL specified"),
        ({"photo": "document"}, "can't use file of type Document as Photo"),
    ],
)
async def test_a_photo_is_checked(
    server: TelegramServer, ada: Person, ask: Ask, given: Parameters, why: str
) -> None:
    photo = server.files.add("photo", Upload("p.png", PNG))
    document = server.files.add("document", Upload("d.txt", b"d"))
    asked = {"chat_id": ada.id, "photo": photo.id, "caption": "c" * 1024}
    assert (await ask("sendPhoto", **asked)).result["caption"] == "c" * 1024
    if given.get("photo") == "document":
        given = {"photo": document.id}
    assert why in (await ask("sendPhoto", **{**asked, **given})).why
    server.take_violations()


async def test_an_address_is_not_fetched(ada: Person, ask: Ask) -> None:
    heard = await ask("sendPhoto", chat_id=ada.id, photo="https://e.org/a.png")
    assert heard.why == "Bad Request: failed to get HTTP URL content"


@pytest.mark.parametrize(
    "kinds,why",
    [
        (["photo"] * 10, None),
        (["document"] * 2, None),
        (["photo"], "an album has 2-10 media, not 1"),
        (["photo"] * 11, "an album has 2-10 media, not 11"),
        (["photo", "document"], "can't use the media of the specified type in the album"),
    ],
)
async def test_an_album_has_two_to_ten_of_a_kind(
    server: TelegramServer, ada: Person, ask: Ask, kinds: list[str], why: str | None
) -> None:
    ids = {
        "photo": server.files.add("photo", Upload("p.png", PNG)).id,
        "document": server.files.add("document", Upload("d.txt", b"d")).id,
    }
    media = [{"type": kind, "media": ids[kind]} for kind in kinds]
    heard = await ask("sendMediaGroup", chat_id=ada.id, media=media)
    if why is None:
        assert len({message["media_group_id"] for message in heard.result}) == 1
        assert len(heard.result) == len(kinds)
    else:
        assert why in heard.why
        assert len(server.take_violations()) == 1


async def test_a_toast_has_200_characters(server: TelegramServer, ada: Person, ask: Ask) -> None:
    await ask("sendMessage", chat_id=ada.id, text="x", reply_markup=keyboard(1))
    tap = ada.taps("b")
    too_long = await ask("answerCallbackQuery", callback_query_id=tap.id, text="t" * 201)
    assert too_long.why == "Bad Request: MESSAGE_TOO_LONG"
    server.take_violations()
    assert (await ask("answerCallbackQuery", callback_query_id=tap.id, text="t" * 200)).result
    assert tap.answer is not None
    assert tap.answer.text == "t" * 200


@pytest.mark.parametrize(
    "content,size",
    [
        (PNG, (64, 32)),
        (b"GIF89a\x20\0\x10\0;", (32, 16)),
        (b"\xff\xd8\xff\xe0\0\x04xx\xff\xc0\0\x0b\x08\0\x30\0\x40\x01\0\0\0", (64, 48)),
        (b"plain words", None),
        (b"\xff\xd8\xff\xd9", None),
    ],
)
def test_the_size_of_a_picture(content: bytes, size: tuple[int, int] | None) -> None:
    assert picture_size(content) == size


@pytest.mark.parametrize(
    "picture,why",
    [
        (png(640, 32), None),
        (png(32, 641), "PHOTO_INVALID_DIMENSIONS"),
        (png(9000, 1001), "PHOTO_INVALID_DIMENSIONS"),
        (b"no picture", "IMAGE_PROCESS_FAILED"),
        (b"", "file must be non-empty"),
        (png() + bytes(10 * 2**20), "file is too big"),
    ],
)
def test_what_can_be_a_photo(picture: bytes, why: str | None) -> None:
    files = Files()
    if why is None:
        assert files.add("photo", Upload("p.png", picture)).width == 640
    else:
        with pytest.raises(ApiError, match=why):
            files.add("photo", Upload("p.png", picture))


async def test_a_big_file_goes_neither_up_nor_down(
    server: TelegramServer, ada: Person, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    big = server.files.add("document", Upload("big.bin", bytes(20 * 2**20 + 1)))
    assert (await ask("getFile", file_id=big.id)).why == "Bad Request: file is too big"
    monkeypatch.setattr("tests.support.telegram.requests.UPLOAD_LIMIT", 10)
    form = aiohttp.FormData({"chat_id": str(ada.id)})
    form.add_field("document", b"eleven byte", filename="a.txt")
    url = f"{server.url}/bot{server.token}/sendDocument"
    async with aiohttp.ClientSession() as session, session.post(url, data=form) as answer:
        assert answer.status == 413
    assert "Request Entity Too Large" in server.take_violations()[0]


async def test_an_empty_keyboard_is_none(ada: Person, ask: Ask) -> None:
    heard = await ask(
        "sendMessage", chat_id=ada.id, text="x", reply_markup={"inline_keyboard": [[]]}
    )
    assert "reply_markup" not in heard.result
