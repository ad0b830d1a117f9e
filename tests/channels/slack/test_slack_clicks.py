"""What is used on cards that were really rendered."""

from __future__ import annotations

import pytest

from channels.slack.incoming import (
    Elsewhere,
    Heard,
    Seeks,
)
from channels.slack.native import Json
from channels.slack.payload import Dest, block_id, button_id, found_id
from channels.slack.read import received
from channels.slack.updates import Kind
from core.cards import (
    Button,
    Picker,
    PickerMode,
    Role,
)
from core.replies import Submit, Tap
from tests.support.slack.clicking import (
    CONTROLS,
    DEST,
    FOREIGN,
    IN_THREAD,
    LONG_AGO,
    TS,
    WHO,
    action,
    blocks_of,
    chips,
    control,
    heard,
    picker,
    used,
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
    taken = Submit(card="j-1", values={"query": "Old Mill", "value": "r7"}, **WHO)
    assert found == heard(taken, what)

    # What was searched for finds it again, where the option tells it.
    option["value"] = found_id("r7", "old m")
    taken = Submit(card="j-1", values={"query": "old m", "value": "r7"}, **WHO)
    assert used(blocks, what) == heard(taken, what)
