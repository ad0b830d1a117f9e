"""What arrives while the model is answering, on the real store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec

from core.effects import Draw, Toast
from core.model import Request, Scripted, says
from core.replies import Shared
from core.store import Amend
from tests.core.runtime.one_bot import Bot, Start, begun
from tests.support.chat import ANNA


async def test_words_that_arrive_while_the_model_answers_are_considered_together(
    start: Start,
) -> None:
    asked = asyncio.Event()

    async def slow_at_first(request: Request) -> Any:
        if not asked.is_set():
            asked.set()
            await asyncio.sleep(60)
        return says("I heard both.")

    bot = await begun(start, Scripted(by=slow_at_first))
    await bot.says("why do you ask?")
    working = asyncio.create_task(bot.works())
    await asyncio.wait_for(asked.wait(), 10)
    await bot.says("and is parking free?")
    await asyncio.wait_for(working, 20)

    assert bot.screen.text.count("I heard both.") == 1
    last = bot.model.requests[-1].transcript[-1].text
    assert "why do you ask?" in last
    assert "is parking free?" in last


async def test_words_behind_what_was_passed_on_do_not_ask_the_model_again(start: Start) -> None:
    asked, looked, go_on = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def waits(request: Request) -> Any:
        asked.set()
        await go_on.wait()
        return says("I see.")

    bot = await begun(start, Scripted(by=waits), idle=0.0)
    waiting = bot.store.waiting

    async def looks(*which: Any) -> Any:
        found = await waiting(*which)
        if found:
            looked.set()
        return found

    bot.store.waiting = looks  # type: ignore[method-assign,assignment]
    now = datetime.now(UTC)
    await bot.gets(Shared(kind="forwarded", detail="Old Mill is lovely.", by=ANNA.id, at=now))
    working = asyncio.create_task(bot.works())
    await asyncio.wait_for(asked.wait(), 10)
    await bot.says("what do you think?")
    await asyncio.wait_for(looked.wait(), 10)
    go_on.set()
    await asyncio.wait_for(working, 20)

    assert len(bot.model.requests) == 2


@asynccontextmanager
async def answering(start: Start, said: str, answer: Callable[[str], str]) -> AsyncIterator[Bot]:
    """A bot whose model is answering what was said; its answer comes when the block ends."""
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def waits(request: Request) -> Any:
        asked.set()
        await go_on.wait()
        return says(answer(request.transcript[-1].text))

    bot = await begun(start, Scripted(by=waits))
    await bot.says(said)
    working = asyncio.create_task(bot.works())
    await asyncio.wait_for(asked.wait(), 10)
    yield bot
    go_on.set()
    await asyncio.wait_for(working, 20)


def no_hall(_heard: str) -> str:
    return "Online needs no hall."


async def test_words_that_are_edited_while_the_model_answers_are_considered_anew(
    start: Start,
) -> None:
    def about(heard: str) -> str:
        return "Yes, it is free." if "free" in heard else "There is no fee."

    async with answering(start, "is parking fee?", about) as bot:
        edited = await bot.store.amend(f"test:{bot.updates}", "is parking free?")

    assert edited is Amend.CHANGED
    assert "Yes, it is free." in bot.screen.text
    assert "There is no fee." not in bot.screen.text
    assert await bot.store.parked() == []


async def test_a_tap_while_the_model_answers_settles_and_the_ask_is_not_drawn_again(
    start: Start,
) -> None:
    async with answering(start, "what is the difference?", no_hall) as bot:
        await bot.gets(bot.tap("In person"))

    assert (await bot.journey()).draft.plain()["format"] == "in_person"
    drawn = [e.card.item for e in bot.screen.shown if isinstance(e, Draw)]
    assert drawn == ["format", "hall"]
    assert "Online needs no hall." in bot.screen.text


async def test_somebody_elses_tap_while_the_model_answers_settles_nothing(start: Start) -> None:
    async with answering(start, "what is the difference?", no_hall) as bot:
        await bot.gets(msgspec.structs.replace(bot.tap("In person"), by="bob"))

    assert (await bot.journey()).draft.values == {}
    assert bot.screen.card.item == "format"
    toasts = [e.text for e in bot.screen.shown if isinstance(e, Toast)]
    assert any("somebody else" in text for text in toasts)


async def test_of_two_taps_while_the_model_answers_the_first_counts(start: Start) -> None:
    async with answering(start, "what is the difference?", no_hall) as bot:
        await bot.gets(bot.tap("Online"))
        await bot.gets(bot.tap("In person"))

    assert (await bot.journey()).draft.plain() == {"format": "online"}
    assert bot.screen.card.item == "link"
