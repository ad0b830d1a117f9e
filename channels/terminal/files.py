"""Files that are handed out in a terminal: a terminal shows none, so they are saved."""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path

_KEPT = re.compile(r"[^A-Za-z0-9._-]+")


def save(folder: Path, name: str, content: bytes) -> Path:
    """Save a file in a folder, which is made where it is not there; where it is now.

    It is called as `name` says, as far as that is plain, and takes no other file's place. Nobody
    else on the machine can read it. Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    plain = _KEPT.sub("-", Path(name).name).strip(".-") or "file"
    stem, suffix = Path(plain).stem, Path(plain).suffix
    for number in itertools.count(1):
        file = folder / (plain if number == 1 else f"{stem}-{number}{suffix}")
        try:
            with open(file, "xb", opener=_for_nobody_else) as opened:
                opened.write(content)
        except FileExistsError:
            continue
        return file
    raise AssertionError("there is always another number")


def _for_nobody_else(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
