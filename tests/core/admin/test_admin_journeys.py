"""Journeys run from the chat: paused, read anew, and how long they may lie open."""

from __future__ import annotations

import json
from pathlib import Path

from core.state import is_open
from tests.core.admin.desk import (
    ANNA,
    BOB,
    MANIFEST,
    OLGA,
    TEXTS,
    Desk,
    desk_of,
    open_house,
    settings_for,
    write_trip,
)


async def test_journeys_are_listed_with_their_version_and_how_many_are_open(desk: Desk) -> None:
    await desk.commands(ANNA, "new", "trip")
    answer = await desk.admin(OLGA, "journeys")
    digest = desk.house.catalogue.journey("trip").manifest.digest
    assert f"trip: version 1 ({digest}) · open: 1" in answer
    assert [one.command for one in desk.last_post(OLGA).actions] == ["pause trip"]


async def test_a_paused_journey_begins_no_new_one_and_open_ones_go_on(desk: Desk) -> None:
    await desk.commands(ANNA, "new", "trip")
    assert "trip is paused" in await desk.admin(OLGA, "pause trip")
    assert "trip is paused" in await desk.admin(OLGA, "pause trip")

    assert "“A trip” cannot be started at the moment" in await desk.commands(BOB, "new", "trip")
    assert "cannot be started" in await desk.says(BOB, "hello")
    assert not is_open(await desk.state(BOB))
    assert "cannot be started" in await desk.commands(ANNA, "restart")
    assert "Place: The sea" in await desk.says(ANNA, "The sea")
    assert "paused" in await desk.admin(OLGA, "journeys")

    assert "can be begun again" in await desk.admin(OLGA, "resume trip")
    await desk.commands(BOB, "new", "trip")
    assert is_open(await desk.state(BOB))
    assert await desk.records() == [
        ("test:olga", "pause", "trip", "done"),
        ("test:olga", "pause", "trip", "already done"),
        ("test:olga", "journeys", "", "shown"),
        ("test:olga", "resume", "trip", "done"),
    ]


async def test_with_everything_paused_there_is_nothing_to_choose_from(desk: Desk) -> None:
    await desk.admin(OLGA, "pause trip")
    assert "nothing to start at the moment" in await desk.commands(ANNA, "new", "nonsense")


async def test_another_process_sees_what_is_set(
    desk: Desk, tmp_path: Path, sqlite_url: str
) -> None:
    async with open_house(settings_for(tmp_path, sqlite_url)) as house:
        other = desk_of(house)
        watch = house.runtime.doors[-1].office.watch  # type: ignore[attr-defined]
        watch.fresh = 0.0
        await other.says(BOB, "hello")
        await desk.admin(OLGA, "pause trip")
        assert "cannot be started" in await other.commands(ANNA, "new", "trip")


async def test_a_manifest_is_read_anew_and_open_journeys_stay_on_their_version(
    desk: Desk, tmp_path: Path
) -> None:
    await desk.commands(ANNA, "new", "trip")
    fewer = {key: text for key, text in TEXTS["items"].items() if key != "notes"}
    write_trip(
        tmp_path / "journeys",
        {"version": 2, "items": MANIFEST["items"][:2]},
        en=json.dumps({**TEXTS, "items": fewer}),
    )
    assert "version 2" in await desk.admin(OLGA, "reload trip")

    await desk.says(ANNA, "The sea", "5 February 2031")
    assert desk.card(ANNA).item == "notes"
    await desk.commands(BOB, "new", "trip")
    await desk.says(BOB, "The sea", "5 February 2031")
    assert desk.card(BOB).title == "Is everything right?"


async def test_a_faulty_manifest_is_shown_its_faults_and_the_old_one_stays(
    desk: Desk, tmp_path: Path
) -> None:
    wrong = [{"name": "place", "value": "coice"}]
    write_trip(tmp_path / "journeys", {"items": wrong})
    answer = await desk.admin(OLGA, "reload trip")
    assert "trip has faults" in answer
    assert "manifest.yaml:1: " in answer
    assert "Did you mean choice?" in answer
    await desk.commands(ANNA, "new", "trip")
    assert desk.card(ANNA).item == "place"
    assert (await desk.records())[-1] == ("test:olga", "reload", "trip", "faulty")


async def test_a_journey_that_was_left_out_is_served_when_it_is_mended(
    tmp_path: Path, sqlite_url: str
) -> None:
    write_trip(tmp_path / "journeys", {"items": []})
    async with open_house(settings_for(tmp_path, sqlite_url)) as house:
        desk = desk_of(house)
        assert "left out, faults: " in await desk.admin(OLGA, "journeys")
        write_trip(tmp_path / "journeys")
        assert "version 1" in await desk.admin(OLGA, "reload trip")
        await desk.commands(ANNA, "new", "trip")
        assert desk.card(ANNA).item == "place"


async def test_another_process_reads_it_anew_too(
    desk: Desk, tmp_path: Path, sqlite_url: str
) -> None:
    async with open_house(settings_for(tmp_path, sqlite_url)) as house:
        other = desk_of(house)
        watch = house.runtime.doors[-1].office.watch  # type: ignore[attr-defined]
        watch.fresh = 0.0
        await other.says(BOB, "hello")
        texts = {**TEXTS, "title": "A long trip"}
        write_trip(tmp_path / "journeys", {"version": 2}, en=json.dumps(texts))
        await desk.admin(OLGA, "reload trip")
        await other.commands(ANNA, "mine")
        assert house.catalogue.journey("trip").manifest.version == 2


async def test_reminders_and_expiry_are_set_for_all_or_for_one(desk: Desk) -> None:
    assert await desk.admin(OLGA, "nudge 12") == (
        "For every journey, people are reminded once, 12 hours after they left."
    )
    assert "nobody is reminded" in await desk.admin(OLGA, "nudge trip off")
    assert "put away after 5 days" in await desk.admin(OLGA, "expire trip 5")
    assert await desk.house.store.switches() == {
        "nudge": "12",
        "nudge:trip": "off",
        "expire:trip": "5",
    }
    await desk.admin(OLGA, "journeys")
    assert desk.last_post(OLGA).footer.splitlines() == [
        "For trip, what was left is put away after 5 days.",
        "For every journey, people are reminded once, 12 hours after they left.",
        "For trip, nobody is reminded any more.",
    ]
    assert "from 1 to 3650" in await desk.admin(OLGA, "expire 0")
