"""Options to tap: one, several, yes or no, a confirmation."""

from __future__ import annotations

from typing import Any

import pytest

from core.cards import Chips, Role
from core.draft import Source
from core.step.base import Beside, Moved, Refused, Settled, Unsure
from tests.support.scenes import Asked, ask, labels, submit, tap, upload

FORMATS = {
    "options": ["in_person", "online", "both"],
    "texts": {
        "ask": "In person or online?",
        "options": {"in_person": "In person", "online": "Online", "both": "Both"},
        "aliases": {"in_person": "face to face, on site"},
        "details": {"online": "A link is enough."},
    },
}

TOPICS = {
    "options": ["music", "food", "books"],
    "count": (1, 2),
    "texts": {"ask": "Which topics?"},
}


def formats(**more: Any) -> Asked:
    return ask("choice", **{**FORMATS, **more})


def topics(**more: Any) -> Asked:
    return ask("choices", **{**TOPICS, **more})


# One of several


def test_a_choice_draws_its_options_and_nothing_is_chosen() -> None:
    card = formats().card
    assert isinstance(card, Chips)
    assert card.title == "In person or online?"
    assert labels(card.options) == ["In person", "Online", "Both"]
    assert card.options[1].detail == "A link is enough."
    assert all(one.ticked is None for one in card.options)
    assert (card.done, card.suggestions, card.controls, card.reason) == (None, (), (), "")


@pytest.mark.parametrize(
    "typed, value",
    [
        ("Online", "online"),
        ("online please", "online"),
        ("the second one", "online"),
        ("2", "online"),
        ("face to face", "in_person"),
    ],
)
def test_words_that_are_wholly_one_option_settle_it(typed: str, value: str) -> None:
    assert formats().says(typed).read == Settled(value, Source.TYPED)


def test_a_tap_and_a_native_select_settle_the_option() -> None:
    assert formats().taps("Both").read == Settled("both", Source.TAP)
    assert formats().submits(value="o2").read == Settled("both", Source.FORM)
    assert formats().submits(value=["o0"]).read == Settled("in_person", Source.FORM)


@pytest.mark.parametrize("typed", ["online, and is parking free?", "why do you need that?"])
def test_anything_beside_the_option_settles_nothing(typed: str) -> None:
    result = formats().says(typed).read
    assert isinstance(result, Beside)
    assert result.proposals in ((), ("online",))


@pytest.mark.parametrize("token", ["o3", "o-1", "o", "o٣", "s0", "skip", "~back", "", "x" * 5000])
def test_a_token_that_is_on_no_button_changes_nothing(token: str) -> None:
    asked = formats(cursor={})
    assert asked.replies(tap(token)).read == Moved(cursor={})
    assert asked.replies(submit(value=token)).read == Moved(cursor={})


def test_a_suggestion_is_a_button_of_its_own_and_settles_by_a_tap() -> None:
    asked = formats(proposals=("gone", "both"))
    assert labels(asked.card.suggestions) == ["Both"]
    assert asked.card.suggestions[0].role is Role.SUGGESTION
    assert asked.taps("s1").read == Settled("both", Source.TAP)
    assert isinstance(asked.replies(tap("s0")).read, Moved)


def test_an_optional_choice_can_be_skipped_and_a_required_one_says_that_it_is_needed() -> None:
    optional = formats(required=False)
    assert labels(optional.card.controls) == ["Skip"]
    assert optional.taps("Skip").read == Settled(None, Source.TAP)
    assert optional.says("skip").read == Settled(None, Source.TYPED)
    refused = formats().says("skip").read
    assert refused == Refused("This one is needed. Please answer it.")


def test_files_beside_a_choice_are_for_the_talk() -> None:
    assert formats().replies(upload()).read == Beside()


def test_an_option_that_the_manifest_no_longer_has_is_a_fault() -> None:
    asked = formats()
    fault = "That is not one of the options. Please tap one."
    assert asked.step.fault(asked.scene, "hybrid") == fault
    assert asked.step.fault(asked.scene, ["online"]) == fault
    assert asked.step.fault(asked.scene, "online") == ""


# Several


def test_taps_tick_and_untick_and_done_settles_in_the_manifests_order() -> None:
    asked = topics().taps("Food", "Music")
    assert [one.ticked for one in asked.card.options] == [True, True, False]
    asked.taps("Food", "Books", "Done")
    assert asked.read == Settled(["music", "books"], Source.TAP)


def test_a_tap_that_arrives_twice_ticks_once() -> None:
    asked = topics()
    food = asked.card.options[1].token
    asked.replies(tap(food)).replies(tap(food))
    assert [one.ticked for one in asked.card.options] == [False, True, False]


def test_more_than_the_count_allows_is_refused_at_the_tick_and_keeps_the_others() -> None:
    asked = topics().taps("Food", "Music", "Books")
    assert asked.read == Refused("2 at most. Take one away first.")
    assert [one.ticked for one in asked.card.options] == [True, True, False]
    assert asked.card.hint == "Tap all that apply, then Done.\nFrom 1 to 2."


def test_done_with_too_few_says_how_many_are_missing() -> None:
    assert topics().taps("Done").read == Refused("At least 1 needed; so far: 0.")


def test_a_native_checkbox_group_sends_all_at_once() -> None:
    assert topics().submits(value=["t0", "t2"]).read == Settled(["music", "books"], Source.FORM)
    refused = topics().submits(value=["t0", "t1", "t2"])
    assert isinstance(refused.read, Refused)
    assert [one.ticked for one in refused.card.options] == [True, True, True]
    assert isinstance(topics().submits(value=["t0", "t9"]).read, Moved)


def test_words_that_name_options_settle_them() -> None:
    assert topics().says("music and books").read == Settled(["music", "books"], Source.TYPED)
    assert topics().says("Books, Music").read == Settled(["music", "books"], Source.TYPED)


def test_words_beside_ticks_could_mean_these_too_or_these_instead() -> None:
    asked = topics().taps("Food").says("music")
    assert isinstance(asked.read, Unsure)
    assert asked.read.proposals == (["music", "food"], ["music"])
    assert labels(asked.card.suggestions) == ["Music, Food", "Music"]
    assert asked.taps("Music, Food").read == Settled(["music", "food"], Source.TAP)


def test_none_of_them_leaves_an_optional_choice_out() -> None:
    assert topics(required=False).says("none of them").read == Settled(None, Source.TYPED)
    assert topics().says("none of them").read == Refused("At least 1 needed; so far: 0.")
    assert topics(count=(0, 2)).says("none of them").read == Settled([], Source.TYPED)


def test_typed_done_sends_what_is_ticked() -> None:
    assert topics().taps("Food").says("done").read == Settled(["food"], Source.TAP)


def test_a_review_starts_with_what_was_settled() -> None:
    asked = topics(settled={"it": ["books"]})
    assert [one.ticked for one in asked.card.options] == [False, False, True]
    assert asked.taps("Done").read == Settled(["books"], Source.TAP)


@pytest.mark.parametrize(
    "value, fault",
    [
        (["music"], ""),
        ([], "At least 1 needed; so far: 0."),
        (["music", "food", "books"], "2 at most. Take one away first."),
        (["music", "music"], "One is named twice."),
        (["music", "chess"], "That is not one of the options. Please tap one."),
        ("music", "That does not fit here. Please answer again."),
        (None, "This one is needed. Please answer it."),
    ],
)
def test_what_may_stand_for_several_options(value: Any, fault: str) -> None:
    asked = topics()
    assert asked.step.fault(asked.scene, value) == fault


# Yes or no


@pytest.mark.parametrize(
    "typed, value", [("yes", True), ("No.", False), ("yep", True), ("nope", False)]
)
def test_a_plain_yes_or_no_settles(typed: str, value: bool) -> None:
    assert ask("yes_no").says(typed).read == Settled(value, Source.TYPED)


@pytest.mark.parametrize("typed", ["yes but only on Friday", "not sure", "is that needed?"])
def test_a_qualified_yes_settles_nothing(typed: str) -> None:
    assert not isinstance(ask("yes_no").says(typed).read, Settled)


def test_yes_and_no_are_buttons_that_a_journey_may_word() -> None:
    own = ask("yes_no", texts={"options": {"yes": "Yes, record it", "no": "Please don't"}})
    assert labels(own.card.options) == ["Yes, record it", "Please don't"]
    assert own.taps("Please don't").read == Settled(False, Source.TAP)
    assert own.submits(value="o0").read == Settled(True, Source.FORM)
    assert labels(ask("yes_no", locale="de").card.options) == ["Ja", "Nein"]
    assert own.step.show(own.scene, False) == "Please don't"


# An attestation


def test_an_attestation_shows_its_statement_and_one_button() -> None:
    asked = ask("attestation", texts={"statement": "I own the rights.", "confirm": "I do"})
    assert asked.card.verbatim == "I own the rights."
    assert [(one.label, one.role) for one in asked.card.options] == [("I do", Role.CONFIRM)]
    assert asked.taps("I do").read == Settled(True, Source.TAP)


@pytest.mark.parametrize("typed", ["yes", "yes, that's right"])
def test_an_attestation_is_given_by_a_yes_and_nothing_else(typed: str) -> None:
    assert ask("attestation").says(typed).read == Settled(True, Source.TYPED)


@pytest.mark.parametrize("typed", ["yes but not the photos", "what is that?", "maybe"])
def test_a_yes_with_anything_beside_it_attests_nothing(typed: str) -> None:
    assert ask("attestation").says(typed).read == Beside()


def test_an_attestation_cannot_be_refused_suggested_or_forged() -> None:
    asked = ask("attestation", proposals=(True,))
    assert asked.card.suggestions == ()
    assert asked.replies(tap("s0")).read == Moved(cursor={})
    assert asked.submits(value="o0").read == Moved(cursor={})
    assert isinstance(asked.says("no").read, Refused)
    assert asked.step.fault(asked.scene, False) != ""
