"""What a person did, as it can be told from the cards that they saw and from their replies: the
words that are their own, and the records that they took of a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.cards import Button, Card, Chips, Form, Picker, PickerMode, Record, Role, buttons
from core.evals.looks import Look
from core.manifest import Kind
from core.reading import read
from core.reading.result import Context, Option, Outcome
from core.replies import Reply, Shared, Submit, Tap, Upload, Words
from core.step.common import plain
from core.step.picker_records import token_of, value_of
from core.turn.quotes import folded

_TAKES = frozenset({Role.SUGGESTION, Role.CONFIRM})
"""Buttons that take a text which stands on the card."""


@dataclass
class Heard:
    """What was heard of a person so far. `cards` are those that they saw before the turn, as they
    looked then; `own` the texts that are theirs, folded; `accepted` the records that they took in
    this journey, by item."""

    journey: str = ""
    cards: dict[str, Card] = field(default_factory=dict)
    own: list[str] = field(default_factory=list)
    accepted: dict[str, list[Any]] = field(default_factory=dict)

    def hear(self, look: Look) -> None:
        """Listen to a turn, before it is judged."""
        for reply in look.replies:
            if reply.by == look.before.person.id:
                self.own += [said(text) for text in _own_texts(reply, self.card(look, reply))]
        journey = look.after.journey
        if journey is None or look.kind is None:
            return
        if journey.id != self.journey:
            self.journey = journey.id
            self.accepted = {name: [one] for name, one in _records(look, look.old_values)}
        for name, value in _records(look, look.values):
            if name in look.written and self.took(look, name, value):
                self.accepted.setdefault(name, []).append(value)

    def remember(self, look: Look) -> None:
        """Keep what is on the screen after a turn: it is what the next reply is to."""
        self.cards = dict(look.screen.drawn)

    def card(self, look: Look, reply: Reply | None = None) -> Card | None:
        """The card that a reply is to, as the person saw it: the one that it names, or the open
        one."""
        before = look.before.journey
        ask = before.ask if before is not None else None
        name = reply.card if isinstance(reply, Tap | Submit) else ask.card if ask else ""
        return self.cards.get(name) or look.screen.drawn.get(name)

    def is_own(self, text: str) -> bool:
        """Whether a text stands in what the person typed, sent, or took of a card by a tap."""
        return any(said(text) in one for one in self.own)

    def chose(self, look: Look, item: str, value: Any) -> bool:
        """Whether a choice is what stood on the button that was tapped, or all that was ticked."""
        shown = look.shown(item, value)
        return any(
            shown in _on_button(card, reply.token)
            for reply in look.replies
            if isinstance(reply, Tap) and (card := self.card(look, reply)) is not None
        )

    # Records

    def took(self, look: Look, item: str, value: Any) -> bool:
        """Whether this very record was accepted in this turn, on its item's own card."""
        return any(
            _takes(look, reply, card, value)
            for reply in look.replies
            if (card := self.card(look, reply)) is not None and card.item == item
        )


def said(text: str) -> str:
    """A text as it is compared with what a person said."""
    return folded(plain(text))


def _records(look: Look, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if value is not None and look.item(name).value is Kind.RECORD:
            yield name, value


# Words of one's own


def _own_texts(reply: Reply, card: Card | None) -> Iterator[str]:
    match reply:
        case Words():
            yield reply.text
            yield from _told_of(reply)
            yield from _filled(card)
        case Upload():
            yield reply.caption
        case Shared():
            yield reply.value
            yield from _told_of(reply)
        case Submit():
            yield from _told_of(reply)
            for given in reply.values.values():
                yield from [given] if isinstance(given, str) else given
        case Tap():
            button = _button(card, reply.token)
            if card is not None and button is not None and button.role in _TAKES:
                yield from filter(None, (button.label, card.verbatim))
            if button is not None and button.role is Role.DONE:
                yield from _filled(card)


def _told_of(reply: Words | Shared | Submit) -> Iterator[str]:
    """What the platform tells of people is as good as typed."""
    for somebody in reply.people:
        yield from (somebody.id, somebody.name, somebody.handle)


def _button(card: Card | None, token: str) -> Button | None:
    there = buttons(card) if card is not None else ()
    return next((one for one in there if one.token == token), None)


def _on_button(card: Card, token: str) -> Iterator[str]:
    """What a tap on a button takes, as it stands on the card."""
    button = _button(card, token)
    if button is None:
        return
    if button.role is Role.DONE and isinstance(card, Chips):
        yield ", ".join(one.label for one in card.options if one.ticked)
    else:
        yield from (button.label, card.verbatim)


def _filled(card: Card | None) -> Iterator[str]:
    """What stands in the fields of a form: who sends it sends that."""
    if isinstance(card, Form):
        yield from (one.value for one in card.fields if one.value)


# Records of a card


def _takes(look: Look, reply: Reply, card: Card, value: Any) -> bool:
    if isinstance(reply, Words):
        return _named(reply.text, value, _offered(look, card)) or value in _placed(
            look, reply, card
        )
    if isinstance(reply, Submit):
        token = reply.values.get(card.item, reply.values.get("value"))
        return any(
            token_of(one) == token and value_of(one) == value for one in _offered(look, card)
        )
    if not isinstance(reply, Tap):
        return False
    button = _button(card, reply.token)
    if button is None:
        return False
    if button.role is Role.SUGGESTION:
        return look.shown(card.item, value) in (button.label, card.verbatim)
    return value in [value_of(one) for one in _shown_as(card, reply.token)]


def _shown_as(card: Card, token: str) -> Iterator[Record]:
    """The record that stands on the card behind a button."""
    if isinstance(card, Picker) and card.mode is PickerMode.RECORDS:
        pairs = zip(card.options, card.records, strict=False)
        yield from (record for option, record in pairs if option.token == token)


def _offered(look: Look, card: Card) -> Iterable[Record]:
    """What was to be seen when it was named: on the card, or in what was found for its name."""
    there = card.records if isinstance(card, Picker) else ()
    return (*there, *(one for found in look.fetched.values() for one in found.records))


def _named(text: str, value: Any, offered: Iterable[Record]) -> bool:
    """Whether the record's whole name was typed."""
    known = [value_of(one) for one in offered]
    return value in known and folded(str(value["label"])) in folded(text)


def _placed(look: Look, reply: Words, card: Card) -> list[Any]:
    """The record that was named by its place on the card ("the second one")."""
    if not isinstance(card, Picker) or card.mode is not PickerMode.RECORDS:
        return []
    # Names are nothing to it: no word of a reply is a label here.
    there = {token_of(one): one for one in card.records}
    options = [Option(key=token, label=token) for token in there]
    context = Context(now=reply.at, locale=look.after.person.locale, options=options)
    found = read("choice", reply.text, context)
    if found.outcome is not Outcome.SETTLED:
        return []
    return [value_of(there[found.value])]
