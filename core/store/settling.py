"""Settling a turn: its new state, what it took from the inbox and all that it wants to happen are
one transaction, under the lane's fence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import insert as plain_insert
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.effects import Effect, Effects, Note, Submission
from core.events import Event
from core.replies import is_of_the_runtime
from core.state import Conversation, Status, encode, is_open
from core.store import crash
from core.store.errors import AlreadySubmitted, Amended, StoreError
from core.store.inbox import Entry
from core.store.lanes import Claim, change_held
from core.store.moderation import Look, wait_for_decision
from core.store.part import Part, account_of, channel_of
from core.store.putting import deliver_to, put_out
from core.store.sql import insert, now, pending, storable
from core.store.tables import (
    conversation,
    event,
    inbox,
    lane,
    submission,
    transcript,
)

_NOTHING = Effects()


class Settling(Part):
    """Writing down what a turn did."""

    async def settle(
        self,
        claim: Claim,
        *,
        done: Sequence[Entry],
        state: Conversation,
        effects: Effects = _NOTHING,
        destinations: Sequence[str] = (),
        look: Look | None = None,
    ) -> None:
        """Write a turn down and give the lane back: all of it, or nothing.

        `done` are the entries that the turn took, as it read them. What it shows is sent in this
        order, each with the key `lane:turn:n`. A submission is delivered once to each destination,
        with the key `journey:destination`; with a `look`, people look at it first, and it waits for
        their decision. Raises Fenced when the lane was lost, Amended when the words of an entry
        were changed since, AlreadySubmitted for a second submission of one journey, and StoreError
        when an entry is not pending in the lane.
        """

        async def work(connection: AsyncConnection) -> None:
            await _give_back(connection, claim, done)
            crash.point("settle-lane")
            await _mark_done(connection, claim.lane, done)
            crash.point("settle-inbox")
            heard = not all(is_of_the_runtime(entry.reply) for entry in done)
            await _keep_state(connection, claim.lane, state, heard=heard)
            crash.point("settle-state")
            await _queue(connection, claim.lane, state.turn, effects.show)
            crash.point("settle-outbox")
            await _note(connection, claim.lane, state, effects.notes)
            await _report(connection, claim.lane, state, effects.events)
            if effects.submission is not None:
                await _submit(connection, claim.lane, effects.submission, destinations, look)
                crash.point("settle-submission")

        await self.database.write("settle", work)


async def _give_back(connection: AsyncConnection, claim: Claim, done: Sequence[Entry]) -> None:
    changes: dict[str, Any] = {
        "ready": lane.c.ready - len(done),
        "lease_until": 0.0,
        "run_at": now(),
    }
    if not {entry.id for entry in claim.entries} <= {entry.id for entry in done}:
        # What was claimed has waited long enough, whatever else has come in since.
        changes["hold_until"] = 0.0
    await change_held(connection, claim, **changes)


async def _mark_done(connection: AsyncConnection, key: str, done: Sequence[Entry]) -> None:
    ids = [entry.id for entry in done]
    chosen = inbox.c.id.in_(ids) & (inbox.c.lane == key) & pending(inbox)
    marked = update(inbox).where(chosen).values(done_at=now())
    rows = list(await connection.execute(marked.returning(inbox.c.id, inbox.c.amended)))
    if len(rows) != len(done):
        raise StoreError(
            f"{len(done) - len(rows)} of the entries {ids} are not pending in {key}; "
            "nothing was written"
        )
    # Marking locks the rows: words that change from here on come too late.
    if {row.id: row.amended for row in rows} != {entry.id: entry.amended for entry in done}:
        raise Amended(key)


async def _keep_state(
    connection: AsyncConnection, key: str, state: Conversation, *, heard: bool
) -> None:
    values: dict[str, Any] = {
        "state": encode(state).decode(),
        "asking": _is_asking(state),
        "under_way": is_open(state),
        "updated_at": now(),
    }
    if heard:
        values |= {"heard_at": now(), "nudged_at": None}
    statement = insert(connection, conversation).values(key=key, **values)
    await connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_=values))


def _is_asking(state: Conversation) -> bool:
    journey = state.journey
    return journey is not None and journey.status is Status.OPEN and journey.ask is not None


async def _queue(connection: AsyncConnection, key: str, turn: int, show: Sequence[Effect]) -> None:
    await put_out(
        connection, key, [(f"{key}:{turn}:{number}", effect) for number, effect in enumerate(show)]
    )


async def _note(
    connection: AsyncConnection, key: str, state: Conversation, notes: Sequence[Note]
) -> None:
    journey = state.journey.id if state.journey is not None else ""
    rows = [
        {
            "lane": key,
            "journey": journey,
            "role": note.role,
            "words": note.words,
            "text": storable(note.text),
        }
        for note in notes
    ]
    if rows:
        await connection.execute(plain_insert(transcript).values(at=now()), rows)


async def _report(
    connection: AsyncConnection, key: str, state: Conversation, events: Sequence[Event]
) -> None:
    manifest = state.journey.manifest if state.journey is not None else ""
    digest = state.journey.digest if state.journey is not None else ""
    rows = [
        {
            "what": one.what.value,
            "item": one.item,
            "count": one.count,
            "turn": one.turn,
            "manifest": manifest,
            "digest": digest,
            "channel": channel_of(key),
        }
        for one in events
    ]
    if rows:
        await connection.execute(plain_insert(event).values(at=now()), rows)


async def _submit(
    connection: AsyncConnection,
    key: str,
    made: Submission,
    destinations: Sequence[str],
    look: Look | None,
) -> None:
    values = {
        **{name: getattr(made, name) for name in _COPIED},
        "sources": msgspec.json.encode(made.sources).decode(),
        "lane": key,
        "account": account_of(key),
        "at": now(),
    }
    statement = insert(connection, submission).values(values)
    statement = statement.on_conflict_do_nothing(index_elements=["journey"])
    number = (await connection.execute(statement.returning(submission.c.id))).scalar_one_or_none()
    if number is None:
        raise AlreadySubmitted(made.journey)
    if look is not None:
        await wait_for_decision(connection, number, look)
    else:
        await deliver_to(connection, number, made.journey, destinations)


_COPIED = ("journey", "manifest", "digest", "revision", "content", "person", "zone")
