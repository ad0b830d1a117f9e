"""Each failure is seen where it is, and nowhere else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from core.evals.record import FailureKind
from core.evals.referee import Given, Sent, Story, Summed, judged, occasions, stands_in

CONTENT = {"title": "Feast", "hall": {"id": "h1", "label": "Old Mill"}, "seats": 40}


def story() -> Story:
    """A chat in which all is as it should be: two questions, a correction, a summary, a yes."""
    return Story(
        lists=frozenset({"guests"}),
        asked={"title": 1, "hall": 2, "seats": 3},
        given=[
            Given(turn=1, item="title", value="Feast", taken=1),
            Given(
                turn=2,
                item="hall",
                value={"id": "h1", "label": "Old Mill"},
                record=True,
                taken=2,
                spellings=("Old Mill",),
            ),
            Given(turn=3, item="seats", value=50, taken=3),
            Given(turn=4, item="seats", value=40, correction=True, taken=4, spellings=("40",)),
        ],
        heard={1: "Feast", 2: "Old Mill", 3: "50", 4: "No, 40", 5: "Yes"},
        not_yes=[4],
        said={1: "Which hall?", 2: "How many seats?", 3: "Is it right?", 4: "Seats: 40 now."},
        questions={1: 1, 2: 1, 3: 1, 4: 1},
        summaries=[
            Summed(turn=3, shows={"title": "Feast", "hall": "Old Mill", "seats": "50"}),
            Summed(
                turn=4,
                shows={"title": "Feast", "hall": "Old Mill", "seats": "40"},
                records=("hall",),
                values={"title": ("Feast", ("Feast",)), "seats": (40, ("40",))},
            ),
        ],
        sent=Sent(
            turn=5,
            content=dict(CONTENT),
            spellings={"title": ("Feast",), "hall": ("Old Mill",), "seats": ("40",)},
            required=("title", "hall", "seats"),
            said_yes=True,
        ),
    )


def kinds(told: Story) -> set[FailureKind]:
    return {one.kind for one in judged(told)}


def sent(**changes: Any) -> Story:
    told = story()
    assert told.sent is not None
    told.sent = msgspec.structs.replace(told.sent, **changes)
    return told


def test_a_chat_as_it_should_be_has_no_failure() -> None:
    assert judged(story()) == ()


def test_a_question_that_was_never_asked() -> None:
    told = story()
    told.given = [one for one in told.given if one.item != "title"]
    del told.asked["title"], told.heard[1]
    assert [(one.kind, one.item) for one in judged(told)] == [(FailureKind.SKIPPED, "title")]


def test_one_slip_is_one_failure_though_the_summary_did_not_show_it_either() -> None:
    told = story()
    told.given = [one for one in told.given if one.item != "title"]
    del told.asked["title"], told.summaries[-1].shows["title"], told.summaries[-1].values["title"]
    assert [(one.kind, one.item) for one in judged(told)] == [(FailureKind.SKIPPED, "title")]


def test_what_was_asked_on_the_screen_and_not_answered_is_invented_and_not_skipped() -> None:
    told = story()
    told.given = [one for one in told.given if one.item != "title"]
    del told.heard[1]
    assert [(one.kind, one.item) for one in judged(told)] == [(FailureKind.INVENTED, "title")]


def test_what_was_said_without_being_asked_is_not_skipped() -> None:
    told = story()
    told.asked.clear()
    assert judged(told) == ()


def test_what_stands_on_a_summary_and_nobody_said_is_invented() -> None:
    told = story()
    told.summaries[0].values["seats"] = (9999, ("9999",))
    assert [(one.kind, one.item, one.turn) for one in judged(told)] == [
        (FailureKind.INVENTED, "seats", 3)
    ]


def test_what_was_said_and_not_meant_so_is_not_invented() -> None:
    told = story()
    told.heard[2] = "Old Mill, and we were 9999 last time"
    told.summaries[0].values["seats"] = (9999, ("9999",))
    assert judged(told) == ()


def test_an_invented_list_is_one_unless_each_entry_was_said() -> None:
    told = story()
    guests = ["Ada", "Mallory"]
    told.summaries[0].values["guests"] = (guests, ("Ada, Mallory",))
    told.heard[2] = "Old Mill. Ada comes"
    assert [(one.kind, one.item) for one in judged(told)] == [(FailureKind.INVENTED_LIST, "guests")]
    told.heard[3] = "50, and Mallory comes"
    assert judged(told) == ()


def test_something_required_that_is_not_in_what_was_submitted() -> None:
    told = story()
    assert told.sent is not None
    del told.sent.content["seats"]
    assert kinds(told) == {FailureKind.SKIPPED}


def test_something_optional_that_was_shown_and_is_not_in_what_was_submitted() -> None:
    told = story()
    told.given.append(Given(turn=3, item="guests", value=["Ada"], spellings=("Ada",)))
    told.summaries[-1].shows["guests"] = "Ada"
    assert [(one.kind, one.item) for one in judged(told)] == [
        (FailureKind.STALE_CONFIRMATION, "guests")
    ]
    assert told.sent is not None
    told.sent.content["guests"] = ["Ada"]
    assert judged(told) == ()


@pytest.mark.parametrize("value", [50, 41, [40]])
def test_a_value_that_the_person_did_not_give_last(value: Any) -> None:
    told = sent(content={**story().sent.content, "seats": value})  # type: ignore[union-attr]
    assert [(one.kind, one.item, one.turn) for one in judged(told)] == [
        (FailureKind.INVENTED, "seats", 5)
    ]


KIM = {"id": "", "handle": "kim", "name": "Kim Lindner"}


@pytest.mark.parametrize(
    "submitted, failures",
    [
        ({**KIM, "handle": ""}, set()),
        ({**KIM, "name": ""}, set()),
        ({**KIM, "handle": "", "name": "Kim"}, {FailureKind.INVENTED}),
        ({**KIM, "id": "U9"}, {FailureKind.INVENTED}),
        ({"id": "", "handle": "", "name": ""}, {FailureKind.INVENTED}),
    ],
)
def test_somebody_is_who_was_named_by_a_part_of_what_they_are_called(
    submitted: dict[str, str], failures: set[FailureKind]
) -> None:
    told = sent(content={**CONTENT, "approver": submitted})
    told.given.append(Given(turn=2, item="approver", value=KIM, spellings=("Kim Lindner",)))
    assert kinds(told) == failures


def test_a_value_for_what_was_left_out() -> None:
    told = story()
    told.given.append(Given(turn=4, item="guests"))
    assert judged(told) == ()
    assert told.sent is not None
    told.sent.content["guests"] = ["Mallory"]
    assert kinds(told) == {FailureKind.INVENTED_LIST}


def test_a_confirmation_that_was_no_yes() -> None:
    assert kinds(sent(said_yes=False)) == {FailureKind.CONFIRMED_AFTER_CHANGE}


def test_what_was_not_confirmed_at_all_is_no_stale_confirmation_besides() -> None:
    told = sent(said_yes=False)
    del told.summaries[1]
    assert kinds(told) == {FailureKind.CONFIRMED_AFTER_CHANGE}


def test_a_correction_that_the_reply_does_not_say() -> None:
    told = story()
    told.said[4] = "All right."
    assert [(one.kind, one.turn) for one in judged(told)] == [(FailureKind.UNACKNOWLEDGED, 4)]


def test_a_change_that_was_submitted_at_once_is_not_silent_besides() -> None:
    told = sent(turn=4, said_yes=False)
    told.said[4] = "Thank you, it is submitted."
    assert kinds(told) == {FailureKind.CONFIRMED_AFTER_CHANGE}


def test_a_correction_that_was_not_taken_is_nothing_that_happened_in_silence() -> None:
    told = story()
    told.said[4] = "Hm?"
    told.given[-1] = msgspec.structs.replace(told.given[-1], taken=0)
    assert judged(told) == ()


def test_a_correction_may_be_said_before_it_is_taken() -> None:
    told = story()
    told.given[-1] = msgspec.structs.replace(told.given[-1], turn=3, taken=4)
    told.said.update({3: "40 seats, do you mean that?", 4: "All right."})
    assert judged(told) == ()


def test_what_was_changed_in_silence_makes_no_stale_confirmation_besides() -> None:
    told = story()
    told.said[4] = "All right."
    del told.summaries[1]
    assert kinds(told) == {FailureKind.UNACKNOWLEDGED}


def test_a_record_in_the_summary_before_it_was_accepted() -> None:
    told = story()
    told.summaries[0] = msgspec.structs.replace(told.summaries[0], turn=1, records=("hall",))
    assert kinds(told) == {FailureKind.UNACCEPTED_RECORD}
    told.given[1] = msgspec.structs.replace(told.given[1], record=False)
    # It is one slip, however often it is seen.
    assert [one.turn for one in judged(told)] == [1]


def test_another_record_than_the_one_that_was_accepted() -> None:
    told = story()
    told.summaries[-1].shows["hall"] = "River Hall"
    assert FailureKind.UNACCEPTED_RECORD in kinds(told)
    assert {one.item for one in judged(told)} == {"hall"}


def test_what_has_no_line_of_its_own_may_stand_anywhere_in_a_summary() -> None:
    told = story()
    shows = {"title": "Feast"}
    text = "Title: Feast. It is in the Old Mill, for 40 people."
    told.summaries[-1] = msgspec.structs.replace(told.summaries[-1], shows=shows, text=text)
    assert judged(told) == ()
    told.summaries[-1].shows["seats"] = "50"
    assert {one.item for one in judged(told)} == {"seats"}


def test_two_questions_in_one_reply() -> None:
    told = story()
    told.questions[2] = 2
    assert [(one.kind, one.turn) for one in judged(told)] == [(FailureKind.SECOND_QUESTION, 2)]


def test_a_confirmation_of_another_summary() -> None:
    told = story()
    del told.summaries[1]
    assert [(one.kind, one.item) for one in judged(told)] == [
        (FailureKind.STALE_CONFIRMATION, "seats")
    ]
    told.summaries.clear()
    assert kinds(told) == {FailureKind.STALE_CONFIRMATION}


def test_several_lines_that_were_not_as_shown_are_one_stale_confirmation() -> None:
    told = story()
    told.summaries[-1].shows.update({"seats": "50", "title": "Fast"})
    (found,) = judged(told)
    assert found.kind is FailureKind.STALE_CONFIRMATION
    assert set(found.item.split(", ")) == {"seats", "title"}


def test_what_needs_an_occasion_is_counted_by_its_occasions() -> None:
    assert occasions(story()) == {
        FailureKind.CONFIRMED_AFTER_CHANGE: 1,
        FailureKind.STALE_CONFIRMATION: 1,
        FailureKind.UNACKNOWLEDGED: 1,
    }
    told = story()
    told.given = told.given[:3]
    told.not_yes.clear()
    assert set(occasions(told).values()) == {0}


def test_what_happened_had_an_occasion() -> None:
    told = sent(said_yes=False)
    told.not_yes.clear()
    assert occasions(told)[FailureKind.CONFIRMED_AFTER_CHANGE] == 1


def test_a_value_stands_in_a_text_by_all_words_of_one_spelling() -> None:
    assert stands_in(("2027-02-05", "5 February"), "On February 5th, no: 5 February.")
    assert not stands_in(("2027-02-05", "5 February"), "On 6 February.")
