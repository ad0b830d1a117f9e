"""The channel in front of the whole program: who is met where, whose words count, and the places
beside the conversation."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from channels.slack.payload import COMMAND
from channels.slack.updates import Kind, kind_of
from core.state import Status
from tests.support.slack.app import App
from tests.support.slack.faults import Drops, Refuses
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import SlackBot, slack_bot
from tests.support.slack_people import NOW, Picks, Visit

FORMAT = "In person or online?"


# Who somebody is


async def test_a_person_is_met_with_their_name_language_and_time_zone(
    slack: SlackServer, bot: SlackBot
) -> None:
    marta = slack.workspace.person("Marta Ruiz", tz="America/Mexico_City", locale="es-MX")
    marta.says("hola")
    await bot.quiet()

    person = (await bot.state(marta)).person
    assert (person.name, person.locale) == ("marta.ruiz", "es-MX")
    assert (person.zone, person.zone_known) == ("America/Mexico_City", True)


@pytest.mark.parametrize("fault", [Refuses("user_not_found"), Drops()])
async def test_whom_slack_cannot_tell_is_met_all_the_same(
    slack: SlackServer, bot: SlackBot, ada: Person, fault: Any
) -> None:
    slack.befall(fault, "users.info", times=None)
    ada.says("hello")
    await bot.quiet()

    person = (await bot.state(ada)).person
    assert (person.zone, person.zone_known) == ("Europe/Berlin", False)
    assert FORMAT in bot.card(ada).text


# A channel: the conversation is the thread


async def test_who_mentions_the_bot_in_a_channel_talks_with_it_in_a_thread(
    slack: SlackServer, bot: SlackBot, ada: Person
) -> None:
    general = slack.workspace.channel("general", ada)
    root = ada.says("@Surestep a dinner, please", in_=general)
    await bot.quiet()
    visit = Visit(bot, ada, root)
    await visit.is_in_order()
    await visit.does("online")
    await visit.does("https://example.org/x")

    assert await visit.asked() == "seats"
    assert all(one.in_thread_only for one in general.messages if one.from_bot)
    assert not ada.dm.messages


async def test_what_others_write_in_the_thread_counts_for_nobody(
    slack: SlackServer, bot: SlackBot, ada: Person
) -> None:
    grace = slack.workspace.person("Grace")
    general = slack.workspace.channel("general", ada, grace)
    root = ada.says("@Surestep a dinner", in_=general)
    await bot.quiet()
    seen = len(general.messages)
    grace.says("online", in_=general, thread=root)
    ada.says("by the way, who is in on Friday?", in_=general)
    await bot.quiet()

    assert len(general.messages) == seen + 2
    assert await Visit(bot, ada, root).asked() == "format"


async def test_somebody_elses_click_settles_nothing_and_only_they_are_told(
    slack: SlackServer, bot: SlackBot, ada: Person
) -> None:
    grace = slack.workspace.person("Grace")
    general = slack.workspace.channel("general", ada, grace)
    root = ada.says("@Surestep a dinner", in_=general)
    await bot.quiet()
    visit = Visit(bot, ada, root)
    await grace.on(visit.card).clicks("Online").answered()
    await bot.quiet()

    assert await visit.asked() == "format"
    told = [one for one in general.screen(grace) if one.only_for is grace]
    assert [one.text for one in told] == [
        "These buttons belong to somebody else. Write to me to start your own."
    ]
    assert not [one for one in general.screen(ada) if one.only_for is not None]


async def test_a_click_on_a_card_of_a_conversation_that_nobody_knows_is_answered(
    slack: SlackServer, tmp_path: Path, journeys: dict[str, Any], ada: Person
) -> None:
    async with slack_bot(slack, tmp_path, **journeys) as bot:
        ada.says("hello")
        await bot.quiet()
        card = bot.card(ada)
    anew = tmp_path / "anew"
    anew.mkdir()
    async with slack_bot(slack, anew, **journeys) as bot:
        await ada.on(card).clicks("Online").answered()
        await bot.quiet()

        told = ada.dm.screen()[-1]
        assert "I do not know this conversation any more" in told.text
        assert told.only_for is ada


# The command


async def test_the_command_in_a_channel_goes_on_in_the_direct_message(
    slack: SlackServer, bot: SlackBot, ada: Person
) -> None:
    general = slack.workspace.channel("general", ada, bot_in=False)
    ran = await ada.runs("/surestep", "new dinner", in_=general).answered()
    await bot.quiet()

    assert ran.reply is not None
    assert ran.reply.text == "I have written to you in our direct messages."
    assert ran.reply.only_for is ada
    assert FORMAT in bot.card(ada).text


async def test_the_command_without_a_word_begins_and_comes_back(visit: Visit) -> None:
    await visit.does("/surestep")
    assert await visit.asked() == "format"
    await visit.does("/surestep")
    assert await visit.asked() == "format"
    await visit.does("/surestep cancel")
    await visit.does("[Yes, cancel]")
    assert (await visit.bot.journey(visit.person)).status is Status.CANCELLED


# The App Home


async def test_the_home_shows_what_is_open_and_goes_on_with_it(visit: Visit) -> None:
    ada, bot = visit.person, visit.bot
    ada.opens_home()
    await bot.quiet()
    assert "Nothing is open at the moment." in ada.app_home.text

    await ada.app_home.clicks("Start").answered()
    await bot.quiet()
    await visit.is_in_order()
    assert await visit.asked() == "format"
    ada.opens_home()
    await bot.quiet()

    assert FORMAT in ada.app_home.text
    assert "A dinner: open here, 0 of" in ada.app_home.text
    before = visit.card
    await ada.app_home.clicks("Go on").answered()
    await bot.quiet()
    assert before.deleted
    await visit.is_in_order()


async def test_the_home_lists_what_was_submitted(visit: Visit) -> None:
    for act in ("hello", "online", "https://example.org/x", "8"):
        await visit.does(act)
    await visit.does(Picks("2026-12-24"))
    await visit.does(Picks(time="19:00"))
    for act in ("skip", "skip", "Christmas", "We eat.", "yes"):
        await visit.does(act)
    visit.person.opens_home()
    await visit.bot.quiet()

    assert (await visit.bot.journey(visit.person)).status is Status.SUBMITTED
    assert "A dinner (no. 1): submitted, " in visit.person.app_home.text


# The assistant pane


@asynccontextmanager
async def with_pane(
    app: App, folder: Path, journeys: dict[str, Any]
) -> AsyncIterator[tuple[SlackServer, SlackBot]]:
    """The program as an app of the older kind, which has the assistant pane."""
    events = frozenset({"assistant_thread_started", "assistant_thread_context_changed"})
    older = replace(app, pane="assistant", events=app.events | events)
    async with SlackServer(older, now=NOW) as server, slack_bot(server, folder, **journeys) as bot:
        yield server, bot


async def test_the_pane_greets_and_suggests_what_can_be_begun(
    app: App, tmp_path: Path, journeys: dict[str, Any]
) -> None:
    async with with_pane(app, tmp_path, journeys) as (server, bot):
        ada = server.workspace.person("Ada")
        thread = ada.opens_assistant()
        await bot.quiet()
        assert thread.screen().texts == ["Hello! What would you like to do?"]
        assert thread.suggestions == ["A dinner"]

        ada.takes_prompt("A dinner", thread)
        await bot.quiet()
        assert FORMAT in thread.screen()[-1].text
        ada.says("online", thread=thread)
        await bot.quiet()
        journey = await bot.journey(ada, thread=thread)
        assert journey.ask is not None
        assert journey.ask.item == "link"
        assert not thread.status


async def test_who_opens_the_direct_message_sees_what_can_be_begun(visit: Visit) -> None:
    ada, bot = visit.person, visit.bot
    ada.opens_messages()
    await bot.quiet()
    assert [one["title"] for one in ada.dm.prompts] == ["A dinner"]

    ada.takes_prompt("A dinner")
    await bot.quiet()
    await visit.is_in_order()
    assert await visit.asked() == "format"
    ada.opens_messages()
    await bot.quiet()
    assert not ada.dm.prompts


async def test_two_threads_of_the_pane_are_two_conversations(
    app: App, tmp_path: Path, journeys: dict[str, Any]
) -> None:
    async with with_pane(app, tmp_path, journeys) as (server, bot):
        ada = server.workspace.person("Ada")
        first, second = ada.opens_assistant(), ada.opens_assistant()
        ada.says("hello", thread=first)
        ada.says("hello", thread=second)
        await bot.quiet()
        await ada.on(first.screen().live[0]).clicks("Online").answered()
        await bot.quiet()

        one, other = await bot.journey(ada, thread=first), await bot.journey(ada, thread=second)
        assert (one.draft.plain(), other.draft.plain()) == ({"format": "online"}, {})


async def test_an_answer_in_a_thread_under_a_card_is_an_answer_to_it(visit: Visit) -> None:
    await visit.does("hello")
    visit.person.says("online", thread=visit.card)
    await visit.bot.quiet()
    assert await visit.asked() == "link"


# What people do with their messages


async def test_people_are_called_by_their_names(slack: SlackServer, visit: Visit) -> None:
    slack.workspace.person("Grace Hopper")
    for act in ("hello", "online", "https://example.org/x", "8"):
        await visit.does(act)
    await visit.does(Picks("2026-12-24"))
    await visit.does(Picks(time="19:00"))
    await visit.does("@grace.hopper")
    await visit.does("[Done]")
    assert (await visit.bot.draft(visit.person))["guests"] == ["@grace.hopper"]


async def test_words_that_are_edited_after_they_counted_are_told_so(visit: Visit) -> None:
    await visit.does("hello")
    said = visit.person.says("online")
    await visit.bot.quiet()
    visit.person.edits(said, "in person")
    await visit.bot.quiet()

    assert await visit.asked() == "link"
    await visit.is_in_order()
    assert any("before you changed it" in text for text in visit.screen.texts), str(visit)


async def test_commands_are_told_as_they_are_typed_in_slack(
    slack: SlackServer, visit: Visit
) -> None:
    assert COMMAND in slack.app.commands
    await visit.does("/surestep help")

    told = visit.screen[0].text
    assert "/surestep new - start something" in told
    assert "\n/new" not in told


# A program that does other things too


async def test_what_is_used_on_its_own_cards_is_wanted_though_nothing_is_open_any_more(
    slack: SlackServer, bot: SlackBot, visit: Visit
) -> None:
    for act in ("hello", "[Online]", "https://example.org/x", "8", Picks("2026-12-24")):
        await visit.does(act)
    used = [one.payload for one in slack.delivery.attempted(Kind.ACTIONS)]
    said = slack.delivery.attempted("message.im")[0].payload
    assert [await bot.channel.wants(kind_of(one), one) for one in (*used, said)] == [True] * 3

    await visit.does("[Cancel]")
    await visit.does("[Yes, cancel]")
    assert await visit.status() is Status.CANCELLED
    assert [await bot.channel.wants(kind_of(one), one) for one in used] == [True, True]
    assert not await bot.channel.wants(kind_of(said), said)


async def test_the_home_and_another_programs_command_are_not_wanted_in_a_program_of_its_own(
    bot: SlackBot,
) -> None:
    home = {
        "team_id": "T1",
        "event_id": "Ev1",
        "event": {"type": "app_home_opened", "user": "U1", "channel": "D1", "tab": "home"},
    }
    assert not await bot.channel.wants(Kind.EVENT, home)

    ours = {
        "command": "/surestep",
        "text": "new dinner",
        "team_id": "T1",
        "user_id": "U1",
        "user_name": "ada",
        "channel_id": "C1",
        "trigger_id": "1.2",
    }
    assert await bot.channel.wants(Kind.COMMAND, ours)
    assert not await bot.channel.wants(Kind.COMMAND, {**ours, "command": "/deploy"})
