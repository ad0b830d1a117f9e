"""A manifest from plain data. What cannot be read is reported and left out, so that the rest of the
manifest can still be judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ValidationError

from core.faults import Place
from core.loading.wording import refusals
from core.manifest import Destination, Item, Manifest, Tool, condition_from

Refused = tuple[Place, str, str]
"""Where, what is wrong, what to write instead."""

_PARTS: dict[str, type[BaseModel]] = {"items": Item, "tools": Tool, "destinations": Destination}
# What stands in for what a part must have and could not be read.
_STAND_INS: dict[str, dict[str, Any]] = {
    "items": {"value": "custom"},
    "tools": {"description": "-"},
    "destinations": {"kind": "jsonl"},
}
# What the rest of a part is judged by.
_TELLING = frozenset(
    {"name", "value", "gather", "step", "depends_on", "fields", "records", "item", "kind"}
)
_WHOLE = {"name": "journey", "version": 1}


@dataclass
class Parsed:
    """What could be read. `unsure` are the places of what could not be read as a whole, `positions`
    where the parts that were read stand in the file."""

    manifest: Manifest | None = None
    refused: list[Refused] = field(default_factory=list)
    unsure: set[Place] = field(default_factory=set)
    positions: dict[str, list[int]] = field(default_factory=dict)

    def in_file(self, place: Place) -> Place:
        """The place in the file of a place in the manifest."""
        if len(place) < 2 or not isinstance(place[1], int):
            return place
        known = self.positions.get(str(place[0]), [])
        position = known[place[1]] if place[1] < len(known) else place[1]
        return (place[0], position, *place[2:])


def parse_manifest(data: Any) -> Parsed:
    """A manifest from plain data, and everything that its models refuse."""
    parsed = Parsed()
    if not isinstance(data, Mapping):
        advice = "Write name:, version: and items:, each at the beginning of a line."
        parsed.refused.append(((), "this is no manifest", advice))
        return parsed
    whole = dict(data)
    for key, model in _PARTS.items():
        if isinstance(whole.get(key), list):
            whole[key] = _parts(parsed, data, key, model)
    made, wrong = _salvaged(Manifest, whole, _WHOLE)
    if isinstance(data.get("items"), list) and data["items"]:
        # Where none of them could be read, that has been reported.
        wrong = [error for error in wrong if error["loc"] != ("items",)]
    parsed.refused += refusals(wrong, data)
    parsed.unsure |= {tuple(error["loc"][:1]) for error in wrong}
    parsed.manifest = made if isinstance(made, Manifest) else None
    return parsed


def _parts(parsed: Parsed, data: Any, key: str, model: type[BaseModel]) -> list[BaseModel]:
    """The parts of a list that could be read, some only in part."""
    read: list[BaseModel] = []
    positions = parsed.positions.setdefault(key, [])
    for number, given in enumerate(data[key]):
        made, wrong = _salvaged(model, _spelled_out(given), _STAND_INS[key])
        placed = [{**error, "loc": (key, number, *error["loc"])} for error in wrong]
        parsed.refused += refusals(placed, data)
        if wrong:
            # Whether a directory is used cannot be told when a part that might use it is broken.
            parsed.unsure.add(("directories",))
        if made is not None:
            parsed.unsure |= {(key, len(read), *more) for more in _doubtful(wrong)}
            read.append(made)
            positions.append(number)
    return read


def _doubtful(wrong: list[Any]) -> set[Place]:
    """The keys of a part that were left out; all of it, where more hangs on one of them."""
    keys = {str(error["loc"][0]) for error in wrong if error["loc"]}
    return {()} if keys & _TELLING else {(key,) for key in keys}


def _spelled_out(given: Any) -> Any:
    if isinstance(given, dict) and "when" in given:
        return {**given, "when": condition_from(given["when"])}
    return given


def _salvaged(
    model: type[BaseModel], given: Any, stand_ins: Mapping[str, Any]
) -> tuple[BaseModel | None, list[Any]]:
    """The model of some data, without what it refuses; None where that is not enough."""
    try:
        return model.model_validate(given), []
    except ValidationError as error:
        wrong: list[Any] = list(error.errors(include_url=False))
    if not isinstance(given, Mapping):
        return None, wrong
    bad = {one["loc"][0] for one in wrong if one["loc"]}
    rest = {key: value for key, value in given.items() if key not in bad}
    try:
        return model.model_validate({**stand_ins, **rest}), wrong
    except ValidationError:
        return None, wrong
