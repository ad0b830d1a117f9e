"""What is submitted in Slack is looked at in a channel; the bot is run by its slash command."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from core.state import Status
from tests.support.admin_round import goes_round
from tests.support.slack.channels import Channel
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import SlackBot, slack_bot
from tests.support.slack_people import Visit
from tests.support.trip_folder import moderated_trip

ONLY = "This is only for the people who run this bot."


@pytest.fixture
def olga(slack: SlackServer) -> Person:
    """The owner, as the settings have it."""
    return slack.workspace.person("Olga")


@pytest.fixture
def bob(slack: SlackServer) -> Person:
    """A moderator."""
    return slack.workspace.person("Bob")


@pytest.fixture
def room(slack: SlackServer, olga: Person, bob: Person) -> Channel:
    """Where submissions are looked at."""
    return slack.workspace.channel("moderators", olga, bob)


@pytest.fixture
async def bot(
    slack: SlackServer, room: Channel, olga: Person, bob: Person, tmp_path: Path
) -> AsyncIterator[SlackBot]:
    settings = moderated_trip(tmp_path, f"slack:{room.id}")
    async with slack_bot(slack, tmp_path, owners=f"slack:{olga.id}", **settings) as running:
        granted = await asks(running, olga, f"grant slack:{bob.id} moderator")
        assert granted == f"slack:{slack.workspace.id}/{bob.id} is moderator now."
        yield running


async def asks(bot: SlackBot, person: Person, written: str) -> str:
    """What `/surestep admin ...` answers in somebody's direct message."""
    await person.runs("/surestep", f"admin {written}").answered()
    await bot.quiet()
    return str(person.dm.newest.text)


async def submits(bot: SlackBot, ada: Person) -> Visit:
    visit = Visit(bot, ada)
    for act in ("/surestep new trip", "the sea", "5 February 2031", "skip", "[Confirm]"):
        await visit.does(act)
    return visit


def alone(room: Channel, person: Person) -> list[str]:
    """What only one person sees in a channel."""
    return [one.text for one in room.screen(person) if one.only_for is person]


async def test_a_submission_goes_back_is_changed_and_approved_in_the_channel(
    bot: SlackBot, slack: SlackServer, ada: Person, bob: Person, room: Channel
) -> None:
    visit = await submits(bot, ada)
    assert "look at it first" in ada.dm.newest.text
    first = room.newest
    assert f"(slack:{slack.workspace.id}/{ada.id})" in first.text
    assert first.buttons == ["Approve", "Ask for changes", "Reject"]

    modal = await bob.opens("Ask for changes", first)
    words = {"What is to be changed? Whoever sent it in reads this.": "Please take the hills."}
    await modal.fills(words).submits().answered()
    await bot.quiet()
    assert "changes asked for by bob, " in first.text.casefold()
    assert first.buttons == []
    assert "Please take the hills." in str(visit)

    for act in ("place", "the hills", "[Confirm]"):
        await visit.does(act)
    second = room.newest
    assert "#2 A trip" in second.text
    assert "Place: The hills" in second.text
    await bob.clicks("Approve", second).answered()
    await bot.quiet()
    assert "approved by bob, " in second.text.casefold()
    assert second.buttons == []
    assert await visit.status() is Status.SUBMITTED
    assert "(no. 2) was approved" in str(visit)
    (delivered,) = await visit.delivered("trips.jsonl")
    assert delivered["place"] == "hills"


async def test_who_only_reads_along_decides_nothing_and_the_second_hears_who_was_first(
    bot: SlackBot, slack: SlackServer, ada: Person, bob: Person, olga: Person, room: Channel
) -> None:
    await submits(bot, ada)
    post = room.newest
    eve = slack.workspace.person("Eve")
    room.members[eve.id] = eve
    await eve.clicks("Approve", post).answered()
    await bot.quiet()
    assert alone(room, eve) == [ONLY]
    assert post.buttons == ["Approve", "Ask for changes", "Reject"]

    modal = await bob.opens("Reject", post)
    await olga.clicks("Approve", post).answered()
    await bot.quiet()
    await modal.fills({"Why? Whoever sent it in reads this.": "Too far."}).submits().answered()
    await bot.quiet()
    assert "no. 1 is decided already. approved by olga, " in "".join(alone(room, bob)).casefold()
    assert "not accepted" not in str(ada.dm.screen(ada))


async def test_the_bot_is_run_by_its_command(
    bot: SlackBot, slack: SlackServer, ada: Person, bob: Person, olga: Person
) -> None:
    await submits(bot, ada)
    assert await asks(bot, ada, "help") == ONLY
    assert "/surestep admin approve N" in await asks(bot, bob, "help")
    assert await asks(bot, bob, "health") == (
        "There is no command “health”. /surestep admin help shows what you can do."
    )
    assert "slack since " in await asks(bot, olga, "health")

    assert "#1: A trip, since " in await asks(bot, olga, "queue")
    await olga.clicks("Show 1", olga.dm.newest).answered()
    await bot.quiet()
    assert "Place: The sea" in olga.dm.newest.text

    await asks(bot, olga, "stats trip")
    await asks(bot, olga, "export trip csv")
    named = [one["name"] for message in olga.dm.screen() for one in message.files]
    assert named == ["trip-funnel.png", "trip.csv"]

    await asks(bot, olga, "pause trip")
    eve = slack.workspace.person("Eve")
    await eve.runs("/surestep", "new trip").answered()
    await bot.quiet()
    assert "“A trip” cannot be started at the moment" in eve.dm.newest.text


async def test_a_long_record_turns_its_pages_where_it_stands(bot: SlackBot, olga: Person) -> None:
    for number in range(11):
        await asks(bot, olga, f"show {number + 50}")
    first = await asks(bot, olga, "audit")
    stood = olga.dm.newest
    await olga.clicks("More", stood).answered()
    await bot.quiet()
    assert olga.dm.newest is stood
    assert stood.text != first


async def test_somebody_of_the_workspace_may_be_mentioned(
    bot: SlackBot, slack: SlackServer, olga: Person, ada: Person
) -> None:
    told = await asks(bot, olga, f"grant @{ada.username} admin")
    assert told == f"slack:{slack.workspace.id}/{ada.id} is admin now."
    assert "has no role now" in await asks(bot, olga, f"revoke <@{ada.id}|ada>")
    assert (await asks(bot, olga, "block @nobody.here")).startswith(
        "I cannot see who @nobody.here is. Mention them"
    )


async def test_no_bot_and_nobody_of_another_company_is_given_a_role(
    bot: SlackBot, slack: SlackServer, olga: Person
) -> None:
    eve = slack.workspace.person("Eve", team="T0OTHER")
    told = await asks(bot, olga, f"grant @{eve.username} moderator")
    assert "belongs to another organisation" in told
    assert "is not answered any more" in await asks(bot, olga, f"block @{eve.username}")


async def test_where_the_platform_tells_what_a_channel_is_called_one_hears_where(
    bot: SlackBot, olga: Person
) -> None:
    assert await asks(bot, olga, "here") == (
        "That I can tell in Telegram only. In Slack, a channel’s id stands at the bottom of its "
        "details: write slack: and the id."
    )


async def test_every_command_is_answered(
    bot: SlackBot, slack: SlackServer, ada: Person, olga: Person
) -> None:
    people = [ada, *(slack.workspace.person(name) for name in ("Dan", "Eve"))]
    for person in people:
        await submits(bot, person)
    await goes_round(partial(asks, bot, olga), f"slack:{people[-1].id}", "write slack: and the id")
