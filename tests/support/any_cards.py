"""Any card at all, with any content: what a channel must be able to draw."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

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
)

HOSTILE = (
    "",
    " ",
    "\u200b",
    "\x00",
    "\ud83d",
    "🎉" * 40,
    "a" * 4500,
    "e\u0301" * 300,
    "x" + "\u0301" * 700,
    "\u202eevil",
    "東京" * 30,
    "שלום עולם",
    "line\n\nline\n" * 400,
    "&amp;&lt;!here&gt;" * 200,
    "<!here> <@U0000001> <#C0000001> @channel <https://a.example|b>",
    "*bold* _it_ ~no~ `code` ```block``` > quote :smile: https://a.example",
)
"""Texts that a careless channel breaks on, or takes for markup, a mention or a link."""

TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=60), st.sampled_from(HOSTILE)
)
LABELS = st.one_of(st.text(max_size=20), TEXTS)
DONE = Button(token="done", label="Done", role=Role.DONE)
DONE_OR_NOT = st.sampled_from([None, DONE])


@st.composite
def some_buttons(
    draw: st.DrawFn, prefix: str, most: int, role: Role = Role.OPTION, exactly: int | None = None
) -> Any:
    """Buttons with tokens of their own, but perhaps with labels that others have, too."""
    count = exactly
    if count is None:
        count = draw(st.one_of(st.integers(0, min(most, 5)), st.integers(0, most)))
    labels = draw(st.lists(LABELS, min_size=1, max_size=6))
    details = draw(st.lists(TEXTS, min_size=1, max_size=3))
    ticks = draw(st.lists(st.sampled_from([None, True, False]), min_size=1, max_size=3))
    return tuple(
        Button(
            token=f"{prefix}{number}",
            label=labels[number % len(labels)],
            role=role,
            ticked=ticks[number % len(ticks)],
            detail=details[number % len(details)],
        )
        for number in range(count)
    )


@st.composite
def _frames(draw: st.DrawFn) -> dict[str, Any]:
    controls = draw(some_buttons("~", 20))
    roles = draw(st.lists(st.sampled_from(list(Role)), min_size=1, max_size=4))
    return {
        "id": "c12",
        "item": "it",
        "title": draw(TEXTS),
        "hint": draw(TEXTS),
        "reason": draw(TEXTS),
        "verbatim": draw(TEXTS),
        "place": draw(st.sampled_from([(0, 0), (3, 18)])),
        "suggestions": draw(some_buttons("s", 12, Role.SUGGESTION)),
        "controls": tuple(
            Button(token=one.token, label=one.label, role=roles[number % len(roles)])
            for number, one in enumerate(controls)
        ),
    }


@st.composite
def _chips(draw: st.DrawFn) -> Card:
    return Chips(
        **draw(_frames()),
        options=draw(some_buttons("o", 250)),
        multiple=draw(st.booleans()),
        done=draw(DONE_OR_NOT),
    )


@st.composite
def forms(draw: st.DrawFn) -> Form:
    """Forms, with fields of every kind."""
    fields = tuple(
        Field(
            name=f"f{number}",
            label=draw(TEXTS),
            kind=draw(st.sampled_from(list(FieldKind))),
            value=draw(TEXTS),
            hint=draw(TEXTS),
            reason=draw(TEXTS),
            required=draw(st.booleans()),
            max_length=draw(st.sampled_from([None, 1, 80, 9000])),
        )
        for number in range(draw(st.integers(0, 4)))
    )
    edits = draw(some_buttons("f", 20, Role.EDIT))
    done = draw(DONE_OR_NOT)
    return Form(**draw(_frames()), fields=fields, active="f0", edit=edits, done=done)


@st.composite
def pickers(draw: st.DrawFn) -> Picker:
    """Pickers of every mode; what belongs to the options may be of another number than these."""
    records = st.builds(
        Record,
        id=st.just("r"),
        label=TEXTS,
        detail=TEXTS,
        fields=st.dictionaries(st.text(max_size=9), st.one_of(TEXTS, st.booleans(), st.none())),
    )
    listed = tuple(draw(st.lists(records, max_size=4)))
    entries = tuple(draw(st.lists(TEXTS, max_size=60)))
    exactly = draw(st.sampled_from([None, len(listed), len(entries)]))
    moments = st.sampled_from(["", "2026-12-04", "19:30", "2026-12-04T19:30", "now", "2026-13"])
    return Picker(
        **draw(_frames()),
        mode=draw(st.sampled_from(list(PickerMode))),
        options=draw(some_buttons("p", 250, exactly=exactly)),
        moves=draw(some_buttons("m", 5, Role.MOVE)),
        done=draw(DONE_OR_NOT),
        month=draw(st.sampled_from(["", "2026-12", "9999-12", "2026-13", "x"])),
        minimum=draw(moments),
        maximum=draw(moments),
        value=draw(moments),
        query=draw(TEXTS),
        searchable=draw(st.booleans()),
        records=listed,
        entries=entries,
        accepts=draw(st.sampled_from([(), ("image/*",), ("image/png", "application/pdf"), ("x",)])),
    )


@st.composite
def summaries(draw: st.DrawFn) -> Summary:
    """Summaries, longer ones than fit into a message among them."""
    made = [
        Row(
            item="x",
            label=draw(LABELS),
            value=draw(TEXTS),
            quote=draw(TEXTS),
            mark=draw(st.sampled_from(list(Mark))),
            edit=edit,
        )
        for edit in draw(some_buttons("e", 40, Role.EDIT))
    ]
    confirm = Button(token="confirm", label=draw(LABELS), role=Role.CONFIRM)
    return Summary(**draw(_frames()), revision="r", rows=tuple(made), confirm=confirm)


CARDS = st.one_of(_chips(), forms(), pickers(), summaries())
