"""A model that misbehaves on purpose: it asks its own questions, invents, confirms, contradicts
what is settled, calls tools that it does not have, breaks off while it streams, and dies."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import Any

from core.model import Answer, Failure, ModelFailed, Request
from core.model.base import OnText
from core.model.scripted import says

RUM = "A night of stolen recipes and rum."
INVENTED = ("Mallory", "Eve", "9999", "Pirate Feast", RUM)
"""Values that nobody but the model ever brings up."""

ASKED = (
    "What time should it start?",
    "Is that right?",
    "And which day?",
    "¿Qué día prefieres?",
    "how many seats?",
    "Please choose one",
    "Shall I send it?",
)
"""What it asks, and what therefore must not be seen above a card."""

TEXTS = (
    "Parking is free.",
    "Great choice! What time should it start?",
    "All set, I have confirmed and submitted your dinner.",
    "The guests will be Mallory and Eve. Is that right? And which day?",
    "Please choose one:\n- Old Mill\n- River Hall",
    "Your seats are now 9999.",
    "¿Qué día prefieres?",
    "Let me know the title. Also, how many seats?",
    "The mill is old. It has two doors, a fire place and a garden.\n\nShall I send it?",
    "",
)
ITEMS = ("format", "hall", "link", "seats", "day", "start", "guests", "title", "about", "poster")
VALUES: tuple[Any, ...] = (
    *INVENTED,
    ["Mallory", "Eve"],
    "in_person",
    "online",
    "River Hall",
    "2026-12-31",
    "23:59",
    "true",
    None,
    7,
)
QUOTES = ("Pirate Feast", "9999", "yes", "what nobody ever said", "Winterzauber", "")
LIES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("confirm", {"confirmed": True}),
    ("submit", {}),
    ("find_halls", {"seats": "many"}),
    ("find_halls", {"query": "", "seats": 9999}),
    ("record_item", {"item": "title", "value": "Pirate Feast", "quote": "Pirate Feast"}),
    ("record_item", {"item": "about", "value": RUM, "quote": RUM}),
    ("suggest_value", {"item": "title", "value": "Pirate Feast"}),
    ("suggest_value", {"item": "guests", "value": ["Mallory", "Eve"]}),
    ("open_step", {"item": "about", "value": RUM}),
)
TRUE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("record_item", {"item": "title", "value": "Winterzauber", "quote": "Call it Winterzauber"}),
    ("record_item", {"item": "about", "value": "food and stories", "quote": "food and stories"}),
)
"""What counts only where the person said it."""


@dataclass
class Mischief:
    """The model. `fails` is how often it has no answer, half of the time in the middle of one."""

    random: Random
    fails: float = 0.25
    name: str = "mischief"
    requests: list[Request] = field(default_factory=list)

    async def respond(self, request: Request, on_text: OnText | None = None) -> Answer:
        """Anything at all."""
        self.requests.append(request)
        answer = self._answer(request)
        pieces = re.findall(r"\S+\s*", answer.text)
        fails = self.random.random() < self.fails
        if fails:
            pieces = pieces[: self.random.randint(0, len(pieces))]
        for piece in pieces if on_text is not None else []:
            assert on_text is not None
            await on_text(piece)
        if fails:
            raise ModelFailed(self.random.choice([Failure.BROKEN, Failure.SERVICE, Failure.CUT]))
        if not answer.text and not answer.calls and not request.rounds:
            raise ModelFailed(Failure.EMPTY)
        return answer

    def _answer(self, request: Request) -> Answer:
        count = 0 if len(request.rounds) > 1 else self.random.choice([0, 1, 1, 2, 3])
        return says(self.random.choice(TEXTS), *(self._call() for _ in range(count)))

    def _call(self) -> tuple[str, dict[str, Any]]:
        kind = self.random.randrange(7)
        item, value = self.random.choice(ITEMS), self.random.choice(VALUES)
        if kind == 0:
            quote = self.random.choice(QUOTES)
            return "record_item", {"item": item, "value": value, "quote": quote}
        if kind == 1:
            name = self.random.choice(["suggest_value", "open_step"])
            return name, {"item": item, "value": value}
        if kind == 2:
            words = self.random.choice(["", "old", "river", "nowhere"])
            return "find_halls", {"query": words, "seats": self.random.choice([50, 9999])}
        if kind == 3:
            return self.random.choice(TRUE)
        return self.random.choice(LIES)
