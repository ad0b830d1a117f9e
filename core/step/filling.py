"""How far a form of several fields is: the card's own state, and what one reply makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.manifest import FormField, Item
from core.step.base import Scene


@dataclass(frozen=True)
class Filling:
    """How far the form is. `raw` is what was entered and refused, `wrong` why; `left` the fields
    left out; `choose` what an ambiguous entry could have meant, by field."""

    filled: dict[str, Any] = field(default_factory=dict)
    raw: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    active: str = ""
    choose: dict[str, list[Any]] = field(default_factory=dict)

    def cursor(self) -> dict[str, Any]:
        """As it is kept on the card."""
        return {
            "filled": self.filled,
            "raw": self.raw,
            "wrong": self.wrong,
            "left": list(self.left),
            "active": self.active,
            "choose": self.choose,
        }

    def open(self, item: Item) -> list[FormField]:
        """The fields that are neither filled nor left out."""
        return [one for one in item.fields if one.name not in {*self.filled, *self.left}]

    def missing(self, item: Item) -> list[FormField]:
        """The required fields that are not filled, or whose newest entry was refused."""
        return [
            one
            for one in item.fields
            if one.name in self.raw or (one.required and one.name not in self.filled)
        ]

    def with_value(self, name: str, value: Any) -> Filling:
        """Filled in, and the next open field active."""
        return replace(
            self,
            filled={**self.filled, name: value},
            raw=_without(self.raw, name),
            wrong=_without(self.wrong, name),
            left=tuple(one for one in self.left if one != name),
            active="" if self.active == name else self.active,
            choose=_without(self.choose, name),
        )

    def without_value(self, name: str) -> Filling:
        """Left out on purpose."""
        kept = self.with_value(name, None)
        return replace(kept, filled=_without(kept.filled, name), left=(*kept.left, name))

    def could_be(self, name: str, values: tuple[Any, ...]) -> Filling:
        """What an entry could have meant: one of these, by a tap."""
        return replace(self, choose={**self.choose, name: list(values)})

    def with_fault(self, name: str, text: str, reason: str) -> Filling:
        """Refused, and kept as it was entered."""
        return replace(
            self, raw={**self.raw, name: text}, wrong={**self.wrong, name: reason}, active=name
        )


def filling_of(scene: Scene) -> Filling:
    """What the cursor holds of the fields that there are; in a review, what was settled."""
    names = [one.name for one in scene.item.fields]
    cursor = scene.cursor
    if "filled" not in cursor:
        before = scene.settled.get(scene.item.name)
        return _settled_before(names, before if isinstance(before, Mapping) else None)
    return Filling(
        filled=_known(cursor["filled"], names),
        raw=_known(cursor.get("raw", {}), names),
        wrong=_known(cursor.get("wrong", {}), names),
        left=tuple(one for one in cursor.get("left", ()) if one in names),
        active=cursor.get("active", "") if cursor.get("active") in names else "",
        choose=_known(cursor.get("choose", {}), names),
    )


def _settled_before(names: list[str], before: Mapping[str, Any] | None) -> Filling:
    if before is None:
        return Filling()
    given = {name: before[name] for name in names if before.get(name) is not None}
    return Filling(filled=given, left=tuple(name for name in names if name not in given))


def _known(kept: Mapping[str, Any], names: list[str]) -> dict[str, Any]:
    return {name: value for name, value in kept.items() if name in names}


def _without(kept: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in kept.items() if key != name}
