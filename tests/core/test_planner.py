"""What a write does to a draft, one rule at a time."""

from __future__ import annotations

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
