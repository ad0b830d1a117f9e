"""What is told of a chat: the person's own intent, and what was on the screen; and what the referee
finds in a chat whose runtime does what it must not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core import planner
from core.catalogue import Catalogue
from core.draft import Draft, Source, Value
from core.evals import telling
from core.evals.play import play
from core.evals.record import ChatRecord, Ending, FailureKind
from core.evals.referee import Story, Summed, judged
from core.evals.scenario import Scenario
from core.evals.telling import Means, Telling
from core.manifest import Item, Manifest
from core.step.picker_records import value_of
from core.turn import settle
from core.turn.turning import Turning
from tests.support.dinner_folder import dinner_folder
from tests.support.journeys import HALLS, dinner

ANSWERS = {"format": "in_person", "hall": "River Hall", "seats": 25, "title": "Winter Dinner"}


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue.load(dinner_folder(tmp_path))


async def played(catalogue: Catalogue, **given: Any) -> ChatRecord:
    told = {"about": "A dinner.", "name": "one", "journey": "dinner", "answers": ANSWERS, **given}
    return await play(catalogue, Scenario.model_validate(told))


def kinds(record: ChatRecord) -> list[FailureKind]:
    return [one.kind for one in record.failures]


# One rule for both leads


def of_a_dinner() -> Telling:
    return Telling(dinner().manifest)


def gave(told: Telling, turn: int, item: str, value: Any, *, draft: dict[str, Any]) -> None:
    """The person gives a value, and the bot has this after the turn."""
    told.person(turn, str(value), Means(gives={item: value}))
    told.gave(turn, {item: value}, {item: (str(value),)})
    told.took(turn, draft, {})


def test_another_value_for_what_was_taken_is_a_correction() -> None:
    told = of_a_dinner()
    gave(told, 1, "seats", 50, draft={"seats": 50})
    gave(told, 2, "seats", 40, draft={"seats": 40})
    first, second = told.story.given
    assert (first.correction, first.taken) == (False, 1)
    assert (second.correction, second.taken) == (True, 2)


def test_what_was_never_taken_is_not_corrected_and_said_again_is_not_given_twice() -> None:
    told = of_a_dinner()
    gave(told, 1, "seats", 500, draft={})
    gave(told, 2, "seats", 40, draft={})
    gave(told, 3, "seats", 40, draft={"seats": 40})
    assert [(one.value, one.correction, one.taken) for one in told.story.given] == [
        (500, False, 0),
        (40, False, 3),
    ]


def test_what_the_bot_took_wrong_is_corrected_by_the_same_value_again() -> None:
    told = of_a_dinner()
    gave(told, 1, "seats", 50, draft={"seats": 50})
    told.took(2, {"seats": 5}, {})
    gave(told, 3, "seats", 50, draft={"seats": 50})
    assert [one.correction for one in told.story.given] == [False, True]


def test_a_yes_holds_until_something_is_given_or_another_summary_is_shown() -> None:
    told = of_a_dinner()
    held = []
    for turn, (words, means) in enumerate(
        [
            ("Yes", Means(says_yes=True)),
            ("Hello?", Means()),
            ("40 seats", Means(gives={"seats": 40})),
            ("Yes", Means(says_yes=True)),
        ]
    ):
        told.person(turn, words, means)
        held.append(told.confirmed)
    told.summed(Summed(turn=4, shows={}))
    assert [*held, told.confirmed] == [True, True, False, True, False]


def test_every_reply_to_a_summary_that_is_no_yes_is_an_occasion() -> None:
    told = of_a_dinner()
    told.person(1, "Hello", Means())
    told.person(2, "why?", Means(), at_summary=True)
    told.person(3, "Yes", Means(says_yes=True), at_summary=True)
    assert told.story.not_yes == [2]


def test_a_record_is_theirs_only_where_this_very_one_was_accepted() -> None:
    told = of_a_dinner()
    mill, river = value_of(HALLS[0]), value_of(HALLS[2])
    told.gave(1, {"hall": "River Hall"}, {"hall": ("River Hall",)})
    told.took(1, {"hall": river}, {"hall": mill})
    assert [one.record for one in told.story.given] == [False]
    told.took(2, {"hall": river}, {"hall": river})
    assert [one.record for one in told.story.given] == [True]


def test_what_must_be_submitted_is_reckoned_from_what_was() -> None:
    told = of_a_dinner()
    told.sent(1, {"format": "online"}, {"format": ("Online",)})
    assert told.story.sent is not None
    assert told.story.sent.required == (
        "format",
        "link",
        "seats",
        "day",
        "start",
        "title",
        "about",
    )


def test_a_story_without_a_manifest_owes_nothing() -> None:
    assert judged(Telling().story) == judged(Story()) == ()


# A runtime that does what it must not


async def test_a_record_that_slid_into_the_summary_is_found(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = settle.write

    def write(turn: Turning, name: str, value: Any, source: Source, **more: Any) -> settle.Receipt:
        receipt = honest(turn, name, value, source, **more)
        if name == "format":
            # It even says of itself that the person has accepted it.
            honest(turn, "hall", value_of(HALLS[0]), Source.RECORD)
        return receipt

    monkeypatch.setattr(settle, "write", write)
    record = await played(catalogue)
    assert [(one.kind, one.item) for one in record.failures] == [
        (FailureKind.UNACCEPTED_RECORD, "hall")
    ]
    (first,) = record.first_summaries
    assert first.wrong == ("hall",)


async def test_a_record_that_is_another_than_the_one_that_was_tapped_is_found(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = settle.write

    def write(turn: Turning, name: str, value: Any, source: Source, **more: Any) -> settle.Receipt:
        other = value_of(HALLS[0]) if name == "hall" else value
        return honest(turn, name, other, source, **more)

    monkeypatch.setattr(settle, "write", write)
    record = await played(catalogue)
    assert FailureKind.UNACCEPTED_RECORD in kinds(record)


async def test_a_question_that_the_planner_forgot_is_found(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest_next, honest_owed = planner.next_item, planner.owed

    def next_item(manifest: Manifest, draft: Draft) -> Item | None:
        known = {"seats": Value(value=1, source=Source.TAP, turn=0), **draft.values}
        return honest_next(manifest, Draft(values=known) if "hall" in draft.values else draft)

    def owed(manifest: Manifest, draft: Draft) -> tuple[str, ...]:
        return tuple(name for name in honest_owed(manifest, draft) if name != "seats")

    monkeypatch.setattr(planner, "next_item", next_item)
    monkeypatch.setattr(planner, "owed", owed)
    record = await played(catalogue)
    assert record.ending is Ending.SUBMITTED
    assert [(one.kind, one.item) for one in record.failures] == [(FailureKind.SKIPPED, "seats")]


async def test_a_correction_that_is_recorded_in_silence_is_found(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = settle.write

    def write(turn: Turning, name: str, value: Any, source: Source, **more: Any) -> settle.Receipt:
        receipt = honest(turn, name, value, source, **more)
        return settle.Receipt("Noted.", "") if value == 20 else receipt

    monkeypatch.setattr(settle, "write", write)
    monkeypatch.setattr(telling, "drawn", lambda shown: "Noted.")
    record = await played(catalogue, script=[{"at": "summary", "change": {"seats": 20}}])
    assert [(one.kind, one.item) for one in record.failures] == [
        (FailureKind.UNACKNOWLEDGED, "seats")
    ]
    assert record.occasions[FailureKind.UNACKNOWLEDGED] == 1


async def test_a_first_submission_is_judged_though_a_second_follows(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = [{"at": "summary", "tap": "Confirm"}, {"command": "new dinner"}]
    record = await played(catalogue, script=script)
    assert record.failures == ()
    assert len(record.first_summaries) == 2

    honest, seen = settle.write, list[str]()

    def write(turn: Turning, name: str, value: Any, source: Source, **more: Any) -> settle.Receipt:
        first = name == "seats" and name not in seen
        seen.append(name)
        return honest(turn, name, 7 if first else value, source, **more)

    monkeypatch.setattr(settle, "write", write)
    record = await played(catalogue, script=script)
    assert [(one.kind, one.item) for one in record.failures] == [(FailureKind.INVENTED, "seats")]
    assert record.failures[0].turn < len(record.turns) / 2 + 2


# A chat as it should be


async def test_what_is_corrected_and_confirmed_is_counted_as_an_occasion(
    catalogue: Catalogue,
) -> None:
    script = [
        {"at": "summary", "change": {"seats": 20}},
        {"say": "why do you ask?", "model": "So that all fit in."},
    ]
    record = await played(catalogue, script=script)
    assert record.failures == ()
    assert record.occasions == {
        FailureKind.CONFIRMED_AFTER_CHANGE: 2,
        FailureKind.STALE_CONFIRMATION: 1,
        FailureKind.UNACKNOWLEDGED: 1,
    }
    assert [one.wrong for one in record.first_summaries] == [()]


@pytest.mark.parametrize("words", ["yes", "Yes!"])
async def test_words_that_are_a_yes_in_a_script_are_meant_so(
    catalogue: Catalogue, words: str
) -> None:
    record = await played(catalogue, script=[{"at": "summary", "say": words}])
    assert record.failures == ()
    assert record.ending is Ending.SUBMITTED


async def test_a_chat_that_is_to_be_cancelled_is_not_compared(catalogue: Catalogue) -> None:
    script = [{"at": "seats", "command": "cancel"}, {"tap": "Yes, cancel"}]
    record = await played(catalogue, script=script, stops=True, expect={"ends": "cancelled"})
    assert record.clean
    assert not record.compared
    assert (await played(catalogue)).compared
