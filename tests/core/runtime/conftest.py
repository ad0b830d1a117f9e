"""Processes to test the shell with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from core.model import Scripted
from core.runtime import Rules, Runtime
from core.sender import Sender
from core.step.base import Fetch, Fetched
from core.store import Store
from tests.core.runtime.one_bot import Bot, Screen, Start
from tests.support.chat import Types
from tests.support.journeys import dinner, halls


@pytest.fixture
async def start(database_url: str) -> AsyncIterator[Start]:
    """Starts a bot on the test's database; several share it, as processes would."""
    opened: list[Store] = []

    async def bot(model: Scripted | None = None, **rules: float) -> Bot:
        store = await Store.open(database_url)
        opened.append(store)
        await store.migrate()
        screen, model = Screen(), model or Scripted()
        ids = iter(range(1000))

        async def tools(fetch: Fetch) -> Fetched:
            return halls(fetch)

        runtime = Runtime(
            store=store,
            types=Types((dinner(),)),
            model=model,
            tools=tools,
            clock=lambda: datetime.now(UTC),
            fresh=lambda: f"j{next(ids)}",
            owner=f"worker{len(opened)}",
            starts="dinner",
            channels={"test": screen},
            rules=Rules(look=0.01, retry=0.01, **rules),  # type: ignore[arg-type]
        )
        sender = Sender(store, f"sender{len(opened)}", {"test": screen})
        return Bot(store, model, screen, runtime, sender)

    yield bot
    for store in opened:
        await store.close()
