"""The server fails while the bot sends: nothing is lost, and nothing comes twice in silence."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.model import Scripted
from tests.support.telegram.faults import Breaks, Drops, Fault, Garbles, Refuses, Waits
from tests.support.telegram.features import API_10_0, PLAIN
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot
from tests.support.telegram_faults import (
    AGAIN,
    all_answered,
    bot_texts,
    hasty_bot,
    line_to,
    parked,
    silent_doubles,
)

NOT_DONE = (Breaks(502), Breaks(500), Garbles(), Drops())
DONE = (Breaks(504, done=True), Garbles(done=True), Drops(done=True))
RICH = ((), API_10_0)
PRODUCT, COST = "What should be bought?", "What does it cost, all in all?"


@pytest.fixture
async def bot(server: TelegramServer, tmp_path: Path, driver: str) -> AsyncIterator[TelegramBot]:
    async with hasty_bot(server, tmp_path, driver) as running:
        yield running


async def begin(bot: TelegramBot, ada: Person) -> None:
    """The first card of a request stands in the chat."""
    await bot.quiet()
    ada.starts("request")
    await bot.quiet()


@pytest.mark.parametrize("fault", NOT_DONE + DONE, ids=str)
async def test_whatever_answer_is_lost_no_settle_is_and_no_double_is_silent(
    bot: TelegramBot, server: TelegramServer, ada: Person, fault: Fault
) -> None:
    await begin(bot, ada)
    methods = ("answerCallbackQuery", "editMessageText", "sendMessage")
    troubles = [server.befall(fault, method) for method in methods]
    ada.taps("Something bought")
    await bot.quiet()
    await all_answered(server)
    assert [one.met for one in troubles] == [1, 1, 1]
    assert await bot.draft(ada) == {"kind": "purchase"}
    assert bot_texts(ada.chat).count("✓ Request: Something bought") == 1
    copies = [one for one in ada.chat.screen().live if PRODUCT in one.text]
    assert len(copies) == (2 if fault.done else 1)
    assert AGAIN in copies[-1].text
    assert silent_doubles(ada.chat) == []
    assert await parked(bot) == []


@pytest.mark.parametrize("fault", [Breaks(502), Drops(done=True)], ids=str)
async def test_a_card_that_moves_down_is_taken_away_whatever_breaks(
    bot: TelegramBot, server: TelegramServer, ada: Person, fault: Fault
) -> None:
    await begin(bot, ada)
    server.befall(fault, "deleteMessage")
    ada.starts()
    await bot.quiet()
    assert len(ada.chat.screen().live) == 1
    assert ada.chat.newest is bot.card(ada)
    assert silent_doubles(ada.chat) == []


@pytest.mark.parametrize("lacks", RICH, ids=["rich", "plain"])
@pytest.mark.parametrize("first", [0, 1], ids=["the unknown copy", "the known copy"])
async def test_of_a_doubled_card_one_tap_counts_and_then_both_are_dealt_with(
    server: TelegramServer, ada: Person, tmp_path: Path, first: int, lacks: frozenset[str]
) -> None:
    server.lacks |= set(lacks)  # type: ignore[arg-type]
    async with hasty_bot(server, tmp_path) as bot:
        await begin(bot, ada)
        ada.taps("Access to a system")
        await bot.quiet()
        trouble = server.befall(Drops(done=True), "sendMessage", "sendRichMessage")
        ada.taps("Analytics")
        await bot.quiet()
        assert trouble.met == 1
        copies = ada.chat.screen().live
        assert len(copies) == 2
        other = copies[1 - first]
        day = next(one.label for one in copies[0].buttons if one.label.isdigit())
        ada.taps(day, copies[first])
        late = ada.taps(day, other)
        await bot.quiet()
        journey = await bot.journey(ada)
        assert journey.order == ("kind", "system", "needed_by")
        assert (await late.answered()).text
        assert [one for one in ada.chat.screen().live if one in copies] == []
        assert len(ada.chat.screen().live) == 1
        receipts = [one for one in bot_texts(ada.chat) if one.startswith("✓ Needed by")]
        assert len(receipts) == 1


async def test_a_page_turned_on_one_copy_leaves_one_card(
    server: TelegramServer, ada: Person, tmp_path: Path
) -> None:
    async with hasty_bot(server, tmp_path) as bot:
        await begin(bot, ada)
        ada.taps("Access to a system")
        await bot.quiet()
        server.befall(Drops(done=True), "sendRichMessage")
        ada.taps("Analytics")
        await bot.quiet()
        older, newer = ada.chat.screen().live
        ada.taps(next(one for one in older.labels if one.endswith("›")), older)
        await bot.quiet()
        assert ada.chat.screen().live == [newer]
        assert older.deleted


@pytest.mark.parametrize("done", [False, True])
async def test_a_call_that_takes_too_long_counts_as_lost(
    bot: TelegramBot, server: TelegramServer, ada: Person, done: bool
) -> None:
    await begin(bot, ada)
    bot.house.sender.lease = 0.9
    hangs = Waits(done=done)
    server.befall(hangs, "sendMessage")
    ada.taps("Something bought")
    await bot.quiet()
    hangs.open()
    copies = [one for one in ada.chat.screen().live if PRODUCT in one.text]
    assert len(copies) == 1 + done
    assert AGAIN in copies[-1].text
    assert await bot.draft(ada) == {"kind": "purchase"}
    assert await parked(bot) == []


async def test_an_outage_of_any_length_is_waited_out(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    await begin(bot, ada)
    outage = server.befall(Breaks(502), times=None)
    tap = ada.taps("Something bought")
    await server.until(lambda: outage.met > 4 * bot.house.sender.tries, "many tries")
    assert await parked(bot) == []
    server.troubles.remove(outage)
    await bot.quiet()
    assert await bot.draft(ada) == {"kind": "purchase"}
    assert bot_texts(ada.chat).count("✓ Request: Something bought") == 1
    assert [PRODUCT in one.text for one in ada.chat.screen().live] == [True]
    assert tap in server.taps.values()
    assert silent_doubles(ada.chat) == []
    assert await parked(bot) == []


@pytest.mark.parametrize("driver", ["aiogram", "ptb"])
async def test_an_unreachable_server_is_waited_for_and_nothing_is_doubled_or_marked(
    server: TelegramServer, ada: Person, tmp_path: Path, driver: str
) -> None:
    async with (
        line_to(server) as line,
        hasty_bot(server, tmp_path, driver, telegram_api_base=line.url) as bot,
    ):
        await begin(bot, ada)
        stopped = Waits()
        server.befall(stopped, "answerCallbackQuery")
        ada.taps("Something bought")
        await server.until(lambda: server.called("answerCallbackQuery"), "the answer to the tap")
        await line.cut()
        stopped.open()
        await server.until(lambda: bot.house.store.outgoing.rings, "a try")
        await line.mend()
        await bot.quiet()
        assert [PRODUCT in one.text for one in ada.chat.screen().live] == [True]
        assert AGAIN not in str(ada.chat.screen())
        assert await parked(bot) == []


async def test_what_is_so_already_is_no_failure(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    await begin(bot, ada)
    server.befall(Drops(done=True), "editMessageText", times=1)
    ada.taps("Something bought")
    await bot.quiet()
    refused = [one for one in server.called("editMessageText") if one.error]
    assert "message is not modified" in str(refused[-1])
    assert bot_texts(ada.chat).count("✓ Request: Something bought") == 1
    assert len(ada.chat.screen().live) == 1


ODD = Refuses(400, "Bad Request: something that nobody has heard of")


async def test_a_receipt_is_printed_where_a_card_cannot_become_it_for_whatever_reason(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    await begin(bot, ada)
    server.befall(ODD, "editMessageText", times=None)
    ada.taps("Something bought")
    await bot.quiet()
    assert bot_texts(ada.chat)[-2] == "✓ Request: Something bought"
    assert [PRODUCT in one.text for one in ada.chat.screen().live] == [True]
    assert await parked(bot) == []


async def test_a_message_that_is_refused_is_given_up_at_once_and_the_lane_goes_on(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    await bot.quiet()
    greeting = server.befall(ODD, "sendMessage", times=None, where=lambda p: "Hello" in p["text"])
    ada.starts("request")
    await bot.quiet()
    [given_up] = await parked(bot)
    assert "omething that nobody has heard of" in given_up.error
    assert greeting.met == 1
    assert len(ada.chat.screen().live) == 1


@pytest.mark.parametrize("fault", [Drops(done=True), Drops(), Breaks(502, done=True)], ids=str)
async def test_an_answer_that_is_shown_while_it_comes_is_there_once_or_says_so(
    server: TelegramServer, ada: Person, tmp_path: Path, fault: Fault
) -> None:
    server.lacks |= set(PLAIN)
    answer = "It usually takes one working day. After that you can log in."
    async with hasty_bot(server, tmp_path, model=Scripted(answer)) as bot:
        await begin(bot, ada)
        lost = server.befall(fault, "sendMessage", where=lambda p: p["text"].startswith("It "))
        ada.says("How long does it take?")
        await bot.quiet()
        assert lost.met == 1
        shown = [one.text for one in ada.chat.screen() if one.text.startswith("It ")]
        assert _plain(shown[-1]) == answer
        assert len(shown) == 1 or AGAIN in shown[-1]
        assert len(shown) <= 2
        assert len(ada.chat.screen().live) == 1


def _plain(text: str) -> str:
    return text.replace(AGAIN, "").strip()
