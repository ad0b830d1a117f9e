"""The reader on its own: JSON lines in, one JSON line out for each."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.cli import app

RUNNER = CliRunner()


def read(kind: str, text: str | bytes) -> tuple[int, list[dict[str, Any]]]:
    """The exit code, and what was printed."""
    done = RUNNER.invoke(app, ["read", kind], input=text)
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()]


def test_a_line_out_for_each_line_in_blank_ones_passed_over() -> None:
    code, lines = read("confirm", '{"reply": "yes"}\r\n\r\n{"reply": "yes but make it 20"}\n')
    assert code == 0
    assert [line["outcome"] for line in lines] == ["settled", "beside"]


def test_all_that_can_be_left_out_can_be_given() -> None:
    line = {
        "reply": "morgen um 17 Uhr",
        "now": "2026-12-01T09:00:00+01:00",
        "locale": "de",
        "currency": "EUR",
        "country": "DE",
        "options": ["A"],
    }
    _, (found,) = read("datetime", json.dumps(line))
    assert found == {"outcome": "settled", "value": "2026-12-02T17:00", "reason": None}
    _, (chosen,) = read("choice", '{"reply": "the second one", "options": ["Red", "Blue"]}')
    assert chosen["value"] == "Blue"


@pytest.mark.parametrize(
    "line, says",
    [
        ("yes", "not JSON"),
        ("[]", 'a text under "reply"'),
        ('{"reply": 3}', 'a text under "reply"'),
        ('{"reply": "5", "options": "A"}', '"options" is a list of texts'),
        ('{"reply": "5", "now": "yesterday"}', '"now" is a date and time'),
    ],
)
def test_an_unusable_line_is_named_and_the_next_one_is_read(line: str, says: str) -> None:
    code, lines = read("number", f'{line}\n{{"reply": "6"}}\n')
    assert code == 1
    assert lines[0]["error"].startswith("line 1: ")
    assert says in lines[0]["error"]
    assert lines[1]["value"] == 6


def test_a_file_from_windows_is_read_and_what_is_no_text_is_named() -> None:
    code, lines = read("number", b'\xef\xbb\xbf{"reply": "6"}\r\n{"reply": "\xff"}\r\n')
    assert code == 1
    assert lines[0]["value"] == 6
    assert lines[1]["error"] == "line 2: not UTF-8 text; save it as UTF-8"


def test_an_unknown_kind_is_answered_with_those_there_are() -> None:
    done = RUNNER.invoke(app, ["read", "dat"])
    assert done.exit_code == 2
    assert "date" in done.stderr
