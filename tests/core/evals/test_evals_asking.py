"""What a text asks for is counted, by rules that the runtime does not have a part in."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from core.evals import asking
from core.evals.asking import questions


@pytest.mark.parametrize(
    "text, count",
    [
        ("", 0),
        ("Parking is free.", 0),
        ("Which date?", 1),
        ("Good. Which date? And which hall?", 2),
        ("Really?! Which one??", 2),
        ("Which date?\n\nWhich hall?", 2),
        ("¿Qué día? ¿Y a qué hora?", 2),
        ("どの日ですか。", 1),
        ("何時ですか？", 1),
        ("You asked “why do you need that?”, and it is for the printer.", 0),
        ('Is it called "Why Rust?" now?', 1),
        ("See https://example.org/?a=1 or `x ? y : z`.", 0),
        ("At 5 p.m.? Or at 6?", 2),
    ],
)
def test_questions_are_counted_by_their_marks(text: str, count: int) -> None:
    assert len(questions(text)) == count


def test_the_counter_shares_no_rule_with_the_runtime() -> None:
    tree = ast.parse(Path(asking.__file__).read_text("utf-8"))
    imported = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom | ast.Import)]
    names = {one.module for one in imported if isinstance(one, ast.ImportFrom)}
    assert not [name for name in names if name is None or name.startswith(("core", "steps"))]


def test_what_repeats_the_persons_own_words_asks_nothing() -> None:
    own = ["Friday, and is parking free?"]
    assert questions("Noted - Title: parking free?", own) == ()
    assert len(questions("Noted - Title: parking free?")) == 1
    assert len(questions("So, is parking free?", own)) == 1
    changed = "Title changed from A to parking free?"
    assert questions(changed, own, fixed=True) == ()
    assert questions("Title changed from free? to A", own, fixed=True) == ()
    assert len(questions(changed, own)) == 1
    assert len(questions("Which day?", own, fixed=True)) == 1
    assert questions("Is parking free? And the day: which?", own) == (
        "Is parking free?",
        "And the day: which?",
    )
