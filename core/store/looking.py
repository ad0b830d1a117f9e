"""What the people who run the bot look at: submissions, what is on its way, how much there is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    ColumnElement,
    FromClause,
    Table,
    cast,
    func,
    or_,
    select,
    type_coerce,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from core.state import Conversation, decode
from core.store.deliveries import Submitted, submitted_from
from core.store.part import Part
from core.store.sql import now, pending
from core.store.tables import conversation, delivery, event, inbox, outbox, submission

_PAGE = 200
"""Rows that are read at once where all are gone through."""


@dataclass(frozen=True, slots=True)
class Counted:
    """How often something happened to an item of one version of a journey type."""

    what: str
    digest: str
    item: int
    count: int


@dataclass(frozen=True, slots=True)
class Lag:
    """What waits: how many there are, and for how many seconds the oldest has waited."""

    count: int
    seconds: float


class Looking(Part):
    """Reading only."""

    async def submission(self, number: int) -> Submitted | None:
        """A submission by its number."""
        statement = select(submission).where(submission.c.id == number)
        async with self.database.read() as connection:
            row = (await connection.execute(statement)).first()
        return None if row is None else submitted_from(row, row.id)

    async def submitted_of(
        self, manifest: str, since: float | None = None
    ) -> AsyncIterator[Submitted]:
        """The submissions of a journey type, oldest first, of the last so many seconds."""
        chosen: list[ColumnElement[bool]] = [submission.c.manifest == manifest]
        if since is not None:
            chosen.append(submission.c.at >= now() - since)
        last = 0
        while True:
            statement = select(submission).where(*chosen, submission.c.id > last)
            statement = statement.order_by(submission.c.id).limit(_PAGE)
            async with self.database.read() as connection:
                rows = list(await connection.execute(statement))
            for row in rows:
                yield submitted_from(row, row.id)
            if len(rows) < _PAGE:
                return
            last = rows[-1].id

    async def find_submissions(self, words: str, limit: int) -> list[Submitted]:
        """The newest submissions by their number, their account, or their person's name."""
        found = [submission.c.account == words.replace("/", ":")]
        if words.isdecimal() and len(words) < 16:
            found.append(submission.c.id == int(words))
        named = [
            submission.c.lane.in_(select(conversation.c.key).where(_mentions(words))),
            submission.c.account.endswith(f":{words}", autoescape=True),
        ]
        statement = select(submission).where(or_(*found, *named))
        async with self.database.read() as connection:
            rows = await connection.execute(statement.order_by(submission.c.id.desc()).limit(limit))
            return [submitted_from(row, row.id) for row in rows]

    async def find_conversations(self, words: str, limit: int) -> list[Conversation]:
        """The conversations whose person's account or name has these words, the newest first."""
        statement = select(conversation.c.state).where(
            or_(
                _mentions(words),
                conversation.c.key.contains(words.replace("/", ":"), autoescape=True),
            )
        )
        statement = statement.order_by(conversation.c.updated_at.desc()).limit(limit)
        async with self.database.read() as connection:
            return [decode(text) for text in (await connection.execute(statement)).scalars()]

    async def open_counts(self) -> dict[str, int]:
        """How many journeys of each type are open."""
        async with self.database.read() as connection:
            name = _of_journey(connection, "manifest")
            statement = select(name.label("name"), func.count().label("count"))
            statement = statement.where(conversation.c.under_way).group_by(name)
            rows = await connection.execute(statement)
            return {str(row.name): int(row._mapping["count"]) for row in rows}

    async def counted(self, manifest: str, since: float | None = None) -> list[Counted]:
        """How often what happened in journeys of a type, in the last so many seconds."""
        key = (event.c.what, event.c.digest, event.c.item)
        statement = select(*key, func.sum(event.c.count).label("total"))
        statement = statement.where(event.c.manifest == manifest)
        if since is not None:
            statement = statement.where(event.c.at >= now() - since)
        async with self.database.read() as connection:
            rows = await connection.execute(statement.group_by(*key).order_by(*key))
            return [Counted(row.what, row.digest, row.item, int(row.total)) for row in rows]

    async def lag(self, besides: str = "") -> dict[str, Lag]:
        """What waits in the inbox, but for that of one lane, in the outbox and to be delivered."""
        joined = delivery.join(submission, delivery.c.submission == submission.c.id)
        waits: dict[str, tuple[Table, FromClause, ColumnElement[float]]] = {
            "inbox": (inbox, inbox, inbox.c.received_at),
            "outbox": (outbox, outbox, outbox.c.created_at),
            "delivery": (delivery, joined, submission.c.at),
        }
        found = {}
        async with self.database.read() as connection:
            for name, (table, rows, at) in waits.items():
                statement = select(func.count(), func.max(now() - at)).select_from(rows)
                waiting = pending(table)
                if table is inbox:
                    waiting &= inbox.c.lane != besides
                count, oldest = (await connection.execute(statement.where(waiting))).one()
                found[name] = Lag(int(count), max(float(oldest or 0.0), 0.0))
        return found

    async def totals(self) -> dict[str, int]:
        """How many submissions, conversations and open journeys there are."""
        counts = {
            "submissions": select(func.count()).select_from(submission),
            "conversations": select(func.count()).select_from(conversation),
            "open": select(func.count()).where(conversation.c.under_way),
        }
        async with self.database.read() as connection:
            return {
                name: int((await connection.execute(statement)).scalar_one())
                for name, statement in counts.items()
            }


def _mentions(words: str) -> ColumnElement[bool]:
    """Conversations whose person is called so. SQLite folds the case of ASCII letters only, so the
    usual spellings of a name are looked for."""
    spelled = dict.fromkeys((words, words.lower(), words.title(), words.upper()))
    texts = [msgspec.json.encode(one).decode()[1:-1] for one in spelled]
    person = conversation.c.state
    patterns = [f'%"name":"%{_escaped(one)}%","locale":%' for one in texts]
    return or_(*(person.like(pattern, escape="\\") for pattern in patterns))


def _escaped(text: str) -> str:
    for one in "\\%_":
        text = text.replace(one, f"\\{one}")
    return text


def _of_journey(connection: AsyncConnection, name: str) -> ColumnElement[str]:
    """A field of the journey in a stored state: SQLite reads JSON from text as it stands, and
    would make a number of it where it is cast."""
    state: Any = conversation.c.state
    is_postgres = connection.dialect.name == "postgresql"
    known: Any = cast(state, JSON) if is_postgres else type_coerce(state, JSON)
    found: ColumnElement[str] = known["journey"][name].as_string()
    return found
