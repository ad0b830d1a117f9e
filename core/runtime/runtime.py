"""Who works: it claims a lane whenever there is one, takes a turn of it, and copes with failure."""

from __future__ import annotations

import asyncio

import structlog

from core.replies import Command, Reply
from core.runtime.lane_turn import LaneTurn
from core.runtime.renewing import renewing
from core.runtime.turns import Turns
from core.store import Amended, Claim, Fenced
from core.turn import SORRY

log = structlog.get_logger()


class Runtime(Turns):
    """Takes the turns of every lane, one after the other in each."""

    async def work(self) -> bool:
        """Take one turn of one lane; False when nothing waits."""
        claim = await self._claim()
        if claim is None:
            return False
        await self._take_turn(claim)
        return True

    async def _take_turn(self, claim: Claim) -> None:
        try:
            async with renewing(self.store, claim, self.rules.lease):
                await LaneTurn(self, claim).run()
        except Fenced:
            log.warning("lane_lost", lane=claim.lane)
        except Amended:
            # The person changed these words meanwhile: the turn is taken anew, with the newest.
            await self.store.release(claim)
        except asyncio.CancelledError:
            await self.store.release(claim)
            raise
        except Exception as error:
            log.exception("turn_failed", lane=claim.lane)
            await self._failed(claim, type(error).__name__)

    async def _failed(self, claim: Claim, error: str) -> None:
        """Try it again later; what failed too often is parked, and the person hears of it."""
        first = claim.entries[0]
        await self.store.fail(claim, [first.id], error, self.rules.retry, self._apology)
        if first.tries + 1 >= self.store.max_tries:
            self.bell.ring()
        else:
            self.bell.ring(after=self.rules.retry * 2.0**first.tries)

    async def _claim(self) -> Claim | None:
        return await self.store.claim(self.owner, self.rules.lease, self._apology)

    def _apology(self, reply: Reply) -> Reply | None:
        """What the person hears in the place of a reply that could not be taken at all."""
        if isinstance(reply, Command) and reply.name == SORRY:
            return None
        return Command(name=SORRY, by=reply.by, at=self.clock())

    async def drain(self) -> None:
        """Work until nothing waits."""
        while await self.work():
            pass

    async def run(self, workers: int = 16) -> None:
        """Work until cancelled, on so many lanes at once; then every lane is given back."""
        free = asyncio.Semaphore(workers)
        async with asyncio.TaskGroup() as lanes:
            while True:
                await free.acquire()
                lanes.create_task(self._work_on(await self._next(), free))

    async def _next(self) -> Claim:
        """The next lane that is ready, as soon as there is one."""
        while True:
            try:
                claim = await self._claim()
            except Exception:
                # A database that is away comes back, and is not asked faster than this.
                log.exception("claim_failed")
                await asyncio.sleep(self.rules.idle)
                continue
            if claim is not None:
                return claim
            await self.bell.wait(self.rules.idle)

    async def _work_on(self, claim: Claim, free: asyncio.Semaphore) -> None:
        rings = self.bell.rings
        try:
            await self._take_turn(claim)
        except Exception:
            # Not even its failure could be written down: another gets the lane after its lease.
            log.exception("lane_failed", lane=claim.lane)
        finally:
            free.release()
            # What is left in this lane, or came into it, nobody could find meanwhile.
            if self.bell.rings != rings or len(claim.entries) > 1:
                self.bell.ring()
