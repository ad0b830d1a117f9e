"""A journey that is read anew while some of it is open, or waits to be decided."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from core.cards import Summary
from tests.core.admin.desk import (
    ANNA,
    BOB,
    MANIFEST,
    MODERATION,
    OLGA,
    TEXTS,
    Desk,
    desk_of,
    open_house,
    settings_for,
    write_trip,
)

Change = Callable[..., Any]


@pytest.fixture
def changed(tmp_path: Path) -> Change:
    """Write another version, which may have other texts."""

    def write(version: int, texts: Mapping[str, Any] = TEXTS, **parts: Any) -> None:
        data = {"version": version, **parts}
        write_trip(tmp_path / "journeys", data, en=json.dumps(texts))

    return write


async def at_summary(desk: Desk) -> None:
    await desk.commands(ANNA, "new", "trip")
    await desk.says(ANNA, "The sea", "5 February 2031", "skip")
    assert isinstance(desk.card(ANNA), Summary)


def delivered(tmp_path: Path) -> list[dict[str, Any]]:
    file = tmp_path / "data" / "trips.jsonl"
    return (
        [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
    )


async def test_people_look_first_as_soon_as_they_are_to(
    desk: Desk, changed: Change, tmp_path: Path
) -> None:
    await at_summary(desk)
    changed(2, **MODERATION)
    await desk.admin(OLGA, "reload trip")
    await desk.taps(ANNA, "Confirm")
    assert "look at it first" in "\n".join(map(str, desk.shown("test:anna")))
    assert list(desk.room()) == ["moderation-1"]
    await desk.house.deliverer.drain()
    assert delivered(tmp_path) == []
    await desk.admin(OLGA, "approve 1")
    await desk.house.deliverer.drain()
    assert [one["content"]["place"] for one in delivered(tmp_path)] == ["sea"]


async def test_nobody_has_to_look_at_what_is_confirmed_when_that_is_over(
    moderated: Desk, changed: Change, tmp_path: Path
) -> None:
    await at_summary(moderated)
    changed(2)
    await moderated.admin(OLGA, "reload trip")
    await moderated.taps(ANNA, "Confirm")
    assert moderated.room() == {}
    await moderated.house.deliverer.drain()
    assert len(delivered(tmp_path)) == 1


async def test_what_waits_is_decided_where_it_stands_whatever_is_read_anew(
    moderated: Desk, changed: Change, tmp_path: Path
) -> None:
    desk = moderated
    await desk.submits(ANNA)
    changed(2, items=MANIFEST["items"][1:])
    await desk.admin(OLGA, "reload trip")
    assert "is on its way" in await desk.acts(OLGA, "approve 1", post="moderation-1")
    post = desk.room()["moderation-1"]
    assert "Approved by Olga" in post.footer
    assert post.actions == ()
    await desk.house.deliverer.drain()
    assert [one["content"]["place"] for one in delivered(tmp_path)] == ["sea"]


@pytest.mark.parametrize("restarted", [False, True])
async def test_what_is_to_be_changed_meets_the_form_as_it_is_now(
    moderated: Desk, changed: Change, tmp_path: Path, sqlite_url: str, restarted: bool
) -> None:
    await moderated.submits(ANNA)
    place = {"name": "place", "value": "choice", "options": ["hills", "woods"]}
    options = {"hills": "The hills", "woods": "The woods"}
    words = {**TEXTS["items"]["place"], "options": options}
    texts = {**TEXTS, "items": {**TEXTS["items"], "place": words}}
    changed(2, texts, items=[place, *MANIFEST["items"][1:]], **MODERATION)
    await moderated.admin(OLGA, "reload trip")
    await moderated.admin(OLGA, "changes 1 Please go inland.")
    assert "Please go inland." in str(moderated.shown("test:anna"))
    assert isinstance(moderated.card(ANNA), Summary)
    if not restarted:
        # The form of before can be asked to its end.
        await moderated.taps(ANNA, "Place")
        await moderated.taps(ANNA, "The hills")
        await moderated.taps(ANNA, "Confirm")
        assert list(moderated.room()) == ["moderation-1", "moderation-2"]
        return
    url = str(moderated.house.settings.database_url)
    async with open_house(settings_for(tmp_path, url)) as house:
        desk = desk_of(house)
        desk.screens.shown = moderated.screens.shown
        await desk.taps(ANNA, "Confirm")
        sent = await house.store.submissions("test:anna")
        assert len(sent) == 1
        assert desk.card(ANNA).item == "place"
        await desk.taps(ANNA, "The woods")
        await desk.taps(ANNA, "Confirm")
        assert list(desk.room()) == ["moderation-1", "moderation-2"]
        assert "The woods" in str(desk.room()["moderation-2"].lines)


async def test_who_reads_anew_is_told_what_becomes_of_what_is_open(
    desk: Desk, changed: Change, tmp_path: Path
) -> None:
    await desk.commands(BOB, "new", "trip")
    hall = {"name": "hall", "value": "record", "records": "halls"}
    tool = {"name": "find", "description": "x", "records": "halls", "item": "hall"}
    parts = {"directories": {"halls": "halls.csv"}, "tools": [tool]}
    texts = {**TEXTS, "items": {**TEXTS["items"], "hall": {"label": "Hall", "ask": "Which?"}}}
    (tmp_path / "journeys/trip/halls.csv").write_text("id,label\n1,Mill\n")
    changed(2, texts, items=[*MANIFEST["items"], hall], **parts)
    assert "stay on the version that they have" in await desk.admin(OLGA, "reload trip")

    changed(3)
    answer = await desk.admin(OLGA, "reload trip")
    assert "they keep what still fits, and ask again what changed" in answer


async def test_what_was_erased_meanwhile_is_told_to_be_gone(
    moderated: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, store = moderated, moderated.house.store
    number = await desk.submits(ANNA)
    decide = store.decide

    async def late(*given: Any) -> Any:
        await store.ask_to_erase("test:anna", "test:anna")
        for chore in desk.house.chores:
            await chore.do()
        return await decide(*given)

    monkeypatch.setattr(store, "decide", late)
    answer = await desk.admin(OLGA, f"approve {number}")
    assert answer == f"There is no submission with the number {number}."
