"""Accounts as people write them, and owners as the settings have them."""

from __future__ import annotations

from typing import Any

import pytest

from bot.settings import Settings, SettingsFaulty
from bot.starting import only_complete
from core.admin.accounts import Owners, read_account
from core.store.part import written


@pytest.mark.parametrize(
    "text, near, account",
    [
        ("telegram:12345", "telegram:1", "telegram:12345"),
        ("@telegram:12345", "slack:T1:U1", "telegram:12345"),
        ("slack:T01/U02", "telegram:1", "slack:T01:U02"),
        ("slack:T01:U02", "telegram:1", "slack:T01:U02"),
        ("slack:U02", "slack:T01:U01", "slack:T01:U02"),
        ("<@U02>", "slack:T01:U01", "slack:T01:U02"),
        ("<@U02|bob>", "slack:T01:U01", "slack:T01:U02"),
        ("<@U02>", "telegram:1", ""),
        ("slack:U02", "telegram:1", ""),
        ("bob", "telegram:1", ""),
        ("12345", "telegram:1", ""),
        ("", "telegram:1", ""),
        ("telegram:1 or 1=1", "telegram:1", ""),
    ],
)
def test_an_account_is_read_as_it_is_written(text: str, near: str, account: str) -> None:
    assert read_account(text, near) == account
    if account:
        assert read_account(written(account), near) == account


def test_owners_are_named_with_commas_or_spaces_between_them() -> None:
    owners = Owners.of("telegram:1, slack:T01/U02 slack:U03")
    for account in ("telegram:1", "slack:T01:U02", "slack:T01:U03", "slack:T09:U03"):
        assert owners.has(account), account
    for account in ("telegram:12", "slack:T02:U02", "telegram:U03", "test:1", ""):
        assert not owners.has(account), account


def test_whoever_sits_at_the_terminal_is_an_owner() -> None:
    assert Owners().has("terminal:local")


def test_an_owner_that_is_no_account_is_named_with_what_to_write() -> None:
    with pytest.raises(ValueError, match="write accounts such as telegram:12345 or slack:T01/U02"):
        Settings(_env_file=None, owners="Anna")


def test_with_several_workspaces_an_owner_has_theirs() -> None:
    chosen: dict[str, Any] = {
        "slack_client_id": "1.2",
        "slack_client_secret": "s",
        "slack_signing_secret": "x",
    }
    with pytest.raises(SettingsFaulty, match="write slack:WORKSPACE/U02 instead of slack:U02"):
        only_complete(Settings(_env_file=None, slack_bot_token=None, owners="slack:U02", **chosen))
    only_complete(Settings(_env_file=None, slack_bot_token=None, owners="slack:T1/U02", **chosen))
