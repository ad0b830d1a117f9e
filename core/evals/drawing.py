"""A turn's effects as plain text: exact, because scenarios pin it, and good to read in a replay.

Every field of a card that is not at its default stands in it (but for a summary's revision, which
nobody sees and every change of the manifest changes); a button is `[label](token)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from core.cards import Button, Card, Chips, Field, Form, Picker, Record, Role, Row, Summary
from core.effects import Change, Close, Draw, Effect, Page, Put, Say, Toast
from core.posts import Post


def drawn(effects: Iterable[Effect]) -> str:
    """What a turn shows, in order."""
    return "\n".join(line for effect in effects for line in _effect(effect))


def _effect(effect: Effect) -> Iterator[str]:
    match effect:
        case Say():
            who = "model" if effect.model else "bot"
            yield from _indented(effect.text, f"{who}: ", personal=effect.personal)
        case Close():
            yield from _indented(effect.receipt or "(inert)", f"card {effect.card} closes: ")
        case Toast():
            if effect.text:
                told = ", as the card does" if effect.told else ""
                yield f"toast{told}: {effect.text}"
        case Put():
            yield from _post(effect)
        case Draw():
            yield from _card(effect.card, "draws")
        case Change():
            yield from _card(effect.card, "becomes")
        case Page():
            yield f"card {effect.card} shows page {effect.number}"


def _post(effect: Put) -> Iterator[str]:
    post = effect.post
    yield from _indented(post.title, f"post {post.id}: ", personal=effect.personal)
    for text in filter(None, (post.text, *_told(post), post.footer)):
        yield from (f"    {line}" for line in text.split("\n"))
    yield from (f"    file {one.name or one.ref}" for one in post.files)
    yield from (f"    [{one.label}] {one.command}" for one in post.actions)


def _told(post: Post) -> Iterator[str]:
    for line in post.lines:
        yield f"{line.label}: {line.value}"


def _indented(text: str, first: str, *, personal: bool = False) -> Iterator[str]:
    lines = text.split("\n")
    yield f"{'privately, ' if personal else ''}{first}{lines[0]}"
    yield from (f"    {line}" for line in lines[1:])


def _card(card: Card, verb: str) -> Iterator[str]:
    kind = type(card).__name__.lower()
    place = f", {card.place[0]} of {card.place[1]}" if card.place[1] else ""
    yield f"card {card.id} {verb}: {kind} {card.item or '-'}{place}"
    for name in ("title", "hint", "reason", "verbatim"):
        text = getattr(card, name)
        if text:
            yield from (f"  | {line}" for line in _indented(text, f"{name}: "))
    yield from (f"  | {line}" for line in _own(card))
    yield from _row_of("suggestions", card.suggestions)
    yield from _row_of("controls", card.controls)


def _own(card: Card) -> Iterator[str]:
    match card:
        case Chips():
            yield from _plain("options", card.options)
            yield from _plain("done", (card.done,))
            if card.multiple:
                yield "several may be ticked"
        case Form():
            yield from (_field(one, card.active) for one in card.fields)
            yield from _plain("edit", card.edit)
            yield from _plain("done", (card.done,))
        case Picker():
            yield from _picker(card)
        case Summary():
            for row in card.rows:
                yield from _summary_row(row)
            yield from _plain("confirm", (card.confirm,))


def _field(field: Field, active: str) -> str:
    marks = [
        field.kind.value,
        "" if field.required else "optional",
        f"at most {field.max_length}" if field.max_length is not None else "",
        "active" if field.name == active else "",
        f"hint: {field.hint}" if field.hint else "",
        f"reason: {field.reason}" if field.reason else "",
    ]
    return f"field {field.name} ({', '.join(filter(None, marks))}) {field.label}: {field.value!r}"


def _picker(card: Picker) -> Iterator[str]:
    told = {
        "month": card.month,
        "from": card.minimum,
        "to": card.maximum,
        "value": card.value,
        "query": card.query,
        "accepts": " ".join(card.accepts),
        "searchable": "yes" if card.searchable else "",
    }
    yield ", ".join([card.mode.value, *(f"{name} {text}" for name, text in told.items() if text)])
    yield from (f"{number}. {entry}" for number, entry in enumerate(card.entries, 1))
    yield from (_record(one) for one in card.records)
    known = {one.detail for one in card.records}
    yield from _plain("options", [_bare(one, known) for one in card.options])
    yield from _plain("moves", card.moves)
    yield from _plain("done", (card.done,))


def _bare(button: Button, known: set[str]) -> Button:
    """A record's button says what stands in the record's own line already."""
    return msgspec.structs.replace(button, detail="") if button.detail in known else button


def _record(record: Record) -> str:
    fields = ", ".join(f"{name}={value}" for name, value in record.fields.items())
    return f"record {record.id}: {record.label} · {record.detail} · {fields}"


def _summary_row(row: Row) -> Iterator[str]:
    quote = f" from “{row.quote}”" if row.quote else ""
    marks = f"{row.mark.value}{quote}{', long' if row.long else ''}"
    yield from _indented(row.value, f"{row.label} ({row.item}, {marks}) [{row.edit.token}]: ")
    yield from (f"    file {one}" for one in row.files)


def _row_of(name: str, buttons: Iterable[Button | None]) -> Iterator[str]:
    yield from (f"  | {line}" for line in _plain(name, buttons))


def _plain(name: str, buttons: Iterable[Button | None]) -> Iterator[str]:
    shown = [_button(one) for one in buttons if one is not None]
    if shown:
        yield f"{name}: {' '.join(shown)}"


def _button(button: Button) -> str:
    tick = {None: "", True: "☑ ", False: "☐ "}[button.ticked]
    detail = f" · {button.detail}" if button.detail else ""
    role = "" if button.role is Role.OPTION else f", {button.role.value}"
    return f"[{tick}{button.label}{detail}]({button.token}{role})"
