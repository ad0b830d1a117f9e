"""How fast a turn is, what an open conversation costs, and whether a turn grows with its past.

    python benchmarks/turn.py                         # SQLite; PostgreSQL where it is at hand
    python benchmarks/turn.py --url postgresql://user@host/db         # an empty database
    python -m venv /tmp/peer && /tmp/peer/bin/pip install langgraph langgraph-checkpoint-sqlite
    python benchmarks/turn.py --with-peer /tmp/peer/bin/python

Run by hand. Rates depend on the machine and on what else it does: seconds of the processor are
beside those of the clock, each row is the median of rounds that take turns with each other, and the
ratios within one run are what to compare.

- *bare*: `core.turn.take` alone: no store, no model, nothing sent. The event journey is a command,
  4 taps and 14 replies in words, which are read; the venue directory is searched in memory.
- *store*: accept, claim, take, settle, and the sending of each effect from the outbox to a channel
  that does nothing; then a look whether more waits, as a worker does, which "one at a time" pays
  for every turn. "At their own pace" is a running process: its workers, its sender and its bells,
  and people who reply as soon as they see what is asked. SQLite is a new file (WAL, FULL).
  PostgreSQL without `--url` is the tests' server, which does not wait for its disk (fsync off): its
  rates flatter it.
- *peers* (see `benchmarks/peers.py`): a form of four questions and a confirmation, with the same
  replies as our own *short form*. aiogram's state machine in memory and LangGraph in memory stand
  beside our bare turn, LangGraph with its SQLite checkpointer, each step synced, beside our store.

What is not the same: the peers check an answer in one line, draw no cards, print no receipt, and
know no back, change or stale tap; LangGraph's checkpointer keeps no deduplicated inbox, no lane, no
outbox and no transcript, so a store turn does more for its time. aiogram's own part is routing an
update, which the bare turn has not. No network and no model is in any of them.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.walking import Bare, Stored, Walker, short_form, venues
from core.catalogue import Catalogue
from core.state import decode, encode
from core.store import Store
from tests.support.chat import Types

CATALOGUE = Catalogue.load()
PEERS_SCRIPT = Path(__file__).with_name("peers.py")
STEP = 8
"""The most people who walk in step; more walk at their own pace."""
PAST = (10, 100, 1000)
CHANGES = 60
"""Turns that are measured after each such past."""
PEERS = {"graph": "LangGraph, in memory", "graph-sqlite": "LangGraph, SQLite checkpointer, FULL"}


@dataclass
class Rate:
    """Turns, and what they took, over several rounds. `beside` is the row that it is a ratio to."""

    name: str
    beside: str = ""
    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def add(self, turns: int, clock: float, processor: float) -> None:
        """Count one round."""
        self.clock.append(clock / turns)
        self.processor.append(processor / turns)


@dataclass
class Watch:
    """Seconds of the clock and of the processor."""

    clock: float = 0.0
    processor: float = 0.0


@contextmanager
def watching() -> Iterator[Watch]:
    """Time what is done in here."""
    watch = Watch()
    began, processor = time.perf_counter(), time.process_time()
    yield watch
    watch.clock = time.perf_counter() - began
    watch.processor = time.process_time() - processor


def bare(journey: str) -> Bare:
    """A new conversation with the bare turn."""
    types = Types((short_form(), CATALOGUE.journey("event").type))
    return Bare(types, venues(CATALOGUE), Walker(journey))


def bare_round(rate: Rate, journey: str, people: int) -> None:
    """So many journeys to their submission."""
    turns = 0
    with watching() as watch:
        for _ in range(people):
            chat = bare(journey)
            chat.to_summary()
            chat.turn(chat.walker.answer())
            assert chat.state.journey is not None
            assert chat.state.journey.status == "submitted"
            turns += chat.turns
    rate.add(turns, watch.clock, watch.processor)


async def stored_round(rate: Rate, stored: Stored, journey: str, people: int) -> None:
    """So many journeys to their submission, through the store."""
    before = stored.turns
    with watching() as watch:
        if stored.hands > STEP:
            await stored.at_their_own_pace(journey, stored.hands)
        else:
            for _ in range(people // stored.hands):
                await stored.journeys(journey, stored.hands)
    rate.add(stored.turns - before, watch.clock, watch.processor)


def peer_round(rate: Rate, python: str, peer: str, people: int) -> bool:
    """The peer's form in a process of its own; False when the peer is not there."""
    with tempfile.TemporaryDirectory() as folder:
        command = [python, str(PEERS_SCRIPT), peer, str(people), folder]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.stderr.write(f"{peer} could not be measured: {ran.stderr.strip()[-300:]}\n")
        return False
    turns, clock, processor = ran.stdout.split()[-3:]
    rate.add(int(turns), float(clock), float(processor))
    return True


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    """A migrated store with the journeys' directories in it."""
    store = await Store.open(url)
    try:
        await store.migrate()
        await CATALOGUE.keep(store)
        yield store
    finally:
        await store.close()


@contextmanager
def postgres(url: str) -> Iterator[str]:
    """A PostgreSQL's URL: the given one, the tests' embedded server, or empty without any."""
    if url:
        yield url
        return
    try:
        from tests.support.postgres import Place, end_server, ensure_server, fresh_database
    except ImportError:
        yield ""
        return
    place = Place.new()
    try:
        with fresh_database(ensure_server(place)) as database:
            yield database.render_as_string(hide_password=False)
    finally:
        end_server(place)


# --- rates ----------------------------------------------------------------------------------------


async def rates(store: Store, other: Store | None, given: argparse.Namespace) -> list[Rate]:
    """All rates, in rounds that take turns, so that a busy moment is nobody's own."""
    event, short = Rate("bare turn, event journey"), Rate("bare turn, short form")
    aiogram = Rate("peer: aiogram FSM, in memory", beside=short.name)
    one, eight = Stored(store, CATALOGUE), Stored(store, CATALOGUE, hands=STEP)
    crowd = Stored(store, CATALOGUE, hands=given.crowd)
    by_store = [
        (Rate("SQLite, event journey, one at a time"), one, "event"),
        (Rate("SQLite, event journey, 8 at a time"), eight, "event"),
        (Rate("SQLite, short form, one at a time"), one, "short"),
        (Rate(f"SQLite, event journey, {given.crowd} at their own pace"), crowd, "event"),
    ]
    if other is not None:
        name = "PostgreSQL" if given.url else "PostgreSQL (fsync off)"
        alone, many = Stored(other, CATALOGUE), Stored(other, CATALOGUE, hands=8)
        by_store.append((Rate(f"{name}, event journey, one at a time"), alone, "event"))
        by_store.append((Rate(f"{name}, event journey, 8 at a time"), many, "event"))
    beside = {"graph": short.name, "graph-sqlite": by_store[2][0].name}
    peers = {peer: Rate(f"peer: {PEERS[peer]}", beside=beside[peer]) for peer in PEERS}
    for _ in range(given.rounds):
        bare_round(event, "event", given.people)
        bare_round(short, "short", given.people * 4)
        peer_round(aiogram, sys.executable, "aiogram", given.people * 4)
        for peer, rate in peers.items():
            if given.with_peer:
                peer_round(rate, given.with_peer, peer, given.people)
        for rate, stored, journey in by_store:
            await stored_round(rate, stored, journey, max(8, given.people // 2))
    found = [event, short, *(rate for rate, _, _ in by_store), aiogram, *peers.values()]
    return [rate for rate in found if rate.clock]


def rates_table(found: list[Rate]) -> Table:
    """The rates; beside a peer's own stands how many times as fast ours is."""
    table = Table("measured", "turns/s", "ms", "CPU ms", "ours is × as fast", "by CPU")
    for column in table.columns[1:]:
        column.justify = "right"
    by_name = {rate.name: rate for rate in found}
    for rate in found:
        clock, processor = statistics.median(rate.clock), statistics.median(rate.processor)
        ratios = ["", ""]
        if rate.beside:
            ours = by_name[rate.beside]
            ratios = [_ratio(rate.clock, ours.clock), _ratio(rate.processor, ours.processor)]
        row = (f"{1 / clock:,.0f}", f"{clock * 1e3:.2f}", f"{processor * 1e3:.2f}", *ratios)
        table.add_row(rate.name, *row)
    return table


def _ratio(theirs: list[float], ours: list[float]) -> str:
    each = [their / our for their, our in zip(theirs, ours, strict=False)]
    return f"{statistics.median(each):.2f}"


# --- an open conversation -------------------------------------------------------------------------


def resident() -> int:
    """Bytes of this process that are in memory now; 0 where the system does not say."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    gc.collect()
    line = next(one for one in status.read_text().splitlines() if one.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


async def open_conversations(store: Store, count: int) -> list[tuple[str, str]]:
    """What so many conversations cost that are at the event journey's summary or before it."""
    half, whole = bare("event"), bare("event")
    half.turn(half.walker.start())
    for _ in range(8):
        half.turn(half.walker.answer())
    whole.to_summary()
    rows = [("stored state after 8 answers", f"{len(encode(half.state)):,} bytes")]
    rows.append(("stored state at the summary", f"{len(encode(whole.state)):,} bytes"))
    data, before = encode(whole.state), resident()
    held = [decode(data) for _ in range(count)]
    name = f"{count:,} states held in memory at once"
    rows.append((name, f"{(resident() - before) / len(held) / 1024:.1f} KiB each"))
    del held
    stored = Stored(store, CATALOGUE, hands=8)
    await _begin(stored, 64)
    before = resident()
    with watching() as watch:
        await _begin(stored, count)
    grown = (resident() - before) / 2**20
    rows.append((f"process after {count:,} more were opened", f"{grown:+.1f} MiB resident"))
    rows.append(("opening one (two turns)", f"{watch.clock / count * 1e3:.1f} ms"))
    return rows


async def _begin(stored: Stored, count: int) -> None:
    for _ in range(0, count, 8):
        walkers = [stored.walker("event") for _ in range(8)]
        await stored.round(walkers, Walker.start)
        await stored.round(walkers, Walker.answer)
        stored.screens.walkers.clear()


# --- growth ---------------------------------------------------------------------------------------


async def growth(store: Store, past: tuple[int, ...] = PAST) -> Table:
    """A turn's cost after so many turns that changed a long text and a number, in one journey.

    A person who has only just come to the summary changes theirs in between: what both cost more
    than before is the machine or the size of the database, what one costs more is the past.
    """
    heads = ("bare", "a new one's", "stored", "a new one's", "state, bytes", "transcript, bytes")
    table = Table("CPU ms after turns", *heads)
    chat, stored = bare("event"), Stored(store, CATALOGUE)
    chat.to_summary()
    walker = stored.walker("event")
    await stored.to_summary([walker])
    done = stored.turns
    for goal in past:
        while chat.turns < goal or not chat.walker.at_summary:
            chat.turn(chat.walker.change())
        while done < goal or not walker.at_summary:
            await stored.round([walker], Walker.change)
            done += 1
        fresh, newcomer = bare("event"), stored.walker("event")
        fresh.to_summary()
        await stored.to_summary([newcomer])
        here = _changes_here(chat, fresh)
        there = await _changes_there(stored, walker, newcomer)
        done += len(there[0])
        times = [f"{_pairs(spent) * 1e3:.2f}" for spent in (*here, *there)]
        size, transcript = len(encode(chat.state)), await _transcript(store, walker)
        table.add_row(f"{goal:,}", *times, f"{size:,}", f"{transcript:,}")
    return table


def _changes_here(*chats: Bare) -> list[list[float]]:
    spent: list[list[float]] = [[] for _ in chats]
    for _ in range(CHANGES):
        for chat, each in zip(chats, spent, strict=True):
            with watching() as watch:
                chat.turn(chat.walker.change())
            each.append(watch.processor)
    return spent


async def _changes_there(stored: Stored, *walkers: Walker) -> list[list[float]]:
    spent: list[list[float]] = [[] for _ in walkers]
    for _ in range(CHANGES):
        for walker, each in zip(walkers, spent, strict=True):
            with watching() as watch:
                await stored.round([walker], Walker.change)
            each.append(watch.processor)
    return spent


def _pairs(spent: list[float]) -> float:
    # A change is a tap and then words, which do not cost the same.
    taps, words = spent[::2], spent[1::2]
    return (statistics.median(taps) + statistics.median(words)) / 2


async def _transcript(store: Store, walker: Walker) -> int:
    lane = f"bench:{walker.id}"
    state = await store.conversation(lane)
    assert state is not None
    assert state.journey is not None
    notes = await store.transcript(lane, state.journey.id)
    return sum(len(note.text.encode()) for note in notes)


async def measure(given: argparse.Namespace, console: Console) -> None:
    """Measure all of it and print the tables."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(f"sqlite:///{folder}/open.db") as store:
            costs = await open_conversations(store, given.open)
        async with opened(f"sqlite:///{folder}/growth.db") as store:
            grown = await growth(store)
        with postgres(given.url) as url:
            async with opened(f"sqlite:///{folder}/rates.db") as store:
                if url:
                    async with opened(url) as other:
                        found = await rates(store, other, given)
                else:
                    found = await rates(store, None, given)
    console.print(rates_table(found))
    table = Table("an open conversation", "costs")
    for row in costs:
        table.add_row(*row)
    console.print(table)
    console.print(grown)
    if not given.with_peer:
        console.print("LangGraph was not measured: see --with-peer at the top of this file.")


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--url", default="", help="an empty PostgreSQL database")
    options.add_argument("--with-peer", default="", help="a Python that has langgraph")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--people", type=int, default=20, help="journeys in a round")
    options.add_argument("--crowd", type=int, default=32, help="people at their own pace")
    options.add_argument("--open", type=int, default=1000, help="conversations to hold open")
    asyncio.run(measure(options.parse_args(), Console(width=None if sys.stdout.isatty() else 120)))


if __name__ == "__main__":
    main()
