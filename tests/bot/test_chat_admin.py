"""Whoever sits at the terminal owns the bot: `/admin` there, in the real program."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.support.trip_folder import write_trip

ROOT = Path(__file__).parents[2]

TYPED = """\
the sea
5 February 2031
skip
/admin help
/admin journeys
/admin show 1
confirm
"""

AFTER = """\
/admin queue
/admin approve 1
/admin show 1
/admin stats trip
/admin export trip csv
/admin export trip csv
/admin audit
/admin erase terminal:local
/admin erase telegram:5
the hills
"""


def talks(folder: Path, script: str) -> str:
    """What the program prints for a script, in one conversation."""
    chosen = {
        "DATABASE_URL": f"sqlite+aiosqlite:///{folder / 'surestep.db'}",
        "SURESTEP_DATA_DIR": str(folder / "data"),
        "SURESTEP_JOURNEYS_DIR": str(folder / "journeys"),
        "SURESTEP_JOURNEY": "trip",
        "ANTHROPIC_API_KEY": "",
        "COLUMNS": "200",
    }
    ran = subprocess.run(
        [sys.executable, "-m", "bot", "chat", "--conversation", "mine"],
        input=script,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=ROOT,
        env={**os.environ, **chosen},
    )
    assert "Traceback" not in ran.stderr, ran.stderr
    return ran.stdout


def test_the_terminal_runs_the_bot_and_saves_what_is_made(tmp_path: Path) -> None:
    write_trip(tmp_path / "journeys", {"moderation": {"chat": "telegram:-1001"}})
    first = talks(tmp_path, TYPED)
    assert "You are owner here." in first
    assert "/admin approve N: let a submission go on" in first
    assert "trip: version 1" in first
    assert "There is no submission with the number 1." in first
    assert "The people in charge look at it first" in first

    then = talks(tmp_path, AFTER)
    assert "#1: A trip, since " in then
    assert "Approved: no. 1 is on its way." in then
    assert "was approved, and is on its way" in then
    assert "Decision: Approved by terminal:local, " in then
    assert "1 begun, 1 submitted" not in then, "the second journey was begun, too"
    assert "2 begun, 1 submitted (50%)" in then
    assert "terminal:local is an owner, so nothing was done." in then
    assert "erase telegram:5 yes - Yes, erase everything" in then

    saved = [Path(one) for one in re.findall(r"^Saved: (.+)$", then, re.MULTILINE)]
    assert [one.name for one in saved] == ["trip-funnel.png", "trip.csv", "trip-2.csv"]
    assert saved[0].read_bytes().startswith(b"\x89PNG")
    kept = [*saved, tmp_path / "surestep.db"]
    assert {one.stat().st_mode & 0o777 for one in kept} == {0o600}, "others use the machine, too"
    with saved[1].open(encoding="utf-8-sig", newline="") as opened:
        assert [row["place"] for row in csv.DictReader(opened)] == ["sea"]
