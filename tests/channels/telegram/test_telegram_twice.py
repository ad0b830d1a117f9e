"""What is told twice, and what people do at one instant: each counts once, every tap is answered,
and the open card is the newest message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

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


# --- the same update, delivered again ------------------------------------------------------------


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("copies", [2, 3])
async def test_what_is_delivered_again_counts_once(
    server: TelegramServer, ada: Person, tmp_path: Path, driver: str, copies: int
) -> None:
    async with telegram_bot(server, tmp_path, driver) as bot:
        with server.updates.repeated(copies):
            await begun(bot, ada)
            tap = ada.taps("Meetup")
            await bot.quiet()
            ada.says("Python Evening")
            await bot.quiet()
        assert await bot.draft(ada) == {"kind": "meetup"}
        said = ada.chat.screen().texts
        assert said.count("✓ Kind of event: Meetup") == 1
        assert len(server.called("answerCallbackQuery")) == 1
        assert tap.answer is not None
        asks_last(bot, ada, "Where does it take place")


async def test_a_word_that_is_delivered_thrice_is_one_message_of_the_talk(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    await begun(bot, ada)
    with server.updates.repeated(3):
        ada.says("meetup")
        await bot.quiet()
    assert await bot.draft(ada) == {"kind": "meetup"}
    notes = await bot.house.store.transcript(bot.lane(ada), (await bot.journey(ada)).id)
    assert [note.text for note in notes if note.role == "person"] == ["meetup"]
    asks_last(bot, ada, "Where does it take place")


@pytest.mark.parametrize("driver", DRIVERS)
async def test_what_comes_again_after_a_restart_is_known(
    server: TelegramServer, ada: Person, tmp_path: Path, driver: str
) -> None:
    # Given an update that was taken, and a poll whose confirmation never came.
    async with telegram_bot(server, tmp_path, driver) as bot:
        await begun(bot, ada)
        ada.taps("Meetup")
        await bot.quiet()
        told = list(server.updates.log)
    # When the program starts again and is told all of it once more.
    server.updates.pending[:] = told
    async with telegram_bot(server, tmp_path, driver) as bot:
        await bot.quiet()
        # Then it is known.
        assert await bot.draft(ada) == {"kind": "meetup"}
        assert (await bot.journey(ada)).ask is not None
        asks_last(bot, ada, "Where does it take place")
        assert len([one for one in ada.chat.screen().texts if "Hello!" in one]) == 1


# --- two taps, and taps beside words -------------------------------------------------------------


@FORMS
async def test_two_taps_on_one_button_settle_once(
    bot: TelegramBot, server: TelegramServer, ada: Person, lacks: frozenset[Feature]
) -> None:
    server.lacks = set(lacks)
    await begun(bot, ada)
    card = bot.card(ada)
    taps = [ada.taps("Meetup", card), ada.taps("Meetup", card)]
    first, second = await asyncio.gather(*(tap.answered() for tap in taps))
    await bot.quiet()
    assert await bot.draft(ada) == {"kind": "meetup"}
    assert (first.text, second.text) == ("", STALE)
    asks_last(bot, ada, "Where does it take place")
    assert ada.chat.screen().texts.count("✓ Kind of event: Meetup") == 1


@FORMS
async def test_of_taps_on_two_buttons_of_a_card_the_first_counts(
    bot: TelegramBot, server: TelegramServer, ada: Person, lacks: frozenset[Feature]
) -> None:
    server.lacks = set(lacks)
    await begun(bot, ada)
    card = bot.card(ada)
    taps = [ada.taps("Workshop", card), ada.taps("Meetup", card)]
    answers = await asyncio.gather(*(tap.answered() for tap in taps))
    await bot.quiet()
    assert await bot.draft(ada) == {"kind": "workshop"}
    assert [one.text for one in answers] == ["", STALE]
    assert "✓ Kind of event: Workshop" in ada.chat.screen().texts
    asks_last(bot, ada, "Where does it take place")


async def test_two_taps_on_boxes_of_one_card_both_count(bot: TelegramBot, ada: Person) -> None:
    await at_languages(bot, ada)
    card = bot.card(ada)
    boxes = [one for one in card.labels if one.endswith(("English", "German"))]
    assert len(boxes) == 2
    taps = [ada.taps(label, card) for label in boxes]
    await asyncio.gather(*(tap.answered() for tap in taps))
    await bot.quiet()
    ada.taps("Done")
    await bot.quiet()
    assert (await bot.draft(ada))["languages"] == ["english", "german"]


async def at_languages(bot: TelegramBot, ada: Person) -> None:
    """Ada's event is online, and the question is which languages are spoken."""
    await begun(bot, ada)
    answers = ["talk", "online", "https://example.org/talk", "5 February 2027", "19:00", "2 hours"]
    for answer in [*answers, "60", "free", "Ada Lovelace", "done"]:
        ada.says(answer)
        await bot.quiet()


async def test_a_tap_and_words_at_one_instant_settle_what_each_was_for(
    bot: TelegramBot, ada: Person
) -> None:
    await begun(bot, ada)
    tap = ada.taps("Meetup")
    ada.says("In person")
    await tap.answered()
    await bot.quiet()
    # Which came first only the platform knows; the kind is never lost, and nothing is guessed.
    draft = await bot.draft(ada)
    assert draft["kind"] == "meetup"
    assert set(draft) <= {"kind", "format"}
    assert len(ada.chat.screen().live) == 1
    assert ada.chat.newest is bot.card(ada)


async def test_words_at_the_instant_of_the_tap_that_says_the_same_do_no_harm(
    bot: TelegramBot, ada: Person
) -> None:
    await begun(bot, ada)
    ada.says("meetup")
    tap = ada.taps("Meetup")
    await tap.answered()
    await bot.quiet()
    assert await bot.draft(ada) == {"kind": "meetup"}
    asks_last(bot, ada, "Where does it take place")


async def test_two_fragments_are_one_reply_to_the_ask_that_was_open(
    bot: TelegramBot, ada: Person
) -> None:
    await begun(bot, ada)
    ada.says("a workshop")
    ada.says("please")
    await bot.quiet()
    assert await bot.draft(ada) == {"kind": "workshop"}
    asks_last(bot, ada, "Where does it take place")


async def test_two_fragments_that_answer_two_questions_settle_none(
    bot: TelegramBot, ada: Person
) -> None:
    await begun(bot, ada)
    ada.says("a workshop")
    ada.says("in person")
    await bot.quiet()
    # Both met the first question; together they are more than its answer.
    assert await bot.draft(ada) == {}
    asks_last(bot, ada, "What kind of event")
    assert any("Workshop" in label for label in bot.card(ada).labels)
