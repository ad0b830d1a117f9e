"""Deleting what is old (see `core.store.erasing` for whoever wants it gone)."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import (
    Column,
    ColumnElement,
    Table,
    and_,
    case,
    delete,
    exists,
    func,
    not_,
    select,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from core.store.moderation import Verdict, keys_of, post_of
from core.store.part import Part
from core.store.sql import now, pending
from core.store.tables import (
    audit,
    conversation,
    delivery,
    drawn,
    inbox,
    lane,
    moderation,
    outbox,
    spent,
    submission,
    transcript,
)

BATCH = 500
"""As many rows go in one transaction, so that nobody waits long for the database."""

_LAST = 2**63 - 1
"""No row has a higher number."""

_TRAFFIC = ((inbox, inbox.c.received_at), (outbox, outbox.c.created_at))
"""What comes in and goes out, and since when it is there."""

_DUE = pending(delivery)
_UNDECIDED = moderation.c.stage == Verdict.WAITING.value


class Removing(Part):
    """Deleting, in batches; how many rows went is returned, and 0 means that all is done."""

    async def purge_traffic(self, seconds: float) -> int:
        """What came in and went out, and is done for so many seconds."""
        count = 0
        for table, came in _TRAFFIC:
            old = and_(_is_before(came, seconds), table.c.done_at <= now() - seconds)
            count += await self._delete(f"purge-{table.name}", table, old)
        return count

    async def purge_given_up(self, seconds: float) -> int:
        """What came in and what was to go out, and was given up so long ago: nobody has set it
        going again."""
        count = 0
        for table, came in _TRAFFIC:
            given_up = (table.c.parked_at <= now() - seconds) & table.c.done_at.is_(None)
            old = and_(_is_before(came, seconds), given_up)
            count += await self._delete(f"purge-given-up-{table.name}", table, old)
        return count

    async def purge_talk(self, seconds: float) -> int:
        """What was said so long ago, but in journeys that are under way."""
        going_on = exists().where(conversation.c.key == transcript.c.lane, conversation.c.under_way)
        said = transcript.c.at
        old = and_(_is_before(said, seconds), said <= now() - seconds, not_(going_on))
        return await self._delete("purge-talk", transcript, old)

    async def purge_people(self, seconds: float) -> int:
        """Conversations in which nothing is under way and nobody has said anything for so long,
        with all that belongs to them. What was submitted stays; while it is not decided or not
        delivered, its person is there to be told."""

        async def work(connection: AsyncConnection) -> int:
            joined = conversation.join(lane, conversation.c.key == lane.c.key)
            # The account has an index.
            mine = (submission.c.account == lane.c.account) & (submission.c.lane == lane.c.key)
            never = conversation.c.heard_at <= 0.0
            old = (
                # Whose first words were given up was never heard, and yet was there.
                case((never, conversation.c.updated_at), else_=conversation.c.heard_at)
                <= now() - seconds,
                not_(exists().where(mine, delivery.c.submission == submission.c.id, _DUE)),
                not_(exists().where(mine, moderation.c.submission == submission.c.id, _UNDECIDED)),
                not_(conversation.c.under_way),
                lane.c.ready == 0,
                lane.c.lease_until <= now(),
                not_(_is_on_its_way(lane.c.key)),
            )
            chosen = select(lane.c.key).select_from(joined).where(*old).limit(BATCH // 10)
            keys = list((await connection.execute(chosen.with_for_update(of=lane))).scalars())
            if keys:
                await forget_lanes(connection, keys)
            return len(keys)

        return await self.database.write("purge-people", work)

    async def purge_submissions(self, seconds: float) -> int:
        """What was submitted so long ago, and has arrived or was refused. What was given up stays
        until somebody has seen to it: nothing that was confirmed is dropped unseen."""

        async def work(connection: AsyncConnection) -> int:
            waits = exists().where(
                delivery.c.submission == submission.c.id, delivery.c.done_at.is_(None)
            )
            undecided = exists().where(moderation.c.submission == submission.c.id, _UNDECIDED)
            old = (submission.c.at <= now() - seconds, not_(waits), not_(undecided))
            numbers = list(
                (
                    await connection.execute(select(submission.c.id).where(*old).limit(BATCH))
                ).scalars()
            )
            if numbers:
                await drop_submissions(connection, numbers)
            return len(numbers)

        return await self.database.write("purge-submissions", work)

    async def purge_counts(self, seconds: float) -> int:
        """What people used on days so long ago."""
        return await self._delete("purge-counts", spent, spent.c.day * 86_400 <= now() - seconds)

    async def _delete(self, name: str, table: Table, old: ColumnElement[bool]) -> int:
        keys = list(table.primary_key.columns)

        async def work(connection: AsyncConnection) -> int:
            chosen = select(*keys).where(old).limit(BATCH)
            gone = delete(table).where(tuple_(*keys).in_(chosen))
            return (await connection.execute(gone)).rowcount

        return await self.database.write(name, work)


def _is_before(at: Column[float], seconds: float) -> ColumnElement[bool]:
    """Rows that stand before the first one that is younger than so many seconds: rows are numbered
    in the order in which they came, and those behind it need not be looked at."""
    number = at.table.c.id
    younger = select(number).where(at > now() - seconds).order_by(number).limit(1)
    return number < func.coalesce(younger.scalar_subquery(), _LAST)


def _is_on_its_way(key: ColumnElement[str]) -> ColumnElement[bool]:
    return exists().where(outbox.c.lane == key, pending(outbox))


async def forget_lanes(connection: AsyncConnection, keys: Sequence[str]) -> None:
    """Delete lanes with all that belongs to them."""
    # A lane that begins anew counts its turns anew, by which its commands were told apart.
    for key in keys:
        told = audit.c.key.startswith(f"{key}:", autoescape=True)
        await connection.execute(update(audit).where(told).values(key=None))
    for table in (transcript, outbox, drawn, inbox):
        await connection.execute(delete(table).where(table.c.lane.in_(keys)))
    for table in (conversation, lane):
        await connection.execute(delete(table).where(table.c.key.in_(keys)))


async def drop_submissions(connection: AsyncConnection, numbers: Sequence[int]) -> None:
    """Delete submissions with all that became of them, and what people were shown of them."""
    for table in (delivery, moderation):
        await connection.execute(delete(table).where(table.c.submission.in_(numbers)))
    # A moderators' chat was shown it: what was sent there is kept nowhere else.
    told = [key for number in numbers for key in keys_of(number)]
    await connection.execute(delete(outbox).where(outbox.c.key.in_(told)))
    shown = [post_of(number) for number in numbers]
    await connection.execute(delete(drawn).where(drawn.c.card.in_(shown)))
    await connection.execute(delete(submission).where(submission.c.id.in_(numbers)))
