"""What is known of conversations: their state, what was said, what happened, and the versions of
the journey types that they are on."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from core.effects import Note
from core.events import Happened
from core.state import Conversation, decode
from core.store.lanes import read_state
from core.store.part import Part
from core.store.sql import insert, now
from core.store.tables import conversation, event, manifest, transcript


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something happened to an item of a manifest on a channel."""

    what: Happened
    manifest: str
    item: int
    channel: str
    count: int


class Journeys(Part):
    """Looking things up; nothing here needs a claim."""

    async def conversation(self, lane_key: str) -> Conversation | None:
        """The state of a lane as it was last settled; None where nobody has been met."""
        async with self.database.read() as connection:
            return await read_state(connection, lane_key)

    async def conversations_with_open_ask(
        self, channel: str, idle: float = 0.0
    ) -> list[Conversation]:
        """The conversations of a channel that wait for an answer, for `idle` seconds at least."""
        statement = select(conversation.c.state).where(
            conversation.c.asking,
            conversation.c.key.startswith(f"{channel}:", autoescape=True),
            conversation.c.updated_at <= now() - idle,
        )
        async with self.database.read() as connection:
            found = await connection.execute(statement.order_by(conversation.c.key))
            return [decode(text) for text in found.scalars()]

    async def transcript(self, lane_key: str, journey: str) -> list[Note]:
        """All that was said in a journey, in order."""
        chosen = (transcript.c.lane == lane_key) & (transcript.c.journey == journey)
        statement = select(transcript).where(chosen).order_by(transcript.c.id)
        async with self.database.read() as connection:
            rows = await connection.execute(statement)
            return [Note(role=row.role, text=row.text, words=row.words) for row in rows]

    async def words(self, lane_key: str, journey: str) -> tuple[str, ...]:
        """What the person typed in a journey, in order: what a quote is verified against."""
        return tuple(note.text for note in await self.transcript(lane_key, journey) if note.words)

    async def tallies(self, manifest_name: str | None = None) -> list[Tally]:
        """How often what happened, over all conversations or those of one manifest."""
        key = (event.c.what, event.c.manifest, event.c.item, event.c.channel)
        statement = select(*key, func.sum(event.c.count).label("total"))
        if manifest_name is not None:
            statement = statement.where(event.c.manifest == manifest_name)
        async with self.database.read() as connection:
            rows = await connection.execute(statement.group_by(*key).order_by(*key))
            return [
                Tally(Happened(row.what), row.manifest, row.item, row.channel, int(row.total))
                for row in rows
            ]

    async def keep_manifest(self, name: str, digest: str, content: str) -> None:
        """Keep a version of a journey type, for the journeys that will be on it."""

        async def work(connection: AsyncConnection) -> None:
            statement = insert(connection, manifest).values(
                name=name, digest=digest, content=content, at=now()
            )
            statement = statement.on_conflict_do_nothing(index_elements=["name", "digest"])
            await connection.execute(statement)

        await self.database.write("keep-manifest", work)

    async def manifest(self, name: str, digest: str) -> str | None:
        """The content of a version that was kept; None where it was not."""
        chosen = (manifest.c.name == name) & (manifest.c.digest == digest)
        async with self.database.read() as connection:
            found = await connection.execute(select(manifest.c.content).where(chosen))
            return found.scalar_one_or_none()

    async def manifests(self) -> list[tuple[str, str, str]]:
        """The name, the digest and the content of every version that was kept."""
        statement = select(manifest.c.name, manifest.c.digest, manifest.c.content)
        async with self.database.read() as connection:
            rows = await connection.execute(statement)
            return [(row.name, row.digest, row.content) for row in rows]
