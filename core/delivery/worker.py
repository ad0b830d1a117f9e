"""Brings submissions to their destinations, and does not let go of one that failed.

A destination that is down is asked again after half the time that it has been tried for, at most
every quarter of an hour, for three days. What is given up is kept, for an admin to look at; sent
again by them, it has as many tries as the first time.

Before a destination that would take the same submission twice gets it, that is written down. Where
the process is lost then, nobody knows whether it arrived, and an admin is asked instead of it being
sent again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import structlog

from core.delivery.base import (
    Confirmed,
    Delivered,
    Destination,
    Failed,
    Kind,
    Means,
    Outcome,
    Rejected,
    Unknown,
)
from core.delivery.kinds import KINDS
from core.delivery.leaving import left_out, without
from core.delivery.settings import Unset, resolved
from core.journey import JourneyType, JourneyTypes
from core.manifest import Destination as Declared
from core.manifest import Manifest
from core.store import Store
from core.store.deliveries import Delivery
from core.store.part import channel_of
from core.submitted import version_of

log = structlog.get_logger()

Address = tuple[str, str, str]
"""A destination in a version of a journey type: manifest, digest, the destination's name."""

_LOST = "the process that was sending it was lost"


@dataclass(frozen=True)
class Patience:
    """How long and how often, in seconds and counts.

    `tries` is for errors that nobody foresaw; a destination that says that it is down is asked
    until it has been tried for `oldest`. Where the process ends, what is under way has `grace`
    seconds to come to its end.
    """

    shortest: float = 2.0
    longest: float = 900.0
    oldest: float = 3 * 24 * 3600.0
    tries: int = 5
    lease: float = 60.0
    answer: float = 30.0
    grace: float = 5.0
    at_once: int = 10


def _now() -> datetime:
    return datetime.now(UTC)


def _nothing() -> None:
    return None


@dataclass
class Deliverer:
    """Delivers what is due. `ring` wakes whoever takes turns: a person is told what arrived."""

    store: Store
    means: Means
    owner: str
    types: JourneyTypes
    kinds: Mapping[str, Kind] = field(default_factory=lambda: KINDS)
    clock: Callable[[], datetime] = _now
    ring: Callable[[], None] = _nothing
    patience: Patience = field(default_factory=Patience)
    made: dict[Address, Destination] = field(default_factory=dict)

    async def deliver(self) -> int:
        """Try what is due; how many there were."""
        due = await self._due(self.patience.at_once)
        await asyncio.gather(*(self._attempt(one) for one in due))
        return len(due)

    async def drain(self) -> None:
        """Deliver until nothing is due."""
        while await self.deliver():
            pass

    async def run(self, idle: float = 0.5) -> None:
        """Deliver until cancelled: who is slow hinders nobody else."""
        busy: set[asyncio.Task[None]] = set()
        try:
            while True:
                due = await self._next(self.patience.at_once - len(busy))
                for one in due:
                    task = asyncio.create_task(self._attempt(one))
                    busy.add(task)
                    task.add_done_callback(busy.discard)
                if not due:
                    await asyncio.sleep(idle)
        finally:
            await self._to_an_end(busy)

    async def _to_an_end(self, busy: set[asyncio.Task[None]]) -> None:
        """What was sent is written down, if it is known in time."""
        going_on = list(busy)
        if going_on:
            await asyncio.wait(going_on, timeout=self.patience.grace)
        for task in going_on:
            task.cancel()
        await asyncio.gather(*going_on, return_exceptions=True)

    async def _next(self, limit: int) -> list[Delivery]:
        """What is due; nothing while the database is away."""
        try:
            return await self._due(limit) if limit > 0 else []
        except Exception:
            log.exception("due_deliveries_failed")
            return []

    async def _due(self, limit: int) -> list[Delivery]:
        return await self.store.due_deliveries(self.owner, limit, lease=self.patience.lease)

    async def _attempt(self, one: Delivery) -> None:
        holding = asyncio.create_task(self._hold(one))
        try:
            await self._attempted(one)
        finally:
            holding.cancel()
            await asyncio.wait({holding})

    async def _hold(self, one: Delivery) -> None:
        """As long as it takes, nobody else takes it for lost."""
        lease = self.patience.lease
        try:
            while True:
                await asyncio.sleep(lease / 3)
                if not await self.store.hold_delivery(one, lease):
                    return
        except Exception:
            log.exception("delivery_not_held", destination=one.destination)

    async def _attempted(self, one: Delivery) -> None:
        try:
            await self._try(one)
        except Exception as error:
            log.exception("delivery_failed", destination=one.destination, tries=one.tries)
            try:
                await self._unforeseen(one, type(error).__name__)
            except Exception:
                # Not even that could be written down: it is due again after its lease.
                log.exception("delivery_not_noted", destination=one.destination)

    async def _try(self, one: Delivery) -> None:
        if one.begun:
            await self.store.dead(one, _perhaps(_LOST), unsure=True)
            return
        made_with = await self._type(one)
        if isinstance(made_with, Rejected):
            await self.store.dead(one, made_with.reason)
            return
        destination = self._destination(made_with, one.destination)
        if isinstance(destination, Rejected):
            await self.store.dead(one, destination.reason)
        elif isinstance(destination, Failed):
            await self._later(one, destination)
        elif destination.knows_keys or await self.store.begin_delivery(one):
            outcome = await self._outcome(one, destination, made_with)
            await self._note(one, destination, outcome, made_with)

    async def _outcome(
        self, one: Delivery, destination: Destination, made_with: JourneyType
    ) -> Outcome:
        made = one.submitted
        latest = self.types.latest(made_with.manifest.name)
        newest = latest.manifest if latest is not None else None
        out = left_out(one.destination, newest, made_with.manifest)
        confirmed = Confirmed(made.at, channel_of(made.lane), made_with, out)
        try:
            async with asyncio.timeout(self.patience.answer):
                told = without(made.submission, out)
                return await destination.deliver(told, one.key, confirmed)
        except TimeoutError:
            return Unknown(f"no answer within {self.patience.answer:g} s")
        except Exception as error:
            if destination.knows_keys:
                raise
            log.exception("delivery_broke", destination=one.destination)
            return Unknown(type(error).__name__)

    async def _note(
        self, one: Delivery, destination: Destination, outcome: Outcome, made_with: JourneyType
    ) -> None:
        """Write down how it went. Where that fails, what was sent and would be taken twice is not
        sent again: once its lease has run out, it is known as what may have arrived."""
        try:
            await self._settle(one, destination, outcome, made_with)
        except Exception:
            if destination.knows_keys:
                raise
            log.exception("delivery_not_noted", destination=one.destination)

    async def _settle(
        self, one: Delivery, destination: Destination, outcome: Outcome, made_with: JourneyType
    ) -> None:
        if isinstance(outcome, Delivered):
            tell = self._is_far(made_with.manifest)
            await self.store.delivered(one, tell=tell)
            if tell:
                self.ring()
        elif isinstance(outcome, Rejected):
            await self.store.dead(one, outcome.reason)
        elif isinstance(outcome, Unknown) and not destination.knows_keys:
            await self.store.dead(one, _perhaps(outcome.reason), unsure=True)
        else:
            await self._later(one, outcome)

    async def _later(self, one: Delivery, outcome: Failed | Unknown) -> None:
        if self._age(one) > self.patience.oldest:
            await self.store.dead(one, f"given up: {outcome.reason}")
            return
        asked = outcome.seconds if isinstance(outcome, Failed) else None
        wait = self._wait(one) if asked is None else asked
        await self.store.retry_delivery(one, outcome.reason, wait, counts=False)

    async def _unforeseen(self, one: Delivery, error: str) -> None:
        if one.tries + 1 >= self.patience.tries:
            await self.store.dead(one, error)
        else:
            await self.store.retry_delivery(one, error, self._wait(one))

    def _wait(self, one: Delivery) -> float:
        return min(max(self._age(one) / 2, self.patience.shortest), self.patience.longest)

    def _age(self, one: Delivery) -> float:
        return (self.clock() - one.since).total_seconds()

    def _is_far(self, manifest: Manifest) -> bool:
        """Whether a submission goes anywhere but to files of this machine. A file has it within the
        moment in which the person is thanked for it: then there is nothing more to say."""
        kinds = [self.kinds.get(one.kind) for one in manifest.destinations]
        return any(kind is not None and not kind.here for kind in kinds)

    async def _type(self, one: Delivery) -> JourneyType | Rejected:
        """The very version of the journey type that the submission was made with."""
        made = one.submitted.submission
        found = await version_of(self.types, made, self.store)
        if found is not None:
            return found
        kept = await self.store.manifest(made.manifest, made.digest)
        what = "was not kept" if kept is None else "cannot be read any more"
        return Rejected(f"this version of {made.manifest} {what}")

    def _destination(self, made_with: JourneyType, name: str) -> Destination | Failed | Rejected:
        """A destination as the newest version has it, for it may have moved; as the submission's
        own has it, where the newest has none of that name."""
        latest = self.types.latest(made_with.manifest.name)
        versions = [one.manifest for one in (latest, made_with) if one is not None]
        for manifest in versions:
            declared = next((one for one in manifest.destinations if one.name == name), None)
            if declared is not None:
                address = (manifest.name, manifest.digest, name)
                if address not in self.made:
                    found = self._make(declared)
                    if isinstance(found, Failed | Rejected):
                        return found
                    self.made[address] = found
                return self.made[address]
        return Rejected(f"{made_with.manifest.name} has no destination named {name}")

    def _make(self, declared: Declared) -> Destination | Failed | Rejected:
        kind = self.kinds.get(declared.kind)
        if kind is None:
            return Rejected(f"there is no kind of destination named {declared.kind}")
        wrong = kind.fault(declared.settings)
        if wrong:
            return Rejected(wrong)
        try:
            return kind.make(resolved(declared.settings, self.means.environment), self.means)
        except (Unset, ValueError) as error:
            # What a variable holds is put right without another version of the manifest.
            return Failed(str(error))


def _perhaps(reason: str) -> str:
    return f"it may have arrived; look before it is sent again ({reason})"
