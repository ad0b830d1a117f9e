"""The runtime's texts: the same keys and placeholders in every language, and none that is asked for
is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import core
from core.texts import FALLBACK, Texts, runtime_texts

TEXTS = runtime_texts()
OTHERS = sorted(set(TEXTS) - {FALLBACK})
CODE = Path(core.__file__).parent
_NAMED = re.compile(r"\"((?:step|hint|reason|example)\.[a-z_]+)\"")
_HOLES = re.compile(r"\{(\w*)\}")


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_key_and_no_other(language: str) -> None:
    assert set(TEXTS[language]) == set(TEXTS[FALLBACK])


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_placeholders_of_the_original(language: str) -> None:
    for key, text in TEXTS[FALLBACK].items():
        assert set(_HOLES.findall(TEXTS[language][key])) == set(_HOLES.findall(text)), key


@pytest.mark.parametrize("language", sorted(TEXTS))
def test_no_text_is_empty_or_ends_in_white_space(language: str) -> None:
    for key, text in TEXTS[language].items():
        assert text.strip() == text != "", key


def test_every_key_that_a_step_names_is_there() -> None:
    named = {
        key
        for file in (CODE / "step").glob("*.py")
        for key in _NAMED.findall(file.read_text("utf-8"))
    }
    assert len(named) > 40
    assert named - set(TEXTS[FALLBACK]) == set()


def test_a_persons_braces_stay_as_they_were_typed() -> None:
    said = Texts("en")("step.found", query="{count} {0.__class__}", count=3)
    assert "{count} {0.__class__}" in said


def test_every_reason_that_the_reader_gives_for_a_refusal_is_worded() -> None:
    given = {
        key
        for file in (CODE / "reading").glob("*.py")
        for key in re.findall(r"invalid\(\"(\w+)\"", file.read_text("utf-8"))
    }
    # bounds are worded by the step, which knows how they are shown
    assert given - {"too_small", "too_large"} <= {
        key.removeprefix("reason.") for key in TEXTS[FALLBACK] if key.startswith("reason.")
    }
    assert "email" in given
