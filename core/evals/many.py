"""Plays many chats in parallel, in processes of their own.

What comes of it does not depend on how many processes there are, nor on which is the quickest: a
chat is its scenario, lead, model and seed, and tallies add up in any order. A chat that raises is
counted as crashed and named; one that takes its whole process down is found and named too, and the
others are played all the same.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from traceback import extract_tb
from typing import Protocol

import msgspec

from core.evals.record import ChatRecord, Lead
from core.evals.tally import Example, Tally, tally_of, tally_of_crash

MOST_IN_A_CHUNK = 25
"""Chats that a process is handed at once: few, so that progress is seen and Ctrl-C loses little."""

MOST_DEATHS = 8
"""Processes that may die before it is given up: what kills so many is not a single chat."""

_SPAWN = get_context("spawn")
_PATIENCE = 5.0
"""Seconds for a process to end by itself when there is nothing left to do."""


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """A chat that is to be played: `folder` is its journey's."""

    folder: str
    scenario: str
    lead: Lead
    model: str
    seed: int


class PlayOne(Protocol):
    """How a chat is played. It is sent to other processes, so it is a function of a module."""

    def __call__(
        self, folder: Path, scenario: str, *, lead: Lead, model: str, seed: int
    ) -> ChatRecord:
        """Play it from its start to its end; the same arguments give the same record."""
        ...


Progress = Callable[[Tally], None]
"""Told what has come of the chats so far, every time that some are done."""


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it. `stopped` says why not all chats were played; empty when they were."""

    tally: Tally
    stopped: str = ""


class CannotStart(RuntimeError):
    """No process could be started that plays chats; its own words are on standard error."""


def processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_many(
    chats: Sequence[Planned],
    play: PlayOne,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Played:
    """Play all chats in so many processes, one for each processor unless it is said.

    Ctrl-C ends it at once, with what is done so far. Raises CannotStart.
    """
    wanted = min(workers or processors(), len(chats))
    crew = _Crew(play, _chunks(chats, wanted), progress or (lambda _: None))
    try:
        for _ in range(wanted):
            crew.hire()
        while crew.workers:
            crew.hear()
    except KeyboardInterrupt:
        crew.stopped = "it was interrupted"
    finally:
        crew.dismiss()
    return Played(tally=crew.tally, stopped=crew.stopped)


def _chunks(chats: Sequence[Planned], workers: int) -> deque[Sequence[Planned]]:
    size = max(1, min(MOST_IN_A_CHUNK, len(chats) // (8 * max(1, workers))))
    return deque(chats[start : start + size] for start in range(0, len(chats), size))


# The processes


class _Worker:
    """A process that plays the chats that it is handed, and what it has in hand."""

    def __init__(self, play: PlayOne) -> None:
        self.connection, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_work, args=(theirs, play), daemon=True)
        with _no_interrupt():
            self.process.start()
        theirs.close()
        self.has_begun = False
        self.in_hand: Sequence[Planned] = ()


class _Crew:
    """All processes, what waits for them, and what has come of the rest."""

    def __init__(
        self, play: PlayOne, waiting: deque[Sequence[Planned]], progress: Progress
    ) -> None:
        self.play, self.waiting, self.progress = play, waiting, progress
        self.workers: dict[Connection, _Worker] = {}
        self.tally = Tally()
        self.deaths = 0
        self.stopped = ""

    def hire(self) -> None:
        """Start another process; it is handed something when it reports."""
        worker = _Worker(self.play)
        self.workers[worker.connection] = worker

    def hear(self) -> None:
        """Wait for some processes to report, and hand them the next chats."""
        reporting = wait(list(self.workers))
        for worker in [one for one in self.workers.values() if one.connection in reporting]:
            try:
                came = worker.connection.recv()
            except (EOFError, OSError):
                self._died(worker)
            else:
                self._reported(worker, came)

    def _reported(self, worker: _Worker, came: Tally) -> None:
        worker.has_begun, worker.in_hand = True, ()
        self._add(came)
        if not self.waiting:
            self._let_go(worker)
            return
        worker.in_hand = self.waiting.popleft()
        # A process that has just died is heard of at the next look.
        with suppress(OSError):
            worker.connection.send(worker.in_hand)

    def _died(self, worker: _Worker) -> None:
        self._let_go(worker)
        if not worker.has_begun:
            raise CannotStart("a process that plays chats could not be started")
        if self.stopped:
            return
        self.deaths += 1
        if len(worker.in_hand) == 1:
            told = f"its process died (exit code {worker.process.exitcode})"
            self._add(_crashed(worker.in_hand[0], told))
        else:
            # One of them did it: each is played alone, until it is known which.
            self.waiting.extendleft([one] for one in reversed(worker.in_hand))
        if self.deaths >= MOST_DEATHS:
            self.stopped = f"{self.deaths} processes died"
            self.waiting.clear()
        elif self.waiting:
            self.hire()

    def _add(self, came: Tally) -> None:
        if came.leads:
            self.tally += came
            self.progress(self.tally)

    def _let_go(self, worker: _Worker) -> None:
        del self.workers[worker.connection]
        worker.connection.close()
        worker.process.join(_PATIENCE)

    def dismiss(self) -> None:
        """End what still runs, at once."""
        for worker in self.workers.values():
            worker.process.terminate()
        for worker in list(self.workers.values()):
            self._let_go(worker)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """What is started here never hears of Ctrl-C, not even before its first line of Python: it
    reaches every process of a terminal, and whoever started this one ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Starting the tracker would let signals through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(connection: Connection, play: PlayOne) -> None:
    """What a process does: report (at first, that it is there), take chats, play them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    came = Tally()
    with suppress(EOFError, OSError):
        while True:
            connection.send(came)
            chats: Sequence[Planned] = connection.recv()
            came = sum((_played(one, play) for one in chats), Tally())


def _played(chat: Planned, play: PlayOne) -> Tally:
    try:
        record = play(
            Path(chat.folder), chat.scenario, lead=chat.lead, model=chat.model, seed=chat.seed
        )
    except Exception as error:
        frame = extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}, line {frame.lineno}"
        return _crashed(chat, f"{type(error).__name__}: {error} ({place})")
    return tally_of(record)


def _crashed(chat: Planned, told: str) -> Tally:
    example = Example(
        journey=Path(chat.folder).name,
        scenario=chat.scenario,
        seed=chat.seed,
        model=chat.model,
        detail=told,
    )
    return tally_of_crash(chat.lead, example)
