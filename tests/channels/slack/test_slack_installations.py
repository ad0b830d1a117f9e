"""Several workspaces install the app by OAuth; their tokens are kept in the bot's own database."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from channels.slack.api import Refused
from channels.slack.app_manifest import manifest
from channels.slack.driver import SlackApi, Workspaces, app, connect
from channels.slack.incoming import Gone, Heard
from channels.slack.installations import Installations, open_installations
from core.store import Store, StoreError
from tests.support.slack.app import App
from tests.support.slack.faults import Breaks
from tests.support.slack.server import SlackServer
from tests.support.slack.workspace import Workspace
from tests.support.slack_kept import Kept, listening


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    """A server of the app's own manifest, in whose workspaces the app is not installed yet."""
    async with SlackServer(App.of_manifest(manifest()), access="never") as running:
        yield running


@dataclass
class Program:
    """A bot that workspaces can install."""

    kept: Kept
    api: SlackApi
    installations: Installations
    url: str

    async def greets(self, workspace: Workspace, channel: str) -> str:
        """The bot says hello; the workspace that it was in."""
        await self.api.call(workspace.id, "chat.postMessage", channel=channel, text="hello")
        return str((await self.api.call(workspace.id, "auth.test"))["team_id"])


@asynccontextmanager
async def running(server: SlackServer, new_database_url: str) -> AsyncIterator[Program]:
    """A process of the bot."""
    kept = Kept(server)
    async with (
        open_installations(new_database_url, server.client_id) as installations,
        connect(installations, server.api) as api,
    ):
        workspaces = Workspaces(installations, server.client_secret, api)
        bolt = app(kept, server.api, signing_secret=server.signing_secret, workspaces=workspaces)
        async with listening(server, kept, "http", bolt) as url:
            yield Program(kept, api, installations, url)


async def installs(server: SlackServer, program: Program, workspace: Workspace, name: str) -> str:
    """Somebody of a workspace installs the app; what they see in the end."""
    person = workspace.person(name)
    page = await server.installs(person, f"{program.url}/slack/install")
    assert page.status == 200, page.text
    return page.text


async def test_two_workspaces_install_the_app(server: SlackServer, new_database_url: str) -> None:
    first, second = server.workspace, server.another("Hopper")
    async with running(server, new_database_url) as program:
        for workspace in (first, second):
            with pytest.raises(Refused, match="not_authed"):
                await program.api.call(workspace.id, "auth.test")
            await installs(server, program, workspace, "Ada")
            ada = next(iter(workspace.people.values()))
            ada.says("hi")
            await server.settled()
            assert await program.greets(workspace, ada.dm.id) == workspace.id
            assert ada.dm.screen().texts == ["hi", "hello"]
        assert first.token != second.token
        teams = [one.dest.team for one in program.kept.heard if isinstance(one, Heard)]
        assert teams == [first.id, second.id]


async def test_tokens_outlive_the_process(server: SlackServer, new_database_url: str) -> None:
    async with running(server, new_database_url) as program:
        await installs(server, program, server.workspace, "Ada")
    async with running(server, new_database_url) as again:
        assert await again.installations.of(server.workspace.id) == server.workspace.token
        assert await again.installations.of("T0000") is None


async def test_somebody_thinks_better_of_it(server: SlackServer, new_database_url: str) -> None:
    async with running(server, new_database_url) as program:
        ada = server.workspace.person("Ada")
        page = await server.installs(ada, f"{program.url}/slack/install", denied=True)
        assert "access_denied" in page.text
        assert await program.installations.of(server.workspace.id) is None


async def test_a_workspace_removes_the_app_and_installs_it_again(
    server: SlackServer, new_database_url: str
) -> None:
    workspace = server.workspace
    async with running(server, new_database_url) as program:
        await installs(server, program, workspace, "Ada")
        old = workspace.token
        workspace.uninstalls()
        await server.settled()
        assert program.kept.heard == [Gone(team=workspace.id)] * 2
        assert await program.installations.again(workspace.id) is None
        await installs(server, program, workspace, "Eve")
        assert workspace.token != old
        ada = next(iter(workspace.people.values()))
        assert await program.greets(workspace, ada.dm.id) == workspace.id


async def test_a_token_that_slack_still_accepts_is_kept(
    server: SlackServer, new_database_url: str
) -> None:
    """The news of the end came after the app was installed anew."""
    workspace = server.workspace
    async with running(server, new_database_url) as program:
        await installs(server, program, workspace, "Ada")
        workspace.tells("app_uninstalled", {"type": "app_uninstalled"}, queue=workspace.id)
        await server.settled()
        assert program.kept.heard == [Gone(team=workspace.id)]
        assert await program.installations.again(workspace.id) == workspace.token


async def test_a_slack_that_does_not_answer_removes_no_token(
    server: SlackServer, new_database_url: str
) -> None:
    workspace = server.workspace
    async with running(server, new_database_url) as program:
        await installs(server, program, workspace, "Ada")
        server.befall(Breaks(502), "auth.test")
        workspace.tells("app_uninstalled", {"type": "app_uninstalled"}, queue=workspace.id)
        await server.settled()
        assert [one.status for one in server.delivery.attempted("app_uninstalled")] == [500, 200]
        assert await program.installations.again(workspace.id) == workspace.token


async def test_a_process_hears_of_what_another_installed(
    server: SlackServer, new_database_url: str
) -> None:
    workspace = server.workspace
    async with (
        open_installations(new_database_url, server.client_id) as worker,
        connect(worker, server.api) as api,
    ):
        with pytest.raises(Refused, match="not_authed"):
            await api.call(workspace.id, "auth.test")
        async with running(server, new_database_url) as program:
            await installs(server, program, workspace, "Ada")
            assert (await api.call(workspace.id, "auth.test"))["ok"]
            workspace.uninstalls()
            await server.settled()
            await installs(server, program, workspace, "Eve")
        assert (await api.call(workspace.id, "auth.test"))["ok"]


async def test_processes_that_start_at_once_make_the_tables_once(new_database_url: str) -> None:
    async def start() -> None:
        async with open_installations(new_database_url, "1.1") as found:
            assert await found.of("T1") is None

    await asyncio.gather(*(start() for _ in range(4)))


async def test_beside_the_bots_own_tables(server: SlackServer, new_database_url: str) -> None:
    store = await Store.open(new_database_url)
    try:
        await store.migrate()
        async with running(server, new_database_url) as program:
            await installs(server, program, server.workspace, "Ada")
        await store.migrate()
        assert await store.version()
    finally:
        await store.close()


async def test_apps_that_share_a_database_have_their_own_tokens(
    server: SlackServer, new_database_url: str
) -> None:
    async with running(server, new_database_url) as program:
        await installs(server, program, server.workspace, "Ada")
        async with open_installations(new_database_url, "another app") as other:
            assert await other.of(server.workspace.id) is None


async def test_installations_that_nobody_finished_are_forgotten(
    new_sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("channels.slack.installations.STATE_SECONDS", -1)
    async with open_installations(new_sqlite_url, "1.1") as found:
        await found.states.async_issue()
        assert states(new_sqlite_url) == 1
    async with open_installations(new_sqlite_url, "1.1"):
        assert states(new_sqlite_url) == 0


def states(url: str) -> int:
    """How many installations are under way."""
    with sqlite3.connect(Path(url.partition(":///")[2])) as database:
        return int(database.execute("SELECT count(*) FROM slack_oauth_states").fetchone()[0])


async def test_a_database_that_cannot_be_used() -> None:
    with pytest.raises(StoreError, match="not supported"):
        async with open_installations("mysql://x/y", "1.1"):
            pass
