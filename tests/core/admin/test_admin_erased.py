"""Nothing of somebody who was erased is found anywhere: not in the database, nor in what the people
who run the bot were shown, nor in files that were made of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.wiring import exports_folder
from channels.terminal.files import save
from core.privacy import Privacy
from core.state import Person
from core.store import Store
from core.store.tables import metadata
from core.upkeep import HandedOut
from tests.core.admin.desk import BOB, OLGA, Desk

ERIN = Person(id="erin77", name="Erin Unmistakable", zone="Europe/Berlin")
HERS = ("erin77", "Unmistakable", "Xanadu")
ROOM = "test:room:0:bob"


async def rows_with(store: Store, *words: str) -> list[str]:
    """The rows in which any of these words stands, with the names of their tables."""
    found = []
    async with store.database.read() as connection:
        for table in metadata.sorted_tables:
            rows = await connection.execute(select(table))
            found += [f"{table.name}: {row}" for row in rows if any(x in str(row) for x in words)]
    return found


async def erased(desk: Desk) -> None:
    """All that waits is done, and the chores of a process come by."""
    await desk.works()
    await desk.house.deliverer.drain()
    for chore in desk.house.chores:
        await chore.do()
    await desk.works()


@pytest.fixture
async def told_of(moderated: Desk) -> Desk:
    """Erin's trip was looked at by all who may, in every way that there is."""
    desk = moderated
    await desk.admin(OLGA, "grant test:bob moderator")
    assert await desk.submits(ERIN, notes="Xanadu") == 1
    for written in ("find erin77", "find Erin Unmistakable", "show 1", "queue"):
        assert "no command" not in await desk.admin(OLGA, written)
    await desk.admin(BOB, "show 1")
    return desk


@pytest.mark.parametrize("verdict", ["", "approve 1", "reject 1 Xanadu is far, Erin"])
async def test_nothing_is_left_of_whom_everybody_was_told(told_of: Desk, verdict: str) -> None:
    if verdict:
        await told_of.admin(BOB, verdict)
    await told_of.admin(OLGA, "block test:erin77 Erin Unmistakable writes too much")
    await told_of.admin(OLGA, "unblock test:erin77")
    await told_of.admin(OLGA, "erase test:erin77 yes")
    await erased(told_of)

    assert await rows_with(told_of.house.store, *HERS) == []
    assert await told_of.house.store.submission(1) is None
    assert ("test:olga", "erase", "erased", "done") in await told_of.records()


async def test_what_moderators_have_before_them_is_changed_where_it_stands(told_of: Desk) -> None:
    await told_of.admin(OLGA, "erase test:erin77 yes")
    await erased(told_of)
    post = told_of.room()["moderation-1"]
    assert (post.title, post.text) == ("#1", "This was erased with everything of its person.")
    assert (post.lines, post.files, post.actions) == ((), (), ())
    said = await told_of.acts(BOB, "approve 1", post="moderation-1", lane=ROOM)
    assert said == "There is no submission with the number 1."


async def test_why_somebody_is_blocked_is_forgotten_and_that_they_are_is_not(desk: Desk) -> None:
    await desk.submits(ERIN, notes="Xanadu")
    await desk.admin(OLGA, "block test:erin77 Unmistakable spam")
    await desk.commands(ERIN, "privacy", "erase yes")
    await erased(desk)
    assert await desk.house.store.is_blocked("test:erin77")
    (left,) = await rows_with(desk.house.store, *HERS)
    assert left.startswith("blocked: ('test:erin77', '',")


async def test_who_ran_the_bot_and_is_erased_is_named_in_nothing_that_they_did(
    moderated: Desk,
) -> None:
    await moderated.admin(OLGA, "grant test:erin77 moderator")
    await moderated.submits(BOB)
    await moderated.admin(ERIN, "approve 1")
    await moderated.admin(OLGA, "revoke test:erin77")
    await moderated.admin(OLGA, "erase test:erin77 yes")
    await erased(moderated)
    assert await rows_with(moderated.house.store, *HERS) == []
    assert len(await moderated.house.store.submissions("test:bob")) == 1


async def test_what_became_of_it_is_handed_out_before(told_of: Desk) -> None:
    store = told_of.house.store
    await told_of.admin(BOB, "approve 1")
    await told_of.house.deliverer.drain()
    await told_of.admin(OLGA, "block test:erin77 She writes too much")
    held = json.loads(await Privacy(store).make("test:erin77"))
    (one,) = held["submissions"]
    assert (one["number"], one["content"]["notes"]) == (1, "Xanadu")
    assert (one["decision"]["verdict"], one["decision"]["reason"]) == ("approved", "")
    assert one["destinations"] == [{"name": "file", "stage": "delivered"}]
    assert [one["reason"] for one in held["blocked"]] == ["She writes too much"]
    assert "bob" not in json.dumps(held), "who decided is not theirs to have"

    theirs = json.loads(await Privacy(store).make("test:bob"))
    assert [one["command"] for one in theirs["commands"]] == ["show", "approve"]


async def test_not_a_byte_is_left_in_the_files(desk: Desk, tmp_path: Path) -> None:
    """Not where SQLite has free pages, nor in its log, nor in what was exported."""
    await desk.submits(ERIN, notes="Xanadu")
    await desk.admin(OLGA, "find erin77")
    folder = exports_folder(desk.house.settings)
    saved = save(folder, "trip.csv", b"1,erin77,Xanadu")
    database = Path(str(desk.house.store.database.url.database))
    await desk.admin(OLGA, "erase test:erin77 yes")
    await erased(desk)
    assert not saved.exists()
    for file in database.parent.rglob(f"{database.name}*"):
        content = file.read_bytes()
        assert [word for word in HERS if word.encode() in content] == [], file.name


def test_what_was_saved_for_somebody_goes_after_a_week(tmp_path: Path) -> None:
    saved = save(tmp_path, "trip.csv", b"1,anna")
    made = saved.stat().st_mtime
    day = 24 * 3600.0
    assert HandedOut(tmp_path, clock=lambda: made + 6 * day).remove(7 * day) == 0
    assert HandedOut(tmp_path, clock=lambda: made + 8 * day).remove(7 * day) == 1
    assert not saved.exists()
    assert HandedOut(tmp_path / "never made").remove() == 0
