"""The command menu: in each language, set only where it differs."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from channels.telegram.api import Api
from channels.telegram.limits import COMMAND_DESCRIPTION
from channels.telegram.menu import COMMANDS, entries, show
from core.texts import Texts, runtime_texts
from tests.support.telegram.faults import Breaks
from tests.support.telegram.profile import commands_shown
from tests.support.telegram.server import TelegramServer

LANGUAGES = sorted(runtime_texts())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_is_described_in_every_language(language: str) -> None:
    own = runtime_texts()[language]
    for entry in entries(language):
        assert entry["description"] == own[f"telegram.menu.{entry['command']}"]
        assert 3 <= len(entry["description"]) <= COMMAND_DESCRIPTION
    assert [entry["command"] for entry in entries(language)] == list(COMMANDS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_knows_the_commands_of_the_menu(language: str) -> None:
    told = Texts(language)("turn.help")
    named = [name for name in COMMANDS if f"/{name}" in told]
    assert set(COMMANDS) - set(named) <= {"start", "help"}


async def test_everybody_sees_the_menu_in_their_language(server: TelegramServer, api: Api) -> None:
    await show(api)
    for language in LANGUAGES:
        assert commands_shown(server, language) == entries(language)
    for unknown in ("fr", "ja", None):
        assert commands_shown(server, unknown) == entries("en")


async def test_the_default_may_be_another_language(server: TelegramServer, api: Api) -> None:
    await show(api, "de")
    assert commands_shown(server, "fr") == entries("de")
    assert commands_shown(server, "en") == entries("en")


async def test_a_menu_that_is_as_it_should_be_is_not_set_again(
    server: TelegramServer, api: Api
) -> None:
    await show(api)
    assert len(server.called("setMyCommands")) == len(LANGUAGES) + 1
    await show(api)
    assert len(server.called("setMyCommands")) == len(LANGUAGES) + 1
    await api.call("setMyCommands", commands=entries("es")[:3], language_code="es")
    await show(api)
    assert commands_shown(server, "es") == entries("es")
    assert len(server.called("setMyCommands")) == len(LANGUAGES) + 3


async def test_a_menu_that_cannot_be_set_stops_nothing(server: TelegramServer, api: Api) -> None:
    server.befall(Breaks(), "setMyCommands")
    with capture_logs() as logs:
        await show(api)
    assert [entry["event"] for entry in logs] == ["telegram_menu_not_set"]
    await show(api)
    assert commands_shown(server, "de") == entries("de")
