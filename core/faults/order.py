"""Order: no item waits for itself, for one named after it, or for one that may never come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from core.faults.base import Fault, Known, Place, at, called
from core.manifest import Gather, Item, Manifest


def circles(waits: Mapping[str, Iterable[str]]) -> list[tuple[str, ...]]:
    """The circles of what waits for what, each once and whole: each name waits for the next."""
    left = {name: set(others) - {name} for name, others in waits.items()}
    found = []
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            circle = tuple(reversed(error.args[1][1:]))
            found.append(circle)
            gone = set(circle)
            left = {name: others - gone for name, others in left.items() if name not in gone}
        else:
            return found


def order_faults(manifest: Manifest, known: Known) -> Iterator[Fault]:
    """Faults of order."""
    positions: dict[str, int] = {}
    for number, item in enumerate(manifest.items):
        positions.setdefault(item.name, number)
    waits = {
        item.name: [name for name in item.upstream if name in positions] for item in manifest.items
    }
    found = circles(waits)
    for circle in found:
        yield _circle(manifest, circle, positions)
    together = [frozenset(circle) for circle in found]
    for number, item in enumerate(manifest.items):
        for name in item.upstream:
            if name not in positions or name == item.name:
                continue
            in_circle = any({name, item.name} <= circle for circle in together)
            if positions[name] > number and not in_circle:
                yield _later(number, item, name)
            yield from _never(number, item, manifest.item(name))


def _circle(manifest: Manifest, circle: tuple[str, ...], positions: Mapping[str, int]) -> Fault:
    first = min(range(len(circle)), key=lambda number: positions[circle[number]])
    turned = circle[first:] + circle[:first]
    item = manifest.item(turned[0])
    way = " -> ".join((*turned, turned[0]))
    return Fault(
        _waiting(positions[item.name], item, turned[1]),
        f"{called(item)}: these wait for each other, so none of them can be asked: {way}",
        "Break the circle: take one of the names out of when, needs or depends_on.",
    )


def _later(number: int, item: Item, name: str) -> Fault:
    return Fault(
        _waiting(number, item, name),
        f"{called(item)}: it needs {name}, which comes after it",
        f"Move {item.name} below {name}.",
    )


def _never(number: int, item: Item, upstream: Item) -> Iterator[Fault]:
    """An optional talk item is never asked for, so nothing can wait for it."""
    if upstream.gather is Gather.TALK and not upstream.required:
        yield Fault(
            _waiting(number, item, upstream.name),
            f"{called(item)}: it waits for {upstream.name}, which the talk may never bring",
            f"Make {upstream.name} required, or let a step gather it.",
        )


def _waiting(number: int, item: Item, name: str) -> Place:
    """Where an item says that it waits for another."""
    for key, names in (("needs", item.needs), ("depends_on", item.depends_on)):
        if name in names:
            return at(number, key, names.index(name))
    return at(number, "when", name)
