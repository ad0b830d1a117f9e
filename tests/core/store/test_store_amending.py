"""Words that their sender edits count while they wait, and no turn is settled on the old ones."""

import asyncio

import pytest

from core.replies import File, Reload, Upload
from core.store import Amend, Amended, Queue, Store
from core.store.tables import conversation, outbox
from tests.core.store.building import (
    ANNA,
    LANE,
    MOMENT,
    count,
    pass_time,
    put,
    said,
    saying,
    state,
    take,
    tap,
    words,
)

HELLO = "test:1/hello"
"""By this id `put(store, "hello")` accepts its words."""


async def test_words_that_wait_are_the_newest(store: Store) -> None:
    await put(store, "hello", "there")
    assert await store.amend(HELLO, "good morning") is Amend.CHANGED
    assert await store.amend(HELLO, "good evening, „Zoë“ 👋") is Amend.CHANGED
    first, second = (await take(store)).entries
    assert (first.reply, first.amended) == (words("good evening, „Zoë“ 👋"), 2)
    assert (second.reply, second.amended) == (words("there"), 0)


async def test_a_caption_that_waits_is_the_newest(store: Store) -> None:
    files = (File(ref="photo:1", mime="image/jpeg"),)
    sent = Upload(files=files, caption="our hal", album="7", by=ANNA.id, at=MOMENT)
    await store.accept(LANE, "1", sent)
    assert await store.amend("1", "our hall") is Amend.CHANGED
    (entry,) = (await take(store)).entries
    assert entry.reply == Upload(files=files, caption="our hall", album="7", by=ANNA.id, at=MOMENT)


async def test_the_same_words_change_nothing(store: Store) -> None:
    await put(store, "hello")
    assert await store.amend(HELLO, "hello") is Amend.SAME
    (entry,) = (await take(store)).entries
    assert entry.amended == 0


async def test_words_that_no_database_can_spell_are_the_same_as_they_are_kept(
    store: Store,
) -> None:
    await put(store, "hello")
    assert await store.amend(HELLO, "half \ud83d a pair") is Amend.CHANGED
    assert await store.amend(HELLO, "half \ud83d a pair") is Amend.SAME
    assert said((await take(store)).entries) == ["half \ufffd a pair"]


async def test_words_that_were_taken_stay_as_they_were(store: Store) -> None:
    await put(store, "hello")
    claim = await take(store)
    await store.settle(claim, done=claim.entries, state=state())
    assert await store.amend(HELLO, "good morning") is Amend.LATE
    assert await store.amend(HELLO, "hello") is Amend.SAME
    assert await store.claim("worker") is None


async def test_words_that_were_given_up_change_no_more_until_they_are_tried_again(
    store: Store,
) -> None:
    await put(store, "hello")
    for _ in range(store.max_tries):
        claim = await take(store)
        await store.fail(claim, [claim.entries[0].id], "OSError", 0.0)
    assert await store.amend(HELLO, "good morning") is Amend.LATE
    (parked,) = await store.parked()
    await store.unpark(Queue.INBOX, parked.id)
    assert await store.amend(HELLO, "good morning") is Amend.CHANGED
    assert said((await take(store)).entries) == ["good morning"]


@pytest.mark.parametrize("reply", [tap(), Reload(by=ANNA.id, at=MOMENT)])
async def test_what_has_no_words_cannot_get_any(store: Store, reply: Reload) -> None:
    await store.accept(LANE, "1", reply)
    assert await store.amend("1", "hello") is Amend.LATE
    (entry,) = (await take(store)).entries
    assert (entry.reply, entry.amended) == (reply, 0)


async def test_what_was_never_accepted_is_unknown(store: Store) -> None:
    await put(store, "hello")
    assert await store.amend("test:1/bye", "hello") is Amend.UNKNOWN
    assert said((await take(store)).entries) == ["hello"]


async def test_changed_words_keep_their_place_and_wait_no_longer(store: Store) -> None:
    await store.accept(LANE, "1", words("the second"), hold=60)
    await store.accept(LANE, "2", words("one"), hold=60)
    await pass_time(store, 40)
    await store.amend("1", "the third")
    await pass_time(store, 40)
    assert said((await take(store)).entries) == ["the third", "one"]


# --- beside a turn -------------------------------------------------------------------------------


async def test_a_turn_on_words_that_changed_meanwhile_writes_nothing(
    store: Store, other: Store
) -> None:
    await put(store, "at 5")
    claim = await take(store)
    assert await other.amend(f"{LANE}/at 5", "at 6") is Amend.CHANGED
    with pytest.raises(Amended, match=f"in {LANE} were changed"):
        await store.settle(claim, done=claim.entries, state=state(), effects=saying("5 it is"))
    assert await count(store, outbox) == 0

    await store.release(claim)
    again = await take(store)
    assert said(again.entries) == ["at 6"]
    await store.settle(again, done=again.entries, state=state(), effects=saying("6 it is"))
    assert await count(store, outbox) == 1


async def test_a_turn_that_leaves_the_changed_words_for_later_is_settled(store: Store) -> None:
    await put(store, "a", "b")
    claim = await take(store)
    await store.amend(f"{LANE}/b", "c")
    await store.settle(claim, done=claim.entries[:1], state=state())
    assert said((await take(store)).entries) == ["c"]


async def test_words_that_changed_before_the_turn_looked_for_more_are_part_of_it(
    store: Store,
) -> None:
    await put(store, "a")
    claim = await take(store)
    await put(store, "b")
    await store.amend(f"{LANE}/b", "c")
    waiting = await store.waiting(claim)
    assert said(waiting) == ["c"]
    await store.settle(claim, done=[*claim.entries, *waiting], state=state())
    assert await store.claim("worker") is None


async def test_words_that_changed_after_the_turn_looked_for_more_undo_it(store: Store) -> None:
    await put(store, "a")
    claim = await take(store)
    await put(store, "b")
    waiting = await store.waiting(claim)
    await store.amend(f"{LANE}/b", "c")
    with pytest.raises(Amended):
        await store.settle(claim, done=[*claim.entries, *waiting], state=state())
    assert await count(store, conversation) == 1
    await store.release(claim)
    assert said((await take(store)).entries) == ["a", "c"]


async def test_of_a_change_and_a_turn_at_once_one_is_too_late(store: Store, other: Store) -> None:
    for turn in range(1, 21):
        name = f"words {turn}"
        await put(store, name)
        claim = await take(store)
        settled, amended = await asyncio.gather(
            store.settle(claim, done=claim.entries, state=state(turn)),
            other.amend(f"{LANE}/{name}", "other words"),
            return_exceptions=True,
        )
        if amended is Amend.LATE:
            assert settled is None
            continue
        assert amended is Amend.CHANGED
        assert isinstance(settled, Amended)
        await store.release(claim)
        again = await take(store)
        assert said(again.entries) == ["other words"]
        await store.settle(again, done=again.entries, state=state(turn))
