"""What was seen when it was answered, as the shell finds out from where cards stand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.model import Scripted
from core.replies import Words
from core.state import AskKind, Status
from tests.core.runtime.one_bot import Start, begun
from tests.support.chat import ANNA


async def test_a_yes_that_was_sent_before_the_summary_was_seen_confirms_nothing(
    start: Start,
) -> None:
    bot = await begun(start, Scripted("I see."))
    await bot.walks("in person", "Old Mill", "50", "24 December 2030", "19:00", "skip")
    await bot.walks("Winter Dinner")
    await bot.says("Food and stories by the fire.")
    await bot.runtime.drain()
    ask = (await bot.journey()).ask
    assert ask is not None
    assert ask.kind is AskKind.SUMMARY

    await bot.says("yes")
    await bot.runtime.drain()
    assert (await bot.journey()).status is Status.OPEN

    await bot.sender.drain()
    await bot.walks("yes")
    assert (await bot.journey()).status is Status.SUBMITTED


async def test_an_answer_to_a_card_that_was_sent_by_a_process_that_died_is_one(
    start: Start,
) -> None:
    bot = await begun(start, Scripted("I see."))
    await bot.says("in person")
    await bot.runtime.drain()
    # It has been posted, and nobody could write that down any more.
    assert await bot.store.due("a process that died", ["test"])
    await bot.says("Old Mill")
    await bot.runtime.drain()
    assert (await bot.journey()).draft.has("hall")


async def test_a_summary_that_was_perhaps_seen_is_confirmed_when_it_is_seen_for_certain(
    start: Start,
) -> None:
    bot = await begun(start, Scripted("I see."))
    await bot.walks("in person", "Old Mill", "50", "24 December 2030", "19:00", "skip")
    await bot.walks("Winter Dinner")
    await bot.says("Food and stories by the fire.")
    await bot.runtime.drain()
    assert await bot.store.due("a process that died", ["test"], lease=0.0)
    for status in (Status.OPEN, Status.SUBMITTED):
        await bot.walks("yes")
        assert (await bot.journey()).status is status


async def test_what_is_early_is_told_by_the_clock_that_stamps_replies(start: Start) -> None:
    ahead = datetime.now(UTC) + timedelta(minutes=5)
    bot = await begun(start, Scripted("I see."))
    bot.screen.stamp = {"at": ahead.timestamp()}
    await bot.walks("in person")
    assert bot.screen.card.item == "hall"
    for minutes, settles in ((4, False), (6, True)):
        sent = datetime.now(UTC) + timedelta(minutes=minutes)
        await bot.gets(Words(text="Old Mill", by=ANNA.id, at=sent))
        await bot.works()
        assert (await bot.journey()).draft.has("hall") is settles
