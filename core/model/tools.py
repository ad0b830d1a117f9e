"""The tools that a model is offered in a journey: three of the runtime's own, and the domain's.

None of them publishes, submits, confirms or attests. The order and the bytes depend on the manifest
alone, so that a prompt cache holds them.
"""

from __future__ import annotations

from typing import Any

from core.manifest import Argument, Gather, Item, Kind, Manifest, Tool
from core.model.base import ToolSpec

RECORD, SUGGEST, OPEN = "record_item", "suggest_value", "open_step"

_UNSUGGESTED = frozenset({Kind.ATTESTATION, Kind.UPLOAD})
"""An attestation is the person's alone, and a file cannot be typed."""


def tools_for(manifest: Manifest) -> tuple[ToolSpec, ...]:
    """The tools of a journey type. Raises ValueError when a domain tool takes a runtime's name."""
    taken = {RECORD, SUGGEST, OPEN} & {tool.name for tool in manifest.tools}
    if taken:
        raise ValueError(
            f"The manifest {manifest.name} has a tool named {sorted(taken)[0]}, which is the "
            "runtime's own. Give it another name."
        )
    talk = [item for item in manifest.items if item.gather is Gather.TALK]
    suggested = [item for item in manifest.items if item.value not in _UNSUGGESTED]
    specs = [_record(talk)] if talk else []
    specs += [_suggest(suggested)] if suggested else []
    specs.append(_open(manifest.items))
    return (*specs, *(_domain(manifest, tool) for tool in manifest.tools))


def _record(items: list[Item]) -> ToolSpec:
    return ToolSpec(
        name=RECORD,
        description=(
            "Record what the person said for an item that the talk gathers. The quote must be "
            "copied exactly, with any mistakes, from one message that the person typed, and the "
            "value must stand in it. What you concluded, proposed or read in a record is no quote."
        ),
        schema=_object(
            {
                "item": _one_of(items),
                "value": _value(items),
                "quote": {
                    "type": "string",
                    "description": "The person's own words, copied exactly from one message.",
                },
            },
            ["item", "value", "quote"],
        ),
    )


def _suggest(items: list[Item]) -> ToolSpec:
    return ToolSpec(
        name=SUGGEST,
        description=(
            "Put a suggestion beside the question for an item. It settles nothing: the person "
            "sees it and decides by a tap. For a settled item it opens the card to change it."
        ),
        schema=_object({"item": _one_of(items), "value": _value(items)}, ["item", "value"]),
    )


def _open(items: tuple[Item, ...]) -> ToolSpec:
    return ToolSpec(
        name=OPEN,
        description=(
            "Open the card of an item under your answer, because the person wants to answer or to "
            "change it. With a value, the card shows it as a suggestion."
        ),
        schema=_object({"item": _one_of(items), "value": _value(items)}, ["item"]),
    )


def _domain(manifest: Manifest, tool: Tool) -> ToolSpec:
    items = manifest.by_name
    required = [one.name for one in tool.arguments if one.required and one.name not in items]
    properties = {one.name: _argument(one, filled=one.name in items) for one in tool.arguments}
    return ToolSpec(
        name=tool.name, description=tool.description, schema=_object(properties, required)
    )


def _argument(argument: Argument, *, filled: bool) -> dict[str, Any]:
    note = " (The runtime fills this in once it is settled.)" if filled else ""
    return {"type": argument.type, "description": argument.description + note}


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _one_of(items: list[Item] | tuple[Item, ...]) -> dict[str, Any]:
    return {"type": "string", "enum": [item.name for item in items]}


def _value(items: list[Item] | tuple[Item, ...]) -> dict[str, Any]:
    text = {
        "type": "string",
        "description": "The value as a person would type it, or the key of an option.",
    }
    if not any(item.value is Kind.ENTRIES for item in items):
        return text
    entries = {
        "type": "array",
        "items": {"type": "string"},
        "description": "For an item that is a list: its entries.",
    }
    return {"anyOf": [text, entries]}
