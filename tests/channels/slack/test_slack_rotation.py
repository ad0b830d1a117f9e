"""Tokens that have an end, in an app with token rotation, and workspaces of an organization: people
notice nothing of either."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from channels.slack.api import Refused
from channels.slack.app_manifest import manifest
from channels.slack.driver import SlackApi, Workspaces, app, connect
from channels.slack.installations import Installations, open_installations
from tests.support.slack.app import App
from tests.support.slack.faults import Breaks, Fault, Refuses
from tests.support.slack.server import SlackServer
from tests.support.slack_kept import Kept, listening

SOON = 60 * 60
"""Seconds of life of a token that is renewed as soon as it is used."""


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    """A server whose app has token rotation; its first tokens end soon."""
    rotating = replace(App.of_manifest(manifest()), rotates=True)
    async with SlackServer(rotating, access="never") as running:
        running.token_life = SOON
        yield running


@asynccontextmanager
async def process(server: SlackServer, database_url: str) -> AsyncIterator[Installations]:
    """A process that knows the tokens."""
    async with open_installations(
        database_url, server.client_id, server.client_secret, server.api
    ) as known:
        yield known


async def install(server: SlackServer, known: Installations, api: SlackApi) -> None:
    """Somebody installs the app."""
    able = Workspaces(known, server.client_secret, api)
    kept = Kept(server)
    bolt = app(kept, server.api, signing_secret=server.signing_secret, workspaces=able)
    async with listening(server, kept, "http", bolt) as url:
        owner = server.workspace.person("Owner")
        page = await server.installs(owner, f"{url}/slack/install")
        assert page.status == 200, page.text


@asynccontextmanager
async def installed(
    server: SlackServer, database_url: str
) -> AsyncIterator[tuple[Installations, SlackApi]]:
    """A process in whose workspace the app is installed."""
    async with process(server, database_url) as known, connect(known, server.api) as api:
        await install(server, known, api)
        yield known, api


async def test_a_token_is_renewed_before_its_end(server: SlackServer, database_url: str) -> None:
    async with installed(server, database_url) as (_, api):
        first, server.token_life = server.workspace.token, 12 * SOON
        for _ in range(3):
            assert (await api.call(server.workspace.id, "auth.test"))["ok"]

    assert first in server.workspace.past_tokens
    assert len(server.called("oauth.v2.access")) == 2, "once installed, once renewed"
    async with process(server, database_url) as known:
        assert await known.of(server.workspace.id) == server.workspace.token


async def test_calls_at_once_renew_it_once(server: SlackServer, database_url: str) -> None:
    async with installed(server, database_url) as (_, api):
        server.token_life = 12 * SOON
        calls = (api.call(server.workspace.id, "auth.test") for _ in range(5))
        assert all(one["ok"] for one in await asyncio.gather(*calls))

    assert len(server.called("oauth.v2.access")) == 2


async def test_what_another_process_renewed_is_used(server: SlackServer, database_url: str) -> None:
    async with installed(server, database_url) as (_, api), process(server, database_url) as other:
        server.token_life = 12 * SOON
        assert await other.of(server.workspace.id) == server.workspace.token
        assert (await api.call(server.workspace.id, "auth.test"))["ok"]

    assert len(server.called("oauth.v2.access")) == 2


@pytest.mark.parametrize("fault", [Breaks(), Refuses("internal_error")], ids=repr)
async def test_a_token_that_cannot_be_renewed_is_used_while_it_lasts(
    server: SlackServer, database_url: str, fault: Fault
) -> None:
    async with installed(server, database_url) as (_, api):
        server.befall(fault, "oauth.v2.access")
        with capture_logs() as logs:
            for _ in range(2):
                assert (await api.call(server.workspace.id, "auth.test"))["ok"]

    assert [one["event"] for one in logs] == ["slack_token_not_renewed"]
    assert server.workspace.token not in str(logs)


async def test_a_token_that_ended_and_cannot_be_renewed_is_told_as_such(
    server: SlackServer, database_url: str
) -> None:
    async with installed(server, database_url) as (_, api):
        server.workspace.rotates()
        with capture_logs(), pytest.raises(Refused, match="token_expired"):
            await api.call(server.workspace.id, "auth.test")


async def test_a_workspace_of_an_organization_has_its_own_token(
    server: SlackServer, database_url: str
) -> None:
    server.workspace.enterprise = "E0001"
    async with installed(server, database_url) as (known, api):
        server.token_life = 12 * SOON
        assert (await api.call(server.workspace.id, "auth.test"))["ok"]
        assert await known.of(server.workspace.id) == server.workspace.token
        await known.forget(server.workspace.id)
        assert await known.again(server.workspace.id) is None


def test_the_manifest_asks_for_neither_rotation_nor_a_whole_organization() -> None:
    """Its tokens have no end, then, and each belongs to one workspace."""
    settings = manifest()["settings"]
    assert settings["token_rotation_enabled"] is False
    assert settings["org_deploy_enabled"] is False
