"""Days, hours and minutes: tapped, typed, or picked natively.

It is Tuesday, 1 December 2026, 13:00 in Berlin.
"""

from __future__ import annotations

from typing import Any

import pytest

from core.cards import PickerMode
from core.draft import Source
from core.step.base import Beside, Moved, Refused, Settled
from tests.support.scenes import Asked, ask, labels, tap

OTHER = {"name": "until", "value": "date"}


def day(**more: Any) -> Asked:
    return ask("date", **{"minimum": "today", **more})


def moment(**more: Any) -> Asked:
    return ask("datetime", **{"minimum": "today", **more})


# A day


def test_the_calendar_shows_this_month_without_the_days_that_have_passed() -> None:
    card = day(minimum="2026-12-10").card
    assert card.mode is PickerMode.DATE
    assert card.month == "2026-12"
    assert labels(card.options) == [str(number) for number in range(10, 32)]
    assert labels(card.moves) == ["January 2027 ›", "2027 »"]
    assert (card.minimum, card.maximum) == ("2026-12-10", "")


def test_the_calendar_starts_where_a_day_can_be_chosen() -> None:
    assert day(minimum="2027-03-15").card.month == "2027-03"
    assert ask("date", maximum="2025-06-10").card.month == "2025-06"
    assert day(settled={"it": "2027-05-05"}).card.month == "2027-05"


def test_pages_turn_within_the_bounds_only() -> None:
    asked = day(maximum="2027-02-10").taps("January 2027 ›", "February 2027 ›")
    assert labels(asked.card.moves) == ["‹ January 2027"]
    assert labels(asked.card.options) == [str(number) for number in range(1, 11)]
    assert isinstance(asked.replies(tap("mf")).read, Moved)
    assert asked.card.month == "2027-02"
    assert asked.taps("‹ January 2027").card.month == "2027-01"


def test_a_year_can_be_turned_where_the_bounds_are_wide() -> None:
    asked = ask("date").taps("« 2025")
    assert asked.card.month == "2025-12"
    assert labels(asked.card.moves) == ["« 2024", "‹ November 2025", "January 2026 ›", "2026 »"]


def test_a_tapped_day_settles() -> None:
    assert day().taps("January 2027 ›", "5").read == Settled("2027-01-05", Source.TAP)


def test_a_tap_means_the_day_that_was_seen_even_after_the_page_has_turned() -> None:
    asked = day()
    fifth = next(one for one in asked.card.options if one.label == "5")
    asked.taps("January 2027 ›")
    assert asked.replies(tap(fifth.token)).read == Settled("2026-12-05", Source.TAP)


@pytest.mark.parametrize(
    "value, read",
    [
        ("2026-12-04", Settled("2026-12-04", Source.FORM)),
        ("2026-11-30", Refused("It cannot be before Tuesday, December 1, 2026.")),
        ("2026-02-30", Refused("That does not fit here. Please answer again.")),
        ("soon", Refused("That does not fit here. Please answer again.")),
    ],
)
def test_a_native_date_picker_is_held_to_the_same_bounds(value: str, read: Any) -> None:
    assert day().submits(value=value).read == read


@pytest.mark.parametrize(
    "typed, value",
    [
        ("2026-12-04", "2026-12-04"),
        ("4 December 2026", "2026-12-04"),
        ("next Friday", None),
        ("tomorrow", "2026-12-02"),
        ("24 December 2026 please", "2026-12-24"),
    ],
)
def test_a_typed_day_settles(typed: str, value: str | None) -> None:
    read = day().says(typed).read
    if value is None:
        # whether this week's or the next one's is a matter of taste: never settled as a third
        days = [read.value] if isinstance(read, Settled) else list(getattr(read, "proposals", ()))
        assert set(days) <= {"2026-12-04", "2026-12-11"}
        assert days
    else:
        assert read == Settled(value, Source.TYPED)


@pytest.mark.parametrize(
    "locale, example", [("en", "5 March"), ("de", "5. März"), ("es", "5 de marzo")]
)
def test_the_day_that_the_hint_gives_as_an_example_settles(locale: str, example: str) -> None:
    asked = day(locale=locale)
    assert example in asked.card.hint
    assert asked.says(example).read == Settled("2027-03-05", Source.TYPED)


def test_a_day_that_has_passed_is_refused_when_it_is_typed() -> None:
    read = day().says("1 November 2026").read
    assert isinstance(read, Refused)
    assert read.reason == "It cannot be before Tuesday, December 1, 2026."


def test_a_day_and_a_question_settle_nothing_and_the_day_is_a_suggestion() -> None:
    asked = day().says("24 December 2026, and is parking free?")
    assert asked.read == Beside(proposals=("2026-12-24",))


def test_a_bound_may_be_another_items_day() -> None:
    asked = day(
        maximum="until", depends_on=["until"], beside=(OTHER,), settled={"until": "2026-12-20"}
    )
    assert labels(asked.card.options)[-1] == "20"
    assert asked.card.hint.endswith("Until Sunday, December 20, 2026.")
    assert (
        asked.step.fault(asked.scene, "2026-12-21")
        == "It cannot be after Sunday, December 20, 2026."
    )


def test_where_no_day_is_possible_the_card_says_so() -> None:
    asked = day(maximum="2026-11-01")
    assert asked.card.options == ()
    assert asked.card.moves == ()
    assert asked.card.hint.startswith("No day fits any more.")


@pytest.mark.parametrize("token", ["d20261301", "d20260230", "d2026", "h07", "m0700", "d٢٠٢٦١٢٠٤"])
def test_a_forged_day_changes_nothing(token: str) -> None:
    assert day().replies(tap(token)).read == Moved(cursor={})


def test_a_day_before_the_bounds_is_refused_even_when_its_token_is_forged() -> None:
    assert isinstance(day().replies(tap("d20200101")).read, Refused)


@pytest.mark.parametrize("value", ["2026-1-5", "20261205", "2026-12-05T10:00", 20261205, ["x"], {}])
def test_a_day_in_any_other_spelling_is_a_fault(value: Any) -> None:
    asked = day()
    assert asked.step.fault(asked.scene, value) != ""


def test_time_overtakes_a_settled_day() -> None:
    asked = day()
    assert asked.step.fault(asked.scene, "2026-12-01") == ""
    assert asked.step.fault(asked.scene, "2026-11-30") != ""


# A time


def test_a_time_is_an_hour_and_then_its_minutes() -> None:
    asked = ask("time", minimum="09:30", maximum="18:00", locale="en-GB")
    assert asked.card.mode is PickerMode.TIME
    assert labels(asked.card.options)[:2] == ["09:00", "10:00"]
    assert labels(asked.card.options)[-1] == "18:00"
    asked.taps("09:00")
    assert labels(asked.card.options) == ["09:30", "09:45"]
    assert asked.card.hint.startswith("09:00: tap the minutes")
    asked.taps("Another hour", "17:00")
    assert labels(asked.card.options) == ["17:00", "17:15", "17:30", "17:45"]
    assert asked.taps("17:30").read == Settled("17:30", Source.TAP)


def test_an_hour_with_no_quarter_left_offers_its_first_minute() -> None:
    asked = ask("time", minimum="17:50", maximum="17:55", locale="en-GB").taps("17:00")
    assert labels(asked.card.options) == ["17:50"]


@pytest.mark.parametrize(
    "value, read",
    [
        ("17:00", Settled("17:00", Source.FORM)),
        ("17:00:00", Settled("17:00", Source.FORM)),
        ("25:00", Refused("That does not fit here. Please answer again.")),
    ],
)
def test_a_native_time_picker_settles(value: str, read: Any) -> None:
    assert ask("time").submits(value=value).read == read


def test_a_typed_time_settles() -> None:
    assert ask("time").says("17:00").read == Settled("17:00", Source.TYPED)
    assert ask("time").says("19:30 please").read == Settled("19:30", Source.TYPED)


# A day with a time


def test_a_moment_is_a_day_an_hour_and_minutes() -> None:
    asked = moment(locale="en-GB").taps("4")
    assert asked.card.mode is PickerMode.DATETIME
    assert asked.card.hint.startswith("Friday, 4 December 2026: tap the hour")
    assert labels(asked.card.moves) == ["Another day"]
    asked.taps("17:00")
    assert labels(asked.card.moves) == ["Another day", "Another hour"]
    assert asked.taps("17:15").read == Settled("2026-12-04T17:15", Source.TAP)


def test_today_starts_now() -> None:
    asked = moment(locale="en-GB").taps("1")
    assert labels(asked.card.options)[0] == "13:00"
    assert asked.step.fault(asked.scene, "2026-12-01T12:59") != ""
    assert asked.step.fault(asked.scene, "2026-12-01T13:00") == ""


def test_another_day_goes_back_to_the_calendar() -> None:
    asked = moment().taps("January 2027 ›", "5", "Another day")
    assert asked.card.month == "2027-01"
    assert "5" in labels(asked.card.options)


def test_a_typed_day_alone_asks_for_the_time_and_a_time_then_settles() -> None:
    asked = moment().says("4 December 2026")
    assert isinstance(asked.read, Moved)
    assert asked.read.said == "Friday, December 4, 2026. At what time?"
    assert asked.says("17:00").read == Settled("2026-12-04T17:00", Source.TYPED)


def test_a_typed_time_alone_asks_for_the_day_and_a_tap_on_a_day_then_settles() -> None:
    asked = moment().says("5pm")
    assert isinstance(asked.read, Moved)
    assert asked.read.said == "5:00 PM. On which day?"
    assert asked.card.hint.startswith("5:00 PM: tap the day")
    asked.taps("January 2027 ›")
    assert asked.taps("5").read == Settled("2027-01-05T17:00", Source.TAP)
    assert moment().says("5pm").says("tomorrow").read == Settled("2026-12-02T17:00", Source.TYPED)


def test_a_typed_day_and_time_settle() -> None:
    read = moment().says("4 December 2026 at 17:00").read
    assert read == Settled("2026-12-04T17:00", Source.TYPED)


@pytest.mark.parametrize(
    "value, read",
    [
        ("2026-12-04T17:00", Settled("2026-12-04T17:00", Source.FORM)),
        ("2026-12-04 17:00", Settled("2026-12-04T17:00", Source.FORM)),
        # a native control that speaks in moments: the person's clock is an hour ahead of UTC
        ("2026-12-04T16:00:00+00:00", Settled("2026-12-04T17:00", Source.FORM)),
        ("0001-01-01T00:00+14:00", Refused("That does not fit here. Please answer again.")),
    ],
)
def test_a_native_datetime_picker_settles_on_the_persons_clock(value: str, read: Any) -> None:
    assert moment().submits(value=value).read == read


@pytest.mark.parametrize(
    "said,value",
    [("11 December", "2026-12-11"), ("19:00", "19:00"), ("hello there", "")],
)
def test_a_native_control_begins_with_the_half_that_was_typed(said: str, value: str) -> None:
    assert moment().says(said).card.value == value


@pytest.mark.parametrize(
    "kind,settled",
    [("date", "2027-05-05"), ("time", "19:00"), ("datetime", "2027-05-05T19:00")],
)
def test_a_native_control_begins_with_what_was_settled(kind: str, settled: str) -> None:
    assert ask(kind, settled={"it": settled}).card.value == settled
    assert ask(kind, settled={"it": "now"}).card.value == ""
    assert ask(kind).card.value == ""


def test_a_time_that_the_clocks_jump_over_is_no_time() -> None:
    asked = moment()
    said = "There is no such time. Please check it."
    assert asked.step.fault(asked.scene, "2027-03-28T02:30") == said
    assert asked.step.fault(asked.scene, "2027-03-28T03:30") == ""
    assert asked.submits(value="2027-03-28T02:30").read == Refused(said)


def test_double_taps_change_nothing_twice() -> None:
    asked = moment(locale="en-GB")
    fourth = next(one for one in asked.card.options if one.label == "4").token
    asked.replies(tap(fourth)).replies(tap(fourth))
    hour = next(one for one in asked.card.options if one.label == "17:00").token
    asked.replies(tap(hour)).replies(tap(hour))
    assert labels(asked.card.options) == ["17:00", "17:15", "17:30", "17:45"]


def test_suggestions_and_skip_are_on_the_calendar_too() -> None:
    asked = day(required=False, proposals=("2026-12-24", "2020-01-01"))
    assert labels(asked.card.suggestions) == ["Thursday, December 24, 2026"]
    assert asked.taps("Thursday, December 24, 2026").read == Settled("2026-12-24", Source.TAP)
    assert asked.taps("Skip").read == Settled(None, Source.TAP)


@pytest.mark.parametrize(
    "cursor", [{"month": "2026-13"}, {"month": "x"}, {"day": "x"}, {"hour": 99}]
)
def test_a_cursor_of_an_older_day_never_breaks_the_card(cursor: dict[str, Any]) -> None:
    for kind in ("date", "time", "datetime"):
        assert ask(kind, cursor=cursor).card.options
