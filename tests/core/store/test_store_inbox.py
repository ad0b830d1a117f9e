"""What is accepted is in its lane, once, in order, and waits no longer than it has to."""

import asyncio

import msgspec
import pytest
from sqlalchemy import select

from core.replies import Command, File, Reload, Reply, Submit, Upload
from core.state import Conversation
from core.store import Queue, Store
from core.store.tables import inbox, lane
from tests.core.store.building import (
    ANNA,
    LANE,
    MOMENT,
    count,
    do,
    pass_time,
    put,
    said,
    state,
    take,
    tap,
    words,
)

EVERY_KIND: list[Reply] = [
    words("it's „Zoë“, 100 % 👋\n"),
    tap(),
    Submit(card="j-1", values={"value": "2026-12-24", "tags": ["a", "b"]}, by="anna", at=MOMENT),
    Upload(files=(File(ref="r/1", name="ä.pdf", size=3),), caption="this", by="anna", at=MOMENT),
    Reload(by="anna", at=MOMENT),
    Command(name="new", argument="event", by="anna", at=MOMENT),
]


async def test_every_kind_of_reply_comes_back_as_it_was(store: Store) -> None:
    for number, reply in enumerate(EVERY_KIND):
        assert await store.accept(LANE, f"{number}", reply)
    assert [entry.reply for entry in (await take(store)).entries] == EVERY_KIND


async def test_a_duplicate_is_known_and_changes_nothing(store: Store) -> None:
    assert await store.accept(LANE, "telegram:1", words("hello"))
    assert not await store.accept(LANE, "telegram:1", words("hello again"))
    assert said((await take(store)).entries) == ["hello"]


async def test_a_duplicate_after_its_turn_is_known_too(store: Store) -> None:
    await store.accept(LANE, "telegram:1", words("hello"))
    claim = await take(store)
    await store.settle(claim, done=[claim.entries[0]], state=state())
    assert not await store.accept(LANE, "telegram:1", words("hello"))
    assert await store.claim("worker") is None


async def test_an_id_that_is_known_for_a_while_may_come_again_after_it(store: Store) -> None:
    async def accepts() -> bool:
        return await store.accept(LANE, "start", words("hello"), known_for=60.0)

    assert await accepts()
    await pass_time(store, 59)
    assert not await accepts()
    await pass_time(store, 2)
    assert await accepts()
    assert not await accepts()
    await pass_time(store, 61)
    assert await accepts()
    assert said((await take(store)).entries) == ["hello"] * 3


async def test_an_older_id_than_the_last_is_no_duplicate(store: Store) -> None:
    assert await store.accept(LANE, "telegram:900", words("before an idle week"))
    assert await store.accept(LANE, "telegram:5", words("after it"))
    assert said((await take(store)).entries) == ["before an idle week", "after it"]


async def test_a_duplicate_of_a_first_message_leaves_no_empty_lane(store: Store) -> None:
    await store.accept(LANE, "1", words("hello"))
    assert not await store.accept("test:other", "1", words("hello"))
    assert await count(store, lane) == 1


async def test_deliveries_at_once_to_two_processes_are_one(store: Store, other: Store) -> None:
    accepted = await asyncio.gather(
        *(
            where.accept(LANE, f"update:{number}", words(str(number)))
            for number in range(10)
            for where in (store, other, store)
        )
    )
    assert accepted.count(True) == 10
    assert await count(store, inbox) == 10
    assert sorted(said((await take(store)).entries), key=int) == [str(one) for one in range(10)]


async def test_a_lane_keeps_the_order_in_which_it_accepted(store: Store, other: Store) -> None:
    await put(store, "a", "b")
    await put(store, "elsewhere", key="test:2")
    await put(other, "c")
    await put(store, "d")
    assert said((await take(store)).entries) == ["a", "b", "c", "d"]


async def test_who_writes_first_is_met(store: Store) -> None:
    await store.accept(LANE, "1", words("hello"), person=ANNA)
    assert (await take(store)).state == Conversation(id=LANE, person=ANNA)


async def test_who_is_known_is_not_met_again(store: Store) -> None:
    await put(store, "hello")
    claim = await take(store)
    await store.settle(claim, done=[claim.entries[0]], state=state(turn=7))
    stranger = msgspec.structs.replace(ANNA, name="Somebody else")
    await store.accept(LANE, "2", words("me again"), person=stranger)
    assert (await take(store)).state == state(turn=7)


async def test_a_lane_without_a_person_has_no_state(store: Store) -> None:
    await store.accept(LANE, "1", words("hello"))
    assert (await take(store)).state is None


# --- holding -------------------------------------------------------------------------------------


async def test_held_words_wait_for_more(store: Store) -> None:
    await store.accept(LANE, "1", words("the second"), hold=60)
    assert await store.claim("worker") is None
    await pass_time(store, 40)
    await store.accept(LANE, "2", words("one, please"), hold=60)
    await pass_time(store, 40)
    assert await store.claim("worker") is None
    await pass_time(store, 40)
    assert said((await take(store)).entries) == ["the second", "one, please"]


async def test_a_tap_is_not_held_nor_what_waits_before_it(store: Store) -> None:
    await store.accept(LANE, "1", words("hm"), hold=60)
    await store.accept(LANE, "2", tap())
    assert [entry.reply for entry in (await take(store)).entries] == [words("hm"), tap()]


async def test_words_after_a_tap_do_not_hold_it_back(store: Store) -> None:
    await store.accept(LANE, "1", tap())
    await store.accept(LANE, "2", words("oh, and"), hold=60)
    assert len((await take(store)).entries) == 2


async def test_held_words_hold_no_other_lane(store: Store) -> None:
    await store.accept(LANE, "1", words("hm"), hold=60)
    await put(store, "hello", key="test:2")
    assert (await take(store)).lane == "test:2"


async def test_words_that_come_during_a_turn_are_held_after_it(store: Store) -> None:
    await put(store, "first")
    claim = await take(store)
    await store.accept(LANE, "2", words("more"), hold=60)
    await store.settle(claim, done=[claim.entries[0]], state=state())
    assert await store.claim("worker") is None
    await pass_time(store, 61)
    assert said((await take(store)).entries) == ["more"]


async def test_a_tap_left_over_by_a_turn_is_not_held_by_words_after_it(store: Store) -> None:
    await put(store, "first")
    await store.accept(LANE, "2", tap())
    claim = await take(store)
    await store.accept(LANE, "3", words("more"), hold=60)
    await store.settle(claim, done=[claim.entries[0]], state=state())
    assert [entry.reply for entry in (await take(store)).entries] == [tap(), words("more")]


async def test_words_after_a_turn_that_took_a_tap_too_are_held(store: Store) -> None:
    await put(store, "first")
    claim = await take(store)
    await store.accept(LANE, "2", tap())
    done = [*claim.entries, *await store.waiting(claim)]
    await store.settle(claim, done=done, state=state())
    await store.accept(LANE, "3", words("more"), hold=60)
    assert await store.claim("worker") is None


async def test_a_duplicate_does_not_hold_again(store: Store) -> None:
    await store.accept(LANE, "1", words("hm"), hold=60)
    await pass_time(store, 40)
    assert not await store.accept(LANE, "1", words("hm"), hold=60)
    await pass_time(store, 40)
    assert len((await take(store)).entries) == 1


# --- what is not as it should be -----------------------------------------------------------------


@pytest.mark.parametrize("broken", ["a\0b", "half \ud83d a pair", "\udc00"])
async def test_what_no_database_can_spell_is_accepted_all_the_same(
    store: Store, broken: str
) -> None:
    await store.accept(LANE, "1", words(broken))
    (entry,) = (await take(store)).entries
    assert isinstance(entry.reply, type(words("")))
    readable = broken.encode("utf-8", "ignore").decode().replace("half  a", "half \ufffd a")
    assert entry.reply.text == (readable or "\ufffd")


async def test_an_entry_that_cannot_be_read_any_more_is_parked_and_the_lane_goes_on(
    store: Store,
) -> None:
    await put(store, "a", "b")
    await do(
        store, "UPDATE inbox SET payload = '{\"reply\":\"telepathy\"}' WHERE dedupe LIKE '%/a'"
    )
    assert said((await take(store)).entries) == ["b"]
    (parked,) = await store.parked()
    assert (parked.queue, parked.lane, parked.key) == (Queue.INBOX, LANE, f"{LANE}/a")
    assert "cannot be read" in parked.error


async def test_a_lane_whose_state_cannot_be_read_holds_up_no_other(store: Store) -> None:
    await put(store, *(f"{number}" for number in range(60)))
    await do(store, "UPDATE conversation SET state = '{}'")
    await put(store, "hello", key="test:2")
    assert (await take(store)).lane == "test:2"
    assert len(await store.parked()) == 60
    async with store.database.read() as connection:
        ready = await connection.execute(select(lane.c.ready).where(lane.c.key == LANE))
        assert ready.scalar_one() == 0


async def test_a_flood_is_let_in_up_to_a_bound_and_another_lane_does_not_notice(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.inbox.MOST", 3)
    accepted = [
        await store.accept(LANE, f"flood:{number}", words("again"), person=ANNA)
        for number in range(6)
    ]
    assert accepted == [True, True, True, False, False, False]
    assert await store.ready(LANE) == 3
    assert await store.accept("test:2", "calm:1", words("hello"), person=ANNA)

    claim = await take(store)
    await store.settle(claim, done=claim.entries, state=state())
    assert await store.accept(LANE, "flood:7", words("and again"), person=ANNA)


async def test_others_never_fill_a_persons_lane(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.inbox.MOST_OF_OTHERS", 2)
    lane = f"test:group:0:{ANNA.id}"
    for number in range(4):
        strangers = msgspec.structs.replace(words("not mine"), by="mallory")
        accepted = await store.accept(lane, f"flood:{number}", strangers, person=ANNA)
        assert accepted is (number < 2)
    assert await store.accept(lane, "own:1", words("mine"), person=ANNA)
