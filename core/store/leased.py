"""Rows that somebody works off, each under a lease: the outbox's and the deliveries'.

An effect outside the database can be carried out twice (the process dies after the platform did it
and before the row says so). Each row has a key, always the same, by which the other side can tell.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Row, Table, Update, bindparam, case, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.store.part import brief
from core.store.sql import now, pending, storable

LOST = "the process that had it was lost"


async def take(
    connection: AsyncConnection,
    table: Table,
    wanted: ColumnElement[bool],
    *,
    owner: str,
    lease: float,
    limit: int,
    max_tries: int,
) -> list[Row[Any]]:
    """Lease the oldest rows that are due and wanted, and return them, oldest first.

    A row whose holder died with it has failed once more, and is given up when that is too often.
    """
    free = pending(table) & (table.c.run_at <= now()) & (table.c.lease_until <= now())
    due = select(table.c.id, table.c.lease_until, table.c.tries).where(free, wanted)
    due = due.order_by(table.c.id).limit(limit).with_for_update(skip_locked=True)
    rows = list(await connection.execute(due))
    lost = [row.id for row in rows if row.lease_until > 0 and row.tries + 1 >= max_tries]
    if lost:
        await give_up(connection, table, table.c.id.in_(lost), LOST)
    ids = [row.id for row in rows if row.id not in lost]
    if not ids:
        return []
    leased = (
        update(table)
        .where(table.c.id.in_(ids))
        .values(
            lease_until=now() + lease,
            fence=table.c.fence + 1,
            owner=owner,
            tries=case((table.c.lease_until > 0, table.c.tries + 1), else_=table.c.tries),
        )
    )
    taken = await connection.execute(leased.returning(table))
    return sorted(taken, key=lambda row: int(row.id))


def held(table: Table, number: int, fence: int) -> ColumnElement[bool]:
    """The row, if it is still held under this fence and pending."""
    return (table.c.id == number) & (table.c.fence == fence) & pending(table)


def finished(table: Table, **values: Any) -> Update:
    """The statement by which the row with the id `row` is done. It has happened, so this counts
    under a lost lease too."""
    done = (table.c.id == bindparam("row")) & table.c.done_at.is_(None)
    ended = {"done_at": now(), "parked_at": None, "lease_until": 0.0, "error": ""}
    return update(table).where(done).values(**ended, **values)


async def finish(connection: AsyncConnection, table: Table, number: int) -> None:
    """The row is done."""
    await connection.execute(finished(table), {"row": number})


async def put_off(
    connection: AsyncConnection,
    table: Table,
    held: ColumnElement[bool],
    error: str,
    seconds: float,
    counts: bool,
) -> bool:
    """The row is tried again in so many seconds; False when it is not held any more."""
    changed = await connection.execute(
        update(table)
        .where(held)
        .values(
            run_at=now() + seconds,
            lease_until=0.0,
            error=brief(storable(error)),
            tries=table.c.tries + (1 if counts else 0),
        )
    )
    return changed.rowcount == 1


async def give_up(
    connection: AsyncConnection, table: Table, held: ColumnElement[bool], error: str
) -> None:
    """The row is tried no more, and shown to an admin."""
    await connection.execute(
        update(table)
        .where(held)
        .values(
            parked_at=now(),
            lease_until=0.0,
            error=brief(storable(error)),
            tries=table.c.tries + 1,
        )
    )
