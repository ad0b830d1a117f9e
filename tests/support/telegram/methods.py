"""The methods of the Bot API and their parameters, as aiogram's method classes declare them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import aiogram.methods
from aiogram.methods.base import TelegramMethod
from aiogram.types import InputFile

from tests.support.telegram.conform import Misfit, read, required_of
from tests.support.telegram.errors import ApiError, Json, method_not_found, violates
from tests.support.telegram.features import Feature, is_unknown, unseen, without_disabled

Method = type[TelegramMethod[Any]]

METHODS: dict[str, Method] = {
    one.__api_method__.lower(): one
    for one in vars(aiogram.methods).values()
    if isinstance(one, type) and issubclass(one, TelegramMethod) and one is not TelegramMethod
}
"""By their names in small letters: the server does not mind the case."""


def method_of(name: str, lacks: Collection[Feature] = ()) -> Method:
    """The method of this name. Raises ApiError (404) when the server has none."""
    found = METHODS.get(name.lower())
    if found is None:
        raise method_not_found(violation=True)
    if is_unknown(name, lacks):
        raise method_not_found(violation=False)
    return found


def typed(
    method: Method, raw: Json, uploads: Collection[str], lacks: Collection[Feature] = ()
) -> Json:
    """The parameters of a call in their types; an uploaded file is "attach://name".

    Raises ApiError (400, a violation) for a parameter that the method does not have, that is
    missing or that has another type.
    """
    fields = method.model_fields
    given = {name: value for name, value in raw.items() if value is not None and value != ""}
    given.update({name: f"attach://{name}" for name in uploads if name in fields})
    given = unseen(given, lacks)
    fitted = {}
    for name, value in given.items():
        if name not in fields:
            raise violates(f"{method.__api_method__} has no parameter {name!r}")
        try:
            fitted[name] = read(fields[name].annotation, value, name)
        except Misfit as misfit:
            raise violates(str(misfit)) from misfit
    for name, kind in required_of(method).items():
        if name not in fitted:
            raise _missing(name, kind)
    _check_uploads(fitted, uploads)
    return without_disabled(fitted) if Feature.DISABLED_BUTTONS in lacks else fitted


def _missing(name: str, kind: Any) -> ApiError:
    if name == "chat_id":
        return violates("chat_id is empty")
    if name == "text":
        return violates("message text is empty")
    if InputFile in getattr(kind, "__args__", ()):
        return violates(f"there is no {name} in the request")
    return violates(f'parameter "{name}" is required')


def _check_uploads(fitted: Json, uploads: Collection[str]) -> None:
    asked = set(attached(fitted))
    for name in sorted(asked - set(uploads)):
        raise violates(f"the file attach://{name} is not in the request")
    for name in sorted(set(uploads) - asked):
        raise violates(f"the file {name!r} is in the request, but no parameter names it")


def attached(value: Any) -> list[str]:
    """The names of the uploaded files that a value refers to."""
    if isinstance(value, str):
        return [value.removeprefix("attach://")] if value.startswith("attach://") else []
    if isinstance(value, dict):
        return [name for key, one in value.items() if key != "text" for name in attached(one)]
    if isinstance(value, list):
        return [name for one in value for name in attached(one)]
    return []
