"""Blocks as a person sees them: their text, and lines of plain text with the controls drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tests.support.slack.checking import elements_of
from tests.support.slack.controls import CLICKED, HELD_AS, Control, State, controls_in, label_of
from tests.support.slack.errors import Json
from tests.support.slack.text import Names, Shown, Span, joined, markdown, mrkdwn, plain

_TEXTS = {
    "alert": ("text",),
    "card": ("title", "subtitle", "body", "subtext"),
    "container": ("title", "subtitle"),
    "header": ("text",),
    "input": ("label", "hint"),
    "plan": ("title",),
    "section": ("text", "fields"),
    "task_card": ("title",),
    "video": ("title",),
}
"""Which fields of a block are its text."""
_CHILDREN = {"carousel": "elements", "container": "child_blocks", "plan": "tasks"}
_CALLED = {"user": "@", "channel": "#", "usergroup": "@"}


def text_of(text: Json, names: Names) -> Shown:
    """A text object as a person sees it."""
    if text["type"] == "plain_text":
        return plain(text["text"])
    return mrkdwn(text["text"], names, verbatim=bool(text.get("verbatim")))


def shown(blocks: Iterable[Json], names: Names) -> Shown:
    """All that blocks say, without their controls."""
    return joined([part for block in blocks for part in _parts(block, names) if part])


def _parts(block: Json, names: Names) -> Iterator[Shown]:
    for one in _texts(block, *_TEXTS.get(block["type"], ())):
        yield text_of(one, names) if isinstance(one, dict) else plain(one)
    match block["type"]:
        case "context":
            held = [one for one in block["elements"] if one["type"] != "image"]
            yield joined((text_of(one, names) for one in held), " ")
        case "markdown":
            yield markdown(block["text"], names)
        case "rich_text":
            yield from _rich(block["elements"], names)
        case "image":
            yield plain(f"[{block['alt_text']}]")
        case "table" | "data_table":
            yield from (_row(row, names) for row in block["rows"])
    children = block.get(_CHILDREN.get(block["type"], ""), [])
    for child in children:
        yield from _parts(child, names)


def _texts(block: Json, *keys: str) -> Iterator[Any]:
    for key in keys:
        held = block.get(key, [])
        yield from held if isinstance(held, list) else [held]


def _row(row: list[Json], names: Names) -> Shown:
    return joined((_cell(one, names) for one in row), " | ")


def _cell(cell: Json, names: Names) -> Shown:
    if cell["type"] == "rich_text":
        return joined(_rich(cell["elements"], names))
    return plain(str(cell.get("text", cell.get("value", ""))))


def _rich(elements: Iterable[Json], names: Names) -> Iterator[Shown]:
    for element in elements:
        if element["type"] == "rich_text_list":
            for one in element["elements"]:
                yield Shown([Span("• "), *_section(one, names)])
        else:
            yield _section(element, names)


def _section(section: Json, names: Names) -> Shown:
    return Shown(_rich_span(one, names) for one in section["elements"])


def _rich_span(part: Json, names: Names) -> Span:
    styles = frozenset(name for name, on in part.get("style", {}).items() if on)
    kind = part["type"]
    if kind in _CALLED:
        target = part[f"{kind}_id"]
        style = "channel" if kind == "channel" else "mention"
        return Span(f"{_CALLED[kind]}{names(target) or target}", styles | {style}, target)
    if kind == "broadcast":
        return Span(f"@{part['range']}", styles | {"broadcast"}, part["range"])
    if kind == "link":
        return Span(part.get("text") or part["url"], styles | {"link"}, part["url"])
    if kind == "emoji":
        return Span(f":{part['name']}:", styles)
    return Span(str(part.get("text", part.get("fallback", part.get("value", "")))), styles)


# Lines


def lines_of(blocks: Iterable[Json], held: State, names: Names) -> list[str]:
    """The blocks drawn: text, and a row of controls where a block has them."""
    lines: list[str] = []
    for block in blocks:
        lines += _drawn(block, held, names)
    return lines


def _drawn(block: Json, held: State, names: Names) -> list[str]:
    if block["type"] == "divider":
        return ["────"]
    if block["type"] in ("container", "carousel"):
        children = block[_CHILDREN[block["type"]]]
        own = [text_of(one, names).text for one in _texts(block, "title", "subtitle")]
        return [*own, *lines_of(children, held, names)]
    texts = [line for part in _parts(block, names) for line in part.text.splitlines()]
    drawn = [_control(one, held, names) for one in controls_in([block], names)]
    if block["type"] == "input":
        mark = "" if not block.get("optional") else " (optional)"
        return [f"{texts[0]}{mark}: {drawn[0]}", *(f"  {one}" for one in texts[1:])]
    images = [one for _, one in elements_of(block) if one["type"] == "image"]
    rows = [" ".join(drawn)] if drawn else []
    return [*texts, *(f"[{one['alt_text']}]" for one in images), *rows]


def _control(control: Control, held: State, names: Names) -> str:
    if control.kind == "overflow":
        return f"[ … {' / '.join(control.labels)} ]"
    if control.kind == "feedback_buttons":
        return " ".join(f"[ {name} ]" for name in control.names)
    if control.kind in CLICKED:
        return f"[ {control.label} {'↗ ' if 'url' in control.element else ''}]"
    value = held.get(control.key, control.empty())[HELD_AS[control.kind]]
    if control.kind in ("checkboxes", "radio_buttons"):
        chosen = value if isinstance(value, list) else [value]
        marks = {label_of(one) for one in chosen if one}
        on, off = ("☑", "☐") if control.kind == "checkboxes" else ("◉", "○")
        return " ".join(f"{on if one in marks else off} {one}" for one in control.labels)
    return f"[ {_told(value, names) or _placeholder(control)} ▾ ]"


def told(control: Control, held: Json, names: Names) -> str:
    """What a control holds, as a person reads it."""
    return _told(held[HELD_AS[control.kind]], names)


def _placeholder(control: Control) -> str:
    if "placeholder" in control.element:
        return plain(control.element["placeholder"]["text"]).text
    return {"datepicker": "a date", "timepicker": "a time"}.get(control.kind, "…")


def _told(value: Any, names: Names) -> str:
    if isinstance(value, list):
        return ", ".join(_told(one, names) for one in value)
    if isinstance(value, dict):
        return label_of(value) if "text" in value else str(value.get("name", "…"))
    if value is None:
        return ""
    return names(str(value)) or str(value)
