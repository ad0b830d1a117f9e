"""Somebody: picked, called, or named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from core.cards import PickerMode
from core.draft import Source
from core.replies import File, Somebody, Submit, Words
from core.state import Person
from core.step.base import Beside, Moved, Refused, Settled, Unsure
from tests.support.scenes import Asked, ask, labels, submit, words

KIM = Somebody(id="U7", handle="kim", name="Kim Lindner", said="@Kim Lindner")
ADA = Somebody(id="U8", handle="ada", name="Ada Byron", said="@Ada Byron")
BOT = Somebody(id="U9", handle="deploys", name="Deploys", said="@Deploys", wrong="bot")
KNOWN = {"id": "U7", "handle": "kim", "name": "Kim Lindner"}
NOUNS = {"nouns": "approver, approval, team lead"}


def approver(**more: Any) -> Asked:
    return ask("person", **{"texts": NOUNS, **more})


def named(name: str, handle: str = "") -> dict[str, str]:
    return {"id": "", "handle": handle, "name": name}


def calls(text: str, *people: Somebody, **more: Any) -> Asked:
    return approver(**more).replies(msgspec.structs.replace(words(text), people=people))


def picks(id: str, *people: Somebody) -> Asked:
    return approver().replies(msgspec.structs.replace(submit(value=id), people=people))


def test_the_card_has_nothing_to_tap_of_its_own() -> None:
    card = approver().card
    assert card.mode is PickerMode.PEOPLE
    assert card.hint == "Type a name or an @handle."
    assert (card.options, card.moves, card.done) == ((), (), None)
    assert labels(approver(required=False).card.controls) == ["Skip"]


# Picked


def test_who_is_picked_is_known_as_the_platform_says() -> None:
    assert picks("U7", ADA, KIM).read == Settled(KNOWN, Source.TAP)


@pytest.mark.parametrize(
    "wrong, reason",
    [
        ("bot", "That is a bot. Please name a person."),
        ("group", "That is more than one person. Please name one."),
        ("gone", "That person’s account is closed. Please name somebody else."),
        ("unknown", "I cannot see right now who that is. Please try once more, or type the name."),
    ],
)
def test_who_is_nobody_to_name_is_refused_with_a_reason(wrong: Any, reason: str) -> None:
    one = msgspec.structs.replace(KIM, wrong=wrong)
    for read in (picks("U7", one).read, calls("@Kim Lindner", one).read):
        assert isinstance(read, Refused)
        assert (read.reason, read.proposals) == (reason, ())


def test_an_id_that_the_platform_does_not_vouch_for_is_nobody() -> None:
    read = picks("U7", ADA).read
    assert isinstance(read, Refused)
    assert read.reason.startswith("I cannot see right now who that is.")


def test_somebody_without_any_name_cannot_be_kept() -> None:
    assert isinstance(picks("U1", Somebody(id="U1")).read, Refused)


def test_nothing_picked_changes_nothing() -> None:
    assert isinstance(approver().submits(value="").read, Moved)
    assert isinstance(approver().submits(other="x").read, Moved)
    assert approver().uploads(File(ref="f")).read == Beside()


# Called


@pytest.mark.parametrize(
    "text",
    ["@Kim Lindner", "@Kim Lindner, please", "my approver is @Kim Lindner", "It's @Kim Lindner."],
)
def test_who_is_called_and_nothing_else_settles(text: str) -> None:
    assert calls(text, KIM).read == Settled(KNOWN, Source.TYPED)


def test_who_is_called_among_other_words_is_a_suggestion() -> None:
    read = calls("@Kim Lindner, but why do you ask?", KIM).read
    assert read == Beside(proposals=(KNOWN,))
    both = calls("@Kim Lindner or @Ada Byron", KIM, ADA).read
    assert isinstance(both, Beside)
    assert [one["id"] for one in both.proposals] == ["U7", "U8"]
    assert calls("why not @Deploys?", BOT).read == Beside()


def test_names_that_begin_alike_are_told_apart() -> None:
    short = Somebody(id="U1", name="Kim", said="@Kim")
    read = calls("@Kim Lindner", short, KIM).read
    assert isinstance(read, Settled)
    assert read.value["id"] == "U7"


# Named


@pytest.mark.parametrize(
    "text, name",
    [
        ("Kim Lindner", "Kim Lindner"),
        ("  Kim ", "Kim"),
        ("Kim Lindner.", "Kim Lindner"),
        ("It's Kim Lindner, please", "Kim Lindner"),
        ("My approver is Kim Lindner", "Kim Lindner"),
        ("the team lead, Kim Lindner", "Kim Lindner"),
        ("Kim Lindner is my team lead", "Kim Lindner"),
        ("Kim Lindner would be good", "Kim Lindner"),
        ("Ursula von der Leyen", "Ursula von der Leyen"),
        ("de la Cruz", "de la Cruz"),
        ("Siobhán O’Neil", "Siobhán O’Neil"),
        ("Dr. Anne-Marie J.R. Smith", "Dr. Anne-Marie J.R. Smith"),
        ("Łukasz Żółć", "Łukasz Żółć"),
        ("山田太郎", "山田太郎"),
        ("محمد علي", "محمد علي"),
        ("Kim Lindner 🙂", "Kim Lindner"),
    ],
)
def test_a_name_alone_settles_somebody_known_by_name_only(text: str, name: str) -> None:
    assert approver().says(text).read == Settled(named(name), Source.TYPED)


@pytest.mark.parametrize(
    "text, value",
    [
        ("@kim", named("", "kim")),
        ("@kim.lindner-2.", named("", "kim.lindner-2")),
        ("Kim Lindner @kim", named("Kim Lindner", "kim")),
        ("Kim Lindner (@kim)", named("Kim Lindner", "kim")),
    ],
)
def test_a_handle_settles_alone_and_with_its_name(text: str, value: dict[str, str]) -> None:
    assert approver().says(text).read == Settled(value, Source.TYPED)


@pytest.mark.parametrize(
    "text, names",
    [
        ("kim lindner", ["kim lindner"]),
        ("Lindner, Kim", ["Lindner, Kim"]),
        ("Please Kim", ["Kim", "Please Kim"]),
        ("Will Ferris", ["Will Ferris"]),
        ("Ty Cobb, please", ["Cobb", "Ty Cobb"]),
    ],
)
def test_what_may_be_a_name_or_not_is_one_tap_away(text: str, names: list[str]) -> None:
    asked = approver().says(text)
    assert isinstance(asked.read, Unsure)
    assert [one["name"] for one in asked.read.proposals] == names
    assert asked.taps(names[0]).read == Settled(named(names[0]), Source.TAP)


@pytest.mark.parametrize(
    "text, names",
    [
        ("why do you need that?", []),
        ("Who approves it usually?", []),
        ("Is Ada Byron in? why do you ask? perhaps Kim Lindner", ["Kim Lindner"]),
        ("I don't know", []),
        ("no idea", []),
        ("not Kim Lindner", []),
        ("nobody", []),
        ("yes", []),
        ("thanks!", []),
        ("later", []),
        ("my boss", []),
        ("the same as last time", []),
        ("somebody from the finance team", []),
        ("🤷", []),
        ("42", []),
        ("Maybe Kim Lindner", ["Kim Lindner"]),
        ("I think Kim Lindner", ["Kim Lindner"]),
        ("Kim Lindner, but is Ada fine too?", ["Kim Lindner", "Ada"]),
        ("Kim Lindner and Ada Byron", ["Kim Lindner", "Ada Byron"]),
        ("Kim Lindner or Ada Byron", ["Kim Lindner", "Ada Byron"]),
        ("Kim Lindner approves all of that", ["Kim Lindner"]),
        ("Kim Lindner, kim@example.org", ["Kim Lindner"]),
        ("Kim?", ["Kim"]),
        ("@here", []),
    ],
)
def test_other_talk_settles_nothing_and_may_suggest(text: str, names: list[str]) -> None:
    read = approver().says(text).read
    assert isinstance(read, Beside), read
    assert [one["name"] for one in read.proposals] == names


@pytest.mark.parametrize(
    "locale, text, name",
    [
        ("de", "Das ist Kim Lindner, bitte", "Kim Lindner"),
        ("de", "Mein Teamleiter ist Kim Lindner", "Kim Lindner"),
        ("es", "Mi Leitung es Kim Lindner, por favor", "Kim Lindner"),
    ],
)
def test_a_name_is_read_in_the_persons_language(locale: str, text: str, name: str) -> None:
    asked = approver(locale=locale, texts={"nouns": "Teamleiter, Leitung"})
    assert asked.says(text).read == Settled(named(name), Source.TYPED)


def test_who_may_be_left_out_is() -> None:
    optional = approver(required=False)
    assert optional.says("skip this one").read == Settled(None, Source.TYPED)
    assert optional.taps("Skip").read == Settled(None, Source.TAP)
    assert isinstance(approver().says("skip it").read, Refused)


# Values


@pytest.mark.parametrize(
    "value, shown",
    [
        (KNOWN, "Kim Lindner (@kim)"),
        (named("Kim Lindner"), "Kim Lindner"),
        (named("", "kim"), "@kim"),
        (named("kim", "kim"), "kim"),
    ],
)
def test_somebody_is_shown_by_name_never_by_id(value: dict[str, str], shown: str) -> None:
    asked = approver()
    assert asked.step.show(asked.scene, value) == shown
    assert asked.step.fault(asked.scene, value) == ""


@pytest.mark.parametrize(
    "value",
    [
        "Kim",
        None,
        {"name": "Kim"},
        {**KNOWN, "email": "kim@example.org"},
        named(""),
        named("Kim\nLindner"),
        named("Kim\0"),
        named("K" * 201),
        {**KNOWN, "id": 7},
    ],
)
def test_what_is_nobody_cannot_stand(value: Any) -> None:
    asked = approver()
    assert asked.step.fault(asked.scene, value)


def test_a_name_that_is_too_long_is_refused() -> None:
    read = approver().says("Kim" + "m" * 200).read
    assert isinstance(read, Refused)
    assert "200" in read.reason


def test_the_sample_is_of_the_journeys_own_example() -> None:
    own = approver(texts={**NOUNS, "example": "Ada Byron"})
    assert own.step.sample(own.scene) == named("Ada Byron")
    assert approver().step.sample(approver().scene)["name"] == "Kim Lindner"


# Somebody else


def asked_as(id: str, name: str, **more: Any) -> Asked:
    return Asked(replace(approver(**more).scene, person=Person(id=id, name=name)))


PICKED = msgspec.structs.replace(submit(value="U7"), people=(KIM,))
MENTIONED = msgspec.structs.replace(words("@Kim Lindner"), people=(KIM,))


@pytest.mark.parametrize("reply", [PICKED, MENTIONED, words("Kim Lindner")])
def test_nobody_names_themselves_where_it_is_to_be_somebody_else(reply: Submit | Words) -> None:
    read = asked_as("U7", "Kim Lindner", somebody_else=True).replies(reply).read
    assert isinstance(read, Refused)
    assert read.reason.startswith("You cannot name yourself here.")
    assert isinstance(asked_as("U7", "Kim Lindner").replies(reply).read, Settled)


def test_somebody_of_the_same_name_can_be_picked() -> None:
    read = asked_as("U1", "Kim Lindner", somebody_else=True).replies(PICKED).read
    assert read == Settled(KNOWN, Source.TAP)
