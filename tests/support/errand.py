"""Somebody who answers every question of a dinner once, whatever becomes of the bot meanwhile.

What they see is what any person sees; they know of no crash. Afterwards it is seen that nothing
was lost, nothing was submitted twice, and that what came twice says so (G13).
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from tests.support.program import Program, Touched, log_of

ANSWERS = {
    "In person or online?": "In person",
    "Which hall?": "River Hall",
    "How many seats?": "120",
    "where are you?": "Berlin",
    "On which day?": "5 February 2027",
    "When does it start?": "19:00",
    "Who is coming?": "Emmy Noether\nGrace Hopper",
    "What is it called?": "Winterzauber",
    "What is it about?": "Geschichten am Kamin, und eine Suppe.",
}
"""What is typed at each question. Everything else that is asked is whether that is all."""
CONTENT = {
    "format": "in_person",
    "hall": {"capacity": 200, "id": "h3", "label": "River Hall"},
    "seats": 120,
    "day": "2027-02-05",
    "start": "19:00",
    "guests": ["Emmy Noether", "Grace Hopper"],
    "title": "Winterzauber",
    "about": "Geschichten am Kamin, und eine Suppe.",
}
POSTER, CONFIRM = "Is there a poster?", "Is everything right?"
TYPED = ("Winterzauber", "Kamin", "Suppe", "Noether", "Hopper", "River Hall", "120", "19:00")
"""Words of the chat that are in no log (G14)."""


class Card(Protocol):
    """A message with controls."""

    @property
    def text(self) -> str:
        """What it says."""
        ...

    @property
    def labels(self) -> list[str]:
        """What stands on its controls."""
        ...


def asked(card: Card) -> str:
    """What a card asks; a list that has its entries asks whether that is all."""
    if "Confirm" in card.labels:
        return CONFIRM
    (question,) = [one for one in (*ANSWERS, POSTER) if one in card.text]
    return f"{question} all" if "Grace Hopper" in card.text else question


DID_NOT_COUNT = ("That is from an earlier card", "but I can take your answer to the question below")
"""What the bot says of an answer that came before its card was seen, or to a card from before."""


class Server(Touched, Protocol):
    """A platform's server."""

    @property
    def calls(self) -> Sequence[object]:
        """What the bot has asked of it."""
        ...

    async def until(self, happens: Callable[[], object], told: str = "it") -> object:
        """Wait until a function of the state gives something true."""
        ...


C = TypeVar("C", bound=Card)


@dataclass
class Errand(ABC, Generic[C]):
    """Ada answers in the newest card that she sees. `said` is what she has answered: she never
    says anything a second time that was acknowledged, unless she is told that it did not count and
    is asked again."""

    server: Server
    said: set[str] = field(default_factory=set, kw_only=True)
    answered: C | None = field(default=None, kw_only=True)

    @property
    @abstractmethod
    def texts(self) -> Sequence[str]:
        """All that she sees."""

    @abstractmethod
    def newest(self) -> C | None:
        """The newest message of the bot, where it has controls."""

    @abstractmethod
    def answers(self, card: C, question: str) -> None:
        """Answer a card, which asks this."""

    @property
    def over(self) -> bool:
        """Whether she was thanked."""
        return any("Thank you" in text for text in self.texts)

    def card(self) -> C | None:
        """The card that waits for her, if it asks something new."""
        newest = self.newest()
        if newest is None or (asked(newest) in self.said and not self._asked_again(newest)):
            return None
        return newest

    def _asked_again(self, newest: C) -> bool:
        told = " ".join(self.texts[-3:])
        return newest is not self.answered and any(one in told for one in DID_NOT_COUNT)

    def answers_now(self) -> None:
        """Answer the card that waits for her, if there is one."""
        card = self.card()
        if card is not None:
            question = asked(card)
            self.said.add(question)
            self.answered = card
            self.answers(card, question)

    async def goes_on(self, running: Program) -> None:
        """Answer what is asked until the program is dead."""
        async with asyncio.timeout(60):
            while not running.dead:
                self.answers_now()
                await self.server.until(lambda: self.card() or running.dead, "the bot to go on")

    async def goes_on_for(self, calls: int) -> None:
        """Answer what is asked until the bot has made so many more calls, or all is done."""
        until = len(self.server.calls) + calls

        def is_enough() -> bool:
            return self.over or len(self.server.calls) >= until

        while not is_enough():
            self.answers_now()
            await self.server.until(lambda: self.card() or is_enough(), "the bot to go on")


def doubled(sent: Iterable[tuple[str, str]], again: str) -> int:
    """How many messages came twice, out of what each is and how it was sent; every second one has
    the line that it may come `again`."""
    first: set[str] = set()
    count = 0
    for key, message in sent:
        if key in first:
            assert again in message, f"silently twice: {message}"
            count += 1
        first.add(key)
    return count


def delivered(folder: Path) -> list[str]:
    """The lines of what has been delivered."""
    file = folder / "data" / "dinners.jsonl"
    return file.read_text("utf-8").splitlines() if file.exists() else []


def is_right(folder: Path, poster: str) -> None:
    """One submission, of all that was answered, delivered once; `poster` begins the file's ref. No
    word of it is in the log (G14), where there is one."""
    (line,) = delivered(folder)
    content = json.loads(line)["content"]
    assert content.pop("poster")["ref"].startswith(poster)
    assert content == CONTENT
    if (folder / "log").exists():
        log = log_of(folder)
        assert not [word for word in TYPED if word in log], "G14: a word of the chat in the log"
