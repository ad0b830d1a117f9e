"""One process: a store, a runtime, and a screen that shows what a person would see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.cards import Card, buttons
from core.effects import Change, Close, Draw, Effect, Say
from core.model import Scripted
from core.replies import Command, Reply, Tap, Words
from core.runtime import Runtime
from core.sender import Sender
from core.state import Conversation, Journey
from core.store import Store
from tests.support.chat import ANNA

LANE = "test:anna"


@dataclass
class Screen:
    """A channel that keeps what a person would see, and can be told to fail."""

    name: str = "test"
    command = "/"
    shown: list[Effect] = field(default_factory=list)
    previews: list[str] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)
    stamp: dict[str, float] = field(default_factory=dict)

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Any, *, again: bool = False
    ) -> dict[str, Any]:
        if self.faults:
            raise self.faults.pop(0)
        self.shown.append(effect)
        return {"message": len(self.shown), **self.stamp}

    def preview(self, lane: str, text: str) -> None:
        self.previews.append(text)

    async def end_preview(self, lane: str) -> None:
        return None

    @property
    def text(self) -> str:
        said = [e.text for e in self.shown if isinstance(e, Say)]
        return "\n".join([*said, *(e.receipt for e in self.shown if isinstance(e, Close))])

    @property
    def card(self) -> Card:
        drawn = [e.card for e in self.shown if isinstance(e, Draw | Change)]
        return drawn[-1]


@dataclass
class Bot:
    """One process: a store, a runtime and a screen."""

    store: Store
    model: Scripted
    screen: Screen
    runtime: Runtime
    sender: Sender
    updates: int = 0

    async def gets(self, reply: Reply, hold: float = 0.0) -> None:
        self.updates += 1
        await self.store.accept(LANE, f"test:{self.updates}", reply, hold, person=ANNA)

    async def says(self, text: str, hold: float = 0.0) -> None:
        await self.gets(Words(text=text, by=ANNA.id, at=datetime.now(UTC)), hold)

    async def works(self) -> None:
        await self.runtime.drain()
        await self.sender.drain()

    async def walks(self, *answers: str) -> None:
        for answer in answers:
            await self.says(answer)
            await self.works()

    def tap(self, label: str) -> Tap:
        token = next(one.token for one in buttons(self.screen.card) if one.label == label)
        return Tap(card=self.screen.card.id, token=token, by=ANNA.id, at=datetime.now(UTC))

    async def state(self) -> Conversation:
        found = await self.store.conversation(LANE)
        assert found is not None
        return found

    async def journey(self) -> Journey:
        journey = (await self.state()).journey
        assert journey is not None
        return journey


Start = Callable[..., Any]


async def begun(start: Start, model: Scripted | None = None, **rules: float) -> Bot:
    bot: Bot = await start(model, **rules)
    await bot.gets(Command(name="new", argument="dinner", by=ANNA.id, at=datetime.now(UTC)))
    await bot.works()
    return bot
