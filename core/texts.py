"""What the runtime says, in each language: a file of texts a language, `{placeholders}` filled in.

The runtime's own texts are `core/wording/<language>.yaml`; a journey brings its own beside its
manifest. A journey's text wins over the runtime's of the same key, and a missing translation falls
back to English, never to a bare key in front of a person.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from ruamel.yaml import YAML

FALLBACK = "en"

COMMAND = "/"
"""What stands before a command's name in every file of texts."""

_COMMAND = re.compile(r"(?<![\w/])/(?=[a-z])")


def language_of(locale: str) -> str:
    """The language of a locale: "de" of "de-AT"."""
    return locale.replace("_", "-").partition("-")[0].lower()


def flatten(tree: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Nested texts as dotted keys."""
    flat: dict[str, str] = {}
    for key, value in tree.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            flat.update(flatten(value, f"{name}."))
        else:
            flat[name] = str(value).rstrip("\n")
    return flat


def parse(text: str) -> dict[str, str]:
    """A file of texts, as dotted keys."""
    return flatten(YAML(typ="safe", pure=True).load(text) or {})


@cache
def runtime_texts() -> dict[str, dict[str, str]]:
    """The runtime's own texts, by language: a language is a file in `core/wording/`."""
    folder = resources.files("core").joinpath("wording")
    return {
        file.name.removesuffix(".yaml"): parse(file.read_text("utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".yaml")
    }


class _Forgiving(string.Formatter):
    """Fills what is given and leaves an unknown placeholder as it stands."""

    def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:
        return kwargs.get(str(key), "{" + str(key) + "}")


_formatter = _Forgiving()


class Texts:
    """The texts of one journey in one language.

    `command` is what people type before a command's name where they are.
    """

    def __init__(
        self,
        locale: str,
        journey: Mapping[str, Mapping[str, str]] | None = None,
        command: str = COMMAND,
    ) -> None:
        self.locale = locale
        self.command = command
        language = language_of(locale)
        runtime, journey = runtime_texts(), journey or {}
        self._layers = [
            layer
            for name in dict.fromkeys((language, FALLBACK))
            for layer in (journey.get(name), runtime.get(name))
            if layer
        ]

    def find(self, key: str) -> str | None:
        """The text of a key, unfilled; None where no language has it."""
        return next((layer[key] for layer in self._layers if key in layer), None)

    def __call__(self, key: str, **values: Any) -> str:
        """The text of a key with its placeholders filled. What is filled in is never a template
        itself, so a person's braces stay as typed."""
        template = self.find(key)
        if template is None:
            return key.rpartition(".")[2].replace("_", " ")
        if self.command != COMMAND:
            template = _COMMAND.sub(self.command, template)
        return _formatter.vformat(template, (), values) if "{" in template else template

    def of(self, item: str, part: str, **values: Any) -> str:
        """A text of an item ("venue", "ask"); empty where the journey has none."""
        key = f"items.{item}.{part}"
        return self(key, **values) if self.find(key) is not None else ""

    def label(self, item: str) -> str:
        """What the item is called."""
        return (
            self(f"items.{item}.label")
            if self.find(f"items.{item}.label")
            else (item.replace("_", " ").capitalize())
        )

    def option(self, item: str, key: str) -> str:
        """What an option of an item is called."""
        return (
            self(f"items.{item}.options.{key}")
            if self.find(f"items.{item}.options.{key}")
            else key.replace("_", " ").capitalize()
        )
