"""The whole program in Slack, on the loopback server: what `python -m bot run` serves, with its
clock set to the server's.

    async with SlackServer() as server, slack_bot(server, tmp_path) as bot:
        ada = server.workspace.person("Ada")
        ada.says("hello")
        await bot.quiet()
        print(ada.dm.screen())
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from bot.serving import working
from bot.settings import Settings
from bot.slack import SlackService, open_slack
from bot.wiring import House, open_house
from channels.slack.channel import Slack
from channels.slack.manners import Manners
from channels.slack.streaming import Pace
from core.model import Model
from core.state import Conversation, Journey
from core.state import Person as Known
from core.store.sql import pending
from core.store.tables import inbox, outbox
from tests.support.migrated import begin_migrated
from tests.support.slack.channels import AssistantThread, Channel
from tests.support.slack.messages import Message
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer

PROMPT = Manners(hold=0.02, pace=Pace(stream=0.0, update=0.0))
"""Manners without waiting, for tests that wait for what happens."""


@dataclass
class SlackBot:
    """A running bot, and what it keeps."""

    server: SlackServer
    house: House
    service: SlackService

    @property
    def channel(self) -> Slack:
        return self.service.channel

    async def quiet(self) -> None:
        """Wait until everything that has arrived is dealt with, and everything is shown."""
        async with asyncio.timeout(30):
            while await self._busy():
                await self.server.settled()
                await asyncio.sleep(0.01)

    async def _busy(self) -> bool:
        if not self.server.delivery.is_idle or self.channel.beside.tasks:
            return True
        async with self.house.store.database.read() as connection:
            for table in (inbox, outbox):
                counted = select(func.count()).select_from(table).where(pending(table))
                if (await connection.execute(counted)).scalar_one():
                    return True
        return False

    def lane(
        self,
        person: Person,
        channel: Channel | None = None,
        thread: Message | AssistantThread | None = None,
    ) -> str:
        """The lane of somebody's conversation: in their direct message, or in a thread."""
        place, root = channel or person.dm, "0"
        if isinstance(thread, Message):
            place, root = thread.channel, thread.root
        elif thread is not None:
            place, root = thread.channel, thread.ts
        return f"slack:{person.workspace.id}:{place.id}:{root}:{person.id}"

    async def state(self, person: Person, *where: Any, **more: Any) -> Conversation:
        """A conversation as it is stored; where as for `lane`."""
        found = await self.house.store.conversation(self.lane(person, *where, **more))
        assert found is not None, f"nobody has met {person.name}"
        return found

    async def journey(self, person: Person, *where: Any, **more: Any) -> Journey:
        """The journey of a conversation."""
        journey = (await self.state(person, *where, **more)).journey
        assert journey is not None
        return journey

    async def draft(self, person: Person, *where: Any, **more: Any) -> dict[str, Any]:
        """The bare values of a draft."""
        return dict((await self.journey(person, *where, **more)).draft.plain())

    def card(self, person: Person, channel: Channel | None = None) -> Message:
        """The one message that has controls: the open card."""
        screen = (channel or person.dm).screen(person)
        assert len(screen.live) == 1, f"{len(screen.live)} live cards:\n{screen}"
        return screen.live[0]


def settings_for(server: SlackServer, folder: Path, **changes: Any) -> Settings:
    """The settings of a bot at the loopback server, whatever the environment says."""
    chosen: dict[str, Any] = {
        "database_url": f"sqlite+aiosqlite:///{folder / 'slack.db'}",
        "data_dir": folder / "data",
        "anthropic_api_key": None,
        "telegram_bot_token": None,
        "slack_bot_token": server.token,
        "slack_app_token": server.app_token,
        "slack_signing_secret": None,
        "slack_client_id": None,
        "slack_client_secret": None,
        "slack_api_base": server.api,
        **changes,
    }
    return Settings(_env_file=None, **chosen)


@asynccontextmanager
async def slack_bot(
    server: SlackServer,
    folder: Path,
    *,
    model: Model | None = None,
    manners: Manners = PROMPT,
    **changes: Any,
) -> AsyncIterator[SlackBot]:
    """Serve until the block ends, over Socket Mode."""
    settings = settings_for(server, folder, **changes)
    begin_migrated(folder / "slack.db")
    person = Known(id="", zone="Europe/Berlin", zone_known=False, country="DE")
    manners = replace(manners, unknown=person)
    async with open_house(settings) as house:
        house.runtime.clock = lambda: datetime.fromtimestamp(server.now, UTC)
        if model is not None:
            house.runtime.model, house.runtime.talks = model, True
        async with open_slack(settings, house, manners) as service:
            house.open_channel(service.channel)
            tasks = [asyncio.create_task(job) for job in (service.receive(), *working(house))]
            try:
                await server.until(lambda: server.delivery.sockets.open, "a socket")
                yield SlackBot(server, house, service)
            finally:
                for task in tasks:
                    task.cancel()
                ended = await asyncio.gather(*tasks, return_exceptions=True)
            for outcome in ended:
                assert isinstance(outcome, asyncio.CancelledError), outcome
