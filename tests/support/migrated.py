"""An SQLite database as a bot's first start leaves it, made once in each process and then copied:
migrating takes longer than most of what is tested on it."""

from __future__ import annotations

import asyncio
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from core.store import Store


async def migrate(url: str) -> None:
    """Bring a database to the form that the code expects."""
    store = await Store.open(url)
    await store.migrate()
    await store.close()


def migrate_from_outside(url: str) -> None:
    """The same on a loop of its own, in a thread: a test's loop may be running."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, migrate(url)).result()


def begin_migrated(file: Path) -> None:
    """Make a database file that is migrated and has no row, unless the file is there."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_migrated())


@cache
def _migrated() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "migrated.db"
        migrate_from_outside(f"sqlite+aiosqlite:///{file}")
        left = {one.name for one in Path(folder).iterdir()} - {file.name}
        assert not left, f"not all of it is in the file: {left}"
        return file.read_bytes()
