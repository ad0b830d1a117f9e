"""Modals and the App Home: a form's fields as native inputs, and what a person has here.

A modal carries the lane and the card that it belongs to. It is believed in nothing: its submission
is a reply to that card, by who the platform says sent it.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from channels.slack.blocks import Run, button, context, lines, plain, rich, section
from channels.slack.controls import digest
from channels.slack.limits import (
    FAULT,
    HEADER,
    HEADING,
    INPUT_HINT,
    INPUT_LABEL,
    METADATA,
    TYPED,
    VIEW_BLOCKS,
    VIEW_TITLE,
)
from channels.slack.native import Json
from channels.slack.payload import FILES, VALUE, Dest, block_id, button_id, field_id, field_of
from channels.slack.text import blank, clean, one_line, seen, shorten
from core.cards import Card, Field, FieldKind, Form, Picker, PickerMode
from core.texts import Texts
from core.values import locale_of

MODAL = "s1:modal"
"""The callback_id of every modal of a card."""

GO_ON, START = "~resume", "~new"
"""Tokens of the App Home's buttons: go on with what is open; start the journey type whose name is
the button's value."""

_HOME = "home"
_WRONG = "⚠️ "
_SAID = "ℹ️ "

_INPUTS = {
    FieldKind.EMAIL: ("email_text_input", re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")),
    FieldKind.URL: ("url_text_input", re.compile(r"https?://[^\s.]\S*\.\S+")),
    FieldKind.NUMBER: ("number_input", re.compile(r"-?\d{1,15}(\.\d+)?", re.ASCII)),
}
"""Inputs that take only what looks like their kind. What was typed in other words before must
stand in the field all the same, and then it is an input of any text."""

# The types that Python itself knows: the machine's own tables would make a view depend on it.
_TYPES = mimetypes.MimeTypes(filenames=())


class Origin(msgspec.Struct, frozen=True):
    """What a modal belongs to."""

    lane: str
    card: str


def origin_of(view: Json) -> Origin | None:
    """What a modal belongs to; None where it is none of this channel's making."""
    if view.get("callback_id") != MODAL:
        return None
    try:
        return msgspec.json.decode(view.get("private_metadata") or "", type=Origin)
    except msgspec.DecodeError:
        return None


# The modal of a card


def form(
    card: Form | Picker,
    dest: Dest,
    texts: Texts,
    kept: Mapping[str, str] = {},
) -> Json:
    """The modal of a form, of an upload, or of a list that grows. It says when it is closed, so
    that nothing is lost.

    `kept` is what was typed into it the last time, by field; it stands before what the card holds.
    Raises ValueError where the lane and the card do not fit into a view.
    """
    origin = msgspec.json.encode(Origin(dest.lane, card.id)).decode()
    if len(origin) > METADATA:
        raise ValueError(f"the lane {dest.lane!r} and the card {card.id!r} do not fit into a view")
    asked = rich(lines([_reason(card), [Run(seen(card.title), "bold")]]))
    inputs = _inputs(card, dest, texts, kept)
    shown = [*asked[: max(0, VIEW_BLOCKS - len(inputs))], *inputs]
    return {
        "type": "modal",
        "callback_id": MODAL,
        "private_metadata": origin,
        "notify_on_close": True,
        "title": plain(one_line(texts.label(card.item)), VIEW_TITLE),
        "submit": plain(texts("slack.send"), VIEW_TITLE),
        "close": plain(texts("slack.close"), VIEW_TITLE),
        "blocks": shown[:VIEW_BLOCKS],
    }


def _inputs(card: Form | Picker, dest: Dest, texts: Texts, kept: Mapping[str, str]) -> list[Json]:
    if isinstance(card, Form):
        return [_input(card, number, dest, texts, kept) for number in range(len(card.fields))]
    if card.mode is PickerMode.ENTRIES:
        return [_entries(card, dest, texts, kept)]
    return [_upload(card, dest, texts)]


def _reason(card: Card) -> list[Run]:
    said = clean(card.reason).strip()
    return [] if blank(said) else [Run(_SAID + said)]


def _input(card: Form, number: int, dest: Dest, texts: Texts, kept: Mapping[str, str]) -> Json:
    field = card.fields[number]
    first = clean(kept.get(field.name, field.value))
    if len(first) > TYPED:
        # What does not fit into Slack's input must not be lost by sending the others.
        return section(texts("slack.too_long_here", field=one_line(field.label)), bold=False)
    element = _element(field, first, texts)
    made: Json = {
        "type": "input",
        "block_id": block_id(card.id, f"field{number}-{digest(element)}", dest),
        "label": plain(one_line(field.label), INPUT_LABEL),
        "element": {**element, "action_id": field_id(field.name)},
        "optional": not field.required,
    }
    hint = _hint(field)
    return {**made, "hint": plain(hint, INPUT_HINT)} if hint else made


def _hint(field: Field) -> str:
    reason, hint = clean(field.reason).strip(), clean(field.hint).strip()
    told = ["" if blank(reason) else _WRONG + reason, "" if blank(hint) else hint]
    return "\n".join(filter(None, told))


def _element(field: Field, first: str, texts: Texts) -> Json:
    initial: Json = {"initial_value": first} if first.strip() else {}
    native = _native(field, first.strip(), texts)
    if native == "number_input":
        return {"type": native, "is_decimal_allowed": True, **initial}
    if native:
        return {"type": native, **initial}
    element: Json = {"type": "plain_text_input", **initial}
    if field.kind is FieldKind.LONG_TEXT or "\n" in first:
        element["multiline"] = True
    if field.max_length is not None and len(first) <= field.max_length:
        element["max_length"] = max(1, min(field.max_length, TYPED))
    return element


def _native(field: Field, first: str, texts: Texts) -> str:
    kind, pattern = _INPUTS.get(field.kind, ("", None))
    if pattern is not None and first and not pattern.fullmatch(first):
        return ""
    # Slack's number input knows only the point, which elsewhere sets thousands apart.
    if kind == "number_input" and _decimal_sign(texts.locale) != ".":
        return ""
    return kind


def _decimal_sign(locale: str) -> str:
    return str(locale_of(locale).number_symbols["latn"]["decimal"])


def _entries(card: Picker, dest: Dest, texts: Texts, kept: Mapping[str, str]) -> Json:
    """Where entries are typed, one per line, to be put on the list."""
    first = clean(kept.get(VALUE, ""))[:TYPED]
    element: Json = {"type": "plain_text_input", "action_id": field_id(VALUE), "multiline": True}
    if first.strip():
        element["initial_value"] = first
    made: Json = {
        "type": "input",
        "block_id": block_id(card.id, f"entries-{digest(element, card.entries)}", dest),
        "label": plain(one_line(texts.label(card.item)), INPUT_LABEL),
        "element": element,
    }
    hint = clean(card.hint).strip()
    return made if blank(hint) else {**made, "hint": plain(hint, INPUT_HINT)}


def _upload(card: Picker, dest: Dest, texts: Texts) -> Json:
    element: Json = {"type": "file_input", "action_id": field_id(FILES), "max_files": 1}
    endings = _endings(card.accepts)
    if endings:
        element["filetypes"] = endings
    made: Json = {
        "type": "input",
        "block_id": block_id(card.id, "files", dest),
        "label": plain(texts("slack.file"), INPUT_LABEL),
        "element": element,
    }
    hint = clean(card.hint).strip()
    return made if blank(hint) else {**made, "hint": plain(hint, INPUT_HINT)}


def _endings(accepts: Sequence[str]) -> list[str]:
    """The endings of some types of files; none where one of the types has no endings of its own."""
    found = [
        [one.removeprefix(".") for one in _TYPES.guess_all_extensions(kind)] for kind in accepts
    ]
    return sorted({ending for endings in found for ending in endings}) if all(found) else []


# What comes back


def blocks_of(view: Json) -> dict[str, str]:
    """The block_id of each field of an open modal, by the field's name, as the platform tells it
    with a submission."""
    inputs = [one for one in view.get("blocks", ()) if one.get("type") == "input"]
    return {field_of(one["element"]["action_id"]): one["block_id"] for one in inputs}


def typed(view: Json) -> dict[str, str]:
    """What stands in the fields of a modal, by name; "" for an empty one. Files are not in it."""
    found: dict[str, str] = {}
    for block in (view.get("state") or {}).get("values", {}).values():
        for action, held in block.items():
            if field_of(action) and "files" not in held:
                found[field_of(action)] = str(held.get("value") or "")
    return found


def faults(view: Json, refused: Mapping[str, str]) -> dict[str, str]:
    """Why a submission was refused, by block_id, for the answer `response_action: errors`.

    `refused` has the reasons by field, and under "" one for all (see `core.turn.Taken`): that
    stands at the first field where no other does. Empty where nothing was refused.
    """
    here = blocks_of(view)
    reasons = {name: clean(why).strip() for name, why in refused.items()}
    found = {here[name]: why for name, why in reasons.items() if name in here and not blank(why)}
    whole = reasons.get("", "")
    if not found and not blank(whole):
        found = dict.fromkeys([*here.values()][:1], whole)
    return {at: shorten(why, FAULT) for at, why in found.items()}


# The App Home


@dataclass(frozen=True, slots=True)
class Offer:
    """A journey type to start: its name in the manifest, what it is called, what it is about."""

    name: str
    title: str
    about: str = ""


def home(
    texts: Texts,
    dest: Dest,
    *,
    question: str = "",
    open_lines: Sequence[str] = (),
    offers: Sequence[Offer] = (),
    submissions: Sequence[str] = (),
) -> Json:
    """The App Home of a person: what is open and a button that goes on with it, what can be
    started, and what they sent in.

    `question` is what is asked just now, `open_lines` how far the open journey is, `submissions`
    one line each, the newest first; all in words. `dest` is their direct message.
    """
    going = _going_on(texts, dest, question, open_lines)
    starts = [
        block for number in range(len(offers)) for block in _start(texts, dest, offers, number)
    ]
    sent = rich(lines([Run(_in_short(one))] for one in submissions))
    blocks = [
        *going,
        *([_headed(texts("slack.home.offers"))] if starts else []),
        *starts,
        _headed(texts("slack.home.yours")),
        *(sent or context(texts("slack.home.none"))),
    ]
    return {"type": "home", "blocks": blocks[:VIEW_BLOCKS]}


def _in_short(text: str) -> str:
    """A line for an overview, of which a view takes 250,000 bytes in all."""
    return shorten(one_line(text), HEADING)


def _headed(text: str) -> Json:
    return {"type": "header", "text": plain(one_line(text), HEADER)}


def _going_on(texts: Texts, dest: Dest, question: str, open_lines: Sequence[str]) -> Iterator[Json]:
    yield _headed(texts("slack.home.open"))
    told = rich(lines([Run(_in_short(one))] for one in (*open_lines, question)))
    if not told:
        yield from context(texts("slack.home.nothing_open"))
        return
    yield from told
    go_on = button(texts("slack.home.go_on"), button_id(GO_ON), style="primary")
    yield {
        "type": "actions",
        "block_id": block_id(_HOME, "open", dest),
        "elements": [go_on],
    }


def _start(texts: Texts, dest: Dest, offers: Sequence[Offer], number: int) -> Iterator[Json]:
    offer = offers[number]
    spoken = texts("slack.home.start_item", label=one_line(offer.title))
    start: dict[str, Any] = button(texts("slack.home.start"), button_id(START), spoken=spoken)
    yield {
        **section(_in_short(offer.title)),
        "block_id": block_id(_HOME, f"start{number}", dest),
        "accessory": {**start, "value": offer.name},
    }
    yield from context(_in_short(offer.about))
