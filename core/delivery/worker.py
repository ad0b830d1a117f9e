"""Brings submissions to their destinations, and does not let go of one that failed.

A destination that is down is asked again after half the time that the submission has waited, at
most every quarter of an hour, for three days. What is given up is kept, for an admin to look at.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import structlog
from pydantic import ValidationError

from core.delivery.base import (
    Confirmed,
    Delivered,
    Destination,
    Failed,
    Kind,
    Outcome,
    Rejected,
    Unknown,
)
from core.delivery.kinds import KINDS
from core.effects import Submission
from core.manifest import Manifest
from core.store import Store
from core.store.deliveries import Delivery
from core.store.part import channel_of

log = structlog.get_logger()

Address = tuple[str, str, str]
"""A destination of one version of a journey type: manifest, digest, the destination's name."""


@dataclass(frozen=True)
class Patience:
    """How long and how often, in seconds and counts.

    `tries` is for errors that nobody foresaw; a destination that says that it is down is asked
    until the submission is `oldest`.
    """

    shortest: float = 2.0
    longest: float = 900.0
    oldest: float = 3 * 24 * 3600.0
    tries: int = 5
    lease: float = 60.0
    answer: float = 30.0


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass
class Deliverer:
    """Delivers what is due. `data` is the folder of what the bot writes."""

    store: Store
    data: Path
    owner: str
    kinds: Mapping[str, Kind] = field(default_factory=lambda: KINDS)
    clock: Callable[[], datetime] = _now
    patience: Patience = field(default_factory=Patience)
    made: dict[Address, Destination] = field(default_factory=dict)

    async def deliver(self) -> int:
        """Try what is due; how many there were."""
        due = await self.store.due_deliveries(self.owner, lease=self.patience.lease)
        await asyncio.gather(*(self._attempt(one) for one in due))
        return len(due)

    async def drain(self) -> None:
        """Deliver until nothing is due."""
        while await self.deliver():
            pass

    async def run(self, idle: float = 0.5) -> None:
        """Deliver until cancelled."""
        while True:
            if not await self.deliver():
                await asyncio.sleep(idle)

    async def _attempt(self, one: Delivery) -> None:
        try:
            destination = await self._destination(one)
            if isinstance(destination, Rejected):
                await self.store.dead(one, destination.reason)
                return
            await self._settle(one, destination, await self._outcome(one, destination))
        except Exception as error:
            log.exception("delivery_failed", destination=one.destination, tries=one.tries)
            await self._unforeseen(one, type(error).__name__)

    async def _outcome(self, one: Delivery, destination: Destination) -> Outcome:
        try:
            async with asyncio.timeout(self.patience.answer):
                made = one.submitted
                confirmed = Confirmed(at=made.at, channel=channel_of(made.lane))
                return await destination.deliver(made.submission, one.key, confirmed)
        except TimeoutError:
            return Unknown(f"no answer within {self.patience.answer:g} s")

    async def _settle(self, one: Delivery, destination: Destination, outcome: Outcome) -> None:
        if isinstance(outcome, Delivered):
            await self.store.delivered(one)
        elif isinstance(outcome, Rejected):
            await self.store.dead(one, outcome.reason)
        elif isinstance(outcome, Unknown) and not destination.knows_keys:
            reason = f"it may have arrived; look before it is sent again ({outcome.reason})"
            await self.store.dead(one, reason)
        elif self._age(one) > self.patience.oldest:
            await self.store.dead(one, f"given up: {outcome.reason}")
        else:
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
        return (self.clock() - one.submitted.at).total_seconds()

    async def _destination(self, one: Delivery) -> Destination | Rejected:
        """The destination as the very version has it that the submission was made with."""
        submission = one.submitted.submission
        address = (submission.manifest, submission.digest, one.destination)
        if address not in self.made:
            found = await self._make(submission, one.destination)
            if isinstance(found, Rejected):
                return found
            self.made[address] = found
        return self.made[address]

    async def _make(self, submission: Submission, name: str) -> Destination | Rejected:
        content = await self.store.manifest(submission.manifest, submission.digest)
        if content is None:
            return Rejected(f"this version of {submission.manifest} was not kept")
        try:
            manifest = Manifest.model_validate_json(content)
        except ValidationError:
            return Rejected(f"this version of {submission.manifest} cannot be read any more")
        declared = next((one for one in manifest.destinations if one.name == name), None)
        if declared is None:
            return Rejected(f"{submission.manifest} has no destination named {name}")
        kind = self.kinds.get(declared.kind)
        if kind is None:
            return Rejected(f"there is no kind of destination named {declared.kind}")
        wrong = kind.fault(declared.settings)
        return Rejected(wrong) if wrong else kind.make(declared.settings, self.data)
