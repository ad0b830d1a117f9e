"""Given this card, when this line is typed, then this reply."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from channels.terminal.limits import LINE
from channels.terminal.read import NoSuchFile, NotText, TooLong, reply_from
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
    Role,
    Row,
    Summary,
)
from core.replies import Command, Reply, Tap, Upload, Words

AT = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
BACK = Button(token="~back", label="Back", role=Role.BACK)
DONE = Button(token="done", label="Done", role=Role.DONE)

KINDS = Chips(
    id="kinds",
    item="kind",
    title="What kind?",
    options=(Button(token="o0", label="Meetup"), Button(token="o1", label="Something else")),
    controls=(BACK,),
)
LANGUAGES = Chips(
    id="languages",
    item="languages",
    title="Which?",
    options=(Button(token="o0", label="English"), Button(token="o1", label="German")),
    multiple=True,
    done=DONE,
)
SEATS = Form(
    id="seats",
    item="seats",
    title="How many?",
    fields=(Field(name="seats", label="Seats", kind=FieldKind.NUMBER),),
    suggestions=(Button(token="s0", label="40", role=Role.SUGGESTION),),
    controls=(BACK,),
)
DAYS = Picker(
    id="days",
    item="day",
    title="When?",
    mode=PickerMode.DATE,
    month="2026-12",
    options=tuple(Button(token=f"d202612{day}", label=str(day)) for day in range(10, 32)),
    moves=(Button(token="mf", label="January 2027 ›", role=Role.MOVE),),
)
HOURS = Picker(
    id="hours",
    item="at",
    title="When?",
    mode=PickerMode.TIME,
    options=tuple(Button(token=f"h{hour}", label=f"{hour}:00") for hour in range(16, 24)),
)
ENTRIES = Picker(
    id="entries",
    item="guests",
    title="Who?",
    mode=PickerMode.ENTRIES,
    entries=("Ada", "Grace"),
    options=(Button(token="r0", label="Ada", role=Role.REMOVE),),
    done=DONE,
)
SUMMARY = Summary(
    id="summary",
    item="",
    title="Is everything right?",
    revision="r",
    rows=(
        Row(
            item="seats",
            label="Seats",
            value="40",
            mark=Mark.YOURS,
            edit=Button(token="e0", label="Seats", role=Role.EDIT),
        ),
    ),
    confirm=Button(token="confirm", label="Confirm", role=Role.CONFIRM),
)


def typed(line: str, card: Card | None = None) -> Reply:
    return reply_from(line, card, by="anna", at=AT)


@pytest.mark.parametrize(
    "card, line, token",
    [
        (KINDS, "2", "o1"),
        (KINDS, "something ELSE", "o1"),
        (KINDS, " back ", "~back"),
        (LANGUAGES, "2", "o1"),
        (LANGUAGES, "done", "done"),
        (SEATS, "a", "s0"),
        (DAYS, "15", "d20261215"),
        (DAYS, "january 2027 ›", "mf"),
        (ENTRIES, "Done", "done"),
        (SUMMARY, "1", "e0"),
        (SUMMARY, "confirm", "confirm"),
    ],
)
def test_a_key_or_a_label_presses_its_button(card: Card, line: str, token: str) -> None:
    assert typed(line, card) == Tap(card=card.id, token=token, by="anna", at=AT)


@pytest.mark.parametrize(
    "card, line",
    [
        (None, "1"),
        (KINDS, "3"),
        (KINDS, "the second one"),
        (LANGUAGES, "1 and 2"),
        (LANGUAGES, "German"),
        (SEATS, "20"),
        (SEATS, "1"),
        (DAYS, "9"),
        (DAYS, "15 January"),
        (HOURS, "16"),
        (HOURS, "16:00"),
        (ENTRIES, "1"),
        (ENTRIES, "Ada"),
        (SUMMARY, "2"),
        (SUMMARY, "yes but make it 20"),
    ],
)
def test_everything_else_is_words_as_they_were_typed(card: Card | None, line: str) -> None:
    assert typed(line, card) == Words(text=line, by="anna", at=AT)


def test_words_keep_their_spaces_and_lose_the_end_of_the_line() -> None:
    assert typed("  Dinner  at 8 \r\n") == Words(text="  Dinner  at 8 ", by="anna", at=AT)


@pytest.mark.parametrize(
    "line, name, argument",
    [("/review", "review", ""), ("/NEW request ", "new", "request"), ("/new  a b", "new", "a b")],
)
def test_a_line_that_starts_with_a_slash_is_a_command(line: str, name: str, argument: str) -> None:
    assert typed(line, KINDS) == Command(name=name, argument=argument, by="anna", at=AT)


@pytest.mark.parametrize("line", ["/", "/ 2", "/2", "@"])
def test_a_lone_slash_or_at_is_words(line: str) -> None:
    assert typed(line) == Words(text=line, by="anna", at=AT)


def test_an_at_names_a_file_with_or_without_quotes(tmp_path: Path) -> None:
    photo = tmp_path / "my photo.png"
    photo.write_bytes(b"12345")
    for line in (f"@{photo}", f"@'{photo}'"):
        reply = typed(line)
        assert isinstance(reply, Upload)
        (file,) = reply.files
        assert (file.name, file.mime, file.size) == ("my photo.png", "image/png", 5)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for name in ("nothing.png", ""):
        with pytest.raises(NoSuchFile, match=tmp_path.name):
            typed(f"@{tmp_path / name}")


def test_a_line_that_is_too_long_or_no_text_is_refused() -> None:
    assert isinstance(typed("x" * LINE), Words)
    with pytest.raises(TooLong):
        typed("x" * (LINE + 1))
    with pytest.raises(NotText):
        typed("caf\ufffd")
