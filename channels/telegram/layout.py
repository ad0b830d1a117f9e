"""A card's buttons: their labels, the rows that they stand in, and the pages of a great many.

Buttons of one row are equally wide, so what fits in a row follows from its longest label. From top
to bottom: suggestions, what is chosen from, what turns the card's own pages, what sends it, ways
round it, and in one quiet row the way back and out. What sends a card stands under all that it
chooses from: a new message is scrolled to its end, so that Confirm is in sight under many edit
buttons, too.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import groupby

import regex
from rich.cells import cell_len

from channels.telegram.limits import BUTTONS, BUTTONS_IN_ROW
from channels.telegram.text import NOTHING, blank, one_line
from core.cards import Button, Card, Chips, Form, Picker, PickerMode, Role, Summary
from core.values import locale_of

COLUMNS = (34, 17, 12, 8, 6, 5, 3, 3)
"""Columns of a label that a phone (390 points wide) shows whole, by the buttons in its row."""

LABEL = 64
"""Signs of a label, however narrow they are: a letter can carry any number of marks."""

KEYBOARD = 9_000
"""Bytes of a keyboard. The server refuses one of more than 10,000 or so ("reply markup is too
long"), which stands in no documentation; see github.com/tginfo/Telegram-Limits/issues/187."""

BUTTON = 60
"""Bytes of a button beside its label, its token and its card's id: the JSON around them, and whose
card it is."""

STYLE = 20
"""Bytes of a button's style."""

_FOOT = 40
"""The most buttons that are repeated on every page."""

_TICKS = {True: "✅ ", False: "⬜ ", None: ""}
_SIGNS = {Role.SUGGESTION: "💡 ", Role.EDIT: "✎ ", Role.REMOVE: "✕ "}
_STYLES = {Role.CONFIRM: "success", Role.DONE: "success"}
_AROUND = (Role.SKIP, Role.HUMAN)
_CLUSTER = regex.compile(r"\X")


@dataclass(frozen=True, slots=True)
class Key:
    """A button as it is shown. `style` is the Bot API's, empty for the plain one."""

    token: str
    label: str
    style: str = ""


Rows = tuple[tuple[Key, ...], ...]


class Shape(Enum):
    """How a group of buttons is laid out: by label width, one to a row, or as the days of weeks."""

    FLOW = auto()
    STACK = auto()
    WEEKS = auto()


@dataclass(frozen=True, slots=True)
class Group:
    """Buttons that stand together. `month` is the one whose days they are (ISO text)."""

    keys: tuple[Key, ...]
    shape: Shape = Shape.FLOW
    month: str = ""

    def rows(self, locale: str) -> Rows:
        """The buttons in their rows; the locale tells with which day a week begins."""
        match self.shape:
            case Shape.WEEKS:
                return _weeks(self, locale)
            case Shape.STACK:
                return tuple((key,) for key in self.keys)
            case Shape.FLOW:
                return flow(self.keys)


@dataclass(frozen=True, slots=True)
class Page:
    """The buttons of one page: what is chosen from, and what every page has below it."""

    body: tuple[Group, ...]
    foot: tuple[Group, ...]


# What is on which page


def pages(card: Card) -> tuple[Page, ...]:
    """A card's buttons in pages, each within the limits of a keyboard, with room for two buttons
    that turn pages where there are several.

    What is chosen from is on one page each; what sends the card and leads out of it is on all.
    """
    body, foot = _body(card), _foot(card)
    every = [key for group in (*body, *foot) for key in group.keys]
    if len(every) <= BUTTONS and sum(_cost(card, key) for key in every) <= KEYBOARD:
        return (Page(body, foot),)
    below = [key for group in foot for key in group.keys]
    if len(below) > _FOOT or sum(_cost(card, key) for key in below) > KEYBOARD // 2:
        body, foot, below = (*body, *foot), (), []
    count = BUTTONS - len(below) - 2
    size = KEYBOARD - sum(_cost(card, key) for key in below) - 4 * BUTTON
    return tuple(Page(part, foot) for part in _parts(card, body, count, size))


def _parts(
    card: Card, groups: Sequence[Group], count: int, size: int
) -> Iterator[tuple[Group, ...]]:
    """The groups in parts of at most so many buttons and bytes, each with at least a button."""
    part: list[tuple[int, Key]] = []
    used = 0
    for number, key in ((n, key) for n, group in enumerate(groups) for key in group.keys):
        cost = _cost(card, key)
        if part and (len(part) == count or used + cost > size):
            yield _grouped(groups, part)
            part, used = [], 0
        part.append((number, key))
        used += cost
    yield _grouped(groups, part)


def _grouped(groups: Sequence[Group], part: Iterable[tuple[int, Key]]) -> tuple[Group, ...]:
    return tuple(
        replace(groups[number], keys=tuple(key for _, key in keys))
        for number, keys in groupby(part, key=lambda one: one[0])
    )


def _cost(card: Card, key: Key) -> int:
    style = STYLE if key.style else 0
    return len((key.label + key.token + card.id).encode()) + BUTTON + style


# What a card's buttons are


def _body(card: Card) -> tuple[Group, ...]:
    suggested = Group(_suggested(card))
    return tuple(group for group in (suggested, *_own(card)) if group.keys)


def _own(card: Card) -> tuple[Group, ...]:
    match card:
        case Chips():
            return (Group(keys_of(card.options, numbers=numbered(card))),)
        case Form():
            return (Group(keys_of(card.edit)),)
        case Summary():
            return (Group(keys_of([row.edit for row in card.rows])),)
        case Picker():
            shape = Shape.WEEKS if days(card) else Shape.FLOW
            keys = keys_of(card.options, numbers=numbered(card))
            return (Group(keys, shape, card.month),)


def _foot(card: Card) -> tuple[Group, ...]:
    moves = _moves(card) if isinstance(card, Picker) else ()
    end = card.confirm if isinstance(card, Summary) else card.done
    around = [one for one in card.controls if one.role in _AROUND]
    out = [one for one in card.controls if one.role not in _AROUND]
    groups = (
        Group(keys_of(moves)),
        Group(keys_of([end] if end else []), Shape.STACK),
        Group(keys_of(around)),
        Group(keys_of(out)),
    )
    return tuple(group for group in groups if group.keys)


def _moves(card: Picker) -> tuple[Button, ...]:
    # Four of a calendar are a year back, a month back, a month on, a year on: months together.
    if days(card) and len(card.moves) == 4:
        year_back, back, on, year_on = card.moves
        return (back, on, year_back, year_on)
    return card.moves


def days(card: Card) -> dict[int, Button]:
    """The days of the month that a card shows; empty where it shows none."""
    if not isinstance(card, Picker) or card.mode not in (PickerMode.DATE, PickerMode.DATETIME):
        return {}
    bare = [one for one in card.options if _marked(one, one.label) in _DAYS]
    found = {int(one.label): one for one in bare}
    return found if len(found) == len(card.options) and month_of(card.month) else {}


_DAYS = frozenset(map(str, range(1, 32)))


def month_of(month: str) -> tuple[int, int] | None:
    """The year and the month of an ISO text; None where it is none."""
    year, _, number = month.partition("-")
    if not (len(year) == 4 and len(number) == 2 and (year + number).isascii()):
        return None
    if not (year + number).isdigit() or not 1 <= int(number) <= 12 or int(year) < 1:
        return None
    return int(year), int(number)


def numbered(card: Card) -> bool:
    """Whether the options are told in the card's text, by number: their labels do not fit on
    buttons or do not tell them apart, or there is more to say of them."""
    if isinstance(card, Picker) and card.mode is PickerMode.RECORDS:
        return True
    if not isinstance(card, Chips):
        return False
    labels = [_marked(one, _label(one)) for one in card.options]
    return any(one.detail for one in card.options) or not _clear(labels)


def lettered(card: Card) -> bool:
    """Whether the suggestions are told in the card's text, by letter, as the options are."""
    return not _clear([_marked(one, _label(one)) for one in card.suggestions])


def _clear(labels: Sequence[str]) -> bool:
    """Whether labels fit on buttons whole and tell these apart."""
    return len(set(labels)) == len(labels) and all(shorten(label) == label for label in labels)


def letter(number: int) -> str:
    """The letter of a suggestion, counted from 0: A to Z, then AA, AB and so on."""
    more, rest = divmod(number, 26)
    return (letter(more - 1) if more else "") + chr(ord("A") + rest)


def _suggested(card: Card) -> tuple[Key, ...]:
    before = [f"{letter(number)}. " for number in range(len(card.suggestions))]
    before = before if lettered(card) else [""] * len(before)
    return tuple(
        _key(one, _marked(one, first + _label(one)))
        for first, one in zip(before, card.suggestions, strict=True)
    )


def keys_of(buttons: Sequence[Button], *, numbers: bool = False) -> tuple[Key, ...]:
    """Buttons with their signs and labels; with numbers where those alone tell them apart."""
    labels = [_marked(one, _label(one)) for one in buttons]
    if numbers or len({shorten(label) for label in labels}) < len(labels):
        labels = [_marked(one, f"{number}. {_label(one)}") for number, one in enumerate(buttons, 1)]
    return tuple(_key(one, label) for one, label in zip(buttons, labels, strict=True))


def _key(button: Button, label: str) -> Key:
    return Key(button.token, shorten(label), _STYLES.get(button.role, ""))


def _label(button: Button) -> str:
    label = one_line(button.label)
    return NOTHING if blank(label) else label


def _marked(button: Button, label: str) -> str:
    return _TICKS[button.ticked] + _SIGNS.get(button.role, "") + label


# Widths and rows


def width(label: str) -> int:
    """The columns that a label takes: two for a wide sign (東, 🎉)."""
    return cell_len(label)


def shorten(label: str, columns: int = COLUMNS[0]) -> str:
    """A label in at most so many columns; where it is cut, "…" is its end."""
    if width(label) <= columns and len(label) <= LABEL:
        return label
    kept = ""
    for match in _CLUSTER.finditer(label):
        if width(kept + match.group()) > columns - 1 or len(kept + match.group()) > LABEL - 1:
            break
        kept += match.group()
    return kept.rstrip() + NOTHING


def flow(keys: Sequence[Key]) -> Rows:
    """Buttons in rows by the width of their labels: as many in a row as are shown whole, in equal
    rows (a grid) where that takes no more of them."""
    greedy: list[list[Key]] = []
    for key in keys:
        if greedy and _fits([*greedy[-1], key]):
            greedy[-1].append(key)
        else:
            greedy.append([key])
    across = -(-len(keys) // len(greedy)) if greedy else 1
    grid = [keys[start : start + across] for start in range(0, len(keys), across)]
    equal = len(grid) == len(greedy) and all(map(_fits, grid))
    return tuple(tuple(row) for row in (grid if equal else greedy))


def _fits(row: Sequence[Key]) -> bool:
    if len(row) > BUTTONS_IN_ROW:
        return False
    return all(width(key.label) <= COLUMNS[len(row) - 1] for key in row)


def _weeks(group: Group, locale: str) -> Rows:
    """Days in the rows of the calendar that stands above them."""
    found = month_of(group.month)
    if found is None:
        return flow(group.keys)
    first, _ = calendar.monthrange(*found)
    shift = (first - locale_of(locale).first_week_day) % 7
    weeks = groupby(group.keys, key=lambda key: (int(key.label) - 1 + shift) // 7)
    return tuple(tuple(keys) for _, keys in weeks)
