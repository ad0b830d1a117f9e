"""Cards, receipts and messages as a terminal shows them.

Every text of a person, a record or a model is put into `Text`, which knows no markup and no
control characters, so nothing that anybody typed can colour, move or clear the screen.
"""

from __future__ import annotations

import string
import unicodedata
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from channels.terminal import calendars
from channels.terminal.limits import NARROW, WIDTH
from channels.terminal.payload import lettered, named, numbered
from core.cards import Button, Card, Chips, Form, Mark, Picker, PickerMode, Role, Summary
from core.effects import Close, Say
from core.texts import Texts

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
    return Group("", plain(effect.text, "" if effect.model else "cyan"))


def receipt(effect: Close) -> RenderableType | None:
    """What a closed card leaves behind; None where it leaves nothing."""
    return plain(effect.receipt, "green") if effect.receipt else None


def card(drawn: Card, texts: Texts) -> RenderableType:
    """An open card, as a panel with its keys."""
    parts: list[RenderableType] = []
    if drawn.reason:
        parts.append(plain(drawn.reason, "yellow"))
    if drawn.verbatim:
        parts.append(Padding(plain(drawn.verbatim, "italic"), (1, 2)))
    parts += _body(drawn, texts)
    parts += [_key(letter, button, "magenta") for letter, button in _letters(drawn)]
    hints = [hint for hint in (drawn.hint, _typing(drawn, texts)) if hint]
    foot: list[RenderableType] = [plain("\n".join(hints), "dim")] if hints else []
    if named(drawn):
        foot.append(_Buttons(named(drawn)))
    for below in foot:
        parts += ["", below] if parts else [below]
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


def _typing(drawn: Card, texts: Texts) -> str:
    """How a keyboard does what other channels have a control for; empty where that is plain."""
    if isinstance(drawn, Chips) and drawn.multiple:
        return texts("terminal.several")
    if isinstance(drawn, Picker) and drawn.mode is PickerMode.UPLOAD:
        return texts("terminal.upload")
    if isinstance(drawn, Picker) and drawn.entries:
        return texts("terminal.remove")
    return ""


def show(console: Console, renderable: RenderableType | None) -> None:
    """Print one thing, in no more columns than a card has."""
    if renderable is not None:
        console.print(renderable, width=min(WIDTH, console.width), highlight=False)


def _body(drawn: Card, texts: Texts) -> list[RenderableType]:
    match drawn:
        case Summary():
            return [_Summary(drawn), "", _legend(drawn, texts)]
        case Form():
            return [_fields(drawn)] if len(drawn.fields) > 1 else []
        case Picker():
            return _picker(drawn, texts.locale)
        case Chips():
            return [_key(str(n), button) for n, button in enumerate(numbered(drawn), 1)]


def _picker(drawn: Picker, locale: str) -> list[RenderableType]:
    if drawn.mode is PickerMode.RECORDS:
        return [_key(str(n), button) for n, button in enumerate(drawn.options, 1)]
    if drawn.mode is PickerMode.ENTRIES:
        return [_key(str(n), plain_text=entry) for n, entry in enumerate(drawn.entries, 1)]
    table = calendars.month(drawn, locale) or calendars.clock(drawn)
    return [Padding(table, (0, 0, 0, 2))] if table else []


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


@dataclass(frozen=True)
class _Summary:
    """The rows of a summary; on a narrow screen each value stands under its label."""

    drawn: Summary

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        beside = options.max_width >= NARROW
        table = Table.grid(padding=(0, 2, 0, 0), expand=True)
        table.add_column(justify="right", style="cyan", no_wrap=True, min_width=3)
        if beside:
            table.add_column(style="bold", max_width=options.max_width // 3)
        table.add_column(ratio=1)
        table.add_column(no_wrap=True, style="dim")
        for number, row in enumerate(self.drawn.rows, 1):
            label, value = plain(row.label, "bold"), plain(row.value)
            if row.quote:
                value += plain(f"\n“{row.quote}”", "dim italic")
            cells = (label, value) if beside else (Text("\n").join([label, value]),)
            table.add_row(str(number), *cells, _MARKS[row.mark])
        yield table


def _legend(drawn: Summary, texts: Texts) -> Text:
    """What the marks that stand on this summary mean."""
    shown = {row.mark for row in drawn.rows}
    meant = [f"{sign} {texts(f'terminal.mark.{mark}')}" for mark, sign in _MARKS.items()]
    return plain(
        "   ".join(line for line, mark in zip(meant, _MARKS, strict=True) if mark in shown), "dim"
    )


@dataclass(frozen=True)
class _Buttons:
    """Labels in brackets, as many in a line as fit, none of them broken over two lines."""

    buttons: tuple[Button, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = Text()
        for button in self.buttons:
            style = "dim" if button.role in _QUIET else "bold green"
            label = plain(f"[{button.label}]", style)
            if line and line.cell_len + 3 + label.cell_len > options.max_width:
                yield line
                line = Text()
            line = line + "   " + label if line else label
        yield line
