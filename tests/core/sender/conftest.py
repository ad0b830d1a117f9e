"""A sender, its store and its platform."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from core.sender import Sender
from core.store import Store
from tests.core.sender.one_platform import Platform


@pytest.fixture
async def store(sqlite_url: str) -> AsyncIterator[Store]:
    opened = await Store.open(sqlite_url)
    await opened.migrate()
    yield opened
    await opened.close()


@pytest.fixture
async def platform() -> Platform:
    return Platform()


@pytest.fixture
def sender(store: Store, platform: Platform) -> Sender:
    # So long without a ring that only the bell can have woken it.
    return Sender(store, "sender", {"test": platform}, idle=3600)
