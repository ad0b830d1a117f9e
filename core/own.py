"""What a turn asks the store about the conversation's owner, under names that start with "~".

A person is known by their account, so nothing of another channel's lanes is ever found, nor of
another workspace's. Everything here reads; nothing is changed.
"""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import func, select

from core.cards import Record
from core.journey import JourneyTypes
from core.state import Conversation
from core.step.base import Fetch, Fetched
from core.store import Store
from core.store.deliveries import Submitted
from core.store.part import account_of, written
from core.store.tables import transcript
from core.turn import World
from core.turn.holdings import MINE, PRIVACY, here, submitted
from core.turn.turning import Turning

PREFIX = "~"
"""No tool of a journey can be called so: a tool's name starts with a letter."""

MOST = 10
"""As many submissions are listed at once."""


async def answer(store: Store, lane: str, fetch: Fetch) -> Fetched:
    """What the store knows of the person of a lane.

    `~mine`: the newest submissions, each with the journey type's name as its label and `number`,
    `at`, `digest` and `content` among its fields; `total` counts all. `~privacy`: the records
    `account` (as people write it), `messages` (kept of this lane's talk) and `submissions`, each
    with a `value`. Raises LookupError for any other name.
    """
    sent = await store.submissions(account_of(lane))
    if fetch.tool == MINE:
        newest = sorted(sent, key=lambda one: one.id, reverse=True)[:MOST]
        return Fetched(records=tuple(map(_record, newest)), total=len(sent))
    if fetch.tool == PRIVACY:
        told: dict[str, str | int] = {
            "account": written(account_of(lane)),
            "messages": await _messages(store, lane),
            "submissions": len(sent),
        }
        records = tuple(_told(name, value) for name, value in told.items())
        return Fetched(records=records, total=len(records))
    raise LookupError(f"the store is not asked for {fetch.tool}")


class Holdings(msgspec.Struct, frozen=True, kw_only=True):
    """What a person has, in words: `open` is the journey of their conversation, `submitted` what
    they sent in on this channel, the newest first."""

    open: tuple[str, ...] = ()
    submitted: tuple[str, ...] = ()


async def holdings(
    store: Store, types: JourneyTypes, state: Conversation, now: datetime
) -> Holdings:
    """What the person of a conversation has, for a channel that shows it without being asked."""
    asked = Fetch(journey="", tool=MINE, arguments={"person": state.person.id})
    turn = Turning(state, World(types=types, now=now, fresh=""))
    found = await answer(store, state.id, asked)
    return Holdings(open=tuple(_here(turn)), submitted=tuple(submitted(turn, found)))


def _here(turn: Turning) -> list[str]:
    """The journey of the conversation; none whose version is not at hand."""
    journey, types = turn.state.journey, turn.world.types
    known = journey is not None and types.version(journey.manifest, journey.digest) is not None
    return here(turn) if known else []


async def _messages(store: Store, lane: str) -> int:
    statement = select(func.count()).select_from(transcript).where(transcript.c.lane == lane)
    async with store.database.read() as connection:
        return int((await connection.execute(statement)).scalar_one())


def _record(one: Submitted) -> Record:
    made = one.submission
    fields: dict[str, str | int] = {
        "number": one.id,
        "at": one.at.isoformat(),
        "digest": made.digest,
        "content": made.content,
    }
    return Record(id=made.journey, label=made.manifest, fields={**fields})


def _told(name: str, value: str | int) -> Record:
    return Record(id=name, label=name, fields={"value": value})
