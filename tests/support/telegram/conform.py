"""Does a value fit a type of the Bot API? The types are those of aiogram's models.

Stricter than pydantic is with those models: a field that the type does not have is refused, and so
is a number where a text belongs, because the real server drops or misreads them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import aiogram.types
from aiogram.client.default import Default
from aiogram.types import InputFile
from pydantic import BaseModel
from typing_extensions import TypeAliasType

_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


class Misfit(Exception):
    """A value does not fit. `depth` tells how far the value did fit, to find the best reason."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.depth = where.count(".") + where.count("[")


def read(kind: Any, value: Any, where: str) -> Any:
    """The value of a parameter that came in a form, where all is text, or in JSON."""
    if not isinstance(value, str):
        return conform(kind, value, where)
    options = set(_options(kind))
    if str in options or InputFile in options:
        return _number(value) if int in options and _number(value) is not None else value
    if bool in options:
        return _truth(value, where)
    if options & {int, datetime}:
        number = _number(value)
        if number is None:
            raise Misfit(where, f"{value!r} is no whole number")
        return number
    try:
        decoded = json.loads(value)
    except ValueError as error:
        raise Misfit(where, f"can't parse {where} JSON object: {value[:80]!r}") from error
    return conform(kind, decoded, where)


def conform(kind: Any, value: Any, where: str) -> Any:
    """The value, when it fits the type; nulls are left out of objects.

    Raises Misfit with the place and the reason.
    """
    options = _options(kind)
    if len(options) > 1:
        return _one_of(options, value, where)
    (kind,) = options
    if kind is Any:
        return value
    origin = get_origin(kind)
    if origin is list:
        return _list(get_args(kind)[0], value, where)
    if origin is Literal:
        return _literal(get_args(kind), value, where)
    if origin is dict:
        return _expect(value, dict, "an object", where)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _object(kind, value, where)
    return _plain(kind, value, where)


def _options(kind: Any) -> list[Any]:
    """The alternatives of a type, without the null and without aiogram's own defaults."""
    if isinstance(kind, str):
        return _options(getattr(aiogram.types, kind))
    if isinstance(kind, TypeAliasType):
        return _options(kind.__value__)
    origin = get_origin(kind)
    if origin is Annotated:
        return _options(get_args(kind)[0])
    if origin in (Union, UnionType):
        found = [one for part in get_args(kind) for one in _options(part)]
        return [one for one in found if one not in (NoneType, Default)] or [NoneType]
    return [kind]


def _one_of(options: list[Any], value: Any, where: str) -> Any:
    options = _tagged(options, value, where) if isinstance(value, dict) else options
    misfits = []
    for option in options:
        try:
            return conform(option, value, where)
        except Misfit as misfit:
            misfits.append(misfit)
    raise max(misfits, key=lambda misfit: misfit.depth)


def _tagged(options: list[Any], value: dict[str, Any], where: str) -> list[Any]:
    """The alternatives that the `type` of an object leaves, when it is what tells them apart."""
    for tag in ("type", "source"):
        tags = [(one, _tags(one, tag)) for one in options]
        if any(allowed for _, allowed in tags):
            fitting = [one for one, allowed in tags if value.get(tag) in allowed]
            if fitting:
                return fitting
            known = [word for _, allowed in tags for word in allowed]
            raise Misfit(
                where, f"an object needs {tag!r}, and {value.get(tag)!r} is none of {known}"
            )
    return options


def _tags(option: Any, tag: str) -> list[Any]:
    if not (isinstance(option, type) and issubclass(option, BaseModel)):
        return []
    field = option.model_fields.get(tag)
    if field is None or get_origin(field.annotation) is not Literal:
        return []
    return [getattr(one, "value", one) for one in get_args(field.annotation)]


def _list(kind: Any, value: Any, where: str) -> list[Any]:
    _expect(value, list, "a list", where)
    return [conform(kind, one, f"{where}[{number}]") for number, one in enumerate(value)]


def _literal(allowed: tuple[Any, ...], value: Any, where: str) -> Any:
    plain = [one.value if isinstance(one, Enum) else one for one in allowed]
    if value not in plain:
        raise Misfit(where, f"{value!r} is none of {plain}")
    return value


def _object(model: type[BaseModel], value: Any, where: str) -> Any:
    _expect(value, dict, f"a {model.__name__}", where)
    fields = {field.alias or name: field for name, field in model.model_fields.items()}
    fitted = {}
    for name, one in value.items():
        if one is None:
            continue
        if name not in fields:
            raise Misfit(where, f"{model.__name__} has no field {name!r}")
        fitted[name] = conform(fields[name].annotation, one, f"{where}.{name}")
    for name, field in fields.items():
        if name not in fitted and (field.is_required() or _is_tag(name, field.annotation)):
            raise Misfit(where, f"{model.__name__} needs {name!r}")
    return fitted


def _is_tag(name: str, annotation: Any) -> bool:
    """A model's `type` has a default in aiogram, and none in the Bot API."""
    return name in ("type", "source") and get_origin(annotation) is Literal


def _plain(kind: Any, value: Any, where: str) -> Any:
    if kind in (str, InputFile):
        return _expect(value, str, "a text", where)
    if kind is bool:
        return _expect(value, bool, "true or false", where)
    if kind in (int, datetime, timedelta):
        if isinstance(value, bool):
            raise Misfit(where, f"{value!r} is no whole number")
        return _expect(value, int, "a whole number", where)
    if kind is float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Misfit(where, f"{value!r} is no number")
        return value
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _literal(tuple(kind), value, where)
    raise Misfit(where, f"nothing fits {kind!r}")


def _expect(value: Any, kind: type, called: str, where: str) -> Any:
    if not isinstance(value, kind):
        raise Misfit(where, f"{called} is expected, not {value!r:.80}")
    return value


def _number(value: str) -> int | None:
    digits = value.removeprefix("-")
    return int(value) if digits.isascii() and digits.isdigit() else None


def _truth(value: str, where: str) -> bool:
    if value.lower() in _TRUE:
        return True
    if value.lower() in _FALSE:
        return False
    raise Misfit(where, f"{value!r} is neither true nor false")


def required_of(model: type[BaseModel]) -> Mapping[str, Any]:
    """The fields that a model cannot do without, with their types."""
    return {
        name: field.annotation for name, field in model.model_fields.items() if field.is_required()
    }
