"""The keys under which a card's buttons can be pressed: numbers for what is chosen from, letters
for what is suggested, and every button's own label.

Where the answer itself is typed (a number, a date, a text) nothing is numbered, so that "20" is
always twenty and never the twentieth button.
"""

from __future__ import annotations

import string
from collections.abc import Iterator

from core.cards import Button, Card, Chips, Form, Picker, PickerMode, Summary


def numbered(card: Card) -> tuple[Button, ...]:
    """The buttons that are pressed by their number, in order."""
    match card:
        case Chips():
            return card.options
        case Picker() if card.mode is PickerMode.RECORDS:
            return card.options
        case Summary():
            return tuple(row.edit for row in card.rows)
        case _:
            return ()


def lettered(card: Card) -> tuple[Button, ...]:
    """The buttons that are pressed by a letter."""
    return card.suggestions[: len(string.ascii_lowercase)]


def named(card: Card) -> tuple[Button, ...]:
    """The buttons that are pressed by their label, the card's own first."""
    own: tuple[Button | None, ...]
    match card:
        case Chips():
            own = (card.done,)
        case Form():
            own = (*card.edit, card.done)
        case Picker():
            own = (*card.moves, card.done)
        case Summary():
            own = (card.confirm,)
    return (*(button for button in own if button is not None), *card.controls)


def keys(card: Card) -> Iterator[tuple[str, Button]]:
    """Every key of a card and the button it presses, letter case folded; the first one wins."""
    chips_ticked = isinstance(card, Chips) and card.multiple
    if not chips_ticked:
        for number, button in enumerate(numbered(card), 1):
            yield str(number), button
    for letter, button in zip(string.ascii_lowercase, lettered(card), strict=False):
        yield letter, button
    for button in (*named(card), *lettered(card)):
        yield button.label.casefold(), button
    if isinstance(card, Chips) and not chips_ticked:
        for button in card.options:
            yield button.label.casefold(), button
