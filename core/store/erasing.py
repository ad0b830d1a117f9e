"""Erasing somebody: all that is held about them, wherever it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.effects import Effect
from core.state import decode
from core.store.moderation import post_of
from core.store.part import Part, channel_of, written
from core.store.putting import put_out
from core.store.removing import drop_submissions, forget_lanes
from core.store.sql import insert, now, pending
from core.store.tables import (
    audit,
    blocked,
    conversation,
    delivery,
    drawn,
    erasure,
    inbox,
    lane,
    moderation,
    outbox,
    role,
    spent,
    submission,
    switch,
)

Instead = Callable[[int], Effect]
"""What stands in a moderators' chat from now on, in the place of the submission of a number."""

_ERASED = "erased"

_GIVEN = (role, blocked, switch, erasure)
"""What somebody who runs the bot has set: it stays, without saying by whom."""

_PATIENCE = 24 * 3600.0
"""Seconds that what is still to be said or done may keep somebody from being erased: a channel that
is served no longer says nothing any more."""


class Erasing(Part):
    """Erasing whoever asked for it."""

    async def ask_to_erase(self, account: str, by: str) -> bool:
        """Somebody's everything is to go; False where that is asked for already. `by` is the
        account of whoever asks."""

        async def work(connection: AsyncConnection) -> bool:
            statement = insert(connection, erasure).values(account=account, by=by, at=now())
            statement = statement.on_conflict_do_nothing(index_elements=["account"])
            return (await connection.execute(statement)).rowcount == 1

        return await self.database.write("ask-to-erase", work)

    async def to_be_erased(self) -> list[str]:
        """The accounts whose everything is to go, the longest waiting first."""
        async with self.database.read() as connection:
            found = await connection.execute(select(erasure.c.account).order_by(erasure.c.at))
            return list(found.scalars())

    async def erase(self, account: str, instead: Instead | None = None) -> bool:
        """Delete all that is held about a person: what they said, their drafts, what they were
        shown, what they submitted, who they are, and what people who run the bot were shown of it.
        False while something of theirs is still being done or said: then it is tried again, and
        after a day only what is being done at that moment counts.

        A submission that stands in a moderators' chat is changed there to what is `instead`. That
        somebody is blocked is kept. What an admin did is kept without saying about whom.
        """

        async def work(connection: AsyncConnection) -> bool:
            numbers = await _lock(connection, account)
            mine = select(lane.c.key).where(lane.c.account == account).order_by(lane.c.key)
            lanes = mine.with_for_update()
            keys = list((await connection.execute(lanes)).scalars())
            told = _Told(account, numbers, await _names(connection, keys))
            if await _is_at_work(connection, keys, numbers):
                return False
            if await _has_more_to_come(connection, keys, told) and not await _is_late(
                connection, account
            ):
                return False
            shown = await _shown_to_moderators(connection, numbers)
            await drop_submissions(connection, numbers)
            await forget_lanes(connection, keys)
            await _forget_what_was_told(connection, told)
            await _forget_person(connection, account)
            if instead is not None:
                await _put_instead(connection, shown, instead)
            return True

        return await self.database.write("erase", work)


class _Told:
    """How people who run the bot were told of somebody: by their account, as it is stored and as it
    is written, by the numbers of what they submitted, and by what they are called, which others may
    be called, too."""

    def __init__(self, account: str, numbers: Sequence[int], names: Sequence[str]) -> None:
        self.people = tuple({account, written(account)})
        self.numbers = tuple(f'"#{number}{end}' for number in numbers for end in ('"', " "))
        self.names = tuple(name for name in names if len(name) >= _TELLING)

    def surely(self) -> ColumnElement[bool]:
        """What went out and tells of this very person."""
        return or_(*(_has(outbox.c.effect, one) for one in (*self.people, *self.numbers)))

    def perhaps(self, text: ColumnElement[str]) -> ColumnElement[bool]:
        """What tells of them, or of somebody who is called so."""
        return or_(*(_has(text, one) for one in (*self.people, *self.numbers, *self.names)))


_COMMANDS = ('"name":"admin"', '"reply":"act"')
"""What stands in the commands of people who run the bot, as replies are stored."""

_TELLING = 3
"""Letters of a name that is looked for."""


def _has(column: ColumnElement[str], text: str) -> ColumnElement[bool]:
    return column.contains(text, autoescape=True)


async def _names(connection: AsyncConnection, keys: Sequence[str]) -> list[str]:
    """What somebody is called, in their lanes."""
    chosen = select(conversation.c.state, conversation.c.handle)
    rows = list(await connection.execute(chosen.where(conversation.c.key.in_(keys))))
    return list({name for row in rows for name in (decode(row.state).person.name, row.handle)})


async def _lock(connection: AsyncConnection, account: str) -> list[int]:
    """The numbers of what somebody submitted. Whoever delivers it or decides about it takes the
    locks in this order, too: the lanes come last."""
    chosen = select(submission.c.id).where(submission.c.account == account)
    numbers = list((await connection.execute(chosen)).scalars())
    for table, column in (
        (delivery, delivery.c.submission),
        (moderation, moderation.c.submission),
        (submission, submission.c.id),
    ):
        keys = table.primary_key.columns
        locked = select(*keys).where(column.in_(numbers)).order_by(*keys)
        await connection.execute(locked.with_for_update())
    return numbers


async def _is_at_work(
    connection: AsyncConnection, keys: Sequence[str], numbers: Sequence[int]
) -> bool:
    """Whether somebody works in these lanes, or delivers one of these submissions."""
    held = select(lane.c.key).where(lane.c.key.in_(keys), lane.c.lease_until > now())
    sent = select(delivery.c.id).where(
        delivery.c.submission.in_(numbers), delivery.c.lease_until > now(), pending(delivery)
    )
    return any([(await connection.execute(one.limit(1))).first() for one in (held, sent)])


async def _has_more_to_come(connection: AsyncConnection, keys: Sequence[str], told: _Told) -> bool:
    """Whether something in these lanes waits to be taken or to be sent, or somebody is yet to be
    shown something of it."""
    waits = select(lane.c.key).where(lane.c.key.in_(keys), lane.c.ready > 0)
    mine = outbox.c.lane.in_(keys) | told.surely()
    sends = select(outbox.c.id).where(pending(outbox), mine)
    return any([(await connection.execute(one.limit(1))).first() for one in (waits, sends)])


async def _is_late(connection: AsyncConnection, account: str) -> bool:
    asked = erasure.c.account == account
    late = select(erasure.c.account).where(asked, erasure.c.at <= now() - _PATIENCE)
    return (await connection.execute(late)).first() is not None


async def _shown_to_moderators(
    connection: AsyncConnection, numbers: Sequence[int]
) -> list[tuple[int, str, str]]:
    """Where submissions stand in chats: their numbers, the lanes, the places there."""
    by_card = {post_of(number): number for number in numbers}
    rows = await connection.execute(select(drawn).where(drawn.c.card.in_(list(by_card))))
    return [(by_card[row.card], row.lane, row.native) for row in rows]


async def _put_instead(
    connection: AsyncConnection, shown: Sequence[tuple[int, str, str]], instead: Instead
) -> None:
    """Have what stands in chats changed, which needs the places until then."""
    for number, where, native in shown:
        place = drawn.insert().values(lane=where, card=post_of(number), native=native)
        await connection.execute(place)
        await put_out(connection, where, [(f"erased:{number}:{where}", instead(number))])


async def _forget_what_was_told(connection: AsyncConnection, told: _Told) -> None:
    """What people who run the bot were shown, and what they wrote, whoever it was about: nobody
    needs it once it is done. That it came in is still known: a platform may deliver it again."""
    done = outbox.c.done_at.is_not(None) & told.perhaps(outbox.c.effect)
    await connection.execute(delete(outbox).where(told.surely() | done))
    wrote = or_(told.perhaps(inbox.c.payload), *(_has(inbox.c.payload, one) for one in _COMMANDS))
    asked = inbox.c.done_at.is_not(None) & wrote
    await connection.execute(update(inbox).where(asked).values(payload=""))


async def _forget_person(connection: AsyncConnection, account: str) -> None:
    owner, channel = account.rpartition(":")[2], channel_of(account)
    mine = (drawn.c.card == owner) & drawn.c.lane.startswith(f"{channel}:", autoescape=True)
    await connection.execute(delete(drawn).where(mine))
    for table in (spent, role, erasure):
        await connection.execute(delete(table).where(table.c.account == account))
    why = update(blocked).where(blocked.c.account == account)
    await connection.execute(why.values(reason=""))
    shown = written(account)
    about = (audit.c.subject == shown) | audit.c.subject.startswith(f"{shown} ", autoescape=True)
    await connection.execute(update(audit).where(about).values(subject=_ERASED))
    for column in (audit.c.account, moderation.c.account, *(one.c.by for one in _GIVEN)):
        values: dict[str, str] = {column.name: _ERASED}
        if column.table is moderation:
            values["name"] = ""
        done = update(column.table).where(column == account)
        await connection.execute(done.values(values))
