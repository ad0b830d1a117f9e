"""The shell around the turn, on the real store: what arrives together, and who takes it."""

from __future__ import annotations

import asyncio

from core.cards import Summary
from core.model import Scripted
from tests.core.runtime.one_bot import Bot, Start, begun


async def test_a_journey_is_walked_and_submitted_once(start: Start) -> None:
    bot = await begun(start)
    await bot.walks("in person", "Old Mill", "50", "24 December 2030", "19:00", "skip")
    await bot.walks("Winter Dinner", "Food and stories by the fire.")
    assert isinstance(bot.screen.card, Summary)
    tap = bot.tap("Confirm")
    await bot.gets(tap)
    await bot.gets(tap)
    await bot.works()
    assert len(await bot.store.submissions("test:anna")) == 1


async def test_two_fragments_are_one_message(start: Start) -> None:
    bot = await begun(start, Scripted("Noted."))
    await bot.walks("in person", "Old Mill", "50")
    await bot.says("24 December 2030", hold=30)
    await bot.says("at 7 pm")
    await bot.works()

    assert "day" not in (await bot.journey()).draft.values
    assert bot.screen.card.item == "day"
    assert "2030" in bot.screen.card.suggestions[0].label


async def test_two_processes_take_the_turns_of_one_lane_in_order(start: Start) -> None:
    one = await begun(start)
    other: Bot = await start()
    for answer in ("in person", "Old Mill", "50"):
        await one.says(answer)
        await asyncio.gather(one.runtime.drain(), other.runtime.drain())
        await one.sender.drain()
    draft = (await one.journey()).draft.plain()
    assert draft["seats"] == 50
    assert (await one.state()).turn == 4
