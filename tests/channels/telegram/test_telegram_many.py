"""One hundred people at once on one process: each chat is as if its person were alone."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

from core.model import Answer, Request
from tests.support.telegram.faults import Floods
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot, telegram_bot

PEOPLE = 100
STEPS = (
    ("Something bought", "something bought"),
    ("", "Thing {name}"),
    ("", "129.90"),
    ("15", "15 December 2026"),
)
"""What answers each question: by a tap, where it can be tapped, and in words."""
QUESTIONS = (
    "What do you need?",
    "What should be bought?",
    "What does it cost",
    "By when",
    "Who approves",
)
"""What stands on the card that each answer is given to, and on the last one."""


class Thinking:
    """A model that thinks until it may answer."""

    name = "thinking"

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()

    async def respond(
        self, request: Request, on_text: Callable[[str], Awaitable[None]] | None = None
    ) -> Answer:
        await self.may_answer.wait()
        return Answer(text="Because the team plans ahead.")


async def is_asked(server: TelegramServer, person: Person, question: str) -> None:
    def asked() -> bool:
        newest = person.chat.messages[-1] if person.chat.messages else None
        # A glance first: everybody looks whenever anything has changed anywhere.
        if newest is None or question not in newest.text:
            return False
        return person.chat.screen(person).live == [newest]

    await server.until(asked, f"{question!r} in front of {person.name}")


async def walks(server: TelegramServer, person: Person, seed: int) -> list[str]:
    """Answer the first questions, by taps or words as chance has it; what then stands there."""
    chance = random.Random(seed)
    person.says("/start request")
    for question, (label, words) in zip(QUESTIONS, STEPS, strict=False):
        await is_asked(server, person, question)
        await asyncio.sleep(0)  # somebody else's turn
        if label and chance.random() < 0.5:
            person.taps(label)
        else:
            person.says(words.format(name=person.name))
    await is_asked(server, person, QUESTIONS[-1])
    return [text.replace(person.name, "…") for text in person.chat.screen(person).texts]


async def asks_first(server: TelegramServer, person: Person, model: Thinking) -> list[str]:
    """Somebody whose model thinks until all the others are done."""
    person.says("/start request")
    await is_asked(server, person, QUESTIONS[0])
    person.says("why do you need that?")
    await model.may_answer.wait()
    await is_asked(server, person, QUESTIONS[0])
    return person.chat.screen(person).texts


async def crowd(server: TelegramServer, bot: TelegramBot, model: Thinking) -> list[list[str]]:
    """Everybody at once: one chat wants quiet, and one person's model is slow."""
    people = [server.person(f"P{number:03}") for number in range(PEOPLE)]
    slow = server.person("Slow")
    server.befall(Floods(1.0), "sendMessage", chat=people[7].chat, skip=1)
    thinking = asyncio.create_task(asks_first(server, slow, model))
    seen = await asyncio.gather(*(walks(server, one, seed) for seed, one in enumerate(people)))
    assert not thinking.done(), "everybody else was done while the model was thinking"
    model.may_answer.set()
    assert "Because the team plans ahead." in await thinking
    await bot.quiet()
    for one in people:
        assert (await bot.draft(one))["product"] == f"Thing {one.name}"
    return seen


async def test_a_hundred_people_at_once_see_what_each_would_see_alone(tmp_path: Path) -> None:
    model = Thinking()
    async with (
        TelegramServer() as server,
        telegram_bot(server, tmp_path, model=model) as bot,
    ):
        seen = await crowd(server, bot, model)
        for seed in range(8):
            alone = await walks(server, server.person(f"A{seed:03}"), seed)
            assert seen[seed] == alone
        assert len({tuple(one) for one in seen}) == 4, "taps and words in every mixture"
        assert all(tap.answer is not None for tap in server.taps.values())
