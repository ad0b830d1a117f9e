"""How fast a turn is, what an open conversation costs, and whether a turn grows with its past.

Run by hand: `python benchmarks/turn.py`. Rates depend on the machine; compare the ratios.

- *pure*: `core.turn.take` alone, on the event journey, answered in words. No store, no model.
- *store*: accept, claim, take, settle and carry out, on SQLite in a temporary file (WAL, FULL).
- *peer*: aiogram's finite-state machine with its memory storage, fed with updates in the same
  process, asking four questions and taking any text for an answer: no reading, no validation,
  nothing durable. It is what a bot's author would otherwise write by hand, at its cheapest.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

from aiogram import Bot, Dispatcher, F
from aiogram.fsm.context import FSMContext
from aiogram.fsm.state import State, StatesGroup
from aiogram.types import Chat as PeerChat
from aiogram.types import Message, Update, User
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from bot.settings import Settings
from bot.wiring import House, open_house
from core.effects import Effect
from core.replies import Command, Reply, Words
from core.state import encode
from tests.support.chat import ANNA, Chat, Types
from tests.support.journeys import dinner, halls

ANSWERS = ("in person", "River Hall", "150 people", "24 December 2026", "7 pm", "skip")
EVENT = ("a meetup", "online", "https://example.org/room", "5 February 2027", "7 pm", "two hours")


class Quiet:
    """A channel that carries everything out at once."""

    name = "quiet"

    async def carry_out(self, lane: str, effect: Effect, drawn: object) -> None:
        return None

    async def preview(self, lane: str, text: str) -> None:
        return None


def opened() -> Chat:
    """A chat at the first question of the small journey."""
    return Chat(Types((dinner(),)), fetch=halls).commands("new", "dinner")


def pure_rate(rounds: int = 60) -> float:
    """Turns a second of the pure turn."""
    turns, spent = 0, 0.0
    for _ in range(rounds):
        chat = opened()
        start = time.perf_counter()
        for answer in ANSWERS:
            chat.says(answer)
        spent += time.perf_counter() - start
        turns += len(ANSWERS)
    return turns / spent


async def store_rate(house: House, conversations: int = 30) -> float:
    """Turns a second through the store, one after the other."""
    channel = Quiet()
    house.open_channel(channel)
    turns, start = 0, time.perf_counter()
    for number in range(conversations):
        lane = f"quiet:{number}"
        at = datetime.now(UTC)
        replies: list[Reply] = [Command(name="new", argument="event", by=ANNA.id, at=at)]
        replies += [Words(text=text, by=ANNA.id, at=at) for text in EVENT]
        for place, reply in enumerate(replies):
            await house.store.accept(lane, f"{lane}:{place}", reply, person=ANNA)
            await house.runtime.drain()
            await house.sender.drain()
            turns += 1
    return turns / (time.perf_counter() - start)


class Form(StatesGroup):
    """The peer's four questions."""

    kind = State()
    place = State()
    seats = State()
    day = State()


async def peer_rate(rounds: int = 60) -> float:
    """Updates a second of aiogram's state machine; replies are not sent anywhere."""
    dispatcher, bot = Dispatcher(), Bot("1:" + "a" * 35)
    order = [Form.kind, Form.place, Form.seats, Form.day]
    for state, after in zip(order, [*order[1:], None], strict=True):

        async def answer(message: Message, state: FSMContext, then: State | None = after) -> None:
            await state.update_data({str(then): message.text})
            await state.set_state(then)

        dispatcher.message.register(answer, state, F.text)
    turns, spent = 0, 0.0
    for number in range(1, rounds + 1):
        person = User(id=number, is_bot=False, first_name="Anna")
        chat = PeerChat(id=number, type="private")
        await dispatcher.fsm.get_context(bot, number, number).set_state(Form.kind)
        start = time.perf_counter()
        for place, text in enumerate(ANSWERS[:4]):
            message = Message(
                message_id=place, date=datetime.now(UTC), chat=chat, from_user=person, text=text
            )
            await dispatcher.feed_update(bot, Update(update_id=turns, message=message))
            turns += 1
        spent += time.perf_counter() - start
    await bot.session.close()
    return turns / spent


def per_conversation(count: int = 300) -> tuple[int, int]:
    """Bytes of one open conversation: stored, and in memory."""
    stored = len(encode(opened().says("in person").says("River Hall").state))
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [opened().says("in person").state for _ in range(count)]
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return stored, (after - before) // len(kept)


def growth() -> list[tuple[int, float, int]]:
    """Seconds of a turn and bytes of the state after so many turns of changing one answer."""
    chat, rows, turns = opened().says("in person").says("River Hall").says("150"), [], 0
    for goal in (10, 100, 1000):
        while turns < goal:
            chat.taps("Back").says(str(100 + turns % 50))
            turns += 2
        start = time.perf_counter()
        for again in range(10):
            chat.taps("Back").says(str(60 + again))
        spent = (time.perf_counter() - start) / 20
        turns += 20
        rows.append((goal, spent, len(encode(chat.state))))
    return rows


async def main() -> None:
    """Measure all of it and print the table."""
    pure, peer = pure_rate(), await peer_rate()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{folder}/turns.db"
        chosen = Settings(DATABASE_URL=url, data_dir=Path(folder))  # type: ignore[call-arg]
        async with open_house(chosen) as house:
            stored = await store_rate(house)
    table = Table("measured", "a second", "against the peer")
    table.add_row("peer: aiogram FSM, in memory", f"{peer:,.0f}", "1.00")
    table.add_row("pure turn, with the reading", f"{pure:,.0f}", f"{pure / peer:.2f}")
    table.add_row("turn through the store (SQLite, FULL)", f"{stored:,.0f}", f"{stored / peer:.2f}")
    console = Console()
    console.print(table)
    size, memory = per_conversation()
    console.print(f"an open conversation: {size:,} bytes stored, {memory:,} bytes in memory")
    for turns, spent, state in growth():
        console.print(
            f"after {turns:>5} turns: {spent * 1e3:.2f} ms a turn, {state:,} bytes of state"
        )


if __name__ == "__main__":
    asyncio.run(main())
