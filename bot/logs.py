"""Logging: one line an event on standard error, never the content of a conversation."""

from __future__ import annotations

import contextlib
import logging
import sys
import traceback
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any, TextIO

import structlog


def without_content(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """An exception as its type and the places that it went through.

    Its message and the values around it are left out: they may hold what somebody wrote (G14).
    """
    given = event.pop("exc_info", None)
    error = sys.exc_info()[1] if given is True else given
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        frames = traceback.extract_tb(error.__traceback__)
        places = (f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames)
        event["error"] = type(error).__name__
        event["at"] = " > ".join(places)
    return event


class Lines:
    """Writes log lines. One that cannot be written (the pipe's other end is gone) ends no turn."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def msg(self, message: str) -> None:
        """Write one line."""
        with contextlib.suppress(OSError, ValueError):
            print(message, file=self._file, flush=True)

    debug = info = warning = error = critical = msg


def set_up(level: str, file: TextIO | None = None) -> None:
    """Log from this level on, to standard error where no file is given; other libraries' records
    are shown from warnings on."""
    number = logging.getLevelNamesMapping()[level.upper()]
    written = file or sys.stderr
    logging.basicConfig(
        stream=written, level=max(number, logging.WARNING), format="%(message)s", force=True
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            without_content,
            structlog.dev.ConsoleRenderer(colors=True)
            if written.isatty()
            else structlog.processors.LogfmtRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=lambda *_: Lines(file or sys.stderr),
    )


@contextlib.contextmanager
def apart(level: str, file: Path) -> Iterator[None]:
    """Log to a file for as long as the block takes: a talk on the screen is not interrupted."""
    with file.open("a", encoding="utf-8") as opened:
        set_up(level, opened)
        try:
            yield
        finally:
            set_up(level)
