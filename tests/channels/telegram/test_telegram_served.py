"""The program as it is served behind a webhook: each update carries the secret, is stored before it
is acknowledged, and waits while the program is away."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.serving import serve
from bot.settings import Settings
from core.store import Store
from tests.support.ports import free_port
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import settings_for


@pytest.fixture
def settings(server: TelegramServer, tmp_path: Path, driver: str) -> Settings:
    """A bot behind a webhook, at a port of its own."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/telegram"
    here = {"telegram_webhook_url": url, "web_host": "127.0.0.1", "web_port": port}
    return settings_for(server, tmp_path, driver, **here)


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[None]:
    """`python -m bot run` with these settings, until the block ends."""
    running = asyncio.create_task(serve(settings))
    try:
        yield
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running


async def draft(settings: Settings, ada: Person) -> dict[str, object]:
    """What is stored of Ada's journey."""
    store = await Store.open(settings.database_url)
    try:
        state = await store.conversation(f"telegram:{ada.id}:0:{ada.id}")
        assert state is not None
        assert state.journey is not None
        return dict(state.journey.draft.plain())
    finally:
        await store.close()


async def asks(server: TelegramServer, ada: Person, words: str) -> None:
    """Wait until the newest message is a card that asks this."""
    await server.until(
        lambda: words in ada.chat.newest.text and ada.chat.newest.buttons, f"{words!r} with buttons"
    )


async def test_a_journey_begins_behind_a_webhook(
    server: TelegramServer, ada: Person, settings: Settings
) -> None:
    async with served(settings):
        await server.until(lambda: server.updates.webhook, "a webhook")
        with server.updates.repeated(3):
            ada.starts("event")
            await asks(server, ada, "What kind of event is it?")
            assert (await ada.taps("Meetup").answered()).text == ""
            await asks(server, ada, "Where does it take place?")
            server.passes(60)  # the program goes by the real clock, which has gone on
            ada.says("online")
            await asks(server, ada, "link")
        await server.until(lambda: not server.updates.waiting(), "all deliveries")
        hook = server.updates.webhook
        assert hook is not None
        assert {one.status for one in hook.attempts} == {200}
        assert len(hook.attempts) == 9
    assert await draft(settings, ada) == {"kind": "meetup", "format": "online"}
    assert server.called("getUpdates") == []


async def test_who_does_not_know_the_secret_says_nothing(
    server: TelegramServer, ada: Person, settings: Settings
) -> None:
    async with served(settings):
        await server.until(lambda: server.updates.webhook, "a webhook")
        ada.starts("event")
        await asks(server, ada, "What kind of event is it?")
        button = ada.chat.newest.button("Meetup")
        assert button is not None
        query = {
            "id": "1",
            "from": ada.user,
            "message": ada.chat.newest.json(),
            "chat_instance": "1",
            "data": button.data,
        }
        forged = {"update_id": 9, "callback_query": query}
        url = settings.telegram_webhook_url or ""
        async with aiohttp.ClientSession() as session:
            for headers in ({}, {"X-Telegram-Bot-Api-Secret-Token": "a guess"}):
                async with session.post(url, json=forged, headers=headers) as answer:
                    assert answer.status == 401
        # The real tap counts, as the first of all.
        assert (await ada.taps("Talk").answered()).text == ""
        await asks(server, ada, "Where does it take place?")
    assert await draft(settings, ada) == {"kind": "talk"}


async def test_what_is_tapped_while_the_program_is_away_waits_and_counts(
    server: TelegramServer, ada: Person, settings: Settings
) -> None:
    async with served(settings):
        await server.until(lambda: server.updates.webhook, "a webhook")
        ada.starts("event")
        await asks(server, ada, "What kind of event is it?")
    hook = server.updates.webhook
    assert hook is not None
    tap = ada.taps("Meetup")
    await server.until(lambda: hook.attempts[-1].status == 0, "a delivery that fails")
    async with served(settings):
        assert (await tap.answered()).text == ""
        await asks(server, ada, "Where does it take place?")
    assert await draft(settings, ada) == {"kind": "meetup"}


async def test_the_open_card_is_drawn_again_when_the_program_is_back(
    server: TelegramServer, ada: Person, settings: Settings
) -> None:
    async with served(settings):
        await server.until(lambda: server.updates.webhook, "a webhook")
        ada.starts("event")
        await asks(server, ada, "What kind of event is it?")
        first = ada.chat.newest
    async with served(settings):
        await server.until(lambda: ada.chat.newest is not first, "the card again")
        await asks(server, ada, "What kind of event is it?")
        await server.until(lambda: ada.chat.screen().live == [ada.chat.newest], "one live card")
