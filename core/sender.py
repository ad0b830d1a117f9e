"""Carries out what turns want to happen, in order for each lane, from the durable outbox.

Each lane's effects are carried out one after the other by a task of their own: a slow send, or a
chat that must wait, delays no other. What was sent is marked before a message follows that may not
come twice, and at the end of the run; so a process that dies repeats at most one such message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

import structlog

from core.channel import SEEN_AT, Channel, Later, Lost, Native, Never
from core.store import Outgoing, Store
from core.store.outbox import RUN, Sent, card_of, may_be_repeated
from core.store.part import channel_of

log = structlog.get_logger()

Run = list[Outgoing]
"""What one lane has to send, in order."""

ENDED = "the process ended meanwhile"


@dataclass
class Sender:
    """Sends for the channels of this process.

    A failing effect is tried `tries` times, the second time after `retry` seconds and each time
    after twice as many. `lease` are the seconds that a lane is leased for; one attempt may take two
    thirds of it. After `idle` seconds without a ring of the store's bell it is looked all the same:
    another process may have something to send. Where the process ends, what is under way has
    `grace` seconds to come to its end.
    """

    store: Store
    owner: str
    channels: dict[str, Channel] = field(default_factory=dict)
    tries: int = 5
    retry: float = 1.0
    lease: float = 60.0
    idle: float = 1.0
    grace: float = 5.0

    async def send(self, lanes: int = 20) -> int:
        """Carry out what so many lanes have to send now; how many effects that were."""
        runs = await self._due(lanes)
        await asyncio.gather(*(_Sending(self, run).carry_out() for run in runs))
        return sum(len(run) for run in runs)

    async def drain(self) -> None:
        """Send until nothing is due."""
        while await self.send():
            pass

    async def run(self, lanes: int = 64) -> None:
        """Send until cancelled, for so many lanes at once."""
        busy: set[asyncio.Task[None]] = set()
        async with asyncio.TaskGroup() as sending:
            while True:
                if len(busy) >= lanes:
                    await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)
                for run in await self._next(lanes - len(busy)):
                    task = sending.create_task(self._send(run))
                    busy.add(task)
                    task.add_done_callback(busy.discard)

    async def _next(self, lanes: int) -> list[Run]:
        """What is due, or nothing after a while without a ring."""
        try:
            found = await self._due(lanes)
        except Exception:
            # A database that is away comes back, and is not asked faster than this.
            log.exception("due_failed")
            await asyncio.sleep(self.idle)
            return []
        if not found:
            await self.store.outgoing.wait(self.idle)
        return found

    async def _due(self, lanes: int) -> list[Run]:
        rows = await self.store.due(self.owner, tuple(self.channels), lanes, self.lease)
        by_lane = groupby(sorted(rows, key=attrgetter("lane", "id")), attrgetter("lane"))
        return [list(run) for _, run in by_lane]

    async def _send(self, run: Run) -> None:
        rings = self.store.outgoing.rings
        try:
            await _Sending(self, run).carry_out()
        except Exception:
            # Not even its failure could be written down: it is due again after its lease.
            log.exception("lane_failed", lane=run[0].lane)
        finally:
            # What is left in this lane, or came into it, nobody could find meanwhile.
            if self.store.outgoing.rings != rings or run[0].tries or len(run) >= RUN:
                self.store.outgoing.ring()


class _Sending:
    """One lane's run, being carried out. Whoever is cancelled has written down how far it came."""

    def __init__(self, sender: Sender, run: Run) -> None:
        self.sender = sender
        self.store = sender.store
        self.channel = sender.channels[channel_of(run[0].lane)]
        self.left = run
        self.unmarked: list[Sent] = []
        self.places = {card_of(row.effect): row.drawn for row in run}
        self.held_at = _clock()
        self.ends = False

    async def carry_out(self) -> None:
        """Carry out what can be; the rest of the run is given back in order."""
        try:
            while self.left and await self._is_held():
                row, *self.left = self.left
                went = await self._carry_out(row)
                if self.ends:
                    raise asyncio.CancelledError
                if not went:
                    return
                if not may_be_repeated(row.effect):
                    await self._mark()
            await self._mark()
        except asyncio.CancelledError:
            await self._mark()
            if self.left:
                first, *self.left = self.left
                await self._wait(first, 0.0, ENDED, counts=False)
            raise

    async def _carry_out(self, row: Outgoing) -> bool:
        """Carry out one effect, or give it up; False when the lane has to wait."""
        try:
            native = await self._attempt(row)
        except asyncio.CancelledError:
            # Perhaps it has been sent.
            await self._wait(row, 0.0, ENDED)
            raise
        except Later as later:
            counts = later.begun and not row.tries
            await self._wait(row, later.seconds, str(later), counts=counts)
            return False
        except Never as never:
            await _surely(self.store.park(row, str(never)))
        except Lost as lost:
            log.warning("send_lost", lane=row.lane, tries=row.tries, why=str(lost))
            return await self._failed(row, str(lost) or "its answer was lost")
        except Exception as error:
            log.exception("send_failed", lane=row.lane, tries=row.tries)
            return await self._failed(row, type(error).__name__)
        else:
            self._sent(row, native)
        return True

    async def _attempt(self, row: Outgoing) -> Native | None:
        limit = asyncio.timeout(self.sender.lease * 2 / 3)
        drawn, again = self.places.get(card_of(row.effect)), row.tries > 0
        try:
            async with limit:
                sending = self.channel.carry_out(row.lane, row.effect, drawn, again=again)
                return await self._to_its_end(asyncio.ensure_future(sending), limit)
        except TimeoutError:
            if limit.expired():
                raise Lost("no answer came in time") from None
            raise

    async def _to_its_end(
        self, sending: asyncio.Future[Native | None], limit: asyncio.Timeout
    ) -> Native | None:
        """What is under way is sent to its end, for a while also where the process ends: cut off,
        it would come twice."""
        try:
            return await asyncio.shield(sending)
        except asyncio.CancelledError:
            if sending.cancelled():
                raise
            try:
                if not limit.expired():
                    await asyncio.wait({sending}, timeout=self.sender.grace)
            finally:
                sending.cancel()
                await asyncio.wait({sending})
            if sending.cancelled():
                raise
            self.ends = True
            return sending.result()

    def _sent(self, row: Outgoing, native: Native | None) -> None:
        card = card_of(row.effect)
        if row.tries and native:
            # The first copy may have been seen before this one came.
            native = {name: one for name, one in native.items() if name != SEEN_AT}
        # A place that is known already is not written again.
        moved = bool(native) and native != self.places.get(card)
        self.unmarked.append(Sent(row, native, card if moved else ""))
        if native and card:
            self.places[card] = native

    async def _failed(self, row: Outgoing, error: str) -> bool:
        """Try it again later; what failed too often is parked, and its lane goes on."""
        if row.tries + 1 >= self.sender.tries:
            await _surely(self.store.park(row, error))
            return True
        await self._wait(row, self.sender.retry * 2.0**row.tries, error)
        return False

    async def _wait(
        self, row: Outgoing, seconds: float, error: str, *, counts: bool = True
    ) -> None:
        """Send it, and what is left of its run, in so many seconds."""
        await self._mark()
        behind, self.left = self.left, []
        await _surely(self.store.retry(row, error, seconds, counts=counts, behind=behind))
        self.store.outgoing.ring(after=seconds)

    async def _mark(self) -> None:
        those, self.unmarked = self.unmarked, []
        if those:
            await _surely(self.store.all_sent(those))

    async def _is_held(self) -> bool:
        """Hold the lane for longer, in good time; False when it was lost."""
        if _clock() - self.held_at < self.sender.lease / 3:
            return True
        self.held_at = _clock()
        return await self.store.hold(self.left, self.sender.lease)


async def _surely(work: Awaitable[None]) -> None:
    """Write this down, even where whoever waits for it is cancelled."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


def _clock() -> float:
    return asyncio.get_running_loop().time()
