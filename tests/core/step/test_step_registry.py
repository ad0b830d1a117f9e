"""Which step asks an item."""

from __future__ import annotations

import pytest

from core.step.base import Step
from core.step.chips import Choice
from core.step.form import OneField
from core.step.picker_dates import DateStep
from core.step.registry import STEPS, UnknownStep, step_for
from tests.support.scenes import item_of


def test_a_kind_has_its_step_and_may_be_called_by_its_name() -> None:
    assert isinstance(step_for(item_of("date"), {}), DateStep)
    assert isinstance(step_for(item_of("date", step="picker"), {}), DateStep)
    assert isinstance(step_for(item_of("choice", options=["a"], step="chips"), {}), Choice)
    assert isinstance(step_for(item_of("number", step="form"), {}), OneField)


def test_a_journeys_own_step_wins() -> None:
    own = Choice()
    assert step_for(item_of("custom", step="seat_map"), {"seat_map": own}) is own
    assert step_for(item_of("date", step="moon"), {"moon": own, "sun": DateStep()}) is own


@pytest.mark.parametrize(
    "value, step, said",
    [
        ("date", "chips", "'picker'"),
        ("date", "moon", "(there are: tide)"),
        ("custom", None, "name one of its steps"),
        ("custom", "moon", "(there are: tide)"),
    ],
)
def test_a_step_that_there_is_not_says_which_there_are(
    value: str, step: str | None, said: str
) -> None:
    with pytest.raises(UnknownStep) as failed:
        step_for(item_of(value, step=step), {"tide": Choice()})
    assert said in str(failed.value)
    assert "'it'" in str(failed.value)


def test_every_step_is_a_step() -> None:
    assert all(isinstance(step, Step) for _, step in STEPS.values())
