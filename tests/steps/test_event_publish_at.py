"""When the event is published: now, or at a moment before it starts. By taps, words and a native
control, in each language."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.catalogue import Catalogue
from core.draft import Source
from core.reading.result import Context
from core.replies import Submit, Tap, Words
from core.step.base import Beside, Moved, Read, Refused, Scene, Settled, Unsure

EVENT = Catalogue.load().journey("event")
ITEM = EVENT.manifest.item("publish_at")
STEP = EVENT.type.step(ITEM)

NOW = datetime(2026, 12, 1, 13, 0, tzinfo=ZoneInfo("Europe/Berlin"))
START = {"date": "2026-12-24", "start_time": "18:00"}


def scene(language: str = "en", now: datetime = NOW, **settled: Any) -> Scene:
    return Scene(
        manifest=EVENT.manifest,
        item=ITEM,
        card="c1",
        settled=settled or START,
        texts=EVENT.type.speak(language),
        context=Context(now=now, locale=language, country="DE"),
    )


def says(text: str, asked: Scene | None = None) -> Read:
    return STEP.read(asked or scene(), Words(text=text, by="anna", at=NOW))


def taps(token: str, asked: Scene | None = None) -> Read:
    return STEP.read(asked or scene(), Tap(card="c1", token=token, by="anna", at=NOW))


def submits(value: str, asked: Scene | None = None) -> Read:
    reply = Submit(card="c1", values={"value": value}, by="anna", at=NOW)
    return STEP.read(asked or scene(), reply)


def test_the_card_has_a_button_for_now_and_days_up_to_the_start() -> None:
    card: Any = STEP.draw(scene())
    assert card.title == "When should it appear in the calendar?"
    assert [one.label for one in card.suggestions] == ["Now"]
    assert (card.mode, card.month) == ("datetime", "2026-12")
    assert [one.label for one in card.options] == [str(day) for day in range(1, 25)]
    assert (card.minimum, card.maximum) == ("2026-12-01T13:00", "2026-12-24T17:59")


def test_suggestions_stand_behind_now_and_those_that_cannot_stand_are_left_out() -> None:
    asked = replace(scene(), proposals=("2026-12-20T09:00", "2026-12-24T18:00"))
    card: Any = STEP.draw(asked)
    assert [one.token for one in card.suggestions] == ["now", "s0"]
    assert taps("s0", asked) == Settled("2026-12-20T09:00", Source.TAP)


def test_now_is_never_offered_twice() -> None:
    asked = replace(scene(), proposals=("now", "2026-12-20T09:00"))
    card: Any = STEP.draw(asked)
    assert [one.label for one in card.suggestions] == ["Now", "Sunday, December 20, 2026, 9:00 AM"]
    assert taps(card.suggestions[1].token, asked) == Settled("2026-12-20T09:00", Source.TAP)


def test_now_is_one_tap() -> None:
    assert taps("now") == Settled("now", Source.TAP)


def test_a_day_an_hour_and_minutes_are_three_taps() -> None:
    day = taps("d20261223")
    assert isinstance(day, Moved)
    hour = taps("h09", replace(scene(), cursor=day.cursor))
    assert isinstance(hour, Moved)
    minute = taps("m0930", replace(scene(), cursor=hour.cursor))
    assert minute == Settled("2026-12-23T09:30", Source.TAP)


def test_on_the_day_itself_the_hours_end_at_the_start() -> None:
    card: Any = STEP.draw(replace(scene(), cursor={"day": "2026-12-24"}))
    assert [one.token for one in card.options][-1] == "h17"
    assert [one.label for one in card.suggestions] == ["Now"]


@pytest.mark.parametrize("token", ["d20261225", "d20261130", "m1800", "x", "o0", "s0", "skip"])
def test_a_tap_that_means_nothing_here_settles_nothing(token: str) -> None:
    assert not isinstance(taps(token), Settled)


@pytest.mark.parametrize(
    "language, words",
    [
        ("en", ["now", "Now!", "right now please", "immediately", "as soon as possible"]),
        ("de", ["sofort", "Jetzt bitte", "ab sofort", "so bald wie möglich"]),
        ("es", ["ahora", "¡Ahora mismo!", "cuanto antes", "lo antes posible, por favor"]),
    ],
)
def test_words_for_now_are_now(language: str, words: list[str]) -> None:
    for text in words:
        assert says(text, scene(language)) == Settled("now", Source.TYPED), text


@pytest.mark.parametrize(
    "language, text, value",
    [
        ("en", "20 December 2026 at 9 am", "2026-12-20T09:00"),
        ("en", "tomorrow at 5 pm", "2026-12-02T17:00"),
        ("de", "morgen um 17 Uhr", "2026-12-02T17:00"),
        ("es", "mañana a las 17:00", "2026-12-02T17:00"),
    ],
)
def test_words_for_a_moment_are_that_moment(language: str, text: str, value: str) -> None:
    assert says(text, scene(language)) == Settled(value, Source.TYPED)


def test_a_day_alone_asks_for_the_hour() -> None:
    result = says("20 December 2026")
    assert isinstance(result, Moved)
    assert result.cursor == {"day": "2026-12-20"}
    then = says("9 am", replace(scene(), cursor=result.cursor))
    assert then == Settled("2026-12-20T09:00", Source.TYPED)


@pytest.mark.parametrize(
    "text",
    [
        "now, or is Friday better?",
        "not now",
        "now or never",
        "maybe now",
        "why do you need that?",
        "now but only for members",
        "whenever you like",
        "1",
        "yes",
    ],
)
def test_anything_beside_the_answer_settles_nothing(text: str) -> None:
    assert isinstance(says(text), Beside | Unsure | Refused)


TOO_LATE = (
    "That is not before the event starts (Thursday, December 24, 2026, 6:00 PM). "
    "Please choose an earlier time, or tap “Now”."
)


def test_it_is_before_the_start() -> None:
    asked = scene()
    assert STEP.fault(asked, "2026-12-24T17:59") == ""
    assert STEP.fault(asked, "2026-12-24T18:00") == TOO_LATE
    assert says("24 December 2026 at 18:00") == Refused(TOO_LATE)
    assert submits("2026-12-31T10:00") == Refused(TOO_LATE)


def test_it_is_not_in_the_past() -> None:
    told = STEP.fault(scene(), "2026-12-01T12:59")
    assert told == "It cannot be before Tuesday, December 1, 2026, 1:00 PM."
    assert submits("2026-11-30T10:00") == Refused(told)


def test_a_native_control_sends_a_moment() -> None:
    assert submits("2026-12-20T09:15") == Settled("2026-12-20T09:15", Source.FORM)
    assert isinstance(submits("next week"), Refused)


def test_once_the_event_would_have_started_nothing_stands_and_the_card_says_why() -> None:
    late = scene(now=datetime(2026, 12, 24, 18, 0, tzinfo=ZoneInfo("Europe/Berlin")))
    told = (
        "The event would have started already (Thursday, December 24, 2026, 6:00 PM). "
        "Please go back and change its date or its start."
    )
    assert taps("now", late) == Refused(told)
    assert says("now", late) == Refused(told)
    assert STEP.fault(late, "2026-12-24T18:30") == told
    card: Any = STEP.draw(late)
    assert (card.suggestions, card.options) == ((), ())


def test_a_moment_that_has_passed_meanwhile_cannot_stand_any_more() -> None:
    later = scene(now=datetime(2026, 12, 21, 9, 0, tzinfo=ZoneInfo("Europe/Berlin")))
    assert STEP.fault(scene(), "2026-12-20T09:00") == ""
    assert STEP.fault(later, "2026-12-20T09:00") != ""
    assert STEP.fault(later, "now") == ""


@pytest.mark.parametrize(
    "language, shown, moment",
    [
        ("en", "As soon as it is approved", "Sunday, December 20, 2026, 9:00 AM"),
        ("de", "Sobald sie freigegeben ist", "Sonntag, 20. Dezember 2026, 09:00"),
        ("es", "En cuanto se apruebe", "domingo, 20 de diciembre de 2026, 09:00"),
    ],
)
def test_it_is_shown_in_the_persons_language(language: str, shown: str, moment: str) -> None:
    asked = scene(language)
    assert STEP.show(asked, "now") == shown
    assert STEP.show(asked, "2026-12-20T09:00") == moment


def test_values_of_another_sort_are_refused_and_shown_as_they_are() -> None:
    for value in (5, ["now"], {"at": "now"}, "soon", "2026-12-20", True):
        assert STEP.fault(scene(), value) != ""
        assert STEP.show(scene(), value)


def test_its_sample_can_stand() -> None:
    assert STEP.fault(scene(), STEP.sample(scene())) == ""


@pytest.mark.parametrize("settled", [{"kind": "talk"}, {"date": "2026-12-24"}])
def test_without_a_start_it_bounds_nothing(settled: dict[str, Any]) -> None:
    asked = scene(**settled)
    assert STEP.fault(asked, "2030-01-01T10:00") == ""
    assert taps("now", asked) == Settled("now", Source.TAP)


@pytest.mark.parametrize(
    "language, text, offered",
    [
        ("en", "12", ("2026-12-05T12:00", "2026-12-05T00:00")),
        ("en", "7", ("2026-12-05T07:00", "2026-12-05T19:00")),
        ("de", "12 Uhr", ("2026-12-05T12:00", "2026-12-05T00:00")),
        ("es", "a las 7", ("2026-12-05T07:00", "2026-12-05T19:00")),
    ],
)
def test_a_bare_hour_on_a_chosen_day_offers_what_it_may_be(
    language: str, text: str, offered: tuple[str, ...]
) -> None:
    on_the_fifth = replace(scene(language), cursor={"day": "2026-12-05"})
    found = says(text, on_the_fifth)
    assert isinstance(found, Unsure)
    assert sorted(found.proposals) == sorted(offered)


def test_a_bare_hour_on_the_last_day_offers_what_is_before_the_start() -> None:
    found = says("7", replace(scene(), cursor={"day": "2026-12-24"}))
    assert isinstance(found, Unsure)
    assert found.proposals == ("2026-12-24T07:00",)
    assert found.reason == "Is this what you mean? Then tap it."
