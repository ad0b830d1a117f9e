"""Groups, people of other organizations, other workspaces: each is met where they are, and what
ends for one of them goes on for all others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from channels.slack.app_manifest import manifest
from channels.slack.driver import Workspaces, app, connect
from channels.slack.installations import open_installations
from tests.support.ports import free_port
from tests.support.slack.app import App
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack.workspace import Workspace
from tests.support.slack_bot import SlackBot, settings_for, slack_bot
from tests.support.slack_kept import Kept, listening
from tests.support.slack_people import NOW, Fills, Visit

THEIRS = "T0THEIRS"


# A direct message of several people


async def test_in_a_group_the_conversation_is_the_thread_and_typed_answers_are_heard(
    slack: SlackServer, bot: SlackBot, ada: Person
) -> None:
    grace = slack.workspace.person("Grace")
    group = slack.workspace.group(ada, grace)
    root = ada.says("@Surestep a dinner, please", in_=group)
    await bot.quiet()
    visit = Visit(bot, ada, root)
    await visit.is_in_order()
    await visit.does("online")
    grace.says("https://example.org/hers", in_=group, thread=root)
    ada.says("shall we meet at eight?", in_=group)
    await bot.quiet()

    assert await visit.asked() == "link"
    await visit.does(Fills(Link="https://example.org/x"))
    assert await visit.asked() == "seats"


# Somebody of another organization, in a channel that both share


@pytest.fixture
def eve(slack: SlackServer) -> Person:
    """Somebody of another organization, whose profile tells less."""
    return slack.workspace.person("Eve", tz="", locale="", team=THEIRS)


async def test_a_stranger_is_met_in_a_shared_channel_and_uses_cards_and_windows(
    slack: SlackServer, bot: SlackBot, ada: Person, eve: Person
) -> None:
    shared = slack.workspace.channel("shared", ada, eve)
    root = eve.says("@Surestep a dinner, please", in_=shared)
    await bot.quiet()
    visit = Visit(bot, eve, root)
    await visit.does("[Online]")
    assert await visit.asked() == "link"
    await visit.does(Fills(Link="https://example.org/x"))

    assert await visit.asked() == "seats"
    assert (await bot.draft(eve, thread=root))["link"] == "https://example.org/x"


async def test_what_a_stranger_typed_into_a_closed_window_is_kept(
    slack: SlackServer, bot: SlackBot, ada: Person, eve: Person
) -> None:
    shared = slack.workspace.channel("shared", ada, eve)
    root = eve.says("@Surestep a dinner, please", in_=shared)
    await bot.quiet()
    visit = Visit(bot, eve, root)
    await visit.does("[Online]")
    modal = await visit.opens()
    (told,) = modal.fills(Link="https://example.org/half").closes()
    await told.answered()

    assert (await visit.opens()).value("Link") == "https://example.org/half"


async def test_a_strangers_click_on_somebody_elses_card_is_told_so(
    slack: SlackServer, bot: SlackBot, ada: Person, eve: Person
) -> None:
    shared = slack.workspace.channel("shared", ada, eve)
    root = ada.says("@Surestep a dinner, please", in_=shared)
    await bot.quiet()
    visit = Visit(bot, ada, root)
    await eve.on(visit.card).clicks("Online").answered()
    await bot.quiet()

    assert await visit.asked() == "format"
    assert "belong to somebody else" in shared.screen(eve)[-1].text


# A channel that takes nothing any more


SHUT = "I cannot write in our thread any more"


async def in_a_shut_channel(bot: SlackBot, ada: Person, how: str) -> Visit:
    """Ada has clicked in a channel that is shut by now."""
    general = bot.server.workspace.channel("general", ada)
    root = ada.says("@Surestep a dinner", in_=general)
    await bot.quiet()
    visit = Visit(bot, ada, root)
    card = visit.card
    if how == "archived":
        general.archives()
    else:
        general.removes_bot()
    for label in ("Online", "In person"):
        await ada.on(card).clicks(label, stale=label != "Online").answered()
        await bot.quiet()
    return visit


@pytest.mark.parametrize("how", ["archived", "removed"])
async def test_who_clicks_in_a_channel_that_is_shut_hears_of_it_in_their_direct_message(
    bot: SlackBot, ada: Person, how: str
) -> None:
    await in_a_shut_channel(bot, ada, how)

    (told,) = ada.dm.screen().texts
    assert told.startswith(SHUT)
    assert "/surestep new" in told


async def test_what_is_open_in_the_direct_message_stays_the_newest_there(
    bot: SlackBot, ada: Person
) -> None:
    mine = Visit(bot, ada)
    await mine.does("hello")
    await in_a_shut_channel(bot, ada, "removed")

    assert len([one for one in ada.dm.screen().texts if one.startswith(SHUT)]) == 1
    await mine.is_in_order()
    assert await mine.asked() == "format"


# Several workspaces


async def install(server: SlackServer, folder: Path, *workspaces: Workspace) -> None:
    """People of these workspaces install the app."""
    async with (
        open_installations(settings_for(server, folder).database_url, server.client_id) as known,
        connect(known, server.api) as api,
    ):
        able = Workspaces(known, server.client_secret, api)
        secret = server.signing_secret
        bolt = app(Kept(server), server.api, signing_secret=secret, workspaces=able)
        async with listening(server, Kept(server), "http", bolt) as url:
            for one in workspaces:
                page = await server.installs(one.person("Owner"), f"{url}/slack/install")
                assert page.status == 200, page.text
        assert server.delivery.poster is not None
        await server.delivery.poster.close()
        server.delivery.poster = None


@asynccontextmanager
async def in_two_workspaces(
    folder: Path, journeys: dict[str, Any]
) -> AsyncIterator[tuple[SlackBot, Visit, Visit]]:
    """The program in two workspaces, in each of which somebody has begun."""
    async with SlackServer(App.of_manifest(manifest()), now=NOW, access="never") as server:
        spaces = (server.workspace, server.another("Hopper"))
        await install(server, folder, *spaces)
        several: dict[str, Any] = {
            "slack_bot_token": None,
            "slack_client_id": server.client_id,
            "slack_client_secret": server.client_secret,
            "web_host": "127.0.0.1",
            "web_port": free_port(),
        }
        async with slack_bot(server, folder, **several, **journeys) as bot:
            first, second = (Visit(bot, one.person("Ada")) for one in spaces)
            for visit in (first, second):
                await visit.does("hello")
            yield bot, first, second


@pytest.mark.parametrize("how", ["revokes", "uninstalls"])
async def test_where_one_workspace_removes_the_app_the_other_goes_on(
    tmp_path: Path, journeys: dict[str, Any], how: str
) -> None:
    async with in_two_workspaces(tmp_path, journeys) as (bot, first, second):
        gone = first.person.workspace
        getattr(gone, how)()
        await bot.quiet()
        assert bot.service.workspaces is not None
        known = bot.service.workspaces.installations
        assert await known.again(gone.id) is None
        assert await known.again(second.person.workspace.id) == second.person.workspace.token

        await second.does("online")
        assert await second.asked() == "link"
        assert await first.asked() == "format"


async def test_who_installs_it_again_goes_on_where_they_were(
    tmp_path: Path, journeys: dict[str, Any]
) -> None:
    async with in_two_workspaces(tmp_path, journeys) as (bot, first, _):
        server, place = bot.server, first.person.workspace
        place.uninstalls()
        await bot.quiet()
        await install(server, tmp_path, place)
        await first.does("online")

        assert await first.asked() == "link"
