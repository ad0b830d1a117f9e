"""Where tests write their files: in memory, where the system has room there.

The bot waits for the disk at every commit, so that a power cut loses nothing. No test cuts the
power: a process that is killed loses nothing that it has handed to the system, on a disk or not.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 1 << 30
"""Bytes that must be free: many times what tests keep at once."""

VARIABLE = "PYTEST_DEBUG_TEMPROOT"
"""Where pytest makes `tmp_path`, as its own documentation names it."""


def write_to_memory(environ: dict[str, str] | os._Environ[str], memory: Path = MEMORY) -> None:
    """Let pytest make its folders in memory, unless somebody has chosen another place."""
    if VARIABLE in environ or not os.access(memory, os.W_OK):
        return
    if shutil.disk_usage(memory).free >= ROOM:
        environ[VARIABLE] = str(memory)
