"""`python -m bot run` in a process of its own, in front of a platform's server on loopback."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tests.bot.test_chat import ROOT, environment


class Touched(Protocol):
    """A platform's server, whose tests look again when something has changed."""

    def touch(self) -> None:
        """Something changed."""
        ...


class Timed(Protocol):
    """A platform's server, whose clock stands still."""

    @property
    def now(self) -> float:
        """What it shows."""
        ...

    def passes(self, seconds: int) -> None:
        """Let time pass."""
        ...


def catch_up(server: Timed) -> None:
    """Let a server's clock go on to the real one, by which the program goes: in whole seconds, as
    platforms stamp messages, and after all that the program has done."""
    server.passes(max(0, math.ceil(time.time() - server.now) + 1))


@dataclass
class Program:
    """The program, running or ended."""

    process: asyncio.subprocess.Process
    watching: asyncio.Task[None]

    @property
    def dead(self) -> bool:
        """Whether it has ended."""
        return self.process.returncode is not None

    @property
    def code(self) -> int | None:
        """How it ended: its exit code, or the number of a signal below zero."""
        return self.process.returncode

    async def ends(self, how: signal.Signals = signal.SIGTERM) -> int | None:
        """Send it a signal, and wait for its end; how it ended."""
        os.kill(self.process.pid, how)
        async with asyncio.timeout(30):
            await self.watching
        return self.code


@asynccontextmanager
async def program(server: Touched, folder: Path, **chosen: str) -> AsyncIterator[Program]:
    """The real program with the small journey and these settings, its database, data and log in
    this folder; killed at the latest when the block ends."""
    settings = {
        "SURESTEP_JOURNEYS_DIR": str(folder / "journeys"),
        "SURESTEP_JOURNEY": "dinner",
        "SURESTEP_LEASE": "1",
        "SURESTEP_LOG_LEVEL": "debug",
        **chosen,
    }
    with (folder / "log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "run"),
            cwd=ROOT,
            env=environment(folder, **settings),
            stderr=log,
            stdout=log,
        )

    async def watch() -> None:
        await process.wait()
        server.touch()

    watching = asyncio.create_task(watch())
    try:
        yield Program(process, watching)
    finally:
        if process.returncode is None:
            os.kill(process.pid, signal.SIGKILL)
        await watching


def log_of(folder: Path) -> str:
    """What the program has logged."""
    return (folder / "log").read_text("utf-8", errors="replace")
