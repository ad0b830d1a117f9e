"""All that is held about a person, handed out as it is stored."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Row, Select, Table, select
from sqlalchemy.ext.asyncio import AsyncConnection

from core.store.deliveries import stage_of
from core.store.part import Part, moment
from core.store.tables import (
    audit,
    blocked,
    conversation,
    delivery,
    inbox,
    lane,
    moderation,
    outbox,
    role,
    spent,
    submission,
    transcript,
)


class Held(Part):
    """Handing out what is held."""

    async def held(self, account: str) -> dict[str, Any]:
        """What is held about a person (see `part.account_of`), as plain data: each of their
        conversations with its draft and all that was said, what came in and what was shown, what
        they submitted and what became of it, what they used, what they did as somebody who runs the
        bot, and whether they are blocked, and why."""
        keys = select(lane.c.key).where(lane.c.account == account)
        async with self.database.read() as connection:
            return {
                "account": account,
                "roles": [row.role for row in await _all(connection, role, account)],
                "blocked": [
                    {"since": _when(row.at), "reason": row.reason}
                    for row in await _all(connection, blocked, account)
                ],
                **await _talks(connection, keys),
                "submissions": await _submissions(connection, account),
                "used": [
                    {"day": row.day, "turns": row.turns, "tokens": row.tokens}
                    for row in await _all(connection, spent, account)
                ],
                "commands": [
                    {
                        "at": _when(row.at),
                        "command": row.verb,
                        "subject": row.subject,
                        "outcome": row.outcome,
                    }
                    for row in await _all(connection, audit, account)
                ],
            }


async def _all(connection: AsyncConnection, table: Table, account: str) -> list[Row[Any]]:
    """The rows of a table that are an account's, in their order."""
    keys = table.primary_key.columns
    chosen = select(table).where(table.c.account == account).order_by(*keys)
    return list(await connection.execute(chosen))


async def _talks(connection: AsyncConnection, keys: Select[str]) -> dict[str, Any]:
    """What stands in somebody's lanes."""
    talks = select(conversation).where(conversation.c.key.in_(keys)).order_by("key")
    said = select(transcript).where(transcript.c.lane.in_(keys)).order_by(transcript.c.id)
    came = select(inbox).where(inbox.c.lane.in_(keys)).order_by(inbox.c.id)
    went = select(outbox).where(outbox.c.lane.in_(keys)).order_by(outbox.c.id)
    return {
        "conversations": [
            {"lane": row.key, "handle": row.handle, "state": _raw(row.state)}
            for row in await connection.execute(talks)
        ],
        "said": [
            {"at": _when(row.at), "lane": row.lane, "by": row.role, "text": row.text}
            for row in await connection.execute(said)
        ],
        "came_in": [
            {"at": _when(row.received_at), "lane": row.lane, "reply": _raw(row.payload)}
            for row in await connection.execute(came)
        ],
        "shown": [
            {"at": _when(row.created_at), "lane": row.lane, "effect": _raw(row.effect)}
            for row in await connection.execute(went)
        ],
    }


async def _submissions(connection: AsyncConnection, account: str) -> list[dict[str, Any]]:
    mine = await _all(connection, submission, account)
    numbers = [row.id for row in mine]
    ways = select(delivery).where(delivery.c.submission.in_(numbers)).order_by(delivery.c.id)
    decided = select(moderation).where(moderation.c.submission.in_(numbers))
    to = list(await connection.execute(ways))
    verdicts = {row.submission: row for row in await connection.execute(decided)}
    return [
        {
            "number": row.id,
            "journey": row.manifest,
            "at": _when(row.at),
            "zone": row.zone,
            "content": _raw(row.content),
            "sources": _raw(row.sources),
            "decision": _decision(verdicts.get(row.id)),
            "destinations": [
                {"name": way.destination, "stage": stage_of(way).value}
                for way in to
                if way.submission == row.id
            ],
        }
        for row in mine
    ]


def _decision(row: Row[Any] | None) -> dict[str, Any] | None:
    """What was decided about a submission. By whom is theirs, not its person's."""
    if row is None:
        return None
    at = "" if row.at is None else _when(row.at)
    return {"verdict": row.stage, "reason": row.reason, "at": at}


def _raw(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode() or b"null")


def _when(seconds: float) -> str:
    return moment(seconds).isoformat(timespec="seconds")
