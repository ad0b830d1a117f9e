"""A log line never holds what somebody wrote, even where something went wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest
import structlog

from bot.logs import set_up


def test_a_line_that_cannot_be_written_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "log").open("w") as file:
        monkeypatch.setattr("sys.stderr", file)
        set_up("warning")
        structlog.get_logger().warning("turn_failed", lane="test:1")
    try:
        structlog.get_logger().warning("turn_failed", lane="test:2")
    finally:
        structlog.reset_defaults()
    written = (tmp_path / "log").read_text("utf-8")
    assert "test:1" in written
    assert "test:2" not in written


def test_an_exception_is_logged_as_its_type_and_places(capfd: pytest.CaptureFixture[str]) -> None:
    set_up("warning")
    try:
        secret = "my phone number is 030 901820"
        try:
            raise ValueError(secret)
        except ValueError:
            structlog.get_logger().exception("turn_failed", lane="test:1")
    finally:
        structlog.reset_defaults()
    logged = capfd.readouterr().err
    assert "turn_failed" in logged
    assert "ValueError" in logged
    assert "test_logs.py:" in logged
    assert "901820" not in logged
