"""Flood control: only the chat that wants quiet waits, in its order, and nothing comes twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from core.model import Scripted
from tests.support.gallery_folder import gallery_folder
from tests.support.telegram.faults import Floods
from tests.support.telegram.features import API_10_0
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot
from tests.support.telegram_faults import (
    AGAIN,
    all_answered,
    bot_texts,
    counted,
    hasty_bot,
    parked,
    silent_doubles,
)

PRODUCT = "What should be bought?"
FLOOD = 0.9
"""Seconds; the server says 1, since it counts whole ones."""
SHOWING = ("sendMessage", "editMessageText")


@pytest.fixture
async def bot(server: TelegramServer, tmp_path: Path) -> AsyncIterator[TelegramBot]:
    async with hasty_bot(server, tmp_path) as running:
        yield running


async def begin(bot: TelegramBot, *people: Person, **place: Any) -> None:
    await bot.quiet()
    for one in people:
        one.says("/start request", **place)
    await bot.quiet()


@pytest.mark.parametrize("driver", ["aiogram", "ptb"])
async def test_a_flooded_chat_waits_in_its_order_and_another_goes_on_meanwhile(
    server: TelegramServer, ada: Person, tmp_path: Path, driver: str
) -> None:
    grace = server.person("Grace")
    async with hasty_bot(server, tmp_path, driver) as bot:
        await begin(bot, ada, grace)
        flood = server.befall(Floods(2 * FLOOD), *SHOWING, chat=ada.chat)
        ada.taps("Something bought")
        await server.until(lambda: flood.met, "the flood")
        grace.taps("Something bought")
        await server.until(lambda: PRODUCT in grace.chat.newest.text, "the next card for Grace")
        assert "What do you need?" in ada.chat.newest.text, "the flooded chat has waited"
        ada.says("a chair")
        await bot.quiet()
        assert flood.met == 1, "a chat that wants quiet was asked before its time"
        # She wrote before she could see what it answers, so it is at hand and not taken.
        assert await bot.draft(ada) == {"kind": "purchase"}
        ada.taps("💡 a chair")
        await bot.quiet()
        assert await bot.draft(ada) == {"kind": "purchase", "product": "a chair"}
        assert "✓ Request: Something bought" in bot_texts(ada.chat)
        assert bot_texts(ada.chat)[-2] == "✓ Item: a chair"
        assert AGAIN not in str(ada.chat.screen())
        assert len(ada.chat.screen().live) == 1


@pytest.mark.parametrize(
    "method", ["sendMessage", "editMessageText", "deleteMessage", "answerCallbackQuery"]
)
async def test_a_flood_on_any_method_is_waited_for(
    bot: TelegramBot, server: TelegramServer, ada: Person, method: str
) -> None:
    await begin(bot, ada)
    flood = server.befall(Floods(FLOOD), method)
    ada.taps("Something bought")
    ada.says("/start")
    await bot.quiet()
    await all_answered(server)
    assert flood.met == 1
    assert await bot.draft(ada) == {"kind": "purchase"}
    assert [PRODUCT in one.text for one in ada.chat.screen().live] == [True]
    assert ada.chat.newest is bot.card(ada)
    assert silent_doubles(ada.chat) == []
    assert AGAIN not in str(ada.chat.screen())


async def test_a_flood_on_a_rich_message_makes_no_bot_plain(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    await begin(bot, ada)
    ada.taps("Access to a system")
    await bot.quiet()
    flood = server.befall(Floods(FLOOD), "sendRichMessage")
    ada.taps("Analytics")
    await bot.quiet()
    assert flood.met == 1
    assert bot.card(ada).is_rich


async def test_in_a_group_everybody_waits_and_nobody_elsewhere(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    grace, kim = server.person("Grace"), server.person("Kim")
    team = server.group("Team", ada, grace)
    await begin(bot, ada, grace, chat=team)
    await begin(bot, kim)
    flood = server.befall(Floods(FLOOD), *SHOWING, chat=team)
    cards = {one.text.split()[0]: one for one in team.screen().live}
    ada.taps("Something bought", cards["Ada"])
    await server.until(lambda: flood.met, "the flood")
    await grace.taps("Something bought", cards["Grace"]).answered()
    kim.taps("Something bought")
    await server.until(lambda: PRODUCT in kim.chat.newest.text, "Kim's next card")
    assert not any(PRODUCT in one.text for one in team.screen())
    await bot.quiet()
    assert flood.met == 1, "both lanes share the chat's quiet"
    assert [PRODUCT in one.text for one in team.screen().live] == [True, True]
    for person in (ada, grace):
        assert await bot.draft(person, team) == {"kind": "purchase"}


LONG = "\n\n".join(
    f"Part {number}. " + "A-sentence-in-one-word-like-any-other. " * 36 for number in range(6)
)


async def test_a_long_answer_goes_on_where_it_was_stopped(
    server: TelegramServer, ada: Person, tmp_path: Path
) -> None:
    async with hasty_bot(server, tmp_path, model=Scripted(LONG)) as bot:
        await begin(bot, ada)
        flood = server.befall(
            Floods(FLOOD), "sendMessage", skip=1, where=lambda p: "like-any-other" in p["text"]
        )
        ada.says("Tell me all about it.")
        await bot.quiet()
        assert flood.met == 1
        parts = [one.text for one in ada.chat.screen() if "like-any-other" in one.text]
        assert len(parts) >= 3
        assert " ".join(parts).split() == LONG.split()
        assert AGAIN not in str(ada.chat.screen())
        assert ada.chat.newest is bot.card(ada)


async def test_a_long_answer_that_another_process_has_to_finish_says_what_may_come_twice(
    server: TelegramServer, ada: Person, tmp_path: Path
) -> None:
    async with hasty_bot(server, tmp_path, model=Scripted(LONG)) as bot:
        await begin(bot, ada)
        flood = server.befall(
            Floods(FLOOD), "sendMessage", skip=1, where=lambda p: "like-any-other" in p["text"]
        )
        ada.says("Tell me all about it.")
        await server.until(lambda: flood.met, "the flood")
    async with hasty_bot(server, tmp_path) as bot:
        await bot.quiet()
        parts = [one.text for one in ada.chat.screen() if "like-any-other" in one.text]
        assert " ".join(parts[1:]).replace(AGAIN, "").split() == LONG.split()
        assert AGAIN in parts[-1]
        assert len(ada.chat.screen().live) == 1


async def sends_all(bot: TelegramBot, ada: Person) -> None:
    """Two photos and a file: all that the gallery asks for."""
    ada.starts("gallery")
    await bot.quiet()
    ada.sends_photo()
    await bot.quiet()
    ada.sends_photo()
    await bot.quiet()
    ada.sends_document(b"%PDF-1.7", "plan.pdf")


@pytest.mark.parametrize("method", ["sendMediaGroup", "sendDocument", "sendMessage"])
async def test_the_files_of_a_summary_go_on_where_they_were_stopped(
    server: TelegramServer, ada: Person, tmp_path: Path, method: str
) -> None:
    server.lacks |= API_10_0
    folder = gallery_folder(tmp_path / "journeys")
    async with hasty_bot(server, tmp_path, journeys_dir=folder) as bot:
        await bot.quiet()
        flood = server.befall(
            Floods(FLOOD), method, where=lambda p: "text" not in p or "Front" in p["text"]
        )
        await sends_all(bot, ada)
        await bot.quiet()
        assert flood.met == 1
        done = [one for one in server.called() if one.carried_out]
        assert counted(done)["sendMediaGroup"] == 1
        assert counted(done)["sendDocument"] == 1
        assert [one.media for one in ada.chat.screen() if one.from_bot and one.media] == [
            *("photo", "photo", "document")
        ]
        assert AGAIN not in str(ada.chat.screen())
        assert "Confirm" in bot.card(ada).labels
        assert await parked(bot) == []
