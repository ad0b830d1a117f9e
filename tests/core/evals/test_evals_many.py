"""Many chats in many processes come to what they come to in one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from core.evals.many import MOST_DEATHS, CannotStart, Planned, Played, PlayOne, play_many
from core.evals.record import ChatRecord, Lead
from core.evals.tally import Tally, tally
from tests.support import played
from tests.support.played import planned

ROOT = Path(__file__).parents[3]


def one_by_one(chats: list[Planned], play: PlayOne) -> Tally:
    return tally(
        play(Path(one.folder), one.scenario, lead=one.lead, model=one.model, seed=one.seed)
        for one in chats
    )


def test_in_any_number_of_processes_the_tally_is_the_same_bytes() -> None:
    chats = planned(60) + planned(60, lead=Lead.MODEL)
    alone = Played(tally=one_by_one(chats, played.play_made_up))
    for workers in (1, 3):
        found = play_many(chats, played.play_made_up, workers=workers)
        assert msgspec.json.encode(found) == msgspec.json.encode(alone)


def test_progress_is_told_until_all_are_done() -> None:
    seen: list[int] = []
    play_many(
        planned(40),
        played.play_made_up,
        workers=2,
        progress=lambda so_far: seen.append(so_far.played),
    )
    assert len(seen) > 2
    assert seen == sorted(seen)
    assert seen[-1] == 40


def test_no_chats_come_to_nothing() -> None:
    assert play_many([], played.play_made_up) == Played(tally=Tally())


def test_a_chat_that_raises_is_named_and_the_others_are_played() -> None:
    found = play_many(planned(30), played.play_with_faults, workers=2).tally.of(Lead.RUNTIME)
    assert (found.chats, found.crashed.chats) == (26, 4)
    assert [one.seed for one in found.crashed.examples if one.scenario == "words"] == [7, 21]
    assert found.crashed.examples[0].detail.startswith("ValueError: seed 14 is not played (played")
    assert (found.broken["G7"].times, found.broken["G7"].chats) == (6, 3)
    assert [(one.seed, one.turn) for one in found.broken["G7"].examples] == [
        (10, 2),
        (20, 2),
        (30, 2),
    ]


def test_a_chat_that_takes_its_process_down_is_found_and_the_others_are_played() -> None:
    chats = planned(60)
    found = play_many(chats, played.play_and_die, workers=1)
    assert found.stopped == ""
    crashed = found.tally.of(Lead.RUNTIME).crashed
    assert [(one.seed, one.detail) for one in crashed.examples] == [
        (13, f"its process died (exit code {-signal.SIGKILL})")
    ]
    rest = one_by_one([one for one in chats if one.seed != 13], played.play_made_up)
    assert msgspec.structs.replace(
        found.tally.of(Lead.RUNTIME), crashed=rest.of(Lead.RUNTIME).crashed
    ) == rest.of(Lead.RUNTIME)


def test_where_every_process_dies_it_is_given_up() -> None:
    found = play_many(planned(100), played.always_die, workers=2)
    assert found.stopped == f"{MOST_DEATHS} processes died"
    assert found.tally.of(Lead.RUNTIME).chats == 0


def play_of_nowhere(
    folder: Path, scenario: str, *, lead: Lead, model: str, seed: int
) -> ChatRecord:
    """A function that no other process finds."""
    return played.play_made_up(folder, scenario, lead=lead, model=model, seed=seed)


def test_where_no_process_can_start_it_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    play_of_nowhere.__module__ = "nowhere"
    sys.modules["nowhere"] = sys.modules[__name__]
    try:
        with pytest.raises(CannotStart):
            play_many(planned(3), play_of_nowhere, workers=1)
    finally:
        del sys.modules["nowhere"]
    assert "No module named 'nowhere'" in capfd.readouterr().err


INTERRUPTED = """
import signal
from multiprocessing import active_children
from core.evals.many import play_many
from tests.support import played

def progress(so_far):
    print(so_far.played, flush=True)

if __name__ == "__main__":
    # A shell lets what it starts in the background ignore Ctrl-C, and that is inherited.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    found = play_many(played.planned(400), played.play_until_stuck, workers=2, progress=progress)
    print(len(active_children()), found.stopped, found.tally.played, flush=True)
"""


def test_ctrl_c_ends_it_at_once_with_what_is_done(tmp_path: Path) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    process = subprocess.Popen(
        [sys.executable, str(script)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    # As a terminal does it: to all processes of the group.
    os.killpg(process.pid, signal.SIGINT)
    out, errors = process.communicate()
    assert errors == ""
    assert process.returncode == 0
    told, done = out.splitlines()[-1].rsplit(" ", 1)
    assert told == "0 it was interrupted"
    assert 0 < int(first) <= int(done) <= 40
