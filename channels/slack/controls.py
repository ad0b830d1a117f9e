"""What is used on a card, in Slack's own controls: buttons, selects, checkboxes, pickers.

From top to bottom: suggestions, what is chosen from, what turns the card's own pages, what sends
it, and in one quiet row the ways round it and out. A control that holds something has a block_id
that changes with what it should hold at first: a client keeps what was chosen under a known id.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from channels.slack.blocks import actions, button, characters, picker, plain, section
from channels.slack.limits import (
    BUTTON,
    BUTTON_WHOLE,
    CHECKBOXES,
    DESCRIPTION,
    OPTION,
    OVERFLOW,
    SELECT,
    TYPED,
)
from channels.slack.native import Json
from channels.slack.payload import (
    DATE,
    MORE,
    OPEN,
    SEND,
    SET,
    TIME,
    VALUE,
    Dest,
    block_id,
    button_id,
    field_id,
)
from channels.slack.text import blank, clean, distinct, one_line, shorten, whole
from core.cards import Button, Card, Chips, Form, Picker, PickerMode, Role, Summary
from core.texts import Texts

IN_ROW = 5
"""Buttons side by side; more of them read badly."""

HANDFUL = 6
"""Options that are buttons; more of them are a select."""

SEARCHED = 1
"""Characters after which an external select searches."""

_SELECT_CHARACTERS = 5000
"""Of the options of one select, so that a few of them fit into a message."""

_FEW = 3
"""Controls that are all buttons; of more, those that lead out are behind one."""

_OUT = (Role.CANCEL, Role.RESTART)
_TICKS = {True: "☑ ", False: "☐ ", None: ""}
_SUGGESTED = "💡 "
_MOMENT = re.compile(
    r"(?P<day>\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))?"
    r"T?(?P<clock>(?:[01]\d|2[0-3]):[0-5]\d)?",
    re.ASCII,
)
_MOMENTS = (PickerMode.DATE, PickerMode.TIME, PickerMode.DATETIME)


@dataclass(frozen=True, slots=True)
class Place:
    """Whose card it is and where, in whose language: what all of its controls need."""

    card: Card
    dest: Dest
    texts: Texts

    def id(self, part: str) -> str:
        """The block_id of a part of the card."""
        return block_id(self.card.id, part, self.dest)


def digest(*texts: object) -> str:
    """A short mark that differs where texts do."""
    return f"{zlib.crc32(repr(texts).encode('utf-8', 'surrogatepass')):08x}"


def blocks(place: Place) -> tuple[Json, ...]:
    """All controls of a card that do not stand beside a line of it."""
    card = place.card
    return (
        *_rows(place, "hint", _suggestions(card)),
        *_own(place),
        *_rows(place, "move", _buttons(_moves(card))),
        *_rows(place, SEND, list(_sends(place))),
        *_ways(place),
    )


# What sends a card


def _sends(place: Place) -> Iterator[Json]:
    card, texts = place.card, place.texts
    if opens(card):
        alone = isinstance(card, Form) and len(card.fields) > 1 and card.done is None
        label = texts(f"slack.{_opened(card)}")
        yield button(label, button_id(OPEN), style="primary" if alone else "")
    if _needs_set(card):
        yield button(texts("slack.set"), button_id(SET), style="primary")
    end = _end(card)
    if end is not None:
        yield button(end.label, button_id(end.token), style="primary")


def _opened(card: Card) -> str:
    if isinstance(card, Form):
        return "open" if len(card.fields) > 1 else "open_one"
    is_list = isinstance(card, Picker) and card.mode is PickerMode.ENTRIES
    return "add" if is_list else "choose_file"


def opens(card: Card) -> bool:
    """Whether the card has a modal: an upload, a list that grows, and a form with a field that
    fits into one."""
    if isinstance(card, Picker):
        return card.mode in (PickerMode.UPLOAD, PickerMode.ENTRIES)
    return isinstance(card, Form) and any(len(one.value) <= TYPED for one in card.fields)


def _end(card: Card) -> Button | None:
    return card.confirm if isinstance(card, Summary) else card.done


def _needs_set(card: Card) -> bool:
    """Whether what is chosen natively is sent by a button that the card itself does not have."""
    if isinstance(card, Chips):
        return card.multiple and card.done is None and bool(card.options)
    return moment(card) and isinstance(card, Picker) and card.mode is PickerMode.DATETIME


# What is chosen from


def _own(place: Place) -> Iterator[Json]:
    card = place.card
    if isinstance(card, Chips):
        yield from _several(place, card.options) if card.multiple else _one(place, card.options)
    if isinstance(card, Picker):
        if card.mode is PickerMode.PEOPLE:
            yield _people(place, card)
        if moment(card):
            yield _moment(place, card)
        elif not beside(card):
            yield from _one(place, card.options)
        if card.searchable:
            yield _search(place, card)


def beside(card: Picker) -> bool:
    """Whether each option stands beside the line that it is about: a record, an entry."""
    count = len(card.options)
    if card.mode is PickerMode.RECORDS:
        return count == len(card.records)
    return card.mode is PickerMode.ENTRIES and count == len(card.entries)


def moment(card: Card) -> bool:
    """Whether a native picker takes the place of days, hours and what turns their pages."""
    if not isinstance(card, Picker) or card.mode not in _MOMENTS:
        return False
    return bool(card.options or card.moves)


def _moves(card: Card) -> tuple[Button, ...]:
    return card.moves if isinstance(card, Picker) and not moment(card) else ()


def numbered(card: Card) -> bool:
    """Whether the options are told in the card's text, by number: their labels do not fit on
    controls or do not tell them apart, or there is more to say of them than fits there."""
    options = _chosen_from(card)
    if options is None:
        return False
    labels = [_label(one) for one in options]
    if _is_handful(card, options):
        return not whole(labels, BUTTON_WHOLE) or any(one.detail for one in options)
    return not whole(labels, OPTION) or any(len(one.detail) > DESCRIPTION for one in options)


def _chosen_from(card: Card) -> Sequence[Button] | None:
    if isinstance(card, Chips):
        return card.options
    if isinstance(card, Picker) and not moment(card) and not beside(card):
        return card.options
    return None


def _is_handful(card: Card, options: Sequence[Button]) -> bool:
    several = isinstance(card, Chips) and card.multiple
    return not several and len(options) <= HANDFUL


def _one(place: Place, options: Sequence[Button]) -> Iterator[Json]:
    """One of some options: a few buttons, or a select, several of them where there are too many."""
    labels = _labels(place.card, options)
    if _is_handful(place.card, options):
        yield from _rows(place, "one", _buttons(options, labels))
        return
    for number, chunk in enumerate(_chunks(_options(place.card, options, labels))):
        select = picker(
            "static_select", field_id(VALUE), _ask(place, "slack.pick", chunk), options=chunk
        )
        mark = digest(place.card.reason)
        yield actions([select], place.id(f"one{number}-{mark}"))


def _several(place: Place, options: Sequence[Button]) -> Iterator[Json]:
    """Any of some options: checkboxes, or a select that takes several."""
    ticked = {one.token for one in options if one.ticked}
    made = _options(place.card, options, _labels(place.card, options))
    for number, chunk in enumerate(_chunks(made)):
        first = [one for one in chunk if one["value"] in ticked]
        kept = {"initial_options": first} if first else {}
        here = place.id(f"many{number}-{digest(*(one['value'] for one in first))}")
        if len(made) <= CHECKBOXES:
            boxes = {"type": "checkboxes", "action_id": field_id(VALUE), "options": chunk}
            yield actions([{**boxes, **kept}], here)
        else:
            ask = _ask(place, "slack.pick_several", chunk)
            select = picker("multi_static_select", field_id(VALUE), ask, options=chunk, **kept)
            # Slack takes a select of several beside a section only.
            yield {**section(ask, bold=False), "accessory": select, "block_id": here}


def _ask(place: Place, key: str, chunk: Sequence[Json]) -> str:
    """What stands on a select: where there are several of them, also from where to where."""
    said = place.texts(key)
    if len(chunk) == len(_chosen_from(place.card) or ()):
        return said
    first, last = (shorten(one["text"]["text"], BUTTON_WHOLE) for one in (chunk[0], chunk[-1]))
    return f"{said} ({first} – {last})"


def _chunks(options: Sequence[Json]) -> Iterator[list[Json]]:
    chunk: list[Json] = []
    used = 0
    for one in options:
        size = characters(one)
        if chunk and (len(chunk) == SELECT or used + size > _SELECT_CHARACTERS):
            yield chunk
            chunk, used = [], 0
        chunk.append(one)
        used += size
    if chunk:
        yield chunk


def _labels(card: Card, options: Sequence[Button]) -> list[str]:
    labels = [_label(one) for one in options]
    if numbered(card):
        return [f"{number}. {label}" for number, label in enumerate(labels, 1)]
    return labels


def _label(one: Button) -> str:
    return one_line(one.label)


def _options(card: Card, options: Sequence[Button], labels: Sequence[str]) -> list[Json]:
    told = numbered(card)
    short = distinct(labels, OPTION)
    return [
        option(label, one.token, "" if told else one.detail)
        for label, one in zip(short, options, strict=True)
    ]


def option(label: str, token: str, detail: str = "") -> Json:
    """An option of a select or a checkbox; its value is the button's token."""
    made: Json = {"text": plain(label, OPTION), "value": token}
    if not blank(clean(detail)):
        made["description"] = plain(one_line(detail), DESCRIPTION)
    return made


# Dates, times, records


def _moment(place: Place, card: Picker) -> Json:
    texts, both = place.texts, card.mode is PickerMode.DATETIME
    day, clock = halves(card.value)
    elements = []
    if card.mode is not PickerMode.TIME:
        first = {"initial_date": day} if day else {}
        action = field_id(DATE if both else VALUE)
        elements.append(picker("datepicker", action, texts("slack.date"), **first))
    if card.mode is not PickerMode.DATE:
        first = {"initial_time": clock} if clock else {}
        action = field_id(TIME if both else VALUE)
        elements.append(picker("timepicker", action, texts("slack.time"), **first))
    # A date or a time counts as soon as it is picked: once refused, it can be picked again.
    mark = digest(card.value, "" if both else card.reason)
    return actions(elements, place.id(f"when-{mark}"))


def halves(value: str) -> tuple[str, str]:
    """The date and the time of a moment's ISO text, each empty where it has none."""
    found = _MOMENT.fullmatch(value)
    return (found["day"] or "", found["clock"] or "") if found else ("", "")


def _people(place: Place, card: Picker) -> Json:
    """Slack's own list of all members; there are also bots in it, and guests from elsewhere."""
    select = picker("users_select", field_id(VALUE), place.texts("slack.pick_person"))
    # Who is picked counts at once: once refused, they can be picked again.
    return actions([select], place.id(f"who-{digest(card.reason, card.id)}"))


def _search(place: Place, card: Picker) -> Json:
    select = picker(
        "external_select",
        field_id(VALUE),
        place.texts("slack.search"),
        min_query_length=SEARCHED,
    )
    return actions([select], place.id(f"find-{digest(card.query, card.reason)}"))


# Buttons


def _suggestions(card: Card) -> list[Json]:
    return _buttons(card.suggestions, suggested(card))


def suggested(card: Card) -> list[str]:
    """What stands on the suggestions: by their letters, where the card tells them in full."""
    labels = [_label(one) for one in card.suggestions]
    if lettered(card):
        labels = [f"{letter(number)}. {label}" for number, label in enumerate(labels)]
    return [_SUGGESTED + label for label in labels]


def lettered(card: Card) -> bool:
    """Whether the suggestions are told in the card's text, by letter, as the options are."""
    return not whole([_SUGGESTED + _label(one) for one in card.suggestions], BUTTON_WHOLE)


def letter(number: int) -> str:
    """The letter of a suggestion, counted from 0: A to Z, then AA, AB and so on."""
    more, rest = divmod(number, 26)
    return (letter(more - 1) if more else "") + chr(ord("A") + rest)


def _buttons(buttons: Sequence[Button], labels: Sequence[str] = ()) -> list[Json]:
    given = labels or [_label(one) for one in buttons]
    marked = [_TICKS[one.ticked] + label for one, label in zip(buttons, given, strict=True)]
    return [
        button(label, button_id(one.token), style="primary" if one.role is Role.CONFIRM else "")
        for label, one in zip(distinct(marked, BUTTON), buttons, strict=True)
    ]


def _ways(place: Place) -> Iterator[Json]:
    """The ways round a card and out of it, in the last row."""
    controls = place.card.controls
    out = [one for one in controls if one.role in _OUT] if len(controls) > _FEW else []
    if len(out) < 2:
        out = []
    shown = _buttons([one for one in controls if one not in out])
    yield from _rows(place, "way", [*shown, *_overflows(out)])


def _overflows(buttons: Sequence[Button]) -> Iterator[Json]:
    labels = distinct([_label(one) for one in buttons], OPTION)
    options = [option(label, one.token) for label, one in zip(labels, buttons, strict=True)]
    for start in range(0, len(options), OVERFLOW):
        action = button_id(f"{MORE}{start or ''}")
        yield {"type": "overflow", "action_id": action, "options": options[start:][:OVERFLOW]}


def _rows(place: Place, part: str, elements: Sequence[Json]) -> Iterable[Json]:
    """Controls in rows that are as long as each other, as nearly as can be."""
    count = -(-len(elements) // IN_ROW)
    across = -(-len(elements) // count) if count else 1
    for number in range(count):
        row = elements[number * across :][:across]
        if row:
            yield actions(row, place.id(f"{part}{number}"))
