"""Names: each given once, none that the runtime needs for itself, and all that are used exist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.faults.base import Fault, Known, Place, at, called, is_reference, meant
from core.faults.conditions import tests
from core.manifest import Item, Manifest

RESERVED = frozenset({"any", "none", "today"})
"""Names that mean something else where an item is named."""

RUNTIME_TOOLS = frozenset({"record_item", "suggest_value", "open_step"})
"""The tools that the runtime itself offers to the model."""


def name_faults(manifest: Manifest, known: Known) -> Iterator[Fault]:
    """Faults of names."""
    yield from _twice(("items",), "item", [item.name for item in manifest.items])
    yield from _twice(("tools",), "tool", [tool.name for tool in manifest.tools])
    yield from _twice(("destinations",), "destination", [one.name for one in manifest.destinations])
    for number, item in enumerate(manifest.items):
        yield from _item(manifest, number, item)
    for number, tool in enumerate(manifest.tools):
        place: Place = ("tools", number)
        arguments = [one.name for one in tool.arguments]
        yield from _twice((*place, "arguments"), f"argument of tool {tool.name}", arguments)
        if tool.name in RUNTIME_TOOLS:
            yield Fault(
                (*place, "name"),
                f"tool {tool.name}: the runtime itself has a tool of this name",
                "Give it another name.",
            )


def _item(manifest: Manifest, number: int, item: Item) -> Iterator[Fault]:
    if item.name in RESERVED:
        yield Fault(
            at(number, "name"),
            f"{called(item)}: this name means something else in a condition or a bound",
            "Give it another name.",
        )
    fields = [one.name for one in item.fields]
    yield from _twice(at(number, "fields"), f"field of {called(item)}", fields)
    yield from _repeated(at(number, "options"), called(item), "option", item.options)
    for key, names in (("needs", item.needs), ("depends_on", item.depends_on)):
        yield from _repeated(at(number, key), called(item), "item", names)
        for position, name in enumerate(names):
            yield from _unknown(manifest, item, at(number, key, position), key, name)
    for place, name, _ in tests(item.when, at(number, "when")):
        yield from _unknown(manifest, item, place, "when", name)
    for key, bound in (("minimum", item.minimum), ("maximum", item.maximum)):
        if isinstance(bound, str) and is_reference(bound):
            name = bound.partition(".")[0]
            yield from _unknown(manifest, item, at(number, key), key, name)


def _unknown(manifest: Manifest, item: Item, place: Place, key: str, name: str) -> Iterator[Fault]:
    if name == item.name:
        yield Fault(
            place,
            f"{called(item)}: {key} names the item itself",
            f"Take {name} out of its own {key}.",
        )
    elif name not in manifest.by_name:
        others = [one for one in manifest.by_name if one != item.name]
        yield Fault(
            place,
            f"{called(item)}: {key} names {name}, which is no item of this journey",
            meant(name, others),
        )


def _twice(place: Place, what: str, names: Sequence[str]) -> Iterator[Fault]:
    """Two parts of one name: the later one is at fault."""
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name in seen:
            yield Fault(
                (*place, number, "name"),
                f"{what} {name} is there twice",
                "Give one of the two another name, or take it out.",
            )
        seen.add(name)


def _repeated(place: Place, subject: str, what: str, names: Iterable[str]) -> Iterator[Fault]:
    """A name that stands in a list more than once."""
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name in seen:
            yield Fault(
                (*place, number),
                f"{subject}: {place[-1]} has the {what} {name} twice",
                "Take one of them out.",
            )
        seen.add(name)
