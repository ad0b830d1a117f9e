"""What fails, on the real store: the model, the database, a reply, the platform."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from core.channel import Later, Never
from core.effects import Close, Draw, Toast
from core.model import Failure, ModelFailed, Request, Scripted, says
from core.model.scripted import Script
from core.replies import Command
from core.turn import SORRY
from tests.core.runtime.one_bot import LANE, Start, begun
from tests.core.store.building import pass_time
from tests.support.chat import ANNA


async def test_a_model_that_never_answers_is_given_up_and_the_question_comes_again(
    start: Start,
) -> None:
    async def silent(request: Request) -> Any:
        await asyncio.Event().wait()

    bot = await begun(start, Scripted(by=silent), model_deadline=0.1)
    await asyncio.wait_for(bot.walks("why do you ask?"), 20)

    assert "I can't answer that right now" in bot.screen.text
    assert bot.screen.card.item == "format"
    await bot.walks("online")
    assert (await bot.journey()).draft.plain() == {"format": "online"}


async def test_a_model_that_breaks_leaves_nothing_of_its_answer(start: Start) -> None:
    rounds: Iterator[Script] = iter(
        [
            says(
                "", ("record_item", {"item": "title", "value": "Feast", "quote": "call it Feast"})
            ),
            ModelFailed(Failure.CONNECTION, "lost"),
        ]
    )
    bot = await begun(start, Scripted(by=lambda _: next(rounds)))
    await bot.walks("call it Feast and why do you ask?")
    assert (await bot.journey()).draft.values == {}
    assert bot.screen.card.item == "format"
    assert "Feast" not in bot.screen.text


async def test_a_lease_that_could_not_be_renewed_once_is_renewed_the_next_time(
    start: Start,
) -> None:
    asked, renewed = asyncio.Event(), asyncio.Event()

    async def waits(request: Request) -> Any:
        asked.set()
        await renewed.wait()
        return says("Online needs no hall.")

    bot = await begun(start, Scripted(by=waits), lease=1.5)
    renew, faults = bot.store.renew, [OSError("the database is away")]

    async def fails_once(claim: Any) -> None:
        if faults:
            raise faults.pop()
        await renew(claim)
        renewed.set()

    bot.store.renew = fails_once  # type: ignore[method-assign]
    await bot.says("what is the difference?")
    await asyncio.wait_for(bot.works(), 20)
    assert "Online needs no hall." in bot.screen.text


async def test_a_lane_that_was_lost_to_another_is_worked_on_no_more(start: Start) -> None:
    asked, cancelled = asyncio.Event(), asyncio.Event()

    async def thinks(request: Request) -> Any:
        asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    # Given a turn in which the model thinks
    bot = await begun(start, Scripted(by=thinks), lease=3)
    before, renew, taken_over = len(bot.screen.shown), bot.store.renew, asyncio.Event()

    async def comes_late(claim: Any) -> None:
        await taken_over.wait()
        await renew(claim)

    bot.store.renew = comes_late  # type: ignore[method-assign]
    await bot.says("what is the difference?")
    working = asyncio.create_task(bot.runtime.work())
    await asyncio.wait_for(asked.wait(), 10)

    # When another process gets the lane
    await pass_time(bot.store, 31)
    assert await bot.store.claim("another", 30.0) is not None
    taken_over.set()

    # Then the model is asked no longer, and nothing is said
    await asyncio.wait_for(cancelled.wait(), 20)
    assert await asyncio.wait_for(working, 20)
    await bot.sender.drain()
    assert len(bot.screen.shown) == before


async def test_a_lane_that_could_not_be_kept_is_worked_on_no_more(start: Start) -> None:
    asked = asyncio.Event()

    async def thinks(request: Request) -> Any:
        asked.set()
        await asyncio.Event().wait()

    bot = await begun(start, Scripted(by=thinks), lease=0.3)

    async def fails(claim: Any) -> None:
        raise OSError("the database is away")

    bot.store.renew = fails  # type: ignore[method-assign]
    await bot.says("what is the difference?")
    assert await asyncio.wait_for(bot.runtime.work(), 20)
    assert asked.is_set()
    assert await bot.store.parked() == []


async def test_a_reply_that_always_fails_is_parked_and_the_lane_goes_on(start: Start) -> None:
    bot = await begun(start)
    broken = bot.runtime.types
    bot.runtime.types = None  # type: ignore[assignment]
    await bot.says("in person")
    for _ in range(20):
        await bot.runtime.drain()
        if await bot.store.parked():
            break
        await asyncio.sleep(0.1)
    bot.runtime.types = broken
    assert len(await bot.store.parked()) == 1
    while await bot.store.ready(LANE):
        await bot.works()
        await asyncio.sleep(0.02)
    assert "went wrong" in bot.screen.text
    await bot.walks("in person")
    assert bot.screen.card.item == "hall"


async def test_who_sent_what_killed_every_process_that_took_it_hears_of_it(start: Start) -> None:
    # Given a reply amid whose turn the process died, again and again
    bot = await begun(start)
    await bot.says("in person")
    for _ in range(bot.store.max_tries):
        assert await bot.store.claim("a process that dies", 30.0) is not None
        await pass_time(bot.store, 31)

    # When another process has the lane
    await bot.works()

    # Then the reply is given up, and the person is told so, once, above the open card
    assert [one.error for one in await bot.store.parked()] == ["the worker was lost"]
    assert bot.screen.text.count("went wrong") == 1
    assert isinstance(bot.screen.shown[-1], Draw)
    await bot.walks("in person")
    assert bot.screen.card.item == "hall"


async def test_nobody_is_sorry_for_an_apology(start: Start) -> None:
    bot = await begun(start)
    await bot.gets(Command(name=SORRY, by=ANNA.id, at=datetime.now(UTC)))
    for _ in range(bot.store.max_tries):
        assert await bot.store.claim("a process that dies", 30.0) is not None
        await pass_time(bot.store, 31)
    await bot.works()
    assert len(await bot.store.parked()) == 1
    assert "went wrong" not in bot.screen.text


async def test_a_platform_that_wants_time_gets_it_and_the_order_is_kept(start: Start) -> None:
    bot = await begun(start)
    before = len(bot.screen.shown)
    bot.screen.faults = [Later(0.3), Later(0.1)]
    await bot.says("in person")
    await bot.works()
    assert len(bot.screen.shown) == before
    for _ in range(50):
        await bot.sender.drain()
        await asyncio.sleep(0.05)
    kinds = [type(e) for e in bot.screen.shown[before:] if not isinstance(e, Toast)]
    assert kinds == [Close, Draw]


async def test_what_a_platform_never_takes_is_parked_and_the_rest_is_sent(start: Start) -> None:
    bot = await begun(start)
    bot.screen.faults = [Never("the message is gone")]
    await bot.walks("in person")
    assert [e for e in bot.screen.shown if isinstance(e, Draw)][-1].card.item == "hall"
    assert [one.error for one in await bot.store.parked()] == ["the message is gone"]
