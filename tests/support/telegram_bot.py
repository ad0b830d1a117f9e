"""The whole program in Telegram, on the loopback server: what `python -m bot run` serves, with its
clock set to the server's.

    async with TelegramServer() as server, telegram_bot(server, tmp_path) as bot:
        ada = server.person("Ada")
        ada.starts("event")
        await bot.quiet()
        print(ada.chat.screen())
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import exists, select

from bot.serving import working
from bot.settings import Settings
from bot.telegram import TelegramService, open_telegram
from bot.wiring import House, admin_command, open_house
from channels.telegram.channel import Telegram
from channels.telegram.manners import Manners
from channels.telegram.streaming import Pace
from core.model import Model
from core.state import Conversation, Journey
from core.state import Person as Known
from core.store.sql import pending
from core.store.tables import inbox, outbox
from tests.support.migrated import begin_migrated
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer

DRIVERS = ("aiogram", "ptb")
PROMPT = Manners(hold=0.02, patience=1.5, pace=Pace(draft=0.0, private=0.0, group=0.0))
"""Manners without waiting, for tests that wait for what happens."""

_ANYTHING = select(exists().where(pending(inbox)) | exists().where(pending(outbox)))
"""Whether anything has still to be considered or sent."""


@dataclass
class TelegramBot:
    """A running bot, and what it keeps."""

    server: TelegramServer
    house: House
    service: TelegramService

    @property
    def channel(self) -> Telegram:
        return self.service.channel

    async def quiet(self) -> None:
        """Wait until everything that has arrived is dealt with, and everything is shown."""
        async with asyncio.timeout(30):
            while await self._busy():  # noqa: ASYNC110 - the database rings no bell
                await asyncio.sleep(0.01)

    async def _busy(self) -> bool:
        if self.server.updates.waiting():
            return True
        async with self.house.store.database.read() as connection:
            return bool((await connection.execute(_ANYTHING)).scalar_one())

    def lane(self, person: Person, chat: Any = None, thread: int = 0) -> str:
        """The lane of somebody's conversation, in their private chat or in a group."""
        return f"telegram:{chat.id if chat else person.id}:{thread}:{person.id}"

    async def state(self, person: Person, chat: Any = None, thread: int = 0) -> Conversation:
        """A conversation as it is stored."""
        found = await self.house.store.conversation(self.lane(person, chat, thread))
        assert found is not None, f"nobody has met {person.name}"
        return found

    async def journey(self, person: Person, chat: Any = None, thread: int = 0) -> Journey:
        """The journey of a conversation."""
        journey = (await self.state(person, chat, thread)).journey
        assert journey is not None
        return journey

    async def draft(self, person: Person, chat: Any = None, thread: int = 0) -> dict[str, Any]:
        """The bare values of a draft."""
        return dict((await self.journey(person, chat, thread)).draft.plain())

    def card(self, person: Person, chat: Any = None) -> Message:
        """The one message that has buttons: the open card."""
        live = (chat or person.chat).screen(person).live
        assert len(live) == 1, f"{len(live)} live cards:\n{(chat or person.chat).screen(person)}"
        return live[0]


def settings_for(server: TelegramServer, folder: Path, driver: str, **changes: Any) -> Settings:
    """The settings of a bot at the loopback server, whatever the environment says."""
    chosen: dict[str, Any] = {
        "database_url": f"sqlite+aiosqlite:///{folder / 'telegram.db'}",
        "data_dir": folder / "data",
        "anthropic_api_key": None,
        "telegram_bot_token": server.token,
        "telegram_driver": driver,
        "telegram_api_base": server.url,
        "telegram_webhook_url": None,
        **changes,
    }
    return Settings(_env_file=None, **chosen)


@asynccontextmanager
async def telegram_bot(
    server: TelegramServer,
    folder: Path,
    driver: str = "aiogram",
    *,
    model: Model | None = None,
    manners: Manners = PROMPT,
    zone_known: bool = True,
    **changes: Any,
) -> AsyncIterator[TelegramBot]:
    """Serve until the block ends. `zone_known` spares people the question of their time zone."""
    settings = settings_for(server, folder, driver, **changes)
    begin_migrated(folder / "telegram.db")
    person = Known(id="", zone="Europe/Berlin", zone_known=zone_known, country="DE")
    manners = replace(manners, unknown=person, admin=admin_command(settings))
    async with open_house(settings) as house, open_telegram(settings, house, manners) as service:
        house.runtime.clock = lambda: datetime.fromtimestamp(server.now, UTC)
        if model is not None:
            house.runtime.model, house.runtime.talks = model, True
        house.open_channel(service.channel)
        tasks = [asyncio.create_task(job) for job in (service.receive(), *working(house))]
        try:
            yield TelegramBot(server, house, service)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        for outcome in ended:
            assert isinstance(outcome, asyncio.CancelledError), outcome
