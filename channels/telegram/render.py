"""Cards, messages and receipts as plain Telegram messages, complete by themselves.

The question and all that is to be read stand in the text, all that can be tapped in the inline
keyboard under the last message of it. Nothing is ever left out of a text: one that is too long for
a message goes on in the next.

A month stands in the text as a table of single-width signs, and its days as buttons under it, a row
a week: plain keyboards have no buttons without effect that could keep a weekday's column.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Iterator, Sequence

from babel.dates import get_day_names

from channels.telegram import layout
from channels.telegram.layout import Key
from channels.telegram.native import Json, Keyboard, Piece
from channels.telegram.payload import Dest, data_for, page_token, request_of
from channels.telegram.text import (
    NOTHING,
    Styled,
    blank,
    clean,
    joined,
    mention,
    one_line,
    pieces,
    plain,
    styled,
    tick,
    units,
)
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
)
from core.texts import Texts
from core.values import locale_of, month_name

_SAID = "ℹ️ "
_WRONG = "⚠️ "
_SUGGESTED = "💡 "
_ACTIVE = "👉 "
_SOUGHT = "🔎 "
_PERSON = "👤 "
_MISSING, _EMPTY = "…", "–"
_MARKS = {Mark.QUOTED: "❝", Mark.RECORD: "◆"}
_OUT_OF_BOUNDS = "·"

_BESIDE = 60
"""Columns of a value that stands in one line with its label."""
_FOLDED = 300
"""UTF-16 units of a value; what is longer is folded, and a tap shows the whole of it."""


def card(
    drawn: Card,
    dest: Dest,
    texts: Texts,
    *,
    page: int = 0,
    for_name: str = "",
    again: str = "",
    styles: bool = True,
) -> tuple[Piece, ...]:
    """An open card; its last piece has the keyboard, with the buttons of one page.

    `for_name` is the owner's name where others are in the chat: the card is theirs, then. `again`
    is a line put last. `styles` colours buttons; a server that knows no colours leaves them out.
    Raises ValueError where a button does not fit into callback data.
    """
    parts = (
        mention(for_name, dest.owner) if for_name else Styled(),
        *_head(drawn),
        _suggestions(drawn),
        *_body(drawn, texts),
        styled("italic", _hint(drawn)),
        styled("italic", texts("telegram.reply_here")) if for_name else Styled(),
        styled("italic", again),
    )
    shown = pieces(joined(parts, "\n\n"), _keyboard(drawn, dest, texts, page, styles))
    return (*_people(drawn, dest, texts), *shown)


def pages(drawn: Card) -> int:
    """How many pages the card's buttons have."""
    return len(layout.pages(drawn))


def message(text: str, *, for_name: str = "", owner: int = 0, again: str = "") -> tuple[Piece, ...]:
    """A message without buttons; none at all where there is nothing to see in it.

    `for_name` is whom it is for, where others are in the chat, `owner` their id.
    """
    said = plain(text)
    if not said:
        return ()
    parts = (_name(for_name, owner), said, styled("italic", again))
    return pieces(joined(parts, "\n\n"))


def receipt(text: str, *, for_name: str = "", owner: int = 0, again: str = "") -> tuple[Piece, ...]:
    """What a settled card becomes; it has no buttons. `again` is a line put last."""
    said = _settled(text)
    if not said:
        return ()
    return pieces(joined((_name(for_name, owner), said, styled("italic", again))))


def confirmed(
    drawn: Summary, texts: Texts, text: str, *, for_name: str = "", owner: int = 0, again: str = ""
) -> tuple[Piece, ...]:
    """A confirmed summary as it was shown, without its buttons, and its receipt (`text`) last;
    below that the line `again`."""
    shown = (_name(for_name, owner), *_summary(drawn, texts), _settled(text))
    return pieces(joined((*shown, styled("italic", again)), "\n\n"))


def _settled(text: str) -> Styled:
    said = plain(text).trimmed()
    return plain(tick(said.text)) + said if said else said


def _name(for_name: str, owner: int) -> Styled:
    if not for_name:
        return Styled()
    return mention(for_name, owner) if owner else plain(one_line(for_name))


# The text


def _head(drawn: Card) -> Iterator[Styled]:
    """What is asked, below why it is asked once more."""
    if not blank(clean(drawn.reason)):
        # A reason may also tell what was just done ("Added: Ada."), so it is no warning.
        yield plain(_SAID + drawn.reason)
    title, place = styled("bold", drawn.title), ""
    if drawn.place[1]:
        place = f" · {drawn.place[0]}/{drawn.place[1]}"
    yield (title.trimmed() or plain(NOTHING)) + plain(place)
    yield styled("blockquote", drawn.verbatim).trimmed()


def _suggestions(drawn: Card) -> Styled:
    if not layout.lettered(drawn):
        return Styled()
    return joined(
        plain(f"{_SUGGESTED}{layout.letter(number)}. {one_line(one.label)}")
        for number, one in enumerate(drawn.suggestions)
    )


def _hint(drawn: Card) -> str:
    uploads = isinstance(drawn, Picker) and drawn.mode is PickerMode.UPLOAD
    return "📎 " + drawn.hint if uploads and drawn.hint else drawn.hint


def _body(drawn: Card, texts: Texts) -> Iterable[Styled]:
    match drawn:
        case Chips():
            return [_options(drawn.options)] if layout.numbered(drawn) else []
        case Form():
            return [_fields(drawn)]
        case Summary():
            return _summary(drawn, texts)
        case Picker():
            return _picker(drawn, texts)


def _options(options: Sequence[Button]) -> Styled:
    """Options with their numbers; bold where more is said of them, as headings are."""
    described = any(one.detail for one in options)
    return joined(
        _numbered(number, one.label, plain(one.detail), bold=described)
        for number, one in enumerate(options, 1)
    )


def _numbered(number: int, label: str, *more: Styled, bold: bool = True) -> Styled:
    line = f"{number}. {one_line(label) or NOTHING}"
    return joined((styled("bold", line) if bold else plain(line), *more))


def _picker(drawn: Picker, texts: Texts) -> Iterator[Styled]:
    if drawn.query:
        yield plain(_SOUGHT + one_line(drawn.query))
    if drawn.mode is PickerMode.RECORDS:
        yield from _records(drawn, texts)
    if drawn.mode is PickerMode.ENTRIES:
        yield joined(plain(f"{number}. {entry}") for number, entry in enumerate(drawn.entries, 1))
    if layout.days(drawn):
        yield _month(drawn, texts.locale)


# Records


def _records(drawn: Picker, texts: Texts) -> Iterator[Styled]:
    """Each record with all that it has, so that it is known what is accepted (G5)."""
    if len(drawn.records) != len(drawn.options):
        yield _options(drawn.options)
        return
    for number, record in enumerate(drawn.records, 1):
        yield _numbered(number, record.label, plain(record.detail), *_more(record, texts))


def _more(record: Record, texts: Texts) -> Iterator[Styled]:
    """The fields that neither the label nor the detail tells."""
    told = f"{record.label}\n{record.detail}"
    for name, value in record.fields.items():
        shown = _value_of(value, texts)
        if shown and (isinstance(value, bool) or shown not in told):
            label = name.replace("_", " ").capitalize()
            yield plain(f"{label}: {shown}")


def _value_of(value: str | float | bool | None, texts: Texts) -> str:
    if isinstance(value, bool):
        return texts("step.yes" if value else "step.no")
    return "" if value is None else str(value)


# Forms


def _fields(drawn: Form) -> Styled:
    """The fields of a form and what is in them; a form of one field says all in its title."""
    shown = drawn.fields if len(drawn.fields) > 1 else [one for one in drawn.fields if one.reason]
    return joined(_field(drawn, one) for one in shown)


def _field(drawn: Form, field: Field) -> Styled:
    active = field.name == drawn.active
    value = field.value or (_MISSING if field.required else _EMPTY)
    line = plain(_ACTIVE if active else "") + styled("bold", field.label) + plain(f": {value}")
    reason = plain(_WRONG + field.reason) if field.reason else Styled()
    told = field.hint if active and field.hint not in drawn.hint else ""
    return joined((line, reason, styled("italic", told)))


# The summary


def _summary(drawn: Summary, texts: Texts) -> Iterator[Styled]:
    """Every value, whole, and what the signs beside them mean."""
    yield joined(map(_row, drawn.rows))
    marks = {row.mark for row in drawn.rows}
    yield styled(
        "italic",
        "\n".join(
            f"{sign} {texts(f'telegram.mark.{mark}')}"
            for mark, sign in _MARKS.items()
            if mark in marks
        ),
    )


def _row(row: Row) -> Styled:
    label = styled("bold", one_line(row.label)) + plain(":")
    sign = _MARKS.get(row.mark, "")
    mark = plain(f" {sign}" if sign else "")
    value = plain(row.value).trimmed() or plain(_EMPTY)
    quote = f"“{row.quote}”" if row.quote and row.quote != row.value else ""
    quoted = styled("italic", quote)
    if "\n" not in value.text and layout.width(value.text) <= _BESIDE:
        shown = styled("italic", value.text) if row.mark is Mark.SKIPPED else value
        return joined((label + plain(" ") + shown + mark, quoted))
    folded = units(value.text) > _FOLDED
    block = styled("expandable_blockquote" if folded else "blockquote", value.text)
    return joined((label + mark, block, quoted))


# People


def _people(drawn: Card, dest: Dest, texts: Texts) -> tuple[Piece, ...]:
    """What comes before a card that asks for somebody: a keyboard with the platform's own list. It
    is there in private chats only (core.telegram.org/bots/api#keyboardbuttonrequestusers), and a
    message has either such a keyboard or buttons."""
    if not isinstance(drawn, Picker) or drawn.mode is not PickerMode.PEOPLE or not dest.private:
        return ()
    wanted = {
        "request_id": request_of(drawn.id),
        "user_is_bot": False,
        "request_name": True,
        "request_username": True,
    }
    key = {"text": texts("telegram.pick_person"), "request_users": wanted}
    return (Piece(text=_PERSON + texts("telegram.people_below"), keys=((key,),)),)


# A month


def _month(drawn: Picker, locale: str) -> Styled:
    """The month's table, a dot for each day that does not fit; empty where there is no month."""
    found = layout.month_of(drawn.month)
    if found is None:
        return Styled()
    known = locale_of(locale)
    weeks = calendar.Calendar(known.first_week_day)
    names = get_day_names("short", "stand-alone", known)
    heads = [names[day].rstrip(".") for day in weeks.iterweekdays()]
    across = max(2, *map(layout.width, heads))
    offered = layout.days(drawn)
    # The table begins with a sign: white space before an entity's text is no part of it.
    first = heads[0] + " " * (across - layout.width(heads[0]))
    lines = [" ".join((first, *(_right(head, across) for head in heads[1:])))]
    lines += (
        " ".join(_right(_day(one, one in offered), across) for one in week).rstrip()
        for week in weeks.monthdayscalendar(*found)
    )
    title = styled("bold", month_name(drawn.month, locale))
    return joined((title, styled("pre", "\n".join(lines))))


def _day(number: int, offered: bool) -> str:
    if not number:
        return ""
    return str(number) if offered else _OUT_OF_BOUNDS


def _right(text: str, across: int) -> str:
    return " " * (across - layout.width(text)) + text


# The keyboard


def _keyboard(drawn: Card, dest: Dest, texts: Texts, page: int, styles: bool) -> Keyboard:
    every = layout.pages(drawn)
    page = min(max(page, 0), len(every) - 1)
    body, foot = every[page].body, every[page].foot
    rows = [
        *(row for group in body for row in group.rows(texts.locale)),
        _turns(page, len(every), texts),
        *(row for group in foot for row in group.rows(texts.locale)),
    ]
    return tuple(tuple(_button(drawn, key, dest, styles) for key in row) for row in rows if row)


def _turns(page: int, count: int, texts: Texts) -> tuple[Key, ...]:
    """What turns to the page before and to the page after."""
    turns = []
    if page > 0:
        label = texts("telegram.page", page=page, pages=count)
        turns.append(Key(page_token(page - 1), f"‹ {label}"))
    if page < count - 1:
        label = texts("telegram.page", page=page + 2, pages=count)
        turns.append(Key(page_token(page + 1), f"{label} ›"))
    return tuple(turns)


def _button(drawn: Card, key: Key, dest: Dest, styles: bool) -> Json:
    button: Json = {"text": key.label, "callback_data": data_for(drawn.id, key.token, dest)}
    if styles and key.style:
        button["style"] = key.style
    return button
