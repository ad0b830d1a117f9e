"""Somebody: picked from the platform's own list, called in words, or named.

Who is picked or called is known by the platform's id, and their name and handle are what the
platform says; a name that is typed is all that is known of whoever has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from core.cards import Card, Picker, PickerMode
from core.draft import Source
from core.reading import read
from core.reading.result import Option, Outcome, Reading
from core.replies import Somebody, Submit, Tap, Upload, Words
from core.step import common
from core.step.base import Beside, Read, Refused, Scene, Settled
from core.step.samples import sample_of


class PersonStep(common.Checked):
    """One person."""

    def draw(self, scene: Scene) -> Card:
        return Picker(mode=PickerMode.PEOPLE, **common.frame(self, scene))

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        if isinstance(reply, Words):
            return self._worded(scene, reply)
        if isinstance(reply, Submit):
            return self._picked(scene, reply)
        if isinstance(reply, Upload):
            return Beside()
        return common.common_tap(self, scene, reply.token) or common.unchanged(scene)

    def _picked(self, scene: Scene, reply: Submit) -> Read:
        picked = common.single(reply.values, scene.item.name)
        if not picked:
            return common.unchanged(scene)
        nobody = Somebody(id=picked, wrong="unknown")
        one = next((somebody for somebody in reply.people if somebody.id == picked), nobody)
        return self._judged(scene, one) or Settled(value_of(one), Source.TAP)

    def _judged(self, scene: Scene, one: Somebody) -> Refused | None:
        """Why the platform's somebody cannot be the answer."""
        if one.wrong:
            return Refused(scene.texts(f"reason.person_{one.wrong}"))
        fault = self.fault(scene, value_of(one))
        return Refused(fault) if fault else None

    def _worded(self, scene: Scene, reply: Words) -> Read:
        people = [_plain(one) for one in reply.people]
        options = [
            Option(key=str(number), label=one.said) for number, one in enumerate(people) if one.said
        ]
        text = common.plain(reply.text)
        reading = read(scene.item.value.value, text, common.context_of(scene, options))
        if reading.outcome is not Outcome.SETTLED:
            skipped = common.skipped(scene, text)
            return skipped or common.judge(self, scene, _known(reading, people))
        meant = _among(people, reading.value)
        wrong = None if meant is None else self._judged(scene, meant)
        return wrong or common.judge(self, scene, _known(reading, people))

    def sample(self, scene: Scene) -> Any:
        return sample_of(scene)


def value_of(one: Somebody) -> dict[str, str]:
    """Somebody as they are kept."""
    handle = common.plain(one.handle).strip()
    return {"id": one.id, "handle": handle, "name": " ".join(common.plain(one.name).split())}


def _plain(one: Somebody) -> Somebody:
    """Somebody as they stand in words without what cannot be stored."""
    return msgspec.structs.replace(one, said=common.plain(one.said))


def _among(people: Sequence[Somebody], value: Mapping[str, str]) -> Somebody | None:
    """Whom a reading names by the number that they had in it; None for who is only named."""
    return people[int(value["id"])] if value["id"] else None


def _known(reading: Reading, people: Sequence[Somebody]) -> Reading:
    """The reading with what the platform says of whom it names, without those who are nobody to
    name."""

    def told(value: Any) -> Any:
        meant = _among(people, value)
        return value if meant is None else None if meant.wrong else value_of(meant)

    value = told(reading.value) if reading.outcome is Outcome.SETTLED else None
    offers = tuple(one for one in map(told, reading.proposals) if one is not None)
    return replace(reading, value=value, proposals=offers)
