"""What is said beside a conversation: it never waits for that, and it is never too much."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from channels.slack.beside import MOST, Beside
from tests.support.slack.faults import Fault, Limits, Waits
from tests.support.slack.messages import Message
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import SlackBot
from tests.support.slack_people import Visit

LINK = "What is the link?"


@pytest.fixture
def grace(slack: SlackServer) -> Person:
    return slack.workspace.person("Grace")


async def in_general(bot: SlackBot, ada: Person, grace: Person) -> Visit:
    """Ada has begun in a thread of a channel, where Grace is too."""
    general = bot.server.workspace.channel("general", ada, grace)
    root = ada.says("@Surestep a dinner, please", in_=general)
    await bot.quiet()
    return Visit(bot, ada, root)


def card_with(visit: Visit, words: str) -> list[Message]:
    return [one for one in visit.screen if words in one.text and one.only_for is None]


@pytest.mark.parametrize("fault", [Waits(), Limits(2.0)], ids=["slow", "limited"])
async def test_a_strangers_click_keeps_nobody_waiting(
    slack: SlackServer, bot: SlackBot, ada: Person, grace: Person, fault: Fault
) -> None:
    # Given somebody who used a card that is not theirs, and Slack has no time to tell them so
    visit = await in_general(bot, ada, grace)
    telling = slack.befall(fault, "chat.postEphemeral")
    clicked = grace.on(visit.card).clicks("Online")
    await clicked.answered()
    await slack.until(lambda: telling.met, "a word to Grace")

    # When the card's owner uses it
    visit.clicks("Online")

    # Then the next question is there at once
    await slack.until(lambda: card_with(visit, LINK), "the next card")
    assert bot.channel.beside.tasks
    assert (await bot.draft(ada, thread=visit.thread)) == {"format": "online"}
    if isinstance(fault, Waits):
        fault.open()
        await bot.quiet()
        assert "belong to somebody else" in visit.place.screen(grace)[-1].text


async def test_who_clicks_without_end_is_told_once_at_a_time(
    slack: SlackServer, bot: SlackBot, ada: Person, grace: Person
) -> None:
    visit = await in_general(bot, ada, grace)
    telling = Waits()
    slack.befall(telling, "chat.postEphemeral", times=None)
    turns = (await bot.state(ada, thread=visit.thread)).turn
    for _ in range(4):
        await grace.on(visit.card).clicks("Online").answered()
    visit.clicks("Online")
    await slack.until(lambda: card_with(visit, LINK), "the next card")
    assert (await bot.state(ada, thread=visit.thread)).turn == turns + 5
    assert len(bot.channel.beside.tasks) == 1

    telling.open()
    await bot.quiet()
    told = [one.text for one in visit.place.screen(grace) if one.only_for is grace]
    assert len(told) == 1
    assert await visit.asked() == "link"


async def test_an_own_late_click_is_told_of_when_slack_has_time_and_the_question_comes_at_once(
    slack: SlackServer, visit: Visit
) -> None:
    await visit.does("hello")
    old = visit.card
    await visit.does("online")
    asked = card_with(visit, LINK)
    limits = slack.befall(Limits(2.0), "chat.postEphemeral")
    await visit.person.on(old).clicks("In person", stale=True).answered()
    await slack.until(lambda: limits.met, "a word to Ada")
    await slack.until(lambda: card_with(visit, LINK) not in ([], asked), "the card, drawn again")

    assert not [one for one in visit.screen if one.only_for is visit.person]
    await visit.bot.quiet()
    (told,) = [one.text for one in visit.screen if one.only_for is visit.person]
    assert "earlier card" in told


async def test_no_more_is_being_said_at_once_than_there_may_be() -> None:
    beside, gate, said = Beside(), asyncio.Event(), []

    async def says(number: int) -> None:
        await gate.wait()
        said.append(number)

    for number in range(MOST + 20):
        beside.tell(("lane", number), partial(says, number))
    assert len(beside.tasks) == MOST
    gate.set()
    await asyncio.gather(*beside.tasks)
    assert sorted(said) == list(range(MOST))

    beside.tell(("lane", 0), partial(says, 0))
    await asyncio.gather(*beside.tasks)
    assert len(said) == MOST + 1


async def test_what_fails_beside_a_conversation_is_nobodys_failure() -> None:
    beside = Beside()

    async def fails() -> None:
        raise ValueError("of no concern")

    beside.tell("somebody", fails)
    await asyncio.gather(*beside.tasks)
    beside.tell("somebody", fails)
    assert len(beside.tasks) == 1
    await asyncio.gather(*beside.tasks)
