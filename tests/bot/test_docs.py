"""The README says what the code does."""

from __future__ import annotations

from pathlib import Path

from bot import docs

README = Path(__file__).parents[2] / "README.md"


def test_the_readme_has_the_settings_and_the_commands_as_they_are() -> None:
    text = README.read_text("utf-8")
    for name in docs.PARTS_MADE:
        assert f"<!-- {name} -->" in text
    assert docs.written(text) == text


def test_the_example_of_an_env_file_has_every_setting() -> None:
    assert (README.parent / ".env.example").read_text("utf-8") == docs.example()
