"""People, from the chat: found, blocked, erased."""

from __future__ import annotations

from tests.core.admin.desk import ANNA, BOB, OLGA, Desk


async def test_submissions_and_open_journeys_are_found_by_number_account_and_name(
    desk: Desk,
) -> None:
    await desk.submits(ANNA)
    await desk.commands(BOB, "new", "trip")
    await desk.says(BOB, "The hills")

    by_number = await desk.admin(OLGA, "find 1")
    assert "#1 A trip: Anna (test:anna)" in by_number
    assert [one.command for one in desk.last_post(OLGA).actions] == ["show 1"]
    for words in ("test:anna", "anna", "Ann"):
        assert "#1 A trip" in await desk.admin(OLGA, f"find {words}"), words
    assert "Bob (test:bob): trip open, answered: 1" in await desk.admin(OLGA, "find BOB")
    assert "Nothing was found" in await desk.admin(OLGA, "find 100%")
    assert ("test:olga", "find", "", "shown") in await desk.records()


async def test_who_is_blocked_is_not_answered_until_they_are_unblocked(desk: Desk) -> None:
    assert await desk.admin(OLGA, "block test:anna spam") == "test:anna is not answered any more."
    assert await desk.commands(ANNA, "new", "trip") == ""
    assert await desk.admin(OLGA, "unblock test:anna") == "test:anna is answered."
    await desk.commands(ANNA, "new", "trip")
    assert desk.card(ANNA).item == "place"


async def test_who_sent_a_submission_is_meant_by_its_number(desk: Desk) -> None:
    number = await desk.submits(ANNA)
    assert "test:anna is not answered" in await desk.admin(OLGA, f"block #{number}")
    assert await desk.house.store.is_blocked("test:anna")


async def test_nobody_who_runs_the_bot_is_blocked(desk: Desk) -> None:
    await desk.admin(OLGA, "grant test:bob moderator")
    assert "runs this bot with you" in await desk.admin(OLGA, "block test:bob")
    assert await desk.admin(OLGA, "block test:olga") == (
        "test:olga is an owner, so nothing was done."
    )
    assert not await desk.house.store.is_blocked("test:bob")


async def test_erasing_asks_once_and_then_everything_goes(desk: Desk) -> None:
    number = await desk.submits(ANNA)
    answer = await desk.admin(OLGA, f"erase {number}")
    assert "All that is kept of test:anna will be deleted" in answer
    assert await desk.house.store.to_be_erased() == []

    (button,) = desk.last_post(OLGA).actions
    assert button.command == "erase test:anna yes"
    assert "is being deleted" in await desk.acts(OLGA, button.command)
    assert await desk.house.store.to_be_erased() == ["test:anna"]

    await desk.house.deliverer.drain()
    for chore in desk.house.chores:
        await chore.do()
    assert await desk.house.store.submission(number) is None
    assert "Nothing was found" in await desk.admin(OLGA, "find Anna")
