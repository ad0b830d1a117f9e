"""Replies, states and effects for the store's tests, and a clock that they can move."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import Table, delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core.cards import Button, Chips
from core.draft import Draft
from core.effects import Effect, Effects, Say, Submission
from core.posts import Action, Attachment, Line, Post
from core.replies import Tap, Words
from core.state import Ask, Conversation, Journey, Person
from core.store import Claim, Entry, Store
from core.store.tables import (
    conversation,
    delivery,
    erasure,
    inbox,
    lane,
    metadata,
    outbox,
    transcript,
)
from core.store.tables import (
    submission as submitted,
)

LANE = "test:1"
ANNA = Person(id="anna", name="Anna", locale="de", zone="Europe/Berlin")
MOMENT = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


def words(said: str) -> Words:
    return Words(text=said, by=ANNA.id, at=MOMENT)


def tap(token: str = "a", card: str = "j-1") -> Tap:
    return Tap(card=card, token=token, by=ANNA.id, at=MOMENT)


def chips(card: str = "j-1") -> Chips:
    return Chips(
        id=card,
        item="format",
        title="In person or online?",
        options=(Button(token="a", label="In person"), Button(token="b", label="Online")),
    )


def state(
    turn: int = 1, *, key: str = LANE, asks: bool = False, journey: str = "j"
) -> Conversation:
    ask = Ask(item="format", card=f"{journey}-1", drawn_at=MOMENT) if asks else None
    opened = Journey(id=journey, manifest="event", digest="d1", draft=Draft(), ask=ask)
    return Conversation(id=key, person=ANNA, turn=turn, journey=opened)


def submission(journey: str = "j", content: str = '{"title":"Ünïcode 👋"}') -> Submission:
    return Submission(
        journey=journey,
        manifest="event",
        digest="d1",
        revision="0123456789abcdef",
        content=content,
        sources={"title": "typed"},
        person=ANNA.id,
        zone="Europe/Berlin",
    )


def whole_post(name: str = "s-12") -> Post:
    """A post with all that one can have."""
    return Post(
        id=name,
        title="Meetup in Berlin",
        text="New, from Anna",
        lines=(Line(label="About", value="Crabs", long=True),),
        footer="no 12",
        files=(Attachment(origin="test", ref="f-1", name="cover.png", mime="image/png", size=9),),
        actions=(Action(command="reject 12", label="Reject", needs="Why?"),),
    )


def saying(*said: str) -> Effects:
    return Effects(show=tuple(Say(text=one) for one in said))


def said(entries: Sequence[Entry]) -> list[str]:
    """The words of entries."""
    return [one.reply.text for one in entries if isinstance(one.reply, Words)]


def shown(effect: Effect) -> str:
    assert isinstance(effect, Say)
    return effect.text


async def take(store: Store, owner: str = "worker") -> Claim:
    """Claim the lane that must be ready."""
    claim = await store.claim(owner)
    assert claim is not None
    return claim


async def put(store: Store, *texts: str, key: str = LANE) -> None:
    """Accept words that were never accepted before."""
    for one in texts:
        assert await store.accept(key, f"{key}/{one}", words(one), person=ANNA)


async def show(store: Store, *texts: str, turn: int = 1, key: str = LANE) -> None:
    """Let a turn say these texts."""
    await put(store, f"for turn {turn}", key=key)
    claim = await take(store)
    done = claim.entries
    await store.settle(claim, done=done, state=state(turn, key=key), effects=saying(*texts))


async def submit(store: Store, journey: str, *destinations: str) -> None:
    """Let a turn submit a journey."""
    await put(store, f"confirm {journey}")
    claim = await take(store)
    turn = 1 if claim.state is None else claim.state.turn + 1
    await store.settle(
        claim,
        done=claim.entries,
        state=state(turn, journey=journey),
        effects=Effects(submission=submission(journey)),
        destinations=destinations,
    )


async def pass_time(store: Store, seconds: float) -> None:
    """Let so many seconds pass, as the database sees it: whatever waits is due that much sooner."""

    async def work(connection: AsyncConnection) -> None:
        for table in (lane, outbox, delivery):
            await _sooner(connection, table, "run_at", seconds)
            await _sooner(connection, table, "lease_until", seconds)
        await _sooner(connection, delivery, "since", seconds)
        await _sooner(connection, lane, "hold_until", seconds)
        for name in ("updated_at", "heard_at", "nudged_at"):
            await _sooner(connection, conversation, name, seconds)
        for table in (inbox, outbox):
            await _sooner(connection, table, "done_at", seconds)
            await _sooner(connection, table, "parked_at", seconds)
        await _sooner(connection, inbox, "received_at", seconds)
        await _sooner(connection, outbox, "created_at", seconds)
        for table in (transcript, submitted, erasure):
            await _sooner(connection, table, "at", seconds)

    await store.database.write("pass-time", work)


async def _sooner(connection: AsyncConnection, table: Table, name: str, seconds: float) -> None:
    column = table.c[name]
    # 0 and below say that nothing is waited for
    earlier = update(table).where(column > seconds).values({name: column - seconds})
    await connection.execute(earlier)


async def empty(store: Store) -> None:
    """Make the database as it was before anything happened."""

    async def work(connection: AsyncConnection) -> None:
        for table in reversed(metadata.sorted_tables):
            await connection.execute(delete(table))

    await store.database.write("empty", work)


async def count(store: Store, table: Table) -> int:
    """How many rows a table has."""
    async with store.database.read() as connection:
        return (await connection.execute(select(func.count()).select_from(table))).scalar_one()


async def do(store: Store, statement: str) -> None:
    """Change the database behind the store's back."""

    async def work(connection: AsyncConnection) -> None:
        await connection.execute(text(statement))

    await store.database.write("do", work)
