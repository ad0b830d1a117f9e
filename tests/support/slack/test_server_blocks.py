"""What is no Block Kit is refused with the place of the fault."""

from __future__ import annotations

import pytest

from tests.support.slack.block_samples import (
    BAD,
    BAD_VIEWS,
    GOOD,
    actions,
    button,
    choice,
    choices,
    field,
    modal,
    plain,
    section,
)
from tests.support.slack.checking import check_options, faults_of, view_faults_of


@pytest.mark.parametrize("name", GOOD)
def test_what_block_kit_allows_is_taken(name: str) -> None:
    assert faults_of([GOOD[name]]) == []


@pytest.mark.parametrize("name", BAD)
def test_what_breaks_a_rule_is_refused_with_its_place(name: str) -> None:
    block, why = BAD[name]
    faults = faults_of([block])
    assert any(why in fault for fault in faults), faults
    assert all("[json-pointer:/blocks" in fault for fault in faults)


@pytest.mark.parametrize("name", BAD_VIEWS)
def test_a_view_that_breaks_a_rule_is_refused(name: str) -> None:
    view, why = BAD_VIEWS[name]
    faults = view_faults_of(view)
    assert any(why in fault for fault in faults), faults


def test_a_view_is_taken_up_to_its_limits() -> None:
    full = modal(
        *[section()] * 99,
        field({"type": "file_input", "max_files": 10}),
        submit=plain("x" * 24),
        close=plain("x" * 24),
        private_metadata="x" * 3000,
        callback_id="x" * 255,
        notify_on_close=True,
    )
    assert view_faults_of(full) == []
    assert view_faults_of({"type": "home", "blocks": [actions(button())]}) == []


def test_blocks_are_looked_at_together() -> None:
    assert "no more than 50" in faults_of([section()] * 51)[0]
    twice = [section(block_id="b"), section(block_id="b")]
    assert '`block_id` "b" already exists' in faults_of(twice)[0]
    assert faults_of([actions(button(action_id="a")), actions(button(action_id="a"))]) == []
    assert faults_of([section("x" * 3000)] * 4) == []
    assert faults_of([section("x" * 3000)] * 5) == ["msg_blocks_too_long"]
    halves = [{"type": "markdown", "text": "x" * 6001}] * 2
    assert "markdown blocks must be less than" in faults_of(halves)[0]


def test_an_answer_to_a_search_has_at_most_100_options() -> None:
    assert check_options({"options": []}) == []
    assert check_options({"options": choices(100)}) == []
    assert "no more than 100" in check_options({"options": choices(101)})[0]
    assert "less than 76" in check_options({"options": [choice("x" * 76)]})[0]
    assert check_options({"option_groups": [{"label": plain("A"), "options": choices(1)}]}) == []
    assert check_options({}) != []
