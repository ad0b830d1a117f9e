"""The peers that `benchmarks/turn.py` compares with: one form of four questions, in each of them.

    python benchmarks/peers.py aiogram|graph|graph-sqlite PEOPLE [FOLDER]

Each person starts, answers four questions and confirms: six replies. Every answer is checked (one
of two words, some text, a whole number from 1 to 200, an ISO date); a wrong one is asked again. It
prints how many replies there were, the seconds of the clock and of the processor that they took.

- *aiogram*: its finite-state machine with memory storage, fed with updates; nothing is durable.
- *graph*: LangGraph with one `interrupt` for each question, checkpointed in memory.
- *graph-sqlite*: the same, checkpointed by langgraph-checkpoint-sqlite in a file (WAL, FULL), each
  step on disk before the next ("sync").

It imports nothing of Surestep, so that it runs in an environment of its own.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

QUESTIONS = {
    "format": "In person or online?",
    "place": "What is it called?",
    "seats": "How many seats?",
    "day": "On which day?",
    "sure": "Is all of this right?",
}
ANSWERS = ("online", "Winter Dinner", "150", "2026-12-24", "yes")
Sent = list[str]


def good(item: str, text: str) -> Any:
    """The value of an answer; None where it is none."""
    if item == "format":
        return text.casefold() if text.casefold() in ("in person", "online") else None
    if item == "seats":
        return int(text) if text.isdecimal() and 1 <= int(text) <= 200 else None
    if item == "sure":
        return text.casefold() == "yes" or None
    if item == "day":
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            return None
    return text.strip() or None


def aiogram_dispatcher(sent: Sent) -> Any:
    """A dispatcher with one handler for each question."""
    from aiogram import Dispatcher, F
    from aiogram.filters import CommandStart, StateFilter
    from aiogram.fsm.context import FSMContext
    from aiogram.types import Message

    dispatcher, items = Dispatcher(), list(QUESTIONS)

    async def start(_message: Message, state: FSMContext) -> None:
        await state.set_state(items[0])
        sent.append(QUESTIONS[items[0]])

    def asking(item: str, then: str | None) -> Callable[..., Any]:
        async def answer(message: Message, state: FSMContext) -> None:
            value = good(item, message.text or "")
            if value is None:
                sent.append(QUESTIONS[item])
                return
            await state.update_data({item: value})
            await state.set_state(then)
            sent.append(QUESTIONS[then] if then else f"Sent: {await state.get_data()}")

        return answer

    dispatcher.message.register(start, CommandStart())
    for item, then in zip(items, [*items[1:], None], strict=True):
        dispatcher.message.register(asking(item, then), StateFilter(item), F.text)
    return dispatcher


async def with_aiogram(people: int, sent: Sent) -> None:
    """Each person's updates, one after the other."""
    from aiogram import Bot
    from aiogram.types import Chat, Message, Update, User

    dispatcher, bot = aiogram_dispatcher(sent), Bot("1:" + "a" * 35)
    for number in range(1, people + 1):
        person = User(id=number, is_bot=False, first_name="Anna")
        chat = Chat(id=number, type="private")
        for place, text in enumerate(("/start", *ANSWERS)):
            message = Message(
                message_id=place, date=datetime.now(UTC), chat=chat, from_user=person, text=text
            )
            await dispatcher.feed_update(bot, Update(update_id=len(sent), message=message))
    await bot.session.close()


def graph(saver: Any) -> Any:
    """A graph with one node for each question, compiled with a checkpointer."""
    from langgraph.graph import END, START, StateGraph  # type: ignore[import-not-found, unused-ignore]
    from langgraph.types import interrupt  # type: ignore[import-not-found, unused-ignore]

    def asking(item: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
        def ask(state: dict[str, Any]) -> dict[str, Any]:
            value = None
            while value is None:
                value = good(item, interrupt(QUESTIONS[item]))
            return {**state, item: value}

        return ask

    building = StateGraph(dict)
    names = list(QUESTIONS)
    for name in names:
        building.add_node(name, asking(name))
    for name, then in zip([START, *names], [*names, END], strict=True):
        building.add_edge(name, then)
    return building.compile(checkpointer=saver)


def with_graph(people: int, sent: Sent, file: str | None) -> None:
    """Each person's replies, one after the other, in a thread of their own."""
    from langgraph.types import Command  # type: ignore[import-not-found, unused-ignore]

    if file is None:
        from langgraph.checkpoint.memory import InMemorySaver  # type: ignore[import-not-found, unused-ignore]

        saver: Any = InMemorySaver()
    else:
        from langgraph.checkpoint.sqlite import SqliteSaver  # type: ignore[import-not-found, unused-ignore]

        connection = sqlite3.connect(file, check_same_thread=False)
        saver = SqliteSaver(connection)
        saver.setup()
        connection.execute("PRAGMA synchronous=FULL")
    compiled = graph(saver)
    for number in range(people):
        thread = {"configurable": {"thread_id": str(number)}}
        for reply in ({}, *(Command(resume=text) for text in ANSWERS)):
            said = compiled.invoke(reply, thread, durability="sync")
            waiting = said.get("__interrupt__")
            sent.append(waiting[0].value if waiting else f"Sent: {said}")


def run(peer: str, people: int, folder: Path) -> tuple[int, float, float]:
    """Replies, and the seconds of the clock and of the processor that they took."""
    sent: Sent = []

    def work(many: int) -> None:
        if peer == "aiogram":
            asyncio.run(with_aiogram(many, sent))
        else:
            file = folder / f"{peer}-{many}.db"
            with_graph(many, sent, str(file) if peer == "graph-sqlite" else None)

    work(2)  # what is imported and made once is not a reply's cost
    sent.clear()
    began, processor = time.perf_counter(), time.process_time()
    work(people)
    spent = time.perf_counter() - began, time.process_time() - processor
    finished = sum(one.startswith("Sent: ") for one in sent)
    if finished != people or len(sent) != people * 6:
        raise SystemExit(f"{peer}: {finished} of {people} forms were finished: {sent[-6:]}")
    return len(sent), *spent


def main() -> None:
    peer, people, *folder = sys.argv[1:]
    replies, clock, processor = run(peer, int(people), Path(*folder[:1]))
    sys.stdout.write(f"{replies} {clock} {processor}\n")


if __name__ == "__main__":
    main()
