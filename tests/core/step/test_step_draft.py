"""A text that the talk has drafted: shown as it is, and the person's own only by a tap."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.cards import Chips, Form
from core.draft import Source
from core.step.base import Beside, Moved, Refused, Settled, Unsure
from tests.support.scenes import Asked, ask, labels, tap

DRAFT = "An evening of songs from three countries.\nCome early: the kitchen opens at six."


def drafted(*proposals: str) -> Asked:
    return ask("long_text", draftable=True, proposals=proposals or (DRAFT,))


def test_a_draft_is_shown_word_for_word_with_three_ways_on() -> None:
    card = drafted().card
    assert isinstance(card, Chips)
    assert card.verbatim == DRAFT
    assert labels(card.options) == ["Use this text", "Edit it", "Write my own"]
    assert card.suggestions == ()


def test_use_settles_exactly_that_text_by_a_tap() -> None:
    assert drafted().taps("Use this text").read == Settled(DRAFT, Source.TAP)


@pytest.mark.parametrize("typed", ["yes", "Use this text", "use it", "yes, that's right"])
def test_a_typed_yes_takes_no_text_of_the_models(typed: str) -> None:
    result = drafted().says(typed).read
    assert result == Unsure(proposals=(), reason="Tap “Use this text” to take exactly this text.")


def test_edit_shows_the_text_for_copying_and_takes_what_comes_back() -> None:
    asked = drafted().taps("Edit it")
    assert isinstance(asked.card, Form)
    assert asked.card.verbatim == DRAFT
    assert asked.card.fields[0].value == DRAFT
    assert "Copy the text" in asked.card.hint
    edited = DRAFT.replace("six", "seven")
    assert asked.submits(it=edited).read == Settled(edited, Source.FORM)
    assert asked.says(edited).read == Settled(edited, Source.TYPED)


def test_an_own_text_is_asked_for_and_the_draft_stays_one_tap_away() -> None:
    asked = drafted().taps("Write my own")
    assert isinstance(asked.card, Form)
    assert asked.card.fields[0].value == ""
    assert asked.card.hint.startswith("Type your own text.")
    assert asked.taps("Use this").read == Settled(DRAFT, Source.TAP)
    assert asked.says("A fun evening.").read == Settled("A fun evening.", Source.TYPED)


def test_a_no_is_a_wish_to_write_it_oneself() -> None:
    asked = drafted().says("no")
    assert isinstance(asked.card, Form)
    assert isinstance(drafted().says("edit it").card, Form)
    assert isinstance(drafted().says("I'll write my own").card, Form)


def test_a_typed_text_beside_the_draft_settles_as_typed() -> None:
    own = "We sing together, everybody brings one song and something to eat."
    assert drafted().says(own).read == Settled(own, Source.TYPED)


@pytest.mark.parametrize(
    "typed",
    [
        "make it shorter",
        "Please mention that there is parking behind the house",
        "too long",
        "can you make it more cheerful?",
        "shorter please",
        "I like the tone, mention the piano",
    ],
)
def test_a_wish_for_another_draft_is_for_the_talk(typed: str) -> None:
    assert isinstance(drafted().says(typed).read, Beside)


@pytest.mark.parametrize("typed", ["make it shorter please", "shorter", "less formal, please"])
def test_a_wish_is_for_the_talk_also_where_a_text_would_have_to_be_longer(typed: str) -> None:
    asked = ask("long_text", draftable=True, min_length=30, proposals=(DRAFT,))
    assert asked.says(typed).read == Beside()


def test_a_skip_beside_a_draft_of_a_needed_text_is_refused() -> None:
    assert drafted().says("skip").read == Refused("This one is needed. Please answer it.")


def test_a_newer_draft_has_to_be_decided_on_anew() -> None:
    asked = drafted().taps("Edit it")
    newer = ask("long_text", draftable=True, proposals=("A newer draft, and longer.", DRAFT))
    newer.scene = replace(newer.scene, cursor=asked.scene.cursor)
    assert isinstance(newer.card, Chips)
    assert newer.card.verbatim == "A newer draft, and longer."


def test_a_draft_that_could_not_stand_is_never_shown() -> None:
    asked = ask("long_text", draftable=True, max_length=20, proposals=(DRAFT,))
    assert isinstance(asked.card, Form)
    assert asked.card.verbatim == ""
    assert asked.replies(tap("use")).read == Moved(cursor={})


def test_without_a_draft_it_is_a_text_like_any_other() -> None:
    asked = ask("long_text", draftable=True)
    assert isinstance(asked.card, Form)
    assert asked.says("A fun evening.").read == Settled("A fun evening.", Source.TYPED)
