"""The event's own step: when it is published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import msgspec

from core import values
from core.cards import Button, Card, Picker
from core.draft import Source
from core.manifest import Kind
from core.reading import read
from core.reading.result import Option, Outcome
from core.replies import Submit, Tap, Upload, Words
from core.step import common
from core.step.base import Read, Refused, Scene, Settled, Step
from core.step.picker_dates import DatetimeStep

NOW = "now"
"""The value, and the token of the button, for "as soon as the event is confirmed"."""

_ELSE = Option(key="else", label="~")


class PublishAt(DatetimeStep):
    """Now, or a date and time before the event starts.

    Everything but the button and the word for now is the picker's: it sees the item as a date and
    time that ends a minute before the start.
    """

    def draw(self, scene: Scene) -> Card:
        card = super().draw(_as_datetime(scene))
        if not isinstance(card, Picker) or self.fault(scene, NOW):
            return card
        button = Button(token=NOW, label=scene.texts.of(scene.item.name, "now"))
        return msgspec.structs.replace(card, suggestions=(button, *card.suggestions))

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        if isinstance(reply, Tap) and reply.token == NOW:
            return self._now(scene, Source.TAP)
        if isinstance(reply, Words):
            return self._worded(scene, reply)
        return super().read(_as_datetime(scene), reply)

    def _worded(self, scene: Scene, reply: Words) -> Read:
        if _is_now(scene, reply.text):
            return self._now(scene, Source.TYPED)
        # Read without its bounds, so that a moment after the start hears what the start is.
        unbound = replace(common.context_of(_as_datetime(scene)), minimum=None, maximum=None)
        reading = read(Kind.DATETIME.value, reply.text, unbound)
        fault = self.fault(scene, reading.value) if reading.outcome is Outcome.SETTLED else ""
        return Refused(fault) if fault else super().read(_as_datetime(scene), reply)

    def _now(self, scene: Scene, source: Source) -> Read:
        fault = self.fault(scene, NOW)
        return Refused(fault) if fault else Settled(NOW, source)

    def fault(self, scene: Scene, value: Any) -> str:
        start = _start(scene)
        name = scene.item.name
        if start is not None and _clock(scene) >= start:
            return scene.texts.of(name, "started", start=_shown(scene, start))
        if value == NOW:
            return ""
        if start is not None and isinstance(value, str) and _spell(start) <= value:
            return scene.texts.of(name, "too_late", start=_shown(scene, start))
        return super().fault(_as_datetime(scene), value)

    def show(self, scene: Scene, value: Any) -> str:
        if value == NOW:
            return scene.texts.of(scene.item.name, "now_shown")
        return values.shown(Kind.DATETIME, value, scene.context.locale)

    def sample(self, scene: Scene) -> Any:
        return NOW


def _as_datetime(scene: Scene) -> Scene:
    """The same ask, of a date and time between now and the start; now has its own button."""
    if scene.item.value is Kind.DATETIME:
        return scene
    start = _start(scene)
    last = None if start is None else _spell(start - timedelta(minutes=1))
    item = scene.item.model_copy(
        update={"value": Kind.DATETIME, "step": None, "minimum": "today", "maximum": last}
    )
    proposals = tuple(one for one in scene.proposals if one != NOW)
    return replace(scene, item=item, proposals=proposals)


def _is_now(scene: Scene, text: str) -> bool:
    """Whether the whole reply is a word for now.

    Read with another option before it and behind it: then "the first one" is not taken for it.
    """
    texts, name = scene.texts, scene.item.name
    words = tuple(word.strip() for word in texts.of(name, "now_words").split(",") if word.strip())
    option = Option(key=NOW, label=texts.of(name, "now"), aliases=words)
    for options in ((option, _ELSE), (_ELSE, option)):
        reading = read("choice", text, common.context_of(scene, options))
        if reading.outcome is not Outcome.SETTLED or reading.value != NOW:
            return False
    return True


def _start(scene: Scene) -> datetime | None:
    """When the event starts, on the person's clock; None while that is not known."""
    day, clock = scene.settled.get("date"), scene.settled.get("start_time")
    try:
        return datetime.fromisoformat(f"{day}T{clock}")
    except ValueError:
        return None


def _clock(scene: Scene) -> datetime:
    return scene.context.now.replace(tzinfo=None)


def _spell(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")


def _shown(scene: Scene, moment: datetime) -> str:
    return values.shown(Kind.DATETIME, _spell(moment), scene.context.locale)


STEPS: Mapping[str, Step] = {"publish_at": PublishAt()}
