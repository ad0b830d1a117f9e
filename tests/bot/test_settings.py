"""Wrong settings are named at the start, with what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import Settings, SettingsFaulty, load, variable


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and an environment without settings."""
    from bot.settings import Settings

    monkeypatch.chdir(tmp_path)
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    return tmp_path


def faults() -> list[str]:
    with pytest.raises(SettingsFaulty) as caught:
        load()
    return caught.value.faults


@pytest.mark.parametrize(
    "name, value, says",
    [
        ("SURESTEP_LOCALE", "klingon", "write a language such as en, de or es-MX"),
        ("SURESTEP_ZONE", "Mars", "write an IANA time zone, such as Europe/Berlin"),
        ("SURESTEP_COUNTRY", "de", "write a country's two capital letters, such as DE"),
        ("SURESTEP_JOURNEYS_DIR", "nowhere", "write the path of a folder that is there"),
        ("SURESTEP_LEASE", "long", "write a number, such as 60"),
        ("SURESTEP_MODEL_MAX_TOKENS", "many", "write a whole number, such as 4096"),
        ("SURESTEP_MODEL_MAX_TOKENS", "1", "write greater than or equal to 256"),
        ("SURESTEP_LOG_LEVEL", "loud", "write 'debug', 'info', 'warning' or 'error'"),
        ("ANTHROPIC_BASE_URL", "example.org", "write an address that starts with https://"),
    ],
)
def test_a_wrong_value_is_named_with_what_to_write(
    name: str, value: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    (fault,) = faults()
    assert fault.startswith(f"{name}: {says}")
    assert fault.endswith(f"(now: {value!r})")


def test_an_empty_variable_is_one_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SURESTEP_MODEL", "")
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "")
    assert load().model == Settings(_env_file=None).model != ""
    assert load().telegram_bot_token is None


def test_all_wrong_values_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SURESTEP_LOCALE", "klingon")
    monkeypatch.setenv("SURESTEP_ZONE", "Mars")
    assert [fault.partition(":")[0] for fault in faults()] == ["SURESTEP_LOCALE", "SURESTEP_ZONE"]


def test_a_line_of_an_env_file_that_cannot_be_read_is_named_without_its_content(
    folder: Path,
) -> None:
    (folder / ".env").write_text('SURESTEP_LOCALE=de\nANTHROPIC_API_KEY="sk-secret\n', "utf-8")
    assert faults() == [".env, line 2: write NAME=value, and close every quote"]


def test_an_env_file_that_is_no_text_is_named(folder: Path) -> None:
    (folder / ".env").write_bytes(b"SURESTEP_LOCALE=\xff\n")
    assert faults() == [".env: save it as UTF-8 text that this user may read"]


def test_an_env_file_from_windows_is_read(folder: Path) -> None:
    (folder / ".env").write_bytes(b"\xef\xbb\xbfSURESTEP_LOCALE=de\r\nSURESTEP_COUNTRY=DE\r\n")
    assert (load().locale, load().country) == ("de", "DE")


PRICE = '{"large": {"input": 3, "output": 15, "cache_read": 0.3, "cache_write": 3.75}}'


def test_prices_are_given_by_model(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load().prices == {}
    monkeypatch.setenv("SURESTEP_PRICES", PRICE)
    assert load().prices["large"].cache_read == 0.3


@pytest.mark.parametrize(
    "value",
    ["cheap", "[]", '{"large": 3}', PRICE.replace("3.75", "-1"), PRICE.replace("output", "out")],
)
def test_prices_that_cannot_be_are_refused_with_how_to_write_them(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SURESTEP_PRICES", value)
    (fault,) = faults()
    assert fault.startswith('SURESTEP_PRICES: write a JSON object such as {"MODEL": {"input": 1')
