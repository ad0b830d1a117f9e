"""A turn is written down wholly or not at all, and once."""

import asyncio
from dataclasses import replace

import msgspec
import pytest
from sqlalchemy.exc import DBAPIError, IntegrityError

from core.effects import Close, Draw, Effects, Note, Say, Toast
from core.events import Event, Happened
from core.store import AlreadySubmitted, Claim, Queue, Store, StoreError
from core.store.part import account_of
from core.store.tables import conversation, delivery, event, inbox, lane, outbox, transcript
from core.store.tables import submission as submissions
from tests.core.store.building import (
    LANE,
    chips,
    count,
    do,
    put,
    said,
    saying,
    state,
    submission,
    submit,
    take,
)

EVERYTHING = Effects(
    show=(Close(card="j-0", receipt="✓ Online"), Draw(card=chips()), Say(text="Hi"), Toast()),
    notes=(Note(role="person", text="hello", words=True), Note(role="bot", text="Hi")),
    events=(Event(what=Happened.SETTLED, item=1, turn=1), Event(what=Happened.SUBMITTED, turn=1)),
    submission=submission(),
)


async def everything(store: Store) -> dict[str, int]:
    tables = (inbox, lane, conversation, transcript, outbox, event, submissions, delivery)
    return {table.name: await count(store, table) for table in tables}


async def settle_all(store: Store, claim: Claim, turn: int = 1) -> None:
    await store.settle(
        claim,
        done=claim.entries,
        state=state(turn),
        effects=EVERYTHING,
        destinations=("outbox_file", "webhook"),
    )


async def test_a_turn_is_written_down(store: Store) -> None:
    await put(store, "hello")
    await settle_all(store, await take(store))
    assert await everything(store) == {
        "inbox": 1, "lane": 1, "conversation": 1, "transcript": 2, "outbox": 4, "event": 2,
        "submission": 1, "delivery": 2,
    }  # fmt: skip
    assert await store.conversation(LANE) == state(1)
    assert await store.claim("worker") is None


@pytest.mark.parametrize("missing", ["delivery", "event", "transcript", "outbox"])
async def test_a_turn_that_cannot_be_written_wholly_is_not_written(
    store: Store, missing: str
) -> None:
    await put(store, "hello")
    claim = await take(store)
    await do(store, f"ALTER TABLE {missing} RENAME TO gone")
    try:
        with pytest.raises(DBAPIError):
            await settle_all(store, claim)
    finally:
        await do(store, f"ALTER TABLE gone RENAME TO {missing}")

    known = await store.conversation(LANE)
    assert known is not None
    assert known.turn == 0
    rows = await everything(store)
    assert {name for name, number in rows.items() if number} == {"inbox", "lane", "conversation"}
    await settle_all(store, claim)  # the lane is still held, and the entry still pending


async def test_a_turn_is_settled_once(store: Store) -> None:
    await put(store, "a", "b")
    claim = await take(store)
    await store.settle(claim, done=[claim.entries[0]], state=state(1), effects=saying("1"))
    again = await take(store)
    with pytest.raises(IntegrityError):
        await store.settle(again, done=[again.entries[0]], state=state(1), effects=saying("x"))
    await store.settle(again, done=[again.entries[0]], state=state(2), effects=saying("2"))
    assert await count(store, outbox) == 2


@pytest.mark.parametrize("which", ["done before", "of another lane", "of nobody"])
async def test_only_what_is_pending_in_the_lane_can_be_done(store: Store, which: str) -> None:
    await put(store, "elsewhere", key="test:0")
    elsewhere = await take(store)
    await put(store, "a", "b")
    first = await take(store)
    await store.settle(first, done=[first.entries[0]], state=state(1))
    claim = await take(store)
    wrong = {
        "done before": first.entries[0],
        "of another lane": elsewhere.entries[0],
        "of nobody": replace(first.entries[0], id=99_999),
    }[which]
    with pytest.raises(StoreError, match="not pending"):
        await store.settle(claim, done=[claim.entries[0], wrong], state=state(2))
    await store.settle(claim, done=[claim.entries[0]], state=state(2))


async def test_words_that_came_during_the_turn_can_be_part_of_it(store: Store) -> None:
    await put(store, "first")
    claim = await take(store)
    await put(store, "more")
    waiting = await store.waiting(claim)
    done = [*claim.entries, *waiting]
    await store.settle(claim, done=done, state=state())
    assert await store.claim("worker") is None


# --- submissions ---------------------------------------------------------------------------------


async def test_a_journey_is_submitted_once(store: Store) -> None:
    await submit(store, "j", "webhook")
    await put(store, "confirm once more")
    claim = await take(store)
    with pytest.raises(AlreadySubmitted, match="j has been submitted"):
        await settle_all(store, claim, turn=2)
    assert (await everything(store))["submission"] == 1
    assert [one.destination for one in await store.deliveries("j")] == ["webhook"]
    known = await store.conversation(LANE)
    assert known is not None
    assert known.turn == 1


async def test_one_journey_from_two_lanes_at_once_is_submitted_once(
    store: Store, other: Store
) -> None:
    claims = []
    for number in range(2):
        await put(store, "confirm", key=f"test:{number}")
        claims.append(await take(store))

    async def confirm(where: Store, claim: Claim) -> None:
        await where.settle(
            claim,
            done=[claim.entries[0]],
            state=state(key=claim.lane),
            effects=Effects(submission=submission()),
            destinations=["webhook"],
        )

    outcomes = await asyncio.gather(
        confirm(store, claims[0]), confirm(other, claims[1]), return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in outcomes) == ["AlreadySubmitted", "NoneType"]
    assert (await everything(store))["submission"] == 1


async def test_what_is_submitted_is_kept_byte_for_byte(store: Store) -> None:
    content = '{"a":1.10,"b":"\\u00e9é\\r\\n  👋","z":[1,\t2]}'
    await put(store, "confirm")
    claim = await take(store)
    made = submission(content=content)
    await store.settle(
        claim, done=[claim.entries[0]], state=state(), effects=Effects(submission=made)
    )
    (submitted,) = await store.submissions(account_of(LANE))
    assert submitted.submission == made
    assert submitted.submission.content.encode() == content.encode()
    assert submitted.lane == LANE


# --- nothing is lost -----------------------------------------------------------------------------


async def test_eight_workers_that_read_then_write_lose_nothing(store: Store, other: Store) -> None:
    lanes = [f"test:{number}" for number in range(4)]
    for key in lanes:
        await put(store, *(f"{number}" for number in range(80)), key=key)
    settled: dict[str, list[str]] = {key: [] for key in lanes}

    async def work(where: Store, owner: str) -> None:
        while sum(map(len, settled.values())) < 320:
            claim = await where.claim(owner)
            if claim is None:
                await asyncio.sleep(0.001)
                continue
            assert claim.state is not None
            turned = msgspec.structs.replace(claim.state, turn=claim.state.turn + 1)
            await where.settle(claim, done=[claim.entries[0]], state=turned)
            settled[claim.lane] += said(claim.entries[:1])

    await asyncio.gather(*(work((store, other)[one % 2], f"worker {one}") for one in range(8)))
    for key in lanes:
        known = await store.conversation(key)
        assert known is not None
        assert known.turn == 80
        assert settled[key] == [f"{number}" for number in range(80)]
    assert [parked for parked in await store.parked() if parked.queue is Queue.INBOX] == []
