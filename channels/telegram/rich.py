"""Cards as rich messages (Bot API 10.3), where that is more than text with buttons under it.

| card | what a rich message gains |
| --- | --- |
| summary | a table; each label is the link that changes its value, and no value is ever shortened |
| form of several fields | each field's name is the link that makes it the one that is filled |
| list | the button that removes an entry stands beside it |
| records, options with a detail or a long label | each has its button and its text together |
| calendar, clock | a grid in which every weekday keeps its column |
| any with a text to approve that is longer than a plain message | one message, not several |

A few short options, one field, a file to send: the plain form is as good, and is used.
"""

from __future__ import annotations

import calendar
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from babel.dates import get_day_names

from channels.telegram import limits, rich_blocks
from channels.telegram.native import Json, Piece, media_of
from channels.telegram.payload import Dest, data_for
from channels.telegram.rich_blocks import cell, clean, inline, lines, one_line, paragraph, styled
from core.cards import (
    Button,
    Card,
    Chips,
    Field,
    Form,
    Mark,
    Picker,
    PickerMode,
    Record,
    Role,
    Row,
    Summary,
    buttons,
)
from core.texts import Texts
from core.values import locale_of, month_name

_MARKS = {Mark.YOURS: "•", Mark.QUOTED: "❝", Mark.RECORD: "◆", Mark.SKIPPED: "–"}
_STYLES = {Role.CONFIRM: "success", Role.DONE: "success", Role.SUGGESTION: "primary"}
_TICKS = {True: "☑ ", False: "☐ ", None: ""}
_REMOVE = "✕"
_WARNING = "⚠️ "
_ACTIVE = "› "
_MISSING, _EMPTY = "…", "–"
_LONG_LABEL = 30
"""Columns of a label; a longer one is cut on a narrow phone, so it is told beside its button."""
_WIDE_VALUE = 60
"""Columns of a value that stands beside its label; a longer one has the table's whole width."""
_TIMES_IN_ROW = 6
_LONG_TIMES_IN_ROW = 4
_CLOCK_LABEL = len("00:00")


def card(
    drawn: Card,
    dest: Dest,
    texts: Texts,
    *,
    for_name: str = "",
    again: str = "",
    files: bool = False,
) -> Piece | None:
    """An open card as one rich message with all its buttons; None where the plain form is as good,
    or where the card is more than a rich message holds.

    `for_name` is its owner's name, where others see it too; `again` is its last line. With `files`
    a summary's files stand in it (see `shows_files`), else they are sent beside it.
    """
    if not _gains(drawn):
        return None
    try:
        blocks = _Drawing(drawn, dest, texts).blocks(for_name, again, files)
    except ValueError:
        # A button that does not fit into callback data.
        return None
    if not rich_blocks.fits(blocks):
        return None
    rich: Json = {"blocks": blocks, "skip_entity_detection": True}
    return Piece(rich=rich | ({"is_rtl": True} if _is_rtl(drawn, texts) else {}))


def shows_files(drawn: Card) -> bool:
    """Whether a rich message can show every file of a summary: then none needs to be sent beside.

    The platform refuses such a message whole where it has one of the files no more, and where the
    bot may send no files; and its files are gone once it is edited to a plain one.
    """
    found = [media_of(ref) for _, ref in _files(drawn)]
    return all(one is None or rich_blocks.medium(one, "") is not None for one in found)


def _files(drawn: Card) -> list[tuple[Row, str]]:
    rows = drawn.rows if isinstance(drawn, Summary) else ()
    return [(row, ref) for row in rows for ref in row.files]


def _gains(drawn: Card) -> bool:
    """Whether a rich message says this card better than a plain one (see the module's table)."""
    if len(drawn.verbatim) > limits.TEXT:
        return True
    match drawn:
        case Summary():
            return True
        case Form():
            return len(drawn.fields) > 1
        case Picker():
            return bool(drawn.options)
        case Chips():
            return any(_needs_text(one) for one in drawn.options)


def _needs_text(button: Button) -> bool:
    return bool(button.detail) or rich_blocks.width(button.label) > _LONG_LABEL


@dataclass(frozen=True, slots=True)
class _Drawing:
    """One card on its way to blocks."""

    card: Card
    dest: Dest
    texts: Texts

    def blocks(self, for_name: str, again: str, files: bool) -> list[Json]:
        """The whole message: what is asked, what answers it, what else can be done.

        A button that the body has no place for (an edit without its field) stands under it.
        """
        body = self._body()
        placed = {one["callback_data"] for one in rich_blocks.buttons_in(body)}
        ends = _ends(self.card)
        beside = (*ends, *self.card.suggestions, *self.card.controls)
        own = [one for one in buttons(self.card) if one not in beside]
        return [
            *self._head(for_name),
            *body,
            *self._rows([one for one in own if self._data(one) not in placed]),
            *self._rows(self.card.suggestions),
            *(self._media() if files and shows_files(self.card) else ()),
            *_line("italic", self.card.hint),
            *self._rows(ends),
            *self._rows(self.card.controls),
            *_line("italic", again),
        ]

    def _head(self, for_name: str) -> Iterator[Json]:
        name, place = one_line(for_name), self.card.place
        if name:
            user = {"id": self.dest.owner, "is_bot": False, "first_name": name}
            mention = {"type": "text_mention", "text": name, "user": user}
            yield paragraph([mention, " · ", self.texts("telegram.reply_here", name=name)])
        title = clean(self.card.title)
        shown = f"{place[0]}/{place[1]}" if place[1] else ""
        if title.strip() or shown:
            yield rich_blocks.heading(f"{title}  {shown}".strip())
        if clean(self.card.reason).strip():
            yield paragraph([_WARNING, styled("bold", clean(self.card.reason))])
        if clean(self.card.verbatim).strip():
            yield rich_blocks.quoted(clean(self.card.verbatim))

    def _body(self) -> list[Json]:
        match self.card:
            case Summary():
                return self._summary(self.card)
            case Form():
                return self._form(self.card)
            case Picker():
                return self._picker(self.card)
            case Chips():
                described = any(_needs_text(one) for one in self.card.options)
                return self._described(self.card.options, ()) if described else []

    # Buttons

    def _data(self, button: Button) -> str:
        return data_for(self.card.id, button.token, self.dest)

    def _button(self, button: Button, *, label: str = "", style: str = "") -> Json:
        shown = label or _TICKS[button.ticked] + button.label
        style = style or _STYLES.get(button.role, "")
        return rich_blocks.button(shown, self._data(button), style)

    def _rows(self, shown: Sequence[Button]) -> list[Json]:
        return rich_blocks.rows(self._button(one) for one in shown)

    def _grid(self, shown: Sequence[Button], across: int) -> Json:
        cells = [cell(inline(self._button(one)), align="center") for one in shown]
        cells += [cell() for _ in range(-len(cells) % across)]
        return rich_blocks.table(
            cells[start : start + across] for start in range(0, len(cells), across)
        )

    # The summary

    def _summary(self, drawn: Summary) -> list[Json]:
        if not drawn.rows:
            return []
        cells = [line for one in drawn.rows for line in self._value(one)]
        shown = {one.mark for one in drawn.rows}
        legend = "   ".join(
            f"{sign} {self.texts(f'terminal.mark.{mark}')}"
            for mark, sign in _MARKS.items()
            if mark in shown
        )
        return [rich_blocks.table(cells, bordered=True), paragraph(styled("italic", legend))]

    def _value(self, row: Row) -> list[list[Json]]:
        """The lines of one value, which is never shortened (G3)."""
        label = inline(self._button(row.edit, label=row.label, style="link"))
        value, quote = clean(row.value), clean(row.quote)
        shown = lines(
            value if value.strip() else _EMPTY, styled("italic", f"“{quote}”") if quote else None
        )
        mark = cell(_MARKS[row.mark], align="center")
        if row.long or "\n" in value or rich_blocks.width(value) > _WIDE_VALUE:
            return [[cell(label, span=2), mark], [cell(shown, span=3)]]
        return [[cell(label), cell(shown), mark]]

    def _media(self) -> Iterator[Json]:
        for row, ref in _files(self.card):
            media = media_of(ref)
            block = rich_blocks.medium(media, row.label) if media is not None else None
            if block is not None:
                yield block

    # Forms

    def _form(self, drawn: Form) -> list[Json]:
        if len(drawn.fields) < 2:
            return []
        edits = drawn.edit if len(drawn.edit) == len(drawn.fields) else ()
        return [
            rich_blocks.table(
                (
                    self._field(field, edits[at] if edits else None, field.name == drawn.active)
                    for at, field in enumerate(drawn.fields)
                ),
                bordered=True,
            )
        ]

    def _field(self, field: Field, edit: Button | None, active: bool) -> list[Json]:
        label: Any = styled("bold", one_line(field.label) or field.name)
        if edit is not None:
            label = inline(self._button(edit, label=field.label, style="link"))
        filled = clean(field.value)
        wrong = [_WARNING, clean(field.reason)] if field.reason else None
        hint = clean(field.hint) if active else ""
        shown = lines(
            filled if filled.strip() else (_MISSING if field.required else _EMPTY),
            wrong,
            styled("italic", hint) if hint else None,
        )
        return [cell([_ACTIVE, label] if active else label), cell(shown)]

    # Pickers

    def _picker(self, drawn: Picker) -> list[Json]:
        if drawn.mode is PickerMode.ENTRIES:
            return self._entries(drawn)
        if drawn.mode is PickerMode.RECORDS:
            return self._described(drawn.options, drawn.records) if drawn.options else []
        if drawn.mode is PickerMode.UPLOAD or not drawn.options:
            return []
        if drawn.month and all(one.label.isdecimal() for one in drawn.options):
            return [self._month(drawn)]
        longest = max(rich_blocks.width(one.label) for one in drawn.options)
        across = _TIMES_IN_ROW if longest <= _CLOCK_LABEL else _LONG_TIMES_IN_ROW
        return [self._grid(drawn.options, across)]

    def _entries(self, drawn: Picker) -> list[Json]:
        if not drawn.entries:
            return []
        removes: Sequence[Button | None] = drawn.options
        if len(removes) != len(drawn.entries):
            removes = [None] * len(drawn.entries)
        return [
            rich_blocks.numbered(
                [paragraph([clean(entry) or _EMPTY, *self._remove(remove)])]
                for entry, remove in zip(drawn.entries, removes, strict=True)
            )
        ]

    def _remove(self, button: Button | None) -> list[Any]:
        return ["  ", inline(self._button(button, label=_REMOVE))] if button else []

    def _described(self, shown: Sequence[Button], records: Sequence[Record]) -> list[Json]:
        """Buttons with their text under each, numbered, for "the second one" is an answer."""
        told: list[Record | None] = list(records)
        if len(told) != len(shown):
            told = [None] * len(shown)
        return [
            rich_blocks.numbered(
                [rich_blocks.row([self._button(one)]), *_about(one, record)]
                for one, record in zip(shown, told, strict=True)
            )
        ]

    def _month(self, drawn: Picker) -> Json:
        """The month that is shown; a day that does not fit has no button. Raises ValueError where
        there is no such month."""
        locale = locale_of(self.texts.locale)
        weeks = calendar.Calendar(locale.first_week_day)
        names = get_day_names("abbreviated", "stand-alone", locale)
        title = month_name(drawn.month, self.texts.locale)
        year, number = (int(part) for part in drawn.month.split("-"))
        offered = {int(one.label): one for one in drawn.options}
        head = [
            cell(names[day].rstrip("."), align="center", header=True)
            for day in weeks.iterweekdays()
        ]
        days = [
            [self._day(day, offered.get(day)) for day in week]
            for week in weeks.monthdayscalendar(year, number)
        ]
        return rich_blocks.table([head, *days], caption=title)

    def _day(self, number: int, offered: Button | None) -> Json:
        if offered is not None:
            return cell(inline(self._button(offered)), align="center")
        return cell(str(number) if number else "", align="center")


def _ends(drawn: Card) -> tuple[Button, ...]:
    """The button that sends the card."""
    end = drawn.confirm if isinstance(drawn, Summary) else drawn.done
    return () if end is None else (end,)


def _line(style: str, text: str) -> list[Json]:
    shown = clean(text).strip()
    return [paragraph(styled(style, shown))] if shown else []


def _about(button: Button, record: Record | None) -> list[Json]:
    """What is told of an option under its button: its whole name where the button cuts it short,
    its detail, or else what else is known of the record."""
    name = one_line(record.label if record else button.label)
    cut = rich_blocks.width(name) > _LONG_LABEL or name != one_line(button.label)
    detail = clean(button.detail or (record.detail if record else ""))
    fields = record.fields if record and not detail else {}
    known = [
        f"{clean(key).replace('_', ' ')}: {clean(str(value))}"
        for key, value in fields.items()
        if value not in (None, "")
    ]
    shown = lines(styled("bold", name) if cut and name else None, detail, *known)
    return [paragraph(shown)] if shown else []


def _is_rtl(drawn: Card, texts: Texts) -> bool:
    """Whether the message is read from right to left: by most of the letters in its question, or
    by the language that it is in, when these letters are there at all (a language without texts
    of its own is asked in English)."""
    kinds = [unicodedata.bidirectional(char) for char in drawn.title + drawn.hint]
    leftward = sum(one in ("R", "AL") for one in kinds)
    language = locale_of(texts.locale).character_order == "right-to-left"
    return leftward > 0 and (language or leftward > kinds.count("L"))
