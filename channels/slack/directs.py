"""Where people's direct messages with the bot are: what is done elsewhere goes on there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from channels.slack.api import Api, Unknown
from channels.slack.payload import NAME
from core.store import Store


@dataclass
class Directs:
    """Finds direct messages. They are kept in the store, so that each is asked for once; Slack has
    `patience` seconds to tell where one is."""

    api: Api
    store: Store
    patience: float
    _known: dict[tuple[str, str], str] = field(default_factory=dict)

    async def of(self, team: str, user: str) -> str:
        """The channel of a person's direct message with the bot. Raises ApiFailed."""
        found = self._known.get((team, user))
        if found is None:
            kept = await self.store.where(_lane(team), user)
            found = str(kept["channel"]) if kept else await self._opened(team, user)
            self._known[team, user] = found
        return found

    async def _opened(self, team: str, user: str) -> str:
        try:
            async with asyncio.timeout(self.patience):
                opened = await self.api.call(team, "conversations.open", users=user)
        except TimeoutError:
            raise Unknown(f"no answer within {self.patience:g} s") from None
        channel = str(opened["channel"]["id"])
        await self.store.remember(_lane(team), user, {"channel": channel})
        return channel


def _lane(team: str) -> str:
    return f"{NAME}:{team}:directs"
