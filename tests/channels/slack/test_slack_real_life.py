"""More of what goes wrong in real life, in front of the whole program: late, lost and doubled,
each as a person meets it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from channels.slack.payload import SHORTCUT
from core.state import Status
from core.store.tables import inbox
from tests.channels.slack.test_slack_faults import told_only
from tests.support.slack.disturbances import Holds, Loses, Repeats
from tests.support.slack.faults import Limits, Refuses, Waits
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import PROMPT, SlackBot, slack_bot
from tests.support.slack_people import Fills, Picks, Visit

TRY_AGAIN = "press the button once more"


async def at_the_link(visit: Visit) -> None:
    """The journey is at its first field."""
    await visit.does("/surestep new dinner")
    await visit.does("[Online]")


async def at_the_summary(visit: Visit) -> None:
    """Everything is settled, and the summary is open."""
    for act in ("/surestep new dinner", "online", "https://example.org/x", "8"):
        await visit.does(act)
    await visit.does(Picks("2026-12-24"))
    await visit.does(Picks(time="19:00"))
    for act in ("skip", "skip", "Christmas", "We eat."):
        await visit.does(act)
    assert await visit.asked() == ""


# Acknowledged in time, whatever Slack does


IMPATIENT = replace(PROMPT, patience=0.05)


async def test_a_command_is_acknowledged_though_nobody_tells_where_to_answer(
    slack: SlackServer, tmp_path: Path, journeys: dict[str, Any], ada: Person
) -> None:
    slack.befall(Waits(), "conversations.open", times=None)
    async with slack_bot(slack, tmp_path, manners=IMPATIENT, **journeys) as bot:
        ran = await ada.runs("/surestep", "new dinner").answered()
        await bot.quiet()

        assert ran.reply is not None
        assert "could not keep that" in ran.reply.text
        assert ran.reply.only_for is ada
        slack.troubles.clear()
        await Visit(bot, ada).does("/surestep new dinner")


async def test_a_shortcut_that_leads_nowhere_gets_slacks_own_warning(
    slack: SlackServer, tmp_path: Path, journeys: dict[str, Any], ada: Person
) -> None:
    slack.befall(Waits(), "conversations.open", times=None)
    async with slack_bot(slack, tmp_path, manners=IMPATIENT, **journeys):
        slack.delivery.ack_seconds = 0.3
        used = await ada.uses_shortcut(SHORTCUT).ended()

        assert used.problem
        assert len(slack.take_violations()) == 1
    slack.warnings.clear()


async def test_words_with_many_names_are_stored_though_nobody_tells_the_names(
    slack: SlackServer, tmp_path: Path, journeys: dict[str, Any], ada: Person
) -> None:
    people = [slack.workspace.person(f"guest{number}") for number in range(30)]
    async with slack_bot(slack, tmp_path, manners=IMPATIENT, **journeys) as bot:
        slack.delivery.ack_seconds = 1.0
        slack.befall(Waits(), "users.info", times=None)
        ada.says("for " + " ".join(f"@{one.name}" for one in people))
        await bot.quiet()

        assert [one.status for one in slack.delivery.attempted("message.im")][:1] == [200]
        slack.troubles.clear()


async def test_the_first_request_after_a_start_waits_for_nothing(
    slack: SlackServer, tmp_path: Path, journeys: dict[str, Any], ada: Person
) -> None:
    async with slack_bot(slack, tmp_path, **journeys) as bot:
        await Visit(bot, ada).does("hello")
        card = bot.card(ada)
    slack.passes(7200)
    async with slack_bot(slack, tmp_path, **journeys) as bot:
        slack.befall(Waits(), times=None)
        clicked = await ada.on(card).clicks("Online").answered()
        assert clicked.status == 200
        for trouble in slack.troubles:
            assert isinstance(trouble.fault, Waits)
            trouble.fault.open()
        slack.troubles.clear()
        await bot.quiet()
        assert await Visit(bot, ada).asked() == "link"
        await Visit(bot, ada).is_in_order()


# Doubled


async def stored(bot: SlackBot) -> int:
    """How many replies were stored."""
    async with bot.house.store.database.read() as connection:
        counted = select(func.count()).select_from(inbox)
        return int((await connection.execute(counted)).scalar_one())


def delivered(person: Person, kind: str) -> int:
    """How often what a person said was delivered."""
    told = (one.payload["event"] for one in person.world.delivery.attempted(kind))
    return len([one for one in told if one.get("user") == person.id])


@pytest.mark.parametrize("times", [1, 3])
async def test_an_event_that_slack_sends_again_is_stored_once(
    slack: SlackServer, visit: Visit, times: int
) -> None:
    slack.upset(Repeats(times), "message.im", times=None)
    await visit.does("hello")
    await visit.does("online")

    assert delivered(visit.person, "message.im") == 2 * (times + 1)
    assert await stored(visit.bot) == 2


async def test_a_mention_that_comes_as_two_events_is_stored_once(
    slack: SlackServer, bot: SlackBot, ada: Person
) -> None:
    ada.says("@Surestep a dinner", in_=slack.workspace.channel("general", ada))
    await bot.quiet()

    assert delivered(ada, "app_mention") == delivered(ada, "message.channels") == 1
    assert await stored(bot) == 1


async def test_an_event_that_comes_again_after_a_restart_counts_once(
    slack: SlackServer, tmp_path: Path, journeys: dict[str, Any], ada: Person
) -> None:
    slack.delivery.by_clock = True
    async with slack_bot(slack, tmp_path, **journeys) as bot:
        await Visit(bot, ada).does("hello")
        slack.upset(Repeats(2), "message.im", where=lambda told: told["event"]["text"] == "online")
        ada.says("online")
        await slack.until(lambda: "What is the link?" in ada.dm.newest.text, "the next card")
        before = await stored(bot)
    attempts = len(slack.delivery.attempted("message.im"))
    async with slack_bot(slack, tmp_path, **journeys) as bot:
        slack.passes(61)
        await slack.until(
            lambda: len(slack.delivery.attempted("message.im")) > attempts, "the event again"
        )
        await bot.quiet()

        assert await Visit(bot, ada).asked() == "link"
        assert await stored(bot) == before


async def test_a_click_that_slack_lost_can_be_made_again(slack: SlackServer, visit: Visit) -> None:
    await visit.does("hello")
    slack.upset(Loses(), "block_actions")
    lost = await visit.person.clicks("Online").ended()
    assert lost.problem
    slack.warnings.clear()

    await visit.does("[Online]")
    assert await visit.asked() == "link"


# Windows


async def test_a_click_that_arrives_too_late_for_a_window_is_told_so(
    slack: SlackServer, visit: Visit
) -> None:
    await at_the_link(visit)
    held = Holds()
    slack.upset(held, "block_actions")
    visit.clicks("Answer in a form")
    slack.passes(4)
    held.open()
    await visit.bot.quiet()

    assert not visit.person.views
    assert [one.text for one in visit.screen if one.only_for is visit.person][-1:]
    assert TRY_AGAIN in told_only(visit)[-1]
    await visit.does(Fills(Link="https://example.org/x"))
    assert await visit.asked() == "seats"


@pytest.mark.parametrize("error", ["exchanged_trigger_id", "invalid_trigger_id", "ratelimited"])
async def test_a_window_that_slack_does_not_open_is_told_whatever_the_reason(
    slack: SlackServer, visit: Visit, error: str
) -> None:
    await at_the_link(visit)
    slack.befall(Refuses(error), "views.open")
    visit.clicks("Answer in a form")
    await visit.bot.quiet()

    assert TRY_AGAIN in told_only(visit)[-1]
    await visit.is_in_order()


async def test_what_is_told_beside_the_conversation_waits_for_quiet(
    slack: SlackServer, visit: Visit
) -> None:
    await at_the_link(visit)
    slack.befall(Refuses("expired_trigger_id"), "views.open")
    limits = slack.befall(Limits(1.0), "chat.postEphemeral")
    visit.clicks("Answer in a form")
    await visit.bot.quiet()

    assert limits.met == 1
    assert TRY_AGAIN in told_only(visit)[-1]


@pytest.mark.parametrize("ended", ["cancelled", "begun anew"])
async def test_a_window_whose_journey_ended_meanwhile_changes_nothing_and_says_so(
    visit: Visit, ended: str
) -> None:
    await at_the_link(visit)
    modal = await visit.opens()
    await visit.does("/surestep cancel" if ended == "cancelled" else "/surestep restart")
    button = "Yes, cancel" if ended == "cancelled" else "Yes, start over"
    await visit.does(f"[{button}]")
    await modal.fills(Link="https://example.org/late").submits().answered()
    await visit.bot.quiet()

    assert not modal.is_open
    assert told_only(visit), str(visit)
    assert "link" not in await visit.bot.draft(visit.person)
    if ended == "cancelled":
        assert (await visit.bot.journey(visit.person)).status is Status.CANCELLED
    else:
        assert await visit.asked() == "format"
        await visit.is_in_order()


# The App Home


async def test_of_two_looks_at_the_home_the_newest_stays(slack: SlackServer, visit: Visit) -> None:
    await visit.does("/surestep new dinner")
    waits = Waits()
    slack.befall(waits, "views.publish")
    visit.person.opens_home()
    await slack.until(lambda: slack.called("views.publish"), "the first look")
    visit.person.says("online")
    await slack.until(lambda: "What is the link?" in visit.person.dm.newest.text, "the next card")
    visit.person.opens_home()
    await slack.until(
        lambda: len(slack.delivery.attempted("app_home_opened")) == 2, "the second look"
    )
    visit.person.says("https://example.org/x")
    await slack.until(lambda: "How many" in visit.person.dm.newest.text, "the card after that")
    waits.open()
    await visit.bot.quiet()

    assert "How many seats?" in visit.person.app_home.text


async def test_no_view_is_told_with_a_hash_that_could_be_in_conflict(
    slack: SlackServer, visit: Visit
) -> None:
    await at_the_link(visit)
    visit.person.opens_home()
    await visit.does(Fills(Link="https://example.org/x"))
    visit.person.opens_home()
    await visit.bot.quiet()

    told = slack.called("views.open", "views.publish", "views.update", "views.push")
    assert {one.method for one in told} == {"views.open", "views.publish"}
    assert [one for one in told if "hash" in one.arguments] == []


async def test_a_home_that_wants_quiet_is_shown_after_it(slack: SlackServer, visit: Visit) -> None:
    slack.befall(Limits(1.0), "views.publish")
    visit.person.opens_home()
    await visit.bot.quiet()

    assert "Nothing is open at the moment." in visit.person.app_home.text


# What is said and read


async def test_a_thumb_is_a_yes_in_slack_too(visit: Visit) -> None:
    await at_the_summary(visit)
    said = visit.person.says("👍🏽")
    assert said.raw == ":+1::skin-tone-4:"
    await visit.bot.quiet()

    assert await visit.status() is Status.SUBMITTED


async def test_an_emoji_is_submitted_as_the_sign_that_it_is(visit: Visit) -> None:
    for act in ("/surestep new dinner", "online", "https://example.org/x", "8"):
        await visit.does(act)
    await visit.does(Picks("2026-12-24"))
    await visit.does(Picks(time="19:00"))
    await visit.does("skip")
    await visit.does("skip")
    await visit.does("Christmas :tada:")
    assert "Christmas 🎉" in (await visit.bot.draft(visit.person)).values()


# Order


IN_ORDER = ("✓ Format: Online", "I can't chat here", "What is the link?")


async def test_what_waits_for_quiet_comes_in_its_order(slack: SlackServer, visit: Visit) -> None:
    await visit.does("hello")
    limits = slack.befall(Limits(1.0), "chat.postMessage", "chat.update", channel=visit.place)
    visit.person.says("online")
    await slack.until(lambda: limits.met, "quiet")
    visit.person.says("why do you need that?")
    await visit.bot.quiet()

    said = [one.text for one in visit.screen if one.from_bot]
    assert [part in one for part, one in zip(IN_ORDER, said, strict=True)] == [True, True, True]
    await visit.is_in_order()


# Who somebody is


async def test_whose_profile_has_no_zone_is_met_in_the_programs_own(
    slack: SlackServer, bot: SlackBot
) -> None:
    noam = slack.workspace.person("Noam", tz="")
    noam.says("hello")
    await bot.quiet()

    person = (await bot.state(noam)).person
    assert (person.name, person.zone_known) == ("noam", False)
    assert person.zone == "Europe/Berlin"
