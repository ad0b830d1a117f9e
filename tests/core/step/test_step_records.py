"""Records of a directory: paged, searched, accepted by a tap or by their whole name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from core.cards import PickerMode, Record
from core.draft import Source
from core.step.base import Beside, Fetch, Fetched, Moved, Refused, Settled, Unsure
from core.step.picker_records import SHOWN, token_of
from tests.support.scenes import Asked, ask, labels, nobody, tap

OLD_MILL = Record(id="h1", label="Old Mill", detail="80 seats", fields={"capacity": 80})
ANNEX = Record(id="h2", label="Old Mill Annex", detail="30 seats", fields={"capacity": 30})
RIVER = Record(id="h3", label="River Hall", detail="200 seats", fields={"capacity": 200})
HALLS = (OLD_MILL, ANNEX, RIVER)
TOOL = {"name": "find_halls", "description": "Halls", "item": "it", "records": "halls"}


@dataclass
class Directory:
    """A directory of records: a query matches any part of a label, a page holds `size`."""

    records: tuple[Record, ...] = HALLS
    size: int = 50
    down: bool = False
    asked: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, fetch: Fetch) -> Fetched:
        self.asked.append(fetch.arguments)
        if self.down:
            return Fetched(failed="timeout")
        query = str(fetch.arguments["query"]).casefold()
        found = [one for one in self.records if query in one.label.casefold()]
        start = (int(fetch.arguments["page"]) - 1) * self.size
        return Fetched(records=tuple(found[start : start + self.size]), total=len(found))


def hall(directory: Any = None, **more: Any) -> Asked:
    return ask("record", tools=(TOOL,), directory=directory or Directory(), **more)


def many(count: int) -> tuple[Record, ...]:
    return tuple(Record(id=f"n{n}", label=f"Room {n}") for n in range(1, count + 1))


def value(record: Record) -> dict[str, Any]:
    return {"id": record.id, "label": record.label, **record.fields}


def test_records_are_drawn_as_they_were_fetched() -> None:
    card = hall().card
    assert card.mode is PickerMode.RECORDS
    assert labels(card.options) == ["Old Mill", "Old Mill Annex", "River Hall"]
    assert [one.detail for one in card.options] == ["80 seats", "30 seats", "200 seats"]
    assert card.records == HALLS
    assert card.searchable
    assert card.moves == ()


def test_a_tap_accepts_exactly_what_was_shown() -> None:
    assert hall().taps("River Hall").read == Settled(value(RIVER), Source.RECORD)
    token = hall().card.options[2].token
    assert len(token) <= 12
    assert hall().submits(value=token).read == Settled(value(RIVER), Source.RECORD)


@pytest.mark.parametrize(
    "typed, record",
    [
        ("Old Mill", OLD_MILL),
        ("old mill annex", ANNEX),
        ("River Hall please", RIVER),
        ("the second one", ANNEX),
        ("3", RIVER),
    ],
)
def test_a_whole_name_a_number_or_a_place_accepts_a_shown_record(
    typed: str, record: Record
) -> None:
    assert hall().shown().says(typed).read == Settled(value(record), Source.RECORD)


def test_a_part_of_a_name_is_a_search_and_accepts_nothing() -> None:
    asked = hall().says("river")
    assert isinstance(asked.read, Moved)
    assert asked.read.said == "Found for “river”: 1. Tap the one you mean."
    assert labels(asked.card.options) == ["River Hall"]
    assert asked.card.query == "river"
    assert labels(asked.card.moves) == ["Show all"]
    asked.taps("Show all")
    assert len(asked.card.options) == 3


@pytest.mark.parametrize(
    "typed",
    [
        "which one has a stage?",
        "Ballroom",
        "I would like something near the river with a kitchen",
        "back",
        "cancel",
    ],
)
def test_what_matches_nothing_or_is_talk_stays_beside(typed: str) -> None:
    asked = hall().says(typed)
    assert isinstance(asked.read, Beside)
    assert asked.read.proposals == ()
    assert bool(asked.read.reason) == (typed == "Ballroom")
    assert len(asked.card.options) == 3


def test_a_search_by_the_native_field_turns_the_card() -> None:
    asked = hall().submits(query="annex")
    assert labels(asked.card.options) == ["Old Mill Annex"]


def test_what_is_taken_out_of_a_search_is_accepted_though_the_card_does_not_show_it() -> None:
    directory = Directory(many(40), size=10)
    asked = hall(directory).shown()
    token = token_of(directory.records[32])
    assert asked.submits(query="room 33", value=token).read == Settled(
        {"id": "n33", "label": "Room 33"}, Source.RECORD
    )
    assert directory.asked[-1] == {"query": "room 33", "page": 1}


@pytest.mark.parametrize("query", ["annex", "river", ""])
def test_what_a_search_does_not_find_any_more_is_not_accepted(query: str) -> None:
    directory = Directory()
    token = token_of(OLD_MILL)
    directory.records = (replace_capacity(60), ANNEX, RIVER)
    asked = hall(directory).shown().submits(query=query, value=token)
    refused = "The list has just changed. Please choose again."
    assert asked.read == Refused(refused, cursor={"query": query})
    assert asked.card.query == query


def test_a_name_that_is_on_no_page_yet_is_accepted_when_it_is_one_records_whole_name() -> None:
    directory = Directory(many(40), size=10)
    assert hall(directory).says("Room 33").read == Settled(
        {"id": "n33", "label": "Room 33"}, Source.RECORD
    )
    # "Room 3" is a whole name and a part of ten others: a tap decides
    asked = hall(directory, cursor={"sizes": [10], "at": 0}).says("Room 3")
    assert isinstance(asked.read, Moved)
    assert labels(asked.card.options)[:2] == ["Room 3", "Room 30"]


def test_two_records_of_one_name_are_told_apart_by_a_tap_only() -> None:
    twins = (replace_fields(RIVER, "a", 10), replace_fields(RIVER, "b", 20))
    asked = hall(Directory(twins)).says("River Hall")
    assert not isinstance(asked.read, Settled)
    second = asked.card.options[1]
    assert asked.replies(tap(second.token)).read == Settled(value(twins[1]), Source.RECORD)


def replace_fields(record: Record, name: str, capacity: int) -> Record:
    return Record(id=name, label=record.label, fields={"capacity": capacity})


# Pages


@pytest.mark.parametrize("size", [5, SHOWN, 10, 50])
def test_every_record_is_reached_once_forwards_and_backwards(size: int) -> None:
    asked = hall(Directory(many(21), size=size))
    seen = [labels(asked.card.options)]
    while "Next ›" in labels(asked.card.moves):
        seen.append(labels(asked.taps("Next ›").card.options))
    assert [label for page in seen for label in page] == [f"Room {n}" for n in range(1, 22)]
    back = [labels(asked.card.options)]
    while "‹ Previous" in labels(asked.card.moves):
        back.append(labels(asked.taps("‹ Previous").card.options))
    assert back == seen[::-1]


def test_a_move_that_is_not_on_the_card_changes_nothing_to_see() -> None:
    asked = hall()
    before = asked.card
    for token in ("pp", "np", "again", "all"):
        assert isinstance(asked.replies(tap(token)).read, Moved)
        assert asked.card.options == before.options


# A directory that changes, or is down


def test_a_record_that_changed_since_it_was_shown_is_never_accepted_by_the_old_tap() -> None:
    directory = Directory()
    asked = hall(directory).shown()
    shown, changed = asked.card.options[0].token, "The list has just changed. Please choose again."
    directory.records = (replace_capacity(60), ANNEX, RIVER)
    assert asked.replies(tap(shown)).read == Refused(
        "The list has just changed. Please choose again."
    )
    assert asked.says("Old Mill").read == Refused(changed)
    assert asked.says("1").read == Refused(changed)
    assert asked.shown().says("1").read == Settled(value(replace_capacity(60)), Source.RECORD)


def replace_capacity(seats: int) -> Record:
    return Record(id="h1", label="Old Mill", detail="80 seats", fields={"capacity": seats})


def test_a_record_that_moved_is_still_the_one_that_was_tapped() -> None:
    directory = Directory()
    asked = hall(directory).shown()
    river = asked.card.options[2].token
    directory.records = (RIVER, OLD_MILL, ANNEX)
    assert asked.replies(tap(river)).read == Settled(value(RIVER), Source.RECORD)
    assert isinstance(asked.says("the first one").read, Refused)


def test_a_directory_that_is_down_says_so_and_comes_back_by_try_again() -> None:
    directory = Directory(down=True)
    asked = hall(directory)
    assert asked.card.reason == "I cannot reach the list right now. Please try again in a moment."
    assert asked.card.options == ()
    assert labels(asked.card.moves) == ["Try again"]
    asked.taps("Try again").says("River Hall")
    assert asked.read == Refused("I cannot reach the list right now. Please try again in a moment.")
    directory.down = False
    assert asked.says("River Hall").read == Settled(value(RIVER), Source.RECORD)
    assert hall(directory).taps("River Hall").read == Settled(value(RIVER), Source.RECORD)


def test_while_the_directory_is_down_an_optional_item_can_be_skipped() -> None:
    asked = hall(nobody, required=False)
    assert asked.taps("Skip").read == Settled(None, Source.TAP)
    assert asked.says("skip").read == Settled(None, Source.TYPED)


def test_an_item_that_no_tool_serves_is_like_a_directory_that_is_down() -> None:
    assert ask("record").card.reason != ""


def test_an_empty_directory_says_so() -> None:
    assert hall(Directory(())).card.reason == "There is nothing on the list right now."


def test_the_tool_is_found_by_its_item_or_its_directory() -> None:
    by_directory = {"name": "find", "description": "Halls", "records": "halls"}
    asked = ask("record", records="halls", tools=(by_directory,), directory=Directory())
    assert labels(asked.card.options)[0] == "Old Mill"


def test_settled_values_are_carried_into_the_search() -> None:
    directory = Directory()
    tool = {**TOOL, "arguments": [{"name": "city", "description": "where"}]}
    city = {"name": "city", "value": "short_text"}
    asked = ask(
        "record", tools=(tool,), beside=(city,), settled={"city": "Bonn"}, directory=directory
    )
    assert asked.card
    assert directory.asked == [{"query": "", "page": 1, "city": "Bonn"}]


# Values


def test_an_accepted_record_comes_back_as_a_suggestion() -> None:
    asked = hall(proposals=(value(OLD_MILL), {"id": "", "label": "x"}, "Old Mill"))
    assert labels(asked.card.suggestions) == ["Old Mill"]
    token = asked.card.suggestions[0].token
    assert asked.replies(tap(token)).read == Settled(value(OLD_MILL), Source.RECORD)


@pytest.mark.parametrize(
    "wrong",
    ["Old Mill", {"id": "h1"}, {"id": 1, "label": "x"}, {"id": "h1", "label": "x", "y": []}],
)
def test_what_is_no_record_is_a_fault(wrong: Any) -> None:
    asked = hall()
    assert asked.step.fault(asked.scene, wrong) != ""
    assert asked.step.fault(asked.scene, value(RIVER)) == ""


def test_a_record_reads_as_its_label_or_as_the_journey_words_it() -> None:
    assert hall().step.show(hall().scene, value(RIVER)) == "River Hall"
    worded = hall(texts={"show": "{label} ({capacity} seats)"})
    assert worded.step.show(worded.scene, value(RIVER)) == "River Hall (200 seats)"


def test_a_field_never_hides_the_id_or_the_label() -> None:
    odd = Record(id="h9", label="Attic", fields={"id": "x", "label": "y", "capacity": 5})
    read = hall(Directory((odd,))).taps("Attic").read
    assert read == Settled({"id": "h9", "label": "Attic", "capacity": 5}, Source.RECORD)


def test_a_long_or_empty_label_is_still_a_button() -> None:
    card = hall(Directory((Record(id="h1", label="x" * 200), Record(id="h2", label=" ")))).card
    assert [len(one.label) for one in card.options] == [60, 2]


def test_a_number_that_is_one_records_name_and_anothers_place_is_decided_by_a_tap() -> None:
    numbered = (Record(id="a", label="2"), Record(id="b", label="Attic"))
    asked = hall(Directory(numbered)).says("2")
    assert isinstance(asked.read, Unsure)
    assert labels(asked.card.suggestions) == ["2", "Attic"]
    assert asked.taps("Attic").read == Settled({"id": "b", "label": "Attic"}, Source.RECORD)


def test_the_scene_keeps_nothing_of_a_failed_tap() -> None:
    asked = hall()
    before = replace(asked.scene, fetched={})
    asked.replies(tap("r0000000000"))
    assert asked.scene.cursor == before.cursor
