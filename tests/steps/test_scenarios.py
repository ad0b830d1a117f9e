"""Every scenario that ships, played as it is written: nothing that always holds is broken, all that
it expects comes, and what the person sees is what was pinned when somebody last looked at it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.catalogue import Catalogue, shipped
from core.evals import pins
from core.evals.loading import FOLDER, ScenariosFaulty, load_scenarios
from core.evals.play import play
from core.evals.scenario import Scenario

CATALOGUE = Catalogue.load()
SCENARIOS = {
    f"{journey}/{scenario.name}": scenario
    for journey in CATALOGUE.names()
    for scenario in load_scenarios(shipped() / journey, CATALOGUE.journey(journey).manifest)
}


@pytest.mark.parametrize("name", SCENARIOS)
async def test_a_scenario_comes_out_as_it_is_written_and_pinned(name: str) -> None:
    scenario = SCENARIOS[name]
    record = await play(CATALOGUE, scenario)
    assert [f"{one.guarantee}, turn {one.turn}: {one.detail}" for one in record.broken] == []
    assert [f"{one.kind}, turn {one.turn}: {one.detail}" for one in record.failures] == []
    assert [one.detail for one in pins.compare(shipped() / scenario.journey, record)] == []


def test_there_are_enough_of_them_and_each_tells_and_expects_something() -> None:
    journeys = [scenario.journey for scenario in SCENARIOS.values()]
    assert journeys.count("event") >= 22
    assert journeys.count("request") >= 9
    for name, scenario in SCENARIOS.items():
        assert len(scenario.about) > 40, name
        assert scenario.expect.events or scenario.expect.submission, name
        assert scenario.expect.model_calls is not None, name


@pytest.mark.parametrize("journey", CATALOGUE.names())
def test_nothing_is_pinned_that_no_scenario_plays(journey: str) -> None:
    pinned = {file.stem for file in (shipped() / journey / FOLDER / pins.PINNED).iterdir()}
    assert pinned == {one.name for one in SCENARIOS.values() if one.journey == journey}


@pytest.mark.parametrize("act", ["reload", "say"])
def test_each_card_of_an_event_is_left_and_asked_about(act: str) -> None:
    """At each item, and at the summary, somebody comes back, and somebody asks something of the
    model and is left with the same card."""
    acted_at = {
        entry.open
        for scenario in SCENARIOS.values()
        for entry in scenario.script
        if scenario.journey == "event" and entry.act == act
        if act == "reload" or isinstance(entry.model, str)
    }
    assert {*CATALOGUE.journey("event").manifest.by_name, "summary"} <= acted_at


# What is wrong is told


async def _told(folder: Path, scenario: Scenario) -> list[str]:
    record = await play(CATALOGUE, scenario)
    found = (*record.broken, *pins.compare(folder, record))
    return [f"{one.guarantee}: {one.detail}" for one in found]


async def test_a_wrong_expectation_is_told() -> None:
    scenario = SCENARIOS["request/access_by_taps"]
    wrong = scenario.expect.model_copy(update={"submission": {"system": "crm"}, "model_calls": 3})
    told = await _told(shipped() / "request", scenario.model_copy(update={"expect": wrong}))
    assert told == [
        "expected: system is 'wiki' in the submission, not 'crm'",
        "expected: the model was asked 0 times, not 3",
    ]


async def test_a_wrong_pin_is_told_with_what_it_was_and_is(tmp_path: Path) -> None:
    shutil.copytree(shipped() / "request", tmp_path / "request")
    file = pins.pin_file(tmp_path / "request", "access_by_taps")
    file.write_text(file.read_text("utf-8").replace("By when", "Until when"), "utf-8")
    (told,) = await _told(tmp_path / "request", SCENARIOS["request/access_by_taps"])
    assert told.startswith("pinned: ")
    assert "-  | title: Until when do you need it?" in told
    assert "+  | title: By when do you need it?" in told


def test_a_wrong_name_of_an_item_is_told_with_its_line(tmp_path: Path) -> None:
    folder = tmp_path / "request"
    (folder / FOLDER).mkdir(parents=True)
    text = "about: A typing mistake.\nscript:\n  - at: sistem\n    reload: true\n"
    (folder / FOLDER / "typo.yaml").write_text(text, "utf-8")
    with pytest.raises(ScenariosFaulty) as told:
        load_scenarios(folder, CATALOGUE.journey("request").manifest)
    assert "typo.yaml:3" in str(told.value)
    assert "request has no item sistem" in str(told.value)
