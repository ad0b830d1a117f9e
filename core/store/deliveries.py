"""Submissions on their way to their destinations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import Row, select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from core.effects import Submission
from core.store import leased
from core.store.part import Part, moment
from core.store.tables import delivery, submission

_SOURCES: msgspec.json.Decoder[dict[str, str]] = msgspec.json.Decoder(dict[str, str])


class Stage(StrEnum):
    """How far a delivery is."""

    PENDING = "pending"
    DELIVERED = "delivered"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Submitted:
    """A submission as it was stored: `id` numbers them, `at` is when it was confirmed."""

    id: int
    lane: str
    at: datetime
    submission: Submission


@dataclass(frozen=True, slots=True)
class Delivery:
    """One submission to one destination.

    `key` is what the destination tells a second attempt by. `error` is the last one.
    """

    id: int
    key: str
    destination: str
    stage: Stage
    tries: int
    error: str
    fence: int
    submitted: Submitted


class Deliveries(Part):
    """Delivering: take what is due, then say how it went."""

    async def due_deliveries(
        self, owner: str, limit: int = 10, lease: float = 60.0
    ) -> list[Delivery]:
        """Lease the oldest deliveries that may be tried now."""
        self._owners.add(owner)

        async def work(connection: AsyncConnection) -> list[Delivery]:
            rows = await leased.take(
                connection,
                delivery,
                true(),
                owner=owner,
                lease=lease,
                limit=limit,
                max_tries=self.max_tries,
            )
            return await _with_submissions(connection, rows)

        return await self.database.write("due-deliveries", work)

    async def delivered(self, one: Delivery) -> None:
        """The destination has it."""

        async def work(connection: AsyncConnection) -> None:
            await leased.finish(connection, delivery, one.id)

        await self.database.write("delivered", work)

    async def retry_delivery(
        self, one: Delivery, error: str, seconds: float, *, counts: bool = True
    ) -> None:
        """Try it again in so many seconds; with `counts` False it was no failure."""

        async def work(connection: AsyncConnection) -> None:
            held = leased.held(delivery, one.id, one.fence)
            await leased.put_off(connection, delivery, held, error, seconds, counts)

        await self.database.write("retry-delivery", work)

    async def dead(self, one: Delivery, error: str) -> None:
        """It cannot be delivered: it is tried no more, and an admin sees it."""

        async def work(connection: AsyncConnection) -> None:
            held = leased.held(delivery, one.id, one.fence)
            await leased.give_up(connection, delivery, held, error)

        await self.database.write("dead", work)

    async def deliveries(self, journey: str) -> list[Delivery]:
        """Where a journey's submission goes, and how far it is."""
        chosen = submission.c.journey == journey
        statement = _JOINED.where(chosen).order_by(delivery.c.id)
        async with self.database.read() as connection:
            return [_delivery(row) for row in await connection.execute(statement)]

    async def submissions(self, account: str) -> list[Submitted]:
        """What a person has submitted, oldest first (see `part.account_of`)."""
        statement = select(submission).where(submission.c.account == account)
        statement = statement.order_by(submission.c.id)
        async with self.database.read() as connection:
            return [submitted_from(row, row.id) for row in await connection.execute(statement)]


_JOINED = select(delivery, *(column for column in submission.c if column.name != "id")).join(
    submission, delivery.c.submission == submission.c.id
)


async def _with_submissions(connection: AsyncConnection, rows: list[Row[Any]]) -> list[Delivery]:
    if not rows:
        return []
    statement = _JOINED.where(delivery.c.id.in_([row.id for row in rows]))
    found = await connection.execute(statement.order_by(delivery.c.id))
    return [_delivery(row) for row in found]


def _delivery(row: Row[Any]) -> Delivery:
    stage = Stage.PENDING
    if row.done_at is not None:
        stage = Stage.DELIVERED
    elif row.parked_at is not None:
        stage = Stage.DEAD
    return Delivery(
        id=row.id,
        key=row.key,
        destination=row.destination,
        stage=stage,
        tries=row.tries,
        error=row.error,
        fence=row.fence,
        submitted=submitted_from(row, row.submission),
    )


def submitted_from(row: Row[Any], number: int) -> Submitted:
    """A submission from its row, which may have another table's `id`."""
    made = Submission(
        journey=row.journey,
        manifest=row.manifest,
        digest=row.digest,
        revision=row.revision,
        content=row.content,
        sources=_SOURCES.decode(row.sources),
        person=row.person,
        zone=row.zone,
    )
    return Submitted(number, row.lane, moment(row.at), made)
