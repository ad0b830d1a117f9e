"""A journey type at hand: its manifest, what it says, and the steps that its Python builds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from core.manifest import Item, Manifest, Moderation
from core.step.base import ReadsClock, Step
from core.step.registry import step_for
from core.texts import COMMAND, Texts


@dataclass(frozen=True)
class JourneyType:
    """One version of a journey type. `texts` are its texts by language, dotted keys."""

    manifest: Manifest
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    steps: Mapping[str, Step] = field(default_factory=dict)

    def step(self, item: Item) -> Step:
        """The step of an item."""
        return step_for(item, self.steps)

    def reads_clock(self, name: str) -> bool:
        """Whether replies to an item mean a moment on the person's own clock."""
        step = self.step(self.manifest.item(name))
        return isinstance(step, ReadsClock) and step.reads_clock

    def on_clock(self, content: Mapping[str, Any]) -> bool:
        """Whether any of these values does: then they mean something else in another zone."""
        return any(value is not None and self.reads_clock(name) for name, value in content.items())

    def speak(self, locale: str, command: str = COMMAND) -> Texts:
        """Its texts in a person's language (see `core.texts.Texts`)."""
        return Texts(locale, self.texts, command)


class JourneyTypes(Protocol):
    """The journey types at hand, old versions too while they are kept."""

    def latest(self, name: str) -> JourneyType | None:
        """The current version."""
        ...

    def version(self, name: str, digest: str) -> JourneyType | None:
        """The very version that a journey is on, where it is at hand."""
        ...

    def names(self) -> tuple[str, ...]:
        """All names, the default journey first."""
        ...


def looks_first(types: JourneyTypes, manifest: Manifest) -> Moderation | None:
    """Who looks at what is submitted with a version; None where nobody does.

    The current version says so for all: who looks is for those who run the bot to set at any time,
    and no part of what a version asks.
    """
    latest = types.latest(manifest.name)
    return (manifest if latest is None else latest.manifest).moderation
