"""The judges' own reckoning of what is owed and what a change takes with it: as it is meant, and on
any manifest the same as the planner's, with which it shares no line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import planner
from core.draft import Draft
from core.evals import owing
from core.manifest import Condition, Manifest, condition_from
from tests.core.test_planner_oracle import manifests, put
from tests.support.journeys import dinner

DINNER = dinner().manifest
HALL = {"id": "h1", "label": "Old Mill", "capacity": 80}
FULL: dict[str, Any] = {
    "format": "in_person",
    "hall": HALL,
    "seats": 50,
    "day": "2026-12-24",
    "start": "19:00",
    "guests": None,
    "title": "Winter Dinner",
    "about": "Food and stories.",
}


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in FULL.items() if name not in names}


def test_nothing_is_owed_of_a_full_dinner() -> None:
    assert owing.owed(DINNER, FULL) == ()
    assert owing.counting(DINNER, FULL) == FULL


def test_what_a_step_asks_for_is_owed_even_where_it_may_be_left_out() -> None:
    assert owing.owed(DINNER, without("guests", "title")) == ("guests", "title")


def test_what_cannot_be_told_yet_is_owed() -> None:
    assert owing.owed(DINNER, {})[:3] == ("format", "hall", "link")
    online = {"format": "online"}
    assert owing.owed(DINNER, online)[:2] == ("link", "seats")
    assert owing.belonging(DINNER, online)["hall"] is False


@pytest.mark.parametrize(
    "changed, gone",
    [
        ({"hall": {**HALL, "id": "h2"}}, {"seats"}),
        ({"format": "online"}, {"hall", "seats"}),
        ({"day": "2026-12-25"}, set()),
        ({"hall": {**HALL, "id": "h2"}, "seats": 30}, set()),
    ],
)
def test_a_change_takes_with_it_what_leans_on_it_and_nothing_else(
    changed: dict[str, Any], gone: set[str]
) -> None:
    assert owing.invalidated(DINNER, {**FULL, **changed}, set(changed)) == gone


HELD = {"a": 5, "b": ["x", "y"], "c": {"amount": "7.50"}, "d": None, "e": {"id": "h1"}}


@pytest.mark.parametrize(
    "written, holds",
    [
        ({"a": {"at_least": 5}}, True),
        ({"a": {"at_least": 6}}, False),
        ({"c": {"at_most": 8}}, True),
        ({"b": ["y", "z"]}, True),
        ({"b": {"none_of": ["y"]}}, False),
        ({"d": {"given": False}}, True),
        ({"d": {"given": True}}, False),
        ({"d": {"at_least": 0}}, False),
        ({"e": "h1"}, True),
        ({"any": [{"a": 4}, {"e": "h1"}]}, True),
        ({"any": [{"a": 4}, {"open": 1}]}, None),
        ({"none": [{"a": 4}]}, True),
        ({"none": [{"a": 5}]}, False),
        ({"none": [{"open": 1}]}, None),
        ({"a": 4, "open": 1}, False),
    ],
)
def test_conditions(written: dict[str, Any], holds: bool | None) -> None:
    items: list[dict[str, Any]] = [{"name": name, "value": "custom"} for name in (*HELD, "open")]
    when = Condition.model_validate(condition_from(written))
    items.append({"name": "judged", "value": "custom", "when": when})
    manifest = Manifest.model_validate({"name": "one", "version": 1, "items": items})
    assert owing.belonging(manifest, HELD)["judged"] is holds


@given(manifests(), st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2)), max_size=40))
def test_it_comes_to_the_same_as_the_planner(
    manifest: Manifest, answers: list[tuple[int, int]]
) -> None:
    draft, names = Draft(), [item.name for item in manifest.items]
    truths = {planner.Truth.YES: True, planner.Truth.NO: False, planner.Truth.UNKNOWN: None}
    for number, value in answers:
        name = names[number % len(names)]
        if not planner.askable(manifest, draft, manifest.item(name)):
            continue
        before, written = draft.plain(), put(manifest, draft, name, value)
        draft = written.draft
        changed = {name} if before.get(name, object()) != value else set()
        gone = owing.invalidated(manifest, {**before, name: value}, changed)
        assert gone == {*written.lost, *written.hidden}
        there = {one: truths[truth] for one, truth in planner.belonging(manifest, draft).items()}
        assert owing.belonging(manifest, draft.plain()) == there
        assert owing.counting(manifest, draft.plain()) == planner.content(manifest, draft)
        is_done = not planner.owed(manifest, draft) and planner.next_item(manifest, draft) is None
        assert (owing.owed(manifest, draft.plain()) == ()) == is_done
