"""What turns want shown, in order for each lane, and where cards stand on their platform.

A lane's pending effects are leased together, as one run, and the lane is due again when its run has
ended. So whoever finds a run whose lease ran out knows what its process may have done: all up to
the first message that may not come twice, since that one is marked before the next is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, cached_property
from itertools import groupby, takewhile
from operator import attrgetter
from typing import Any

import msgspec
from sqlalchemy import Insert, Integer, Row, bindparam, func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from core.bell import Bell
from core.effects import Change, Close, Draw, Effect, Page, Put, Say
from core.store import crash, leased
from core.store.part import Part, channel_of, moment
from core.store.sql import insert, now, pending
from core.store.tables import drawn, outbox

Native = dict[str, Any]
"""Where something stands on its platform, as its channel wrote it down."""

RUN = 20
"""The most effects of one lane that are handed out at once."""

_EFFECT: msgspec.json.Decoder[Effect] = msgspec.json.Decoder(Effect)
_NATIVE: msgspec.json.Decoder[Native] = msgspec.json.Decoder(Native)


# Statements are built once: building one takes longer than SQLite takes to carry it out.
_rows = outbox.alias("rows")
# Grouped, not compared with each other: that stays fast when much is pending.
_FIRSTS = (
    select(func.min(_rows.c.id))
    .where(pending(_rows), _rows.c.channel.in_(bindparam("channels", expanding=True)))
    .group_by(_rows.c.lane)
    .having(func.max(_rows.c.lease_until) <= now())
)
_HEADS = (
    select(outbox.c.id, outbox.c.lane)
    .where(outbox.c.id.in_(_FIRSTS), pending(outbox))
    # Again, since the row may have changed until it was locked.
    .where(outbox.c.run_at <= now(), outbox.c.lease_until <= now())
    .order_by(outbox.c.id)
    .limit(bindparam("lanes"))
    .with_for_update(skip_locked=True)
)
_PENDING = (
    select(
        *(outbox.c.id, outbox.c.lane, outbox.c.key, outbox.c.effect, outbox.c.created_at),
        *(outbox.c.tries, outbox.c.fence, outbox.c.lease_until),
        (outbox.c.lease_until > now()).label("held"),
        (outbox.c.run_at > now()).label("waits"),
    )
    .where(outbox.c.lane.in_(bindparam("keys", expanding=True)), pending(outbox))
    .order_by(outbox.c.id)
    .limit(bindparam("rows"))
)
_THESE = outbox.c.id.in_(bindparam("ids", expanding=True)) & pending(outbox)
_LEASE = (
    update(outbox)
    .where(_THESE)
    .values(
        lease_until=now() + bindparam("seconds"),
        fence=outbox.c.fence + 1,
        owner=bindparam("sender"),
    )
)
_HOLD = update(outbox).where(_THESE).values(lease_until=now() + bindparam("seconds"))
_GIVE_BACK = update(outbox).where(_THESE).values(lease_until=0.0)
_BACK_FROM_LOST = (
    update(outbox)
    .where(outbox.c.id == bindparam("row"), pending(outbox))
    .values(
        lease_until=0.0,
        fence=outbox.c.fence + 1,
        tries=outbox.c.tries + bindparam("more", type_=Integer),
    )
)
_TRIED = select(outbox.c.effect).where(
    pending(outbox),
    outbox.c.lane == bindparam("key"),
    (outbox.c.tries > 0) | (outbox.c.lease_until > 0),
)
_SENDING = select(outbox.c.id).where(pending(outbox), outbox.c.lane == bindparam("key")).limit(1)
_TO_COME = select(outbox.c.effect).where(pending(outbox), outbox.c.channel == bindparam("channel"))
_FINISH = leased.finished(outbox, native=bindparam("answer"))
_PLACES = select(drawn).where(
    drawn.c.lane.in_(bindparam("keys", expanding=True)),
    drawn.c.card.in_(bindparam("cards", expanding=True)),
)


@cache
def _remembering(dialect: str) -> Insert:
    made = (postgresql if dialect == "postgresql" else sqlite).insert(drawn)
    statement: sqlite.Insert = made
    return statement.on_conflict_do_update(
        index_elements=["lane", "card"], set_={"native": statement.excluded.native}
    )


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One effect to carry out. `key` is the same however often it is tried, `tries` counts the
    attempts that failed or whose end nobody knows, `drawn` is where the effect's card stands."""

    id: int
    lane: str
    key: str
    effect: Effect
    tries: int
    fence: int
    created_at: datetime
    drawn: Native | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """An effect that its platform has. `native` is what it answered, kept as the place of
    `card`."""

    row: Outgoing
    native: Native | None = None
    card: str = ""


def card_of(effect: Effect) -> str:
    """The card that an effect draws, changes, turns or closes, or the post that it puts; empty for
    one without."""
    if isinstance(effect, Draw | Change):
        return effect.card.id
    if isinstance(effect, Put):
        return effect.post.id
    return effect.card if isinstance(effect, Close | Page) else ""


def may_be_repeated(effect: Effect) -> bool:
    """Whether doing it twice is as good as once. A message that is sent twice is there twice; so is
    a post, unless it stands already."""
    return not isinstance(effect, Say | Draw | Put)


class Outbox(Part):
    """Sending: take what is due, then say how it went."""

    @cached_property
    def outgoing(self) -> Bell:
        """Rung when something was put into the outbox by this process; its sender waits for it."""
        return Bell()

    async def show(self, lane_key: str, key: str, effect: Effect) -> bool:
        """Have something shown that is no turn's, behind all that a lane has to send already.
        False where its key is known."""
        row = {"lane": lane_key, "channel": channel_of(lane_key), "key": key}
        row["effect"] = msgspec.json.encode(effect).decode()

        async def work(connection: AsyncConnection) -> bool:
            added = insert(connection, outbox).values(row | {"created_at": now()})
            added = added.on_conflict_do_nothing(index_elements=["key"])
            return (await connection.execute(added.returning(outbox.c.id))).first() is not None

        return await self.database.write("show", work)

    async def due(
        self, owner: str, channels: Sequence[str], limit: int = 20, lease: float = 60.0
    ) -> list[Outgoing]:
        """Lease what up to `limit` lanes of these channels have to send now, each lane's in order.

        A lane's effects are leased together, but one that was tried before is leased alone. What
        waits to be tried again holds back its own lane, and no other. When a lease runs out,
        another sender gets the effects.
        """
        self._owners.add(owner)

        async def work(connection: AsyncConnection) -> list[Outgoing]:
            wanted = {"channels": list(channels), "lanes": limit}
            heads = {row.lane: row.id for row in await connection.execute(_HEADS, wanted)}
            if not heads:
                return []
            found = await connection.execute(_PENDING, {"keys": list(heads), "rows": limit * RUN})
            by_lane = groupby(sorted(found, key=attrgetter("lane", "id")), attrgetter("lane"))
            taken: list[Outgoing] = []
            for key, rows in by_lane:
                taken += await self._run(connection, heads[key], list(rows))
            return await _leased(connection, sorted(taken, key=attrgetter("id")), owner, lease)

        return await self.database.write("due", work)

    async def _run(
        self, connection: AsyncConnection, head: int, rows: list[Row[Any]]
    ) -> list[Outgoing]:
        """The effects of a lane that are to be leased now. Its first one, `head`, is locked."""
        if rows[0].id != head or any(row.held for row in rows):
            # An older one came back, or it was leased, between finding the lane and locking it.
            return []
        waiting = {row.id for row in rows if row.waits}
        lost = {row.id for row in rows if row.lease_until > 0}
        readable = await _readable(connection, rows)
        if readable and lost:
            readable = await self._after_loss(connection, readable, lost)
        free = list(takewhile(lambda one: one.id not in waiting, readable))
        if not free or free[0].tries:
            return free[:1]
        return list(takewhile(lambda one: not one.tries, free))[:RUN]

    async def _after_loss(
        self, connection: AsyncConnection, rows: list[Outgoing], lost: set[int]
    ) -> list[Outgoing]:
        """Give back what was leased to a process that died, and count what it may have tried.

        The first is given up when that is too often. Only the first: once it was tried it is
        leased alone, so that no other is given up for what it does.
        """
        tried = _perhaps_tried([one for one in rows if one.id in lost])
        first = rows[0]
        if first.id in tried and first.tries + 1 >= self.max_tries:
            held = leased.held(outbox, first.id, first.fence)
            await leased.give_up(connection, outbox, held, leased.LOST)
            rows = rows[1:]
        counts = [{"row": one.id, "more": one.id in tried} for one in rows if one.id in lost]
        if counts:
            await connection.execute(_BACK_FROM_LOST, counts)
        return [
            replace(one, tries=one.tries + (one.id in tried), fence=one.fence + (one.id in lost))
            for one in rows
        ]

    async def sent(self, row: Outgoing, native: Native | None = None, card: str = "") -> None:
        """The platform has it. `native` is what it answered, kept as the place of `card`."""
        await self.all_sent([Sent(row, native, card)])

    async def all_sent(self, those: Sequence[Sent]) -> None:
        """The platform has all of these. It has happened, so this counts under a lost lease too."""
        answers = [(one, _written(one.native)) for one in those]
        finished = [{"row": one.row.id, "answer": answer} for one, answer in answers]
        places = [
            {"lane": one.row.lane, "card": one.card, "native": answer}
            for one, answer in answers
            if answer and one.card
        ]

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(_FINISH, finished)
            crash.point("sent-row")
            if places:
                await connection.execute(_remembering(connection.dialect.name), places)

        await self.database.write("sent", work)

    async def retry(
        self,
        row: Outgoing,
        error: str,
        seconds: float,
        *,
        counts: bool = True,
        behind: Sequence[Outgoing] = (),
    ) -> None:
        """Send it again in so many seconds; what follows in its lane waits too, and the rest of its
        run, `behind`, is given back. With `counts` False it is no failure: the platform only asked
        to wait."""

        async def work(connection: AsyncConnection) -> None:
            held = leased.held(outbox, row.id, row.fence)
            still = await leased.put_off(connection, outbox, held, error, seconds, counts)
            crash.point("retry-row")
            if still and behind:
                await connection.execute(_GIVE_BACK, {"ids": [one.id for one in behind]})

        await self.database.write("retry", work)

    async def hold(self, run: Sequence[Outgoing], lease: float = 60.0) -> bool:
        """Hold what is left of a run for so many seconds from now; False when it was lost."""

        async def work(connection: AsyncConnection) -> bool:
            held = leased.held(outbox, run[0].id, run[0].fence)
            first = update(outbox).where(held).values(lease_until=now() + lease)
            if (await connection.execute(first)).rowcount != 1:
                return False
            rest = [one.id for one in run[1:]]
            await connection.execute(_HOLD, {"ids": rest, "seconds": lease})
            return True

        return await self.database.write("hold", work)

    async def park(self, row: Outgoing, error: str) -> None:
        """It cannot be sent: an admin sees it, and its lane goes on with the next."""

        async def work(connection: AsyncConnection) -> None:
            held = leased.held(outbox, row.id, row.fence)
            await leased.give_up(connection, outbox, held, error)

        await self.database.write("park", work)

    async def to_be_drawn(self, channel: str) -> frozenset[str]:
        """The cards of a channel that are still to be drawn."""
        async with self.database.read() as connection:
            found = await connection.execute(_TO_COME, {"channel": channel})
            return frozenset(card for text in found.scalars() if (card := _drawn_by(text)))

    async def is_sending(self, lane_key: str) -> bool:
        """Whether anything of a lane has still to be sent, or is being sent."""
        async with self.database.read() as connection:
            return (await connection.execute(_SENDING, {"key": lane_key})).first() is not None

    async def is_perhaps_drawn(self, lane_key: str, card: str) -> bool:
        """Whether a card that stands nowhere yet may have been sent all the same: an attempt was
        lost, or somebody has it in hand, and sends it now or has died of it."""
        async with self.database.read() as connection:
            found = await connection.execute(_TRIED, {"key": lane_key})
            return any(_drawn_by(text) == card for text in found.scalars())

    async def where(self, lane_key: str, card: str) -> Native | None:
        """Where a card stands on its platform; None when nothing is known."""
        chosen = select(drawn.c.native).where(drawn.c.lane == lane_key, drawn.c.card == card)
        async with self.database.read() as connection:
            native = (await connection.execute(chosen)).scalar_one_or_none()
        return None if native is None else _NATIVE.decode(native)

    async def remember(self, lane_key: str, card: str, native: Native) -> None:
        """Keep where a card stands on its platform."""
        place = {"lane": lane_key, "card": card, "native": msgspec.json.encode(native).decode()}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(_remembering(connection.dialect.name), [place])

        await self.database.write("remember", work)


async def _readable(connection: AsyncConnection, rows: list[Row[Any]]) -> list[Outgoing]:
    """The rows' effects; those that cannot be read any more are given up."""
    found = []
    for row in rows:
        try:
            effect = _EFFECT.decode(row.effect)
        except msgspec.DecodeError:
            held = leased.held(outbox, row.id, row.fence)
            await leased.give_up(connection, outbox, held, "its content cannot be read")
        else:
            at = moment(row.created_at)
            found.append(Outgoing(row.id, row.lane, row.key, effect, row.tries, row.fence, at))
    return found


def _drawn_by(text: str) -> str:
    """The card that a stored effect draws; empty where it draws none, or cannot be read."""
    try:
        effect = _EFFECT.decode(text)
    except msgspec.DecodeError:
        return ""
    return effect.card.id if isinstance(effect, Draw) else ""


def _perhaps_tried(run: Sequence[Outgoing]) -> set[int]:
    """What of a run its process has perhaps tried: no more than one that may not be repeated,
    since that is marked before the next is sent."""
    tried = set()
    for one in run:
        tried.add(one.id)
        if not may_be_repeated(one.effect):
            break
    return tried


async def _leased(
    connection: AsyncConnection, taken: list[Outgoing], owner: str, lease: float
) -> list[Outgoing]:
    """Lease these, and look where their cards stand."""
    if not taken:
        return []
    ids = [one.id for one in taken]
    await connection.execute(_LEASE, {"ids": ids, "seconds": lease, "sender": owner})
    places: dict[tuple[str, str], Native] = {}
    cards = {card for one in taken if (card := card_of(one.effect))}
    if cards:
        keys = {one.lane for one in taken}
        for row in await connection.execute(_PLACES, {"keys": list(keys), "cards": list(cards)}):
            places[row.lane, row.card] = _NATIVE.decode(row.native)
    return [
        replace(one, fence=one.fence + 1, drawn=places.get((one.lane, card_of(one.effect))))
        for one in taken
    ]


def _written(native: Native | None) -> str | None:
    return msgspec.json.encode(native).decode() if native else None
