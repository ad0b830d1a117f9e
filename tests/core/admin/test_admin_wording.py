"""What is said to those who run the bot: the same in every language, and nothing is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import core.admin
from core.admin.base import Standing, admin_texts
from core.admin.verbs import VERBS
from core.store import Stage
from core.store.moderation import Verdict
from core.texts import FALLBACK, runtime_texts

TEXTS = admin_texts()
_HOLES = re.compile(r"\{(\w*)\}")
_NAMED = re.compile(r"\"admin\.([a-z_.]+)\"")


def test_there_is_every_language_that_the_bot_speaks() -> None:
    assert set(TEXTS) == set(runtime_texts())


@pytest.mark.parametrize("language", sorted(set(TEXTS) - {FALLBACK}))
def test_a_language_has_every_text_with_its_placeholders(language: str) -> None:
    assert set(TEXTS[language]) == set(TEXTS[FALLBACK])
    for key, text in TEXTS[FALLBACK].items():
        assert set(_HOLES.findall(TEXTS[language][key])) == set(_HOLES.findall(text)), key


def test_every_command_says_how_it_is_written_and_what_for() -> None:
    for verb in VERBS:
        assert TEXTS[FALLBACK][f"admin.usage.{verb.name}"].split()[0] == verb.name
        assert TEXTS[FALLBACK][f"admin.help.{verb.name}"]


def test_every_text_that_is_named_is_there() -> None:
    folder = Path(core.admin.__file__).parent
    named = {key for file in folder.glob("*.py") for key in _NAMED.findall(file.read_text("utf-8"))}
    ways = {f"way.{one.value}" for one in Stage}
    verdicts = {f"verdict.{one.value}" for one in Verdict}
    roles = {f"role.{one.name.lower()}" for one in Standing if one is not Standing.NOBODY}
    there = {key.removeprefix("admin.") for key in TEXTS[FALLBACK]}
    assert len(named) > 40
    assert (named | ways | verdicts | roles) - there == set()
