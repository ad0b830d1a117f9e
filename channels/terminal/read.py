"""A typed line becomes a reply: a command, a file, a pressed button, or words."""

from __future__ import annotations

import mimetypes
from datetime import datetime
from pathlib import Path

from channels.terminal.limits import LINE
from channels.terminal.payload import keys
from core.cards import Card
from core.replies import Command, File, Reply, Tap, Upload, Words


class TooLong(ValueError):
    """The line is longer than a terminal reply may be."""


class NotText(ValueError):
    """The line was not UTF-8, so what it said is lost."""


class NoSuchFile(ValueError):
    """The named file is not there, or is no file."""


def reply_from(line: str, card: Card | None, *, by: str, at: datetime) -> Reply:
    """What a typed line is, with this card open. Raises TooLong, NotText and NoSuchFile.

    A line that starts with "/" is a command; one that starts with "@" names a file to upload.
    """
    if len(line) > LINE:
        raise TooLong(str(LINE))
    if "\ufffd" in line:
        raise NotText
    text = line.strip()
    if text.startswith("/") and text[1:2].isalpha():
        name, _, argument = text[1:].partition(" ")
        return Command(name=name.casefold(), argument=argument.strip(), by=by, at=at)
    if text.startswith("@") and len(text) > 1:
        return Upload(files=(_file(text[1:].strip()),), by=by, at=at)
    button = dict(reversed(list(keys(card)))).get(text.casefold()) if card is not None else None
    if card is not None and button is not None:
        return Tap(card=card.id, token=button.token, by=by, at=at)
    return Words(text=line.strip("\r\n"), by=by, at=at)


def _file(name: str) -> File:
    path = Path(name.strip("'\"")).expanduser()
    if not path.is_file():
        raise NoSuchFile(str(path))
    mime = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return File(ref=str(path.resolve()), name=path.name, mime=mime, size=path.stat().st_size)
