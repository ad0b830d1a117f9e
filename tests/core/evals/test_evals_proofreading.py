"""A person reads a summary by what stands there, the same way whoever leads."""

from __future__ import annotations

import pytest

from core.evals.proofreading import CORRECTIONS, InMind, Patience, in_mind, is_nothing, wrong
from core.journey import JourneyType
from tests.support.journeys import dinner

SEATS = InMind(spellings=("40",))
TITLE = InMind(spellings=("Winter Dinner",), verbatim=True)
GUESTS = InMind(spellings=("Ada Grace",), verbatim=True)


def test_a_line_that_says_what_they_have_in_mind_is_right() -> None:
    shows = {"seats": "40 people", "title": "“Winter Dinner”", "guests": "1. Ada\n2. Grace"}
    mind = {"seats": SEATS, "title": TITLE, "guests": GUESTS}
    assert wrong(shows, "", mind, set(mind)) == []
    assert wrong({"guests": "Ada and Grace"}, "", mind, {"guests"}) == []


@pytest.mark.parametrize(
    "shows",
    [{"seats": "50"}, {"title": "Winter"}, {"title": "Winter Dinner, why do you ask?"}],
)
def test_a_line_that_says_something_else_is_wrong(shows: dict[str, str]) -> None:
    mind = {"seats": SEATS, "title": TITLE}
    assert wrong(shows, "", mind, ()) == list(shows)


def test_a_line_of_which_they_know_nothing_is_wrong() -> None:
    assert wrong({"guests": "Mallory, Eve"}, "", {}, ()) == ["guests"]
    assert wrong({"guests": "left out"}, "", {}, ()) == []


def test_what_they_leave_out_has_no_value() -> None:
    mind = {"guests": InMind(left_out=True)}
    assert wrong({"guests": "Mallory"}, "", mind, {"guests"}) == ["guests"]
    assert wrong({"guests": "none"}, "", mind, {"guests"}) == []
    assert wrong({}, "", mind, {"guests"}) == []


def test_what_they_gave_has_to_stand_somewhere_and_what_was_never_asked_is_not_missed() -> None:
    mind = {"seats": SEATS, "title": TITLE}
    assert wrong({"title": "Winter Dinner"}, "For 40 people", mind, ("seats", "title")) == []
    assert wrong({"title": "Winter Dinner"}, "", mind, ("seats", "title")) == ["seats"]
    assert wrong({"title": "Winter Dinner"}, "", mind, ("title",)) == []


@pytest.mark.parametrize(
    "text", ["left out", "None", "none given", "not provided", "-", "ausgelassen"]
)
def test_how_a_line_says_that_there_is_nothing(text: str) -> None:
    assert is_nothing(text)


@pytest.mark.parametrize(
    "text",
    ["Nora", "No Limits", "not sure yet", "No Sleep Till Brooklyn", "not yet decided, maybe 5"],
)
def test_what_is_a_value_all_the_same(text: str) -> None:
    assert not is_nothing(text)


def test_a_text_of_their_own_is_theirs_to_the_word() -> None:
    items, texts = dinner().manifest.by_name, dinner().speak("en")
    assert in_mind(items["title"], "Feast", ("Feast",), texts).verbatim
    assert not in_mind(items["seats"], 40, ("40",), texts).verbatim
    assert in_mind(items["guests"], None, ("",), texts).left_out


def test_another_option_that_says_more_is_another() -> None:
    mind = {"format": InMind(spellings=("In person",), others=("Online", "In person and online"))}
    assert wrong({"format": "In person"}, "", mind, ()) == []
    assert wrong({"format": "In person (at the hall)"}, "", mind, ()) == []
    assert wrong({"format": "In person and online"}, "", mind, ()) == ["format"]


def test_the_same_thing_is_put_right_so_often_and_no_more() -> None:
    patience, left = Patience(), []
    for _ in range(CORRECTIONS):
        left.append(patience.is_left("seats"))
        patience.corrected("seats")
    assert left == [True] * CORRECTIONS
    assert not patience.is_left("seats")
    assert patience.is_left("title")


@pytest.mark.parametrize("locale", ["en", "de", "es"])
def test_what_the_runtime_shows_of_what_was_left_out_is_nothing(locale: str) -> None:
    assert is_nothing(JourneyType(dinner().manifest, {locale: {}}).speak(locale)("turn.left_out"))
