"""Rich messages: blocks of text, tables, lists and buttons.

The limits are those of the Bot API's "Rich message limits". A rich message comes as a list of
blocks; the `html` and `markdown` forms are refused, because nothing here reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.support.telegram.entities import units
from tests.support.telegram.errors import ApiError, Json, violates
from tests.support.telegram.keyboards import Button, button_faults, button_of

TEXT_LIMIT = 32768
BLOCK_LIMIT = 500
DEPTH_LIMIT = 16
MEDIA_LIMIT = 50
COLUMN_LIMIT = 20
BUTTONS_IN_ROW = 8
_MEDIA = ("photo", "video", "animation", "audio", "document", "voice_note")
_NESTED = ("blocks", "items")
Store = Callable[[str, Json], Any]
"""Keeps the medium of a block: its kind and its InputMedia in, its API object out."""


def plain(text: Any) -> str:
    """The characters of a rich text."""
    if isinstance(text, str):
        return text
    if isinstance(text, list):
        return "".join(plain(one) for one in text)
    if not isinstance(text, dict):
        return ""
    if text.get("type") == "custom_emoji":
        return str(text["alternative_text"])
    if text.get("type") == "button":
        return str(button_of(text["button"], plain(text["button"]["text"])))
    return plain(text.get("text", text.get("expression", "")))


def buttons_in(value: Any) -> Iterator[Json]:
    """Every button of a rich message, in reading order."""
    if isinstance(value, list):
        for one in value:
            yield from buttons_in(one)
    elif isinstance(value, dict):
        if value.get("type") == "buttons":
            yield from value["buttons"]
        elif value.get("type") == "button":
            yield value["button"]
        else:
            for one in value.values():
                yield from buttons_in(one)


def rich_rows(rich: Json) -> list[list[Button]]:
    """The buttons of a rich message as rows; one that stands in a text is a row of its own."""
    return list(_rows(rich["blocks"]))


def _rows(value: Any) -> Iterator[list[Button]]:
    if isinstance(value, dict) and value.get("type") == "buttons":
        yield [button_of(one, plain(one["text"])) for one in value["buttons"]]
    elif isinstance(value, dict) and value.get("type") == "button":
        yield [button_of(value["button"], plain(value["button"]["text"]))]
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _rows(one)


def check_rich(rich: Json, *, private: bool) -> None:
    """Raises ApiError (a violation) where a rich message breaks a limit."""
    for fault in _faults(rich, private):
        raise fault


def _faults(rich: Json, private: bool) -> Iterator[ApiError]:
    forms = [name for name in ("blocks", "html", "markdown") if name in rich]
    if len(forms) != 1:
        yield violates(f"exactly one of blocks, html and markdown is expected, not {forms}")
    if "blocks" not in rich:
        yield violates("this server reads rich messages as blocks only")
    blocks = rich["blocks"]
    if not blocks:
        yield violates("rich message must be non-empty")
    if sum(_lengths(blocks)) > TEXT_LIMIT:
        yield violates(f"rich message is too long: at most {TEXT_LIMIT} characters")
    if _count(blocks) > BLOCK_LIMIT:
        yield violates(f"rich message has too many blocks: at most {BLOCK_LIMIT}")
    if _depth(blocks) > DEPTH_LIMIT:
        yield violates(f"rich message is nested too deep: at most {DEPTH_LIMIT} levels")
    if sum(block.get("type") in _MEDIA for block in _dicts(blocks)) > MEDIA_LIMIT:
        yield violates(f"rich message has too many media: at most {MEDIA_LIMIT}")
    for block in _dicts(blocks):
        yield from _block_faults(block)
    for button in buttons_in(blocks):
        yield from button_faults(
            {**button, "text": plain(button["text"])}, private=private, rich=True
        )


def _block_faults(block: Json) -> Iterator[ApiError]:
    kind = block.get("type")
    if kind == "buttons" and not 1 <= len(block["buttons"]) <= BUTTONS_IN_ROW:
        yield violates(f"a row of a rich message has 1-{BUTTONS_IN_ROW} buttons")
    if kind == "table":
        columns = [sum(cell.get("colspan", 1) for cell in row) for row in block["cells"]]
        if not columns or max(columns) > COLUMN_LIMIT:
            yield violates(f"a table has 1-{COLUMN_LIMIT} columns")
    if kind == "heading" and not 1 <= block["size"] <= 6:
        yield violates("the size of a heading is 1-6")


def _dicts(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
        for one in value.values():
            yield from _dicts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _dicts(one)


def _lengths(value: Any, key: str = "") -> Iterator[int]:
    if isinstance(value, str):
        if key in ("", "text", "summary", "caption", "credit", "expression", "alternative_text"):
            yield units(value)
    elif isinstance(value, list):
        for one in value:
            yield from _lengths(one, key)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _lengths(one, name)


def _count(value: Any) -> int:
    """Blocks, list items and table rows, nested ones too."""
    counted = 0
    for block in value if isinstance(value, list) else []:
        counted += 1 + sum(_count(block.get(name)) for name in _NESTED if isinstance(block, dict))
        counted += len(block.get("cells", [])) if isinstance(block, dict) else 0
    return counted


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max((_depth(one) for one in value.values()), default=0)
    if isinstance(value, list):
        return max((_depth(one) for one in value), default=0)
    return 0


def stored(rich: Json, store: Store) -> Json:
    """The `RichMessage` that comes of an `InputRichMessage`."""
    message: Json = {"blocks": [_stored(block, store) for block in rich["blocks"]]}
    if rich.get("is_rtl"):
        message["is_rtl"] = True
    return message


def _stored(block: Json, store: Store) -> Json:
    kind = block["type"]
    kept = dict(block)
    if kind in _MEDIA:
        kept[kind] = store(kind, block[kind])
    if "blocks" in block:
        kept["blocks"] = [_stored(one, store) for one in block["blocks"]]
    if kind == "list":
        kept["items"] = [_item(one, number, store) for number, one in enumerate(block["items"], 1)]
    return kept


def _item(item: Json, number: int, store: Store) -> Json:
    label = f"{item.get('value', number)}." if "type" in item else "•"
    return {**item, "label": label, "blocks": [_stored(one, store) for one in item["blocks"]]}


def drawn(rich: Json) -> list[str]:
    """A rich message in lines of plain text."""
    return [line for block in rich["blocks"] for line in _drawn(block)]


def _drawn(block: Json) -> list[str]:
    kind = block["type"]
    if kind == "buttons":
        return [" ".join(str(button_of(one, plain(one["text"]))) for one in block["buttons"])]
    if kind == "table":
        rows = [" | ".join(plain(cell.get("text", "")) for cell in row) for row in block["cells"]]
        title = [plain(block["caption"])] if "caption" in block else []
        return [*title, *(f"| {row} |" for row in rows)]
    if kind == "list":
        return [line for item in block["items"] for line in _drawn_item(item)]
    if kind == "divider":
        return ["────"]
    if kind == "heading":
        return ["#" * block["size"] + " " + plain(block["text"])]
    inner = [f"  {line}" for one in block.get("blocks", []) for line in _drawn(one)]
    if kind == "details":
        sign = "▾" if block.get("is_open") else "▸"
        return [f"{sign} {plain(block['summary'])}", *inner]
    if kind in _MEDIA or kind == "map":
        return [f"[{kind}] {plain(block.get('caption', {}))}".rstrip()]
    return [*plain(block.get("text", "")).splitlines(), *inner]


def _drawn_item(item: Json) -> list[str]:
    box = ("☑ " if item.get("is_checked") else "☐ ") if item.get("has_checkbox") else ""
    lines = [line for one in item["blocks"] for line in _drawn(one)] or [""]
    return [f"{item['label']} {box}{lines[0]}", *(f"  {line}" for line in lines[1:])]
