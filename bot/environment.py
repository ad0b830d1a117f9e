"""The environment, with what a `.env` file adds to it: what the settings of destinations name."""

from __future__ import annotations

import os
from pathlib import Path

from dotenv import dotenv_values


def environment(file: Path = Path(".env")) -> dict[str, str]:
    """Every variable that has a value; the environment's own wins."""
    written = dotenv_values(file, encoding="utf-8-sig") if file.is_file() else {}
    return {name: value for name, value in {**written, **os.environ}.items() if value}
