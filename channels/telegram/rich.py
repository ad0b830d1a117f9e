"""Cards as rich messages (Bot API 10.3), where that is more than a text with buttons under it.

| card | what a rich message gains |
| --- | --- |
| summary | a table: each label is the link that changes its value, and no value is shortened |
| form of several fields | a table: each label is the link that makes its field the active one |
| list | the button that takes an entry off it stands beside the entry |
| records, options with more to say of them | each has its button and its text together |
| calendar, clock | a grid in which every weekday keeps its column |
| any with a text longer than a plain message | it is one message |

A few short options, one field to type into, a file to send: the plain form is as good, and is used.
"""

from __future__ import annotations

import calendar
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from babel.dates import get_day_names

from channels.telegram import layout, limits, rich_blocks
from channels.telegram.layout import Group, Key, Page
from channels.telegram.native import Json, Piece, media_of
from channels.telegram.payload import Dest, data_for
from channels.telegram.rich_blocks import cell, inline, lines, paragraph, styled
from channels.telegram.text import NOTHING, blank, clean, one_line, tick, units
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
    Row,
    Summary,
    buttons,
)
from core.texts import Texts
from core.values import locale_of, month_name

_MARKS = {Mark.QUOTED: "❝", Mark.RECORD: "◆"}
"""What is the person's own answer needs no mark, and what was left out says so itself."""

_LINK = "link"
_REMOVE = "✕"
_SAID, _WRONG, _SUGGESTED, _ACTIVE, _SOUGHT = "ℹ️ ", "⚠️ ", "💡 ", "👉 ", "🔎 "
_EMPTY = "–"
_WIDE_VALUE = 60
"""Columns of a value that stands beside its label; a longer one has the table's whole width."""
_CLOCK = len("00:00")
_TIMES_IN_ROW, _LONG_TIMES_IN_ROW = 6, 4


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
    a summary's files stand in it (see `shows_files`), else they are to be sent beside it.
    """
    pages = layout.pages(drawn)
    if not _gains(drawn) or len(pages) > 1 or not _callable(drawn, dest):
        return None
    blocks = _Drawing(drawn, dest, texts).blocks(pages[0], for_name, again, files)
    return _message(blocks, drawn, texts)


def confirmed(
    drawn: Summary, dest: Dest, texts: Texts, receipt: str, for_name: str = ""
) -> Piece | None:
    """A confirmed summary as it was shown, its files too, without its buttons; its receipt last."""
    if not _callable(drawn, dest):
        return None
    drawing = _Drawing(drawn, dest, texts)
    blocks = [] if blank(for_name) else [paragraph(drawing.mention(for_name))]
    blocks += rich_blocks.without_buttons(drawing.summary(drawn))
    blocks += drawing.media() if shows_files(drawn) else ()
    said = clean(receipt).strip()
    blocks += [] if blank(said) else [paragraph(tick(said) + said)]
    return _message(blocks, drawn, texts)


def _message(blocks: list[Json], drawn: Card, texts: Texts) -> Piece | None:
    if not rich_blocks.fits(blocks):
        return None
    message: Json = {"blocks": blocks, "skip_entity_detection": True}
    return Piece(rich=message | ({"is_rtl": True} if _is_rtl(drawn, texts) else {}))


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
    if units(drawn.verbatim) > limits.TEXT:
        return True
    match drawn:
        case Summary():
            return True
        case Form():
            return len(drawn.fields) > 1
        case Picker():
            return bool(drawn.options)
        case Chips():
            return layout.numbered(drawn)


def _callable(drawn: Card, dest: Dest) -> bool:
    """Whether each button fits into callback data."""
    try:
        return all(data_for(drawn.id, one.token, dest) for one in buttons(drawn))
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class _Drawing:
    """One card on its way to blocks."""

    card: Card
    dest: Dest
    texts: Texts

    def blocks(self, page: Page, for_name: str, again: str, files: bool) -> list[Json]:
        """The whole message: what is asked, what answers it, what else can be done.

        A button that has no place of its own (an edit without its field) stands in a row.
        """
        suggested = {one.token for one in self.card.suggestions}
        offers = [one for one in page.body if {key.token for key in one.keys} <= suggested]
        body = self._body()
        placed = {one["callback_data"] for one in rich_blocks.buttons_in(body)}
        own = [one for one in page.body if one not in offers]
        return [
            *self._head(for_name),
            *self._letters(),
            *self._rows(offers, set()),
            *body,
            *self._rows(own, placed),
            *(self.media() if files and shows_files(self.card) else ()),
            *self._rows(page.foot, placed),
            *_said("italic", again),
        ]

    def mention(self, name: str) -> Json:
        """The owner's name, as a link to them."""
        shown = one_line(name)
        user = {"id": self.dest.owner, "is_bot": False, "first_name": shown}
        return {"type": "text_mention", "text": shown, "user": user}

    def _head(self, for_name: str) -> Iterator[Json]:
        if not blank(for_name):
            yield paragraph([self.mention(for_name), " · ", self.texts("telegram.reply_here")])
        if not blank(self.card.reason):
            # A reason may also tell what was just done ("Added: Ada."), so it is no warning.
            yield paragraph(_SAID + clean(self.card.reason))
        place = self.card.place
        shown = f" · {place[0]}/{place[1]}" if place[1] else ""
        yield rich_blocks.heading(_whole(self.card.title) + shown)
        yield from _said("italic", self.card.hint)
        if not blank(self.card.verbatim):
            yield rich_blocks.quoted(clean(self.card.verbatim))

    def _body(self) -> list[Json]:
        match self.card:
            case Summary():
                return self.summary(self.card) if self.card.rows else []
            case Form():
                return self._form(self.card) if len(self.card.fields) > 1 else []
            case Picker():
                return self._picker(self.card) if self.card.options else []
            case Chips():
                told = layout.numbered(self.card)
                return [self._described(self.card.options, ())] if told else []

    # Buttons

    def _key(self, key: Key) -> Json:
        data = data_for(self.card.id, key.token, self.dest)
        return rich_blocks.button(key.label, data, key.style)

    def _button(self, button: Button) -> Json:
        return self._key(layout.keys_of([button])[0])

    def _link(self, button: Button, label: str) -> Json:
        return self._key(Key(button.token, layout.shorten(one_line(label)), _LINK))

    def _rows(self, groups: Iterable[Group], placed: set[str]) -> list[Json]:
        """The buttons of some groups, in rows, without those that have their place already."""
        found: list[Json] = []
        for group in groups:
            rest = [key for key in group.keys if self._key(key)["callback_data"] not in placed]
            rows = replace(group, keys=tuple(rest)).rows(self.texts.locale)
            found += [rich_blocks.row([self._key(key) for key in keys]) for keys in rows]
        return found

    def _letters(self) -> list[Json]:
        """The suggestions in full, by letter, where their buttons cut them short."""
        if not layout.lettered(self.card):
            return []
        told = (
            f"{_SUGGESTED}{layout.letter(number)}. {_whole(one.label)}"
            for number, one in enumerate(self.card.suggestions)
        )
        return [paragraph(lines(*told))]

    # The summary

    def summary(self, drawn: Summary) -> list[Json]:
        signs = {mark: sign for mark, sign in _MARKS.items() if any(_has(drawn, mark))}
        cells = [line for one in drawn.rows for line in self._value(one, bool(signs))]
        legend = "   ".join(f"{signs[one]} {self.texts(f'telegram.mark.{one}')}" for one in signs)
        return [rich_blocks.table(cells, bordered=True), *_said("italic", legend)]

    def _value(self, row: Row, marked: bool) -> list[list[Json]]:
        """The lines of one value, which is never shortened (G3)."""
        label = inline(self._link(row.edit, row.label))
        mark = [cell(_MARKS.get(row.mark, ""), align="center")] if marked else []
        value = _EMPTY if blank(row.value) else clean(row.value)
        told = not blank(row.quote) and row.quote != row.value
        quote = styled("italic", f"“{clean(row.quote)}”") if told else ""
        shown = lines(styled("italic", value) if row.mark is Mark.SKIPPED else value, quote)
        if "\n" in value or layout.width(value) > _WIDE_VALUE:
            return [[cell(label, span=2), *mark], [cell(shown, span=2 + len(mark))]]
        return [[cell(label), cell(shown), *mark]]

    def media(self) -> Iterator[Json]:
        for row, ref in _files(self.card):
            media = media_of(ref)
            block = rich_blocks.medium(media, row.label) if media is not None else None
            if block is not None:
                yield block

    # Forms

    def _form(self, drawn: Form) -> list[Json]:
        edits: Sequence[Button | None] = drawn.edit
        if len(edits) != len(drawn.fields):
            edits = [None] * len(drawn.fields)
        pairs = zip(drawn.fields, edits, strict=True)
        cells = [self._field(drawn, field, edit) for field, edit in pairs]
        return [rich_blocks.table(cells, bordered=True)]

    def _field(self, drawn: Form, field: Field, edit: Button | None) -> list[Json]:
        active = field.name == drawn.active
        hint = "" if not active or blank(field.hint) or field.hint in drawn.hint else field.hint
        label = styled("bold", _whole(field.label))
        if edit is not None:
            label = inline(self._link(edit, field.label))
        missing = NOTHING if field.required else _EMPTY
        shown = lines(
            missing if blank(field.value) else clean(field.value),
            "" if blank(field.reason) else [_WRONG, clean(field.reason)],
            styled("italic", clean(hint)) if hint else "",
        )
        return [cell([_ACTIVE, label] if active else label), cell(shown)]

    # Pickers

    def _picker(self, drawn: Picker) -> list[Json]:
        if drawn.mode is PickerMode.ENTRIES:
            return [self._entries(drawn)] if drawn.entries else []
        if drawn.mode is PickerMode.RECORDS:
            sought = [] if blank(drawn.query) else [paragraph(_SOUGHT + one_line(drawn.query))]
            return [*sought, self._described(drawn.options, drawn.records)]
        if drawn.mode is PickerMode.UPLOAD:
            return []
        return [self._month(drawn) if layout.days(drawn) else self._clock(drawn)]

    def _entries(self, drawn: Picker) -> Json:
        removes: Sequence[Button | None] = drawn.options
        if len(removes) != len(drawn.entries):
            removes = [None] * len(drawn.entries)
        pairs = zip(drawn.entries, removes, strict=True)
        return rich_blocks.counted(
            [paragraph([_whole(entry), *self._remove(remove)])] for entry, remove in pairs
        )

    def _remove(self, button: Button | None) -> list[Any]:
        if button is None:
            return []
        return ["  ", inline(self._key(Key(button.token, _REMOVE)))]

    def _described(self, shown: Sequence[Button], records: Sequence[Record]) -> Json:
        """Buttons with their text under each, counted, for "the second one" is an answer."""
        told: Sequence[Record | None] = records
        if len(told) != len(shown):
            told = [None] * len(shown)
        return rich_blocks.counted(
            [rich_blocks.row([self._button(one)]), *_about(one, record, self.texts)]
            for one, record in zip(shown, told, strict=True)
        )

    def _month(self, drawn: Picker) -> Json:
        """The month that is shown; a day that does not fit has no button."""
        locale, offered = locale_of(self.texts.locale), layout.days(drawn)
        weeks = calendar.Calendar(locale.first_week_day)
        names = get_day_names("abbreviated", "stand-alone", locale)
        head = [
            cell(names[day].rstrip("."), align="center", header=True)
            for day in weeks.iterweekdays()
        ]
        year, number = layout.month_of(drawn.month) or (1, 1)
        days = [
            [self._day(day, offered.pop(day, None)) for day in week]
            for week in weeks.monthdayscalendar(year, number)
        ]
        return rich_blocks.table([head, *days], caption=month_name(drawn.month, self.texts.locale))

    def _day(self, number: int, offered: Button | None) -> Json:
        if offered is not None:
            return cell(inline(self._button(offered)), align="center")
        return cell(str(number) if number else "", align="center")

    def _clock(self, drawn: Picker) -> Json:
        """Hours or minutes, in a grid."""
        longest = max(layout.width(one.label) for one in drawn.options)
        across = _TIMES_IN_ROW if longest <= _CLOCK else _LONG_TIMES_IN_ROW
        cells = [cell(inline(self._button(one)), align="center") for one in drawn.options]
        cells += [cell() for _ in range(-len(cells) % across)]
        return rich_blocks.table(
            cells[start : start + across] for start in range(0, len(cells), across)
        )


def _has(drawn: Summary, mark: Mark) -> Iterator[bool]:
    return (one.mark is mark for one in drawn.rows)


def _said(style: str, text: str) -> list[Json]:
    return [] if blank(text) else [paragraph(styled(style, clean(text).strip()))]


def _whole(label: str) -> str:
    return NOTHING if blank(label) else clean(label).strip()


def _about(button: Button, record: Record | None, texts: Texts) -> list[Json]:
    """What is told of an option under its button: its whole name where the button cuts it short,
    its detail, and all else that is known of the record (G5)."""
    name = _whole(record.label if record else button.label)
    cut = not layout.keys_of([button])[0].label.endswith(name)
    detail = button.detail or (record.detail if record else "")
    shown = lines(
        styled("bold", name) if cut else "",
        "" if blank(detail) else clean(detail).strip(),
        *(_known(record, texts) if record else ()),
    )
    return [paragraph(shown)] if shown else []


def _known(record: Record, texts: Texts) -> Iterator[str]:
    """The fields of a record that neither its label nor its detail tells."""
    told = f"{record.label}\n{record.detail}"
    for name, value in record.fields.items():
        shown = clean("" if value is None else str(value))
        if isinstance(value, bool):
            shown = texts("step.yes" if value else "step.no")
        if not blank(shown) and (isinstance(value, bool) or shown not in told):
            yield f"{clean(name).replace('_', ' ').capitalize()}: {shown}"


def _is_rtl(drawn: Card, texts: Texts) -> bool:
    """Whether the message is read from right to left: by most of the letters in its question, or
    by its language where that has any there (one without texts of its own is asked in English)."""
    kinds = [unicodedata.bidirectional(char) for char in drawn.title + drawn.hint]
    leftward = sum(one in ("R", "AL") for one in kinds)
    language = locale_of(texts.locale).character_order == "right-to-left"
    return leftward > 0 and (language or leftward > kinds.count("L"))
