"""Many people at once on one process, in any channel: each asks for something to be bought.

What each sees is compared with what somebody sees who is alone; one of them has a model that thinks
until all the others are done, so nobody can have waited for it.
"""

from __future__ import annotations

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from core.model import Answer, Request

PEOPLE = 100
QUESTIONS = ("What do you need?", "What should be bought?", "What does it cost")
"""What stands on the card that each answer is given to, and on the last one."""
WORDS = ("something bought", "Thing {name}")
"""What answers each question in words."""
BECAUSE = "Because the team plans ahead."


class Thinking:
    """A model that thinks until it may answer."""

    name = "thinking"

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()

    async def respond(
        self, request: Request, on_text: Callable[[str], Awaitable[None]] | None = None
    ) -> Answer:
        await self.may_answer.wait()
        return Answer(text=BECAUSE)


class Somebody(ABC):
    """One person in front of the bot."""

    name: str
    server: Any
    """The platform's server."""
    tapped: Sequence[int] = (0,)
    """The questions that are answered by taps, too."""

    @abstractmethod
    def begins(self) -> None:
        """Begin to ask for something."""

    @abstractmethod
    def says(self, words: str) -> None:
        """Type something."""

    @abstractmethod
    async def taps(self, question: int) -> None:
        """Answer a question by taps."""

    @abstractmethod
    def sees_last(self, question: str) -> bool:
        """Whether the newest message is a card that asks this, and the only one with controls. It
        is looked at whenever anything has changed anywhere, so it takes no more than a glance."""

    @property
    @abstractmethod
    def texts(self) -> Sequence[str]:
        """All that they see."""

    async def is_asked(self, question: str) -> None:
        """Wait for a question."""
        await self.server.until(
            lambda: self.sees_last(question), f"{question!r} in front of {self.name}"
        )

    async def walks(self, seed: int) -> list[str]:
        """Answer the first questions, by taps or words as chance has it; what then stands there."""
        chance = random.Random(seed)
        self.begins()
        for number, words in enumerate(WORDS):
            await self.is_asked(QUESTIONS[number])
            await asyncio.sleep(0)  # somebody else's turn
            if number in self.tapped and chance.random() < 0.5:
                await self.taps(number)
            else:
                self.says(words.format(name=self.name))
        await self.is_asked(QUESTIONS[-1])
        return [text.replace(self.name, "…") for text in self.texts]

    async def asks_first(self, model: Thinking) -> list[str]:
        """Ask why, of a model that thinks until all the others are done; what then stands there."""
        self.begins()
        await self.is_asked(QUESTIONS[0])
        self.says("why do you need that?")
        await model.may_answer.wait()
        await self.is_asked(QUESTIONS[0])
        return list(self.texts)


async def crowd(people: Sequence[Somebody], slow: Somebody, model: Thinking) -> list[list[str]]:
    """Everybody at once, one of them with a slow model; what each of the others then sees."""
    thinking = asyncio.create_task(slow.asks_first(model))
    seen = await asyncio.gather(*(one.walks(seed) for seed, one in enumerate(people)))
    assert not thinking.done(), "everybody else was done while the model was thinking"
    model.may_answer.set()
    assert BECAUSE in await thinking
    return seen


async def is_as_alone(seen: Sequence[list[str]], alone: Callable[[str], Somebody]) -> None:
    """Each has seen what somebody sees who is alone and does the same; every mixture of taps and
    words was among it."""
    others = [alone(f"A{number:03}") for number in range(8)]
    for seed, one in enumerate(others):
        assert seen[seed] == await one.walks(seed)
    assert len({tuple(one) for one in seen}) == 2 ** len(others[0].tapped)
