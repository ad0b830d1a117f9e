"""A process with a journey whose submissions people look at, and one whose they do not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.core.admin.desk import MODERATION, Desk, desk_of, open_house, settings_for, write_trip


@pytest.fixture
async def desk(tmp_path: Path, sqlite_url: str) -> AsyncIterator[Desk]:
    """A trip is delivered as soon as it is confirmed."""
    write_trip(tmp_path / "journeys")
    async with open_house(settings_for(tmp_path, sqlite_url)) as house:
        yield desk_of(house)


@pytest.fixture
async def moderated(tmp_path: Path, database_url: str) -> AsyncIterator[Desk]:
    """A trip is looked at first, in the chat "room"."""
    write_trip(tmp_path / "journeys", MODERATION)
    async with open_house(settings_for(tmp_path, database_url)) as house:
        yield desk_of(house)
