"""How commands are written where a person is told of them: as they are typed in their channel."""

from __future__ import annotations

from core.texts import Texts


def test_a_command_is_told_as_it_is_typed_there() -> None:
    assert "Send /new to start" in Texts("en")("turn.nothing_open")
    assert "Send /surestep new to start" in Texts("en", command="/surestep ")("turn.nothing_open")


def test_only_commands_are_meant_and_nothing_that_is_filled_in() -> None:
    texts = Texts("en", {"en": {"one": "See a/b, https://x.org/new or “/new {what}”."}}, "!")
    assert texts("one", what="/new") == "See a/b, https://x.org/new or “!new /new”."
