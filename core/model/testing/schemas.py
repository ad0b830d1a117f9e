"""Is a tool's input schema a JSON schema that the Messages API takes? Judged as far as tools go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_TYPES = {"string", "integer", "number", "boolean", "array", "object", "null"}
_NESTED = ("anyOf", "oneOf", "allOf")


def schema_faults(schema: Any) -> Iterator[str]:
    """What is wrong with a tool's input schema, in words."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        yield "input_schema must be an object schema"
        return
    for combined in _NESTED:
        if combined in schema:
            yield f"input_schema does not support {combined} at the top level"
    yield from _faults(schema, "input_schema")


def _faults(schema: Any, where: str) -> Iterator[str]:
    if not isinstance(schema, dict):
        yield f"{where} is not a schema"
        return
    kinds = schema.get("type", [])
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        if kind not in _TYPES:
            yield f"{where}: there is no type {kind!r}"
    yield from _enum_faults(schema, where)
    yield from _object_faults(schema, where)
    if "items" in schema:
        yield from _faults(schema["items"], f"{where}.items")
    for combined in _NESTED:
        if combined in schema and not (isinstance(schema[combined], list) and schema[combined]):
            yield f"{where}.{combined} must be a list that is not empty"
        for number, part in enumerate(schema.get(combined) or []):
            yield from _faults(part, f"{where}.{combined}.{number}")


def _enum_faults(schema: dict[str, Any], where: str) -> Iterator[str]:
    if "enum" not in schema:
        return
    allowed = schema["enum"]
    if not isinstance(allowed, list) or not allowed:
        yield f"{where}.enum must be a list that is not empty"
    elif len({repr(one) for one in allowed}) != len(allowed):
        yield f"{where}.enum names a value twice"


def _object_faults(schema: dict[str, Any], where: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        yield f"{where}.properties must be an object"
        return
    for name, part in properties.items():
        yield from _faults(part, f"{where}.properties.{name}")
    required = schema.get("required", [])
    if not isinstance(required, list):
        yield f"{where}.required must be a list"
        return
    for name in required:
        if name not in properties:
            yield f"{where}.required names {name!r}, which is no property"
