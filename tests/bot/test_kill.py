"""kill -9 between any two writes: after a restart the open ask is there, nothing is lost, nothing
is doubled (G13). The program kills itself at a named point; see `core.store.crash`."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.store.crash import POINTS
from tests.bot.test_chat import ROOT, environment
from tests.support.walker import CONTENT

NOT_ON_THIS_WAY = ("fail", "retry", "load-directory", "begin-delivery")
"""Operations that a journey without faults does not pass, or passes before it begins; a file knows
its keys, so that nothing is written down before it is delivered to."""

PASSED = [point for point in POINTS if not any(name in point for name in NOT_ON_THIS_WAY)]


def walk(folder: Path, *until: str, crash: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.support.walker", "anna", *until],
        text=True,
        capture_output=True,
        cwd=ROOT,
        env=environment(folder, SURESTEP_CRASH=crash, SURESTEP_LEASE="1"),
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="session")
def nearly_done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journey in which all but the last text is answered."""
    folder = tmp_path_factory.mktemp("nearly-done")
    begun = walk(folder, "description")
    assert begun.returncode == 0, begun.stdout[-2000:] + begun.stderr[-2000:]
    return folder


@pytest.mark.parametrize("point", PASSED)
def test_a_kill_anywhere_loses_nothing_and_doubles_nothing(
    tmp_path: Path, nearly_done: Path, point: str
) -> None:
    folder = tmp_path / "chat"
    shutil.copytree(nearly_done, folder)
    killed = walk(folder, crash=point)
    assert killed.returncode == -signal.SIGKILL, killed.stderr[-2000:]

    again = walk(folder)
    assert again.returncode == 0, again.stdout[-2000:] + again.stderr[-2000:]

    written = (folder / "data" / "events.jsonl").read_text("utf-8").splitlines()
    assert len(written) == 1
    content = json.loads(written[0])["content"]
    assert content.pop("venue")["label"] == "Lindenhof Saal"
    assert content == CONTENT
    opened = [line for line in killed.stdout.splitlines() if line.startswith("open: ")]
    reopened = [line for line in again.stdout.splitlines() if line.startswith("open: ")]
    if reopened and opened:
        assert reopened[0] in (opened[-1], *_after(opened[-1])), (opened, reopened)


def _after(line: str) -> list[str]:
    """What may be open when the answer to this ask was taken before the kill."""
    order = [f"open: {name}" for name in (*CONTENT, "summary")]
    order.insert(order.index("open: format") + 1, "open: venue")
    return order[order.index(line) + 1 :][:1]
