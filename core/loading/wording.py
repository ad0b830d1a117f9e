"""What the manifest's models refuse, in plain words: what is wrong, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from core.faults import Place, meant
from core.faults.places import BESIDE, LEAVE_OUT
from core.manifest import (
    Argument,
    Destination,
    FormField,
    Item,
    Kind,
    Manifest,
    Moderation,
    Test,
    Tool,
)

_PARTS: dict[str, type[BaseModel]] = {
    "items": Item,
    "fields": FormField,
    "tools": Tool,
    "arguments": Argument,
    "destinations": Destination,
    "moderation": Moderation,
    "tests": Test,
}
_CALLED = {
    "items": "item",
    "fields": "field",
    "tools": "tool",
    "arguments": "argument",
    "destinations": "destination",
}
# What people write for a key, and the key.
_ALSO = {
    "type": "value",
    "kind": "value",
    "if": "when",
    "condition": "when",
    "optional": "required: false",
    "min": "minimum",
    "max": "maximum",
    "choices": "options",
    "label": "the label in texts/en.yaml",
    "title": "the label in texts/en.yaml",
    "ask": "the question in texts/en.yaml",
    "question": "the question in texts/en.yaml",
}
_EXAMPLES = {
    "name": "name: and a name, such as venue",
    "version": "version: 1",
    "items": "items:, a list of what the journey must know",
    "value": f"value: and a kind, such as {Kind.SHORT_TEXT.value}",
    "description": "description: and a sentence",
    "kind": "kind: jsonl",
    "chat": "chat: and a chat, such as telegram:-1001234567890",
    "count": "both numbers, such as count: [1, 20]",
}
_BRANCHES = frozenset({"int", "float", "str", "bool", "constrained-str"})

Refusal = Mapping[str, Any]
"""One error as pydantic lists it."""


def refusals(errors: Sequence[Refusal], data: Any) -> list[tuple[Place, str, str]]:
    """The errors in plain words, each with its place; one for all that a value could have been."""
    grouped: dict[Place, list[Refusal]] = {}
    for error in errors:
        place = tuple(error["loc"])
        if len(place) > 1 and place[-1] in _BRANCHES and _reach(data, place) is None:
            place = place[:-1]
        grouped.setdefault(place, []).append(error)
    return [(place, *_worded(place, found, data)) for place, found in grouped.items()]


def _worded(place: Place, errors: Sequence[Refusal], data: Any) -> tuple[str, str]:
    error, subject = errors[0], _subject(place, data)
    kind, key = str(error["type"]), _key(place)
    given = _spelled(error.get("input"))
    if kind == "missing":
        named = key if isinstance(place[-1], str) else str(place[-2])
        return f"{subject}: {key} is missing", f"Write {_EXAMPLES.get(named, f'{named}:')}."
    if kind == "extra_forbidden":
        return _excess(subject, place, key)
    if key == LEAVE_OUT and "settings" in place:
        return f"{subject}: {key} stands in settings", BESIDE
    if len(errors) > 1:
        bound = key in ("minimum", "maximum")
        advice = "a number, the name of an item, or today" if bound else "a text or a number"
        return f"{subject}: {key} is {given}", f"Write {advice}."
    made = _ADVICE.get(kind)
    advice = made(place, error) if made else f"Write something else: {error['msg'].lower()}."
    return f"{subject}: {key} is {given}", advice


def _excess(subject: str, place: Place, key: str) -> tuple[str, str]:
    names = list(_model(place).model_fields)
    here = place[-2] if len(place) > 1 else ""
    if key in _ALSO and _model(place) is Item and here != "tests":
        return f"{subject}: it has no {key}", f"Write {_ALSO[key]} instead."
    return f"{subject}: it has no {key}", meant(key, names)


def _model(place: Place) -> type[BaseModel]:
    """The model whose key stands last in a place."""
    found: type[BaseModel] = Manifest
    for step in place[:-1]:
        found = _PARTS.get(str(step), found)
    return found


def _subject(place: Place, data: Any) -> str:
    """What a message is about: "item contact, field email"."""
    parts = []
    for number, step in enumerate(place[:-1]):
        position = place[number + 1]
        if step in _CALLED and isinstance(position, int):
            one = _reach(data, place[: number + 2])
            name = one.get("name") if isinstance(one, dict) else None
            shown = name if isinstance(name, str) else f"number {position + 1}"
            parts.append(f"{_CALLED[str(step)]} {shown}")
    return ", ".join(parts) or "the manifest"


def _key(place: Place) -> str:
    """The key that a message names: the last one, with its position in a list."""
    last = place[-1] if place else "it"
    if last == "[key]":
        return f"the name {place[-2]}"
    if isinstance(last, str):
        return last
    above = place[-2] if len(place) > 1 else ""
    if above in _CALLED:
        return f"{_CALLED[str(above)]} number {last + 1}"
    return f"number {last + 1} of {above}"


def _reach(data: Any, place: Place) -> Any:
    """What stands at a place; None where nothing does."""
    for step in place:
        if isinstance(data, list):
            data = data[step] if isinstance(step, int) and step < len(data) else None
        else:
            data = data.get(step) if isinstance(data, Mapping) else None
    return data


def _spelled(value: Any) -> str:
    if value is None:
        return "empty"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "a list"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _name(place: Place, error: Refusal) -> str:
    if place and place[-1] == "currency":
        return "Write three capital letters, such as EUR."
    if place and place[-1] == "chat":
        return "Write telegram:-1001234567890, slack:C0123456789, or $VARIABLE for its value."
    words = re.findall(r"[a-z0-9]+", str(error.get("input")).casefold())
    name = "_".join(words).lstrip("0123456789_")[:32]
    rule = "lower-case letters, digits and _, beginning with a letter, 32 at most"
    return f"Write {name}: a name has {rule}." if name else f"A name has {rule}."


def _one_of(place: Place, error: Refusal) -> str:
    names = re.findall(r"'([^']*)'", str(error.get("ctx", {}).get("expected", "")))
    return meant(str(error.get("input")), names, shown=len(names))


def _limit(key: str, words: str) -> Callable[[Place, Refusal], str]:
    return lambda place, error: f"Write {error['ctx'][key]} or {words}."


def _plainly(words: str) -> Callable[[Place, Refusal], str]:
    return lambda place, error: words


_TEXT = _plainly("Write a text; one that looks like a number goes between quotes.")
_LIST = _plainly("Write a list: [first, second], or one part a line, each after a dash.")
_MAPPING = _plainly("Write keys and values, such as name: venue.")
_WHOLE = _plainly("Write a whole number.")
_NUMBER = _plainly("Write a number.")
_TRUTH = _plainly("Write true or false.")

_ADVICE: dict[str, Callable[[Place, Refusal], str]] = {
    "string_pattern_mismatch": _name,
    "enum": _one_of,
    "literal_error": _one_of,
    "string_type": _TEXT,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "dict_type": _MAPPING,
    "model_type": _MAPPING,
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "bool_type": _TRUTH,
    "bool_parsing": _TRUTH,
    "greater_than_equal": _limit("ge", "more"),
    "less_than_equal": _limit("le", "less"),
    "too_short": _plainly("Write at least one."),
    "too_long": _plainly(f"Write two numbers, such as {_EXAMPLES['count'].split(': ')[1]}."),
}
