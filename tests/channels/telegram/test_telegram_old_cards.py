"""Taps on cards that are not open any more, around a restart, and on what nobody ever drew: they
settle nothing, each is answered, and the open card is the newest message."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from channels.telegram.payload import Dest, data_for, page_token
from core.state import Status
from tests.support.telegram.features import Feature
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import DRIVERS, TelegramBot, telegram_bot
from tests.support.telegram_cards import FORMS, STALE, asks_last, begun


@pytest.fixture
async def bot(server: TelegramServer, tmp_path: Path) -> AsyncIterator[TelegramBot]:
    """The whole program, running."""
    async with telegram_bot(server, tmp_path) as running:
        yield running


# --- cards that are open no longer ---------------------------------------------------------------


@FORMS
async def test_a_tap_on_an_old_card_settles_nothing_and_leads_to_the_open_one(
    bot: TelegramBot, server: TelegramServer, ada: Person, lacks: frozenset[Feature]
) -> None:
    server.lacks = set(lacks)
    await begun(bot, ada)
    old = bot.card(ada)
    ada.says("meetup")
    await bot.quiet()
    answer = await ada.taps("Workshop", old, stale=True).answered()
    await bot.quiet()
    assert answer.text == STALE
    assert await bot.draft(ada) == {"kind": "meetup"}
    asks_last(bot, ada, "Where does it take place")
    # What stood there as a receipt is kept.
    assert ada.chat.screen().texts.count("✓ Kind of event: Meetup") == 1


async def comes_back(bot: TelegramBot) -> None:
    """What the program does after a start, done to its end."""
    await bot.channel.come_back(lambda: datetime.fromtimestamp(bot.server.now, UTC))
    await bot.quiet()


async def test_a_card_of_long_ago_is_not_drawn_again_after_a_restart_and_still_counts(
    server: TelegramServer, ada: Person, tmp_path: Path
) -> None:
    async with telegram_bot(server, tmp_path) as bot:
        await begun(bot, ada)
        card = bot.card(ada)
    server.passes(2 * 3600)
    async with telegram_bot(server, tmp_path) as bot:
        await comes_back(bot)
        assert bot.card(ada) is card
        ada.taps("Meetup")
        await bot.quiet()
        assert await bot.draft(ada) == {"kind": "meetup"}
        asks_last(bot, ada, "Where does it take place")


async def test_after_a_restart_the_open_ask_is_drawn_again_once(
    server: TelegramServer, ada: Person, tmp_path: Path
) -> None:
    # The second restart is behind the next full hour.
    server.passes(3600 - server.now % 3600 - 90)
    async with telegram_bot(server, tmp_path) as bot:
        await begun(bot, ada)
        first = bot.card(ada)
    server.passes(60)
    async with telegram_bot(server, tmp_path) as bot:
        await server.until(lambda: ada.chat.screen().live not in ([], [first]), "the card again")
        await comes_back(bot)
        asks_last(bot, ada, "What kind of event")
        again = bot.card(ada)
    server.passes(60)
    async with telegram_bot(server, tmp_path) as bot:
        await comes_back(bot)
        assert bot.card(ada) is again
        assert len(ada.chat.screen()) == 3


@pytest.mark.parametrize("driver", DRIVERS)
async def test_what_was_tapped_while_the_program_was_away_counts_on_the_card_that_was_open(
    server: TelegramServer, ada: Person, tmp_path: Path, driver: str
) -> None:
    async with telegram_bot(server, tmp_path, driver) as bot:
        await begun(bot, ada)
    server.passes(60)
    tap = ada.taps("Meetup")
    async with telegram_bot(server, tmp_path, driver) as bot:
        await comes_back(bot)
        assert (await tap.answered()).text == ""
        assert await bot.draft(ada) == {"kind": "meetup"}
        asks_last(bot, ada, "Where does it take place")


@pytest.mark.parametrize("driver", DRIVERS)
async def test_what_was_said_while_the_program_was_away_answers_the_card_that_was_open(
    server: TelegramServer, ada: Person, tmp_path: Path, driver: str
) -> None:
    async with telegram_bot(server, tmp_path, driver) as bot:
        await begun(bot, ada)
    server.passes(60)
    ada.says("meetup")
    server.passes(60)
    async with telegram_bot(server, tmp_path, driver) as bot:
        await comes_back(bot)
        assert await bot.draft(ada) == {"kind": "meetup"}
        asks_last(bot, ada, "Where does it take place")


@pytest.mark.parametrize("gone", ["out of reach", "deleted"])
async def test_a_tap_on_a_message_out_of_reach_counts_while_its_card_is_open(
    bot: TelegramBot, ada: Person, gone: str
) -> None:
    await begun(bot, ada)
    card, data = bot.card(ada), bot.card(ada).button("Meetup")
    assert data is not None
    assert data.data is not None
    if gone == "deleted":
        ada.deletes(card)
    else:
        ada.chat.puts_out_of_reach(card)
    tap = ada.forges(data.data, card)
    await bot.quiet()
    assert (await tap.answered()).text == ""
    assert await bot.draft(ada) == {"kind": "meetup"}
    assert "✓ Kind of event: Meetup" in ada.chat.screen().texts
    asks_last_of_all(ada, "Where does it take place")


async def test_a_tap_on_an_old_card_out_of_reach_leads_to_the_open_one(
    bot: TelegramBot, ada: Person
) -> None:
    await begun(bot, ada)
    old = bot.card(ada)
    ada.says("/resume")
    await bot.quiet()
    old.inaccessible = True
    answer = await ada.taps("Meetup", old, stale=True).answered()
    await bot.quiet()
    assert answer.text == STALE
    assert await bot.draft(ada) == {}


def asks_last_of_all(person: Person, words: str) -> None:
    """The newest message has buttons and asks this; a message out of reach may keep its own."""
    newest = person.chat.newest
    assert words in newest.text
    assert newest.buttons


async def test_a_card_of_a_finished_or_cancelled_journey_is_inert_and_says_so(
    bot: TelegramBot, ada: Person
) -> None:
    await begun(bot, ada)
    first = bot.card(ada)
    ada.says("/cancel")
    await bot.quiet()
    sure = bot.card(ada)
    assert "throw away" in sure.text
    ada.taps("Yes, cancel")
    await bot.quiet()
    shown = ada.chat.screen().texts
    for label, card in (("Meetup", first), ("Yes, cancel", sure)):
        answer = await ada.taps(label, card, stale=True).answered()
        assert answer.text == "Nothing is open at the moment. Send /new to start."
    await bot.quiet()
    assert (await bot.journey(ada)).status is Status.CANCELLED
    assert ada.chat.screen().texts == shown


async def test_a_card_of_the_journey_before_settles_nothing_in_the_next(
    bot: TelegramBot, ada: Person
) -> None:
    await begun(bot, ada)
    old = bot.card(ada)
    ada.says("/cancel")
    await bot.quiet()
    ada.taps("Yes, cancel")
    await bot.quiet()
    await begun(bot, ada)
    answer = await ada.taps("Workshop", old, stale=True).answered()
    await bot.quiet()
    assert answer.text == STALE
    assert await bot.draft(ada) == {}
    asks_last(bot, ada, "What kind of event")


# --- callback data of people's own making --------------------------------------------------------


async def forgeries(bot: TelegramBot, ada: Person) -> list[str]:
    """Data that nobody's button sends, and some that another button would."""
    card = (await bot.journey(ada)).ask
    assert card is not None
    mine = Dest(chat=ada.id, owner=ada.id)
    return [
        "",
        "|",
        "s1",
        "vote:1",
        "s1|||||",
        "\x00",
        "🙂" * 16,
        "x" * 64,
        f"s1|{card.card}|confirm|zz|0",
        f"s1|{card.card}|o0|-1|0",
        f"s1|{card.card}|o0|1|-5",
        f"s2|{card.card}|o0|1|0",
        data_for(card.card, "nothing", mine),
        data_for(card.card, "confirm", mine),
        data_for(card.card, "~keep", mine),
        data_for(card.card, "~human", mine),
        data_for(card.card, "~back", mine),
        data_for(card.card, "o99", mine),
        data_for("another-1", "o0", mine),
        data_for(card.card, page_token(7), mine),
        data_for(card.card, "o0", Dest(chat=ada.id, owner=ada.id, thread=77)),
        data_for(card.card, "o0", Dest(chat=ada.id, owner=10_999)),
    ]


async def test_forged_data_settles_nothing_and_is_always_answered(
    bot: TelegramBot, ada: Person
) -> None:
    await begun(bot, ada)
    for data in await forgeries(bot, ada):
        tap = ada.forges(data, bot.card(ada))
        await tap.answered()
        await bot.quiet()
        assert await bot.draft(ada) == {}, data
        asks_last(bot, ada, "What kind of event")
    ada.taps("Meetup")
    await bot.quiet()
    assert await bot.draft(ada) == {"kind": "meetup"}


async def test_data_that_is_forged_under_another_message_takes_that_message_not_away(
    bot: TelegramBot, ada: Person
) -> None:
    await begun(bot, ada)
    greeting = ada.chat.screen()[1]
    ada.forges(data_for("another-1", "o0", Dest(chat=ada.id, owner=ada.id)), greeting)
    await bot.quiet()
    assert greeting in ada.chat.screen()
