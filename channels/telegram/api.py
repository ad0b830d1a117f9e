"""The Bot API as this channel calls it: a method, its parameters, one of four ways to fail.

A driver carries calls out with its library and turns the library's errors into these. Nothing else
of the channel knows which library it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from channels.telegram.native import Json


@dataclass(frozen=True, slots=True)
class File:
    """A file to upload, as the value of a parameter. What the platform has already is sent by its
    file_id instead."""

    name: str
    content: bytes

    def __repr__(self) -> str:
        return f"File({self.name!r}, {len(self.content)} bytes)"


class ApiFailed(Exception):
    """A call had no result."""


class Unreachable(ApiFailed):
    """The call never reached the server: nothing was carried out."""


class Unknown(ApiFailed):
    """The answer was lost (a time-out, a server error, a broken answer): perhaps it was done."""


class Flooded(ApiFailed):
    """The server wants to be asked again after so many `seconds`; nothing was carried out."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"again in {seconds:g} s")
        self.seconds = seconds


class Refused(ApiFailed):
    """The server refused the call, with an error `code` and a `description` in its own words.

    `moved` is the number that a group has got as a supergroup. A method that the server does not
    know is refused with the code 404.
    """

    def __init__(self, code: int, description: str, moved: int | None = None) -> None:
        super().__init__(f"{code} {description}")
        self.code = code
        self.description = description
        self.moved = moved

    def says(self, *words: str) -> bool:
        """Whether any of these stands in the description, letter case aside: the server's texts
        change it from time to time."""
        said = self.description.casefold()
        return any(one.casefold() in said for one in words)


class Api(Protocol):
    """One bot at one Bot API server."""

    async def call(self, method: str, /, *, within: float | None = None, **parameters: Any) -> Any:
        """Carry out a method; the result as the Bot API's own JSON.

        Parameters are the Bot API's own; None and an empty text, which the Bot API takes for the
        same, are left out. Objects and lists go out as compact JSON text, in the order of their
        keys; a `File` is uploaded, wherever it stands. `within` are the seconds to wait for an
        answer, the library's own default where nothing is said. Raises ApiFailed.
        """
        ...

    async def fetch(self, path: str, limit: int) -> bytes:
        """A file by the path that getFile told. Raises ApiFailed; one of more than `limit` bytes
        is Refused with the code 413."""
        ...


__all__ = ["Api", "ApiFailed", "File", "Flooded", "Json", "Refused", "Unknown", "Unreachable"]
