"""Updates that Telegram delivers: only Telegram's, and stored before it is told so."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp.test_utils import TestClient, TestServer
from structlog.testing import capture_logs

from channels.telegram.api import Api
from channels.telegram.arriving import KINDS, WrongToken
from channels.telegram.native import Json
from channels.telegram.webhook import (
    BODY,
    SECRET_HEADER,
    WebhookFaulty,
    application,
    path_of,
    register,
    serve,
)
from tests.channels.telegram.conftest import api_of
from tests.support.ports import free_port
from tests.support.telegram.faults import Breaks, Refuses
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer

SECRET = "a-secret_for-tests"
Post = TestClient[Any, Any]


class Shelf:
    """Stores updates, unless it is down."""

    def __init__(self) -> None:
        self.kept: list[Json] = []
        self.down = False

    async def take(self, update: Json) -> None:
        if self.down:
            raise RuntimeError("not stored")
        self.kept.append(update)


@pytest.fixture
def shelf() -> Shelf:
    """A store of updates."""
    return Shelf()


@pytest.fixture
async def client(shelf: Shelf) -> AsyncIterator[Post]:
    """Somebody on the internet who knows the address."""
    async with TestClient(TestServer(application(shelf.take, "/telegram", SECRET))) as somebody:
        yield somebody


@asynccontextmanager
async def served(server: TelegramServer, api: Api, shelf: Shelf) -> AsyncIterator[str]:
    """The bot's address, for as long as it is served."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/telegram"
    task = asyncio.create_task(
        serve(api, shelf.take, url, host="127.0.0.1", port=port, secret=SECRET)
    )
    try:
        await server.until(lambda: server.updates.webhook, "the webhook")
        yield url
    finally:
        task.cancel()
        (ended,) = await asyncio.gather(task, return_exceptions=True)
        assert isinstance(ended, asyncio.CancelledError), ended


async def test_telegram_delivers_and_everything_is_stored_in_order(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf
) -> None:
    ada.says("before")
    async with served(server, api, shelf) as url:
        ada.says("while")
        await server.until(lambda: len(shelf.kept) == 2)
        await server.until(lambda: not server.updates.pending)
        async with aiohttp.ClientSession() as web, web.get(f"{url[:-9]}/healthz") as answer:
            assert (answer.status, await answer.text()) == (200, "ok")
    assert shelf.kept == [one.json() for one in server.updates.log]
    (call,) = server.called("setWebhook")
    assert call.parameters == {
        "url": url,
        "secret_token": SECRET,
        "allowed_updates": list(KINDS),
        "max_connections": 40,
    }
    assert server.updates.webhook is not None


async def test_what_could_not_be_stored_is_delivered_again(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf
) -> None:
    shelf.down = True
    with capture_logs():
        async with served(server, api, shelf):
            hook = server.updates.webhook
            assert hook is not None
            ada.says("one")
            ada.says("two")
            await server.until(lambda: len(hook.attempts) >= 3)
            assert {attempt.status for attempt in hook.attempts} == {500}
            shelf.down = False
            await server.until(lambda: not server.updates.pending)
    assert [update["message"]["text"] for update in shelf.kept] == ["one", "two"]


async def test_a_start_waits_for_the_network(
    server: TelegramServer, api: Api, shelf: Shelf
) -> None:
    server.befall(Breaks(), "setWebhook", times=3)
    server.befall(Refuses(429, "Too Many Requests: retry after 2", {"retry_after": 2}))
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    await register(api, "https://bot.example.org/telegram", SECRET, sleep)
    assert waits == [0.5, 1, 2, 2]
    assert server.updates.webhook is not None


async def test_a_wrong_token_ends_the_start(server: TelegramServer, driver: str) -> None:
    async with api_of(driver, server.url, "4242:another-token-for-tests-on-loop") as api:
        with pytest.raises(WrongToken, match="@BotFather"):
            await register(api, "https://bot.example.org/telegram", SECRET)


async def test_an_address_that_telegram_refuses_is_told_with_its_reason(
    server: TelegramServer, api: Api
) -> None:
    why = "Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443"
    server.befall(Refuses(400, why), "setWebhook")
    with pytest.raises(WebhookFaulty, match=r"TELEGRAM_WEBHOOK_URL.*only on ports") as raised:
        await register(api, "https://bot.example.org:81/telegram", SECRET)
    assert "public https address" in str(raised.value)


@pytest.mark.parametrize("secret", ["", "with space", "ä", "x" * 257])
async def test_a_secret_that_telegram_would_not_take_is_told(api: Api, secret: str) -> None:
    with pytest.raises(WebhookFaulty, match="1 to 256"):
        await register(api, "https://bot.example.org/telegram", secret)


@pytest.mark.parametrize(
    "url,path",
    [
        ("https://bot.example.org/telegram", "/telegram"),
        ("https://bot.example.org", "/"),
        ("http://127.0.0.1:8081/a/b?c=d", "/a/b"),
    ],
)
def test_the_path_is_that_of_the_address(url: str, path: str) -> None:
    assert path_of(url) == path


@pytest.mark.parametrize(
    "url", ["bot.example.org/telegram", "ftp://x/y", "https:///x", "https://x/healthz"]
)
def test_an_address_that_cannot_be_called_is_told(url: str) -> None:
    with pytest.raises(WebhookFaulty, match="TELEGRAM_WEBHOOK_URL"):
        path_of(url)


@pytest.mark.parametrize("secret", [None, "", "another", SECRET[:-1], f"{SECRET}x", "geheimnisä"])
async def test_a_stranger_is_turned_away(client: Post, shelf: Shelf, secret: str | None) -> None:
    headers = {} if secret is None else {SECRET_HEADER: secret}
    answer = await client.post("/telegram", json={"update_id": 1}, headers=headers)
    assert answer.status == 401
    assert shelf.kept == []


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"7", b'"x"', b"{", b"\xff\xfe", b"[" * 100_000, b"null"]
)
async def test_what_is_no_update_is_refused(client: Post, shelf: Shelf, body: bytes) -> None:
    answer = await client.post("/telegram", data=body, headers={SECRET_HEADER: SECRET})
    assert answer.status == 400
    assert shelf.kept == []


async def test_what_is_too_long_is_refused(client: Post, shelf: Shelf) -> None:
    body = json.dumps({"update_id": 1, "x": "y" * BODY})
    answer = await client.post("/telegram", data=body, headers={SECRET_HEADER: SECRET})
    assert answer.status == 413
    assert shelf.kept == []


async def test_only_posts_to_the_path_are_heard(client: Post) -> None:
    headers = {SECRET_HEADER: SECRET}
    assert (await client.get("/telegram", headers=headers)).status == 405
    assert (await client.post("/", json={}, headers=headers)).status == 404
    assert (await client.get("/healthz")).status == 200


async def test_it_is_acknowledged_only_after_it_was_stored() -> None:
    gate, begun = asyncio.Event(), asyncio.Event()

    async def take(update: Json) -> None:
        begun.set()
        await gate.wait()

    async with TestClient(TestServer(application(take, "/telegram", SECRET))) as client:
        headers = {SECRET_HEADER: SECRET}
        sending = asyncio.create_task(
            client.request("POST", "/telegram", json={"update_id": 1}, headers=headers)
        )
        await begun.wait()
        assert not sending.done()
        gate.set()
        assert (await sending).status == 200
