"""The answer while it comes: nothing waits for a preview, and none is under way when the answer may
be sent."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import Any

from core.effects import Say
from core.model import Request, Scripted, says
from tests.core.runtime.one_bot import LANE, Bot, Screen, Start, begun

ANSWER = "Parking is free. It is behind the mill."


@dataclass
class Slow(Screen):
    """A channel in which something is under way when a preview is to end, until it is let go."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    let_go: asyncio.Event = field(default_factory=asyncio.Event)
    ended: list[str] = field(default_factory=list)

    async def end_preview(self, lane: str) -> None:
        self.asked.set()
        await self.let_go.wait()
        self.ended.append(lane)


class Broken(Screen):
    """A channel that cannot preview anything."""

    def preview(self, lane: str, text: str) -> None:
        raise OSError("no preview today")

    async def end_preview(self, lane: str) -> None:
        raise OSError("no end of it, either")


def previewed_by(bot: Bot, screen: Screen) -> None:
    """Let turns preview there."""
    bot.runtime.channels[screen.name] = screen


async def test_what_is_previewed_is_the_beginning_of_what_is_said(start: Start) -> None:
    answer = "Parking is free. It is behind the mill. Which format would you like?"
    bot = await begun(start, Scripted(answer))
    await bot.walks("is parking free?")
    said = next(e.text for e in bot.screen.shown if isinstance(e, Say) and e.model)
    assert said == "Parking is free. It is behind the mill."
    assert said.startswith("".join(bot.screen.previews).strip())
    assert bot.screen.previews


async def test_nothing_of_a_turn_can_be_sent_before_its_preview_has_ended(start: Start) -> None:
    bot = await begun(start, Scripted(ANSWER))
    slow = Slow()
    previewed_by(bot, slow)
    await bot.says("is parking free?")
    working = asyncio.create_task(bot.runtime.drain())
    await asyncio.wait_for(slow.asked.wait(), 10)
    assert not await bot.store.is_sending(LANE)

    slow.let_go.set()
    await asyncio.wait_for(working, 20)
    assert slow.ended == [LANE]
    assert await bot.store.is_sending(LANE)
    await bot.sender.drain()
    assert ANSWER in bot.screen.text


async def test_an_answer_waits_only_so_long_for_the_end_of_its_preview(start: Start) -> None:
    bot = await begun(start, Scripted(ANSWER), preview_end=0.01)
    slow = Slow()
    previewed_by(bot, slow)
    await asyncio.wait_for(bot.walks("is parking free?"), 20)
    assert ANSWER in bot.screen.text
    assert slow.ended == []


async def test_an_answer_comes_where_nothing_can_be_previewed(start: Start) -> None:
    bot = await begun(start, Scripted(ANSWER))
    previewed_by(bot, Broken())
    await bot.walks("is parking free?")
    assert ANSWER in bot.screen.text
    assert await bot.store.parked() == []


async def test_a_preview_ends_with_the_process(start: Start) -> None:
    asked = asyncio.Event()

    async def waits(request: Request) -> Any:
        asked.set()
        await asyncio.Event().wait()
        return says("never")

    bot = await begun(start, Scripted(by=waits))
    slow = Slow()
    slow.let_go.set()
    previewed_by(bot, slow)
    await bot.says("is parking free?")
    working = asyncio.create_task(bot.runtime.drain())
    await asyncio.wait_for(asked.wait(), 10)
    working.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await working
    assert slow.ended == [LANE]
