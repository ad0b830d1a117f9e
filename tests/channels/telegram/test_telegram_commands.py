"""Commands, the person's language and their time zone, through the whole program."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from channels.telegram.menu import entries
from core.state import Status
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import DRIVERS, TelegramBot, telegram_bot


@pytest.fixture
async def bot(server: TelegramServer, tmp_path: Path) -> AsyncIterator[TelegramBot]:
    """The whole program, running."""
    async with telegram_bot(server, tmp_path) as running:
        yield running


async def said(bot: TelegramBot, person: Person, text: str) -> list[str]:
    """What the bot says to these words, its newest message last."""
    before = len(person.chat.messages)
    person.says(text)
    await bot.quiet()
    return [one.text for one in person.chat.screen() if one in person.chat.messages[before:]][1:]


def question(bot: TelegramBot, person: Person) -> str:
    """What the one live card asks, which is the newest message."""
    card = bot.card(person)
    assert person.chat.newest is card
    return card.text.split(" · ", maxsplit=1)[0]


# --- beginning -----------------------------------------------------------------------------------


async def test_start_begins_the_journey_that_the_settings_name(
    bot: TelegramBot, ada: Person
) -> None:
    assert (await said(bot, ada, "/start"))[0].startswith("Hello! Let's put your event together.")
    assert question(bot, ada) == "What kind of event is it?"
    # Again it only draws the open card anew.
    assert len(await said(bot, ada, "/start")) == 1
    assert question(bot, ada) == "What kind of event is it?"


async def test_a_deep_link_begins_its_journey(bot: TelegramBot, ada: Person) -> None:
    ada.starts("request")
    await bot.quiet()
    assert (await bot.journey(ada)).manifest == "request"
    assert question(bot, ada) == "What do you need?"


async def test_a_deep_link_to_another_journey_asks_before_it_throws_one_away(
    bot: TelegramBot, ada: Person
) -> None:
    ada.starts("event")
    await bot.quiet()
    await said(bot, ada, "meetup")
    ada.starts("request")
    await bot.quiet()
    asked = "Stop “Submit an event” and start “Ask for access or a purchase”?"
    assert question(bot, ada).startswith(asked)
    ada.taps("No, go on")
    await bot.quiet()
    assert (await bot.journey(ada)).manifest == "event"
    assert await bot.draft(ada) == {"kind": "meetup"}
    ada.starts("request")
    await bot.quiet()
    ada.taps("Yes, start over")
    await bot.quiet()
    assert (await bot.journey(ada)).manifest == "request"


async def test_a_deep_link_to_nothing_names_what_there_is(bot: TelegramBot, ada: Person) -> None:
    ada.starts("no-such-thing")
    await bot.quiet()
    newest = ada.chat.newest.text
    assert newest.startswith("There is no “no-such-thing” here.")
    assert "/new event - " in newest
    assert "/new request - " in newest
    assert not ada.chat.screen().live


async def test_new_begins_and_asks_before_it_throws_anything_away(
    bot: TelegramBot, ada: Person
) -> None:
    await said(bot, ada, "/new request")
    assert (await bot.journey(ada)).manifest == "request"
    await said(bot, ada, "/new")
    assert question(bot, ada) == "Start over and throw away what you have entered so far?"


# --- on the way ----------------------------------------------------------------------------------


async def test_resume_back_and_review_lead_to_the_open_card(bot: TelegramBot, ada: Person) -> None:
    ada.starts("event")
    await bot.quiet()
    await said(bot, ada, "meetup")
    await said(bot, ada, "just talking")
    assert len(await said(bot, ada, "/resume")) == 1
    assert question(bot, ada) == "Where does it take place?"
    shown = await said(bot, ada, "/review")
    assert "So far:\nKind of event: Meetup" in shown[0]
    assert question(bot, ada) == "Where does it take place?"
    await said(bot, ada, "/back")
    assert question(bot, ada) == "What kind of event is it?"


async def test_cancel_asks_once(bot: TelegramBot, ada: Person) -> None:
    ada.starts("event")
    await bot.quiet()
    await said(bot, ada, "/cancel")
    assert question(bot, ada) == "Cancel and throw away what you have entered?"
    ada.taps("Yes, cancel")
    await bot.quiet()
    assert (await bot.journey(ada)).status is Status.CANCELLED
    assert await said(bot, ada, "/cancel") == ["Nothing is open at the moment. Send /new to start."]


async def test_mine_and_privacy_say_what_there_is_of_the_person(
    bot: TelegramBot, ada: Person
) -> None:
    ada.starts("event")
    await bot.quiet()
    shown = await said(bot, ada, "/mine")
    assert shown[0] == "Yours, the newest first:\nSubmit an event: open here, 0 of 18 answered"
    shown = await said(bot, ada, "/privacy")
    assert "Name: Ada\nLanguage: English\nTime zone: Berlin\nCountry: Germany" in shown[0]
    assert question(bot, ada) == "What kind of event is it?"


@pytest.mark.parametrize("command", ["/help", "/frobnicate", "/sorry", "/edited"])
async def test_help_and_what_is_no_command_name_the_commands(
    bot: TelegramBot, ada: Person, command: str
) -> None:
    ada.starts("event")
    await bot.quiet()
    shown = await said(bot, ada, command)
    assert "/privacy - what is held about you" in shown[0]
    assert question(bot, ada) == "What kind of event is it?"


# --- the language --------------------------------------------------------------------------------


async def test_the_language_is_the_clients_until_another_is_chosen(
    bot: TelegramBot, server: TelegramServer
) -> None:
    bea = server.person("Bea", language="de")
    bea.starts("event")
    await bot.quiet()
    assert question(bot, bea) == "Was für eine Veranstaltung ist es?"
    # Her client speaks English now, and so does the bot at once.
    bea.user["language_code"] = "en"
    await said(bot, bea, "/resume")
    assert question(bot, bea) == "What kind of event is it?"
    await said(bot, bea, "/language es")
    assert question(bot, bea) == "¿Qué tipo de evento es?"
    bea.user["language_code"] = "de"
    await said(bot, bea, "/resume")
    assert question(bot, bea) == "¿Qué tipo de evento es?"


async def test_a_language_that_is_not_spoken_is_answered_in_english(
    bot: TelegramBot, server: TelegramServer
) -> None:
    chloe = server.person("Chloé", language="fr")
    chloe.starts("event")
    await bot.quiet()
    assert question(bot, chloe) == "What kind of event is it?"


@pytest.mark.parametrize("driver", DRIVERS)
async def test_a_chosen_language_is_that_of_the_cards_and_of_the_menu_at_once(
    server: TelegramServer, ada: Person, tmp_path: Path, driver: str
) -> None:
    async with telegram_bot(server, tmp_path, driver) as bot:
        ada.starts("event")
        await bot.quiet()
        await said(bot, ada, "/language de")
        assert question(bot, ada) == "Was für eine Veranstaltung ist es?"
        assert server.commands[f"chat:{ada.id}", ""] == entries("de")
        calls = len(server.called("setMyCommands"))
        await said(bot, ada, "Treffen")
    async with telegram_bot(server, tmp_path, driver) as bot:
        await said(bot, ada, "/resume")
        assert question(bot, ada) == "Wo findet sie statt?"
        # It is known what was set.
        assert len(server.called("setMyCommands")) == calls


async def test_the_language_is_asked_for_with_a_card_of_its_own(
    bot: TelegramBot, ada: Person
) -> None:
    ada.starts("event")
    await bot.quiet()
    await said(bot, ada, "/language")
    assert question(bot, ada).startswith("Which language shall I speak?")
    ada.taps("Deutsch")
    await bot.quiet()
    assert "Ab jetzt spreche ich Deutsch." in ada.chat.screen().texts[-2]
    assert question(bot, ada) == "Was für eine Veranstaltung ist es?"


async def test_the_language_can_be_chosen_while_nothing_is_open(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    assert await said(bot, ada, "/language de") == ["Ab jetzt spreche ich Deutsch."]
    assert server.commands[f"chat:{ada.id}", ""] == entries("de")


# --- the time zone -------------------------------------------------------------------------------


async def test_the_time_zone_is_asked_for_once_when_it_first_matters(
    server: TelegramServer, ada: Person, tmp_path: Path
) -> None:
    async with telegram_bot(server, tmp_path, zone_known=False) as bot:
        ada.starts("event")
        await bot.quiet()
        for answer in ("talk", "online", "https://example.org/talk"):
            assert "where are you" not in question(bot, ada)
            await said(bot, ada, answer)
        assert question(bot, ada).startswith("So that dates and times are right: where are you?")
        await said(bot, ada, "Lisbon")
        assert any(one.startswith("✓ Time zone: Lisbon") for one in ada.chat.screen().texts)
        assert "On what day is it?" in question(bot, ada)
        await said(bot, ada, "5 February 2027")
        assert "time does it start?" in question(bot, ada)
        assert (await bot.state(ada)).person.zone == "Europe/Lisbon"
        # Another journey asks no more.
        await said(bot, ada, "/cancel")
        ada.taps("Yes, cancel")
        await bot.quiet()
        ada.starts("event")
        await bot.quiet()
        for answer in ("talk", "online", "https://example.org/talk"):
            await said(bot, ada, answer)
        assert "On what day is it?" in question(bot, ada)


async def test_the_time_zone_is_changed_by_its_command(bot: TelegramBot, ada: Person) -> None:
    ada.starts("event")
    await bot.quiet()
    shown = await said(bot, ada, "/timezone Lisbon")
    assert shown[0].startswith("Time zone: Lisbon")
    assert question(bot, ada) == "What kind of event is it?"
    assert (await bot.state(ada)).person.zone == "Europe/Lisbon"
