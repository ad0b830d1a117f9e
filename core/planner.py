"""What belongs to a journey, what is owed, and what a change takes with it.

The rules, in one place:

1. An item *belongs* when its `when` holds. A condition on an item that does not belong itself sees
   no value; a condition on one that is not settled yet is *unknown*, never quietly false.
2. An item may be asked when it belongs and everything upstream of it (`when`, `needs`,
   `depends_on`) is settled or does not belong.
3. Items that a step gathers are asked first, in the manifest's order; then required items that the
   talk has not brought. Optional talk items are never asked. When nothing is left: the summary.
4. A write that changes an item's value takes away every settled value that `depends_on` it, every
   value that depends on an item which has just come to belong, and every value whose item no
   longer belongs; each of those is a change itself, and so on.
5. A write that changes nothing takes nothing away.

It follows that a draft equals that of a fresh journey given the same final answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import msgspec

from core.draft import Draft, Past, Source, Value
from core.manifest import Condition, Gather, Item, Manifest, Test

REMEMBERED = 20
"""Earlier values that an item keeps: a turn must not cost more the longer somebody wavers."""

REMEMBERED_BYTES = 8_000
"""Bytes that they may take in all, for long texts; the newest is kept whatever its length."""


class Truth(Enum):
    """Whether a condition holds, as far as the draft can tell."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class NotYet(ValueError):
    """A value cannot be written before what its item depends on is settled."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a write did. `old` is the value before (None where there was none, or it was skipped).

    `lost` are items whose value a change took away, `hidden` those that no longer belong; both in
    the manifest's order.
    """

    draft: Draft
    old: Value | None
    changed: bool
    lost: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


def belonging(manifest: Manifest, draft: Draft) -> dict[str, Truth]:
    """For every item whether it belongs to the journey, in the manifest's order."""
    known: dict[str, Truth] = {}

    def judge(name: str) -> Truth:
        if name not in known:
            condition = manifest.item(name).when
            known[name] = Truth.YES if condition is None else _holds(condition, draft, judge)
        return known[name]

    return {
        item.name: Truth.YES if item.when is None else judge(item.name) for item in manifest.items
    }


def _holds(condition: Condition, draft: Draft, judge: Any) -> Truth:
    parts = [_test(test, name, draft, judge) for name, test in condition.tests.items()]
    if condition.any:
        parts.append(_some(_holds(part, draft, judge) for part in condition.any))
    parts.extend(_not(_holds(part, draft, judge)) for part in condition.none)
    return _every(parts)


def _test(test: Test, name: str, draft: Draft, judge: Any) -> Truth:
    belongs = judge(name)
    if belongs is Truth.NO:
        return Truth.YES if _passes(test, None) else Truth.NO
    if belongs is Truth.UNKNOWN or name not in draft.values:
        return Truth.UNKNOWN
    return Truth.YES if _passes(test, draft.values[name].value) else Truth.NO


def _passes(test: Test, value: Any) -> bool:
    if test.given is not None and test.given != (value is not None):
        return False
    held = set(value) if isinstance(value, list | tuple) else {_scalar(value)}
    if test.one_of is not None and not held & set(test.one_of):
        return False
    if test.none_of is not None and held & set(test.none_of):
        return False
    if test.at_least is None and test.at_most is None:
        return True
    number = _number(value)
    if number is None:
        return False
    return (test.at_least is None or number >= test.at_least) and (
        test.at_most is None or number <= test.at_most
    )


def _scalar(value: Any) -> Any:
    return value.get("id") if isinstance(value, Mapping) else value


def _number(value: Any) -> float | None:
    if isinstance(value, Mapping):
        value = value.get("amount")
    try:
        return None if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None


def _every(parts: Iterable[Truth]) -> Truth:
    seen = set(parts)
    if Truth.NO in seen:
        return Truth.NO
    return Truth.UNKNOWN if Truth.UNKNOWN in seen else Truth.YES


def _some(parts: Iterable[Truth]) -> Truth:
    seen = set(parts)
    if Truth.YES in seen:
        return Truth.YES
    return Truth.UNKNOWN if Truth.UNKNOWN in seen else Truth.NO


def _not(truth: Truth) -> Truth:
    return {Truth.YES: Truth.NO, Truth.NO: Truth.YES}.get(truth, truth)


def owed(manifest: Manifest, draft: Draft) -> tuple[str, ...]:
    """Required items that belong and are not settled, in the manifest's order (G1)."""
    return tuple(name for name in required(manifest, draft) if not draft.has(name))


def required(manifest: Manifest, draft: Draft) -> tuple[str, ...]:
    """Required items that belong, or may come to, in the manifest's order, settled or not."""
    return tuple(
        name
        for name, truth in belonging(manifest, draft).items()
        if truth is not Truth.NO and manifest.item(name).required
    )


def askable(manifest: Manifest, draft: Draft, item: Item) -> bool:
    """Whether everything upstream of an item is settled or does not belong, and it belongs."""
    truths = belonging(manifest, draft)
    return _askable(item, draft, truths)


def _askable(item: Item, draft: Draft, truths: Mapping[str, Truth]) -> bool:
    return truths[item.name] is Truth.YES and all(
        draft.has(name) or truths[name] is Truth.NO for name in item.upstream
    )


def next_item(manifest: Manifest, draft: Draft) -> Item | None:
    """The item to ask next; None when it is time for the summary."""
    truths = belonging(manifest, draft)
    open_items = [
        item
        for item in manifest.items
        if not draft.has(item.name) and _askable(item, draft, truths)
    ]
    steps = (item for item in open_items if item.gather is Gather.STEP)
    talks = (item for item in open_items if item.gather is Gather.TALK and item.required)
    return next(steps, None) or next(talks, None)


def content(manifest: Manifest, draft: Draft) -> dict[str, Any]:
    """What counts of a draft: the settled values of items that belong, in the manifest's order."""
    truths = belonging(manifest, draft)
    return {
        item.name: draft.values[item.name].value
        for item in manifest.items
        if draft.has(item.name) and truths[item.name] is Truth.YES
    }


def write(
    manifest: Manifest,
    draft: Draft,
    name: str,
    value: Any,
    *,
    source: Source,
    turn: int,
    quote: str = "",
) -> Written:
    """The draft with a value written, and all that this takes away (G16).

    Raises NotYet when the item may not be asked yet: a value must be younger than what it depends
    on, or a change could not be followed.
    """
    if not askable(manifest, draft, manifest.item(name)):
        raise NotYet(name)
    old = draft.values.get(name)
    changed = old is not None and old.value != value
    past = old.past if old else ()
    if changed and old is not None:
        past = _remembered((*past, Past(value=old.value, source=old.source, turn=old.turn)))
    fresh = Value(value=value, source=source, turn=turn, quote=quote, past=past)
    values = {**draft.values, name: fresh}
    former = {key: kept for key, kept in draft.former.items() if key != name}
    written = msgspec.structs.replace(draft, values=values, former=former)
    if old is not None and not changed:
        return Written(written, old, changed=False)
    after, lost, hidden = _take_away(manifest, written, {name})
    return Written(after, old, changed, lost, hidden)


def _remembered(past: tuple[Past, ...]) -> tuple[Past, ...]:
    """The newest of an item's earlier values, as many as may be kept."""
    kept: list[Past] = []
    room = REMEMBERED_BYTES
    for one in reversed(past[-REMEMBERED:]):
        room -= len(msgspec.json.encode(one))
        if kept and room < 0:
            break
        kept.append(one)
    return tuple(reversed(kept))


def forget(manifest: Manifest, draft: Draft, name: str) -> Written:
    """The draft without a value that cannot stand any more, and all that goes with it."""
    old = draft.values[name]
    values = {key: kept for key, kept in draft.values.items() if key != name}
    former = {**draft.former, name: old.value}
    bare = msgspec.structs.replace(draft, values=values, former=former)
    after, lost, hidden = _take_away(manifest, bare, {name})
    return Written(after, old, changed=True, lost=lost, hidden=hidden)


def _outdated(
    item: Item, changed: set[str], values: Mapping[str, Value], truths: Mapping[str, Truth]
) -> bool:
    # What has just come to belong will be asked, and its answer will be a change: the value that
    # was given without it goes now, so that the person hears it with the cause.
    return any(
        name in changed or (name not in values and truths[name] is Truth.YES)
        for name in item.depends_on
    )


def _take_away(
    manifest: Manifest, draft: Draft, changed: set[str]
) -> tuple[Draft, tuple[str, ...], tuple[str, ...]]:
    values, former = dict(draft.values), dict(draft.former)
    lost: set[str] = set()
    hidden: set[str] = set()
    while True:
        current = msgspec.structs.replace(draft, values=values, former=former)
        truths = belonging(manifest, current)
        leaving = {name for name in values if truths[name] is Truth.NO}
        stale = {
            item.name
            for item in manifest.items
            if item.name in values and _outdated(item, changed, values, truths)
        } - leaving
        if not leaving and not stale:
            break
        hidden |= leaving
        lost |= stale
        for name in leaving | stale:
            former[name] = values.pop(name).value
        changed = leaving | stale
    order = [item.name for item in manifest.items]
    return (
        current,
        tuple(name for name in order if name in lost),
        tuple(name for name in order if name in hidden),
    )
