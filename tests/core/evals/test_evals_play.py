"""A scenario is played as it is written; what is expected and does not come is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.catalogue import Catalogue
from core.evals import pins
from core.evals.loading import ScenariosFaulty, load_scenarios
from core.evals.play import play
from core.evals.record import ChatRecord, Ending, FailureKind
from core.evals.scenario import Scenario
from core.model import ModelFailed
from core.model.base import Failure
from core.model.scripted import Script, Scripted, says
from tests.support.dinner_folder import dinner_folder

ANSWERS = {"format": "in_person", "hall": "River Hall", "seats": 50, "title": "Winter Dinner"}


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue.load(dinner_folder(tmp_path))


def scenario(**given: Any) -> Scenario:
    told = {"about": "A dinner.", "name": "one", "journey": "dinner", "answers": ANSWERS, **given}
    return Scenario.model_validate(told)


async def played(catalogue: Catalogue, **given: Any) -> ChatRecord:
    return await play(catalogue, scenario(**given))


def faults(record: ChatRecord) -> list[str]:
    return [one.detail for one in record.broken]


@pytest.mark.parametrize("by", ["taps", "words", "mixed"])
async def test_what_the_script_leaves_out_is_answered_for_the_person(
    catalogue: Catalogue, by: str
) -> None:
    expect = {
        "submission": {"hall": "River Hall", "seats": 50, "guests": None, "poster": None},
        "model_calls": 0,
        "events": {"started": 1, "submitted": 1},
    }
    record = await played(catalogue, by=by, expect=expect)
    assert record.clean, faults(record)
    assert record.ending is Ending.SUBMITTED
    assert record.owed == ("format", "hall", "seats", "day", "start", "title", "about")
    assert record.turns[-1].ask == ""
    assert set(record.owed) <= set(record.turns[-1].settled)


async def test_lists_files_and_optional_items_come_where_they_are_in_mind(
    catalogue: Catalogue,
) -> None:
    answers = {**ANSWERS, "guests": ["Ada", "Grace"], "poster": {"name": "p.jpg", "size": 2000}}
    for by in ("taps", "words"):
        record = await played(
            catalogue,
            by=by,
            answers=answers,
            expect={"submission": {"guests": ["Ada", "Grace"], "poster": "p.jpg"}},
        )
        assert record.clean, faults(record)


async def test_the_script_waits_for_its_ask_and_the_model_says_what_the_entry_says(
    catalogue: Catalogue,
) -> None:
    script = [
        {
            "at": "seats",
            "say": "why do you need that?",
            "model": "So that all fit in. How many?",
            "sees": ["So that all fit in."],
            "never_sees": ["How many?"],
            "open": "seats",
        },
        {
            "at": "start",
            "say": "It is called Winter Dinner, by the way",
            "model": [
                {
                    "text": "Noted.",
                    "calls": [
                        {
                            "record_item": {
                                "item": "title",
                                "value": "Winter Dinner",
                                "quote": "Winter Dinner",
                            }
                        }
                    ],
                },
                {"text": "A fine name."},
            ],
        },
        {"at": "summary", "change": {"seats": 40}, "sees": ["40"]},
    ]
    expect = {"submission": {"seats": 40}, "sources": {"title": "quoted"}, "model_calls": 3}
    record = await played(catalogue, script=script, expect=expect)
    assert record.clean, faults(record)
    assert [turn.spent.calls for turn in record.turns if turn.spent.calls] == [1, 2]


async def test_a_model_that_fails_leaves_a_chat_that_is_finished_all_the_same(
    catalogue: Catalogue,
) -> None:
    script = [{"at": "seats", "say": "why do you need that?", "model": False, "open": "seats"}]
    record = await played(catalogue, script=script, expect={"events": {"model_failed": 1}})
    assert record.clean, faults(record)


async def test_a_model_that_says_nothing_has_failed_and_the_person_is_told(
    catalogue: Catalogue,
) -> None:
    sees = ["I can't answer that right now"]
    script = [{"at": "seats", "say": "why do you need that?", "model": "", "sees": sees}]
    record = await played(catalogue, script=script, expect={"events": {"model_failed": 1}})
    assert record.clean, faults(record)


async def test_the_confirm_of_a_summary_that_is_shown_no_more_can_be_tapped(
    catalogue: Catalogue,
) -> None:
    script = [
        {"at": "summary", "change": {"seats": 40}},
        {"stale_tap": "summary", "sees": ["That is from an earlier card"], "open": "summary"},
    ]
    expect = {"submission": {"seats": 40}, "events": {"stale_tap": 1, "submitted": 1}}
    record = await played(catalogue, script=script, expect=expect)
    assert record.clean, faults(record)


async def test_what_only_a_person_in_front_of_a_screen_does(catalogue: Catalogue) -> None:
    script = [
        {"at": "seats", "stale_tap": "format", "open": "seats"},
        {"reload": True, "open": "seats"},
        {"submit": {"value": "30"}, "open": "day"},
        {"command": "back", "open": "seats"},
        {"answer": 31, "open": "day"},
        {"later": 24.0},
        {"at": "poster", "upload": {"name": "p.jpg"}},
        {"at": "summary", "tap": "Seats", "open": "seats"},
        {"say": "32", "open": "summary"},
    ]
    expect = {"submission": {"seats": 32}, "events": {"stale_tap": 1}, "model_calls": 0}
    record = await played(catalogue, script=script, expect=expect)
    assert record.clean, faults(record)


async def test_a_first_message_may_be_the_persons_own(catalogue: Catalogue) -> None:
    script = [{"at": "start", "say": "hello", "model": "Welcome!", "sees": ["Welcome!"]}]
    record = await played(catalogue, script=script)
    assert record.clean, faults(record)
    assert record.turns[0].person == "hello"


@pytest.mark.parametrize(
    "entry, told",
    [
        ({"say": "why?"}, "does not say what it answers"),
        ({"at": "link", "say": "https://x.org"}, "link was never asked"),
        ({"tap": "Nowhere"}, "there is no button 'Nowhere'"),
        ({"stale_tap": "seats"}, "there is no earlier card of seats"),
        ({"change": {"seats": 3}}, "seats can be changed at a summary"),
        ({"reload": True, "sees": ["Hello?"]}, "'Hello?' was not seen after reload"),
        ({"reload": True, "never_sees": ["In person"]}, "'In person' was seen after reload"),
        ({"reload": True, "open": "seats"}, "format is open after reload, not seats"),
    ],
)
async def test_an_entry_that_does_not_go_as_written_is_told(
    catalogue: Catalogue, entry: dict[str, Any], told: str
) -> None:
    record = await played(catalogue, script=[entry])
    assert any(told in fault for fault in faults(record)), faults(record)
    assert {one.guarantee for one in record.broken} == {"expected"}


@pytest.mark.parametrize(
    "expect, told",
    [
        ({"ends": "cancelled"}, "it ended submitted, not cancelled"),
        ({"submission": {"seats": 51}}, "seats is 50 in the submission, not 51"),
        ({"submission": {"link": "x"}}, "link is not in the submission"),
        ({"draft": {"hall": "Old Mill"}}, "in the draft, not 'Old Mill'"),
        ({"absent": ["seats"]}, "seats has a value"),
        ({"sources": {"seats": "tap"}}, "seats came from form, not from tap"),
        ({"events": {"refused": 1}}, "refused happened 0 times, not 1"),
        ({"model_calls": 2}, "the model was asked 0 times, not 2"),
    ],
)
async def test_an_expectation_that_is_not_met_is_told(
    catalogue: Catalogue, expect: dict[str, Any], told: str
) -> None:
    record = await played(catalogue, expect=expect)
    assert [told in fault for fault in faults(record)] == [True], faults(record)


async def test_an_answer_that_never_fits_ends_the_chat_as_unfinished(catalogue: Catalogue) -> None:
    record = await played(catalogue, answers={**ANSWERS, "seats": 5000})
    assert record.ending is Ending.UNFINISHED
    assert [one.kind for one in record.failures] == [FailureKind.UNFINISHED]
    assert "seats was answered" in record.failures[0].detail


async def test_with_a_model_of_its_own_the_person_is_restless_and_the_chat_replays(
    catalogue: Catalogue,
) -> None:
    def model() -> Scripted:
        script: list[Script] = [says("Ask me anything."), ModelFailed(Failure.BROKEN)]
        answers = iter(script * 50)
        return Scripted(by=lambda request: next(answers))

    first = [await play(catalogue, scenario(), model=model(), seed=seed) for seed in range(12)]
    again = [await play(catalogue, scenario(), model=model(), seed=seed) for seed in range(12)]
    assert first == again
    assert all(record.clean for record in first)
    assert all(record.ending is Ending.SUBMITTED for record in first)
    assert sum(record.spent.calls for record in first) > 0
    assert len({record.turns for record in first}) > 6


async def test_a_chat_is_pinned_as_text_and_a_difference_is_shown(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    record = await played(catalogue)
    assert "not pinned yet" in pins.compare(tmp_path, record)[0].detail
    (tmp_path / "evals").mkdir()
    assert pins.write(tmp_path, record)
    assert not pins.write(tmp_path, record)
    assert pins.compare(tmp_path, record) == []
    other = await played(catalogue, answers={**ANSWERS, "seats": 51})
    assert "+> (sends value: 51)" in pins.compare(tmp_path, other)[0].detail


def test_scenarios_are_loaded_by_name_and_their_faults_have_lines(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    loaded = catalogue.journey("dinner")
    folder = loaded.folder / "evals"
    folder.mkdir()
    (folder / "b.yaml").write_text("about: Second.\n")
    (folder / "a.yaml").write_text(json.dumps({"about": "First.", "answers": ANSWERS}))
    found = load_scenarios(loaded.folder, loaded.manifest)
    assert [(one.name, one.journey, one.about) for one in found] == [
        ("a", "dinner", "First."),
        ("b", "dinner", "Second."),
    ]

    (folder / "b.yaml").write_text(
        "about: Second.\nscript:\n  - say: hi\n    tap: Hall\n"
        "  - at: halle\n    say: hi\nanswer: 1\n"
    )
    (folder / "c.yaml").write_text("about: Third.\nanswers:\n  seat: 1\nscript:\n  - say: [\n")
    (folder / "d.yaml").write_text("about: Fourth.\nscript:\n  - {at: halle, say: hi}\n")
    with pytest.raises(ScenariosFaulty) as faulty:
        load_scenarios(loaded.folder, loaded.manifest)
    told = [f"{one.file.name}:{one.line} {one.message}" for one in faulty.value.faults]
    assert any(one.startswith("b.yaml:3") and "exactly one of" in one for one in told), told
    assert any(one.startswith("b.yaml:7 answer is no key") for one in told), told
    assert any(one.startswith("c.yaml:") and "no YAML" in one for one in told), told
    assert any(one.startswith("d.yaml:3") and "no item halle" in one for one in told), told
