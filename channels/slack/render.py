"""Cards, messages and receipts as Slack messages, complete by themselves.

The question and all that is to be read stand in rich text, what can be used beside it and below it.
Nothing is ever left out: what is too long for a message goes on in the next, and the last of them
has the controls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from channels.slack import blocks as kit
from channels.slack import controls
from channels.slack.blocks import Part, Run, button, context, cut, lines, posts, rich, section
from channels.slack.controls import Place
from channels.slack.limits import SELECT
from channels.slack.native import Json, Post
from channels.slack.payload import Dest, button_id, found_id
from channels.slack.text import blank, clean, one_line, seen
from core import values
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
from core.manifest import Kind
from core.texts import Texts

_SAID = "ℹ️ "
_WRONG = "⚠️ "
_SUGGESTED = "💡 "
_ACTIVE = "👉 "
_SOUGHT = "🔎 "
_UPLOAD = "📎 "
_SETTLED = "✓ "
_TICKED = ("✓", "✔", "☑", "✅")
_MISSING, _EMPTY = "…", "–"
_MARKS = {Mark.QUOTED: "❝", Mark.RECORD: "◆"}
_KINDS = {
    PickerMode.DATE: Kind.DATE,
    PickerMode.TIME: Kind.TIME,
    PickerMode.DATETIME: Kind.DATETIME,
}


def card(
    drawn: Card, dest: Dest, texts: Texts, *, for_name: str = "", again: str = ""
) -> tuple[Post, ...]:
    """An open card; its last message has the controls that stand beside no line.

    `for_name` is the owner's name where others are in the conversation: the card is theirs, then,
    and they are told of it. `again` is a line put last. Raises ValueError where the card's id does
    not fit into a block_id.
    """
    place = Place(drawn, dest, texts)
    parts = [
        *_alone(context(f"{drawn.place[0]}/{drawn.place[1]}" if drawn.place[1] else "")),
        *_alone(rich(_called(for_name, dest))),
        *_head(drawn),
        *_alone(rich(_suggestions(drawn))),
        *_body(place),
        (*context(_hint(place)), *context(again), *controls.blocks(place)),
    ]
    return posts(parts)


def message(text: str, *, again: str = "") -> tuple[Post, ...]:
    """A message without controls; none at all where there is nothing to see in it."""
    said = clean(text).strip()
    if blank(said):
        return ()
    return posts([*_alone(rich([Run(said)])), context(again)])


def receipt(text: str, *, again: str = "") -> tuple[Post, ...]:
    """What a settled card becomes; it has no controls. `again` is a line put last."""
    return message(_settled(text), again=again)


def confirmed(drawn: Summary, texts: Texts, text: str, *, again: str = "") -> tuple[Post, ...]:
    """A confirmed summary as it was shown, without its controls, and its receipt (`text`) last;
    below that the line `again`."""
    rows = chain.from_iterable(_alone(rich(_told(row))) for row in drawn.rows)
    end = _alone(rich(lines([[Run(_settled(text))]])))
    return posts([*rows, *_alone(_legend(drawn, texts)), *end, context(again)])


def options(drawn: Picker) -> list[Json]:
    """What an external select finds: the options of a card, as records are called in full."""
    found = drawn.options[:SELECT]
    told = [(one.label, one.detail) for one in found]
    if drawn.mode is PickerMode.RECORDS and controls.beside(drawn):
        told = [(one.label, one.detail) for one in drawn.records[:SELECT]]
    # Without numbers: they would not be the places that the same records have on a card.
    return [
        controls.option(one_line(label), found_id(one.token, clean(drawn.query)), detail)
        for (label, detail), one in zip(told, found, strict=True)
    ]


def _settled(text: str) -> str:
    said = clean(text).strip()
    return said if blank(said) or said.startswith(_TICKED) else _SETTLED + said


def _alone(found: Iterable[Json]) -> Iterator[Part]:
    return ((one,) for one in found)


# The question


def _called(for_name: str, dest: Dest) -> list[Run]:
    return [Run(seen(one_line(for_name)), user=dest.owner)] if for_name else []


def _head(drawn: Card) -> Iterator[Part]:
    """What is asked, below why it is asked once more."""
    # A reason may also tell what was just done ("Added: Ada."), so it is no warning.
    reason = [] if blank(clean(drawn.reason)) else [Run(_SAID + clean(drawn.reason).strip())]
    yield from _alone(rich(lines([reason, [Run(seen(drawn.title), "bold")]])))
    yield from _alone(rich(lines([[Run(clean(drawn.verbatim).strip())]]), quote=True))


def _suggestions(drawn: Card) -> tuple[Run, ...]:
    if not controls.lettered(drawn):
        return ()
    return lines(
        [Run(f"{_SUGGESTED}{controls.letter(number)}. {one_line(one.label)}")]
        for number, one in enumerate(drawn.suggestions)
    )


def _hint(place: Place) -> str:
    drawn = place.card
    told = [clean(drawn.hint).strip()]
    if isinstance(drawn, Picker) and drawn.mode is PickerMode.UPLOAD:
        told = [_UPLOAD + one for one in told if not blank(one)]
        told.append(place.texts("slack.upload"))
    if isinstance(drawn, Picker) and controls.moment(drawn):
        told.append(_bounds(drawn, place.texts))
    return "\n".join(one for one in told if not blank(one))


def _bounds(drawn: Picker, texts: Texts) -> str:
    """The bounds of a date or a time, unless the hint tells them: Slack's pickers know none."""
    low, high = (_bound(drawn, bound, texts) for bound in (drawn.minimum, drawn.maximum))
    if any(bound and bound in drawn.hint for bound in (low, high)):
        return ""
    if low and high:
        return texts("hint.between", minimum=low, maximum=high)
    if low:
        return texts("hint.not_before", minimum=low)
    return texts("hint.not_after", maximum=high) if high else ""


def _bound(drawn: Picker, bound: str, texts: Texts) -> str:
    return values.shown(_KINDS[drawn.mode], bound, texts.locale) if bound else ""


# What a card is about


def _body(place: Place) -> Iterable[Part]:
    match place.card:
        case Chips() as chips:
            return _options(chips, chips.options)
        case Form() as form:
            return _alone(rich(_fields(form)))
        case Summary() as summary:
            return _summary(place, summary)
        case Picker() as picker:
            return _picker(place, picker)


def _options(drawn: Card, options: Sequence[Button]) -> Iterator[Part]:
    """Options with their numbers, where their controls do not tell all of them."""
    if not controls.numbered(drawn):
        return
    described = any(one.detail for one in options)
    told = (
        lines(
            [
                [Run(f"{number}. {seen(one_line(one.label))}", "bold" if described else "")],
                [Run(one.detail)],
            ]
        )
        for number, one in enumerate(options, 1)
    )
    yield from _alone(rich(lines(told)))


def _picker(place: Place, drawn: Picker) -> Iterator[Part]:
    if drawn.query:
        yield from _alone(rich(lines([[Run(_SOUGHT + one_line(drawn.query))]])))
    if not controls.beside(drawn):
        entries = enumerate(drawn.entries, 1)
        yield from _alone(rich(lines([Run(f"{number}. {entry}")] for number, entry in entries)))
        if not controls.moment(drawn):
            yield from _options(drawn, drawn.options)
    elif drawn.mode is PickerMode.RECORDS:
        for number, (record, one) in enumerate(zip(drawn.records, drawn.options, strict=True)):
            head = _used(place, record.label, one, f"record{number}", "choose", bold=True)
            yield from _line(head, record.label, _record(record, place.texts))
    else:
        for number, (entry, one) in enumerate(zip(drawn.entries, drawn.options, strict=True), 1):
            heading = f"{number}. {one_line(entry)}"
            head = _used(place, heading, one, f"entry{number}", "remove", bold=False)
            yield from _line(head, heading, ())


def _used(place: Place, heading: str, one: Button, part: str, does: str, *, bold: bool) -> Json:
    """A line with the button beside it that does something about it."""
    label = place.texts(f"slack.{does}")
    spoken = place.texts(f"slack.{does}_item", label=one_line(heading))
    return {
        **section(heading, bold=bold),
        "accessory": button(label, button_id(one.token), spoken=spoken),
        "block_id": place.id(part),
    }


def _line(head: Json, heading: str, more: Sequence[Run]) -> Iterator[Part]:
    """A line and what belongs below it, which stand together where that is possible."""
    told = lines([[Run(one_line(heading), "bold")] if cut(heading) else [], more])
    first, *rest = rich(told) or ({},)
    yield (head, first) if first else (head,)
    yield from _alone(rest)


# Records


def _record(record: Record, texts: Texts) -> tuple[Run, ...]:
    """All that a record has, so that it is known what is accepted (G5)."""
    return lines([[Run(clean(record.detail).strip())], *_more(record, texts)])


def _more(record: Record, texts: Texts) -> Iterator[list[Run]]:
    """The fields that neither the label nor the detail tells."""
    told = f"{record.label}\n{record.detail}"
    for name, value in record.fields.items():
        shown = _value_of(value, texts)
        if shown and (isinstance(value, bool) or shown not in told):
            yield [Run(f"{name.replace('_', ' ').capitalize()}: {shown}")]


def _value_of(value: str | float | bool | None, texts: Texts) -> str:
    if isinstance(value, bool):
        return texts("step.yes" if value else "step.no")
    return "" if value is None else str(value)


# Forms


def _fields(drawn: Form) -> tuple[Run, ...]:
    """The fields of a form and what is in them; a form of one field says all in its title."""
    shown = drawn.fields if len(drawn.fields) > 1 else [one for one in drawn.fields if one.reason]
    return lines(_field(drawn, one) for one in shown)


def _field(drawn: Form, field: Field) -> tuple[Run, ...]:
    active = field.name == drawn.active
    value = clean(field.value)
    held = (_MISSING if field.required else _EMPTY) if blank(value) else value
    line = [Run(_ACTIVE if active else ""), Run(seen(field.label), "bold"), Run(f": {held}")]
    reason = [] if blank(clean(field.reason)) else [Run(_WRONG + field.reason)]
    told = field.hint if active and field.hint not in drawn.hint else ""
    return lines([line, reason, [Run(told, "italic")]])


# The summary


def _summary(place: Place, drawn: Summary) -> Iterator[Part]:
    """Every value, whole, each below its label, and what the signs beside them mean."""
    for number, row in enumerate(drawn.rows):
        head = _used(place, row.label, row.edit, f"row{number}", "edit", bold=True)
        yield from _line(head, row.label, _value(row))
    yield from _alone(_legend(drawn, place.texts))


def _told(row: Row) -> tuple[Run, ...]:
    return lines([[Run(one_line(row.label), "bold")], _value(row)])


def _value(row: Row) -> tuple[Run, ...]:
    value = clean(row.value).strip("\n")
    sign = _MARKS.get(row.mark, "")
    style: kit.Style = "italic" if row.mark is Mark.SKIPPED else ""
    shown = [Run(_EMPTY if blank(value) else value, style), Run(f" {sign}" if sign else "")]
    quote = clean(row.quote).strip()
    said = [] if blank(quote) or row.quote == row.value else [Run(f"“{quote}”", "italic")]
    return lines([shown, said])


def _legend(drawn: Summary, texts: Texts) -> Part:
    marks = {row.mark for row in drawn.rows}
    told = [f"{sign} {texts(f'slack.mark.{mark}')}" for mark, sign in _MARKS.items()]
    shown = [line for mark, line in zip(_MARKS, told, strict=True) if mark in marks]
    return context("\n".join(shown))
