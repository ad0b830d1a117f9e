"""Which step asks an item: its own from the journey, or the one of its kind."""

from __future__ import annotations

from collections.abc import Mapping

from core.manifest import Item, Kind
from core.step.base import Step
from core.step.chips import Attestation, Choice, Choices, YesNo
from core.step.fields import ManyFields
from core.step.form import LongText, OneField
from core.step.picker_dates import DateStep, DatetimeStep, TimeStep
from core.step.picker_entries import EntriesStep
from core.step.picker_people import PersonStep
from core.step.picker_records import RecordStep
from core.step.picker_upload import UploadStep


class UnknownStep(ValueError):
    """A manifest asks for a step that there is not, or that cannot ask this kind of value."""


_FIELD = OneField()

STEPS: dict[Kind, tuple[str, Step]] = {
    Kind.CHOICE: ("chips", Choice()),
    Kind.CHOICES: ("chips", Choices()),
    Kind.YES_NO: ("chips", YesNo()),
    Kind.ATTESTATION: ("chips", Attestation()),
    Kind.SHORT_TEXT: ("form", _FIELD),
    Kind.LONG_TEXT: ("form", LongText()),
    Kind.NUMBER: ("form", _FIELD),
    Kind.MONEY: ("form", _FIELD),
    Kind.DURATION: ("form", _FIELD),
    Kind.EMAIL: ("form", _FIELD),
    Kind.PHONE: ("form", _FIELD),
    Kind.URL: ("form", _FIELD),
    Kind.FORM: ("form", ManyFields()),
    Kind.DATE: ("picker", DateStep()),
    Kind.TIME: ("picker", TimeStep()),
    Kind.DATETIME: ("picker", DatetimeStep()),
    Kind.ENTRIES: ("picker", EntriesStep()),
    Kind.RECORD: ("picker", RecordStep()),
    Kind.UPLOAD: ("picker", UploadStep()),
    Kind.PERSON: ("picker", PersonStep()),
}
"""The step of each kind, and the name that a manifest may call it by."""


def step_for(item: Item, custom: Mapping[str, Step]) -> Step:
    """The step of an item. `custom` are the steps that the journey brings, by name.

    Raises UnknownStep.
    """
    if item.step is not None and item.step in custom:
        return custom[item.step]
    if item.value not in STEPS:
        raise UnknownStep(
            f"item {item.name!r} is of the kind {item.value.value!r}, which the journey's own code "
            f"asks: name one of its steps in `step` (there are: {', '.join(custom) or 'none'})"
        )
    name, step = STEPS[item.value]
    if item.step not in (None, name):
        raise UnknownStep(
            f"item {item.name!r} asks for the step {item.step!r}: a value of the kind "
            f"{item.value.value!r} is asked by {name!r}, or by a step of the journey's own "
            f"(there are: {', '.join(custom) or 'none'})"
        )
    return step
