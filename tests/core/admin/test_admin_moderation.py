"""A submission that people look at first: shown to them, decided once, told to its person."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.cards import Summary
from core.effects import Put
from core.replies import Act
from core.store import Stage
from core.store.moderation import Verdict
from tests.core.admin.desk import (
    ANNA,
    BOB,
    CARL,
    MODERATION,
    OLGA,
    Desk,
    Screens,
    desk_of,
    now,
    open_house,
    settings_for,
    write_trip,
)


@pytest.fixture
async def waiting(moderated: Desk) -> Desk:
    """Anna's trip waits; Bob and Carl are moderators."""
    for person in (BOB, CARL):
        await moderated.admin(OLGA, f"grant test:{person.id} moderator")
    assert await moderated.submits(ANNA) == 1
    return moderated


async def ways(desk: Desk, number: int = 1) -> list[Stage]:
    return [one.stage for one in await desk.house.store.deliveries_of(number)]


async def verdict(desk: Desk, number: int = 1) -> Verdict:
    found = await desk.house.store.decided(number)
    assert found is not None
    return found.verdict


async def test_what_is_confirmed_waits_in_the_moderators_chat(waiting: Desk) -> None:
    (post,) = waiting.room().values()
    assert post.title == "#1 A trip"
    assert post.text.startswith("From Anna (test:anna), ")
    assert post.text.endswith(" (UTC)"), "who reads along may live anywhere"
    assert [(one.label, one.value) for one in post.lines][:1] == [("Place", "The sea")]
    assert [(one.command, one.label, bool(one.needs)) for one in post.actions] == [
        ("approve 1", "Approve", False),
        ("changes 1", "Ask for changes", True),
        ("reject 1", "Reject", True),
    ]
    assert await verdict(waiting) is Verdict.WAITING
    assert await ways(waiting) == []
    assert "look at it first" in str(waiting.shown("test:anna")[-1])


async def test_an_approval_delivers_it_and_its_person_hears(waiting: Desk) -> None:
    told = await waiting.acts(BOB, "approve 1", post="moderation-1", lane="test:room:0:bob")
    assert told == "Approved: no. 1 is on its way."
    assert await ways(waiting) == [Stage.PENDING]
    assert "“A trip” (no. 1) was approved" in str(waiting.shown("test:anna")[-1])
    post = waiting.room()["moderation-1"]
    assert post.actions == ()
    assert post.footer.startswith("Approved by Bob, ")
    assert post.footer.endswith(" (UTC)")

    await waiting.house.deliverer.drain()
    assert await ways(waiting) == [Stage.DELIVERED]


async def test_a_rejection_has_a_reason_and_delivers_nothing(waiting: Desk) -> None:
    assert await waiting.acts(BOB, "reject 1") == "Please write: /admin reject N REASON"
    told = await waiting.acts(BOB, "reject 1", words="The sea is closed.")
    assert told == "Rejected: whoever sent in no. 1 has been told why."
    assert "The sea is closed." in str(waiting.shown("test:anna")[-1])
    assert "The sea is closed." in waiting.room()["moderation-1"].footer
    assert await ways(waiting) == []


async def test_changes_bring_the_summary_back_and_what_is_changed_is_looked_at_anew(
    waiting: Desk,
) -> None:
    await waiting.admin(BOB, "changes 1 Please take the hills.")
    assert isinstance(waiting.card(ANNA), Summary)
    await waiting.taps(ANNA, "Place")
    await waiting.says(ANNA, "The hills")
    await waiting.taps(ANNA, "Confirm")

    assert await verdict(waiting) is Verdict.CHANGES
    assert await verdict(waiting, 2) is Verdict.WAITING
    assert list(waiting.room()) == ["moderation-1", "moderation-2"]
    assert ("Place", "The hills") in [
        (one.label, one.value) for one in waiting.room()["moderation-2"].lines
    ]


async def test_two_moderators_at_once_give_one_decision(waiting: Desk) -> None:
    store = waiting.house.store
    for person, command, words in ((BOB, "approve 1", ""), (CARL, "reject 1", "No.")):
        reply = Act(command=command, words=words, handle="h", by=person.id, at=now())
        await store.accept(f"test:{person.id}", f"once:{person.id}", reply, person=person)
    await asyncio.gather(waiting.house.runtime.work(), waiting.house.runtime.work())
    await waiting.works()

    told = [str(waiting.shown(f"test:{person.id}")[-1]) for person in (BOB, CARL)]
    decided = await verdict(waiting)
    first, second = told if decided is Verdict.APPROVED else reversed(told)
    assert "no. 1 is on its way" in first or "has been told why" in first
    assert "No. 1 is decided already" in second
    heard = [one for one in map(str, waiting.shown("test:anna")) if "no. 1" in one]
    assert len(heard) == 1
    assert len(await ways(waiting)) == (decided is Verdict.APPROVED)


async def test_who_comes_too_late_is_told_who_decided(waiting: Desk) -> None:
    await waiting.admin(BOB, "approve 1")
    answer = await waiting.admin(CARL, "reject 1 Too far.")
    assert answer.startswith("No. 1 is decided already. Approved by Bob, ")
    assert await verdict(waiting) is Verdict.APPROVED
    assert "decided" not in await waiting.admin(BOB, "approve 1")
    assert len(await ways(waiting)) == 1


async def test_nobody_decides_about_their_own_but_an_owner(waiting: Desk) -> None:
    await waiting.admin(OLGA, "grant test:anna moderator")
    assert "your own submission" in await waiting.admin(ANNA, "approve 1")
    assert await verdict(waiting) is Verdict.WAITING
    number = await waiting.submits(OLGA)
    assert "on its way" in await waiting.admin(OLGA, f"approve {number}")


async def test_whoever_reads_along_in_the_room_decides_nothing(waiting: Desk) -> None:
    stranger = ANNA.__class__(id="eve", name="Eve")
    told = await waiting.acts(stranger, "approve 1", post="moderation-1", lane="test:room:0:eve")
    assert told == "This is only for the people who run this bot."
    assert await verdict(waiting) is Verdict.WAITING


async def test_while_something_else_is_open_the_changes_wait(waiting: Desk) -> None:
    await waiting.commands(ANNA, "new", "trip")
    await waiting.admin(BOB, "changes 1 Please take the hills.")
    assert not isinstance(waiting.card(ANNA), Summary)
    await waiting.commands(ANNA, "cancel")
    await waiting.taps(ANNA, "Yes, cancel")
    assert isinstance(waiting.card(ANNA), Summary)


async def test_a_decision_that_is_carried_out_again_after_a_crash_has_one_effect(
    waiting: Desk,
) -> None:
    await waiting.admin(BOB, "help")
    door = waiting.house.runtime.doors[-1]
    state = await waiting.state(BOB)
    reply = Act(command="approve 1", handle="h", by="bob", at=now())
    first = await door.answer("test:bob", state, reply)
    again = await door.answer("test:bob", state, reply)
    assert first == again
    await waiting.works()
    assert len(await ways(waiting)) == 1
    heard = [one for one in map(str, waiting.shown("test:anna")) if "was approved" in one]
    assert len(heard) == 1
    assert (await waiting.records())[-1] == ("test:bob", "approve", "1", "done")
    assert [verb for _, verb, _, _ in await waiting.records()].count("approve") == 1


async def test_the_queue_and_the_submission_show_how_it_stands(waiting: Desk) -> None:
    queue = await waiting.admin(BOB, "queue")
    assert "To be decided: 1" in queue
    assert "#1: A trip, since " in queue
    assert "Stuck" not in queue
    assert [one.command for one in waiting.last_post(BOB).actions] == ["show 1"]

    shown = await waiting.acts(BOB, "show 1", post=waiting.last_post(BOB).id)
    assert "Place: The sea" in shown
    assert "Decision: waits for a decision" in shown
    post = waiting.last_post(BOB)
    assert [one.command for one in post.actions] == ["approve 1", "changes 1", "reject 1"]

    await waiting.acts(BOB, "approve 1", post=post.id)
    anew = waiting.last_post(BOB)
    assert anew.id == post.id
    assert anew.actions == ()
    assert any(one.value.startswith("Approved by Bob") for one in anew.lines)


async def test_what_nobody_has_to_decide_about_is_told_so(desk: Desk) -> None:
    number = await desk.submits(ANNA)
    answer = await desk.admin(OLGA, f"approve {number}")
    assert answer == f"Nobody has to decide about submission {number}."
    assert await ways(desk, number) == [Stage.PENDING]


async def test_a_chat_that_is_reached_only_later_gets_what_waits(
    tmp_path: Path, sqlite_url: str
) -> None:
    write_trip(tmp_path / "journeys", {"moderation": {"chat": "other:room"}})
    async with open_house(settings_for(tmp_path, sqlite_url)) as house:
        desk = desk_of(house)
        await desk.submits(ANNA)
        assert desk.room() == {}

        other = Screens(name="other")
        house.open_channel(other)
        show = house.chores[-1]
        assert [await show.do(), await show.do()] == [1, 0]
        await desk.works()
        (shown,) = other.shown["other:room:0"]
        assert isinstance(shown, Put)
        assert shown.post.id == "moderation-1"


async def test_what_waits_for_long_hides_nothing_that_is_new(
    tmp_path: Path, sqlite_url: str
) -> None:
    write_trip(tmp_path / "journeys", {"moderation": {"chat": "other:room"}})
    async with open_house(settings_for(tmp_path, sqlite_url)) as house:
        desk, other = desk_of(house), Screens(name="other")
        house.open_channel(other)
        await desk.submits(ANNA)
        del house.runtime.channels["other"]
        await desk.submits(BOB)
        assert await house.store.undecided(1) == [1]
        assert await house.store.not_shown(1) == [2]


async def test_what_was_shown_long_ago_is_not_put_anew(waiting: Desk) -> None:
    store = waiting.house.store
    await store.purge_traffic(0.0)
    assert await store.not_shown(10) == [1]

    assert await waiting.house.chores[-1].do() == 0
    await waiting.works()
    assert len(waiting.shown("test:room:0")) == 1


async def test_a_chat_may_be_named_by_a_variable(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIP_ROOM", MODERATION["moderation"]["chat"])
    write_trip(tmp_path / "journeys", {"moderation": {"chat": "$TRIP_ROOM"}})
    async with open_house(settings_for(tmp_path, sqlite_url)) as house:
        desk = desk_of(house)
        await desk.submits(ANNA)
        assert list(desk.room()) == ["moderation-1"]


async def test_all_that_is_looked_at_is_the_same_on_both_engines(waiting: Desk) -> None:
    await waiting.commands(BOB, "new", "trip")
    answers = {
        "journeys": "· open: 1 · moderated",
        "stats trip 7": "The last 7 days: 2 begun, 1 submitted (50%).",
        "find ANNA": "#1 A trip: Anna (test:anna)",
        "find Bob": "Bob (test:bob): trip open, answered: 0",
        "health": "submissions: 1, to be decided: 1; conversations: 3, with an open journey: 1",
        "audit": "grant test:bob moderator · done",
        "show 1": "Decision: waits for a decision",
    }
    for command, answer in answers.items():
        assert answer in await waiting.admin(OLGA, command), command
