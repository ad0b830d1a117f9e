"""Updates reach the bot once, twice or late, in the order that the real server keeps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from tests.support.telegram.bare import Ask
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer


def texts(updates: list[dict[str, Any]]) -> list[str]:
    return [update["message"]["text"] for update in updates]


async def test_an_offset_confirms_all_before_it(ada: Person, ask: Ask) -> None:
    for word in ("one", "two", "three"):
        ada.says(word)
    first = (await ask("getUpdates", limit=2)).result
    assert texts(first) == ["one", "two"]
    assert texts((await ask("getUpdates")).result) == ["one", "two", "three"]
    rest = await ask("getUpdates", offset=first[-1]["update_id"] + 1)
    assert texts(rest.result) == ["three"]
    assert texts((await ask("getUpdates", offset=-1)).result) == ["three"]


async def test_a_poll_waits_for_what_comes(server: TelegramServer, ada: Person, ask: Ask) -> None:
    poll = asyncio.create_task(ask("getUpdates", timeout=30))
    await server.until(lambda: server.updates.is_polled, "a poll")
    ada.says("hello")
    assert texts((await poll).result) == ["hello"]


async def test_only_the_kinds_that_the_bot_takes_are_kept(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    await ask("getUpdates", allowed_updates=["callback_query"])
    ada.says("hello")
    assert server.updates.log == []
    await ask("getUpdates", allowed_updates=[])
    ada.says("hello")
    assert len(server.updates.log) == 1


async def test_an_update_can_come_several_times(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    with server.updates.repeated(3):
        ada.says("hello")
    ada.says("once")
    updates = (await ask("getUpdates")).result
    assert texts(updates) == ["hello", "hello", "hello", "once"]
    assert len({update["update_id"] for update in updates}) == 2


async def test_identifiers_may_start_anew_after_an_idle_week(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    ada.says("before")
    (update,) = (await ask("getUpdates")).result
    server.updates.next_id = 17
    ada.says("after")
    offset = update["update_id"] + 1
    updates = (await ask("getUpdates", offset=offset)).result
    assert texts(updates) == ["before", "after"]


async def test_an_update_is_dropped_after_a_day(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    ada.says("hello")
    server.passes(seconds=24 * 3600)
    assert (await ask("getUpdates")).result == []


async def test_a_webhook_is_in_the_way_of_polling(server: TelegramServer, ask: Ask) -> None:
    poll = asyncio.create_task(ask("getUpdates", timeout=30))
    await server.until(lambda: server.updates.is_polled, "a poll")
    await ask("setWebhook", url="http://127.0.0.1:9/")
    assert (await poll).why == "Conflict: terminated by setWebhook request"
    heard = await ask("getUpdates")
    assert heard.status == 409
    assert "can't use getUpdates method while webhook is active" in heard.why
    await ask("deleteWebhook")
    assert (await ask("getUpdates")).status == 200


@dataclass
class Hook:
    """A bot's web server: answers by its list of statuses, then with 200."""

    url: str = ""
    statuses: list[int] = field(default_factory=list)
    heard: list[tuple[str, str | None]] = field(default_factory=list)
    gates: dict[str, asyncio.Event] = field(default_factory=dict)

    async def take(self, request: web.Request) -> web.Response:
        update = await request.json()
        said = update.get("message", update.get("callback_query", {}))
        text = said.get("text", said.get("data", ""))
        self.heard.append((text, request.headers.get("X-Telegram-Bot-Api-Secret-Token")))
        if text in self.gates:
            await self.gates[text].wait()
        return web.Response(status=self.statuses.pop(0) if self.statuses else 200)

    @property
    def texts(self) -> list[str]:
        return [text for text, _ in self.heard]


@pytest.fixture
async def hook() -> AsyncIterator[Hook]:
    made = Hook()
    app = web.Application()
    app.router.add_post("/", made.take)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.url = "http://{}:{}/".format(*runner.addresses[0][:2])
    yield made
    await runner.cleanup()


async def test_a_webhook_gets_what_waited_and_what_comes(
    server: TelegramServer, ada: Person, ask: Ask, hook: Hook
) -> None:
    ada.says("before")
    await ask("setWebhook", url=hook.url, secret_token="s3cret")
    ada.says("after")
    await server.until(lambda: not server.updates.waiting(), "both deliveries")
    assert hook.heard == [("before", "s3cret"), ("after", "s3cret")]
    info = (await ask("getWebhookInfo")).result
    assert (info["url"], info["pending_update_count"]) == (hook.url, 0)
    assert "last_error_message" not in info


async def test_a_refused_delivery_holds_up_its_queue_and_is_made_again(
    server: TelegramServer, ada: Person, ask: Ask, hook: Hook
) -> None:
    hook.statuses = [500, 503]
    await ask("setWebhook", url=hook.url)
    ada.says("one")
    ada.says("two")
    await server.until(lambda: not server.updates.waiting(), "both deliveries")
    assert hook.texts == ["one", "one", "one", "two"]
    assert server.updates.webhook is not None
    assert [one.status for one in server.updates.webhook.attempts] == [500, 503, 200, 200]
    info = (await ask("getWebhookInfo")).result
    assert info["last_error_message"] == "Wrong response from the webhook: 503"


async def test_a_tap_overtakes_words_that_are_not_answered_yet(
    server: TelegramServer, ada: Person, ask: Ask, hook: Hook
) -> None:
    row = [{"text": "Yes", "callback_data": "yes"}]
    markup = {"inline_keyboard": [row]}
    await ask("sendMessage", chat_id=ada.id, text="?", reply_markup=markup)
    await ask("setWebhook", url=hook.url)
    hook.gates["slow"] = asyncio.Event()
    ada.says("slow")
    ada.says("behind it")
    ada.taps("Yes")
    await server.until(lambda: len(server.updates.waiting()) == 2, "the tap's delivery")
    assert sorted(hook.texts) == ["slow", "yes"]
    hook.gates["slow"].set()
    await server.until(lambda: not server.updates.waiting(), "all deliveries")
    assert hook.texts[-1] == "behind it"


async def test_a_webhook_gets_repeated_updates_too(
    server: TelegramServer, ada: Person, ask: Ask, hook: Hook
) -> None:
    await ask("setWebhook", url=hook.url)
    with server.updates.repeated(2):
        ada.says("hello")
    await server.until(lambda: not server.updates.waiting(), "both deliveries")
    assert hook.texts == ["hello", "hello"]


async def test_nobody_at_the_address(server: TelegramServer, ada: Person, ask: Ask) -> None:
    await ask("setWebhook", url="http://127.0.0.1:9/")
    ada.says("hello")
    webhook = server.updates.webhook
    assert webhook is not None
    await server.until(lambda: webhook.attempts, "an attempt")
    assert webhook.attempts[0].status == 0
    assert (await ask("getWebhookInfo")).result["pending_update_count"] == 1
    await ask("deleteWebhook", drop_pending_updates=True)
    assert (await ask("getUpdates")).result == []


async def test_waiting_in_vain_shows_the_chats(
    server: TelegramServer, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.telegram.world.PATIENCE", 0.01)
    ada.says("hello")
    with pytest.raises(AssertionError, match=r"Waited in vain for an answer\.\n── Ada ──\nAda: he"):
        await server.until(lambda: len(ada.chat.screen()) > 1, "an answer")
