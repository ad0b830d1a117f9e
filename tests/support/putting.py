"""Posts for tests, put into a lane as every effect is: through the outbox."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from core.effects import Put
from core.posts import Action, Attachment, Line, Post, Tone
from core.replies import Act, Command, Reply
from core.store import Store
from core.store.putting import put_out
from core.store.tables import inbox

_REPLY: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)
_numbers = itertools.count(1)

ABOUT = "Crabs & how to keep them.\nFirst half: <b>theory</b>, second half: *practice*."


def submission(**changes: Any) -> Post:
    """A post as a destination would put it, with actions of every kind."""
    post = Post(
        id="s-12",
        title="Rust for beginners",
        text="Sent in by Ada.",
        lines=(
            Line(label="Date", value="Friday, 3 March 2028"),
            Line(label="About", value=ABOUT, long=True),
            Line(label="Price", value=""),
        ),
        footer="Number 12",
        actions=(
            Action(command="approve 12", label="Approve", tone=Tone.GOOD),
            Action(command="reject 12", label="Reject", needs="Why is it rejected?", tone=Tone.BAD),
            Action(command="show 12", label="Show"),
        ),
    )
    return msgspec.structs.replace(post, **changes)


async def put(store: Store, lane: str, *posts: Post, personal: bool = False) -> None:
    """Put posts into a lane, to be sent in this order."""
    effects = [(f"{lane}:put:{next(_numbers)}", Put(post=one, personal=personal)) for one in posts]

    async def work(connection: AsyncConnection) -> None:
        await put_out(connection, lane, effects)

    await store.database.write("put-for-test", work)
    store.outgoing.ring()


async def taken_in(store: Store) -> list[tuple[str, Reply]]:
    """Every reply that was taken in, with its lane, the oldest first."""
    async with store.database.read() as connection:
        chosen = select(inbox.c.lane, inbox.c.payload).order_by(inbox.c.id)
        rows = (await connection.execute(chosen)).all()
    return [(row.lane, _REPLY.decode(row.payload)) for row in rows]


async def acts(store: Store) -> list[tuple[str, Act]]:
    """Every use of an action, with its lane."""
    return [(lane, one) for lane, one in await taken_in(store) if isinstance(one, Act)]


async def commands(store: Store) -> list[tuple[str, str, str]]:
    """Every command, with its lane: its name and its argument."""
    found = await taken_in(store)
    return [(lane, one.name, one.argument) for lane, one in found if isinstance(one, Command)]


def pictures(*refs: str, origin: str) -> Sequence[Attachment]:
    """Pictures by their references."""
    return tuple(Attachment(origin=origin, ref=ref, mime="image/png") for ref in refs)
