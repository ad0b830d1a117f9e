"""What is stuck, how far people come, what is exported, how the bot is."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from pydantic import SecretStr

from core.cards import buttons
from core.delivery.base import Confirmed, Failed, Rejected, Unknown
from core.effects import Draw, Put, Submission, Toast
from core.posts import MADE
from core.replies import Reload
from core.store import Stage
from tests.core.admin.desk import (
    ANNA,
    BOB,
    CARL,
    OLGA,
    TEXTS,
    Desk,
    desk_of,
    lane_of,
    now,
    open_house,
    settings_for,
    write_trip,
)
from tests.support.ports import free_port


class Ending:
    """A destination whose end is always the same."""

    knows_keys = False

    def __init__(self, outcome: Failed | Rejected | Unknown) -> None:
        self.outcome = outcome

    async def deliver(
        self, submission: Submission, key: str, confirmed: Confirmed
    ) -> Failed | Rejected | Unknown:
        return self.outcome


async def stuck(desk: Desk, outcome: Failed | Rejected | Unknown) -> int:
    """A submission whose delivery ended so; its number."""
    number = await desk.submits(ANNA)
    made = desk.house.deliverer.made
    manifest = desk.house.catalogue.journey("trip").manifest
    made["trip", manifest.digest, "file"] = Ending(outcome)
    await desk.house.deliverer.deliver()
    made.clear()
    return number


async def way(desk: Desk, number: int) -> Stage:
    (found,) = await desk.house.store.deliveries_of(number)
    return found.stage


async def test_what_nobody_took_is_in_the_queue_and_can_be_sent_again(desk: Desk) -> None:
    number = await stuck(desk, Rejected("it is full"))
    answer = await desk.admin(OLGA, "queue")
    assert "Stuck: 1" in answer
    assert f"#{number} trip → file: given up: it is full" in answer
    (again,) = desk.last_post(OLGA).actions
    assert (again.command, again.label) == (f"resend {number} file", f"Resend #{number} file")

    told = await desk.acts(OLGA, again.command, post=desk.last_post(OLGA).id)
    assert f"No. {number} is delivered once more: file." in told
    assert "Stuck: 0" in told
    await desk.house.deliverer.drain()
    assert await way(desk, number) is Stage.DELIVERED
    assert f"Nothing of no. {number} is stuck" in await desk.admin(OLGA, f"resend {number}")


async def test_what_may_have_arrived_is_said_to_have(desk: Desk) -> None:
    number = await stuck(desk, Unknown("the line broke"))
    answer = await desk.admin(OLGA, "queue")
    assert "perhaps arrived, look there first" in answer
    assert [one.command for one in desk.last_post(OLGA).actions] == [
        f"resend {number} file",
        f"arrived {number} file",
    ]
    assert f"Noted: no. {number} has arrived: file." in await desk.admin(OLGA, f"arrived {number}")
    assert await way(desk, number) is Stage.DELIVERED
    assert "does not go to “fil”. It goes to: file." in await desk.admin(
        OLGA, f"resend {number} fil"
    )


async def test_what_fails_on_its_way_is_in_the_queue_with_the_reason(desk: Desk) -> None:
    # Given a submission that its destination cannot take yet, and one that nobody has tried
    number = await stuck(desk, Failed("the disk is full"))
    await desk.submits(BOB)

    # When an admin looks
    answer = await desk.admin(OLGA, "queue")

    # Then they see what there is to mend, though nothing is stuck
    assert "On the way: 2\nStuck: 0" in answer
    failing = "tried again by itself, it has failed so far: the disk is full"
    lines = {one.label: one.value for one in desk.last_post(OLGA).lines}
    assert lines == {f"#{number} trip → file": failing}
    assert desk.last_post(OLGA).actions == ()
    assert f"→ file: {failing}" in await desk.admin(OLGA, f"show {number}")
    assert "→ file: on the way" in await desk.admin(OLGA, f"show {number + 1}")


async def test_a_destination_is_meant_however_it_is_written(desk: Desk) -> None:
    number = await stuck(desk, Rejected("it is full"))
    assert "is delivered once more: file." in await desk.admin(OLGA, f"resend {number} FILE")


async def test_what_was_given_up_in_the_outbox_is_tried_again(desk: Desk) -> None:
    await desk.commands(ANNA, "new", "trip")
    await desk.house.store.accept(lane_of(ANNA), "again", Reload(by="anna", at=now()))
    await desk.house.runtime.drain()
    *sent, row = await desk.house.store.due("somebody", ["test"])
    for one in sent:
        await desk.house.store.sent(one)
    await desk.house.store.park(row, "the chat is gone")
    answer = await desk.admin(OLGA, "queue")
    assert f"What was to be sent, no. {row.id}: test:anna" in answer
    assert "the chat is gone" in answer
    command = desk.last_post(OLGA).actions[0].command
    assert command == f"retry outbox {row.id}"
    before = len(desk.shown(lane_of(ANNA)))
    assert "is tried again" in await desk.admin(OLGA, command)
    await desk.works()
    assert len(desk.shown(lane_of(ANNA))) > before


async def test_a_long_queue_turns_its_pages_in_place(tmp_path: Path, sqlite_url: str) -> None:
    write_trip(tmp_path / "journeys", {"moderation": {"chat": "test:room"}})
    async with open_house(settings_for(tmp_path, sqlite_url)) as house:
        desk = desk_of(house)
        for _ in range(6):
            await desk.submits(ANNA)
        await desk.admin(OLGA, "queue")
        first = desk.last_post(OLGA)
        assert [one.label for one in first.lines] == ["#1", "#2", "#3", "#4", "#5"]
        assert first.actions[-1].label == "More"
        await desk.acts(OLGA, first.actions[-1].command, post=first.id)
        second = desk.last_post(OLGA)
        assert second.id == first.id
        assert [one.label for one in second.lines] == ["#6"]
        assert second.actions[-1].label == "Back"
        await desk.admin(OLGA, "queue 9")
        beyond = desk.last_post(OLGA)
        assert (beyond.lines, beyond.actions) == (second.lines, second.actions)


async def test_a_funnel_counts_each_journey_once_in_each_step(desk: Desk) -> None:
    await desk.submits(ANNA)
    await desk.commands(BOB, "new", "trip")
    await desk.says(BOB, "The hills")
    await desk.commands(BOB, "back")
    await desk.says(BOB, "The sea", "6 February 2031")
    await desk.commands(CARL, "new", "trip")

    answer = await desk.admin(OLGA, "stats trip 30")
    assert "The last 30 days: 3 begun, 1 submitted (33%)." in answer
    assert "Place: asked 3, answered 2 (67%)" in answer
    assert "Day: asked 2, answered 2 (100%)" in answer
    assert "Notes: asked 2, answered 1 (50%)" in answer
    assert "Summary confirmed: asked 1, answered 1 (100%)" in answer
    (picture,) = desk.last_post(OLGA).files
    assert (picture.origin, picture.ref, picture.mime) == (MADE, "stats trip 30 en", "image/png")
    made = await desk.house.files.content(picture)
    assert made.startswith(b"\x89PNG")


async def test_a_new_version_with_its_items_in_another_order_is_counted_by_name(
    desk: Desk, tmp_path: Path
) -> None:
    await desk.submits(ANNA)
    items = [
        {"name": "day", "value": "date", "minimum": "today"},
        {"name": "place", "value": "choice", "options": ["sea", "hills"]},
    ]
    texts = {**TEXTS, "items": {k: v for k, v in TEXTS["items"].items() if k != "notes"}}
    write_trip(tmp_path / "journeys", {"version": 2, "items": items}, en=json.dumps(texts))
    await desk.admin(OLGA, "reload trip")
    await desk.commands(BOB, "new", "trip")
    await desk.says(BOB, "5 February 2031")

    answer = await desk.admin(OLGA, "stats")
    assert "Day: asked 2, answered 2 (100%)" in answer
    assert "Place: asked 2, answered 1 (50%)" in answer


async def test_where_nobody_has_begun_there_is_no_picture(desk: Desk) -> None:
    assert "All there was: nobody has begun one." in await desk.admin(OLGA, "stats")
    assert desk.last_post(OLGA).files == ()


async def test_submissions_are_exported_as_a_table_and_as_lines(desk: Desk) -> None:
    await desk.submits(ANNA)
    await desk.commands(BOB, "new", "trip")
    await desk.says(BOB, "The hills", "5 February 2031", '=HYPERLINK("x")')
    card = desk.card(BOB)
    assert any(one.label == "Confirm" for one in buttons(card))
    await desk.taps(BOB, "Confirm")

    await desk.admin(OLGA, "export trip csv 7")
    (file,) = desk.last_post(OLGA).files
    assert (file.origin, file.ref, file.name) == (MADE, "export trip csv 7", "trip.csv")
    table = (await desk.house.files.content(file)).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [(row["number"], row["account"], row["place"], row["notes"]) for row in rows] == [
        ("1", "test:anna", "sea", ""),
        ("2", "test:bob", "hills", '\'=HYPERLINK("x")'),
    ]

    assert [row["zone"] for row in rows] == ["Europe/Berlin", "UTC"]
    sent = await desk.house.store.submissions("test:anna")
    assert rows[0]["submitted_at"] == f"{sent[0].at:%Y-%m-%dT%H:%M:%SZ}"

    await desk.admin(OLGA, "export trip jsonl")
    (file,) = desk.last_post(OLGA).files
    lines = (await desk.house.files.content(file)).splitlines()
    assert [json.loads(line)["content"]["place"] for line in lines] == ["sea", "hills"]
    assert sent[0].submission.content.encode() in lines[0]
    assert json.loads(lines[0])["submitted_at"] == rows[0]["submitted_at"]


async def test_health_tells_what_is_connected_and_what_waits(desk: Desk) -> None:
    await desk.submits(ANNA)
    answer = await desk.admin(OLGA, "health")
    assert f"Database: SQLite, at migration {await desk.house.store.version()}" in answer
    assert "Model: none is set up" in answer
    assert "Channels of this process: test since " in answer
    assert "To be answered: nothing waits" in answer
    assert "To be delivered: 1, the oldest for " in answer
    assert "submissions: 1, to be decided: 0; conversations: 2, with an open journey: 0" in answer
    assert "Python 3." in answer
    assert "aiogram " in answer
    assert "free" in answer


async def test_health_tells_the_last_failure_of_the_model(tmp_path: Path, sqlite_url: str) -> None:
    write_trip(tmp_path / "journeys")
    settings = settings_for(
        tmp_path,
        sqlite_url,
        anthropic_api_key=SecretStr("a key"),
        anthropic_base_url=f"http://127.0.0.1:{free_port()}",
        model_deadline=1.0,
    )
    async with open_house(settings) as house:
        desk = desk_of(house)
        assert "no failure since the start" in await desk.admin(OLGA, "health")
        await desk.commands(ANNA, "new", "trip")
        await desk.says(ANNA, "Why do you want to know?")
        assert f"Model: {settings.model}, last failure: " in await desk.admin(OLGA, "health")


async def test_a_journey_of_ones_own_is_asked_on_below_an_answer_and_not_below_a_page(
    desk: Desk,
) -> None:
    await desk.commands(OLGA, "new", "trip")
    for number in range(11):
        await desk.admin(OLGA, f"show {number + 50}")
    await desk.admin(OLGA, "audit")
    assert isinstance(desk.shown(lane_of(OLGA))[-1], Draw)
    page = desk.last_post(OLGA)

    before = len(desk.shown(lane_of(OLGA)))
    await desk.acts(OLGA, "audit 2", post=page.id)
    shown = desk.shown(lane_of(OLGA))[before:]
    assert [type(one) for one in shown] == [Toast, Put]
