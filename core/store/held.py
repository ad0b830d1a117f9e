"""All that is held about a person, handed out as it is stored."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import select

from core.store.part import Part, moment
from core.store.tables import conversation, lane, role, spent, submission, transcript


class Held(Part):
    """Handing out what is held."""

    async def held(self, account: str) -> dict[str, Any]:
        """What is held about a person (see `part.account_of`), as plain data: each of their
        conversations with its draft and all that was said, what they submitted, what they used."""
        async with self.database.read() as connection:
            keys = select(lane.c.key).where(lane.c.account == account)
            talks = await connection.execute(
                select(conversation).where(conversation.c.key.in_(keys)).order_by("key")
            )
            said = await connection.execute(
                select(transcript).where(transcript.c.lane.in_(keys)).order_by(transcript.c.id)
            )
            mine = await connection.execute(
                select(submission).where(submission.c.account == account).order_by("id")
            )
            days = await connection.execute(select(spent).where(spent.c.account == account))
            roles = await connection.execute(select(role).where(role.c.account == account))
            return {
                "account": account,
                "roles": [row.role for row in roles],
                "conversations": [
                    {
                        "lane": row.key,
                        "handle": row.handle,
                        "state": msgspec.Raw(row.state.encode()),
                    }
                    for row in talks
                ],
                "said": [
                    {"at": _when(row.at), "lane": row.lane, "by": row.role, "text": row.text}
                    for row in said
                ],
                "submissions": [
                    {
                        "number": row.id,
                        "journey": row.manifest,
                        "at": _when(row.at),
                        "content": msgspec.Raw(row.content.encode()),
                        "sources": msgspec.Raw(row.sources.encode()),
                    }
                    for row in mine
                ],
                "used": [
                    {"day": row.day, "turns": row.turns, "tokens": row.tokens} for row in days
                ],
            }


def _when(seconds: float) -> str:
    return moment(seconds).isoformat(timespec="seconds")
