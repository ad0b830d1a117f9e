"""A small language for what Block Kit allows: kinds of values, their limits, and shapes of objects.

A rule looks at a value and reports what is wrong with it, in Slack's words and with the JSON
pointer to the place: "must be less than 76 characters [json-pointer:/blocks/0/text/text]".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.support.slack.errors import Json


@dataclass
class Report:
    """What is wrong with a payload; `surface` is "message", "modal" or "home"."""

    surface: str = "message"
    faults: list[str] = field(default_factory=list)

    def add(self, why: str, at: str) -> None:
        """Something is wrong at this place."""
        self.faults.append(f"{why} [json-pointer:{at}]")


class Rule(Protocol):
    """Something that a value must keep to."""

    def check(self, value: Any, at: str, report: Report) -> None:
        """Report what is wrong with the value."""


@dataclass(frozen=True)
class String:
    """A string; lengths in characters."""

    most: int | None = None
    least: int = 0
    pattern: str | None = None
    choices: tuple[str, ...] = ()

    def check(self, value: Any, at: str, report: Report) -> None:
        """Report a length, a pattern or a word that is not allowed."""
        if not isinstance(value, str):
            report.add("must provide a string", at)
            return
        if len(value) < self.least:
            report.add(f"must be more than {self.least - 1} characters", at)
        if self.most is not None and len(value) > self.most:
            report.add(f"must be less than {self.most + 1} characters", at)
        if self.choices and value not in self.choices:
            report.add(f"must be a valid enum value, one of {', '.join(self.choices)}", at)
        if self.pattern is not None and not re.fullmatch(self.pattern, value):
            report.add("must match the expected format", at)


@dataclass(frozen=True)
class Whole:
    """A whole number."""

    least: int | None = None
    most: int | None = None

    def check(self, value: Any, at: str, report: Report) -> None:
        """Report a number out of its range."""
        if isinstance(value, bool) or not isinstance(value, int):
            report.add("must provide an integer", at)
            return
        if self.least is not None and value < self.least:
            report.add(f"must be greater than or equal to {self.least}", at)
        if self.most is not None and value > self.most:
            report.add(f"must be less than or equal to {self.most}", at)


@dataclass(frozen=True)
class Number:
    """A number."""

    def check(self, value: Any, at: str, report: Report) -> None:
        """Report what is no number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            report.add("must provide a number", at)


@dataclass(frozen=True)
class Flag:
    """true or false."""

    def check(self, value: Any, at: str, report: Report) -> None:
        """Report what is neither."""
        if not isinstance(value, bool):
            report.add("must provide a boolean", at)


@dataclass(frozen=True)
class Anything:
    """Any object; its content is not looked at."""

    def check(self, value: Any, at: str, report: Report) -> None:
        """Report what is no object."""
        if not isinstance(value, dict):
            report.add("must provide an object", at)


@dataclass(frozen=True)
class Items:
    """A list."""

    rule: Rule
    most: int | None = None
    least: int = 0

    def check(self, value: Any, at: str, report: Report) -> None:
        """Report too few, too many, and what is wrong with each."""
        if not isinstance(value, list):
            report.add("must provide an array", at)
            return
        if len(value) < self.least:
            report.add(f"no fewer than {self.least} items allowed", at)
        if self.most is not None and len(value) > self.most:
            report.add(f"no more than {self.most} items allowed", at)
        for number, one in enumerate(value):
            self.rule.check(one, f"{at}/{number}", report)


@dataclass(frozen=True)
class Text:
    """A text object: `kinds` are plain_text and mrkdwn, lengths are of its text."""

    most: int
    kinds: tuple[str, ...] = ("plain_text", "mrkdwn")
    least: int = 1

    def check(self, value: Any, at: str, report: Report) -> None:
        """Report a wrong kind of text, and a text that is empty or too long."""
        if not isinstance(value, dict):
            report.add("must provide an object", at)
            return
        kind = value.get("type")
        if kind not in self.kinds:
            report.add(f"unsupported type: {kind}", f"{at}/type")
            return
        mark = "emoji" if kind == "plain_text" else "verbatim"
        fields: dict[str, Rule] = {"text": String(self.most, self.least), mark: Flag()}
        Shape(required=("text",), fields=fields).check(value, at, report)


Also = Callable[[Json, str, Report], None]
"""What a shape asks beside its fields."""


@dataclass(frozen=True)
class Shape:
    """An object: its fields (beside `type`), which of them it needs, and what else it asks."""

    fields: Mapping[str, Rule]
    required: tuple[str, ...] = ()
    also: Also | None = None

    def check(self, value: Any, at: str, report: Report) -> None:
        """Report missing fields, unknown ones, and what is wrong with each."""
        if not isinstance(value, dict):
            report.add("must provide an object", at)
            return
        for name in self.required:
            if name not in value:
                report.add(f"missing required field: {name}", at)
        for name, one in value.items():
            if name in self.fields:
                self.fields[name].check(one, f"{at}/{name}", report)
            elif name != "type":
                report.add(f"invalid additional property: {name}", at)
        if self.also is not None:
            self.also(value, at, report)


@dataclass(frozen=True)
class OneOf:
    """An object whose `type` names its shape. `allowed` may leave out types, by the surface."""

    shapes: Mapping[str, Rule]
    allowed: Callable[[str, str], bool] | None = None

    def check(self, value: Any, at: str, report: Report) -> None:
        """Report an unknown type, one that has no place here, or what is wrong with its object."""
        if not isinstance(value, dict):
            report.add("must provide an object", at)
            return
        kind = value.get("type")
        if kind is None:
            report.add("missing required field: type", at)
            return
        rule = self.shapes.get(kind) if isinstance(kind, str) else None
        if rule is None or (self.allowed is not None and not self.allowed(kind, report.surface)):
            report.add(f"unsupported type: {kind}", f"{at}/type")
            return
        rule.check(value, at, report)
