"""A file of JSON lines has every submission once, whatever happens while it is written."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from core.delivery import Confirmed, Delivered, Failed, Jsonl, JsonlFile, Means
from core.effects import Submission
from tests.support.journeys import dinner

ROOT = Path(__file__).parents[3]


def submission(journey: str = "j1", content: str = '{"title":"Ünïcode 👋"}') -> Submission:
    return Submission(
        journey=journey,
        manifest="event",
        digest="d1",
        revision="0123456789abcdef",
        content=content,
        sources={"title": "typed"},
        person="anna",
        zone="Europe/Berlin",
    )


CONFIRMED = Confirmed(
    at=datetime(2026, 12, 1, 10, 0, 0, 250_000, timezone(timedelta(hours=1))),
    channel="telegram",
    type=dinner(),
)


def line(number: int) -> bytes:
    return (
        f'{{"key":"j{number}:file","journey":"j{number}","manifest":"event","digest":"d1",'
        '"revision":"0123456789abcdef","person":"anna","channel":"telegram",'
        '"zone":"Europe/Berlin","submitted_at":"2026-12-01T09:00:00Z",'
        '"content":{"title":"Ünïcode 👋"},"sources":{"title":"typed"}}\n'
    ).encode()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "events.jsonl"


def give(destination: JsonlFile, *numbers: int) -> None:
    """Deliver these submissions."""

    async def all_of_them() -> None:
        for number in numbers:
            outcome = await destination.deliver(
                submission(f"j{number}"), f"j{number}:file", CONFIRMED
            )
            assert outcome == Delivered()

    asyncio.run(all_of_them())


def deliver(file: Path, *numbers: int) -> None:
    """Deliver these submissions, as a process that was just started does."""
    give(JsonlFile(file), *numbers)


def test_a_submission_is_one_line_with_its_key(file: Path) -> None:
    deliver(file, 1, 2)
    assert file.read_bytes() == line(1) + line(2)


@pytest.mark.parametrize(
    "content",
    [
        '{"b":1.0,"a":[1e3,{"z":null}]}',
        '{"text":"line\\nbreak \\u2028 \\ud83d\\ude00 \\"quoted\\""}',
        '{"text":"Größe €,  two spaces"}',
        "{}",
    ],
)
def test_the_content_is_byte_for_byte_what_was_confirmed(file: Path, content: str) -> None:
    asyncio.run(JsonlFile(file).deliver(submission(content=content), "k", CONFIRMED))
    written = file.read_bytes()
    assert written.count(b"\n") == 1
    assert b',"content":' + content.encode() + b',"sources":' in written


def test_a_key_is_written_once(file: Path) -> None:
    destination = JsonlFile(file)
    give(destination, 1, 1, 1)
    deliver(file, 1)
    assert file.read_bytes() == line(1)


def test_a_file_cut_at_any_byte_is_whole_after_the_next_delivery(file: Path) -> None:
    whole = line(1) + line(2)
    for cut in range(len(whole)):
        file.write_bytes(whole[:cut])
        deliver(file, 1, 2)
        assert file.read_bytes() == whole, f"cut at byte {cut}"


def test_a_running_writer_notices_that_its_file_was_cut(file: Path) -> None:
    destination = JsonlFile(file)
    give(destination, 1)
    file.write_bytes(line(1)[:-20])
    give(destination, 1)
    assert file.read_bytes() == line(1)


def test_a_file_that_was_taken_away_is_begun_anew(file: Path) -> None:
    destination = JsonlFile(file)
    give(destination, 1)
    file.rename(file.with_suffix(".old"))
    give(destination, 2)
    assert file.read_bytes() == line(2)


def test_a_tail_of_zeros_after_a_power_cut_is_taken_away(file: Path) -> None:
    file.write_bytes(line(1) + b"\0" * 300)
    deliver(file, 2)
    assert file.read_bytes() == line(1) + line(2)


def test_lines_of_others_stay(file: Path) -> None:
    others = b'{"key": 5}\nnot JSON\n\n[1]\n\xff\xfe\n'
    file.write_bytes(others)
    deliver(file, 1)
    assert file.read_bytes() == others + line(1)


def test_a_line_of_others_without_its_end_stays(file: Path) -> None:
    file.write_text('{"note": "checked by Bob"', "utf-8")
    deliver(file, 1)
    assert file.read_text("utf-8").splitlines()[0] == '{"note": "checked by Bob"'
    assert len(file.read_text("utf-8").splitlines()) == 2


def test_a_longer_file_than_is_read_at_once_is_known_to_its_end(file: Path) -> None:
    filler = b'{"key":"%d","filler":"%s"}\n'
    file.write_bytes(b"".join(filler % (n, b"x" * 5000) for n in range(500)) + line(1))
    size = file.stat().st_size
    deliver(file, 1)
    assert file.stat().st_size == size > 2 * (1 << 20)


def test_two_writers_in_one_process_write_each_key_once(file: Path) -> None:
    writers = [JsonlFile(file) for _ in range(4)]

    async def all_at_once() -> None:
        await asyncio.gather(
            *(
                writer.deliver(submission(f"j{number}"), f"j{number}:file", CONFIRMED)
                for number in range(25)
                for writer in writers
            )
        )

    asyncio.run(all_at_once())
    lines = file.read_bytes().splitlines(keepends=True)
    assert sorted(lines) == sorted(line(number) for number in range(25))


WRITER = """
import asyncio, resource, sys
from pathlib import Path
from core.delivery import JsonlFile
from tests.core.delivery.test_delivery_jsonl import CONFIRMED, submission

async def main(file, first, last, limit):
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    destination = JsonlFile(Path(file))
    for number in range(first, last):
        outcome = await destination.deliver(submission(f"j{number}"), f"j{number}:file", CONFIRMED)
        print(number, outcome, flush=True)

asyncio.run(main(sys.argv[1], *map(int, sys.argv[2:])))
"""


def writing(file: Path, first: int, last: int, limit: int = 0) -> subprocess.Popen[str]:
    """Another process that delivers these submissions, and says so after each."""
    arguments = [str(file), str(first), str(last), str(limit)]
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


def test_several_processes_write_each_key_once(file: Path) -> None:
    running = [writing(file, 0, 30) for _ in range(3)]
    for one in running:
        one.communicate()
    lines = file.read_bytes().splitlines(keepends=True)
    assert sorted(lines) == sorted(line(number) for number in range(30))


@pytest.mark.parametrize("seen", [1, 4, 9])
def test_what_was_acknowledged_before_a_kill_is_there_once(file: Path, seen: int) -> None:
    with writing(file, 0, 1000) as running:
        assert running.stdout is not None
        acknowledged = [running.stdout.readline() for _ in range(seen)]
        running.kill()
    assert all("Delivered" in one for one in acknowledged)
    after = file.read_bytes()
    assert after.startswith(b"".join(line(number) for number in range(seen)))

    deliver(file, *range(20))
    keys = [json.loads(one)["key"] for one in file.read_bytes().splitlines()]
    assert len(keys) == len(set(keys)) >= 20


def test_a_full_disk_leaves_no_half_line(file: Path) -> None:
    limit = 2 * len(line(1)) + 10
    said, _ = writing(file, 1, 4, limit).communicate()
    assert [one.split()[1].partition("(")[0] for one in said.splitlines()] == [
        "Delivered", "Delivered", "Failed"
    ]  # fmt: skip
    assert "File too large" in said
    assert file.read_bytes() == line(1) + line(2)


def test_a_folder_that_cannot_be_made_is_a_failure_that_may_pass(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file in the way")
    blocked = JsonlFile(tmp_path / "data" / "events.jsonl")
    outcome = asyncio.run(blocked.deliver(submission(), "k", CONFIRMED))
    assert isinstance(outcome, Failed)
    assert outcome.reason.startswith("events.jsonl: ")

    (tmp_path / "data").unlink()
    give(blocked, 1)


def test_only_the_bots_own_user_can_read_the_file(file: Path) -> None:
    deliver(file, 1)
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "settings, fault",
    [
        ({"path": "events.jsonl"}, ""),
        ({"path": "2026/events.jsonl"}, ""),
        ({}, "Write settings: {path: submissions.jsonl}."),
        ({"path": 5}, "Write a path in the data folder that ends in .jsonl, and not 5."),
        ({"path": "a.jsonl", "mode": "w"}, "Take mode out; its settings are: path."),
        ({"path": "$EVENTS_FILE"}, ""),
        ({"path": "$EVENTS FILE"}, "Write the name of a variable, such as path: $NAME."),
        (
            {"path": "../a.jsonl"},
            "Write a path in the data folder that ends in .jsonl, and not ../a.jsonl.",
        ),
        (
            {"path": "/etc/a.jsonl"},
            "Write a path in the data folder that ends in .jsonl, and not /etc/a.jsonl.",
        ),
        (
            {"path": "events.csv"},
            "Write a path in the data folder that ends in .jsonl, and not events.csv.",
        ),
    ],
)
def test_settings_are_judged(
    tmp_path: Path, settings: dict[str, str | int | bool], fault: str
) -> None:
    assert Jsonl().fault(settings) == fault
    if not fault and "$" not in str(settings["path"]):
        made = Jsonl().make(settings, Means(tmp_path))
        assert made.file == tmp_path / str(settings["path"])


def test_what_a_variable_holds_is_judged_when_it_is_known(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^path: Write a path in the data folder"):
        Jsonl().make({"path": "/etc/passwd"}, Means(tmp_path))
