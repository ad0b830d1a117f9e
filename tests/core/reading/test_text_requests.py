"""A request to the bot with more behind it is no text of the person's yet: a tap decides."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.reading import read
from core.reading.result import Context, Outcome

CONTEXT = Context(now=datetime(2026, 12, 1, 9, tzinfo=UTC))


@pytest.mark.parametrize(
    "text",
    [
        "can you write the description? It is about testing in Python, with talks and pizza.",
        "Could you draft it for me? It is a workshop on soldering.",
        "A workshop on soldering. Can you write it for me?",
    ],
)
def test_a_request_is_beside_and_the_whole_is_one_tap_away(text: str) -> None:
    reading = read("long_text", text, CONTEXT)
    assert reading.outcome is Outcome.BESIDE
    assert reading.proposals == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "Do you like soldering? Come and try it with us, no skills needed.",
        "Learn to solder. Can you hold an iron? Then come.",
        "Food and stories. Please bring a dish.",
    ],
)
def test_a_question_to_the_readers_of_the_text_is_part_of_it(text: str) -> None:
    assert read("long_text", text, CONTEXT).value == text
