"""What a write does to a draft, one rule at a time."""

from __future__ import annotations

import msgspec
import pytest

from core import planner
from core.draft import Draft, Source
from tests.support.journeys import dinner

MANIFEST = dinner().manifest


def put(draft: Draft, name: str, value: object, turn: int = 1) -> planner.Written:
    return planner.write(MANIFEST, draft, name, value, source=Source.TYPED, turn=turn)


def test_a_changed_value_keeps_what_it_was_with_source_and_turn() -> None:
    draft = put(put(Draft(), "format", "online", 1).draft, "format", "in_person", 4).draft
    (past,) = draft.values["format"].past
    assert (past.value, past.source, past.turn) == ("online", Source.TYPED, 1)


def test_only_so_many_earlier_values_are_remembered_however_often_it_changes() -> None:
    draft = Draft()
    for turn in range(200):
        draft = put(draft, "format", ["online", "in_person"][turn % 2], turn).draft
    past = draft.values["format"].past
    assert len(past) == planner.REMEMBERED
    assert past[-1].turn == 198


def test_of_long_texts_the_newest_are_remembered_as_far_as_there_is_room() -> None:
    draft = Draft()
    for turn in range(50):
        draft = put(draft, "about", f"{turn:03}" + "x" * 3_000, turn).draft
    past = draft.values["about"].past
    assert [one.turn for one in past] == [47, 48]
    assert len(msgspec.json.encode(past)) <= planner.REMEMBERED_BYTES


def test_the_last_value_is_remembered_however_long_it_was() -> None:
    long = "x" * (planner.REMEMBERED_BYTES * 2)
    draft = put(put(Draft(), "about", long).draft, "about", "short", 2).draft
    assert [one.value for one in draft.values["about"].past] == [long]


def test_the_same_value_again_changes_nothing_and_takes_nothing_away() -> None:
    draft = put(put(Draft(), "format", "in_person").draft, "hall", {"id": "h1"}).draft
    draft = put(draft, "seats", 50).draft
    again = put(draft, "hall", {"id": "h1"})
    assert not again.changed
    assert again.lost == ()
    assert again.draft.plain() == draft.plain()


def test_a_value_is_not_written_before_what_it_depends_on() -> None:
    with pytest.raises(planner.NotYet):
        put(put(Draft(), "format", "in_person").draft, "seats", 50)


def test_a_condition_on_an_open_item_is_unknown_and_never_quietly_false() -> None:
    assert planner.belonging(MANIFEST, Draft())["hall"] is planner.Truth.UNKNOWN
    assert "hall" in planner.owed(MANIFEST, Draft())
