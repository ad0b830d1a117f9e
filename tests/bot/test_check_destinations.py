"""The checker judges the settings of destinations, and tells what is missing on this machine."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from bot.check import FAULTY, RIGHT, check_and_print
from tests.support.folders import ENGLISH, MANIFEST, write

ROOT = Path(__file__).parents[2]
FILE = "destinations:\n  - {name: file, kind: jsonl, settings: {path: trips.jsonl}}\n"
EXAMPLE = re.findall(
    r"```yaml\n(destinations:\n.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL
)


CONTACT = "  - {name: contact, value: phone}\n"
"""What the example leaves out, where everybody can read."""


def checked(folder: Path, destinations: str) -> tuple[int, str]:
    """The exit code of the checker, and what it says."""
    assert FILE in MANIFEST
    english = ENGLISH + "  contact: {label: Contact, ask: How do we reach you?}\n"
    manifest = MANIFEST.replace(FILE, CONTACT + destinations)
    write(folder / "trip", manifest=manifest, en=english)
    screen = io.StringIO()
    console = Console(file=screen, width=300, highlight=False)
    return check_and_print([folder / "trip"], console), screen.getvalue()


def test_the_example_of_the_readme_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (example,) = EXAMPLE
    monkeypatch.setenv("EVENTS_WEBHOOK_SECRET", "long enough for a secret")
    assert checked(tmp_path, example) == (RIGHT, "1 journey checked: no faults.\n")


def test_an_item_to_leave_out_that_there_is_not_is_told_where_it_stands(tmp_path: Path) -> None:
    (example,) = EXAMPLE
    code, said = checked(tmp_path, example.replace("leave_out: [contact]", "leave_out: [contakt]"))
    lines = (tmp_path / "trip" / "manifest.yaml").read_text("utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "contakt" in text)
    assert code == FAULTY
    assert (
        f"manifest.yaml:{line} destination team: leave_out names contakt, which is no item of this"
        " journey\n    Did you mean contact?\n"
    ) in said


def test_a_variable_that_is_missing_is_told_and_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVENTS_WEBHOOK_SECRET", raising=False)
    code, said = checked(tmp_path, EXAMPLE[0])
    assert code == RIGHT
    assert said == (
        "journey trip, destination site: EVENTS_WEBHOOK_SECRET is not set; write it into the"
        " environment or into .env, and start again. Until then, what is confirmed waits for it.\n"
        "1 journey checked: no faults.\n"
    )


def test_a_secret_in_a_manifest_is_refused_where_it_stands(tmp_path: Path) -> None:
    hook = EXAMPLE[0].replace("$EVENTS_WEBHOOK_SECRET", "correct horse battery staple")
    code, said = checked(tmp_path, hook)
    assert code == FAULTY
    line = next(
        number
        for number, text in enumerate(
            (tmp_path / "trip" / "manifest.yaml").read_text("utf-8").splitlines(), 1
        )
        if "battery staple" in text
    )
    assert f"manifest.yaml:{line} destination site: these settings do not fit webhook" in said
    assert "Write the name of a variable, such as secret: $EVENTS_WEBHOOK_SECRET" in said
    assert "battery staple" not in said
