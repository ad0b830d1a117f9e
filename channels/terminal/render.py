"""Cards, receipts and messages as a terminal shows them.

Every text of a person, a record or a model is put into `Text`, which knows no markup and no
control characters, so nothing that anybody typed can colour, move or clear the screen.
"""

from __future__ import annotations

import string
import unicodedata

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from channels.terminal.limits import WIDTH
from channels.terminal.payload import lettered, named, numbered
from core.cards import Button, Card, Chips, Form, Mark, Picker, PickerMode, Role, Summary
from core.effects import Close, Say

_MARKS = {Mark.YOURS: "•", Mark.QUOTED: "❝", Mark.RECORD: "◆", Mark.SKIPPED: "–"}
_QUIET = {Role.BACK, Role.CANCEL, Role.RESTART, Role.SKIP, Role.HUMAN, Role.MOVE}


def plain(text: str, style: str = "") -> Text:
    """Text as it stands, without control characters (line breaks and tabs stay)."""
    kept = "".join(
        char for char in text if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs")
    )
    return Text(kept, style=style)


def message(effect: Say) -> RenderableType:
    """A message without buttons: the model's words as they are, the runtime's own quieter."""
    return Padding(plain(effect.text, "" if effect.model else "cyan"), (1, 0, 0, 0))


def receipt(effect: Close) -> RenderableType | None:
    """What a closed card leaves behind; None where it leaves nothing."""
    return plain(effect.receipt, "green") if effect.receipt else None


def card(drawn: Card) -> RenderableType:
    """An open card, as a panel with its keys."""
    parts: list[RenderableType] = []
    if drawn.reason:
        parts.append(plain(drawn.reason, "yellow"))
    if drawn.verbatim:
        parts.append(Padding(plain(drawn.verbatim, "italic"), (1, 2)))
    parts += _body(drawn)
    parts += [_key(letter, button, "magenta") for letter, button in _letters(drawn)]
    if drawn.hint:
        parts.append(Padding(plain(drawn.hint, "dim"), (1 if parts else 0, 0, 0, 0)))
    parts.append(_names(drawn))
    place = f"{drawn.place[0]}/{drawn.place[1]}" if drawn.place[1] else None
    return Panel(
        Group(*parts),
        title=plain(drawn.title, "bold"),
        title_align="left",
        subtitle=place,
        subtitle_align="right",
        box=box.ROUNDED,
        padding=(0, 1),
        width=WIDTH,
    )


def show(console: Console, renderable: RenderableType | None) -> None:
    """Print one thing, in no more columns than a card has."""
    if renderable is not None:
        console.print(renderable, width=min(WIDTH, console.width), highlight=False)


def _body(drawn: Card) -> list[RenderableType]:
    match drawn:
        case Summary():
            return [_summary(drawn)]
        case Form():
            return [_fields(drawn)] if len(drawn.fields) > 1 else []
        case Picker():
            return _picker(drawn)
        case Chips():
            return [_key(str(n), button) for n, button in enumerate(numbered(drawn), 1)]


def _picker(drawn: Picker) -> list[RenderableType]:
    if drawn.mode is PickerMode.RECORDS:
        return [_key(str(n), button) for n, button in enumerate(drawn.options, 1)]
    if drawn.mode is PickerMode.ENTRIES:
        return [_key(str(n), plain_text=entry) for n, entry in enumerate(drawn.entries, 1)]
    return []


def _letters(drawn: Card) -> list[tuple[str, Button]]:
    return list(zip(string.ascii_lowercase, lettered(drawn), strict=False))


def _key(
    key: str, button: Button | None = None, style: str = "cyan", *, plain_text: str = ""
) -> RenderableType:
    line = Table.grid(padding=(0, 1))
    line.add_column(justify="right", min_width=3)
    line.add_column()
    label = plain(button.label if button else plain_text)
    if button is not None and button.ticked is not None:
        label = Text("[x] " if button.ticked else "[ ] ") + label
    if button is not None and button.detail:
        label += plain(f"\n{button.detail}", "dim")
    line.add_row(Text(key, style=style), label)
    return line


def _fields(drawn: Form) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for field in drawn.fields:
        pointer = Text("›" if field.name == drawn.active else " ", style="cyan")
        state = plain(field.value) if field.value else plain("…" if field.required else "–", "dim")
        if field.reason:
            state += plain(f"  {field.reason}", "yellow")
        table.add_row(pointer, plain(field.label), state)
    return table


def _summary(drawn: Summary) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, show_header=False, padding=(0, 1), expand=True)
    table.add_column(justify="right", style="cyan", no_wrap=True)
    table.add_column(style="bold", max_width=22)
    table.add_column(ratio=1)
    table.add_column(no_wrap=True, style="dim")
    for number, row in enumerate(drawn.rows, 1):
        table.add_row(str(number), plain(row.label), plain(row.value), _MARKS[row.mark])
    return table


def _names(drawn: Card) -> RenderableType:
    line = Text()
    for button in named(drawn):
        if line:
            line.append("   ")
        style = "dim" if button.role in _QUIET else "bold green"
        line.append_text(plain(f"[{button.label}]", style))
    return Padding(line, (1, 0, 0, 0)) if line else Text()
