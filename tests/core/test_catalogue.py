"""The journeys at hand: what is faulty is left out, what came before is kept, tools are carried
out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from core.catalogue import Catalogue, journey_folders
from core.step.base import Fetch, Fetched
from core.store import Store
from tests.support.folders import ENGLISH, MANIFEST, write


@pytest.fixture
async def store(sqlite_url: str) -> AsyncIterator[Store]:
    store = await Store.open(sqlite_url)
    await store.migrate()
    yield store
    await store.close()


def trip(folder: Path, name: str = "trip", **files: Any) -> Path:
    manifest = files.pop("manifest", MANIFEST).replace("name: trip", f"name: {name}")
    return write(folder / name, manifest=manifest, **files)


def test_every_folder_with_a_manifest_is_a_journey(tmp_path: Path) -> None:
    trip(tmp_path)
    trip(tmp_path, "outing")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "notes.txt").write_text("no journey")
    assert [folder.name for folder in journey_folders(tmp_path)] == ["outing", "trip"]
    catalogue = Catalogue.load(tmp_path)
    assert catalogue.names() == ("outing", "trip")
    assert catalogue.journey("trip").folder == tmp_path / "trip"


def test_a_faulty_journey_is_reported_and_the_others_are_served(tmp_path: Path) -> None:
    trip(tmp_path)
    trip(tmp_path, "broken", manifest=MANIFEST.replace("choice", "chioce"))
    trip(tmp_path, "worse", manifest="name: [")
    catalogue = Catalogue.load(tmp_path)
    assert catalogue.names() == ("trip",)
    assert {name: len(faults) for name, faults in catalogue.faulty.items()} == {
        "broken": 1,
        "worse": 1,
    }
    assert catalogue.faulty["broken"][0].line == 5
    assert catalogue.latest("broken") is None


def test_a_journey_that_there_is_not_is_named_with_those_there_are(tmp_path: Path) -> None:
    trip(tmp_path)
    with pytest.raises(KeyError, match="there is no journey tour; there are: trip"):
        Catalogue.load(tmp_path).journey("tour")


# Versions

LONGER = MANIFEST.replace("minimum: today", "minimum: today\n  - name: note\n    value: long_text")
LONGER_ENGLISH = ENGLISH + "  note: {label: Note, ask: Anything else?}\n"


async def test_a_journey_stays_on_its_version_while_it_can_still_be_asked(
    tmp_path: Path, store: Store
) -> None:
    trip(tmp_path, manifest=LONGER, en=LONGER_ENGLISH)
    before = Catalogue.load(tmp_path)
    await before.keep(store)
    first = before.journey("trip").manifest

    trip(tmp_path, manifest=LONGER.replace("version: 1", "version: 2"), en=LONGER_ENGLISH)
    after = Catalogue.load(tmp_path)
    assert after.version("trip", first.digest) is None
    await after.keep(store)
    kept = after.version("trip", first.digest)
    assert kept is not None
    assert kept.manifest == first
    latest = after.latest("trip")
    assert latest is not None
    assert latest.manifest.version == 2
    assert after.version("trip", latest.manifest.digest) is latest


@pytest.mark.parametrize(
    "files",
    [
        {"manifest": MANIFEST, "en": ENGLISH},
        {"manifest": LONGER.replace("long_text", "date"), "en": ENGLISH + "  note: {label: X}\n"},
    ],
    ids=["its texts are gone", "one text is gone"],
)
async def test_a_version_that_nobody_can_ask_any_more_is_not_at_hand(
    tmp_path: Path, store: Store, files: dict[str, str]
) -> None:
    trip(tmp_path, manifest=LONGER, en=LONGER_ENGLISH)
    before = Catalogue.load(tmp_path)
    await before.keep(store)
    first = before.journey("trip").manifest

    trip(tmp_path, **files)
    after = Catalogue.load(tmp_path)
    await after.keep(store)
    assert after.version("trip", first.digest) is None


PYTHON = """
    from core.step.base import Fetched
    from core.step.picker_dates import DateStep

    async def hours(arguments, settled):
        return Fetched(total=len(arguments) + 10 * len(settled))

    STEPS = {"when": DateStep()}
    TOOLS = {"hours": hours}
"""
OWN = MANIFEST.replace("value: date\n    minimum: today", "value: custom\n    step: when")
OWN += "tools: [{name: hours, description: Opening hours}]\n"


async def test_a_version_whose_step_is_gone_is_not_at_hand(tmp_path: Path, store: Store) -> None:
    trip(tmp_path, manifest=OWN, journey=PYTHON)
    before = Catalogue.load(tmp_path)
    await before.keep(store)
    first = before.journey("trip").manifest

    folder = trip(tmp_path)
    (folder / "journey.py").unlink()
    after = Catalogue.load(tmp_path)
    await after.keep(store)
    assert after.names() == ("trip",)
    assert after.version("trip", first.digest) is None


@pytest.mark.parametrize("name", ["event", "request"])
async def test_a_kept_version_is_the_very_manifest(store: Store, name: str) -> None:
    catalogue = Catalogue.load()
    await catalogue.keep(store)
    await catalogue.keep(store)
    manifest = catalogue.journey(name).manifest
    content = await store.manifest(name, manifest.digest)
    assert content is not None
    assert type(manifest).model_validate_json(content) == manifest
    assert type(manifest).model_validate_json(content).digest == manifest.digest


# Tools


async def test_a_function_of_the_journey_gets_the_arguments_and_what_is_settled(
    tmp_path: Path, store: Store
) -> None:
    trip(tmp_path, manifest=OWN, journey=PYTHON)
    catalogue = Catalogue.load(tmp_path)
    tools = catalogue.tools(store)
    fetch = Fetch(journey="trip", tool="hours", arguments={"day": "x"}, settled={"a": 1, "b": 2})
    assert await tools(fetch) == Fetched(total=21)


async def test_a_tool_that_there_is_not_fails_in_words(tmp_path: Path, store: Store) -> None:
    trip(tmp_path)
    found = await Catalogue.load(tmp_path).tools(store)(Fetch(journey="trip", tool="hours"))
    assert found == Fetched(failed="there is no tool named hours")


async def test_directories_of_two_journeys_have_nothing_to_do_with_each_other(
    tmp_path: Path, store: Store
) -> None:
    halls = MANIFEST.replace(
        "destinations:",
        "  - {name: hall, value: record, records: halls}\n"
        "directories: {halls: halls.csv}\n"
        "tools:\n  - {name: find, description: x, records: halls, item: hall}\n"
        "destinations:",
    )
    english = ENGLISH + "  hall: {label: Hall, ask: Which?}\n"
    for name, label in (("trip", "Mill"), ("tour", "Barn")):
        rows = f"id,label\n1,{label}\n"
        trip(tmp_path, name, manifest=halls, en=english, halls=rows)
    catalogue = Catalogue.load(tmp_path)
    await catalogue.keep(store)
    for name, label in (("trip", "Mill"), ("tour", "Barn")):
        found = await catalogue.tools(store)(Fetch(journey=name, tool="find"))
        assert [record.label for record in found.records] == [label]


# Read anew

HALLS = MANIFEST.replace(
    "destinations:",
    "  - {name: hall, value: record, records: halls}\n"
    "  - {name: seats, value: number, maximum: hall.capacity, depends_on: [hall]}\n"
    "directories: {halls: halls.csv}\n"
    "tools:\n  - {name: find, description: x, records: halls, item: hall}\n"
    "destinations:",
)
HALLS_ENGLISH = (
    ENGLISH + "  hall: {label: Hall, ask: Which?}\n  seats: {label: Seats, ask: How many?}\n"
)
ROWS = "id,label,capacity\n1,Mill,80\n"


async def with_halls(folder: Path, store: Store) -> tuple[Catalogue, str]:
    trip(folder, manifest=HALLS, en=HALLS_ENGLISH, halls=ROWS)
    catalogue = Catalogue.load(folder)
    await catalogue.keep(store)
    return catalogue, catalogue.journey("trip").manifest.digest


async def test_a_tool_that_was_renamed_is_still_there_for_what_is_open(
    tmp_path: Path, store: Store
) -> None:
    catalogue, first = await with_halls(tmp_path, store)
    renamed = HALLS.replace("name: find,", "name: look_up,")
    trip(tmp_path, manifest=renamed, en=HALLS_ENGLISH, halls=ROWS)
    await catalogue.reload("trip", store)
    assert catalogue.version("trip", first) is not None
    for tool in ("find", "look_up"):
        found = await catalogue.tools(store)(Fetch(journey="trip", tool=tool))
        assert [record.label for record in found.records] == ["Mill"], tool


async def test_a_tool_that_was_renamed_is_still_there_after_a_restart(
    tmp_path: Path, store: Store
) -> None:
    _, first = await with_halls(tmp_path, store)
    renamed = HALLS.replace("name: find,", "name: look_up,")
    trip(tmp_path, manifest=renamed, en=HALLS_ENGLISH, halls=ROWS)
    after = Catalogue.load(tmp_path)
    await after.keep(store)
    assert after.version("trip", first) is not None
    found = await after.tools(store)(Fetch(journey="trip", tool="find"))
    assert [record.label for record in found.records] == ["Mill"]


async def test_a_version_whose_records_lack_a_column_now_is_not_at_hand_any_more(
    tmp_path: Path, store: Store
) -> None:
    catalogue, first = await with_halls(tmp_path, store)
    without = HALLS.replace(", maximum: hall.capacity, depends_on: [hall]", "")
    trip(tmp_path, manifest=without, en=HALLS_ENGLISH, halls="id,label\n1,Mill\n")
    await catalogue.reload("trip", store)
    assert catalogue.version("trip", first) is None


async def test_what_cannot_be_asked_any_more_goes_however_old_it_is(
    tmp_path: Path, store: Store
) -> None:
    catalogue, first = await with_halls(tmp_path, store)
    trip(
        tmp_path,
        manifest=HALLS.replace("version: 1", "version: 2"),
        en=HALLS_ENGLISH,
        halls=ROWS,
    )
    await catalogue.reload("trip", store)
    assert catalogue.version("trip", first) is not None
    trip(tmp_path)
    await catalogue.reload("trip", store)
    assert catalogue.version("trip", first) is None


async def test_a_version_that_is_read_anew_is_back_as_it_is_now(
    tmp_path: Path, store: Store
) -> None:
    trip(tmp_path)
    catalogue = Catalogue.load(tmp_path)
    await catalogue.keep(store)
    first = catalogue.journey("trip").manifest
    trip(tmp_path, manifest=MANIFEST.replace("version: 1", "version: 2"))
    await catalogue.reload("trip", store)
    trip(tmp_path, en=ENGLISH.replace("When?", "On which day?"))
    await catalogue.reload("trip", store)
    found = catalogue.version("trip", first.digest)
    assert found is not None
    assert found.speak("en").of("day", "ask") == "On which day?"
