"""Given this manifest, then the checker names this file, this line and this advice."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from ruamel.yaml import YAML

from bot.check import FAULTY, RIGHT, check, check_and_print, folders
from core.manifest import Kind
from tests.support.folders import MANIFEST, write

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "core"


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = YAML(typ="safe").load((CASES / name).read_text("utf-8"))
    return found


MANIFESTS = cases("faults_of_manifests.yaml")

PYTHON = """
    from core.step.base import Fetched
    from core.step.picker_dates import DateStep

    async def opening_hours(arguments, settled):
        return Fetched()

    STEPS = {"publish": DateStep()}
    TOOLS = {"opening_hours": opening_hours}
"""
HALLS = "id,label,capacity,city\n1,Mill,80,Berlin\n"
NAMED = "name: trip\nversion: 1\n"
SOMEWHERE = "destinations: [{name: file, kind: jsonl, settings: {path: x.jsonl}}]\n"


@pytest.fixture
def trip(tmp_path: Path) -> Path:
    return tmp_path / "trip"


def told(folder: Path, file: str) -> set[tuple[int, str]]:
    """What the checker says of a file: lines, each with what is wrong and what to write."""
    found = [one for one in check([folder]) if one.file == folder / file]
    return {(one.line, f"{one.message}. {one.instead}") for one in found}


def marked(text: str) -> set[int]:
    return {number for number, line in enumerate(text.splitlines(), 1) if "# here" in line}


@pytest.mark.parametrize("case", MANIFESTS, ids=[case["case"] for case in MANIFESTS])
def test_every_fault_of_a_manifest_has_its_line_and_its_advice(
    trip: Path, case: dict[str, Any]
) -> None:
    text = NAMED + case["manifest"]
    text += "" if "destinations:" in text else SOMEWHERE
    write(trip, manifest=text, journey=PYTHON, halls=HALLS)
    found = told(trip, "manifest.yaml")
    assert {advice for _, advice in found} == {fault.partition(": ")[2] for fault in case["faults"]}
    # What is missing altogether has no line of its own.
    assert {line for line, _ in found} == (marked(text) or {1})


def test_a_sound_journey_has_no_fault(trip: Path) -> None:
    assert check([write(trip)]) == []


def test_the_journeys_that_ship_have_no_fault() -> None:
    assert check() == []
    assert {folder.name for folder in folders([])} == {"event", "request"}


# What a path names


def test_a_path_is_a_journey_its_manifest_or_a_folder_of_journeys(tmp_path: Path) -> None:
    trip, tour = write(tmp_path / "trip"), write(tmp_path / "tour")
    assert folders([trip]) == [trip]
    assert folders([trip / "manifest.yaml", trip]) == [trip]
    assert folders([tmp_path]) == [tour, trip]


def test_a_path_that_is_no_journey_is_a_fault(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    found = check([missing])
    assert [(one.file, one.line, one.message) for one in found] == [
        (missing / "manifest.yaml", 1, "there is no such file")
    ]


# What is printed


def printed(*paths: Path) -> tuple[int, str]:
    out = io.StringIO()
    code = check_and_print(paths, Console(file=out, highlight=False, width=40))
    return code, out.getvalue()


def test_a_fault_is_printed_in_two_lines_however_narrow_the_window(
    trip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(trip.parent)
    write(trip, manifest=MANIFEST.replace("value: choice", "value: chioce"))
    code, text = printed(trip)
    assert code == FAULTY
    assert text.splitlines() == [
        "trip/manifest.yaml:5 item place: value is chioce",
        "    Did you mean choice?",
        "1 journey checked: 1 fault in 1.",
    ]


def test_what_stands_in_a_manifest_is_printed_as_it_is(trip: Path) -> None:
    write(trip, manifest=MANIFEST.replace("name: day", "name: '[red]day'"))
    assert "item [red]day: name is [red]day" in printed(trip)[1]


def test_journeys_without_a_fault_are_counted(tmp_path: Path) -> None:
    write(tmp_path / "trip")
    write(tmp_path / "tour", manifest=MANIFEST.replace("name: trip", "name: tour"))
    assert printed(tmp_path) == (RIGHT, "2 journeys checked: no faults.\n")


def test_the_command_names_the_fault_and_fails(trip: Path) -> None:
    write(trip, manifest=MANIFEST.replace("minimum: today", "minimum: tody"))
    command = [sys.executable, "-m", "bot", "check", str(trip)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == FAULTY
    assert f"{trip}/manifest.yaml:9 item day: minimum names tody" in done.stdout


def test_the_command_passes_what_ships() -> None:
    command = [sys.executable, "-m", "bot", "check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (RIGHT, "2 journeys checked: no faults.\n")


def test_a_kind_that_is_none_is_answered_with_all_there_are(tmp_path: Path) -> None:
    manifest = MANIFEST.replace("value: choice", "value: quux")
    (fault, *_) = [
        one for one in check([write(tmp_path / "trip", manifest=manifest)]) if "quux" in one.message
    ]
    assert fault.instead == f"Write one of: {', '.join(kind.value for kind in Kind)}."
