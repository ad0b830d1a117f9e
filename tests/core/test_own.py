"""What a person's own commands find in the real store, and that they never find another's."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from core import own
from core.replies import Command, Tap
from core.step.base import Fetch
from tests.core.admin.desk import TEXTS, desk_of, open_house, settings_for, write_trip
from tests.support.chat import ANNA
from tests.support.houses import ABOUT, ANSWERS, BOB, PRAISE, House, now


async def test_mine_lists_submissions_of_every_chat_on_the_channel_the_newest_first(
    house: House,
) -> None:
    # Given Anna submitted twice in one chat, and began once more in another
    await house.submits_a_dinner("test:anna", ANNA)
    await house.submits_a_dinner("test:anna", ANNA)
    await house.commands("test:group:anna", ANNA, "new")
    await house.says("test:group:anna", ANNA, "In person")

    # When she asks there
    said = await house.commands("test:group:anna", ANNA, "mine")

    # Then the open one comes first, then what she submitted
    lines = said.splitlines()
    assert lines[1] == "A dinner: open here, 1 of 8 answered"
    assert len(lines) == 4
    first, second = (one.id for one in await house.store.submissions("test:anna"))
    assert lines[2].startswith(f"A dinner (no. {second}): submitted, ")
    assert lines[3].startswith(f"A dinner (no. {first}): submitted, ")


async def test_what_was_submitted_is_called_as_in_every_other_message_about_it(
    tmp_path: Path, sqlite_url: str
) -> None:
    # Given a journey whose submissions have a title of their own
    texts = {**TEXTS, "post": {"title": "Trip to: {place}"}}
    write_trip(tmp_path / "journeys", en=json.dumps(texts))
    async with open_house(settings_for(tmp_path, sqlite_url)) as home:
        desk = desk_of(home)

        # When Anna has sent in two, and asks
        await desk.submits(ANNA, "The sea")
        await desk.submits(ANNA, "The hills")
        lines = (await desk.commands(ANNA, "mine")).splitlines()

        # Then she sees which is which
        assert lines[1].startswith("Trip to: The hills (no. 2): submitted, ")
        assert lines[2].startswith("Trip to: The sea (no. 1): submitted, ")


async def test_nobody_sees_what_another_person_submitted(house: House) -> None:
    await house.submits_a_dinner("test:anna", ANNA)

    said = await house.commands("test:bob", BOB, "mine")
    assert said == "There is nothing of yours here yet. Send /new to start."

    # not even by asking in Anna's own chat
    assert await house.gets("test:anna", ANNA, Command(name="mine", by="bob", at=now())) == ""


async def test_the_same_id_on_another_channel_is_another_person(house: House) -> None:
    await house.submits_a_dinner("test:anna", ANNA)
    stranger = msgspec.structs.replace(ANNA, name="Anna of the other channel")
    said = await house.commands("other:anna", stranger, "mine")
    assert said == "There is nothing of yours here yet. Send /new to start."
    told = await house.commands("other:anna", stranger, "privacy")
    assert "Submissions: 0" in told


async def test_the_same_id_in_another_workspace_is_another_person(house: House) -> None:
    await house.submits_a_dinner("test:T1:C1:0:anna", ANNA)
    stranger = msgspec.structs.replace(ANNA, name="Anna of the other workspace")
    said = await house.commands("test:T2:C1:0:anna", stranger, "mine")
    assert said == "There is nothing of yours here yet. Send /new to start."
    told = await house.commands("test:T1:D7:0:anna", ANNA, "privacy")
    assert "Account: test:T1/anna\n" in told
    assert "Submissions: 1" in told, "another conversation of the same person"


async def test_privacy_counts_what_the_store_holds_of_this_chat(house: House) -> None:
    await house.submits_a_dinner("test:anna", ANNA)
    await house.commands("test:anna", ANNA, "new")
    await house.says("test:anna", ANNA, "In person")

    told = await house.commands("test:anna", ANNA, "privacy")

    said = len(ANSWERS) + len([ABOUT]) + len(["In person"])
    assert f"Messages of our talk in this chat: {said}" in told
    assert "Submissions: 1 (/mine lists them)" in told
    assert "Answers that are not sent yet: Format" in told


async def test_only_the_newest_are_listed_and_the_rest_counted(house: House) -> None:
    for _ in range(own.MOST + 2):
        await house.submits_a_dinner("test:anna", ANNA)
    said = await house.commands("test:anna", ANNA, "mine")
    lines = said.splitlines()
    assert len(lines) == 1 + own.MOST + 1
    assert lines[-1] == "and 2 more"


async def test_the_store_is_asked_for_nothing_else(house: House) -> None:
    fetch = Fetch(journey="", tool="~everything", arguments={"person": "anna"})
    with pytest.raises(LookupError, match=re.escape("~everything")):
        await own.answer(house.store, "test:anna", fetch)


async def test_the_persons_own_question_is_streamed_and_said_whole(house: House) -> None:
    # Given a title that is a question
    await house.commands("test:anna", ANNA, "new")
    for answer in (*ANSWERS[:-1], "Who owns the web?"):
        await house.says("test:anna", ANNA, answer)
    # (what reads like talk is settled by a tap)
    card = house.card("test:anna")
    assert card.suggestions[0].label == "Who owns the web?"
    tap = Tap(card=card.id, token=card.suggestions[0].token, by="anna", at=now())
    assert "Who owns the web?" in await house.gets("test:anna", ANNA, tap)

    # When the model repeats it, unquoted, in its answer
    said = await house.says("test:anna", ANNA, "What do you think of it?")

    # Then it is neither cut nor held back, and the model's own question is
    assert said == PRAISE
    assert house.screens["test"].previews[-1].strip() == PRAISE
