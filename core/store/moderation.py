"""Submissions that people look at before they are delivered: each is decided once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, Text, cast, exists, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.effects import Effect
from core.replies import Reply
from core.store import crash
from core.store.inbox import put_in
from core.store.part import Part, moment
from core.store.putting import deliver_to, put_out
from core.store.sql import now, storable
from core.store.tables import drawn, moderation, outbox, submission


class Verdict(StrEnum):
    """What is decided about a submission; waiting until then."""

    WAITING = "waiting"
    APPROVED = "approved"
    CHANGES = "changes"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided about the submission `number`, by which account, whose name is `name`, why
    and when; `at` is None while it waits."""

    number: int
    verdict: Verdict
    account: str = ""
    name: str = ""
    reason: str = ""
    at: datetime | None = None

    @property
    def waits(self) -> bool:
        """Whether it is still to be decided."""
        return self.verdict is Verdict.WAITING


@dataclass(frozen=True, slots=True)
class Consequences:
    """What follows from a decision. `destinations` are delivered to. `tell` goes into the lane
    `person`, and `show` is put into the lane `chat`, where there is one."""

    person: str
    tell: Reply
    destinations: Sequence[str] = ()
    chat: str = ""
    show: Effect | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """How a submission is shown to those who decide: its number to what is put into the lane
    `chat`, which is empty where this process reaches no such chat."""

    chat: str
    show: Callable[[int], Effect]


class Moderation(Part):
    """Waiting for a decision, and deciding."""

    async def decided(self, number: int) -> Decided | None:
        """What was decided about a submission; None for one that nobody has to look at."""
        async with self.database.read() as connection:
            return await _read(connection, number)

    async def undecided(self, limit: int, offset: int = 0) -> list[int]:
        """The numbers of the submissions that wait, the oldest first."""
        statement = _WAITING.order_by(moderation.c.submission).limit(limit).offset(offset)
        async with self.database.read() as connection:
            return list((await connection.execute(statement)).scalars())

    async def count_undecided(self) -> int:
        """How many submissions wait."""
        counted = select(func.count()).select_from(_WAITING.subquery())
        async with self.database.read() as connection:
            return int((await connection.execute(counted)).scalar_one())

    async def not_shown(self, limit: int) -> list[int]:
        """The numbers of the submissions that wait and that nobody may have been shown yet, the
        oldest first."""
        key = _KEY + cast(moderation.c.submission, Text)
        statement = _WAITING.where(~exists().where(outbox.c.key == key))
        statement = statement.order_by(moderation.c.submission).limit(limit)
        async with self.database.read() as connection:
            return list((await connection.execute(statement)).scalars())

    async def show_undecided(self, number: int, look: Look) -> bool:
        """Show a submission to those who decide, where it waits and was not shown yet: the process
        in which it was confirmed may not reach their chat. False where there is nothing to do."""

        async def work(connection: AsyncConnection) -> bool:
            decided = await _read(connection, number)
            if decided is None or not decided.waits:
                return False
            if await _is_shown(connection, look.chat, number):
                return False
            await put_out(connection, look.chat, [(_key(number), look.show(number))])
            return True

        return await self.database.write("show-undecided", work)

    async def decide(self, made: Decided, then: Consequences) -> Decided | None:
        """Decide about a submission, with all that follows, in one transaction.

        Only one that waits can be decided. What is decided now is returned, which may be another's
        decision; None for a submission that nobody has to look at.
        """

        async def work(connection: AsyncConnection) -> Decided | None:
            if await _decide(connection, made):
                crash.point("decide-row")
                await _follow(connection, made, then)
            return await _read(connection, made.number)

        return await self.database.write("decide", work)


_WAITING = select(moderation.c.submission).where(moderation.c.stage == Verdict.WAITING.value)


async def wait_for_decision(connection: AsyncConnection, number: int, look: Look) -> None:
    """A submission waits to be looked at, and is shown to those who decide."""
    await connection.execute(
        insert(moderation).values(submission=number, stage=Verdict.WAITING.value)
    )
    if look.chat:
        await put_out(connection, look.chat, [(_key(number), look.show(number))])


def post_of(number: int) -> str:
    """The id of the post by which a submission is shown to those who decide about it."""
    return f"moderation-{number}"


_KEY = "moderation:"


def _key(number: int) -> str:
    return f"{_KEY}{number}"


def _decided_key(number: int) -> str:
    return f"{_KEY}{number}:decided"


def keys_of(number: int) -> tuple[str, ...]:
    """The keys of all that is put out for those who decide about a submission."""
    return (_key(number), _decided_key(number))


async def _is_shown(connection: AsyncConnection, chat: str, number: int) -> bool:
    sent = exists().where(outbox.c.key == _key(number))
    # What was sent long ago is remembered no longer, but stands where it was put.
    stands = exists().where(drawn.c.lane == chat, drawn.c.card == post_of(number))
    return bool((await connection.execute(select(or_(sent, stands)))).scalar_one())


async def _decide(connection: AsyncConnection, made: Decided) -> bool:
    waits = (moderation.c.submission == made.number) & (moderation.c.stage == Verdict.WAITING.value)
    statement = update(moderation).where(waits)
    statement = statement.values(
        stage=made.verdict.value,
        account=made.account,
        name=storable(made.name),
        reason=storable(made.reason),
        at=now(),
    )
    return (await connection.execute(statement)).rowcount == 1


async def _follow(connection: AsyncConnection, made: Decided, then: Consequences) -> None:
    if then.destinations:
        found = select(submission.c.journey).where(submission.c.id == made.number)
        journey = (await connection.execute(found)).scalar_one()
        await deliver_to(connection, made.number, journey, then.destinations)
    await put_in(connection, then.person, _key(made.number), then.tell)
    crash.point("decide-told")
    if then.show is not None:
        await put_out(connection, then.chat, [(_decided_key(made.number), then.show)])


async def _read(connection: AsyncConnection, number: int) -> Decided | None:
    statement = select(moderation).where(moderation.c.submission == number)
    row = (await connection.execute(statement)).first()
    return None if row is None else _decided(row)


def _decided(row: Row[Any]) -> Decided:
    return Decided(
        number=row.submission,
        verdict=Verdict(row.stage),
        account=row.account,
        name=row.name,
        reason=row.reason,
        at=None if row.at is None else moment(row.at),
    )
