"""A whole journey through the terminal, as a script drives it: the real program, a process."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.folders import write
from tests.support.walker import CONTENT

ROOT = Path(__file__).parents[2]

WORDS = """\
a meetup
in person please
Lindenhof Saal
5 February 2027
7 pm
two hours
60 people
free
Ada Lovelace
Grace Hopper
that's all
english and german
Anna Meier
anna@example.org
+49 30 901820
skip
now
yes
Python Evening
An evening about testing in Python, with two short talks and pizza.
yes, that's all right
"""

TAPS = """\
1
1
2
5 February 2027
19:00
120 minutes
60
1
Ada Lovelace
Grace Hopper
Done
english and german
Name: Anna Meier
E-mail: anna@example.org
Phone: +49 30 901820
Skip
Now
1
Python Evening
An evening about testing in Python, with two short talks and pizza.
Confirm
"""


def environment(folder: Path, **changes: str) -> dict[str, str]:
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    return {
        **kept,
        "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/chat.db",
        "SURESTEP_DATA_DIR": str(folder / "data"),
        "COLUMNS": "88",
        **changes,
    }


def chat(
    folder: Path, script: str, *options: str, **changes: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", "chat", *options],
        input=script,
        text=True,
        capture_output=True,
        cwd=ROOT,
        env=environment(folder, **changes),
        timeout=120,
        check=False,
    )


def lines(folder: Path) -> list[dict[str, object]]:
    file = folder / "data" / "events.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("script", [WORDS, TAPS], ids=["words", "taps"])
def test_a_piped_journey_with_no_model_is_submitted_with_exactly_what_was_typed(
    tmp_path: Path, script: str
) -> None:
    done = chat(tmp_path, script)

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert "ANTHROPIC_API_KEY" in done.stdout
    assert done.stderr == ""
    (written,) = lines(tmp_path)
    content = dict(written["content"])  # type: ignore[call-overload]
    venue = content.pop("venue")
    assert content == CONTENT
    assert venue["label"] == "Lindenhof Saal"
    assert venue["capacity"] == 180


def test_a_script_that_stops_half_way_submits_nothing_and_says_so_by_its_exit_code(
    tmp_path: Path,
) -> None:
    done = chat(tmp_path, "a meetup\nonline\n")
    assert done.returncode == 1
    assert not (tmp_path / "data" / "events.jsonl").exists()


def test_a_named_conversation_goes_on_where_it_stopped(tmp_path: Path) -> None:
    begun, rest = WORDS.splitlines()[:7], WORDS.splitlines()[7:]
    first = chat(tmp_path, "\n".join(begun) + "\n", "--conversation", "anna")
    assert first.returncode == 1
    second = chat(tmp_path, "\n".join(rest) + "\n", "--conversation", "anna")
    assert second.returncode == 0, second.stdout[-3000:]
    assert len(lines(tmp_path)) == 1


@pytest.mark.parametrize("word", ["quit", "Bye"])
def test_the_plain_word_leaves_and_answers_nothing(tmp_path: Path, word: str) -> None:
    done = chat(tmp_path, f"{word}\na meetup\n", "--conversation", "anna")
    assert done.returncode == 1
    assert "Kind of event: Meetup" not in done.stdout
    assert "What you have entered is kept" in done.stdout


def test_a_model_that_cannot_be_reached_puts_no_log_line_into_the_talk(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        nowhere = f"http://127.0.0.1:{gone.getsockname()[1]}"
    away = {"ANTHROPIC_API_KEY": "a", "ANTHROPIC_BASE_URL": nowhere, "SURESTEP_MODEL_DEADLINE": "1"}
    done = chat(tmp_path, "what is this about?\n", **away)
    assert "I can't answer that right now" in done.stdout
    assert done.stderr == f"What went wrong is in {tmp_path}/data/chat.log.\n"
    assert "model_failed" in (tmp_path / "data" / "chat.log").read_text("utf-8")

    # and who asks for a log gets it
    done = chat(tmp_path, "what is this about?\n", SURESTEP_LOG_LEVEL="warning", **away)
    assert "model_failed" in done.stderr


def test_a_faulty_journey_is_left_out_in_one_short_line(tmp_path: Path) -> None:
    write(tmp_path / "journeys" / "trip")
    write(tmp_path / "journeys" / "bad", manifest="name: bad\nversion: 0\nitems: []\n")
    done = chat(tmp_path, "the sea\n", SURESTEP_JOURNEYS_DIR=str(tmp_path / "journeys"))
    first, *_ = done.stderr.splitlines()
    assert first.startswith("The journey bad is left out: ")
    assert first.endswith(" faults, see python -m bot check")
    assert "Place: The sea" in done.stdout


def test_the_request_journey_is_walked_too(tmp_path: Path) -> None:
    done = chat(tmp_path, "", "--journey", "request")
    assert done.returncode == 1
    assert done.stderr == ""


def test_an_unknown_journey_is_named_with_those_there_are(tmp_path: Path) -> None:
    done = chat(tmp_path, "", "--journey", "wedding")
    assert done.returncode == 2
    assert "event" in done.stderr
    assert "request" in done.stderr


def test_a_faulty_setting_is_named_with_what_to_write(tmp_path: Path) -> None:
    done = chat(tmp_path, "", SURESTEP_ZONE="Moon", SURESTEP_MODEL_DEADLINE="-1")
    assert done.returncode == 2
    assert "SURESTEP_ZONE: write an IANA time zone" in done.stderr
    assert "SURESTEP_MODEL_DEADLINE" in done.stderr


def test_the_database_address_is_never_repeated_in_a_complaint(tmp_path: Path) -> None:
    done = chat(tmp_path, "", DATABASE_URL="mysql://anna:secret@host/x")
    assert done.returncode == 2
    assert "secret" not in done.stderr + done.stdout
    assert "sqlite+aiosqlite" in done.stderr


def test_a_database_that_cannot_be_opened_is_said_in_a_line(tmp_path: Path) -> None:
    done = chat(tmp_path, "", DATABASE_URL=f"sqlite+aiosqlite:///{tmp_path}")
    assert done.returncode == 2
    assert done.stderr.startswith("DATABASE_URL: ")
    assert "Traceback" not in done.stderr


def test_a_data_folder_that_cannot_be_written_is_named_before_a_journey_begins(
    tmp_path: Path,
) -> None:
    file = tmp_path / "file"
    file.write_text("no folder", "utf-8")
    done = chat(tmp_path, WORDS, SURESTEP_DATA_DIR=str(file / "data"))
    assert done.returncode == 2
    assert "SURESTEP_DATA_DIR: write a folder" in done.stderr
    assert done.stdout == ""


def test_what_is_no_text_is_refused_kindly_and_the_journey_goes_on(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "chat"],
        input=b"\xef\xbb\xbfa meetup\r\n\xff\xfe\r\nonline\r\n",
        capture_output=True,
        cwd=ROOT,
        env=environment(tmp_path),
        timeout=120,
        check=False,
    )
    shown = done.stdout.decode()
    assert "Kind of event: Meetup" in shown
    assert "not UTF-8" in shown
    assert "Format: Online" in shown
    assert done.stderr == b""
