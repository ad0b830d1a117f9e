"""Measure the store: how many replies it accepts, and how many turns it settles, in a second.

    python benchmarks/store.py                                  # SQLite, in a new folder
    python benchmarks/store.py --url postgresql://user@host/db  # an empty database

A turn here is what the runtime does around one: claim, settle (state, inbox mark, two effects, a
note); its effects are sent after it. The time of this process tells two versions of the code apart
on a busy machine too. The database is filled, and left behind for a look.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.cards import Button, Chips
from core.effects import Draw, Effects, Note, Say
from core.replies import Words
from core.state import Person
from core.store import Store

Lanes = Sequence[str]
Work = Callable[[Store, Lanes], Awaitable[int]]

SOME = Words(text="the second one, please", by="p", at=datetime(2026, 12, 1, tzinfo=UTC))
CARD = Chips(
    id="c",
    item="format",
    title="In person or online?",
    options=tuple(Button(token=f"{n}", label=f"Option {n}") for n in range(5)),
)
EFFECTS = Effects(
    show=(Say(text="Noted."), Draw(card=CARD)),
    notes=(Note(role="person", text=SOME.text, words=True),),
)


async def accept(store: Store, lanes: Lanes) -> int:
    """Accept one reply in each lane."""
    for lane in lanes:
        await store.accept(lane, f"{lane}/{time.monotonic_ns()}", SOME, person=Person(id="p"))
    return len(lanes)


async def settle(store: Store, lanes: Lanes) -> int:
    """Claim and settle as long as there is something to."""
    turns = 0
    while claim := await store.claim("benchmark"):
        assert claim.state is not None
        state = msgspec.structs.replace(claim.state, turn=claim.state.turn + 1)
        done = claim.entries
        await store.settle(claim, done=done, state=state, effects=EFFECTS)
        turns += 1
    return turns


async def send(store: Store, lanes: Lanes) -> int:
    """Send as long as something is due."""
    sent = 0
    while rows := await store.due("benchmark", ["bench"]):
        for row in rows:
            await store.sent(row, {"message_id": sent}, "c")
            sent += 1
    return sent


async def timed(store: Store, name: str, work: Work, lanes: Lanes, tasks: int) -> None:
    began, worked = time.perf_counter(), time.process_time()
    shares = [lanes[number::tasks] for number in range(tasks)]
    done = sum(await asyncio.gather(*(work(store, share) for share in shares)))
    seconds, worked = time.perf_counter() - began, time.process_time() - worked
    rate, each = done / seconds, 1000 * worked / done
    sys.stdout.write(f"  {name:<10}{done:>6}{rate:>8.0f}/s {each:>8.2f} ms of this process each\n")


async def measure(url: str, number: int) -> None:
    store = await Store.open(url)
    try:
        await store.migrate()
        for tasks in (1, 8):
            sys.stdout.write(f"{store.database.url.drivername}, {tasks} at a time\n")
            lanes = [f"bench:{one}" for one in range(number)]
            for name, work in (("accepted", accept), ("settled", settle), ("sent", send)):
                await timed(store, name, work, lanes, tasks)
    finally:
        await store.close()


def main() -> None:
    options = argparse.ArgumentParser(description="Measure the store.")
    options.add_argument("--url", default=os.environ.get("DATABASE_URL", ""))
    options.add_argument("--replies", type=int, default=1000)
    given = options.parse_args()
    url = given.url or f"sqlite:///{tempfile.mkdtemp(prefix='surestep-')}/store.db"
    asyncio.run(measure(url, given.replies))


if __name__ == "__main__":
    main()
