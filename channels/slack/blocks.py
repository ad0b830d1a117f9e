"""Block Kit's blocks, built so that none can be refused, and packed into messages.

What people, records and models wrote stands in rich text or plain text, never in mrkdwn: see text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from channels.slack.limits import (
    BLOCKS,
    BUTTON,
    CHARACTERS,
    CONTEXT,
    HEADING,
    PLACEHOLDER,
    RICH,
    TOP_TEXT,
)
from channels.slack.native import Json, Post
from channels.slack.text import (
    NOTHING,
    blank,
    clean,
    escaped,
    inert,
    one_line,
    seen,
    shorten,
    spelled,
    split,
)

Style = Literal["", "bold", "italic"]


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text in one style; with a `user`, it is that person's name, who is told of it."""

    text: str
    style: Style = ""
    user: str = ""


# Texts


def plain(text: str, limit: int) -> Json:
    """A plain text object, in which ":smile:" stays as it was typed."""
    return {"type": "plain_text", "text": spelled(shorten(seen(text), limit)), "emoji": False}


def rich(runs: Sequence[Run], *, quote: bool = False) -> tuple[Json, ...]:
    """Rich text, in several blocks where it is too long for one; none where it is empty."""
    kind = "rich_text_quote" if quote else "rich_text_section"
    return tuple(
        {"type": "rich_text", "elements": [{"type": kind, "elements": list(map(_element, part))}]}
        for part in _parts([run for run in map(_cleaned, runs) if run.text])
    )


def _cleaned(run: Run) -> Run:
    return run if run.user else replace(run, text=clean(run.text))


def _parts(runs: Sequence[Run]) -> Iterator[list[Run]]:
    part: list[Run] = []
    left = RICH
    for run in runs:
        pieces = split(run.text, RICH) if len(run.text) > left else (run.text,)
        for piece in pieces:
            if len(piece) > left and part:
                yield part
                part, left = [], RICH
            part.append(replace(run, text=piece))
            left -= len(piece)
    if part:
        yield part


def _element(run: Run) -> Json:
    if run.user:
        return {"type": "user", "user_id": run.user}
    element: Json = {"type": "text", "text": run.text}
    return {**element, "style": {run.style: True}} if run.style else element


def lines(parts: Iterable[Sequence[Run]], between: str = "\n") -> tuple[Run, ...]:
    """Lines of runs one under the other; those in which nothing is to be seen are left out."""
    found: list[Run] = []
    for part in parts:
        if blank(clean("".join(run.text for run in part))):
            continue
        found += [Run(between), *part] if found else part
    return tuple(found)


def context(text: str) -> tuple[Json, ...]:
    """A quiet line below what it belongs to; nothing for nothing to see."""
    kept = clean(text).strip()
    if blank(kept):
        return ()
    return tuple(
        {"type": "context", "elements": [plain(piece, 2 * CONTEXT)]}
        for piece in split(kept, CONTEXT)
        if not blank(piece)
    )


def section(heading: str, *, bold: bool = True) -> Json:
    """A line that something to use may stand beside, bold where that needs no care."""
    text = plain(one_line(heading), HEADING)
    if bold and inert(text["text"]):
        text = {"type": "mrkdwn", "text": f"*{text['text']}*", "verbatim": True}
    return {"type": "section", "text": text}


def cut(heading: str) -> bool:
    """Whether a section shows only the beginning of a heading."""
    line = one_line(heading)
    return shorten(line, HEADING) != line


# What is used


def button(label: str, action: str, *, style: str = "", spoken: str = "") -> Json:
    """A button; `spoken` is what a screen reader says in place of a label that others have, too."""
    made: Json = {"type": "button", "text": plain(label, BUTTON), "action_id": action}
    if style:
        made["style"] = style
    if spoken:
        made["accessibility_label"] = shorten(seen(one_line(spoken)), BUTTON)
    return made


def actions(elements: Sequence[Json], block_id: str) -> Json:
    """A row of controls."""
    return {"type": "actions", "block_id": block_id, "elements": list(elements)}


def picker(kind: str, action: str, placeholder: str, **more: Any) -> Json:
    """A select, a date picker or a time picker with its placeholder."""
    return {
        "type": kind,
        "action_id": action,
        "placeholder": plain(placeholder, PLACEHOLDER),
        **more,
    }


# Messages


Part = tuple[Json, ...]
"""Blocks that stand in one message, if they fit into one at all."""


def posts(parts: Iterable[Part]) -> tuple[Post, ...]:
    """Blocks as messages, as few as hold them, in their order."""
    made: list[list[Json]] = []
    for part in parts:
        if made and _fits([*made[-1], *part]):
            made[-1] += part
        elif _fits(part):
            made.append(list(part))
        else:
            _spread(made, part)
    return tuple(Post(text=summed(blocks), blocks=tuple(blocks)) for blocks in made if blocks)


def _spread(made: list[list[Json]], part: Part) -> None:
    for block in part:
        if made and _fits([*made[-1], block]):
            made[-1].append(block)
        else:
            made.append([block])


def _fits(blocks: Sequence[Json]) -> bool:
    return len(blocks) <= BLOCKS and characters(blocks) <= CHARACTERS


def characters(value: Any) -> int:
    """The characters of all texts in some blocks, as Slack seems to count them."""
    if isinstance(value, dict):
        own = len(value["text"]) if isinstance(value.get("text"), str) else 0
        return own + sum(map(characters, value.values()))
    return sum(map(characters, value)) if isinstance(value, list | tuple) else 0


def summed(blocks: Iterable[Json]) -> str:
    """What blocks say in words, for a notification and for who cannot see them."""
    said = "\n".join(filter(None, map(_said, blocks)))
    kept = shorten(said, TOP_TEXT)
    while len(escaped(kept)) > TOP_TEXT:
        kept = shorten(kept, len(kept) * TOP_TEXT // len(escaped(kept)))
    return NOTHING if blank(kept) else escaped(kept)


def _said(block: Json) -> str:
    match block["type"]:
        case "rich_text":
            runs = (one for part in block["elements"] for one in part["elements"])
            return "".join(one.get("text", "") for one in runs)
        case "section":
            text = block["text"]
            return _read(text).strip("*") if text["type"] == "mrkdwn" else _read(text)
        case "header":
            return _read(block["text"])
        case "context":
            return " ".join(map(_read, block["elements"]))
    return ""


def _read(text: Json) -> str:
    return str(text["text"]).replace("&amp;", "&")
