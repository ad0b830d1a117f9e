"""A list: it grows by typing, shrinks by a tap or a word, and is sent by Done."""

from __future__ import annotations

from typing import Any

import pytest

from core.cards import PickerMode, Role
from core.draft import Source
from core.step.base import Beside, Moved, Refused, Settled, Unsure
from tests.support.scenes import Asked, ask, labels, tap


def guests(*entries: str, **more: Any) -> Asked:
    cursor = {"entries": list(entries)} if entries else {}
    return ask("entries", cursor=cursor, **{"count": (1, 5), **more})


def test_a_list_starts_empty_and_cannot_be_sent_empty() -> None:
    card = guests().card
    assert card.mode is PickerMode.ENTRIES
    assert (card.entries, card.options, card.done) == ((), (), None)
    assert guests().says("done").read == Refused("At least 1 needed; so far: 0.")
    assert isinstance(guests().replies(tap("done")).read, Refused)


def test_entries_are_added_as_typed_one_or_several_a_message() -> None:
    asked = guests().says("Ada Lovelace")
    assert asked.read == Moved(cursor={"entries": ["Ada Lovelace"]}, said="Added: Ada Lovelace.")
    asked.says("Grace Hopper\nKatherine Johnson")
    assert asked.card.entries == ("Ada Lovelace", "Grace Hopper", "Katherine Johnson")
    assert labels(asked.card.options) == [
        "1. Ada Lovelace",
        "2. Grace Hopper",
        "3. Katherine Johnson",
    ]
    assert all(one.role is Role.REMOVE for one in asked.card.options)


@pytest.mark.parametrize("how", ["taps", "says"])
def test_done_sends_the_list(how: str) -> None:
    asked = guests("Ada", "Grace")
    asked = asked.taps("Done") if how == "taps" else asked.says("that's all")
    source = Source.TAP if how == "taps" else Source.TYPED
    assert asked.read == Settled(["Ada", "Grace"], source)


def test_a_tap_removes_one_entry_and_the_same_tap_again_removes_no_other() -> None:
    asked = guests("Anna", "Anna", "Ben")
    first = asked.card.options[0].token
    asked.replies(tap(first)).replies(tap(first))
    assert asked.card.entries == ("Anna", "Ben")


@pytest.mark.parametrize(
    "typed, left",
    [
        ("remove 2", ("Anna", "Cleo")),
        ("remove ben", ("Anna", "Cleo")),
        ("Delete Cleo.", ("Anna", "Ben")),
        ("take Ben off the list", ("Anna", "Cleo")),
    ],
)
def test_an_entry_is_removed_by_name_or_number(typed: str, left: tuple[str, ...]) -> None:
    asked = guests("Anna", "Ben", "Cleo").says(typed)
    assert isinstance(asked.read, Moved)
    assert asked.card.entries == left


@pytest.mark.parametrize(
    "typed, reason",
    [
        ("remove Dora", "“Dora” is not on the list. Please name one by its number."),
        ("remove 9", "“9” is not on the list. Please name one by its number."),
        ("remove Anna", "“Anna” is on the list more than once. Please name it by its number."),
    ],
)
def test_what_cannot_be_removed_says_why_and_the_list_stays(typed: str, reason: str) -> None:
    asked = guests("Anna", "Anna", "Ben").says(typed)
    assert asked.read == Refused(reason)
    assert asked.card.entries == ("Anna", "Anna", "Ben")


@pytest.mark.parametrize(
    "locale, typed",
    [
        ("en", "I forgot Cleo"),
        ("en", "I forgot to add Cleo!"),
        ("de", "Ich habe Cleo vergessen"),
        ("es", "Olvidé a Cleo"),
    ],
)
def test_a_forgotten_entry_is_a_suggestion_that_a_tap_adds(locale: str, typed: str) -> None:
    asked = guests("Anna", "Ben", locale=locale).says(typed)
    assert isinstance(asked.read, Unsure)
    assert asked.read.proposals == (["Cleo"],)
    assert asked.card.entries == ("Anna", "Ben")
    assert len(asked.card.suggestions) == 1
    token = asked.card.suggestions[0].token
    asked.replies(tap(token)).replies(tap(token))
    assert asked.card.entries == ("Anna", "Ben", "Cleo")
    assert asked.card.suggestions == ()


@pytest.mark.parametrize("typed", ["add Ben", "also Ben", "and Ben", "Ben too"])
def test_add_adds(typed: str) -> None:
    assert guests("Anna").says(typed).card.entries == ("Anna", "Ben")


@pytest.mark.parametrize(
    "typed", ["Ben\nCleo, that's all", "Ben\nCleo\ndone", "Ben; Cleo. That's it."]
)
def test_the_last_entries_and_the_end_of_the_list_may_come_together(typed: str) -> None:
    assert guests("Anna").says(typed).read == Settled(["Anna", "Ben", "Cleo"], Source.TYPED)


def test_a_list_that_is_ended_too_early_keeps_what_was_added() -> None:
    asked = guests(count=(3, 5)).says("Anna\nBen\nthat's all")
    assert asked.read == Refused(
        "At least 3 needed; so far: 2.", cursor={"entries": ["Anna", "Ben"]}
    )
    assert asked.card.entries == ("Anna", "Ben")


def test_a_suggestion_adds_only_what_is_not_on_the_list() -> None:
    asked = guests("Anna", proposals=(["Anna", "Ben"], ["Anna"], "x", [], [7]))
    assert labels(asked.card.suggestions) == ["Add Ben"]
    assert asked.taps("Add Ben").card.entries == ("Anna", "Ben")


@pytest.mark.parametrize(
    "locale, two, one",
    [
        ("en", "Add as 2: Anna Berg, Ben Cole", "Add as 1: Anna Berg, Ben Cole"),
        ("de", "Als 2 hinzufügen: Anna Berg, Ben Cole", "Als 1 hinzufügen: Anna Berg, Ben Cole"),
        ("es", "Añadir como 2: Anna Berg, Ben Cole", "Añadir como 1: Anna Berg, Ben Cole"),
    ],
)
def test_one_comma_could_part_two_or_stand_in_one_and_the_buttons_tell_which(
    locale: str, two: str, one: str
) -> None:
    asked = guests(locale=locale).says("Anna Berg, Ben Cole")
    assert labels(asked.card.suggestions) == [two, one]
    asked.taps(two)
    assert asked.card.entries == ("Anna Berg", "Ben Cole")
    assert asked.card.suggestions == ()
    other = guests(locale=locale).says("Anna Berg, Ben Cole").taps(one)
    assert other.card.entries == ("Anna Berg, Ben Cole",)
    assert other.card.suggestions == ()


def test_a_long_suggestion_is_shown_line_by_line() -> None:
    names = [f"Somebody with a long name, number {n}" for n in range(3)]
    asked = guests(proposals=(names,))
    assert asked.card.verbatim == "\n".join(names)
    assert asked.taps("Use this").card.entries == tuple(names)


def test_a_name_that_is_there_already_is_kept_and_the_person_is_told() -> None:
    asked = guests("Anna").says("Anna")
    assert asked.card.entries == ("Anna", "Anna")
    assert asked.card.reason == "Added: Anna. Now on the list more than once: Anna."
    assert asked.taps("Done").read == Settled(["Anna", "Anna"], Source.TAP)


def test_more_than_fit_are_refused_and_none_of_them_is_added() -> None:
    asked = guests("A", "B", "C", "D").says("E\nF")
    assert asked.read == Refused("5 at most. Take one away first.")
    assert len(asked.card.entries) == 4
    assert asked.says("E").card.entries == ("A", "B", "C", "D", "E")


def test_a_minimum_is_needed_before_done_is_there() -> None:
    asked = guests("A", count=(2, 3))
    assert asked.card.done is None
    assert asked.says("done").read == Refused("At least 2 needed; so far: 1.")
    assert asked.says("B").card.done is not None


def test_an_entry_that_is_too_long_is_refused() -> None:
    assert isinstance(guests(max_length=5).says("Anneliese").read, Refused)


def test_skip_leaves_an_empty_optional_list_out_and_drops_nothing_that_was_collected() -> None:
    assert guests(required=False).says("skip").read == Settled(None, Source.TYPED)
    assert guests(required=False).taps("Skip").read == Settled(None, Source.TAP)
    asked = guests("Anna", required=False).says("skip")
    assert isinstance(asked.read, Refused)
    assert asked.card.entries == ("Anna",)


@pytest.mark.parametrize("typed", ["none", "nobody"])
def test_nobody_is_no_entry(typed: str) -> None:
    assert guests(required=False).says(typed).read == Settled(None, Source.TYPED)
    assert guests().says(typed).read == Refused("At least 1 needed; so far: 0.")
    assert guests(count=(0, 5)).says(typed).read == Settled([], Source.TYPED)
    asked = guests("Anna").says(typed)
    assert asked.read == Beside()
    assert asked.card.entries == ("Anna",)


def test_a_question_is_for_the_talk() -> None:
    asked = guests("Anna").says("how many can I bring?")
    assert isinstance(asked.read, Beside)
    assert asked.card.entries == ("Anna",)


def test_a_native_form_adds_its_lines() -> None:
    asked = guests("Anna").submits(value="Ben\n\n Cleo ")
    assert asked.card.entries == ("Anna", "Ben", "Cleo")
    assert asked.submits(it=["Dora"]).card.entries == ("Anna", "Ben", "Cleo", "Dora")
    assert isinstance(asked.submits(value=" ").read, Moved)
    assert len(asked.card.entries) == 4


def test_a_review_starts_with_the_settled_entries() -> None:
    asked = ask("entries", settled={"it": ["Anna", "Ben"]})
    assert asked.card.entries == ("Anna", "Ben")
    assert asked.taps("1. Anna", "Done").read == Settled(["Ben"], Source.TAP)


@pytest.mark.parametrize("token", ["x0", "x0-000000", "x9-abcdef", "s0", "skip", "remove"])
def test_a_forged_token_changes_nothing(token: str) -> None:
    asked = guests("Anna")
    asked.replies(tap(token))
    assert asked.card.entries == ("Anna",)


@pytest.mark.parametrize(
    "value, shown",
    [
        (["Anna", "Ben"], "Anna, Ben"),
        (["Berg, Anna", "Ben"], "1. Berg, Anna\n2. Ben"),
        (["A" * 40, "B" * 40], f"1. {'A' * 40}\n2. {'B' * 40}"),
    ],
)
def test_a_list_reads_so_that_its_entries_can_be_told_apart(value: list[str], shown: str) -> None:
    asked = guests()
    assert asked.step.show(asked.scene, value) == shown


def test_a_single_entry_can_be_suggested_for_a_list_that_needs_more() -> None:
    asked = guests(count=(3, 5), proposals=(["Anna"],))
    assert labels(asked.card.suggestions) == ["Add Anna"]
    assert asked.step.fault(asked.scene, ["Anna"]) != ""
