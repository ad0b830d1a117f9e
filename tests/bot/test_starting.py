"""What is half set up, or set up wrongly, is said at the start, with what to write."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.settings import Settings, SettingsFaulty, load, unknown_names, variable
from bot.starting import NoSuchJourney, first_journey, only_complete, served_journey
from core.catalogue import Catalogue
from tests.bot.test_chat import ROOT, environment
from tests.support.folders import MANIFEST, write


def chosen(**given: Any) -> Settings:
    return Settings(_env_file=None, **given)


def asked_for(**given: Any) -> list[str]:
    with pytest.raises(SettingsFaulty) as caught:
        only_complete(chosen(**given))
    return caught.value.faults


@pytest.mark.parametrize(
    "given, partner",
    [
        ({"slack_app_token": "xapp-1"}, "SLACK_BOT_TOKEN: write the bot token (xoxb-...)"),
        ({"slack_signing_secret": "s"}, "SLACK_BOT_TOKEN: write the bot token (xoxb-...)"),
        ({"slack_client_secret": "s"}, "SLACK_CLIENT_ID: write the app's client id"),
        ({"telegram_webhook_url": "https://bot.example.org"}, "TELEGRAM_BOT_TOKEN: write"),
    ],
    ids=lambda one: next(iter(one)) if isinstance(one, dict) else "",
)
def test_credentials_that_are_half_there_name_their_partner(
    given: dict[str, Any], partner: str
) -> None:
    (fault,) = asked_for(**given)
    assert fault.startswith(partner)
    assert f"{next(iter(given)).upper()} is set, and starts nothing without it" in fault


def test_half_of_one_channel_is_named_beside_another_that_is_whole() -> None:
    (fault,) = asked_for(telegram_bot_token="1:a", slack_app_token="xapp-1")
    assert fault.startswith("SLACK_BOT_TOKEN")


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"telegram_bot_token": "1:a"},
        {"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1"},
        {"slack_bot_token": "xoxb-1", "slack_signing_secret": "s", "slack_client_secret": "s"},
    ],
    ids=["nothing", "telegram", "socket mode", "http"],
)
def test_whole_credentials_are_nothing_to_speak_of(given: dict[str, Any]) -> None:
    only_complete(chosen(**given))


@pytest.mark.parametrize(
    "url", ["https://bot.example.org/t", "http://127.0.0.1:8080/t", "http://localhost/t"]
)
def test_a_webhook_that_can_be_called(url: str) -> None:
    only_complete(chosen(telegram_bot_token="1:a", telegram_webhook_url=url))


def test_telegram_calls_no_plain_http_but_a_server_of_ones_own_does() -> None:
    plain = {"telegram_bot_token": "1:a", "telegram_webhook_url": "http://bot.example.org/t"}
    (fault,) = asked_for(**plain)
    assert fault.startswith("TELEGRAM_WEBHOOK_URL: write an address that starts with https://")
    only_complete(chosen(**plain, telegram_api_base="http://bot-api:8081"))


def test_two_platforms_cannot_be_delivered_to_at_one_port() -> None:
    both = {
        "telegram_bot_token": "1:a",
        "telegram_webhook_url": "https://bot.example.org/t",
        "slack_bot_token": "xoxb-1",
    }
    (fault,) = asked_for(**both, slack_signing_secret="s")
    assert "SLACK_APP_TOKEN" in fault
    only_complete(chosen(**both, slack_app_token="xapp-1"))


@pytest.mark.parametrize(
    "line, says",
    [
        ("TELEGRAM_TOKEN=1", "there is no setting TELEGRAM_TOKEN; did you mean TELEGRAM_BOT_TOKEN"),
        ("SLACK_SIGNING_KEY=1", "did you mean SLACK_SIGNING_SECRET"),
        ("SURESTEP_LANGUAGE=de", "there is no setting SURESTEP_LANGUAGE"),
        ("export surestep_journy=a", "did you mean SURESTEP_JOURNEY?"),
    ],
)
def test_a_name_that_sets_nothing_is_named_with_the_nearest(
    line: str, says: str, tmp_path: Path
) -> None:
    file = tmp_path / ".env"
    file.write_text(f"SURESTEP_LOCALE=de\nOTHER_PROGRAM=1\n{line}\n", "utf-8")
    (warning,) = unknown_names(file)
    assert says in warning


@pytest.mark.parametrize(
    "url, opened",
    [
        ("postgres://a:b@db/x", "postgresql+asyncpg://a:b@db/x"),
        ("postgresql://a:b@db:5432/x", "postgresql+asyncpg://a:b@db:5432/x"),
        ("postgresql://a:p%40ss@db/x", "postgresql+asyncpg://a:p%40ss@db/x"),
        ("postgres://a:b@db/x?sslmode=require", "postgresql+asyncpg://a:b@db/x?ssl=require"),
        ("postgresql+asyncpg://a:b@db/x", "postgresql+asyncpg://a:b@db/x"),
    ],
)
def test_an_address_of_postgresql_is_taken_as_hosts_hand_it_out(url: str, opened: str) -> None:
    assert chosen(database_url=url).database_url == opened


def test_another_database_is_refused_without_its_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    for url in ("mysql://a:secret@db/x", "postgres://a:secret@db:port/x"):
        monkeypatch.setenv("DATABASE_URL", url)
        with pytest.raises(SettingsFaulty) as caught:
            load()
        (fault,) = caught.value.faults
        assert fault.startswith("DATABASE_URL: write sqlite+aiosqlite:///path/to/file.db or")
        assert "secret" not in fault


def journeys(folder: Path, *names: str) -> Catalogue:
    for name in names:
        write(folder / name, manifest=MANIFEST.replace("name: trip", f"name: {name}"))
    return Catalogue.load(folder)


def test_the_only_journey_there_is_starts_without_being_named(tmp_path: Path) -> None:
    assert served_journey(chosen(), journeys(tmp_path, "trip")) == "trip"


def test_of_several_one_has_to_be_named(tmp_path: Path) -> None:
    several = journeys(tmp_path, "outing", "trip")
    assert first_journey(chosen(), several) == ""
    with pytest.raises(NoSuchJourney, match=r"in SURESTEP_JOURNEY; one of: outing, trip\."):
        served_journey(chosen(), several)
    assert served_journey(chosen(journey="trip"), several) == "trip"
    assert served_journey(chosen(), several, "outing") == "outing"


def test_a_journey_that_was_named_and_is_not_there_is_not_another_one(tmp_path: Path) -> None:
    only = journeys(tmp_path, "trip")
    for settings, named in ((chosen(journey="tripp"), None), (chosen(), "tripp")):
        with pytest.raises(NoSuchJourney, match="There is no journey 'tripp'"):
            served_journey(settings, only, named)


def ran(folder: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """`python -m bot run` of a script."""
    return subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        input="",
        text=True,
        capture_output=True,
        cwd=ROOT,
        env=environment(folder, **changes),
        timeout=60,
        check=False,
    )


def test_without_credentials_and_without_a_keyboard_there_is_nothing_to_run(
    tmp_path: Path,
) -> None:
    done = ran(tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("No channel is set up.")
    assert done.stdout == ""


def test_without_credentials_a_script_that_says_something_is_talked_with(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        input="a meetup\nonline\n",
        text=True,
        capture_output=True,
        cwd=ROOT,
        env=environment(tmp_path),
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, "it was not submitted"
    assert "Kind of event: Meetup" in done.stdout


def test_a_missing_secret_is_wrong_use(tmp_path: Path) -> None:
    done = ran(tmp_path, SLACK_BOT_TOKEN="xoxb-1", SLACK_API_BASE="http://127.0.0.1:9/")
    assert done.returncode == 2
    assert "SLACK_SIGNING_SECRET" in done.stderr
