"""Walks the event journey to its end by answering whatever is asked: a process to be killed.

`python -m tests.support.walker CONVERSATION [ITEM]` talks as the terminal does, through the real
house, to the end or until the item is asked. It never knows how far it was: what is open is read
from the database, so it can be killed anywhere and started again. It prints what it answers.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime

from bot.processes import TerminalChat
from bot.settings import load
from bot.wiring import open_house
from channels.terminal.driver import PERSON, Terminal
from core.replies import Reply, Tap, Words
from core.state import Ask, AskKind
from core.texts import Texts

ANSWERS = {
    "kind": "Meetup",
    "format": "In person",
    "venue": "Lindenhof Saal",
    "date": "5 February 2027",
    "start_time": "19:00",
    "duration": "2 hours",
    "capacity": "60",
    "admission": "Free",
    "speakers": "Ada Lovelace\nGrace Hopper",
    "languages": "english and german",
    "contact": "Name: Anna Meier\nE-mail: anna@example.org\nPhone: +49 30 901820",
    "cover": "skip",
    "publish_at": "now",
    "attestation": "yes",
    "title": "Python Evening",
    "description": "An evening about testing in Python, with two short talks and pizza.",
}

CONTENT = {
    "kind": "meetup",
    "format": "in_person",
    "date": "2027-02-05",
    "start_time": "19:00",
    "duration": 120,
    "capacity": 60,
    "admission": "free",
    "speakers": ["Ada Lovelace", "Grace Hopper"],
    "languages": ["english", "german"],
    "contact": {"name": "Anna Meier", "email": "anna@example.org", "phone": "+4930901820"},
    "cover": None,
    "publish_at": "now",
    "attestation": True,
    "title": "Python Evening",
    "description": "An evening about testing in Python, with two short talks and pizza.",
}
"""What these answers are as a submission, but for the venue, which is the directory's record."""


def answer_to(ask: Ask) -> Reply:
    """The reply to an open ask: a list that has its entries is done, a summary is confirmed."""
    at = datetime.now(UTC)
    if ask.kind is AskKind.SUMMARY:
        return Tap(card=ask.card, token="confirm", by=PERSON, at=at)
    done = ask.item in ("speakers", "contact") and ask.cursor
    return Words(text="done" if done else ANSWERS[ask.item], by=PERSON, at=at)


async def walk(conversation: str, until: str = "") -> int:
    """Answer until nothing is asked any more; 0 when the journey was submitted."""
    async with open_house(load()) as house:
        terminal = Terminal(Texts("en"))
        house.open_channel(terminal)
        chat = TerminalChat(house, terminal, f"terminal:{conversation}")
        if not await chat.over():
            await chat.open("event")
        for _ in range(60):
            state = await chat.state()
            assert state is not None
            if await chat.over() or state.journey is None or state.journey.ask is None:
                break
            if until and state.journey.ask.item == until:
                return 0
            sys.stdout.write(f"open: {state.journey.ask.item or 'summary'}\n")
            sys.stdout.flush()
            await chat.take(answer_to(state.journey.ask))
        return await chat.end()


if __name__ == "__main__":
    sys.exit(asyncio.run(walk(*sys.argv[1:])))
