"""A Slack server on loopback with the app of the manifest, and the whole program in front of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from channels.slack.app_manifest import manifest
from tests.support.dinner_folder import dinner
from tests.support.slack.app import App
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import SlackBot, slack_bot
from tests.support.slack_people import NOW, Visit


@pytest.fixture
def app() -> App:
    """The app, as its manifest creates it."""
    return App.of_manifest(manifest())


@pytest.fixture
async def slack(app: App) -> AsyncIterator[SlackServer]:
    """A server whose every violation fails the test."""
    async with SlackServer(app, now=NOW) as server:
        yield server


@pytest.fixture
def ada(slack: SlackServer) -> Person:
    """Somebody in the workspace."""
    return slack.workspace.person("Ada")


@pytest.fixture
def journeys(tmp_path: Path) -> dict[str, Any]:
    """The settings of a program that has the small journey and no other."""
    return dinner(tmp_path)


@pytest.fixture
async def bot(
    slack: SlackServer, tmp_path: Path, journeys: dict[str, Any]
) -> AsyncIterator[SlackBot]:
    """The program, with the small journey."""
    async with slack_bot(slack, tmp_path, **journeys) as running:
        yield running


@pytest.fixture
def visit(bot: SlackBot, ada: Person) -> Visit:
    """Ada in her direct message with the bot."""
    return Visit(bot, ada)
