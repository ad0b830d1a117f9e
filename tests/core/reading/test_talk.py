"""Yes and no, choosing, free text and control words: the cases in the folder beside this file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from ruamel.yaml import YAML

from core.reading import is_back, is_cancel, is_done, is_skip, is_start_over, read
from core.reading.result import Context, Option, Outcome

CASES = Path(__file__).parent / "talk"
CONTROLS = {
    "done": is_done,
    "skip": is_skip,
    "back": is_back,
    "cancel": is_cancel,
    "start_over": is_start_over,
}
Block = Mapping[str, Any]


def blocks(*names: str) -> Iterator[tuple[dict[str, Any], Block]]:
    """The blocks of some files, each with what is given."""
    for name in names:
        for block in YAML(typ="safe").load((CASES / f"{name}.yaml").read_text(encoding="utf-8")):
            yield dict(block["given"]), block


def context(given: dict[str, Any]) -> Context:
    """The context of a block: an option is written [key, label, alias...]."""
    options = tuple(
        Option(key, label, tuple(aliases)) for key, label, *aliases in given.pop("options", ())
    )
    nouns = frozenset(given.pop("nouns", ()))
    now = datetime(2026, 12, 2, 10, tzinfo=ZoneInfo("Europe/Berlin"))
    return Context(now=now, options=options, nouns=nouns, **given)


def answers() -> Iterator[tuple[str, str, Context, bool | None]]:
    for given, block in blocks("confirm", "offer", "yes_no", "languages"):
        kind = given.pop("kind")
        where = context(given)
        for name, meant in (("yes", True), ("no", False), ("beside", None)):
            for reply in block.get(name, ()):
                yield kind, reply, where, meant


@pytest.mark.parametrize("kind,reply,where,meant", list(answers()))
def test_yes_and_no(kind: str, reply: str, where: Context, meant: bool | None) -> None:
    reading = read(kind, reply, where)
    assert (reading.value if reading.outcome is Outcome.SETTLED else None) is meant


def chosen() -> Iterator[tuple[str, str, Context, str, object]]:
    for given, block in blocks("choice", "choices", "text"):
        kind = given.pop("kind")
        where = context(given)
        for outcome in ("settled", "suggested", "invalid", "beside"):
            for reply, expected in block.get(outcome, {}).items():
                yield kind, reply, where, outcome, expected


@pytest.mark.parametrize("kind,reply,where,outcome,expected", list(chosen()))
def test_choosing_and_free_text(
    kind: str, reply: str, where: Context, outcome: str, expected: object
) -> None:
    reading = read(kind, reply, where)
    got: object = reading.reason
    if reading.outcome is Outcome.SETTLED:
        got = reading.value
    elif reading.outcome is Outcome.SUGGESTED:
        listed = list(reading.proposals)
        got = " | ".join(listed) if isinstance(expected, str) else listed
    assert (reading.outcome.value, got) == (outcome, expected)


def controls() -> Iterator[tuple[str, Context, str]]:
    for given, block in blocks("controls"):
        for name in (*CONTROLS, "none"):
            for reply in block.get(name, ()):
                yield reply, context(dict(given)), name


@pytest.mark.parametrize("reply,where,name", list(controls()))
def test_control_words(reply: str, where: Context, name: str) -> None:
    heard = [control for control, hears in CONTROLS.items() if hears(reply, where)]
    assert heard == ([] if name == "none" else [name])


def test_an_offer_proposes_what_its_first_word_says() -> None:
    reading = read("offer", "Sure, and is parking free?", context({}))
    assert (reading.outcome, reading.proposals) == (Outcome.BESIDE, (True,))


def test_nothing_beside_a_yes_is_ever_proposed_at_a_summary() -> None:
    assert read("confirm", "Yes, and is parking free?", context({})).proposals == ()


def test_nouns_of_the_ask_are_no_content() -> None:
    where = context({"nouns": ["projector"]})
    assert read("yes_no", "Yes, I need a projector", where).value is True
    assert read("yes_no", "Yes, I need a projector", context({})).outcome is Outcome.BESIDE
