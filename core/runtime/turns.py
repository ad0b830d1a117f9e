"""What all turns of a process have in common: the pure turn, with what it needs from outside."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime

import structlog

from core import own
from core.bell import Bell
from core.channel import SEEN_AT, Channel
from core.journey import JourneyTypes
from core.model import Failure, Model
from core.replies import Reply, Shared, Submit, Tap, Upload, Words
from core.runtime.doors import Door, Moderates
from core.state import Conversation, is_open
from core.step.base import Fetch, Fetched
from core.store import Store
from core.store.part import account_of, channel_of
from core.talk import with_needs
from core.texts import COMMAND
from core.turn import Sight, Taken, World, take

log = structlog.get_logger()

Tools = Callable[[Fetch], Awaitable[Fetched]]
"""Carries out a domain tool's call."""


@dataclass(frozen=True)
class Rules:
    """The shell's limits, in seconds and counts.

    While a model answers it is noticed within `look` that the bell rang, and looked whether the
    person wrote on. After `idle` without a ring it is looked all the same: another process may have
    accepted something. `preview_end` is what a channel may take to end a preview.
    """

    lease: float = 60.0
    model_deadline: float = 60.0
    look: float = 0.15
    idle: float = 1.0
    preview_end: float = 10.0
    restarts: int = 5
    retry: float = 2.0
    tokens_a_day: int = 0
    open_journeys: int = 0


@dataclass
class Turns:
    """Takes the pure turns of any lane. `clock` gives aware UTC times and `fresh` new journey ids.

    Whoever has accepted a reply rings `bell`. Each of the `doors` is asked in turn. `moderates`
    says which submissions people look at first, `paused` which journey types nobody begins at the
    moment, and `model_failed` is told each time that the model gives no answer.
    """

    store: Store
    types: JourneyTypes
    model: Model
    tools: Tools
    clock: Callable[[], datetime]
    fresh: Callable[[], str]
    owner: str
    starts: str = ""
    talks: bool = True
    channels: dict[str, Channel] = field(default_factory=dict)
    rules: Rules = field(default_factory=Rules)
    bell: Bell = field(default_factory=Bell)
    doors: tuple[Door, ...] = ()
    moderates: Moderates | None = None
    paused: Callable[[], Collection[str]] = tuple
    model_failed: Callable[[Failure], None] = lambda _: None

    async def trial(self, lane: str, reply: Reply) -> Taken | None:
        """What would come of a reply right now; nothing is kept, and the model is not asked.

        For a platform that wants an answer before the reply can have its turn (the faults of a
        native form, what a search finds). None where nobody has been met in the lane.
        """
        state = await self.store.conversation(lane)
        return None if state is None else await self.taken(lane, state, reply, {})

    async def taken(
        self, lane: str, state: Conversation, reply: Reply, fetched: dict[str, Fetched]
    ) -> Taken:
        """The pure turn of a reply, with all that it needs fetched into `fetched`."""
        channel = self.channels.get(channel_of(lane))
        world = World(
            types=self.types,
            now=self.clock(),
            fresh=self.fresh(),
            fetched=fetched,
            starts=self.starts,
            talks=self.talks and not await self._is_spent(lane, reply),
            under_way=await self._under_way(lane, state),
            command=channel.command if channel is not None else COMMAND,
            sight=await self._sight(lane, state, reply),
            paused=self.paused(),
        )

        async def fetch(one: Fetch) -> Fetched:
            return await self.fetch(lane, one)

        return await with_needs(lambda: take(state, reply, world), fetch, fetched)

    async def _is_spent(self, lane: str, reply: Reply) -> bool:
        """Whether somebody has had as much of the model today as one person may."""
        most = self.rules.tokens_a_day
        if not most or not self.talks or not isinstance(reply, Words | Upload | Shared):
            return False
        return (await self.store.spent_on(account_of(lane), self.clock())).tokens >= most

    async def _under_way(self, lane: str, state: Conversation) -> int:
        """How many journeys somebody has open elsewhere, where they may have no more; else 0."""
        most = self.rules.open_journeys
        if not most or is_open(state):
            return 0
        count = await self.store.under_way(account_of(lane), besides=lane)
        return count if count >= most else 0

    async def _sight(self, lane: str, state: Conversation, reply: Reply) -> Sight:
        ask = state.journey.ask if state.journey is not None else None
        if ask is None or channel_of(lane) not in self.channels or isinstance(reply, Tap | Submit):
            return Sight()
        place = await self.store.where(lane, ask.card)
        if place is None:
            unsure = await self.store.is_perhaps_drawn(lane, ask.card)
            return Sight(unseen=not unsure, unsure=unsure)
        stamp = place.get(SEEN_AT)
        return Sight(at=None if stamp is None else datetime.fromtimestamp(stamp, UTC))

    async def fetch(self, lane: str, fetch: Fetch) -> Fetched:
        """What a tool answers; one that breaks has an answer that says so."""
        try:
            if fetch.tool.startswith(own.PREFIX):
                return await own.answer(self.store, lane, fetch)
            return await self.tools(fetch)
        except Exception:
            log.exception("tool_failed", tool=fetch.tool)
            return Fetched(failed="not available right now")
