"""What goes over the wire, and what a failure means there: the same through either library.

Every value becomes the text that the Bot API takes in a form, before a library sees it. So neither
the defaults of a program that the bot is mounted in nor the library's age change what is sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from channels.telegram.api import ApiFailed, File, Flooded, Refused, Unknown
from channels.telegram.native import Json

_AGAIN = 1.0
"""Seconds to wait where the server wants quiet and does not say for how long."""
_UPGRADED = "Bad Request: group chat was upgraded to a supergroup chat"


def on_the_wire(parameters: Json) -> dict[str, str | File | list[Any]]:
    """The parameters of a call as a form has them: texts, and files to upload. A list that has
    files in it stays one: each library has its own way to write it.

    Numbers, truth values, objects and lists become compact JSON text. None and empty texts are left
    out: the Bot API takes an empty parameter for a missing one.
    """
    form = {name: _told(value) for name, value in parameters.items() if value is not None}
    return {name: value for name, value in form.items() if value != ""}


def with_files(value: Any, use: Callable[[File], Any]) -> Any:
    """A list as it goes out, each file in it replaced by what `use` makes of it."""
    match value:
        case File():
            return use(File(_file_name(value.name), value.content))
        case dict():
            return {name: with_files(one, use) for name, one in value.items()}
        case list():
            return [with_files(one, use) for one in value]
        case str():
            return _sound(value)
    return value


def as_json(value: Any) -> str:
    """Compact JSON text."""
    return _sound(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def too_large(limit: int) -> Refused:
    """The refusal of a file of more than so many bytes."""
    return Refused(413, f"the file has more than {limit} bytes")


def refused(code: int, description: str) -> ApiFailed:
    """What an error answer means, by its HTTP status and its description."""
    if code == 429:
        return Flooded(_AGAIN)
    if code >= 500:
        return Unknown(f"{code} {description}")
    return Refused(code, description)


def without(token: str, text: str) -> str:
    """The text without the bot's token, which is in every address that an error may name."""
    return text.replace(token, "<token>")


def upgraded(to: int) -> Refused:
    """The refusal of a call for a group that became a supergroup with this number."""
    return Refused(400, _UPGRADED, moved=to)


def _told(value: Any) -> str | File | list[Any]:
    if isinstance(value, File):
        return File(_file_name(value.name), value.content)
    if isinstance(value, str):
        return _sound(value)
    if isinstance(value, list) and _has_files(value):
        return value
    return as_json(value)


def _has_files(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_files, value.values()))
    return any(map(_has_files, value)) if isinstance(value, list) else isinstance(value, File)


def _sound(text: str) -> str:
    """The text without halves of characters, which no UTF-8 can carry: both halves are joined, a
    lone one becomes a replacement character. Offsets in UTF-16 units stay true."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _file_name(name: str) -> str:
    """A name that is safe in the header of a form's part."""
    kept = "".join(sign for sign in _sound(name) if sign.isprintable() and sign not in '"\\/')
    return kept.strip() or "file"
