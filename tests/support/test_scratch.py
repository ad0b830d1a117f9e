"""Tests write to memory where there is room, and wherever else somebody wants them to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import scratch
from tests.support.scratch import VARIABLE, write_to_memory


def test_where_there_is_room_they_write_there(tmp_path: Path) -> None:
    environ: dict[str, str] = {}
    write_to_memory(environ, tmp_path)
    assert environ == {VARIABLE: str(tmp_path)}


def test_what_somebody_has_chosen_stays(tmp_path: Path) -> None:
    environ = {VARIABLE: "/elsewhere"}
    write_to_memory(environ, tmp_path)
    assert environ == {VARIABLE: "/elsewhere"}


def test_where_there_is_no_such_place_nothing_is_chosen(tmp_path: Path) -> None:
    environ: dict[str, str] = {}
    write_to_memory(environ, tmp_path / "nowhere")
    assert environ == {}


def test_where_there_is_little_room_nothing_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch, "ROOM", 1 << 60)
    environ: dict[str, str] = {}
    write_to_memory(environ, tmp_path)
    assert environ == {}
