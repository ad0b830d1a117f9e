"""The parts of a rich message, and whether they keep within its limits.

Blocks and texts are the Bot API's own JSON (core.telegram.org/bots/api#rich-messages). What anybody
typed stands in them as plain texts, so no sign in it is ever markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from channels.telegram import limits
from channels.telegram.native import Json, Media
from channels.telegram.text import NOTHING, blank, clean, one_line, units

Text = str | Json | list[Any]
"""A RichText: characters, characters with a style or a button, or a list of these."""

Cells = list[Json]

MEDIA = 50
"""Files in one rich message (core.telegram.org/bots/api#rich-message-limits)."""

_TEXTS = frozenset({"text", "caption", "summary", "credit"})
_INNER = ("blocks", "items")
_MEDIA = {
    "photo": "photo",
    "document": "document",
    "video": "video",
    "audio": "audio",
    "animation": "animation",
    "voice": "voice_note",
}
"""The block of each kind of file; a video note has none."""


# Texts


def styled(style: str, text: Text) -> Json:
    """A text in a style: "bold", "italic"."""
    return {"type": style, "text": text}


def inline(button: Json) -> Json:
    """A button that stands within a text."""
    return {"type": "button", "button": button}


def lines(*texts: Text | None) -> list[Any]:
    """Texts one under the other; None and empty ones are left out."""
    found: list[Any] = []
    for text in texts:
        if text:
            found += ["\n", text] if found else [text]
    return found


# Blocks


def paragraph(text: Text) -> Json:
    """Running text."""
    return {"type": "paragraph", "text": text}


def heading(text: Text) -> Json:
    """A question above its answers, a little larger than running text."""
    return {"type": "heading", "text": text, "size": 4}


def quoted(text: str) -> Json:
    """A text that is shown as it is."""
    return {"type": "blockquote", "blocks": [paragraph(text)]}


def counted(items: Iterable[Sequence[Json]]) -> Json:
    """A list whose items are blocks, counted from 1."""
    return {
        "type": "list",
        "items": [
            {"blocks": list(blocks), "type": "1", "value": number}
            for number, blocks in enumerate(items, 1)
        ],
    }


def cell(text: Text = "", *, align: str = "left", header: bool = False, span: int = 1) -> Json:
    """A cell of a table. Without a text it is invisible, and holds its place."""
    made: Json = {"align": align, "valign": "top"}
    made |= {"text": text} if text else {}
    made |= {"is_header": True} if header else {}
    return made | ({"colspan": span} if span > 1 else {})


def table(rows: Iterable[Cells], *, caption: Text = "", bordered: bool = False) -> Json:
    """A table of rows that are equally wide."""
    made: Json = {"type": "table", "cells": list(rows)}
    made |= {"caption": caption} if caption else {}
    return made | ({"is_bordered": True} if bordered else {"is_compact": True})


def row(buttons: Sequence[Json]) -> Json:
    """Buttons side by side."""
    return {"type": "buttons", "buttons": list(buttons)}


def button(label: str, data: str, style: str = "") -> Json:
    """A button that sends `data`. The style is "success", "primary", "danger" or "link"."""
    made: Json = {"text": NOTHING if blank(label) else one_line(label), "callback_data": data}
    return made | ({"style": style} if style else {})


def medium(media: Media, caption: str) -> Json | None:
    """A file with what it is called under it; None where no block can show its kind."""
    kind = _MEDIA.get(media.kind)
    if kind is None:
        return None
    block: Json = {"type": kind, kind: {"type": kind, "media": media.file}}
    return block | ({} if blank(caption) else {"caption": {"text": clean(caption)}})


# Limits


def buttons_in(value: Any) -> Iterator[Json]:
    """Every button of some blocks, in reading order."""
    for one in _objects(value):
        if "callback_data" in one:
            yield one


def without_buttons(value: Any) -> Any:
    """The same blocks with nothing left to tap: a button within a text leaves its label."""
    if isinstance(value, list):
        return [without_buttons(one) for one in value if not _is_row(one)]
    if not isinstance(value, dict):
        return value
    if value.get("type") == "button":
        return styled("bold", value["button"]["text"])
    return {name: without_buttons(one) for name, one in value.items()}


def _is_row(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == "buttons"


def fits(blocks: Sequence[Json]) -> bool:
    """Whether these blocks keep within a rich message's limits.

    The platform names none for the buttons: they are taken to be those of a keyboard. How deep
    blocks may stand in each other (16 levels) is never reached here.
    """
    found = list(_objects(blocks))
    return (
        bool(blocks)
        and sum(_lengths(blocks)) <= limits.RICH_TEXT
        and _count(blocks) <= limits.RICH_BLOCKS
        and all(_columns(one) <= limits.RICH_COLUMNS for one in found)
        and sum("callback_data" in one for one in found) <= limits.BUTTONS
        and sum(one.get("type") in _MEDIA.values() and "media" not in one for one in found) <= MEDIA
    )


def _objects(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
    inner = value.values() if isinstance(value, dict) else value
    for one in inner if isinstance(value, dict | list | tuple) else ():
        yield from _objects(one)


def _lengths(value: Any, key: str = "text") -> Iterator[int]:
    """UTF-16 units of each text: never fewer than the platform counts."""
    if isinstance(value, str):
        yield units(value) if key in _TEXTS else 0
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _lengths(one, name)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _lengths(one, key)


def _count(blocks: Any) -> int:
    """Blocks, items of lists and rows of tables, those within others too."""
    return sum(
        1 + len(one.get("cells", ())) + sum(_count(one.get(name, ())) for name in _INNER)
        for one in blocks
    )


def _columns(block: Json) -> int:
    return max(
        (sum(one.get("colspan", 1) for one in row) for row in block.get("cells", ())), default=0
    )
