"""The terminal with a person at the keyboard: a real pseudo-terminal, the real program."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

from tests.bot.test_chat import ROOT, environment


def typed(folder: Path, *keys: bytes) -> tuple[int, str]:
    """Start the program, type keys each time it prompts; the exit code and what was on screen."""
    ours, theirs = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "bot", "run"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=ROOT,
        env=environment(folder, TERM="xterm", PROMPT_TOOLKIT_NO_CPR="1"),
        start_new_session=True,
    )
    os.close(theirs)
    watchdog = threading.Timer(100, program.kill)
    watchdog.start()
    screen, waiting = b"", list(keys)
    prompted = 0
    while True:
        try:
            more = os.read(ours, 4096)
        except OSError:
            break
        if not more:
            break
        screen += more
        # The prompt is where the program has let the terminal paste in one piece.
        if waiting and screen.count(b"\x1b[?2004h") > prompted:
            prompted += 1
            os.write(ours, waiting.pop(0))
    code = program.wait()
    watchdog.cancel()
    os.close(ours)
    return code, screen.decode(errors="replace")


def test_who_leaves_has_done_nothing_wrong_and_comes_back_to_the_open_question(
    tmp_path: Path,
) -> None:
    code, screen = typed(tmp_path, b"1\r", b"/quit\r")
    assert code == 0, screen
    assert "Kind of event: Meetup" in screen
    assert "What you have entered is kept" in screen

    code, screen = typed(tmp_path, b"\x03")
    assert code == 0, screen
    assert "Where does it take place?" in screen
    assert "What kind of event is it?" not in screen
    assert "Traceback" not in screen
