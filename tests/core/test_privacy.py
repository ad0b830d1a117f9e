"""What is held of a person is theirs: they get it as a file, and it goes when they say so."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sqlalchemy import select

from core.effects import Close, Put
from core.privacy import Privacy
from core.replies import Act
from core.state import Person, Status
from core.store.tables import metadata
from core.upkeep import Erasing
from tests.support.chat import ANNA
from tests.support.houses import ABOUT, ANSWERS, BOB, House, now

HOME = "test:anna"
ELSEWHERE = "test:group:anna"


@pytest.fixture
def theirs(house: House) -> Privacy:
    privacy = Privacy(house.store)
    house.runtime.doors = (privacy,)
    return privacy


async def acts(house: House, command: str, person: Person = ANNA, lane: str = HOME) -> str:
    """Somebody uses an action below a post."""
    return await house.gets(lane, person, Act(command=command, by=person.id, at=now()))


def posts(house: House, lane: str = HOME) -> list[Put]:
    return [one for one in house.shown(lane) if isinstance(one, Put)]


async def stands_in(house: House, word: str) -> list[str]:
    """The tables in which a word stands anywhere."""
    found = []
    async with house.store.database.read() as connection:
        for table in metadata.sorted_tables:
            rows = await connection.execute(select(table))
            if any(word in str(one) for row in rows for one in row):
                found.append(table.name)
    return found


async def test_all_that_is_held_is_handed_out_as_a_file(house: House, theirs: Privacy) -> None:
    await house.submits_a_dinner(HOME, ANNA)
    await house.commands(ELSEWHERE, ANNA, "new")
    await house.commands(HOME, ANNA, "privacy", "export")

    (put,) = posts(house)
    (file,) = put.post.files
    assert put.personal
    assert (file.origin, file.ref, file.name) == ("made", "mine test:anna", "my-data.json")
    held = json.loads(await theirs.make("test:anna"))
    assert [one["lane"] for one in held["conversations"]] == [HOME, ELSEWHERE]
    assert held["conversations"][0]["state"]["person"]["name"] == "Anna"
    assert held["submissions"][0]["content"]["title"] == "Winter Dinner"
    assert "Food and stories by the fire." in [one["text"] for one in held["said"]]
    assert "Winter Dinner" in [one["reply"].get("text") for one in held["came_in"]]
    assert "draw" in [one["effect"]["effect"] for one in held["shown"]]


async def test_nothing_of_others_is_handed_out(house: House, theirs: Privacy) -> None:
    await house.submits_a_dinner(HOME, ANNA)
    held = json.loads(await theirs.make("test:bob"))
    assert held == {
        "account": "test:bob",
        "roles": [],
        "blocked": [],
        "conversations": [],
        "said": [],
        "came_in": [],
        "shown": [],
        "submissions": [],
        "used": [],
        "commands": [],
    }


async def test_erasing_asks_once(house: House, theirs: Privacy) -> None:
    await house.submits_a_dinner(HOME, ANNA)
    said = await house.commands(HOME, ANNA, "privacy", "erase")
    assert said.startswith("Erase all of it?\nEverything that I hold about you goes")
    assert [one.label for one in posts(house)[-1].post.actions] == [
        "Yes, erase everything",
        "No, keep it",
    ]
    assert await acts(house, "privacy keep") == "Good, everything stays as it is."
    assert await house.store.to_be_erased() == []
    assert len(await house.store.submissions("test:anna")) == 1


async def test_who_asks_again_is_answered_where_they_look(house: House, theirs: Privacy) -> None:
    for argument in ("export", "erase", "export", "erase"):
        await house.commands(HOME, ANNA, "privacy", argument)
    shown = posts(house)
    assert len({one.post.id for one in shown}) == 4, "a post with the same id is changed far above"

    asked = shown[-1].post
    keep = Act(command="privacy keep", by=ANNA.id, at=now(), post=asked.id)
    assert await house.gets(HOME, ANNA, keep) == "Good, everything stays as it is."
    assert posts(house)[-1].post.id == asked.id


async def test_what_was_said_yes_to_is_gone_from_the_whole_database(
    house: House, theirs: Privacy
) -> None:
    anna = Person(id="anna-17", name="Anna Unmistakable", zone="Europe/Berlin", country="DE")
    lane = "test:anna-17"
    await house.submits_a_dinner(lane, anna)
    await house.commands("test:group:anna-17", anna, "new")
    await house.says("test:group:anna-17", anna, "In person")
    await house.submits_a_dinner("test:bob", BOB)

    said = await acts(house, "privacy erase yes", anna, lane)
    assert said.startswith("I am erasing everything that I hold about you.")
    await house.sender.drain()
    assert await Erasing(house.store).do() == 1

    for word in ("anna-17", "Unmistakable"):
        assert await stands_in(house, word) == []
    # ... and of Bob, who said the same words, nothing has gone
    assert len(await house.store.submissions("test:bob")) == 1
    assert "submission" in await stands_in(house, "Winter Dinner")


async def test_what_is_open_ends_with_it_and_is_not_drawn_again(
    house: House, theirs: Privacy
) -> None:
    await house.commands(HOME, ANNA, "new")
    await house.says(HOME, ANNA, "In person")
    card = house.card(HOME)
    drawn = len(house.shown(HOME))
    await house.commands(HOME, ANNA, "privacy", "erase yes")
    shown = house.shown(HOME)[drawn:]
    assert shown[0] == Close(card=card.id)
    assert len(shown) == 2
    state = await house.store.conversation(HOME)
    assert state is not None
    assert state.journey is not None
    assert (state.journey.status, state.journey.ask) == (Status.CANCELLED, None)


async def test_who_comes_back_begins_anew(house: House, theirs: Privacy) -> None:
    await house.submits_a_dinner(HOME, ANNA)
    await acts(house, "privacy erase yes")
    assert await Erasing(house.store).do() == 1
    await house.submits_a_dinner(HOME, ANNA)
    assert len(await house.store.submissions("test:anna")) == 1


async def test_nobody_erases_another_person(house: House, theirs: Privacy) -> None:
    await house.submits_a_dinner(HOME, ANNA)
    for command in ("privacy erase yes", "privacy export"):
        strangers = Act(command=command, by="bob", at=now())
        assert await house.gets(HOME, ANNA, strangers) == ""
    assert await house.store.to_be_erased() == []


async def test_what_is_asked_in_passing_leaves_the_open_question_the_newest(
    house: House, theirs: Privacy
) -> None:
    await house.commands(HOME, ANNA, "new")
    before = house.card(HOME)
    await house.commands(HOME, ANNA, "privacy", "export")
    assert house.card(HOME).title == before.title
    assert house.card(HOME).id != before.id


async def test_without_a_word_behind_it_it_says_what_is_held_and_what_can_be_done(
    house: House, theirs: Privacy
) -> None:
    said = await house.commands(HOME, ANNA, "privacy")
    assert "/privacy export gives you all of it as a file, /privacy erase deletes it." in said


# How much of the bot one person may have


async def test_who_has_used_up_the_model_for_today_can_still_finish(house: House) -> None:
    house.runtime.rules = replace(house.runtime.rules, tokens_a_day=1000)
    await house.commands(HOME, ANNA, "new")
    assert "Parking is free" in await house.says(HOME, ANNA, "Is there parking?")

    await house.store.spend("test:anna", 1000, now())
    said = await house.says(HOME, ANNA, "Is there parking?")
    assert said == "I can't chat here, but I can take your answer to the question below."
    for answer in (*ANSWERS, ABOUT, "yes"):
        await house.says(HOME, ANNA, answer)
    assert len(await house.store.submissions("test:anna")) == 1


async def test_as_many_journeys_may_be_open_as_the_rules_say(house: House) -> None:
    house.runtime.rules = replace(house.runtime.rules, open_journeys=2)
    for chat in ("one", "two"):
        await house.commands(f"test:{chat}:anna", ANNA, "new")
    for begin in (
        house.commands("test:three:anna", ANNA, "new"),
        house.says("test:four:anna", ANNA, "I want to host a dinner"),
    ):
        assert (await begin).startswith("You have 2 open already")
    assert await house.commands("test:one:bob", BOB, "new") == ""
    assert house.card("test:one:bob").title == "In person or online?"

    await house.commands("test:two:anna", ANNA, "cancel")
    await house.says("test:two:anna", ANNA, "yes")
    await house.commands("test:three:anna", ANNA, "new")
    assert house.card("test:three:anna").title == "In person or online?"
