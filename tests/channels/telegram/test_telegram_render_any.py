"""Given any card, then every message of it is within all limits, and a Bot API server takes it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.telegram import limits, render
from channels.telegram.native import Json, Piece
from channels.telegram.payload import Dest, page_of, pressed
from channels.telegram.text import blank, clean, one_line, units
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
from tests.steps.test_walks import EVENT, begun
from tests.support.telegram.entities import Text
from tests.support.telegram.people import Person
from tests.support.telegram.screen import draw
from tests.support.telegram.server import TelegramServer

ADA = Dest(chat=77, owner=77)
GROUP = Dest(chat=-100_123, owner=77, thread=5)
EN = Texts("en")
DONE = Button(token="done", label="Done", role=Role.DONE)
KEYBOARD_BYTES = 10_000
"""What the real server takes of a keyboard (see channels.telegram.layout)."""

TEXT = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=60),
    st.sampled_from(
        ["", " ", "\u200b", "\x00", "🎉" * 40, "a" * 5000, "e\u0301" * 300, "\u202eevil"]
    ),
    st.sampled_from(
        ["<b>&amp;*_`", "東京" * 30, "שלום עולם", "line\n\nline\n" * 400, "x" + "\u0301" * 5000]
    ),
)
LABEL = st.one_of(st.text(max_size=20), TEXT)


@st.composite
def some_buttons(draw: st.DrawFn, prefix: str, most: int, role: Role = Role.OPTION) -> Any:
    count = draw(st.one_of(st.integers(0, min(most, 5)), st.integers(0, most)))
    labels = draw(st.lists(LABEL, min_size=1, max_size=6))
    ticked = draw(st.sampled_from([None, True, False]))
    detail = draw(st.sampled_from(["", "more of it"]))
    return tuple(
        Button(
            token=f"{prefix}{number}",
            label=labels[number % len(labels)],
            role=role,
            ticked=ticked,
            detail=detail,
        )
        for number in range(count)
    )


@st.composite
def frames(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "id": "c12",
        "item": "it",
        "title": draw(TEXT),
        "hint": draw(TEXT),
        "reason": draw(TEXT),
        "verbatim": draw(TEXT),
        "place": draw(st.sampled_from([(0, 0), (3, 18)])),
        "suggestions": draw(some_buttons("s", 12, Role.SUGGESTION)),
        "controls": draw(some_buttons("~", 60, draw(st.sampled_from(list(Role))))),
    }


@st.composite
def all_chips(draw: st.DrawFn) -> Card:
    return Chips(**draw(frames()), options=draw(some_buttons("o", 250)), done=draw(DONE_OR_NOT))


@st.composite
def forms(draw: st.DrawFn) -> Card:
    fields = draw(
        st.lists(
            st.builds(
                Field,
                name=st.sampled_from("abc"),
                label=TEXT,
                kind=st.just(FieldKind.TEXT),
                value=TEXT,
                hint=TEXT,
                reason=TEXT,
                required=st.booleans(),
            ),
            max_size=4,
        )
    )
    edits = draw(some_buttons("f", 150, Role.EDIT))
    done = draw(DONE_OR_NOT)
    return Form(**draw(frames()), fields=tuple(fields), active="a", edit=edits, done=done)


@st.composite
def pickers(draw: st.DrawFn) -> Card:
    records = st.builds(
        Record,
        id=st.just("r"),
        label=TEXT,
        detail=TEXT,
        fields=st.dictionaries(st.text(max_size=9), st.one_of(TEXT, st.booleans(), st.none())),
    )
    days = tuple(Button(token=f"d{day}", label=str(day)) for day in range(1, 32))
    return Picker(
        **draw(frames()),
        mode=draw(st.sampled_from(list(PickerMode))),
        options=draw(st.one_of(some_buttons("p", 250), st.just(days))),
        moves=draw(some_buttons("m", 5, Role.MOVE)),
        done=draw(DONE_OR_NOT),
        month=draw(st.sampled_from(["", "2026-12", "9999-12", "0001-01", "2026-13", "x"])),
        query=draw(TEXT),
        records=tuple(draw(st.lists(records, max_size=4))),
        entries=tuple(draw(st.lists(TEXT, max_size=5))),
    )


@st.composite
def summaries(draw: st.DrawFn) -> Card:
    made = [
        Row(
            item="x",
            label=draw(LABEL),
            value=draw(TEXT),
            quote=draw(TEXT),
            mark=draw(st.sampled_from(list(Mark))),
            long=draw(st.booleans()),
            edit=edit,
        )
        for edit in draw(some_buttons("e", 8, Role.EDIT))
    ]
    confirm = Button(token="confirm", label=draw(LABEL), role=Role.CONFIRM)
    return Summary(**draw(frames()), revision="r", rows=tuple(made), confirm=confirm)


DONE_OR_NOT = st.sampled_from([None, DONE])
CARDS = st.one_of(all_chips(), forms(), pickers(), summaries())
LOCALES = st.sampled_from(["en", "de", "es", "ar", "ja", "xx"])


def check(pieces: Sequence[Piece], card: Card, dest: Dest) -> None:
    """Every limit of the platform."""
    assert pieces
    for piece in pieces:
        assert 1 <= units(piece.text) <= limits.TEXT
        assert not blank(piece.text)
        assert piece.text == clean(piece.text)
        assert len(piece.entities) <= limits.ENTITIES
        for entity in piece.entities:
            part = Text(piece.text).part(entity)
            assert part.strip() == part != ""
            assert entity["offset"] + entity["length"] <= units(piece.text)
    assert not any(piece.keyboard for piece in pieces[:-1])
    every = [button for line in pieces[-1].keyboard for button in line]
    assert len(every) <= limits.BUTTONS
    assert all(1 <= len(line) <= limits.BUTTONS_IN_ROW for line in pieces[-1].keyboard)
    assert all(not blank(button["text"]) for button in every)
    assert all(button["text"] == one_line(button["text"]) for button in every)
    assert all(1 <= len(button["callback_data"].encode()) <= 64 for button in every)
    markup = json.dumps(pieces[-1].keyboard, ensure_ascii=False, separators=(",", ":"))
    assert len(markup.encode()) <= KEYBOARD_BYTES
    for button in every:
        tapped = pressed(button["callback_data"])
        assert tapped is not None
        assert (tapped.card, tapped.owner, tapped.thread) == (card.id, dest.owner, dest.thread)


@given(CARDS, LOCALES, st.sampled_from([(ADA, ""), (GROUP, "Ada"), (GROUP, "\u200b")]))
def test_any_card_is_within_all_limits_and_every_button_is_reached(
    card: Card, locale: str, whose: tuple[Dest, str]
) -> None:
    # Given any content, when every page of the card is drawn, then all limits hold on each
    dest, name = whose
    found: list[set[str]] = []
    for page in range(render.pages(card)):
        pieces = render.card(card, dest, Texts(locale), page=page, for_name=name)
        check(pieces, card, dest)
        tokens = [_token(button) for line in pieces[-1].keyboard for button in line]
        assert len(set(tokens)) == len(tokens)
        found.append({token for token in tokens if page_of(token) is None})
    # ... every button is there: on one page, or (what sends the card, or leads out) on all
    counts = Counter(token for page in found for token in page)
    assert set(counts) == {one.token for one in buttons(card)}
    assert set(counts.values()) <= {1, len(found)}
    chosen = [one.token for one in buttons(card) if one.token[0] in "ofpes"]
    assert all(counts[token] == 1 for token in chosen)


def _token(button: Json) -> str:
    found = pressed(button["callback_data"])
    assert found is not None
    return found.token


@given(summaries())
def test_any_summary_shows_every_value_whole(card: Summary) -> None:
    # G3: what is confirmed is what was shown
    text = "".join("".join(piece.text for piece in render.card(card, ADA, EN)).split())
    for one in card.rows:
        value = "".join(clean(one.value).split())
        if len(value) < 3000 and not blank(value):
            assert value in text


@given(TEXT, TEXT)
def test_any_message_and_any_receipt_are_within_the_limits(text: str, name: str) -> None:
    for pieces in (render.message(text, for_name=name, owner=77), render.receipt(text)):
        for piece in pieces:
            assert 1 <= units(piece.text) <= limits.TEXT
            assert not blank(piece.text)
            assert piece.keyboard == ()


# Pages


def test_more_options_than_a_keyboard_holds_are_turned_by_two_buttons() -> None:
    options = tuple(Button(token=f"o{n}", label=f"Option {n}") for n in range(230))
    card = Chips(id="c1", item="x", title="Which?", options=options)
    assert render.pages(card) == 3
    pieces = [render.card(card, ADA, EN, page=number)[-1] for number in range(3)]
    turning = [
        [
            (button["text"], page_of(_token(button)))
            for line in piece.keyboard
            for button in line
            if page_of(_token(button)) is not None
        ]
        for piece in pieces
    ]
    assert turning == [[("2 of 3 ›", 1)], [("‹ 1 of 3", 0), ("3 of 3 ›", 2)], [("‹ 2 of 3", 1)]]
    assert len({piece.text for piece in pieces}) == 1
    assert render.card(card, ADA, EN, page=99) == render.card(card, ADA, EN, page=2)


def test_buttons_that_are_too_much_for_a_keyboard_are_paged_though_they_are_not_many() -> None:
    options = tuple(Button(token=f"o{n}", label="東京" * 7 + str(n)) for n in range(95))
    card = Chips(id="c1", item="x", title="Which?", options=options)
    assert render.pages(card) == 2
    for page in range(2):
        check(render.card(card, ADA, EN, page=page), card, ADA)


# The server takes it


async def send(server: TelegramServer, chat: int, pieces: Sequence[Piece]) -> None:
    """Send pieces as they are."""
    async with aiohttp.ClientSession() as session:
        for piece in pieces:
            call = {"chat_id": chat, "text": piece.text, "entities": piece.entities}
            if piece.keyboard:
                call["reply_markup"] = {"inline_keyboard": piece.keyboard}
            url = f"{server.url}/bot{server.token}/sendMessage"
            async with session.post(url, json=call) as answer:
                assert answer.status == 200, await answer.text()


@pytest.mark.parametrize("language", ["en", "de", "es"])
async def test_every_card_of_the_event_journey_is_taken_as_it_was_made(
    server: TelegramServer, ada: Person, language: str
) -> None:
    chat, texts = begun("event", language), Texts(language)
    dest = Dest(chat=ada.id, owner=ada.id)
    for said in (text for answers in EVENT[language].values() for text in answers):
        pieces = render.card(chat.card, dest, texts)
        await send(server, ada.id, pieces)
        assert ada.chat.screen()[-1].text == pieces[-1].text
        chat = chat.taps(said[1:-1]) if said.startswith("[") else chat.says(said)
    await send(server, ada.id, render.card(chat.card, dest, texts))
    assert any(texts("turn.confirm") in line for line in draw(ada.chat.screen()[-1]))


async def test_hostile_cards_are_taken_as_well(server: TelegramServer, ada: Person) -> None:
    dest = Dest(chat=ada.id, owner=ada.id)
    nasty = "\x00<b>\u202e&\ud83d" + "x" + "\u0301" * 5000 + " end\n" * 900 + "🎉" * 3000
    labels = [nasty, "", "\u200b", *(f"{number} {nasty[-90:]}" for number in range(150))]
    options = tuple(Button(token=f"o{number}", label=label) for number, label in enumerate(labels))
    frame = {"id": "c1", "item": "x", "title": nasty, "hint": nasty, "reason": nasty}
    chips = Chips(**frame, verbatim=nasty, options=options)  # type: ignore[arg-type]
    assert render.pages(chips) > 1
    for page in range(render.pages(chips)):
        await send(server, ada.id, render.card(chips, dest, EN, page=page, for_name=nasty))
    edit = Button(token="e0", label=nasty, role=Role.EDIT)
    row = Row(item="x", label=nasty, value=nasty, quote=nasty, mark=Mark.QUOTED, edit=edit)
    confirm = Button(token="confirm", label=nasty, role=Role.CONFIRM)
    summary = Summary(**frame, revision="r", rows=(row,), confirm=confirm)  # type: ignore[arg-type]
    await send(server, ada.id, render.card(summary, dest, EN))
    await send(server, ada.id, render.confirmed(summary, EN, nasty))
    await send(server, ada.id, (*render.message(nasty), *render.receipt(nasty)))
