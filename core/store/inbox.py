"""What came in: every reply is on disk, once, before its platform is told that it arrived."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Row, Text, and_, case, cast, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.replies import Reply, Somebody, Upload, Words
from core.state import Conversation, Person, encode
from core.store import crash
from core.store.part import Part, account_of, brief, is_owner, moment
from core.store.sql import insert, now, pending, storable
from core.store.tables import ALL_CLAIMED, conversation, inbox, lane

_DECODER: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)


Apology = Callable[[Reply], Reply | None]
"""What is taken in the place of a reply that is given up, so that the person hears of it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One reply that waits in its lane. `tries` counts how often taking it has failed, `amended`
    how often its words were changed before it was read."""

    id: int
    reply: Reply
    received_at: datetime
    tries: int
    amended: int = 0


class Amend(StrEnum):
    """What became of words that their sender changed."""

    CHANGED = "changed"
    SAME = "same"
    LATE = "late"
    UNKNOWN = "unknown"


MOST = 500
"""As many replies wait in a lane: a person cannot have said more, a program that floods can."""

MOST_OF_OTHERS = 20
"""As many wait where one more of somebody else comes: nobody fills another person's lane."""


class _Refused(Exception):
    """The platform's id is known, or the lane is full, so that the transaction is undone."""


class Inbox(Part):
    """Accepting replies."""

    async def accept(
        self,
        lane_key: str,
        dedupe: str,
        reply: Reply,
        hold: float = 0.0,
        person: Person | None = None,
        known_for: float | None = None,
    ) -> bool:
        """Put a reply into its lane; False when it is a duplicate, or one of a flood: more than
        `MOST` wait there. Then nothing has changed.

        It is on disk when this returns. `dedupe` is the platform's own id of the update, with the
        channel before it, since it is unique over all lanes. `hold` are the seconds that it waits
        for more of its kind before the lane can be claimed; each held reply starts them anew, and
        one that is not held makes the lane claimable at once. Who writes for the first time is met
        as `person`; a conversation that is there is not touched. An id is known for good, or for
        `known_for` seconds: then the same may be accepted once more.
        """
        payload = _encoded(reply)
        most = MOST if is_owner(lane_key, reply.by) else MOST_OF_OTHERS

        async def work(connection: AsyncConnection) -> None:
            # The lane first: its lock is what gives two replies of one lane their order.
            if await _open_lane(connection, lane_key, hold) > most:
                raise _Refused
            crash.point("accept-lane")
            if known_for is not None:
                await _forget(connection, dedupe, known_for)
            if not await _write_entry(connection, lane_key, dedupe, payload):
                raise _Refused
            if person is not None:
                await _meet(connection, lane_key, person)

        try:
            await self.database.write("accept", work)
        except _Refused:
            return False
        return True

    async def amend(self, dedupe: str, text: str, people: tuple[Somebody, ...] = ()) -> Amend:
        """The words of an accepted reply, or those under its files, are now these, and call these
        people.

        They count while the reply is pending: CHANGED, and a turn that has read the old ones is not
        settled. SAME where they are the ones that are stored. LATE where the reply was taken or
        given up, or has no words; UNKNOWN where none was accepted with this id. Nothing else of the
        reply changes, neither its time nor its place in the lane.
        """
        text = storable(text)

        async def work(connection: AsyncConnection) -> Amend:
            # The row alone is locked: its number of pending entries stays what it is.
            found = select(inbox).where(inbox.c.dedupe == dedupe).with_for_update()
            row = (await connection.execute(found)).first()
            if row is None:
                return Amend.UNKNOWN
            reply = _decoded(row.payload)
            if not isinstance(reply, Words | Upload):
                return Amend.LATE
            if text == (reply.text if isinstance(reply, Words) else reply.caption):
                return Amend.SAME
            if row.done_at is not None or row.parked_at is not None:
                return Amend.LATE
            payload = _encoded(_with_words(reply, text, people))
            changed = update(inbox).where(inbox.c.id == row.id)
            await connection.execute(changed.values(payload=payload, amended=inbox.c.amended + 1))
            return Amend.CHANGED

        return await self.database.write("amend", work)

    async def ready(self, lane_key: str) -> int:
        """How many replies wait in a lane, those of a claim too."""
        counted = select(lane.c.ready).where(lane.c.key == lane_key)
        async with self.database.read() as connection:
            return (await connection.execute(counted)).scalar_one_or_none() or 0


async def put_in(connection: AsyncConnection, key: str, dedupe: str, reply: Reply) -> bool:
    """Put a reply into a lane, within another transaction; False, and nothing is done, where its id
    is known, or nobody is known in that lane (any more)."""
    known = select(inbox.c.id).where(inbox.c.dedupe == dedupe)
    if not await _is_met(connection, key) or (await connection.execute(known)).first() is not None:
        return False
    await _open_lane(connection, key, 0.0)
    return await _write_entry(connection, key, dedupe, _encoded(reply))


async def _is_met(connection: AsyncConnection, key: str) -> bool:
    """Whether somebody is known in a lane; nobody forgets them before the transaction ends."""
    locked = select(lane.c.key).where(lane.c.key == key).with_for_update()
    if (await connection.execute(locked)).first() is None:
        return False
    met = select(conversation.c.key).where(conversation.c.key == key)
    return (await connection.execute(met)).first() is not None


async def _open_lane(connection: AsyncConnection, key: str, hold: float) -> int:
    """Let one more wait in a lane; how many then do."""
    waits = now() + hold if hold > 0 else 0.0
    statement = insert(connection, lane).values(
        key=key, ready=1, run_at=now(), hold_until=waits, account=account_of(key)
    )
    opened = await connection.execute(
        statement.on_conflict_do_update(
            index_elements=["key"],
            set_={
                "ready": lane.c.ready + 1,
                # An idle lane goes to the end of the queue; one that waits keeps its place.
                "run_at": case(
                    (and_(lane.c.ready == 0, lane.c.run_at < now()), now()), else_=lane.c.run_at
                ),
                "hold_until": case((_can_be_held(), waits), else_=lane.c.hold_until)
                if hold > 0
                else 0.0,
            },
        ).returning(lane.c.ready)
    )
    return int(opened.scalar_one())


def _can_be_held() -> ColumnElement[bool]:
    # Never what waits already and is not held: a tap is not kept by words after it.
    return or_(lane.c.ready == 0, lane.c.hold_until == ALL_CLAIMED, lane.c.hold_until > now())


async def _write_entry(connection: AsyncConnection, key: str, dedupe: str, payload: str) -> bool:
    """A reply is in its lane from now on; False where its id is known."""
    row = insert(connection, inbox).values(
        lane=key, dedupe=dedupe, payload=payload, received_at=now()
    )
    row = row.on_conflict_do_nothing(index_elements=["dedupe"])
    return (await connection.execute(row.returning(inbox.c.id))).first() is not None


async def _forget(connection: AsyncConnection, dedupe: str, seconds: float) -> None:
    """What was accepted under this id longer ago than that has it no more."""
    old = (inbox.c.dedupe == dedupe) & (inbox.c.received_at <= now() - seconds)
    number = cast(inbox.c.id, Text)
    await connection.execute(update(inbox).where(old).values(dedupe=f"{dedupe}:" + number))


async def _meet(connection: AsyncConnection, key: str, person: Person) -> None:
    state = encode(Conversation(id=key, person=person)).decode()
    statement = insert(connection, conversation).values(
        key=key, state=state, asking=False, updated_at=now()
    )
    await connection.execute(statement.on_conflict_do_nothing(index_elements=["key"]))


async def read_entries(
    connection: AsyncConnection, key: str, *, after: int = 0, limit: int = 50
) -> tuple[list[Entry], list[int]]:
    """The pending entries of a lane with a higher id than `after`, oldest first, and the ids of
    those that no longer can be read."""
    statement = (
        select(inbox.c.id, inbox.c.payload, inbox.c.received_at, inbox.c.tries, inbox.c.amended)
        .where(inbox.c.lane == key, pending(inbox), inbox.c.id > after)
        .order_by(inbox.c.id)
        .limit(limit)
    )
    entries, broken = [], []
    for row in await connection.execute(statement):
        reply = _decoded(row.payload)
        if reply is None:
            broken.append(row.id)
        else:
            received = moment(row.received_at)
            entries.append(Entry(row.id, reply, received, row.tries, row.amended))
    return entries, broken


async def park_entries(
    connection: AsyncConnection, key: str, ids: Sequence[int], error: str
) -> None:
    """Give entries up: they are shown to an admin, and their lane goes on."""
    if not ids:
        return
    parked = update(inbox).where(inbox.c.id.in_(ids)).values(parked_at=now(), error=brief(error))
    await connection.execute(parked)
    await recount(connection, key)


async def apologize(
    connection: AsyncConnection, key: str, given_up: Sequence[Row[Any]], apology: Apology
) -> None:
    """Put an apology into a lane for each of these entries that are given up. The lane's row must
    be locked, and recounted after this."""
    for row in given_up:
        reply = _decoded(row.payload)
        sorry = apology(reply) if reply is not None else None
        if sorry is not None:
            await _write_entry(connection, key, f"{key}:sorry:{row.id}", _encoded(sorry))


async def recount(connection: AsyncConnection, key: str) -> None:
    """Count a lane's pending entries anew; its row must be locked."""
    left = select(func.count()).select_from(inbox).where(inbox.c.lane == key, pending(inbox))
    await connection.execute(
        update(lane).where(lane.c.key == key).values(ready=left.scalar_subquery())
    )


def _decoded(payload: str) -> Reply | None:
    """A stored reply; None where it can no longer be read."""
    try:
        return _DECODER.decode(payload)
    except msgspec.DecodeError:
        return None


def _with_words(reply: Words | Upload, text: str, people: tuple[Somebody, ...]) -> Reply:
    if isinstance(reply, Words):
        return msgspec.structs.replace(reply, text=text, people=people)
    return msgspec.structs.replace(reply, caption=text)


def _encoded(reply: Reply) -> str:
    try:
        return msgspec.json.encode(reply).decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(_spelled(msgspec.to_builtins(reply))).decode()


def _spelled(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {key: _spelled(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_spelled(one) for one in value]
    return value
