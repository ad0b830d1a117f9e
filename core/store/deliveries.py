"""Submissions on their way to their destinations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Row, Select, func, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.effects import Submission
from core.replies import ARRIVED, Command
from core.store import leased
from core.store.inbox import put_in
from core.store.part import Part, moment
from core.store.sql import now, pending
from core.store.tables import delivery, submission

_SOURCES: msgspec.json.Decoder[dict[str, str]] = msgspec.json.Decoder(dict[str, str])


class Stage(StrEnum):
    """How far a delivery is. One that is DEAD did not arrive; of one that is UNKNOWN nobody knows
    whether it did."""

    PENDING = "pending"
    DELIVERED = "delivered"
    DEAD = "dead"
    UNKNOWN = "unknown"

    @property
    def is_stuck(self) -> bool:
        """Whether an admin has to say how it goes on."""
        return self in (Stage.DEAD, Stage.UNKNOWN)


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

    `key` is what the destination tells a second attempt by. `error` is the last one. `since` is
    when it was tried first, of late: what an admin sends again begins anew. `begun`: perhaps it was
    sent, by somebody who has not said how it went.
    """

    id: int
    key: str
    destination: str
    stage: Stage
    tries: int
    error: str
    fence: int
    submitted: Submitted
    since: datetime
    begun: bool = False


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
            first = [row.id for row in rows if row.since is None]
            if first:
                these = update(delivery).where(delivery.c.id.in_(first))
                await connection.execute(these.values(since=now()))
            return await _with_submissions(connection, rows)

        return await self.database.write("due-deliveries", work)

    async def hold_delivery(self, one: Delivery, lease: float) -> bool:
        """Whoever delivers it is still at it, and needs so many seconds more; False where somebody
        else has it meanwhile, or it was given back."""

        async def work(connection: AsyncConnection) -> bool:
            held = leased.held(delivery, one.id, one.fence) & (delivery.c.lease_until > 0.0)
            longer = update(delivery).where(held).values(lease_until=now() + lease)
            return (await connection.execute(longer)).rowcount == 1

        return await self.database.write("hold-delivery", work)

    async def begin_delivery(self, one: Delivery) -> bool:
        """From now on it may have arrived, whatever becomes of this process; False where somebody
        else has it meanwhile, and it is not to be sent.

        For destinations that would take the same submission twice.
        """

        async def work(connection: AsyncConnection) -> bool:
            held = leased.held(delivery, one.id, one.fence)
            changed = await connection.execute(update(delivery).where(held).values(unsure=True))
            return changed.rowcount == 1

        return await self.database.write("begin-delivery", work)

    async def delivered(self, one: Delivery, *, tell: bool = False) -> None:
        """The destination has it. With `tell`, the person hears of it when all of them do."""

        async def work(connection: AsyncConnection) -> None:
            await leased.finish(connection, delivery, one.id)
            await _is_there(connection, one.id, tell=tell)

        await self.database.write("delivered", work)

    async def retry_delivery(
        self, one: Delivery, error: str, seconds: float, *, counts: bool = True
    ) -> None:
        """Try it again in so many seconds; with `counts` False it was no failure."""

        async def work(connection: AsyncConnection) -> None:
            held = leased.held(delivery, one.id, one.fence)
            if await leased.put_off(connection, delivery, held, error, seconds, counts):
                await _set_unsure(connection, one.id, unsure=False)

        await self.database.write("retry-delivery", work)

    async def dead(self, one: Delivery, error: str, *, unsure: bool = False) -> None:
        """It is tried no more, and an admin sees it: it cannot be delivered, or, where that is
        `unsure`, perhaps it was."""

        async def work(connection: AsyncConnection) -> None:
            held = leased.held(delivery, one.id, one.fence)
            if (await connection.execute(select(delivery.c.id).where(held))).first() is None:
                return
            await leased.give_up(connection, delivery, held, error)
            await _set_unsure(connection, one.id, unsure=unsure)

        await self.database.write("dead", work)

    async def dead_letters(self, limit: int, offset: int = 0) -> list[Delivery]:
        """What was given up (DEAD) and what may have arrived (UNKNOWN), the oldest first."""
        return await self._found(_JOINED.where(_GIVEN_UP).limit(limit).offset(offset))

    async def count_dead_letters(self) -> int:
        """How many there are."""
        return await self._count(_GIVEN_UP)

    async def failing(self, limit: int, offset: int = 0) -> list[Delivery]:
        """What is under way and has failed so far, the oldest first."""
        return await self._found(_JOINED.where(_FAILING).limit(limit).offset(offset))

    async def count_failing(self) -> int:
        """How many of those there are."""
        return await self._count(_FAILING)

    async def count_pending_deliveries(self) -> int:
        """How many are under way."""
        return await self._count(pending(delivery))

    async def delivery(self, number: int) -> Delivery | None:
        """A delivery by its number; None where there is none."""
        async with self.database.read() as connection:
            row = (await connection.execute(_JOINED.where(delivery.c.id == number))).first()
            return None if row is None else _delivery(row)

    async def resend(self, number: int) -> bool:
        """Deliver what was given up from the beginning; False where nothing of this number was, as
        when somebody else said so first."""

        async def work(connection: AsyncConnection) -> bool:
            chosen = _GIVEN_UP & (delivery.c.id == number)
            changed = await connection.execute(update(delivery).where(chosen).values(**AFRESH))
            return changed.rowcount == 1

        return await self.database.write("resend", work)

    async def arrived(self, number: int) -> bool:
        """Somebody has seen what was given up where it was to go; False as for `resend`. The person
        hears of it when it was the last one."""
        there = {"parked_at": None, "done_at": now(), "unsure": False, "error": ""}

        async def work(connection: AsyncConnection) -> bool:
            chosen = _GIVEN_UP & (delivery.c.id == number)
            changed = await connection.execute(update(delivery).where(chosen).values(**there))
            if changed.rowcount == 1:
                await _is_there(connection, number, tell=True)
            return changed.rowcount == 1

        return await self.database.write("arrived", work)

    async def deliveries(self, journey: str) -> list[Delivery]:
        """Where a journey's submission goes, and how far it is."""
        return await self._found(_JOINED.where(submission.c.journey == journey))

    async def deliveries_of(self, number: int) -> list[Delivery]:
        """Where the submission of this number goes, and how far it is."""
        return await self._found(_JOINED.where(submission.c.id == number))

    async def submissions(self, account: str) -> list[Submitted]:
        """What a person has submitted, oldest first (see `part.account_of`)."""
        statement = select(submission).where(submission.c.account == account)
        statement = statement.order_by(submission.c.id)
        async with self.database.read() as connection:
            return [submitted_from(row, row.id) for row in await connection.execute(statement)]

    async def _found(self, statement: Select[Any]) -> list[Delivery]:
        async with self.database.read() as connection:
            rows = await connection.execute(statement.order_by(delivery.c.id))
            return [_delivery(row) for row in rows]

    async def _count(self, chosen: ColumnElement[bool]) -> int:
        counted = select(func.count()).select_from(delivery).where(chosen)
        async with self.database.read() as connection:
            return int((await connection.execute(counted)).scalar_one())


AFRESH: dict[str, Any] = {
    "parked_at": None,
    "tries": 0,
    "unsure": False,
    "run_at": 0.0,
    "error": "",
    "since": None,
}
"""What becomes of a delivery that an admin sends again: all as for the first time."""

_FAILING = pending(delivery) & (delivery.c.error != "")
_GIVEN_UP = delivery.c.parked_at.is_not(None) & delivery.c.done_at.is_(None)

_JOINED = select(delivery, *(column for column in submission.c if column.name != "id")).join(
    submission, delivery.c.submission == submission.c.id
)


async def _is_there(connection: AsyncConnection, number: int, *, tell: bool) -> None:
    """A delivery has been made. Where it was the last one of its submission, the person is told
    once, in their lane."""
    await _set_unsure(connection, number, unsure=False)
    if not tell:
        return
    of = select(delivery.c.submission).where(delivery.c.id == number).scalar_subquery()
    # Locked: two that are made at the same time would each take the other for missing.
    locked = select(submission).where(submission.c.id == of).with_for_update()
    made = (await connection.execute(locked)).first()
    if made is None:
        return
    missing = (delivery.c.submission == made.id) & delivery.c.done_at.is_(None)
    if (await connection.execute(select(delivery.c.id).where(missing).limit(1))).first() is None:
        at = moment(float((await connection.execute(select(now()))).scalar_one()))
        told = Command(name=ARRIVED, argument=made.journey, by=made.person, at=at)
        await put_in(connection, made.lane, f"{made.journey}:arrived", told)


async def _set_unsure(connection: AsyncConnection, number: int, *, unsure: bool) -> None:
    changed = (delivery.c.id == number) & (delivery.c.unsure != unsure)
    await connection.execute(update(delivery).where(changed).values(unsure=unsure))


async def _with_submissions(connection: AsyncConnection, rows: list[Row[Any]]) -> list[Delivery]:
    if not rows:
        return []
    statement = _JOINED.where(delivery.c.id.in_([row.id for row in rows]))
    found = await connection.execute(statement.order_by(delivery.c.id))
    return [_delivery(row) for row in found]


def stage_of(row: Row[Any]) -> Stage:
    """How far a delivery is, by its row."""
    if row.done_at is not None:
        return Stage.DELIVERED
    if row.parked_at is not None:
        return Stage.UNKNOWN if row.unsure else Stage.DEAD
    return Stage.PENDING


def _delivery(row: Row[Any]) -> Delivery:
    return Delivery(
        id=row.id,
        key=row.key,
        destination=row.destination,
        stage=stage_of(row),
        tries=row.tries,
        error=row.error,
        fence=row.fence,
        since=moment(row.at if row.since is None else row.since),
        begun=bool(row.unsure),
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
