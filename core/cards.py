"""What a step draws, as plain data that knows no channel.

Every button has a *token*: short, unique on its card, and without meaning of its own, so that a
channel can put `card` and `token` into a callback and nothing else. A channel draws what it can
natively and may leave out what its own control makes needless (a calendar's month arrows beside a
native date picker); what it sends back is a `Tap` with a token or a `Submit` with values.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Role(StrEnum):
    """What a button is for, so that a channel can place and style it."""

    OPTION = "option"
    SUGGESTION = "suggestion"
    DONE = "done"
    MOVE = "move"
    REMOVE = "remove"
    EDIT = "edit"
    CONFIRM = "confirm"
    SKIP = "skip"
    HUMAN = "human"
    BACK = "back"
    CANCEL = "cancel"
    RESTART = "restart"


class Button(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to tap. `ticked` is None where nothing can be ticked."""

    token: str
    label: str
    role: Role = Role.OPTION
    detail: str = ""
    ticked: bool | None = None


class _Card(msgspec.Struct, frozen=True, kw_only=True, tag_field="card"):
    """What every open card has.

    `id` is unique in its conversation, and new with every draw. `title` is the question, `hint`
    how to answer it, `reason` why the last reply was refused, `verbatim` a text shown as it is.
    `place` is (this one, of how many).
    """

    id: str
    item: str
    title: str
    hint: str = ""
    reason: str = ""
    verbatim: str = ""
    place: tuple[int, int] = (0, 0)
    suggestions: tuple[Button, ...] = ()
    controls: tuple[Button, ...] = ()


class Chips(_Card, frozen=True, kw_only=True, tag="chips"):
    """A handful of labelled options. With `multiple`, taps tick and `done` sends."""

    options: tuple[Button, ...]
    multiple: bool = False
    done: Button | None = None


class FieldKind(StrEnum):
    """What is typed into a field, so that a channel can offer the fitting native input."""

    TEXT = "text"
    LONG_TEXT = "long_text"
    NUMBER = "number"
    MONEY = "money"
    DURATION = "duration"
    EMAIL = "email"
    PHONE = "phone"
    URL = "url"
    CHOICE = "choice"


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a form: `value` is what is filled in so far, as shown."""

    name: str
    label: str
    kind: FieldKind
    value: str = ""
    hint: str = ""
    reason: str = ""
    required: bool = True
    max_length: int | None = None


class Form(_Card, frozen=True, kw_only=True, tag="form"):
    """Fields to type into. `active` is the field that plain words fill; `edit` has a button a field
    (to make it the active one); `done` sends a form whose required fields are filled."""

    fields: tuple[Field, ...]
    active: str = ""
    edit: tuple[Button, ...] = ()
    done: Button | None = None


class PickerMode(StrEnum):
    """What a picker picks from."""

    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    RECORDS = "records"
    ENTRIES = "entries"
    UPLOAD = "upload"
    PEOPLE = "people"


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A fetched thing, as the person sees it before accepting it."""

    id: str
    label: str
    detail: str = ""
    fields: dict[str, str | int | float | bool | None] = {}


class Picker(_Card, frozen=True, kw_only=True, tag="picker"):
    """Something to pick from more than fits at once, or to collect.

    `options` are what is on this page: days of the shown `month`, hours or minutes, records (each
    also in `records`, in the same order), entries to remove. `moves` turn pages. `minimum` and
    `maximum` bound native date and time controls (ISO text), and `value` is what stands in them at
    first: a date, a time, or both; of a date and time perhaps only the half that is known.
    `entries` are shown numbered.
    """

    mode: PickerMode
    options: tuple[Button, ...] = ()
    moves: tuple[Button, ...] = ()
    done: Button | None = None
    month: str = ""
    minimum: str = ""
    maximum: str = ""
    value: str = ""
    query: str = ""
    searchable: bool = False
    records: tuple[Record, ...] = ()
    entries: tuple[str, ...] = ()
    accepts: tuple[str, ...] = ()


class Mark(StrEnum):
    """Where a value on the summary came from, as the person would say it."""

    YOURS = "yours"
    QUOTED = "quoted"
    RECORD = "record"
    SKIPPED = "skipped"


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the summary, with the button that re-opens its step."""

    item: str
    label: str
    value: str
    mark: Mark
    edit: Button
    quote: str = ""
    long: bool = False
    files: tuple[str, ...] = ()


class Summary(_Card, frozen=True, kw_only=True, tag="summary"):
    """The whole draft at one revision; confirming it submits exactly that."""

    revision: str
    rows: tuple[Row, ...]
    confirm: Button


class Notice(msgspec.Struct, frozen=True, kw_only=True, tag_field="card", tag="notice"):
    """A line of the runtime's own: it asks nothing and has no buttons."""

    text: str


Card = Chips | Form | Picker | Summary


def buttons(card: Card) -> tuple[Button, ...]:
    """Every button of a card: what is chosen from, then what sends it, suggestions, controls."""
    own: tuple[Button | None, ...]
    match card:
        case Chips():
            own = (*card.options, card.done)
        case Form():
            own = (*card.edit, card.done)
        case Picker():
            own = (*card.options, *card.moves, card.done)
        case Summary():
            own = (*(row.edit for row in card.rows), card.confirm)
    return tuple(one for one in (*own, *card.suggestions, *card.controls) if one is not None)
