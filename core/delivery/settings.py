"""The settings of destinations: what a kind takes, how it is judged, and the variables in it.

A text may stand in the environment or in `.env` instead of in the manifest: `secret: $NAME`. What
is secret never stands in a manifest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from babel import Locale, UnknownLocaleError

from core.delivery.base import Judge, Setting, Settings
from core.manifest import Manifest

_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


class Unset(LookupError):
    """Variables that settings name have no value; the message says so."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(unset_words(names))
        self.names = tuple(names)


def unset_words(names: Sequence[str]) -> str:
    """How a message says that variables are missing, and what to do."""
    many = len(names) > 1
    them = "them" if many else "it"
    listed = " and ".join(names)
    return (
        f"{listed} {'are' if many else 'is'} not set; write {them} into the environment or into"
        " .env, and start again"
    )


def fault_of(settings: Settings, known: Sequence[Setting]) -> str:
    """What is wrong with settings and what to write instead; empty where all is right."""
    missing = [one for one in known if one.needed and not str(settings.get(one.name, ""))]
    if missing:
        needed = ", ".join(f"{one.name}: {one.example}" for one in known if one.needed)
        return f"Write settings: {{{needed}}}."
    names = [one.name for one in known]
    for name in settings:
        if name not in names:
            return f"Take {name} out; its settings are: {', '.join(names)}."
    faults = (_fault(one, settings[one.name]) for one in known if one.name in settings)
    return next(filter(None, faults), "")


def _fault(one: Setting, value: str | int | bool) -> str:
    text = text_of(value)
    if text.startswith("$"):
        wrong = _VARIABLE.fullmatch(text) is None
        return f"Write the name of a variable, such as {one.name}: $NAME." if wrong else ""
    if one.secret:
        return (
            f"Write the name of a variable, such as {one.name}: {one.example}, and the value into"
            " the environment or into .env: a secret never stands in a manifest."
        )
    return one.judge(text)


def text_of(value: str | int | bool) -> str:
    """A setting as a text: a variable's value is one, too."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def variables(settings: Settings) -> tuple[str, ...]:
    """The variables that settings name."""
    found = (_VARIABLE.fullmatch(text_of(value)) for value in settings.values())
    return tuple(dict.fromkeys(one.group(1) for one in found if one))


def unset(settings: Settings, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The variables that settings name and that have no value."""
    return tuple(name for name in variables(settings) if not environment.get(name))


def resolved(settings: Settings, environment: Mapping[str, str]) -> dict[str, str | int | bool]:
    """The settings with the values of their variables. Raises Unset."""
    missing = unset(settings, environment)
    if missing:
        raise Unset(missing)
    plain: dict[str, str | int | bool] = {}
    for name, value in settings.items():
        variable = _VARIABLE.fullmatch(value) if isinstance(value, str) else None
        plain[name] = environment[variable.group(1)] if variable else value
    return plain


# What is judged in more than one kind


def judged(known: Sequence[Setting], settings: Settings) -> dict[str, str]:
    """The settings of which every variable is known, as texts. Raises ValueError, with what to
    write."""
    texts = {name: text_of(value) for name, value in settings.items()}
    for one in known:
        wrong = one.judge(texts[one.name]) if one.name in texts else ""
        if wrong:
            raise ValueError(f"{one.name}: {wrong}")
    return texts


def data_file(ending: str) -> Judge:
    """Judges the path of a file in the data folder."""

    def judge(path: str) -> str:
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts or pure.suffix != ending:
            return f"Write a path in the data folder that ends in {ending}, and not {path}."
        return ""

    return judge


def one_of(*words: str) -> Judge:
    """Judges one of these words."""

    def judge(text: str) -> str:
        return "" if text in words else f"Write one of: {', '.join(words)}."

    return judge


yes_or_no = one_of("true", "false")


def _is_locale(text: str) -> str:
    try:
        Locale.parse(text.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return "Write a language, such as en, de or es."
    return ""


LANGUAGE = Setting(
    "language",
    "en",
    "what it is written in, where that is not the journey's first language",
    judge=_is_locale,
)
"""The language of a destination where people read."""


def locale_for(language: str, manifest: Manifest) -> str:
    """The language to write in: the one that is set, or the first of the journey."""
    return language or manifest.languages[0]
