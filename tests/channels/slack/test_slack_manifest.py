"""The app's manifest: what the channel needs is in it, and nothing else."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from importlib import resources
from pathlib import Path

import pytest

import channels.slack
from channels.slack.app_manifest import manifest, scopes
from channels.slack.incoming import Entered, Gone, Heard, Home
from channels.slack.payload import SHORTCUT
from channels.slack.updates import Kind
from core.replies import Command, Upload, Words
from tests.support.slack.app import SCOPES_OF_EVENTS, App
from tests.support.slack.methods import METHODS
from tests.support.slack.server import SlackServer
from tests.support.slack_kept import Kept, listening

FOLDER = Path(channels.slack.__path__[0])
METHOD = re.compile(r'"((?:[a-z]+\.)+[A-Za-z]+)"')

BESIDE_CALLS = {
    "commands": "the slash command and the shortcut",
}
"""Scopes that are needed for what is received, and not for a call or an event."""


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    """A server of the app that the manifest creates."""
    async with SlackServer(App.of_manifest(manifest())) as running:
        yield running


def called() -> set[str]:
    """The methods that the channel's code names."""
    named = {
        name for file in FOLDER.glob("*.py") for name in METHOD.findall(file.read_text("utf-8"))
    }
    return named & set(METHODS)


def events() -> set[str]:
    return set(manifest()["settings"]["event_subscriptions"]["bot_events"])


def test_every_method_that_is_called_has_a_scope() -> None:
    found = called()
    assert {"chat.postMessage", "chat.update", "views.open", "users.info"} <= found
    asked = set(scopes())
    needs = {name: set(METHODS[name].scopes) for name in found if METHODS[name].scopes}
    without = {name for name, any_of in needs.items() if not any_of & asked}
    assert without == set()


def test_every_event_has_its_scope() -> None:
    assert {SCOPES_OF_EVENTS[event] for event in events()} - {None} <= {*scopes()}


def test_no_scope_is_for_nothing() -> None:
    of_events = {SCOPES_OF_EVENTS[event] for event in events()}
    of_methods = {scope for name in called() for scope in METHODS[name].scopes}
    assert {*scopes()} - of_events - of_methods == set(BESIDE_CALLS)
    assert len(scopes()) == len({*scopes()})


def test_the_texts_are_no_longer_than_slack_takes() -> None:
    """https://docs.slack.dev/reference/app-manifest"""
    told = manifest()
    about, features = told["display_information"], told["features"]
    (command,), (shortcut,) = features["slash_commands"], features["shortcuts"]
    assert len(about["name"]) <= 35
    assert len(about["description"]) <= 140
    assert len(features["bot_user"]["display_name"]) <= 80
    assert len(command["command"]) <= 32
    assert len(command["description"]) <= 2000
    assert len(command["usage_hint"]) <= 1000
    assert len(shortcut["name"]) <= 24
    assert len(shortcut["description"]) <= 150
    assert len(features["agent_view"]["agent_description"]) <= 300
    assert shortcut["callback_id"] == SHORTCUT
    assert told["settings"]["socket_mode_enabled"] is True
    assert told["settings"]["interactivity"]["is_enabled"] is True


def test_it_is_there_where_the_package_is_installed() -> None:
    assert resources.files("channels.slack").joinpath("app-manifest.yaml").is_file()


async def test_all_that_the_channel_hears_is_delivered_to_the_app(server: SlackServer) -> None:
    ada = server.workspace.person("Ada")
    general = server.workspace.channel("general", ada)
    secret = server.workspace.channel("secret", ada, private=True)
    kept = Kept(server)
    async with listening(server, kept, "socket"):
        ada.opens_home()
        ada.says("hello")
        ada.uploads("plan.pdf", b"%PDF")
        for channel in (general, secret):
            call = ada.says("@Surestep event", in_=channel)
            ada.says("Friday", in_=channel, thread=call)
        await server.settled()
        await ada.runs("/surestep", "new").answered()
        await ada.uses_shortcut(SHORTCUT).answered()
        server.workspace.uninstalls()
        await server.settled()
    replies = [one.reply for one in kept.heard if isinstance(one, Heard)]
    words = [one.text for one in replies if isinstance(one, Words)]
    assert set(words) == {"hello", "event", "Friday"}
    assert words.count("Friday") == 2
    assert [one.name for one in replies if isinstance(one, Command)] == ["new", "start"]
    assert sum(isinstance(one, Upload) for one in replies) == 1
    kinds = {type(one) for one in kept.heard}
    assert kinds == {Heard, Home, Gone}
    assert Entered not in kinds
    assert {kind for kind, _ in kept.bodies} == {Kind.EVENT, Kind.COMMAND, Kind.SHORTCUT}
