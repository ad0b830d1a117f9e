"""A small bot that is killed at each crash point, in processes of its own.

`python -m tests.core.store.killing URL FOLDER` takes every point in turn: a process gets the
replies of a lane of that name, does whatever is to be done, and is killed at the point. What it
leaves behind is the next one's too. The last process gets every reply again, as from a platform
that was not told that they arrived, and finishes everything. A line of JSON says what ended each.

What the world outside saw is in FOLDER, a file for each lane and kind of thing, a line for each:
the replies that were acknowledged, the effects that were sent (and which of them were told to have
been tried before), the submissions that were delivered.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import exists, or_, select

from core.cards import Record
from core.effects import Close, Draw, Effect, Effects, Note, Say
from core.events import Event, Happened
from core.store import Outgoing, Store, crash
from core.store.directories import FieldValue
from core.store.outbox import Sent, may_be_repeated
from core.store.sql import pending
from core.store.tables import delivery, inbox, outbox
from tests.core.store.building import ANNA, chips, state, submission, words

REPLIES = 3
SHOWN = 3
"""Effects of each turn."""

DESTINATIONS = ("file", "webhook")
LEASE = 0.01
"""Seconds: who comes after a killed process need not wait long, and nobody comes before."""

FIELDS: dict[str, FieldValue] = {"kind": "room"}
RECORDS = [Record(id=f"r{number}", label=f"Room {number}", fields=FIELDS) for number in range(3)]


@dataclass
class Bot:
    """Gets replies, takes turns, sends and delivers, until all is done."""

    store: Store
    folder: Path

    def saw(self, lane: str, what: str, line: str) -> None:
        """Write down what the world outside saw, at once: a killed process loses no write."""
        with (self.folder / f"{lane}.{what}").open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    async def live(self, lanes: Sequence[str]) -> None:
        for lane in lanes:
            await self.store.load_directory(lane, "1", RECORDS)
            for number in range(REPLIES):
                said = f"{number}"
                await self.store.accept(lane, f"{lane}/{said}", words(said), person=ANNA)
                self.saw(lane, "acknowledged", said)
        while await self.anything_waits():
            await self.take_turn()
            await self.send()
            await self.deliver()

    async def anything_waits(self) -> bool:
        """Whether anything is pending, if only under the lease of the process that was killed."""
        pendings = [exists().where(pending(table)) for table in (inbox, outbox, delivery)]
        async with self.store.database.read() as connection:
            return bool((await connection.execute(select(or_(*pendings)))).scalar_one())

    async def take_turn(self) -> None:
        claim = await self.store.claim("bot", LEASE)
        if claim is None or claim.state is None:
            return
        turn = claim.state.turn + 1
        if turn == 1 and claim.entries[0].tries == 0:
            # The first turn fails once, for the points on that way.
            await self.store.fail(claim, [claim.entries[0].id], "OSError", 0.0)
            return
        journey, last = f"{claim.lane}-journey", turn == REPLIES
        reply = claim.entries[0].reply
        await self.store.settle(
            claim,
            done=[claim.entries[0]],
            state=state(turn, key=claim.lane, journey=journey),
            effects=Effects(
                show=(
                    Close(card=f"card-{turn - 1}"),
                    Say(text=f"turn {turn}"),
                    Draw(card=chips(f"card-{turn}")),
                ),
                notes=(Note(role="person", text=getattr(reply, "text", ""), words=True),),
                events=(Event(what=Happened.SETTLED, turn=turn),),
                submission=submission(journey) if last else None,
            ),
            destinations=DESTINATIONS if last else (),
        )

    async def send(self) -> None:
        rows = await self.store.due("bot", ["test"], lease=LEASE)
        for lane in dict.fromkeys(row.lane for row in rows):
            await self.send_run([row for row in rows if row.lane == lane])

    async def send_run(self, run: list[Outgoing]) -> None:
        """One lane's effects, marked as the sender marks them."""
        unmarked = []
        for number, row in enumerate(run):
            if row.tries == 0 and row.key.endswith(":1:0"):
                await self.store.retry(row, "flood", 0.0, behind=run[number + 1 :])
                return
            self.saw(row.lane, "sent", f"{row.key} {msgspec.json.encode(row.effect).decode()}")
            self.saw(row.lane, "again", f"{row.key} {row.tries > 0}")
            unmarked.append(Sent(row, {"id": row.key}, drawn_by(row.effect)))
            if not may_be_repeated(row.effect):
                await self.store.all_sent(unmarked)
                unmarked = []
        if unmarked:
            await self.store.all_sent(unmarked)

    async def deliver(self) -> None:
        for row in await self.store.due_deliveries("bot", lease=LEASE):
            if row.tries == 0 and row.destination == "webhook":
                await self.store.retry_delivery(row, "busy", 0.0)
                continue
            await self.store.begin_delivery(row)
            made = row.submitted
            self.saw(made.lane, "delivered", f"{row.key} {made.submission.content}")
            await self.store.delivered(row)


def drawn_by(effect: Effect) -> str:
    return effect.card.id if isinstance(effect, Draw) else ""


async def live(url: str, folder: Path, lanes: Sequence[str]) -> None:
    # Of the many processes, more will die with an entry than any worker may in earnest.
    store = await Store.open(url, max_tries=1000)
    await Bot(store, folder).live(lanes)
    await store.close()


def in_a_process(work: Callable[[], Coroutine[Any, Any, None]], armed: str) -> int:
    """Run `work` in a process of its own; the signal that ended it, or minus its exit code."""
    child = os.fork()
    if child == 0:
        try:
            crash.arm(armed)
            asyncio.run(work())
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else -os.WEXITSTATUS(status)


def main(url: str, folder: Path) -> None:
    lanes = {point: f"test:{point}" for point in crash.POINTS}
    for point, lane in lanes.items():
        ended = in_a_process(partial(live, url, folder, [lane]), point)
        sys.stdout.write(json.dumps([point, ended]) + "\n")
    ended = in_a_process(partial(live, url, folder, list(lanes.values())), "")
    sys.stdout.write(json.dumps(["", ended]) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
