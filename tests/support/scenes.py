"""Scenes in a line, and one ask as a person goes through it, without a turn around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from core.cards import Button, buttons
from core.manifest import Item, Manifest
from core.reading.result import Context
from core.replies import File, Submit, Tap, Upload, Words
from core.step.base import Fetch, Fetched, Moved, Needs, Read, Refused, Scene, Step, Unsure
from core.step.registry import step_for
from core.texts import Texts, flatten

NOW = datetime(2026, 12, 1, 13, 0, tzinfo=ZoneInfo("Europe/Berlin"))
"""The person's clock in every scene: a Tuesday in Berlin, one o'clock."""

SENT = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)

Directory = Callable[[Fetch], Fetched]


def nobody(fetch: Fetch) -> Fetched:
    """A directory that does not answer."""
    return Fetched(failed="connection refused")


def scene(
    value: str,
    *,
    texts: Mapping[str, Any] | None = None,
    settled: Mapping[str, Any] | None = None,
    beside: tuple[dict[str, Any], ...] = (),
    tools: tuple[dict[str, Any], ...] = (),
    locale: str = "en",
    currency: str = "EUR",
    **item: Any,
) -> Scene:
    """A scene for one item named "it" of a kind; `texts` are the item's, `beside` other items."""
    asked = {"name": "it", "value": value, **item}
    manifest = Manifest.model_validate(
        {
            "name": "test",
            "version": 1,
            "items": [asked, *beside],
            "tools": list(tools),
            "currency": currency,
        }
    )
    own = {"label": "Thing", "ask": "What is it?", **(texts or {})}
    spoken = flatten({"items": {"it": own}})
    return Scene(
        manifest=manifest,
        item=manifest.item("it"),
        card="c1",
        settled=settled or {},
        texts=Texts(locale, {"en": spoken}),
        context=Context(now=NOW, locale=locale, currency=currency, country="DE"),
    )


def words(text: str) -> Words:
    return Words(text=text, by="anna", at=SENT)


def tap(token: str) -> Tap:
    return Tap(card="c1", token=token, by="anna", at=SENT)


def submit(**values: str | list[str]) -> Submit:
    return Submit(card="c1", values=values, by="anna", at=SENT)


def upload(*files: File, caption: str = "") -> Upload:
    return Upload(files=files, caption=caption, by="anna", at=SENT)


def labels(given: tuple[Button, ...] | list[Button]) -> list[str]:
    return [one.label for one in given]


def item_of(value: str, **more: Any) -> Item:
    return Item.model_validate({"name": "it", "value": value, **more})


@dataclass
class Asked:
    """One ask: what a person does on it, and what its card then is.

    A `Moved`, `Refused` or `Unsure` changes the card as the turn would; `read` is the last outcome.
    """

    scene: Scene
    directory: Directory = nobody
    step: Step = field(init=False)
    read: Read | None = None
    calls: list[Fetch] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.step = step_for(self.scene.item, {})

    @property
    def card(self) -> Any:
        """The card as it stands."""
        return self._fetching(lambda: self.step.draw(self.scene))

    def says(self, text: str) -> Asked:
        return self.replies(words(text))

    def submits(self, **values: str | list[str]) -> Asked:
        return self.replies(submit(**values))

    def uploads(self, *files: File) -> Asked:
        return self.replies(upload(*files))

    def taps(self, *names: str) -> Asked:
        """Tap buttons one after the other, by label or token."""
        for name in names:
            found = [one for one in buttons(self.card) if name in (one.label, one.token)]
            assert found, f"no button {name!r} among {labels(buttons(self.card))}"
            self.replies(tap(found[0].token))
        return self

    def replies(self, reply: Tap | Submit | Words | Upload) -> Asked:
        """Take a reply, and change the ask as the turn does."""
        self.read = self._fetching(lambda: self.step.read(self.scene, reply))
        self.scene = replace(self.scene, reason="")
        match self.read:
            case Moved():
                self.scene = replace(self.scene, cursor=self.read.cursor, reason=self.read.said)
            case Refused():
                kept = self.scene.cursor if self.read.cursor is None else self.read.cursor
                self.scene = replace(
                    self.scene,
                    cursor=kept,
                    reason=self.read.reason,
                    refusals=self.scene.refusals + 1,
                    proposals=(*self.read.proposals, *self.scene.proposals),
                )
            case Unsure():
                self.scene = replace(
                    self.scene,
                    reason=self.read.reason,
                    proposals=(*self.read.proposals, *self.scene.proposals),
                )
        return self

    def shown(self) -> Asked:
        """Keep what the card showed, as the turn does for pickers."""
        tokens = tuple(one.token for one in self.card.options)
        self.scene = replace(self.scene, drawn=tokens)
        return self

    def _fetching(self, run: Callable[[], Any]) -> Any:
        fetched: dict[str, Fetched] = {}
        while True:
            self.scene = replace(self.scene, fetched=fetched)
            try:
                return run()
            except Needs as missing:
                self.calls.append(missing.fetch)
                fetched[missing.fetch.key()] = self.directory(missing.fetch)


def ask(value: str, *, directory: Directory = nobody, **more: Any) -> Asked:
    """An ask of a kind: see `scene`."""
    changes = {key: more.pop(key) for key in _SCENE_FIELDS if key in more}
    return Asked(replace(scene(value, **more), **changes), directory)


_SCENE_FIELDS = ("cursor", "proposals", "refusals", "place", "reason", "drawn")
