"""What goes wrong in real life, in front of the whole program: nothing is lost, nothing counts
twice, and everything is acknowledged in time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.store.tables import outbox
from tests.support.slack.app import App
from tests.support.slack.disturbances import Repeats
from tests.support.slack.faults import Breaks, Drops, Garbles, Limits, Refuses
from tests.support.slack.messages import Message
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import SlackBot, slack_bot
from tests.support.slack_people import NOW, Picks, Visit
from tests.support.told import Told

AGAIN = "You may get this twice: the connection broke while I was sending it."
EARLIER = "That is from an earlier card. The question that is open now is the newest one below."


def told_only(visit: Visit) -> list[str]:
    """What only this person was told."""
    return [one.text for one in visit.screen if one.only_for is visit.person]


def shown(visit: Visit) -> list[Message]:
    """What everybody sees, of the bot."""
    return [one for one in visit.screen if one.from_bot and one.only_for is None]


async def parked(bot: SlackBot) -> list[str]:
    """Why effects were given up."""
    async with bot.house.store.database.read() as connection:
        rows = await connection.execute(
            outbox.select().where(outbox.c.parked_at.is_not(None)).order_by(outbox.c.id)
        )
        return [str(row.error) for row in rows]


# Twice, and at once


@pytest.mark.parametrize("times", [1, 3])
async def test_an_event_that_is_delivered_again_counts_once(
    slack: SlackServer, visit: Visit, times: int
) -> None:
    slack.upset(Repeats(times), "message.im", times=None)
    await visit.does("hello")
    await visit.does("online")

    assert len(slack.delivery.attempted("message.im")) >= 2 * (times + 1)
    assert await visit.asked() == "link"
    assert len([one for one in visit.screen.texts if "Format: Online" in one]) == 1


async def test_two_clicks_within_milliseconds_count_once(visit: Visit) -> None:
    await visit.does("hello")
    card = visit.person.on(visit.card)
    first, second = card.clicks("Online"), card.clicks("In person")
    await first.answered()
    await second.answered()
    await visit.bot.quiet()

    draft = await visit.bot.draft(visit.person)
    assert draft in ({"format": "online"}, {"format": "in_person"})
    assert told_only(visit) == [EARLIER]
    await visit.is_in_order()


async def test_a_click_on_an_old_card_settles_nothing_and_says_so(visit: Visit) -> None:
    await visit.does("hello")
    old = visit.card
    await visit.does("online")
    await visit.person.on(old).clicks("In person", stale=True).answered()
    await visit.bot.quiet()

    assert await visit.bot.draft(visit.person) == {"format": "online"}
    assert told_only(visit) == [EARLIER]
    assert "✓ Format: Online" in old.text
    await visit.is_in_order()


async def test_a_click_is_acknowledged_while_the_model_is_still_answering(
    app: App, tmp_path: Path, journeys: dict[str, Any]
) -> None:
    model = Told()
    async with (
        SlackServer(app, now=NOW) as server,
        slack_bot(server, tmp_path, model=model, **journeys) as bot,
    ):
        visit = Visit(bot, server.workspace.person("Ada"))
        await visit.does("/surestep new dinner")
        visit.person.says("is there parking?")
        await model.asked.wait()
        clicked = await visit.person.clicks("Online").answered()
        assert clicked.status == 200

        model.tell("There is parking in the yard.", None)
        await bot.quiet()
        assert await visit.asked() == "link"
        await visit.is_in_order()


# Answers of the server that are lost, late, or no


@pytest.mark.parametrize(
    "fault", [Drops(done=True), Breaks(done=True), Garbles(done=True)], ids=repr
)
async def test_a_card_whose_answer_was_lost_comes_again_and_both_work(
    slack: SlackServer, visit: Visit, fault: Any
) -> None:
    await visit.does("hello")
    slack.befall(fault, "chat.postMessage")
    visit.person.says("online")
    await visit.bot.quiet()

    cards = [one for one in visit.screen.live if "What is the link?" in one.text]
    assert len(cards) == 2
    assert AGAIN in cards[1].text
    # The first of the two is used, which the bot does not know of: it goes with the other.
    modal = await visit.person.opens("Answer in a form", cards[0])
    await modal.fills(Link="https://example.org/x").submits().answered()
    await visit.bot.quiet()
    assert await visit.asked() == "seats"
    await visit.is_in_order()


async def test_of_two_cards_the_unknown_one_goes_when_it_is_used(
    slack: SlackServer, visit: Visit
) -> None:
    slack.befall(Drops(done=True), "chat.postMessage")
    visit.person.says("hello")
    await visit.bot.quiet()
    first, second = visit.screen.live
    await visit.person.on(first).clicks("Online").answered()
    await visit.bot.quiet()

    assert await visit.asked() == "link"
    assert [one for one in (first, second) if one.controls and not one.deleted] == []
    await visit.is_in_order()


async def test_what_never_reached_the_server_comes_once(slack: SlackServer, visit: Visit) -> None:
    await visit.does("hello")
    slack.befall(Refuses("ratelimited"), "chat.update")
    slack.befall(Refuses("service_unavailable"), "chat.postMessage")
    visit.person.says("online")
    await visit.bot.quiet()

    assert await visit.asked() == "link"
    assert len([one for one in visit.screen.texts if "✓ Format: Online" in one]) == 1


async def test_a_channel_that_wants_quiet_waits_and_others_do_not(
    slack: SlackServer, bot: SlackBot, visit: Visit
) -> None:
    grace = Visit(bot, slack.workspace.person("Grace"))
    await visit.does("hello")
    await grace.does("hello")
    limits = slack.befall(Limits(1.0), "chat.postMessage", channel=visit.place)
    visit.person.says("online")
    await slack.until(lambda: limits.met, "quiet")
    before = len(slack.called("chat.postMessage", channel=visit.place))
    await grace.person.on(grace.card).clicks("Online").answered()
    await slack.until(lambda: "What is the link?" in grace.screen[-1].text, "Grace's next card")
    assert len(slack.called("chat.postMessage", channel=visit.place)) == before
    await bot.quiet()

    assert limits.met == 1
    assert await visit.asked() == "link"
    await visit.is_in_order()


# What is gone


async def test_a_card_that_was_deleted_comes_anew_as_its_receipt(visit: Visit) -> None:
    await visit.does("hello")
    visit.card.deleted = True
    visit.person.says("online")
    await visit.bot.quiet()

    assert await visit.asked() == "link"
    assert "✓ Format: Online" in visit.screen.texts
    await visit.is_in_order()


async def test_a_card_that_cannot_be_deleted_says_that_it_moved_down(
    slack: SlackServer, visit: Visit
) -> None:
    await visit.does("hello")
    old = visit.card
    slack.befall(Refuses("cant_delete_message"), "chat.delete")
    await visit.does("why?")

    assert old.text == "This question has moved further down."
    assert not old.controls


@pytest.mark.parametrize("how", ["archived", "removed"])
async def test_a_channel_that_is_shut_stops_nobody_else(
    slack: SlackServer, bot: SlackBot, ada: Person, how: str
) -> None:
    general = slack.workspace.channel("general", ada)
    root = ada.says("@Surestep a dinner", in_=general)
    await bot.quiet()
    visit = Visit(bot, ada, root)
    card = visit.card
    if how == "archived":
        general.archives()
    else:
        general.removes_bot()
    await ada.on(card).clicks("Online").answered()
    await bot.quiet()

    assert await parked(bot)
    assert await visit.asked() == "link"
    mine = Visit(bot, ada)
    await mine.does("hello")
    assert await mine.asked() == "format"


async def test_who_comes_back_after_the_bot_was_invited_again_goes_on(
    slack: SlackServer, bot: SlackBot, ada: Person
) -> None:
    general = slack.workspace.channel("general", ada)
    root = ada.says("@Surestep a dinner", in_=general)
    await bot.quiet()
    visit = Visit(bot, ada, root)
    general.removes_bot()
    await ada.on(visit.card).clicks("Online").answered()
    await bot.quiet()
    general.invites_bot(ada)
    ada.says("@Surestep", in_=general, thread=root)
    await bot.quiet()

    assert await visit.asked() == "link"
    assert "What is the link?" in visit.screen[-1].text


@pytest.mark.parametrize("how", ["revokes", "uninstalls"])
async def test_a_workspace_that_removed_the_app_gets_nothing_more(
    slack: SlackServer, bot: SlackBot, visit: Visit, how: str
) -> None:
    await visit.does("hello")
    visit.person.says("online")
    getattr(slack.workspace, how)()
    await bot.quiet()

    assert set(await parked(bot)) <= {"token_revoked", "account_inactive"}


async def test_a_message_that_slack_does_not_take_comes_plainer(
    slack: SlackServer, visit: Visit
) -> None:
    slack.befall(Refuses("invalid_blocks"), "chat.postMessage", skip=1)
    visit.person.says("hello")
    await visit.bot.quiet()

    assert await visit.asked() == "format"
    assert "In person or online?" in visit.screen[-1].notification
    visit.person.says("online")
    await visit.bot.quiet()
    assert await visit.asked() == "link"


# Ways


@pytest.mark.parametrize("how", ["warned", "at once", "cut"])
async def test_a_socket_that_is_replaced_loses_nothing(
    slack: SlackServer, visit: Visit, how: str
) -> None:
    await visit.does("hello")
    sockets = slack.delivery.sockets
    before = sockets.opened
    if how == "cut":
        await sockets.cuts()
    else:
        await sockets.refreshes(warns=how == "warned")
    await slack.until(lambda: slack.delivery.sockets.opened > before, "another socket")
    await visit.does("online")
    assert await visit.asked() == "link"


async def test_after_a_restart_the_open_ask_is_the_newest_thing_again(
    slack: SlackServer, tmp_path: Path, journeys: dict[str, Any], ada: Person
) -> None:
    async with slack_bot(slack, tmp_path, **journeys) as bot:
        await Visit(bot, ada).does("hello")
        old = bot.card(ada)
    slack.passes(60)
    async with slack_bot(slack, tmp_path, **journeys) as bot:
        await slack.until(lambda: old.deleted, "the card, drawn again")
        await bot.quiet()
        visit = Visit(bot, ada)
        await visit.is_in_order()
        await visit.does("online")


async def test_what_others_and_the_bot_itself_say_is_no_reply(
    slack: SlackServer, bot: SlackBot, ada: Person
) -> None:
    general = slack.workspace.channel("general", ada)
    root = ada.says("@Surestep a dinner", in_=general)
    await bot.quiet()
    general.hears("Online", thread=root)
    said = ada.says("I will answer soon", in_=general)
    ada.deletes(said)
    await bot.quiet()
    visit = Visit(bot, ada, root)
    assert await visit.asked() == "format"

    ada.says("online", in_=general, thread=root, broadcast=True)
    await bot.quiet()
    assert await visit.asked() == "format"


# How many calls


async def test_a_settled_step_costs_two_calls(visit: Visit) -> None:
    await visit.does("/surestep new dinner")
    for act in ("[Online]", "https://example.org/x", "8", Picks("2026-12-24"), Picks(time="19:00")):
        calls = await visit.does(act)
        assert [one.method for one in calls] == ["chat.update", "chat.postMessage"], act
