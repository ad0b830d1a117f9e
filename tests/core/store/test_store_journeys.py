"""What is known of conversations can be looked up."""

import msgspec

from core.effects import Effects, Note
from core.events import Event, Happened
from core.state import Conversation, Status
from core.store import Store, Tally
from tests.core.store.building import LANE, pass_time, put, state, take


async def settle(store: Store, after: Conversation, effects: Effects | None = None) -> None:
    await put(store, f"for turn {after.turn}", key=after.id)
    claim = await take(store)
    done = claim.entries
    await store.settle(claim, done=done, state=after, effects=effects or Effects())


async def test_what_was_said_is_kept_by_journey(store: Store) -> None:
    first = (
        Note(role="person", text="it's for „Zoë“", words=True),
        Note(role="bot", text="Nice. When is it?"),
        Note(role="person", text="[card: Friday]"),
    )
    await settle(store, state(1, journey="one"), Effects(notes=first))
    again = Note(role="person", text="Friday\0, please \ud83d", words=True)
    await settle(store, state(2, journey="one"), Effects(notes=(again,)))
    await settle(store, state(3, journey="two"), Effects(notes=(Note(role="bot", text="Hi"),)))

    kept = msgspec.structs.replace(again, text="Friday\ufffd, please \ufffd")
    assert await store.transcript(LANE, "one") == [*first, kept]
    assert await store.words(LANE, "one") == ("it's for „Zoë“", kept.text)
    assert await store.words(LANE, "two") == ()
    assert await store.transcript("test:2", "one") == []


async def test_conversations_that_wait_for_an_answer_are_found(store: Store) -> None:
    asking = state(1, key="telegram:1", asks=True)
    await settle(store, asking)
    await settle(store, state(1, key="telegram:2"))
    await settle(store, state(1, key="telegram_x:3", asks=True))
    await settle(store, state(1, key="telegramsx:4", asks=True))
    assert await store.conversations_with_open_ask("telegram") == [asking]
    found = await store.conversations_with_open_ask("telegram_x")
    assert [one.id for one in found] == ["telegram_x:3"]
    assert await store.conversations_with_open_ask("slack") == []


async def test_a_journey_that_ended_waits_for_no_answer(store: Store) -> None:
    asking = state(1, asks=True)
    await settle(store, asking)
    assert asking.journey is not None
    ended = msgspec.structs.replace(asking.journey, status=Status.CANCELLED)
    await settle(store, msgspec.structs.replace(asking, turn=2, journey=ended))
    assert await store.conversations_with_open_ask("test") == []


async def test_conversations_that_were_left_alone_are_found(store: Store) -> None:
    await settle(store, state(1, asks=True))
    assert await store.conversations_with_open_ask("test", idle=3600) == []
    await pass_time(store, 3601)
    assert len(await store.conversations_with_open_ask("test", idle=3600)) == 1


async def test_nobody_is_known_where_nobody_was_met(store: Store) -> None:
    assert await store.conversation(LANE) is None


async def test_what_happened_is_counted(store: Store) -> None:
    drawn = Event(what=Happened.DRAWN, item=2)
    await settle(store, state(1), Effects(events=(drawn, Event(what=Happened.STARTED))))
    await settle(store, state(2), Effects(events=(drawn, Event(what=Happened.DRAWN, item=3))))
    await settle(store, state(1, key="slack:1"), Effects(events=(drawn,)))
    assert await store.tallies() == [
        Tally(Happened.DRAWN, "event", 2, "slack", 1),
        Tally(Happened.DRAWN, "event", 2, "test", 2),
        Tally(Happened.DRAWN, "event", 3, "test", 1),
        Tally(Happened.STARTED, "event", 0, "test", 1),
    ]
    assert await store.tallies("another") == []


async def test_every_version_of_a_manifest_is_kept(store: Store) -> None:
    await store.keep_manifest("event", "d1", '{"version":1}')
    await store.keep_manifest("event", "d2", '{"version":2}')
    await store.keep_manifest("event", "d1", '{"version":"never changed"}')
    assert await store.manifest("event", "d1") == '{"version":1}'
    assert await store.manifest("event", "d2") == '{"version":2}'
    assert await store.manifest("event", "d3") is None
