"""Tokens, scopes, manifests, installations by OAuth, and the app's end in a workspace."""

from __future__ import annotations

import inspect
from typing import Any

import aiohttp
import pytest
from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.oauth.installation_store import FileInstallationStore
from slack_sdk.oauth.state_store import FileOAuthStateStore
from slack_sdk.web.async_client import AsyncWebClient

from tests.support.slack.app import App
from tests.support.slack.bare import Ask, Running, asking, bolt, by_http
from tests.support.slack.channels import Channel
from tests.support.slack.methods import METHODS
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack.sink import Sink, listening
from tests.support.slack.tasks import HANDLERS


async def test_who_the_bot_is(server: SlackServer, ask: Ask) -> None:
    told = await ask("auth.test")
    assert (told["team_id"], told["user_id"]) == (
        server.workspace.id,
        server.workspace.bot_user_id,
    )
    assert (await ask("auth.test", token_="xoxb-no")).why == "invalid_auth"


async def test_a_token_in_a_header_or_in_a_form(server: SlackServer) -> None:
    async with aiohttp.ClientSession() as session:

        async def call(**how: Any) -> dict[str, Any]:
            async with session.post(f"{server.api}auth.test", **how) as answer:
                body: dict[str, Any] = await answer.json()
                return body

        assert (await call(data={"token": server.token}))["ok"]
        assert (await call())["error"] == "not_authed"
        assert (await call(json={"token": server.token}))["error"] == "not_authed"
        assert (await call(params={"token": server.token}))["error"] == "invalid_auth"
        assert (await call(data=b"x", headers={"Content-Type": "text/csv"}))["ok"] is False
    assert len(server.take_violations()) == 3


async def test_a_form_has_strings_and_json(server: SlackServer, ada: Person) -> None:
    form = {
        "token": server.token,
        "channel": ada.dm.id,
        "text": "x",
        "blocks": '[{"type": "divider"}]',
        "unfurl_links": "false",
    }
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{server.api}chat.postMessage", data=form) as answer,
    ):
        assert (await answer.json())["ok"]
    assert ada.dm.newest.blocks[0]["type"] == "divider"
    assert server.calls[0].arguments["text"] == "x"


async def test_a_scope_that_was_not_asked_for(ada: Person) -> None:
    async with SlackServer(App(scopes=frozenset({"chat:write"}))) as server:
        person = server.workspace.person("Ada")
        async with aiohttp.ClientSession() as session:
            ask = asking(session, server)
            assert (await ask("chat.postMessage", channel=person.dm.id, text="x"))["ok"]
            refused = await ask("users.info", user=person.id)
            assert refused.why == "missing_scope"
            assert refused.body["needed"] == "users:read"
            assert refused.body["provided"] == "chat:write"
            history = await ask("conversations.info", channel=person.dm.id)
            assert history.body["needed"] == "im:read"
        assert len(server.take_violations()) == 2


MANIFEST = {
    "display_information": {"name": "Surestep"},
    "features": {
        "bot_user": {"display_name": "Surestep"},
        "app_home": {"home_tab_enabled": True},
        "assistant_view": {"assistant_description": "x"},
        "slash_commands": [{"command": "/surestep", "description": "x"}],
        "shortcuts": [
            {"name": "New", "type": "global", "callback_id": "new", "description": "x"},
            {"name": "Add", "type": "message", "callback_id": "add", "description": "x"},
        ],
    },
    "oauth_config": {"scopes": {"bot": ["chat:write", "commands", "im:history"]}},
    "settings": {
        "event_subscriptions": {"bot_events": ["message.im", "message.channels"]},
        "interactivity": {"is_enabled": True},
    },
}


async def test_what_is_not_in_the_manifest_does_not_happen() -> None:
    app = App.of_manifest(MANIFEST)
    async with SlackServer(app) as server, listening(server) as sink:
        ada = server.workspace.person("Ada")
        general = server.workspace.channel("general", ada)
        ada.says("no scope for it", in_=general)
        ada.opens_home()
        ada.says("hi")
        await server.settled()
        assert [body["event"]["text"] for body in sink.bodies] == ["hi"]
        used = await ada.uses_shortcut("new").answered()
        assert used.payload["type"] == "shortcut"
        on = await ada.uses_shortcut("add", ada.dm.newest).answered()
        assert on.payload["message"]["text"] == "hi"
        with pytest.raises(AssertionError, match="no global shortcut add"):
            ada.uses_shortcut("add")


def test_a_manifest_with_an_event_that_is_never_sent() -> None:
    settings = {"event_subscriptions": {"bot_events": ["pin_added"]}}
    with pytest.raises(ValueError, match="never sends pin_added"):
        App.of_manifest({**MANIFEST, "settings": settings})


async def test_an_uninstalled_app(server: SlackServer, ada: Person, ask: Ask, sink: Sink) -> None:
    server.workspace.uninstalls()
    await server.settled()
    assert [body["event"]["type"] for body in sink.bodies] == ["tokens_revoked", "app_uninstalled"]
    assert (await ask("auth.test")).why == "account_inactive"
    ada.says("anybody?")
    await server.settled()
    assert len(sink.bodies) == 2


async def test_a_revoked_token(server: SlackServer, ask: Ask, sink: Sink) -> None:
    server.workspace.revokes()
    event = (await sink.heard("tokens_revoked"))["event"]
    assert event["tokens"]["bot"] == [server.workspace.bot_user_id]
    assert (await ask("auth.test")).why == "token_revoked"


async def test_a_method_that_an_older_slack_lacks(ada: Person) -> None:
    async with SlackServer(lacks={"chat.startStream"}) as server:
        async with aiohttp.ClientSession() as session:
            heard = await asking(session, server)("chat.startStream", channel="x")
        assert heard.why == "unknown_method"
        assert server.violations == []


async def test_a_method_that_does_not_exist(server: SlackServer, ask: Ask) -> None:
    assert (await ask("chat.shout")).why == "unknown_method"
    assert len(server.take_violations()) == 1


# Installing


def installable(server: SlackServer, folder: str) -> AsyncApp:
    """A bolt app for many workspaces."""
    settings = AsyncOAuthSettings(
        client_id=server.client_id,
        client_secret=server.client_secret,
        scopes=sorted(server.app.scopes),
        installation_store=FileInstallationStore(base_dir=folder, client_id=server.client_id),
        state_store=FileOAuthStateStore(expiration_seconds=60, base_dir=folder),
        authorization_url=server.authorize_url,
    )
    client = AsyncWebClient(base_url=server.api)
    app = AsyncApp(client=client, signing_secret=server.signing_secret, oauth_settings=settings)

    @app.event("message")
    async def hears(event: dict[str, Any], say: Any, body: dict[str, Any]) -> None:
        if "bot_id" not in event:
            await say(f"{event['text']} in {body['team_id']}")

    return app


async def answered(channel: Channel) -> None:
    """Wait until the bot answered what was said first."""
    await channel.workspace.world.until(lambda: channel.screen().texts[1:], "an answer")


async def test_two_workspaces_install_the_app(tmp_path: Any) -> None:
    async with SlackServer(access="never") as server:
        first, second = server.workspace, server.another("Hopper")
        async with by_http(server, installable(server, str(tmp_path))) as url:
            for space in (first, second):
                ada = space.person("Ada")
                page = await server.installs(ada, f"{url}/slack/install")
                assert page.status == 200, page.text
                assert space.access == "installed"
                ada.says("hello")
                await answered(ada.dm)
                assert ada.dm.newest.text == f"hello in {space.id}"
            assert first.token != second.token
            eve = first.person("Eve")
            denied = await server.installs(eve, f"{url}/slack/install", denied=True)
            assert "access_denied" in denied.text
            await server.settled()


@pytest.mark.parametrize(
    "more,why",
    [
        ({"code": "unknown"}, "invalid_code"),
        ({"client_id": "1.1"}, "invalid_client_id"),
        ({"client_secret": "no"}, "bad_client_secret"),
    ],
)
async def test_what_is_no_installation(
    server: SlackServer, ask: Ask, more: dict[str, str], why: str
) -> None:
    known = {"client_id": server.client_id, "client_secret": server.client_secret}
    assert (await ask("oauth.v2.access", **{**known, **more})).why == why


# The table of methods


def test_every_method_is_carried_out() -> None:
    assert set(METHODS) == set(HANDLERS)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_arguments_are_those_of_the_sdk(name: str) -> None:
    if name == "oauth.v2.access":
        signature = inspect.signature(AsyncWebClient.oauth_v2_access)
    else:
        signature = inspect.signature(getattr(AsyncWebClient, name.replace(".", "_")))
    theirs = {
        one.name: one
        for one in signature.parameters.values()
        if one.name not in ("self", "kwargs", "app_token")
    }
    assert set(METHODS[name].arguments) == set(theirs)
    needed = {one.name for one in theirs.values() if one.default is inspect.Parameter.empty}
    assert set(METHODS[name].required) <= needed | {"prompts", "view"}


async def test_bolt_by_itself_asks_for_nothing_wrong(
    server: SlackServer, ada: Person, runs: Running
) -> None:
    await runs(bolt(server))
    client = AsyncWebClient(server.token, base_url=server.api)
    user = (await client.users_info(user=ada.id, include_locale=True))["user"]
    assert (user["tz"], user["locale"], user["tz_offset"] % 3600) == ("Europe/Berlin", "en-US", 0)
    assert (await client.team_info())["team"]["name"] == "Lovelace"
    assert (await client.bots_info(bot=server.workspace.bot_id))["bot"]["name"] == "Surestep"
    members = await client.conversations_members(channel=ada.dm.id)
    assert members["members"] == [ada.id, server.workspace.bot_user_id]
    assert server.calls


async def test_the_bot_uninstalls_its_app(server: SlackServer, ask: Ask, sink: Sink) -> None:
    wrong = await ask("apps.uninstall", client_id=server.client_id, client_secret="no")
    assert wrong.why == "bad_client_secret"
    known = {"client_id": server.client_id, "client_secret": server.client_secret}
    assert (await ask("apps.uninstall", **known))["ok"]
    assert (await ask("auth.test")).why == "account_inactive"
    await sink.heard("app_uninstalled")
