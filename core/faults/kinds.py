"""Kinds: each item has what its kind needs, and nothing that means nothing for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.faults.base import Fault, Known, at, called, listed, meant
from core.manifest import Gather, Item, Kind, Manifest
from core.step.registry import STEPS

TALK_KINDS = frozenset(
    {
        Kind.SHORT_TEXT,
        Kind.LONG_TEXT,
        Kind.ENTRIES,
        Kind.NUMBER,
        Kind.MONEY,
        Kind.DATE,
        Kind.TIME,
        Kind.DATETIME,
        Kind.DURATION,
        Kind.EMAIL,
        Kind.PHONE,
        Kind.URL,
    }
)
"""What a quote of the person's own words can hold by itself. A yes is a yes only to a question, an
option is named in many ways, and a record, a file or an attestation is never words."""

TEXTS = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT})
RANGED = frozenset({Kind.NUMBER, Kind.MONEY, Kind.DURATION, Kind.DATE, Kind.TIME, Kind.DATETIME})
_TYPED = TEXTS | {Kind.EMAIL, Kind.PHONE, Kind.URL}

MEANINGFUL: dict[str, frozenset[Kind]] = {
    "options": frozenset({Kind.CHOICE, Kind.CHOICES}),
    "fields": frozenset({Kind.FORM}),
    "records": frozenset({Kind.RECORD}),
    "minimum": RANGED,
    "maximum": RANGED,
    "count": frozenset({Kind.CHOICES, Kind.ENTRIES}),
    "whole": frozenset({Kind.NUMBER}),
    "currency": frozenset({Kind.MONEY}),
    "min_length": TEXTS | {Kind.ENTRIES},
    "max_length": _TYPED | {Kind.ENTRIES},
    "accepts": frozenset({Kind.UPLOAD}),
    "max_bytes": frozenset({Kind.UPLOAD}),
    "draftable": TEXTS,
    "somebody_else": frozenset({Kind.PERSON}),
}
"""The properties that mean something for some kinds only. A custom step may use any of them."""
_WORDY_FIELDS = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT})


def kind_faults(manifest: Manifest, known: Known) -> Iterator[Fault]:
    """Faults of what items have for their kind."""
    for number, item in enumerate(manifest.items):
        yield from _meaningless(number, item)
        yield from _gathered(number, item)
        needs = _NEEDS.get(item.value)
        if needs is not None:
            yield from needs(manifest, number, item)
        yield from _step(number, item, known)


def _meaningless(number: int, item: Item) -> Iterator[Fault]:
    if item.value is Kind.CUSTOM:
        return
    for key, kinds in MEANINGFUL.items():
        if key in item.model_fields_set and item.value not in kinds:
            of = listed(sorted(kind.value for kind in kinds))
            yield Fault(
                at(number, key),
                f"{called(item)}: {key} means nothing for a {item.value.value} item",
                f"Take it out; it is for {of}.",
            )


def _gathered(number: int, item: Item) -> Iterator[Fault]:
    if item.gather is Gather.TALK and item.value not in TALK_KINDS:
        yield Fault(
            at(number, "gather"),
            f"{called(item)}: the talk cannot bring a {item.value.value} item",
            "Take it out, so that a step gathers it.",
        )
    if item.draftable and item.gather is not Gather.TALK:
        yield Fault(
            at(number, "draftable"),
            f"{called(item)}: the model drafts only what the talk gathers",
            "Write gather: talk, or take draftable out.",
        )


def _step(number: int, item: Item, known: Known) -> Iterator[Fault]:
    usual = STEPS[item.value][0] if item.value in STEPS else None
    if item.value is Kind.CUSTOM and item.step is None:
        yield Fault(
            at(number, "value"),
            f"{called(item)}: nothing says which step asks it",
            "Write step: and the name of a step in STEPS of journey.py.",
        )
    elif known.steps is not None and item.step not in (None, usual, *known.steps):
        names = [*sorted(known.steps), *filter(None, [usual])]
        yield Fault(
            at(number, "step"),
            f"{called(item)}: journey.py has no step named {item.step} in STEPS",
            meant(str(item.step), names, f"Add {item.step} to STEPS in journey.py."),
        )


def _options(manifest: Manifest, number: int, item: Item) -> Iterator[Fault]:
    least = 2 if item.value is Kind.CHOICE else 1
    if len(item.options) < least:
        yield Fault(
            at(number, "options"),
            f"{called(item)}: there is nothing to choose from",
            "Write options: [first, second], with at least two of them.",
        )
    yield from _count(manifest, number, item)
    if item.count and item.options and item.count[0] > len(item.options):
        yield Fault(
            at(number, "count"),
            f"{called(item)}: it asks for {item.count[0]} of {len(item.options)} options",
            "Write a smaller count, or add options.",
        )


def _count(manifest: Manifest, number: int, item: Item) -> Iterator[Fault]:
    low, high = item.count or (1, 1)
    if low > high or low < 1:
        yield Fault(
            at(number, "count"),
            f"{called(item)}: count is [{low}, {high}]",
            "Write the smallest number first, from 1: count: [1, 20]. For none at all, write "
            "required: false.",
        )


def _fields(manifest: Manifest, number: int, item: Item) -> Iterator[Fault]:
    if not item.fields:
        yield Fault(
            at(number, "value"),
            f"{called(item)}: a form without fields",
            "Write fields:, a list of {name: ..., value: ...}.",
        )
    for place, one in enumerate(item.fields):
        if one.max_length is not None and one.value not in _WORDY_FIELDS:
            yield Fault(
                at(number, "fields", place, "max_length"),
                f"{called(item)}: max_length means nothing for the {one.value.value} field "
                f"{one.name}",
                "Take it out; it is for long_text or short_text.",
            )


def _record(manifest: Manifest, number: int, item: Item) -> Iterator[Fault]:
    serving = [
        tool
        for tool in manifest.tools
        if tool.item == item.name or (item.records is not None and tool.records == item.records)
    ]
    if item.records is not None and item.records not in manifest.directories:
        yield Fault(
            at(number, "records"),
            f"{called(item)}: there is no directory named {item.records}",
            meant(
                item.records,
                manifest.directories,
                f"Write directories: {{{item.records}: {item.records}.csv}}.",
            ),
        )
    elif not serving:
        yield Fault(
            at(number, "value"),
            f"{called(item)}: no tool finds its records",
            f"Give a tool item: {item.name}, and records: with the name of a directory.",
        )


def _lengths(manifest: Manifest, number: int, item: Item) -> Iterator[Fault]:
    low, high = item.min_length, item.max_length
    if low is not None and high is not None and low > high:
        yield Fault(
            at(number, "min_length"),
            f"{called(item)}: min_length {low} is more than max_length {high}",
            "Write the smaller number under min_length.",
        )


def _entries(manifest: Manifest, number: int, item: Item) -> Iterator[Fault]:
    yield from _count(manifest, number, item)
    yield from _lengths(manifest, number, item)


_NEEDS: dict[Kind, Callable[[Manifest, int, Item], Iterator[Fault]]] = {
    Kind.CHOICE: _options,
    Kind.CHOICES: _options,
    Kind.ENTRIES: _entries,
    Kind.FORM: _fields,
    Kind.RECORD: _record,
    Kind.SHORT_TEXT: _lengths,
    Kind.LONG_TEXT: _lengths,
}
