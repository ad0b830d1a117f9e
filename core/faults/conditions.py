"""Conditions: each test can be made of the item that it looks at, and there is a way to pass it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core import planner
from core.draft import Draft, Source, Value
from core.faults.base import Fault, Known, Place, at, called, listed, meant
from core.faults.order import circles
from core.manifest import Condition, Item, Kind, Manifest, Test

COMBINATIONS = 3000
"""As many combinations of answers as are tried to find one that a condition holds for."""

SUBSETS = 7
"""Of as many options every selection is tried."""

_SAME = frozenset({"one_of", "none_of", "given"})
_AMOUNT = frozenset({"at_least", "at_most", "given"})
_TESTS: dict[Kind, frozenset[str]] = {
    Kind.CHOICE: _SAME,
    Kind.CHOICES: _SAME,
    Kind.YES_NO: _SAME,
    Kind.ATTESTATION: _SAME,
    Kind.RECORD: _SAME,
    Kind.NUMBER: _SAME | _AMOUNT,
    Kind.DURATION: _SAME | _AMOUNT,
    Kind.MONEY: _AMOUNT,
    Kind.CUSTOM: _SAME | _AMOUNT,
}
_GIVEN = frozenset({"given"})
_VALUES: dict[Kind, tuple[type, str]] = {
    Kind.YES_NO: (bool, "true or false"),
    Kind.ATTESTATION: (bool, "true or false"),
    Kind.NUMBER: (int, "whole numbers"),
    Kind.DURATION: (int, "whole minutes"),
    Kind.RECORD: (str, "the ids of records"),
}


def tests(condition: Condition | None, place: Place) -> Iterator[tuple[Place, str, Test]]:
    """Every test of a condition with its place, as a manifest spells conditions."""
    if condition is None:
        return
    for name, test in condition.tests.items():
        yield (*place, name), name, test
    for key, parts in (("any", condition.any), ("none", condition.none)):
        for number, part in enumerate(parts):
            yield from tests(part, (*place, key, number))


def condition_faults(manifest: Manifest, known: Known) -> Iterator[Fault]:
    """Faults of conditions."""
    for number, item in enumerate(manifest.items):
        if item.when is None:
            continue
        place = at(number, "when")
        found = [*_empty(item, item.when, place), *_tests(manifest, item, place)]
        yield from found
        if not found and _known(manifest, item) and not _can_hold(manifest, item):
            yield Fault(
                place,
                f"{called(item)}: no answers make its condition hold, so it is never asked",
                "Change the condition, or take the item out.",
            )


def _empty(item: Item, condition: Condition, place: Place) -> Iterator[Fault]:
    if not (condition.tests or condition.any or condition.none):
        yield Fault(
            place,
            f"{called(item)}: a condition that tests nothing",
            "Write what it tests, such as `format: [in_person, both]`, or take it out.",
        )
    for key, parts in (("any", condition.any), ("none", condition.none)):
        for number, part in enumerate(parts):
            yield from _empty(item, part, (*place, key, number))


def _tests(manifest: Manifest, item: Item, place: Place) -> Iterator[Fault]:
    for where, name, test in tests(item.when, place):
        looked_at = manifest.by_name.get(name)
        if looked_at is not None and name != item.name:
            yield from _test(f"{called(item)}: when {name}", where, looked_at, test)


def _test(subject: str, place: Place, looked_at: Item, test: Test) -> Iterator[Fault]:
    given = {key for key in test.model_fields_set if getattr(test, key) is not None}
    if not given:
        yield Fault(place, f"{subject} tests nothing", "Write what it must be.")
    allowed = _TESTS.get(looked_at.value, _GIVEN)
    for key in sorted(given - allowed):
        yield Fault(
            (*place, key),
            f"{subject}: {key} cannot be tested of a {looked_at.value.value} item",
            f"Test {listed(sorted(allowed))}.",
        )
    for key in sorted(given & allowed & {"one_of", "none_of"}):
        yield from _named(subject, (*place, key), looked_at, getattr(test, key))
    if test.at_least is not None and test.at_most is not None and test.at_least > test.at_most:
        yield Fault(
            place,
            f"{subject}: nothing is at least {test.at_least:g} and at most {test.at_most:g}",
            "Write the smaller number under at_least.",
        )


def _named(
    subject: str, place: Place, looked_at: Item, values: Sequence[str | int | bool]
) -> Iterator[Fault]:
    if not values:
        yield Fault(place, f"{subject} names no value", "Write the values, in a list.")
    for number, value in enumerate(values):
        where = (*place, number)
        if looked_at.value in (Kind.CHOICE, Kind.CHOICES):
            if looked_at.options and value not in looked_at.options:
                yield Fault(
                    where,
                    f"{subject}: {_spelled(value)} is no option of {looked_at.name}",
                    meant(_spelled(value), looked_at.options),
                )
            continue
        kind, words = _VALUES.get(looked_at.value, (object, ""))
        # True is an int to Python, and no number to a person.
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            yield Fault(
                where,
                f"{subject}: {_spelled(value)} is no value of a {looked_at.value.value} item",
                f"Write {words}.",
            )


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _known(manifest: Manifest, item: Item) -> bool:
    """Whether all that its condition rests on is there, and nothing goes in a circle."""
    names = _closure(manifest, item)
    if any(name not in manifest.by_name for name in names):
        return False
    return not circles({name: _looked_at(manifest, name) for name in names})


def _looked_at(manifest: Manifest, name: str) -> tuple[str, ...]:
    found = manifest.by_name.get(name)
    return found.when.names() if found is not None and found.when else ()


def _closure(manifest: Manifest, item: Item) -> set[str]:
    """The items that a condition rests on, the item itself and all that theirs rest on."""
    names = {item.name}
    while True:
        more = {other for name in names for other in _looked_at(manifest, name)}
        if more <= names:
            return names
        names |= more


def _can_hold(manifest: Manifest, item: Item) -> bool:
    """Whether some answers make an item's condition hold; True where there are too many to try."""
    closure = _closure(manifest, item)
    parts = tuple(one for one in manifest.items if one.name in closure)
    small = Manifest(name=manifest.name, version=manifest.version, items=parts)
    answers = {one.name: _answers(small, one) for one in parts if one.name != item.name}
    combinations = math.prod(len(values) for values in answers.values())
    if combinations > COMBINATIONS or combinations == 0:
        return True
    return any(
        _holds(small, item, dict(zip(answers, chosen, strict=True)))
        for chosen in itertools.product(*answers.values())
    )


def _holds(manifest: Manifest, item: Item, answers: Mapping[str, Any]) -> bool:
    values = {
        name: Value(value=value, source=Source.TAP, turn=1) for name, value in answers.items()
    }
    return planner.belonging(manifest, Draft(values=values))[item.name] is planner.Truth.YES


def _answers(manifest: Manifest, item: Item) -> list[Any]:
    """Values of an item that differ for the tests that are made of it; empty where not known."""
    skipped: list[Any] = [] if item.required else [None]
    if item.value is Kind.CHOICE:
        return [*item.options, *skipped]
    if item.value is Kind.CHOICES:
        return [*_subsets(item.options), *skipped]
    if item.value is Kind.YES_NO:
        return [True, False, *skipped]
    if item.value is Kind.ATTESTATION:
        return [True, *skipped]
    made = [
        test for one in manifest.items for _, name, test in tests(one.when, ()) if name == item.name
    ]
    named = [value for test in made for value in (*(test.one_of or ()), *(test.none_of or ()))]
    if item.value in (Kind.NUMBER, Kind.DURATION, Kind.MONEY):
        return [*_amounts(item, made, named), *skipped]
    if item.value is Kind.RECORD:
        return [*({"id": value} for value in named), {"id": "~another"}, *skipped]
    return [] if item.value is Kind.CUSTOM else ["something", *skipped]


def _subsets(options: Sequence[str]) -> list[list[str]]:
    if len(options) > SUBSETS:
        return []
    sizes = range(1, len(options) + 1)
    return [list(some) for size in sizes for some in itertools.combinations(options, size)]


def _amounts(item: Item, made: Sequence[Test], named: Sequence[Any]) -> list[Any]:
    """Every amount that a test or a bound names, and some beside and between them."""
    bounds = [item.minimum, item.maximum, *named]
    bounds += [bound for test in made for bound in (test.at_least, test.at_most)]
    edges = sorted({float(bound) for bound in bounds if isinstance(bound, int | float)} | {0.0})
    points = {edge + step for edge in edges for step in (-1, 0, 1)}
    points |= {(low + high) / 2 for low, high in itertools.pairwise(edges)}
    fitting = [point for point in sorted(points) if _within(item, point)]
    if item.value is Kind.MONEY:
        return [{"amount": f"{point:g}"} for point in fitting]
    return fitting


def _within(item: Item, point: float) -> bool:
    low, high = item.minimum, item.maximum
    return not (isinstance(low, int | float) and point < low) and not (
        isinstance(high, int | float) and point > high
    )
