"""What is old is deleted; who wants it is erased, and nothing of them is found anywhere."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from sqlalchemy import select

from core.effects import Effects, Note, Put, Say
from core.posts import Post
from core.state import Conversation, Person
from core.store import Store
from core.store.moderation import Look, post_of
from core.store.tables import (
    blocked,
    conversation,
    delivery,
    drawn,
    inbox,
    lane,
    metadata,
    outbox,
    submission,
    transcript,
)
from tests.core.store.building import ANNA, LANE, count, pass_time, put, state, submit, take
from tests.core.store.building import submission as made

DAY = 24 * 3600.0
NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
EVE = Person(id="Eve-42", name="Evelyn Everyone")
MINE = "telegram:-100:7:Eve-42"


async def everywhere(store: Store, *words: str) -> list[str]:
    """The tables in which any of these words stands in any column."""
    found = set()
    async with store.database.read() as connection:
        for table in metadata.sorted_tables:
            rows = await connection.execute(select(table))
            if any(word in str(one) for row in rows for one in row for word in words):
                found.add(table.name)
    return sorted(found)


async def talks(store: Store, key: str, text: str, person: Person = ANNA, turn: int = 1) -> None:
    """A turn in which somebody says something, is told something, and submits it."""
    await put(store, text, key=key)
    claim = await take(store)
    begun = state(turn, key=key, journey=key)
    assert begun.journey is not None
    await store.settle(
        claim,
        done=claim.entries,
        state=msgspec.structs.replace(begun, person=person),
        effects=Effects(
            show=(Say(text=f"You said: {text}"),),
            notes=(Note(role="person", text=text, words=True),),
        ),
    )


async def sends_all(store: Store) -> None:
    for row in await store.due("sender", ["telegram", "test"]):
        await store.sent(row, {"message": 1}, f"{row.lane}-card")


async def test_what_came_in_and_went_out_goes_when_it_is_old(store: Store) -> None:
    await talks(store, LANE, "an old one")
    await sends_all(store)
    await pass_time(store, 3 * DAY)
    await talks(store, LANE, "a new one", turn=2)

    assert await store.purge_traffic(2 * DAY) == 2
    assert [await count(store, one) for one in (inbox, outbox)] == [1, 1]
    assert await store.purge_traffic(2 * DAY) == 0


async def test_what_still_waits_never_goes(store: Store) -> None:
    await put(store, "not taken yet")
    await pass_time(store, 300 * DAY)
    assert await store.purge_traffic(2 * DAY) == 0
    assert await store.purge_people(2 * DAY) == 0
    assert await count(store, inbox) == 1


async def test_what_was_said_goes_but_not_of_a_journey_that_is_under_way(store: Store) -> None:
    await talks(store, LANE, "under way")
    await pass_time(store, 100 * DAY)
    assert await store.purge_talk(90 * DAY) == 0

    await put(store, "that was it")
    claim = await take(store)
    ended = Conversation(id=LANE, person=ANNA, turn=2)
    await store.settle(claim, done=claim.entries, state=ended)
    assert await store.purge_talk(90 * DAY) == 1
    assert await count(store, transcript) == 0


async def test_who_has_not_been_there_for_long_is_forgotten(store: Store) -> None:
    await put(store, "hello")
    claim = await take(store)
    await store.settle(claim, done=claim.entries, state=Conversation(id=LANE, person=ANNA, turn=1))
    await store.remember(LANE, "j-1", {"message": 7})
    await pass_time(store, 89 * DAY)
    assert await store.purge_people(90 * DAY) == 0
    await pass_time(store, 2 * DAY)
    assert await store.purge_people(90 * DAY) == 1
    assert [await count(store, one) for one in (conversation, drawn, inbox)] == [0, 0, 0]
    await put(store, "hello again")
    assert (await take(store)).state is not None, "who comes back is met anew"


async def test_a_journey_that_is_under_way_is_not_forgotten(store: Store) -> None:
    await talks(store, LANE, "I will come back")
    await sends_all(store)
    await pass_time(store, 300 * DAY)
    assert await store.purge_people(90 * DAY) == 0


async def test_what_was_submitted_goes_when_it_has_arrived(store: Store) -> None:
    await submit(store, "j", "file")
    await pass_time(store, 300 * DAY)
    assert await store.purge_submissions(90 * DAY) == 0
    (one,) = await store.due_deliveries("deliverer")
    await store.delivered(one)
    assert await store.purge_submissions(90 * DAY) == 1
    assert [await count(store, one) for one in (submission, delivery)] == [0, 0]


async def test_what_did_not_arrive_stays_until_somebody_has_seen_to_it(store: Store) -> None:
    for journey, unsure in (("a", True), ("b", False)):
        await submit(store, journey, "team")
        (one,) = await store.due_deliveries("deliverer")
        await store.dead(one, "410 Gone", unsure=unsure)
    await pass_time(store, 300 * DAY)
    assert await store.purge_submissions(90 * DAY) == 0
    assert await store.count_dead_letters() == 2

    first, second = await store.dead_letters(10)
    assert await store.arrived(first.id)
    assert await store.purge_submissions(90 * DAY) == 1
    assert [one.id for one in await store.dead_letters(10)] == [second.id]


async def test_whose_submission_is_on_its_way_is_there_to_be_told(store: Store) -> None:
    await submit(store, "j", "team")
    await over(store)
    await pass_time(store, 300 * DAY)
    assert await store.purge_people(90 * DAY) == 0
    (one,) = await store.due_deliveries("deliverer")
    await store.dead(one, "410 Gone")
    assert await store.purge_people(90 * DAY) == 1
    assert await store.arrived(one.id), "nobody is there to be told any more"
    assert [await count(store, table) for table in (lane, inbox, conversation)] == [0, 0, 0]


async def over(store: Store, key: str = LANE) -> None:
    """The journey of a lane has ended."""
    await put(store, "that was it", key=key)
    claim = await take(store)
    assert claim.state is not None
    ended = Conversation(id=key, person=ANNA, turn=claim.state.turn + 1)
    await store.settle(claim, done=claim.entries, state=ended)


async def test_what_was_given_up_goes_with_what_was_said(store: Store) -> None:
    await talks(store, LANE, "shown in vain")
    (row,) = await store.due("sender", ["test"])
    await store.park(row, "the chat is gone")
    await gives_up(store, "an odd one")
    assert await store.purge_given_up(90 * DAY) == 0
    await pass_time(store, 91 * DAY)
    assert await store.purge_given_up(90 * DAY) == 2
    assert await store.parked() == []
    assert await store.purge_given_up(90 * DAY) == 0


async def gives_up(store: Store, text: str) -> None:
    """Taking a reply fails so often that it is given up."""
    await put(store, text)
    while (claim := await store.claim("worker")) is not None:
        await store.fail(claim, [one.id for one in claim.entries], "broken", 0.0)


async def test_who_was_never_understood_is_not_forgotten_at_once(store: Store) -> None:
    """An admin is to see what failed, and whose it was."""
    await gives_up(store, "my first words")
    assert await store.purge_people(90 * DAY) == 0
    assert len(await store.parked()) == 1
    await pass_time(store, 91 * DAY)
    assert await store.purge_people(90 * DAY) == 1


async def test_who_wants_it_is_erased_wherever_they_were(store: Store) -> None:
    await talks(store, MINE, "my secret diary", EVE)
    await talks(store, "telegram:Eve-42:0:Eve-42", "at home, too", EVE)
    await talks(store, LANE, "somebody else's words")
    await store.remember("telegram:-100:directs", "Eve-42", {"channel": 5})
    await store.spend("telegram:Eve-42", 100, NOON)
    await sends_all(store)

    assert await store.ask_to_erase("telegram:Eve-42", "telegram:Eve-42")
    assert not await store.ask_to_erase("telegram:Eve-42", "telegram:Eve-42")
    assert await store.to_be_erased() == ["telegram:Eve-42"]
    assert await store.erase("telegram:Eve-42")

    assert await everywhere(store, "Eve-42", "Evelyn", "secret diary", "at home") == []
    assert await store.to_be_erased() == []
    assert await count(store, conversation) == 1
    assert await everywhere(store, "somebody else's words") == ["inbox", "outbox", "transcript"]


def to_be_decided(number: int) -> Post:
    return Post(id=post_of(number), title="To be decided", text=made().content)


async def test_what_they_submitted_goes_with_what_moderators_were_shown(store: Store) -> None:
    await put(store, "confirm j")
    claim = await take(store)
    await store.settle(
        claim,
        done=claim.entries,
        state=state(journey="j"),
        effects=Effects(submission=made("j")),
        look=Look("telegram:-100:0:0", lambda number: Put(post=to_be_decided(number))),
    )
    assert await everywhere(store, "Ünïcode") == ["outbox", "submission"]
    await sends_all(store)

    await store.ask_to_erase("test:1", "telegram:boss")
    assert await store.erase("test:1")
    assert await everywhere(store, "Ünïcode") == []
    assert [await count(store, one) for one in (submission, delivery)] == [0, 0]


async def test_while_something_is_under_way_it_is_tried_again(store: Store) -> None:
    await talks(store, MINE, "wait for me", EVE)
    await store.ask_to_erase("telegram:Eve-42", "telegram:Eve-42")
    assert not await store.erase("telegram:Eve-42"), "what they are told is not sent yet"
    await sends_all(store)
    await put(store, "one more", key=MINE)
    assert not await store.erase("telegram:Eve-42"), "what they said has not been taken"
    claim = await take(store)
    assert not await store.erase("telegram:Eve-42"), "somebody works in their lane"
    ended = Conversation(id=MINE, person=EVE, turn=2)
    await store.settle(claim, done=claim.entries, state=ended)
    assert await store.erase("telegram:Eve-42")


async def test_who_is_blocked_stays_blocked(store: Store) -> None:
    await talks(store, MINE, "spam", EVE)
    await sends_all(store)
    await store.block("telegram:Eve-42", "telegram:boss", "spam")
    await store.ask_to_erase("telegram:Eve-42", "telegram:boss")
    assert await store.erase("telegram:Eve-42")
    assert await store.is_blocked("telegram:Eve-42")
    assert await everywhere(store, "Eve-42") == [blocked.name]
