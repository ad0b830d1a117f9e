"""Any card, however large and whatever stands in it: a rich message within all limits, or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from aiogram.types import InputRichMessage
from hypothesis import event, given
from hypothesis import strategies as st

from channels.telegram import limits, rich
from channels.telegram.payload import Dest, data_for
from core.cards import (
    Button,
    Card,
    Chips,
    Field,
    FieldKind,
    Form,
    Mark,
    Picker,
    PickerMode,
    Record,
    Role,
    Row,
    Summary,
    buttons,
)
from core.texts import Texts
from tests.support.telegram.conform import conform
from tests.support.telegram.rich import buttons_in, check_rich

TEAM = Dest(chat=-5, owner=77)


def checked(card: Card, **more: Any) -> dict[str, Any] | None:
    """The rich message of a card, if it has one: of the API's types, within its limits, and with
    each of the card's buttons once."""
    piece = rich.card(card, TEAM, more.pop("texts", Texts("en")), **more)
    if piece is None:
        return None
    assert piece.rich is not None
    msgspec.json.encode(piece.rich)
    conform(InputRichMessage, piece.rich, "rich_message")
    check_rich(piece.rich, private=False)
    found = [one["callback_data"] for one in buttons_in(piece.rich["blocks"])]
    assert len(found) <= limits.BUTTONS
    assert sorted(found) == sorted(data_for(card.id, one.token, TEAM) for one in buttons(card))
    return piece.rich


def summary(*values: str, card: str = "c7", label: str = "About") -> Summary:
    rows = (
        Row(
            item="it",
            label=label,
            value=value,
            mark=Mark.YOURS,
            edit=Button(token=f"e{at}", label=label, role=Role.EDIT),
        )
        for at, value in enumerate(values)
    )
    confirm = Button(token="confirm", label="Confirm", role=Role.CONFIRM)
    return Summary(
        id=card, item="", title="Right?", revision="r", rows=tuple(rows), confirm=confirm
    )


# On both sides of each limit


def with_buttons(count: int) -> Card:
    return summary(*["y"] * (count - 1))


def with_long_labels(count: int) -> Card:
    return summary(*["y"] * (count - 1), label="😀" * 15)


def with_characters(count: int) -> Card:
    pairs, one = divmod(count - len("Right?AboutConfirm"), 2)
    return summary("😀" * pairs + "x" * one)


def with_blocks(count: int) -> Card:
    # Beside its fields it has a title and a table.
    field = Field(name="a", label="A", kind=FieldKind.TEXT)
    return Form(id="c7", item="it", title="How?", fields=(field,) * (count - 2))


@pytest.mark.parametrize(
    "made,fits,does_not",
    [
        (with_characters, limits.RICH_TEXT, limits.RICH_TEXT + 1),
        (with_blocks, limits.RICH_BLOCKS, limits.RICH_BLOCKS + 1),
        (with_buttons, 80, limits.BUTTONS + 1),
        # A keyboard of so many bytes has pages, and then so it has as a plain card.
        (with_long_labels, 40, 95),
    ],
)
def test_a_card_within_the_limits_is_rich_and_beyond_them_it_is_not(
    made: Callable[[int], Card], fits: int, does_not: int
) -> None:
    assert checked(made(fits)) is not None
    assert checked(made(does_not)) is None


def test_a_button_that_fits_no_callback_leaves_the_card_to_the_plain_form() -> None:
    assert checked(summary("x", card="c" * 40)) is not None
    assert checked(summary("x", card="c" * 60)) is None


ONE = (Button(token="o", label="One"),)
TWO_FIELDS = tuple(Field(name=one, label=one, kind=FieldKind.TEXT) for one in "ab")
OUT_OF_STEP: list[Card] = [
    Form(id="c7", item="it", title="How?", fields=TWO_FIELDS, edit=ONE),
    Picker(id="c7", item="it", title="?", mode=PickerMode.ENTRIES, entries=("a", "b"), options=ONE),
    Picker(
        id="c7",
        item="it",
        title="?",
        mode=PickerMode.RECORDS,
        records=(Record(id="a", label="A"), Record(id="b", label="B")),
        options=ONE,
    ),
]


@pytest.mark.parametrize("card", OUT_OF_STEP, ids=lambda card: type(card).__name__)
def test_a_button_without_its_field_or_entry_has_a_place_all_the_same(card: Card) -> None:
    assert checked(card) is not None


# Any card

SIGNS = st.text(max_size=40) | st.sampled_from(
    ["", " ", "\n", "<b>&", "a|b", "ש", "😀" * 20, "\x00\ud800", "x" * 300, "1", "31", "２"]
)
ROLES = st.sampled_from(list(Role))
FILES = st.sampled_from(["photo:P1", "document:D1", "video_note:N1", "elsewhere", "photo:"])
MONTHS = st.sampled_from(["", "2026-12", "2026-13", "December", "0000-00", "9999-12"])
ALIKE = st.builds(
    Button,
    token=st.just(""),
    label=SIGNS,
    role=ROLES,
    detail=SIGNS,
    ticked=st.none() | st.booleans(),
)
"""Buttons whose tokens are given to them once the card is whole."""

FRAME: dict[str, Any] = {
    "id": st.sampled_from(["c1", "c123456", "c" * 50]),
    "item": st.just("it"),
    "place": st.tuples(st.integers(0, 99), st.integers(0, 99)),
    "suggestions": st.lists(ALIKE, max_size=4).map(tuple),
    "controls": st.lists(ALIKE, max_size=4).map(tuple),
    **dict.fromkeys(("title", "hint", "reason", "verbatim"), SIGNS),
}


def some(most: int) -> st.SearchStrategy[tuple[Button, ...]]:
    return st.lists(ALIKE, max_size=most).map(tuple)


FIELDS = st.builds(
    Field,
    name=st.sampled_from(["a", "b"]),
    label=SIGNS,
    kind=st.just(FieldKind.TEXT),
    value=SIGNS,
    hint=SIGNS,
    reason=SIGNS,
    required=st.booleans(),
)
ROWS = st.builds(
    Row,
    item=st.just("it"),
    label=SIGNS,
    value=SIGNS,
    mark=st.sampled_from(list(Mark)),
    edit=ALIKE,
    quote=SIGNS,
    long=st.booleans(),
    files=st.lists(FILES, max_size=3).map(tuple),
)
RECORDS = st.builds(
    Record,
    id=st.just("r"),
    label=SIGNS,
    detail=SIGNS,
    fields=st.dictionaries(SIGNS, SIGNS | st.none() | st.booleans() | st.integers(), max_size=3),
)
CARDS: st.SearchStrategy[Card] = st.one_of(
    st.builds(Chips, **FRAME, options=some(40), done=st.none() | ALIKE),
    st.builds(
        Form,
        **FRAME,
        fields=st.lists(FIELDS, max_size=4).map(tuple),
        active=st.just("b"),
        edit=some(4),
        done=st.none() | ALIKE,
    ),
    st.builds(
        Picker,
        **FRAME,
        mode=st.sampled_from(list(PickerMode)),
        options=some(4) | some(40),
        moves=some(4),
        done=st.none() | ALIKE,
        month=MONTHS,
        query=SIGNS,
        records=st.lists(RECORDS, max_size=4).map(tuple),
        entries=st.lists(SIGNS, max_size=4).map(tuple),
    ),
    st.builds(
        Summary,
        **FRAME,
        revision=st.just("r"),
        rows=st.lists(ROWS, max_size=30).map(tuple),
        confirm=ALIKE,
    ),
)


def numbered(card: Card) -> Card:
    """The card with a token of its own for each of its buttons."""
    count = iter(range(1000))

    def renewed(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(renewed, value))
        if isinstance(value, Button):
            return msgspec.structs.replace(value, token=f"k{next(count)}")
        if isinstance(value, Row):
            return msgspec.structs.replace(value, edit=renewed(value.edit))
        return value

    fields = {name: renewed(getattr(card, name)) for name in card.__struct_fields__}
    return type(card)(**fields)


@given(
    card=CARDS.map(numbered),
    texts=st.sampled_from([Texts(one) for one in ("en", "de", "ar", "xx")]),
    for_name=SIGNS,
    again=SIGNS,
    files=st.booleans(),
)
def test_any_card_is_within_all_limits_with_each_button_once_or_none(
    card: Card, texts: Texts, for_name: str, again: str, files: bool
) -> None:
    found = checked(card, texts=texts, for_name=for_name, again=again, files=files)
    event("plain" if found is None else f"rich {type(card).__name__}")
