"""A keyboard that holds less than its card: its pages are turned in the order of all else, so that
a card that is closed stays closed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.folders import write
from tests.support.telegram.faults import Floods, Refuses, Waits
from tests.support.telegram.features import PLAIN
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot, telegram_bot
from tests.support.telegram_cards import asks_last

PLACES = [f"place{number}" for number in range(120)]
NEXT, BACK = "2 of 2 ›", "‹ 1 of 2"


@pytest.fixture
async def bot(server: TelegramServer, ada: Person, tmp_path: Path) -> AsyncIterator[TelegramBot]:
    """The program, with a card of more buttons than a keyboard has; Ada is asked."""
    server.lacks = set(PLAIN)
    manifest: dict[str, Any] = {
        "name": "trip",
        "version": 1,
        "items": [
            {"name": "place", "value": "choice", "options": PLACES},
            {"name": "who", "value": "short_text"},
        ],
        "destinations": [{"name": "file", "kind": "jsonl", "settings": {"path": "trips.jsonl"}}],
    }
    options = {one: one.capitalize() for one in PLACES}
    texts = {
        "title": "A trip",
        "items": {
            "place": {"label": "Place", "ask": "Where to?", "options": options},
            "who": {"label": "Who", "ask": "Who is coming?"},
        },
    }
    write(tmp_path / "journeys" / "trip", manifest=json.dumps(manifest), en=json.dumps(texts))
    journeys: dict[str, Any] = {"journeys_dir": tmp_path / "journeys", "journey": "trip"}
    async with telegram_bot(server, tmp_path, **journeys) as running:
        ada.starts("trip")
        await running.quiet()
        yield running


def labels(bot: TelegramBot, ada: Person) -> list[str]:
    return bot.card(ada).labels


async def test_a_page_is_turned_where_the_card_stands_and_its_buttons_count(
    bot: TelegramBot, ada: Person
) -> None:
    card = bot.card(ada)
    assert "Place119" not in labels(bot, ada)
    tap = ada.taps(NEXT)
    assert (await tap.answered()).text == ""
    await bot.quiet()
    assert bot.card(ada) is card
    assert "Place119" in labels(bot, ada)
    ada.taps(BACK)
    await bot.quiet()
    assert "Place0" in labels(bot, ada)

    ada.taps(NEXT)
    await bot.quiet()
    ada.taps("Place119")
    await bot.quiet()
    assert await bot.draft(ada) == {"place": "place119"}
    asks_last(bot, ada, "Who is coming?")


async def test_a_page_that_is_still_being_turned_does_not_open_its_card_again(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    # Given a page whose turning takes its time
    turning = Waits()
    slow = server.befall(turning, "editMessageText", "editMessageReplyMarkup")
    card = bot.card(ada)
    ada.taps(NEXT)
    await server.until(lambda: slow.met, "the page")

    # When the card is answered meanwhile
    tap = ada.taps("Place3")
    async with asyncio.timeout(10):
        while True:
            if await bot.draft(ada):
                break
            await asyncio.sleep(0.01)
    turning.open()
    await bot.quiet()

    # Then it is its receipt, and nothing else has buttons
    await tap.answered()
    assert not card.buttons
    assert "✓ Place: Place3" in card.text
    asks_last(bot, ada, "Who is coming?")


async def test_a_page_of_a_card_that_is_being_closed_is_not_turned(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    # Given an answered card whose receipt takes its time
    closing = Waits()
    slow = server.befall(closing, "editMessageText", "editMessageReplyMarkup")
    card = bot.card(ada)
    ada.taps("Place3")
    await server.until(lambda: slow.met, "the receipt")

    # When its page is turned at that instant
    tap = ada.taps(NEXT, card)
    await server.until(lambda: not server.updates.pending, "the tap")
    closing.open()
    await bot.quiet()

    # Then it is closed
    assert (await tap.answered()).text == ""
    assert not card.buttons
    assert "✓ Place: Place3" in card.text
    asks_last(bot, ada, "Who is coming?")


async def test_a_tap_that_is_delivered_again_turns_the_page_once(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    with server.updates.repeated(3):
        ada.taps(NEXT)
        await bot.quiet()
    edits = [one for one in server.calls if one.method.startswith("editMessage")]
    assert len(edits) == 1


async def test_a_page_that_the_server_does_not_take_changes_nothing(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    server.befall(Refuses(), "editMessageText", "editMessageReplyMarkup")
    ada.taps(NEXT)
    await bot.quiet()
    assert "Place0" in labels(bot, ada)
    assert await bot.house.store.parked() == []
    ada.taps(NEXT)
    await bot.quiet()
    assert "Place119" in labels(bot, ada)


async def test_a_page_waits_as_long_as_the_server_wants(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    flood = server.befall(Floods(1.0), "editMessageText", "editMessageReplyMarkup")
    ada.taps(NEXT)
    await bot.quiet()
    assert flood.met == 1
    assert "Place119" in labels(bot, ada)


async def test_somebody_elses_card_is_not_turned(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    eve = server.person("Eve")
    data = bot.card(ada).button(NEXT)
    assert data is not None
    assert data.data is not None
    before = labels(bot, ada)
    tap = eve.forges(data.data, bot.card(ada))
    await tap.answered()
    await bot.quiet()
    assert labels(bot, ada) == before
