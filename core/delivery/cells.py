"""A submission as cells of a table: a column for each item, and for each part of one that has
several. What a spreadsheet would run as a formula is a text there."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from core.manifest import Item, Kind, Manifest

KEY = "key"
BEFORE = ("submitted_at", "person", "zone")
"""The columns that stand before those of the items: dates and times of the items are on the clock
of `zone`. `KEY` is the last one, so that a row that was torn off has none."""

_PARTS: dict[Kind, dict[str, str]] = {
    Kind.RECORD: {"": "label", ".id": "id"},
    Kind.MONEY: {"": "amount", ".currency": "currency"},
    Kind.UPLOAD: {"": "name", ".ref": "ref"},
    Kind.PERSON: {"": "name", ".handle": "handle", ".id": "id"},
}
"""The columns of kinds whose values have parts: what is added to the item's name, and the part."""

_RUN = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_FORMULA = (*_RUN, "\t", "\r", "\n")
"""What a cell begins with that a spreadsheet runs (OWASP, CSV Injection)."""

_WITHIN = re.compile(f'([;\\t\\r\\n][ "]*)(?=[{re.escape("".join(_RUN))}])')
"""Where a cell begins within a text, for a spreadsheet that takes other signs for separators."""


def columns(manifest: Manifest, left_out: Collection[str] = ()) -> list[str]:
    """The columns of a version, in order, without those of some items."""
    items = [item for item in manifest.items if item.name not in left_out]
    of_items = [f"{_column(item)}{part}" for item in items for part in _parts(item)]
    return [*BEFORE, *of_items, KEY]


def cells(manifest: Manifest, content: Mapping[str, Any]) -> dict[str, str]:
    """What stands in the items' columns; what was skipped is empty."""
    found: dict[str, str] = {}
    for item in manifest.items:
        value = content.get(item.name)
        for ending, part in _parts(item).items():
            one = value.get(part) if part and isinstance(value, Mapping) else value
            found[f"{_column(item)}{ending}"] = _cell(one)
    return found


def text_cell(text: str) -> str:
    """A text as a cell that nothing runs."""
    within = _WITHIN.sub(r"\1'", text)
    return f"'{within}" if text.lstrip(" ").startswith(_FORMULA) else within


def _column(item: Item) -> str:
    return f"item.{item.name}" if item.name in (*BEFORE, KEY) else item.name


def _parts(item: Item) -> dict[str, str]:
    if item.value is Kind.FORM:
        return {f".{one.name}": one.name for one in item.fields}
    return _PARTS.get(item.value, {"": ""})


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return str(value)
        case list():
            return text_cell("; ".join(map(str, value)))
        case Mapping():
            return text_cell(_spelled(value))
        case _:
            return text_cell(str(value))


def _spelled(value: Mapping[str, Any]) -> str:
    """What has several parts, in one cell: a field of a form that is an amount of money, say."""
    if set(value) == {"amount", "currency"}:
        return f"{value['amount']} {value['currency']}"
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
