"""What a draft owes, and what a change takes with it, worked out anew from the manifest alone.

The judge's own reckoning: it shares no line with the planner, so that a fault in one of them is
seen as a difference between the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from core.manifest import Condition, Gather, Item, Manifest, Test

Values = Mapping[str, Any]
"""Bare settled values by item; what was skipped is None."""

Answer = bool | None
"""Whether something holds; None where the draft cannot tell yet."""


def belonging(manifest: Manifest, values: Values) -> dict[str, Answer]:
    """For every item whether it belongs to the journey, in the manifest's order."""
    found: dict[str, Answer] = dict.fromkeys(manifest.by_name)
    # A condition may look at an item that has one itself: each round gets one item further.
    for _ in manifest.items:
        before = dict(found)
        for item in manifest.items:
            found[item.name] = item.when is None or _holds(item.when, values, found)
        if found == before:
            break
    return found


def owed(manifest: Manifest, values: Values) -> tuple[str, ...]:
    """What has to be settled before a summary: all that is required, and what a step asks for even
    though it may be left out."""
    there = belonging(manifest, values)
    return tuple(
        item.name
        for item in manifest.items
        if item.name not in values and _has_to_be(item, values, there)
    )


def _has_to_be(item: Item, values: Values, there: Mapping[str, Answer]) -> bool:
    if item.required:
        return there[item.name] is not False
    can_be_asked = all(name in values or there[name] is False for name in item.upstream)
    return item.gather is Gather.STEP and there[item.name] is True and can_be_asked


def counting(manifest: Manifest, values: Values) -> dict[str, Any]:
    """What of the values counts, and so is on a summary and in a submission."""
    there = belonging(manifest, values)
    return {name: values[name] for name in there if there[name] is True and name in values}


def invalidated(manifest: Manifest, values: Values, changed: Set[str]) -> set[str]:
    """Of these values those that cannot stand, now that some of them have just been changed: what
    depends on a change, on what went with it, or on what has come to be asked; and what belongs no
    longer."""
    gone: set[str] = set()
    while True:
        left = {name: value for name, value in values.items() if name not in gone}
        there = belonging(manifest, left)
        # What was changed in the same turn was answered with its own changes in view.
        more = {
            name
            for name in left
            if there[name] is False
            or (name not in changed and _leans(manifest.item(name), left, there, changed | gone))
        }
        if not more:
            return gone
        gone |= more


def _leans(item: Item, left: Values, there: Mapping[str, Answer], moved: Set[str]) -> bool:
    return any(
        name in moved if name in left or there[name] is not True else True
        for name in item.depends_on
    )


# Conditions


def _holds(condition: Condition, values: Values, there: Mapping[str, Answer]) -> Answer:
    parts = [_passes(test, name, values, there) for name, test in condition.tests.items()]
    if condition.any:
        parts.append(_or(_holds(one, values, there) for one in condition.any))
    parts += [_not(_holds(one, values, there)) for one in condition.none]
    return _not(_or(map(_not, parts)))


def _or(parts: Iterable[Answer]) -> Answer:
    seen = list(parts)
    if True in seen:
        return True
    return None if None in seen else False


def _not(part: Answer) -> Answer:
    return None if part is None else not part


def _passes(test: Test, name: str, values: Values, there: Mapping[str, Answer]) -> Answer:
    if there[name] is False:
        return _meets(test, None)
    if there[name] is None or name not in values:
        return None
    return _meets(test, values[name])


def _meets(test: Test, value: Any) -> bool:
    """Whether a value is as a test wants it; None is what was left out or does not belong."""
    if test.given is not None and (value is None) is test.given:
        return False
    keys = value if isinstance(value, list | tuple) else [_key(value)]
    if test.one_of is not None and not any(key in test.one_of for key in keys):
        return False
    if test.none_of is not None and any(key in test.none_of for key in keys):
        return False
    return _within(test, value)


def _key(value: Any) -> Any:
    return value.get("id") if isinstance(value, Mapping) else value


def _within(test: Test, value: Any) -> bool:
    if test.at_least is None and test.at_most is None:
        return True
    amount = value.get("amount") if isinstance(value, Mapping) else value
    if amount is None or isinstance(amount, bool):
        return False
    try:
        number = float(amount)
    except (TypeError, ValueError):
        return False
    low = test.at_least if test.at_least is not None else number
    high = test.at_most if test.at_most is not None else number
    return low <= number <= high
