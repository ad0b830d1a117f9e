"""Settings may name variables; what is missing is told, and what waits for it is not lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.environment import environment
from core.delivery import KINDS, Means, troubles
from core.delivery.settings import Unset, resolved, unset
from core.manifest import Manifest
from tests.core.delivery.parcels import Chats


def journey(*destinations: dict[str, Any]) -> Manifest:
    item = {"name": "title", "value": "short_text"}
    return Manifest.model_validate(
        {"name": "event", "version": 1, "items": [item], "destinations": destinations}
    )


HOOK = {
    "name": "hook",
    "kind": "webhook",
    "settings": {"url": "https://example.org/", "secret": "$HOOK_SECRET"},
}


def told(*destinations: dict[str, Any], **means: Any) -> list[str]:
    return troubles([journey(*destinations)], KINDS, Means(Path(), **means))


def test_a_variable_stands_for_its_value() -> None:
    settings: dict[str, str | int | bool] = {
        "url": "$URL",
        "secret": "$SECRET",
        "knows_keys": False,
        "port": 25,
    }
    found = resolved(settings, {"URL": "https://example.org", "SECRET": "s", "OTHER": "o"})
    assert found == {"url": "https://example.org", "secret": "s", "knows_keys": False, "port": 25}


def test_what_is_missing_is_named_with_what_to_do() -> None:
    settings = {"url": "$URL", "secret": "$SECRET", "path": "a$URL"}
    assert unset(settings, {"SECRET": ""}) == ("URL", "SECRET")
    with pytest.raises(Unset, match=r"^URL and SECRET are not set; write them into the env"):
        resolved(settings, {})


def test_a_missing_variable_is_told_with_its_destination() -> None:
    (line,) = told(HOOK)
    assert line == (
        "journey event, destination hook: HOOK_SECRET is not set; write it into the environment or"
        " into .env, and start again. Until then, what is confirmed waits for it."
    )
    assert told(HOOK, environment={"HOOK_SECRET": "long enough for a secret"}) == []


def test_what_a_variable_holds_is_judged_without_being_told() -> None:
    (line,) = told(HOOK, environment={"HOOK_SECRET": "tooshort"})
    assert line.startswith(
        "journey event, destination hook: secret: Write a secret of at least 16 letters."
    )
    assert "tooshort" not in line


def test_a_chat_that_its_channel_does_not_know_is_told() -> None:
    team = {"name": "team", "kind": "chat", "settings": {"chat": "chats:nowhere"}}
    assert told(team) == [], "nobody here knows the chats of a channel that is not here"
    (line,) = told(team, channels={"chats": Chats()})
    assert line.startswith("journey event, destination team: 'nowhere' is no chat")


def test_the_environment_wins_over_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text("HOOK_SECRET='from the file'\nHOOK_URL=https://example.org\nHOOK_NONE=\n")
    monkeypatch.setenv("HOOK_SECRET", "from the environment")
    found = environment(file)
    assert found["HOOK_SECRET"] == "from the environment"
    assert found["HOOK_URL"] == "https://example.org"
    assert "HOOK_NONE" not in found


def test_what_is_read_of_the_environment_is_in_no_text_of_it() -> None:
    assert "sesame" not in repr(Means(Path(), environment={"HOOK_SECRET": "sesame"}))
