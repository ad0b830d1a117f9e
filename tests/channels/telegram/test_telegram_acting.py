"""Actions below posts in Telegram: anybody in the chat uses them as themselves, and is asked for
words where they want some; and the command of those who run the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.texts import Texts
from tests.support.putting import acts, commands, put, submission
from tests.support.telegram.chats import Chat
from tests.support.telegram.faults import Breaks
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot
from tests.support.telegram_posts import CSV, given_up, posting_bot, put_into

EN = Texts("en")


@pytest.fixture
async def bot(server: TelegramServer, tmp_path: Path) -> AsyncIterator[TelegramBot]:
    async with posting_bot(server, tmp_path) as running:
        yield running


@pytest.fixture
def bob(server: TelegramServer) -> Person:
    return server.person("Bob")


@pytest.fixture
def group(server: TelegramServer, ada: Person, bob: Person) -> Chat:
    return server.group("Orga", ada, bob)


async def test_anybody_in_the_chat_uses_an_action_as_themselves(
    bot: TelegramBot, ada: Person, bob: Person, group: Chat
) -> None:
    await put_into(bot, group, submission())
    stood = group.newest
    for person in (ada, bob):
        await person.taps("Approve", stood).answered()
    await bot.quiet()
    found = await acts(bot.house.store)
    assert [(lane, one.by, one.command, one.post) for lane, one in found] == [
        (bot.lane(person, group), str(person.id), "approve 12", "s-12") for person in (ada, bob)
    ]
    assert (await bot.state(bob, group)).person.name == "Bob"


async def test_an_action_that_wants_words_asks_for_them_and_outlives_a_restart(
    server: TelegramServer, bob: Person, group: Chat, tmp_path: Path, driver: str
) -> None:
    async with posting_bot(server, tmp_path, driver) as first:
        await put_into(first, group, submission())
        await bob.taps("Reject", group.newest).answered()
        await first.quiet()
        asked = group.newest
        assert asked.text == "Bob\nReject: Why is it rejected?"
        assert asked.marked("text_mention") == ["Bob"]
        assert asked.markup == {
            "force_reply": True,
            "selective": True,
            "input_field_placeholder": "Why is it rejected?",
        }
        assert await acts(first.house.store) == []
    async with posting_bot(server, tmp_path, driver) as second:
        bob.says("too vague", chat=group, reply_to=asked)
        await second.quiet()
        ((lane, act),) = await acts(second.house.store)
    assert lane == second.lane(bob, group)
    told = (act.by, act.command, act.words, act.post)
    assert told == (str(bob.id), "reject 12", "too vague", "s-12")


async def test_only_whom_a_prompt_asks_can_answer_it(
    bot: TelegramBot, ada: Person, bob: Person, group: Chat
) -> None:
    await put_into(bot, group, submission())
    await bob.taps("Reject", group.newest).answered()
    ada.says("because", chat=group, reply_to=group.newest)
    await bot.quiet()
    assert await acts(bot.house.store) == []


async def test_a_prompt_that_cannot_be_sent_is_told_on_the_button(
    bot: TelegramBot, server: TelegramServer, bob: Person, group: Chat
) -> None:
    await put_into(bot, group, submission())
    server.befall(Breaks(502), "sendMessage", chat=group)
    answer = await bob.taps("Reject", group.newest).answered()
    assert answer.text == EN("posts.once_more")
    await bob.taps("Reject", group.newest).answered()
    assert group.newest.text == "Bob\nReject: Why is it rejected?"


async def test_what_is_personal_is_put_into_the_private_chat(
    bot: TelegramBot, ada: Person, bob: Person, group: Chat
) -> None:
    await put(bot.house.store, bot.lane(ada, group), submission(), personal=True)
    await bot.quiet()
    stood = ada.chat.newest
    assert stood.text.startswith("Rust for beginners")
    assert [EN("telegram.in_private") in text for text in group.screen().texts] == [True]
    # Used there, it asks what it asks everywhere, and it is changed there from either place.
    await ada.taps("Reject", stood).answered()
    assert ada.chat.newest.text == "Reject: Why is it rejected?"
    await put(bot.house.store, bot.lane(ada), submission(footer="Once"), personal=True)
    await bot.quiet()
    await put(bot.house.store, bot.lane(ada, group), submission(footer="Twice"), personal=True)
    await bot.quiet()
    assert stood.text.endswith("Twice")
    assert len(group.screen()) == 1


async def test_whom_the_bot_may_not_write_to_is_told_where_to_ask_for_a_post(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    shy = server.person("Shy", started=False)
    group = server.group("Orga", ada, shy)
    await put(bot.house.store, bot.lane(shy, group), submission(files=(CSV,)), personal=True)
    await bot.quiet()
    line = EN("telegram.ask_in_private", chat="https://t.me/surestep_bot")
    assert [line in text for text in group.screen().texts] == [True]
    assert await given_up(bot) == []


async def test_the_admin_command_arrives_from_private_chats_and_groups(
    bot: TelegramBot, server: TelegramServer, ada: Person, group: Chat
) -> None:
    ada.says("/admin queue")
    ada.says("/admin show 12", chat=group)
    ada.says("/admin@surestep_bot help", chat=group)
    await bot.quiet()
    assert await commands(bot.house.store) == [
        (bot.lane(ada), "admin", "queue"),
        (bot.lane(ada, group), "admin", "show 12"),
        (bot.lane(ada, group), "admin", "help"),
    ]
    menus = [call.parameters["commands"] for call in server.called("setMyCommands")]
    assert menus
    assert not any(one["command"] == "admin" for menu in menus for one in menu)
