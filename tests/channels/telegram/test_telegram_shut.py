"""A chat takes nothing any more: the bot is blocked, kicked or muted, its topic is closed. What was
to be sent is given up, others are served meanwhile, and whoever comes back goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.support.telegram.chats import Chat
from tests.support.telegram.faults import Refuses
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot
from tests.support.telegram_faults import bot_texts, hasty_bot, parked

PRODUCT = "What should be bought?"


@pytest.fixture
async def bot(server: TelegramServer, tmp_path: Path, driver: str) -> AsyncIterator[TelegramBot]:
    async with hasty_bot(server, tmp_path, driver) as running:
        await running.quiet()
        yield running


async def test_a_person_who_blocks_the_bot_and_comes_back_goes_on(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    grace = server.person("Grace")
    for one in (ada, grace):
        one.starts("request")
    await bot.quiet()
    ada.taps("Something bought")
    ada.blocks()
    grace.taps("Something bought")
    await bot.quiet()
    assert await bot.draft(ada) == {"kind": "purchase"}, "the tap has counted"
    given_up = await parked(bot, ada)
    assert given_up
    assert all("bot was blocked by the user" in one.error for one in given_up)
    assert PRODUCT in bot.card(grace).text, "nobody else noticed"

    ada.starts()
    await bot.quiet()
    assert PRODUCT in ada.chat.newest.text
    ada.says("a chair")
    await bot.quiet()
    assert "What does it cost" in bot.card(ada).text
    assert await bot.draft(ada) == {"kind": "purchase", "product": "a chair"}


async def test_a_deactivated_account_holds_nobody_up(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    ada.starts("request")
    await bot.quiet()
    gone = Refuses(403, "Forbidden: user is deactivated")
    refused = server.befall(gone, chat=ada.chat, times=None)
    ada.taps("Something bought")
    await bot.quiet()
    assert {one.error for one in await parked(bot, ada)} == {"403 Forbidden: user is deactivated"}
    assert refused.met <= 3, "nothing is tried twice"


def kicks(group: Chat, by: Person) -> None:
    group.kicks_bot(by)


def mutes(group: Chat, by: Person) -> None:
    group.mutes_bot()


def opens(group: Chat, by: Person) -> None:
    group.adds_bot(by)
    group.unmutes_bot()


@pytest.mark.parametrize("shuts", [kicks, mutes])
async def test_a_group_that_shuts_out_the_bot_and_lets_it_in_again_goes_on(
    bot: TelegramBot, server: TelegramServer, ada: Person, shuts: Callable[[Chat, Person], None]
) -> None:
    grace = server.person("Grace")
    team = server.group("Team", ada, grace)
    ada.says("/start request", chat=team)
    grace.starts("request")
    await bot.quiet()
    ada.taps("Something bought", chat=team)
    shuts(team, grace)
    grace.taps("Something bought")
    await bot.quiet()
    assert await parked(bot)
    assert PRODUCT in bot.card(grace).text

    opens(team, grace)
    ada.says("/start@surestep_bot", chat=team)
    await bot.quiet()
    assert PRODUCT in team.newest.text
    ada.says("a chair", chat=team, reply_to=team.newest)
    await bot.quiet()
    assert await bot.draft(ada, team) == {"kind": "purchase", "product": "a chair"}
    assert "What does it cost" in team.newest.text


@pytest.mark.parametrize("ends", ["closes", "goes"])
async def test_a_topic_that_is_closed_or_deleted_leaves_the_others_alone(
    bot: TelegramBot, server: TelegramServer, ada: Person, ends: str
) -> None:
    forum = server.group("Forum", ada, forum=True)
    old, new = forum.topic("Old"), forum.topic("New")
    ada.says("/start request", chat=forum, thread=old)
    await bot.quiet()
    ada.taps("Something bought", chat=forum, thread=old)
    getattr(old, ends)()
    ada.says("/start request", chat=forum, thread=new)
    await bot.quiet()
    assert await bot.draft(ada, forum, old.id) == {"kind": "purchase"}
    assert {one.lane for one in await parked(bot)} == {bot.lane(ada, forum, old.id)}
    [card] = forum.screen(ada, new.id).live
    ada.taps("Access to a system", card)
    await bot.quiet()
    assert "Access to which system?" in forum.newest.text


async def test_a_group_that_takes_no_card_for_now_does_not_make_the_bot_plain(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    team = server.group("Team", ada)
    for place in (team, ada.chat):
        ada.says("/start request", chat=place)
        await bot.quiet()
        ada.taps("Access to a system", chat=place)
        await bot.quiet()
    ada.taps("Analytics", chat=team)
    team.mutes_bot()
    await bot.quiet()
    assert await parked(bot)
    ada.taps("Analytics")
    await bot.quiet()
    assert bot.card(ada).is_rich


# A card that is there no longer


async def test_the_receipt_of_a_card_that_the_person_deleted_is_printed(
    bot: TelegramBot, ada: Person
) -> None:
    ada.starts("request")
    await bot.quiet()
    ada.deletes(bot.card(ada))
    ada.says("something bought")
    await bot.quiet()
    assert bot_texts(ada.chat)[-2] == "✓ Request: Something bought"
    assert ada.chat.newest is bot.card(ada)


@pytest.mark.parametrize("form", ["rich", "plain"])
async def test_a_card_that_changes_and_was_deleted_is_drawn_anew(
    bot: TelegramBot, server: TelegramServer, ada: Person, form: str
) -> None:
    if form == "plain":
        server.befall(Refuses(404, "Not Found: method not found"), "sendRichMessage", times=None)
    ada.starts("request")
    await bot.quiet()
    for label in ("Access to a system", "Analytics"):
        ada.taps(label)
        await bot.quiet()
    card = bot.card(ada)
    assert card.is_rich == (form == "rich")
    ada.taps(next(one for one in card.labels if one.endswith("›")))
    ada.deletes(card)
    await bot.quiet()
    anew = bot.card(ada)
    assert anew is not card
    assert ada.chat.newest is anew
    ada.taps(next(one for one in anew.labels if one.isdigit()))
    await bot.quiet()
    assert set(await bot.draft(ada)) == {"kind", "system", "needed_by"}
    assert len(ada.chat.screen().live) == 1


async def test_a_card_out_of_reach_gets_its_receipt_below(bot: TelegramBot, ada: Person) -> None:
    ada.starts("request")
    await bot.quiet()
    ada.chat.puts_out_of_reach(bot.card(ada))
    ada.taps("Something bought")
    await bot.quiet()
    assert bot_texts(ada.chat)[-2] == "✓ Request: Something bought"
    assert PRODUCT in ada.chat.newest.text


async def test_a_card_too_old_to_be_taken_away_says_that_it_moved_down(
    bot: TelegramBot, ada: Person
) -> None:
    ada.starts("request")
    await bot.quiet()
    old = bot.card(ada)
    ada.chat.ages(old)
    ada.starts()
    await bot.quiet()
    assert old.text == "This question has moved further down."
    assert ada.chat.newest is bot.card(ada)
