"""What is used on cards that were really rendered, in their modals and in the App Home."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from channels.slack import render, views
from channels.slack.incoming import (
    Elsewhere,
    Entered,
    Heard,
    Left,
    Opens,
    Picked,
    Received,
    Seeks,
)
from channels.slack.native import Json
from channels.slack.payload import NAME, Dest, block_id, button_id, field_id, found_id
from channels.slack.read import received
from channels.slack.updates import Kind
from core.cards import (
    Button,
    Card,
    Chips,
    Field,
    FieldKind,
    Form,
    Picker,
    PickerMode,
    Role,
)
from core.replies import Command, File, Submit, Tap, Upload
from core.texts import Texts

TEXTS = Texts("en")
DEST = Dest("T1", "D1", "U42")
IN_THREAD = Dest("T1", "C1", "U42", "1796126000.000001")
TS, CLICKED = "1796126400.000100", "1796126460.000200"
AT = datetime.fromtimestamp(float(CLICKED), UTC)
LONG_AGO = datetime.fromtimestamp(0, UTC)
WHO: dict[str, Any] = {"by": "U42", "at": AT, "handle": "U42"}

CONTROLS = tuple(
    Button(token=role.value, label=role.value.title(), role=role)
    for role in (Role.BACK, Role.SKIP, Role.CANCEL, Role.RESTART)
)


def options(count: int, prefix: str = "o") -> tuple[Button, ...]:
    return tuple(Button(token=f"{prefix}{one}", label=f"Option {one}") for one in range(count))


def chips(count: int, **more: Any) -> Chips:
    return Chips(id="j-1", item="kind", title="Which?", options=options(count), **more)


def blocks_of(card: Card, dest: Dest = DEST) -> list[Json]:
    """The blocks of all messages of a card."""
    return [block for post in render.card(card, dest, TEXTS) for block in post.blocks]


def controls(blocks: list[Json]) -> list[tuple[Json, Json]]:
    """Each control with the block that it stands in."""
    found = []
    for block in blocks:
        elements = block.get("elements", []) if block["type"] == "actions" else []
        beside = [block[name] for name in ("accessory", "element") if name in block]
        found += [(block, one) for one in (*elements, *beside)]
    return found


def control(blocks: list[Json], kind: str, label: str = "", number: int = 0) -> tuple[Json, Json]:
    """The first control of a kind; a button by its label."""
    fitting = [
        (block, one)
        for block, one in controls(blocks)
        if one["type"] == kind and (not label or one["text"]["text"] == label)
    ]
    assert fitting, f"no {kind} {label!r} in {blocks}"
    return fitting[number]


def action(found: tuple[Json, Json], **held: Any) -> Json:
    block, element = found
    return {
        "type": element["type"],
        "action_id": element["action_id"],
        "block_id": block["block_id"],
        "action_ts": CLICKED,
        **held,
    }


def used(blocks: list[Json], what: Json, dest: Dest = DEST, **more: Any) -> Received | None:
    """What is heard when something is used in a message."""
    container = {"type": "message", "message_ts": TS, "channel_id": dest.channel}
    if dest.thread:
        container["thread_ts"] = dest.thread
    body = {
        "type": "block_actions",
        "team": {"id": "T1", "domain": "x"},
        "user": {"id": "U42", "username": "ada", "name": "ada", "team_id": "T1"},
        "api_app_id": "A1",
        "container": container,
        "channel": {"id": dest.channel, "name": "directmessage"},
        "message": {"ts": TS, "blocks": blocks},
        "state": {"values": {}},
        "actions": [what],
        "response_url": "https://hooks.example/1",
        "trigger_id": "1.2.abc",
        "enterprise": None,
        **more,
    }
    return received(Kind.ACTIONS, body)


def heard(reply: Any, what: Json, dest: Dest = DEST) -> Heard:
    """What is to be heard of a click."""
    where = f"{dest.channel}:U42:{TS}:{what['action_id']}:{CLICKED}"
    return Heard(
        dest=dest,
        dedupe=f"{NAME}:T1:a:{where}",
        reply=reply,
        name="ada",
        message=TS,
        shows=True,
    )


# --- buttons -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dest", [DEST, IN_THREAD], ids=["direct", "thread"])
def test_a_button_is_a_tap_on_its_card(dest: Dest) -> None:
    blocks = blocks_of(chips(3), dest)
    what = action(control(blocks, "button", "Option 1"))
    assert used(blocks, what, dest) == heard(Tap(card="j-1", token="o1", **WHO), what, dest)


def test_a_button_behind_others_is_one_too() -> None:
    blocks = blocks_of(chips(3, controls=CONTROLS))
    chosen = {"text": {"type": "plain_text", "text": "Cancel"}, "value": "cancel"}
    what = action(control(blocks, "overflow"), selected_option=chosen)
    assert used(blocks, what) == heard(Tap(card="j-1", token="cancel", **WHO), what)


def test_somebody_elses_click_goes_into_the_owners_lane_and_says_who_it_was() -> None:
    blocks = blocks_of(chips(3), IN_THREAD)
    what = action(control(blocks, "button", "Option 1"))
    found = used(blocks, what, IN_THREAD, user={"id": "U43", "username": "bob"})
    assert isinstance(found, Heard)
    assert found.dest == IN_THREAD
    assert (found.reply.by, found.name) == ("U43", "bob")
    assert isinstance(found.reply, Tap)
    assert found.reply.handle == "U43"


def test_the_same_click_by_two_people_is_two() -> None:
    blocks = blocks_of(chips(3), IN_THREAD)
    what = action(control(blocks, "button", "Option 1"))
    ada = used(blocks, what, IN_THREAD)
    bob = used(blocks, what, IN_THREAD, user={"id": "U43"})
    again = used(blocks, what, IN_THREAD)
    assert isinstance(ada, Heard)
    assert isinstance(bob, Heard)
    assert isinstance(again, Heard)
    assert ada.dedupe == again.dedupe != bob.dedupe


def test_a_click_in_a_message_that_others_answered_in_a_thread() -> None:
    blocks = blocks_of(chips(3))
    what = action(control(blocks, "button", "Option 1"))
    container = {"type": "message", "message_ts": TS, "channel_id": "D1", "thread_ts": TS}
    found = used(blocks, what, container=container)
    assert found == heard(Tap(card="j-1", token="o1", **WHO), what)


def test_a_click_on_what_an_update_took_away() -> None:
    what = action(control(blocks_of(chips(3)), "button", "Option 1"))
    found = used([], what)
    assert isinstance(found, Heard)
    assert not found.shows


FOREIGN = {"type": "button", "action_id": "vote:1", "block_id": "b", "action_ts": CLICKED}


@pytest.mark.parametrize(
    "what",
    [
        FOREIGN,
        {**FOREIGN, "action_id": button_id("o1")},
        {**FOREIGN, "block_id": block_id("j-1", "one0", DEST)},
        {**FOREIGN, "action_id": button_id("o1"), "block_id": "s1|j-1|one0|U4:2|"},
        {**FOREIGN, "action_id": button_id("o1"), "block_id": "s1|j-1|one0|U42|never"},
        # Nobody else's card was ever drawn there, nor one of a thread.
        {**FOREIGN, "action_id": button_id("o1"), "block_id": "s1|j-1|one0|U43|"},
    ],
)
def test_what_is_none_of_this_channels_making_is_only_acknowledged(what: Json) -> None:
    assert used([], what) == Elsewhere(by="U42")


def test_a_card_of_one_thread_is_not_used_in_another() -> None:
    blocks = blocks_of(chips(3), IN_THREAD)
    what = action(control(blocks, "button", "Option 1"))
    elsewhere = Dest("T1", "C1", "U42", "1796125000.000009")
    assert used(blocks, what, elsewhere) == Elsewhere(by="U42")


# --- what is chosen ------------------------------------------------------------------------------


def option_of(found: tuple[Json, Json], number: int) -> Json:
    option: Json = found[1]["options"][number]
    return option


def test_an_option_of_a_select_is_sent_at_once() -> None:
    blocks = blocks_of(chips(30))
    select = control(blocks, "static_select")
    what = action(select, selected_option=option_of(select, 7))
    assert used(blocks, what) == heard(Submit(card="j-1", values={"value": "o7"}, **WHO), what)
    assert used(blocks, action(select, selected_option=None)) is None


def state(*held: tuple[tuple[Json, Json], Json]) -> Json:
    """What controls hold, as Slack tells it."""
    values: Json = {}
    for (block, element), value in held:
        of_block = values.setdefault(block["block_id"], {})
        of_block[element["action_id"]] = {"type": element["type"], **value}
    return {"values": values}


@pytest.mark.parametrize("count, kind", [(8, "checkboxes"), (30, "multi_static_select")])
def test_boxes_are_sent_by_their_button(count: int, kind: str) -> None:
    done = Button(token="done", label="Done", role=Role.DONE)
    card = chips(count, multiple=True, done=done, controls=CONTROLS)
    blocks = blocks_of(card)
    boxes = control(blocks, kind)
    ticked = [option_of(boxes, number) for number in (1, 3)]
    assert used(blocks, action(boxes, selected_options=ticked)) is None
    what = action(control(blocks, "button", "Done"))
    sent = used(blocks, what, state=state((boxes, {"selected_options": ticked})))
    assert sent == heard(Submit(card="j-1", values={"value": ["o1", "o3"]}, **WHO), what)
    none = used(blocks, what, state=state((boxes, {"selected_options": []})))
    assert none == heard(Submit(card="j-1", values={"value": []}, **WHO), what)


def test_other_buttons_beside_boxes_are_taps() -> None:
    card = chips(8, multiple=True, controls=CONTROLS)
    blocks = blocks_of(card)
    boxes = control(blocks, "checkboxes")
    held = state((boxes, {"selected_options": [option_of(boxes, 1)]}))
    what = action(control(blocks, "button", "Back"))
    assert used(blocks, what, state=held) == heard(Tap(card="j-1", token="back", **WHO), what)


def test_options_that_stand_in_several_selects_are_sent_together() -> None:
    blocks = blocks_of(chips(130, multiple=True))
    first, second = (control(blocks, "multi_static_select", number=one) for one in (0, 1))
    held = state(
        (first, {"selected_options": [option_of(first, 0)]}),
        (second, {"selected_options": [option_of(second, 0)]}),
    )
    what = action(control(blocks, "button", "Set"))
    values: dict[str, str | list[str]] = {"value": ["o0", "o100"]}
    assert used(blocks, what, state=held) == heard(Submit(card="j-1", values=values, **WHO), what)


def picker(mode: PickerMode, **more: Any) -> Picker:
    return Picker(id="j-1", item="when", title="When?", mode=mode, options=options(5), **more)


@pytest.mark.parametrize(
    "mode, kind, held, value",
    [
        (PickerMode.DATE, "datepicker", {"selected_date": "2026-12-24"}, "2026-12-24"),
        (PickerMode.TIME, "timepicker", {"selected_time": "18:30"}, "18:30"),
    ],
)
def test_a_date_or_a_time_is_sent_at_once(
    mode: PickerMode, kind: str, held: Json, value: str
) -> None:
    blocks = blocks_of(picker(mode))
    what = action(control(blocks, kind), **held)
    assert used(blocks, what) == heard(Submit(card="j-1", values={"value": value}, **WHO), what)


@pytest.mark.parametrize(
    "date, time, value",
    [
        ("2026-12-24", "18:30", "2026-12-24T18:30"),
        ("2026-12-24", None, "2026-12-24T"),
        (None, None, "T"),
    ],
)
def test_a_date_and_a_time_are_sent_together(
    date: str | None, time: str | None, value: str
) -> None:
    blocks = blocks_of(picker(PickerMode.DATETIME))
    day, clock = control(blocks, "datepicker"), control(blocks, "timepicker")
    assert used(blocks, action(day, selected_date="2026-12-24")) is None
    assert used(blocks, action(clock, selected_time="18:30")) is None
    what = action(control(blocks, "button", "Set"))
    held = state((day, {"selected_date": date}), (clock, {"selected_time": time}))
    assert used(blocks, what, state=held) == heard(
        Submit(card="j-1", values={"value": value}, **WHO), what
    )


# --- searches ------------------------------------------------------------------------------------


def test_a_search_and_what_is_chosen_of_it() -> None:
    card = Picker(id="j-1", item="venue", title="Where?", mode=PickerMode.RECORDS, searchable=True)
    blocks = blocks_of(card)
    block, element = control(blocks, "external_select")
    body = {
        "type": "block_suggestion",
        "team": {"id": "T1"},
        "user": {"id": "U42"},
        "container": {"type": "message", "message_ts": TS, "channel_id": "D1"},
        "channel": {"id": "D1"},
        "action_id": element["action_id"],
        "block_id": block["block_id"],
        "value": "Old M",
    }
    who = {**WHO, "at": LONG_AGO}
    assert received(Kind.SEARCH, body) == Seeks(
        dest=DEST, reply=Submit(card="j-1", values={"query": "Old M"}, **who)
    )
    assert received(Kind.SEARCH, {**body, "block_id": "b"}) == Elsewhere(by="U42")

    option = {"text": {"type": "plain_text", "text": "Old Mill"}, "value": "r7"}
    what = action((block, element), selected_option=option)
    found = used(blocks, what)
    assert isinstance(found, Picked)
    assert found.search == Submit(card="j-1", values={"query": "Old Mill"}, **WHO)
    assert found.tap == Tap(card="j-1", token="r7", **WHO)
    assert (found.dest, found.message, found.shows) == (DEST, TS, True)

    # What was searched for finds it again, where the option tells it.
    option["value"] = found_id("r7", "old m")
    found = used(blocks, action((block, element), selected_option=option))
    assert isinstance(found, Picked)
    assert found.search == Submit(card="j-1", values={"query": "old m"}, **WHO)
    assert found.tap.token == "r7"


# --- modals --------------------------------------------------------------------------------------

FORM = Form(
    id="j-1",
    item="person",
    title="Who is it?",
    fields=(
        Field(name="name", label="Name", kind=FieldKind.TEXT),
        Field(name="mail", label="E-mail", kind=FieldKind.EMAIL, required=False),
    ),
)


def test_the_button_of_a_form_opens_its_modal() -> None:
    blocks = blocks_of(FORM)
    what = action(control(blocks, "button", "Fill in the form"))
    assert used(blocks, what) == Opens(
        dest=DEST, card="j-1", trigger="1.2.abc", by="U42", message=TS, shows=True
    )


def modal(view: Json, kind: str, **held: Json) -> Received | None:
    """What is heard of a modal that is sent or closed, with what its fields hold by their names."""
    values: Json = {}
    for block in view["blocks"]:
        element = block.get("element")
        if element is not None:
            name = element["action_id"].partition("=")[2]
            value = {"type": element["type"], **held.get(name, {"value": None})}
            values[block["block_id"]] = {element["action_id"]: value}
    shown = {
        **view,
        "id": "V1",
        "hash": "1796126400.h1",
        "app_id": "A1",
        "root_view_id": "V1",
        "previous_view_id": None,
        "state": {"values": values},
    }
    body = {
        "type": kind,
        "team": {"id": "T1"},
        "user": {"id": "U42", "username": "ada", "name": "ada"},
        "view": shown,
        "response_urls": [],
    }
    return received(kind, body)


def test_a_modal_is_sent_with_what_was_typed() -> None:
    found = modal(views.form(FORM, IN_THREAD, TEXTS), "view_submission", name={"value": "Zoë <b>"})
    assert isinstance(found, Entered)
    values: dict[str, str | list[str]] = {"name": "Zoë <b>", "mail": ""}
    assert found.reply == Submit(card="j-1", values=values, by="U42", at=LONG_AGO, handle="U42")
    assert (found.dest, found.card, found.name) == (IN_THREAD, "j-1", "ada")
    assert found.dedupe == "slack:T1:v:V1:1796126400.h1"
    assert set(views.blocks_of(found.view)) == {"name", "mail"}


def test_a_modal_is_closed() -> None:
    found = modal(views.form(FORM, DEST, TEXTS), "view_closed", name={"value": "Zo"})
    assert found == Left(dest=DEST, card="j-1", values={"name": "Zo", "mail": ""}, by="U42")


def test_a_modal_with_a_file_is_an_upload() -> None:
    card = picker(PickerMode.UPLOAD)
    files = [{"id": "F1", "name": "plan.pdf", "mimetype": "application/pdf", "size": 42}, {"id": 7}]
    found = modal(views.form(card, DEST, TEXTS), "view_submission", files={"files": files})
    assert isinstance(found, Entered)
    file = File(ref="slack:T1:F1", name="plan.pdf", mime="application/pdf", size=42)
    assert found.reply == Upload(files=(file,), by="U42", at=LONG_AGO)


@pytest.mark.parametrize(
    "more",
    [
        {"callback_id": "theirs"},
        {"private_metadata": ""},
        {"private_metadata": '{"lane": "slack:T1:D1"}'},
        {"private_metadata": '["slack:T2:D1:0:U42", "j-1"]'},
        {"private_metadata": '{"lane": "slack:T2:D1:0:U42", "card": "j-1"}'},
        {"private_metadata": '{"lane": "telegram:1:0:1", "card": "j-1"}'},
    ],
)
@pytest.mark.parametrize("kind", ["view_submission", "view_closed"])
def test_a_modal_of_another_making_is_only_acknowledged(more: Json, kind: str) -> None:
    assert modal({**views.form(FORM, DEST, TEXTS), **more}, kind) == Elsewhere(by="U42")


# --- the App Home --------------------------------------------------------------------------------


def at_home(what: Json, view: Json) -> Received | None:
    body = {
        "type": "block_actions",
        "team": {"id": "T1"},
        "user": {"id": "U42", "username": "ada"},
        "container": {"type": "view", "view_id": "V1"},
        "view": {**view, "id": "V1"},
        "actions": [what],
        "trigger_id": "1.2.abc",
    }
    return received(Kind.ACTIONS, body)


def test_the_buttons_of_the_home_are_commands() -> None:
    offer = views.Offer(name="event", title="Submit an event")
    view = views.home(TEXTS, DEST, question="When?", offers=[offer])
    go_on = at_home(action(control(view["blocks"], "button", "Go on")), view)
    found = control(view["blocks"], "button", "Start")
    start = at_home(action(found, value=found[1]["value"]), view)
    assert isinstance(go_on, Heard)
    assert isinstance(start, Heard)
    assert go_on.reply == Command(name="resume", by="U42", at=AT)
    assert start.reply == Command(name="new", argument="event", by="U42", at=AT)
    assert {go_on.dest, start.dest} == {Dest("T1", "", "U42")}
    other = action(control(view["blocks"], "button", "Go on"), action_id=button_id("x"))
    assert at_home(other, view) == Elsewhere(by="U42")


def test_a_field_of_no_card() -> None:
    what = {**FOREIGN, "type": "static_select", "action_id": field_id("value")}
    assert used([], what) == Elsewhere(by="U42")
