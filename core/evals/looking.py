"""A look at an item with its own step, outside a turn: how a value reads, what a text is for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from core.cards import Form
from core.evals.acting import Ask, typed
from core.evals.led.spelling import spellings
from core.journey import JourneyTypes
from core.manifest import Kind
from core.state import Conversation
from core.step.base import Fetch, Fetched
from core.talk import with_needs
from core.turn.turning import Turning, World

Fetcher = Callable[[Fetch], Awaitable[Fetched]]
T = TypeVar("T")

NO_CARD = Form(id="", item="", title="", fields=())
"""Nothing is drawn for such a look."""

_NAMED = frozenset({Kind.RECORD, Kind.UPLOAD, Kind.PERSON})
"""Kinds whose value goes by a name, whatever else is known of it."""


class Looking:
    """Looks at the items of a conversation's journey."""

    def __init__(self, types: JourneyTypes, fetch: Fetcher) -> None:
        self.types, self.fetch = types, fetch

    async def at(
        self, state: Conversation, now: datetime, name: str, look: Callable[[Ask], T]
    ) -> T:
        """What a pure look at an item gives, with all that it needs fetched."""
        fetched: dict[str, Fetched] = {}

        def pure() -> T:
            world = World(types=self.types, now=now, fresh="", fetched=fetched)
            turning = Turning(state, world)
            return look(Ask(NO_CARD, turning.step(name), turning.scene(name)))

        return await with_needs(pure, self.fetch, fetched)

    async def spellings(
        self, state: Conversation, now: datetime, name: str, value: Any
    ) -> tuple[str, ...]:
        """The ways in which a text may say a value; what was left out is said by anything."""
        if value is None:
            return ("",)

        def look(ask: Ask) -> tuple[str, ...]:
            if ask.kind in _NAMED:
                return (_name(value),)
            said = (ask.step.show(ask.scene, value), typed(ask, value))
            return (*said, *spellings(ask.kind, value, state.person.locale))

        return await self.at(state, now, name, look)


def _name(value: Any) -> str:
    if not isinstance(value, Mapping):
        return str(value)
    return str(value.get("label") or value.get("name") or value.get("handle") or "")
