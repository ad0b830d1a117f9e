"""People are as restless with the one lead as with the other, from the same seed."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from core.cards import Form, Picker, PickerMode
from core.evals.player import STUBBORN, Tries
from core.evals.restless import (
    AS_A_TEXT,
    ASIDES,
    Rates,
    Restless,
    Whim,
    is_yes,
    without_aside,
)
from core.evals.scenario import Scenario, Somebody
from tests.support.journeys import dinner

ANNA = Scenario(about="A dinner.", name="one", journey="dinner")


def whims(seed: int, number: int = 400, *, at_summary: bool = False) -> list[Whim | None]:
    restless = Restless(seed, ANNA)
    return [restless.whim(at_summary=at_summary) for _ in range(number)]


def test_the_same_seed_gives_the_same_whims_at_the_set_rates() -> None:
    assert whims(7) == whims(7) != whims(8)
    counted = Counter(whims(7, 20_000))
    for whim in (Whim.ASIDE, Whim.ANSWER_AND_MORE, Whim.OLD_CARD, Whim.STRANGER, Whim.COMES_BACK):
        assert counted[whim] / 20_000 == pytest.approx(getattr(Rates(), whim.value), abs=0.01)
    assert Whim.WAVERS not in counted


def test_at_the_summary_they_waver_once() -> None:
    assert Counter(whims(7, at_summary=True))[Whim.WAVERS] == 1


def test_who_is_asked_for_a_text_says_nothing_that_could_be_one() -> None:
    items = dinner().manifest.by_name
    restless = Restless(1, ANNA)
    said = {restless.aside(asked=items["title"]) for _ in range(200)}
    assert said == set(ASIDES["en"]) - AS_A_TEXT
    assert {restless.aside(asked=items["seats"]) for _ in range(200)} == set(ASIDES["en"])


def test_they_speak_their_language_and_can_be_told_from_what_they_answer() -> None:
    german = ANNA.model_copy(update={"person": Somebody(locale="de-AT")})
    aside = Restless(3, german).aside("40")
    assert aside.removeprefix("40, ") in ASIDES["de"]
    assert without_aside(aside) == "40"
    assert without_aside(ASIDES["es"][0]) == ""
    assert without_aside("Winter Dinner") == "Winter Dinner"


def test_they_only_change_what_they_have_in_mind_and_what_is_shown() -> None:
    restless, manifest = Restless(1, ANNA), dinner().manifest
    intent = {"title": "Winter", "day": "2027-01-15", "seats": 40}
    assert restless.change(manifest, ["title"], intent) == ("title", "Winter II")
    assert restless.change(manifest, ["day", "seats"], intent) == ("day", "2027-01-16")
    assert restless.change(manifest, ["seats"], intent) is None


@pytest.mark.parametrize(
    "text, yes", [("Ja!", True), ("sí", True), ("Yes.", True), ("yes, but 20", False), ("", False)]
)
def test_a_yes_and_nothing_else(text: str, yes: bool) -> None:
    assert is_yes(text) is yes


def test_replies_that_bring_a_list_on_are_not_in_vain_however_many() -> None:
    def card(*entries: str) -> Picker:
        return Picker(id="c", item="guests", title="Who?", mode=PickerMode.ENTRIES, entries=entries)

    tries, names = Tries(), [f"Guest {number}" for number in range(2 * STUBBORN)]
    counted = [tries.so_far("guests", card(*names[:end])) for end in range(len(names), 0, -1)]
    assert set(counted) == {0}


def test_replies_that_leave_the_card_as_it_was_are_in_vain() -> None:
    refused = Form(id="c", item="seats", title="How many?", fields=())
    tries = Tries()
    counted = [
        tries.so_far("seats", msgspec.structs.replace(refused, id=f"c{n}", reason=f"No, {n}"))
        for n in range(4)
    ]
    assert counted == [0, 1, 2, 3]
    assert tries.so_far("day", None) == 0
