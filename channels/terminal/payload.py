"""The keys under which a card's buttons can be pressed: numbers for what is chosen from, letters
for what is suggested, and every button's own label.

Where the answer itself is typed (a number, a time, a text) nothing is numbered, so that "20" is
always twenty and never the twentieth button. On a calendar a number is the day of the month shown.
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


def days(card: Card) -> dict[int, Button]:
    """The days of the month that a card shows; empty where it shows none."""
    if not isinstance(card, Picker) or card.mode not in (PickerMode.DATE, PickerMode.DATETIME):
        return {}
    if not card.month or not all(one.label.isdecimal() for one in card.options):
        return {}
    return {int(button.label): button for button in card.options}


def times(card: Card) -> tuple[str, ...]:
    """The hours or minutes that a card shows; each is answered by typing it."""
    if not isinstance(card, Picker) or card.mode not in (PickerMode.TIME, PickerMode.DATETIME):
        return ()
    return () if days(card) else tuple(one.label for one in card.options)


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
    """Every key of a card and the button it presses, letter case folded; the first one wins.

    Where several can be ticked, a number ticks; a label is words, and so is "1 and 3".
    """
    for number, button in (*enumerate(numbered(card), 1), *days(card).items()):
        yield str(number), button
    for letter, button in zip(string.ascii_lowercase, lettered(card), strict=False):
        yield letter, button
    for button in (*named(card), *lettered(card)):
        yield button.label.casefold(), button
    if isinstance(card, Chips) and not card.multiple:
        for button in card.options:
            yield button.label.casefold(), button
