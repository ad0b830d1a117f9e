"""How far an effect came that takes a channel several calls: what is tried again goes on there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from core.effects import Effect


@dataclass
class Progress:
    """What of an effect has been done.

    `again` is True when a message of it is there twice, perhaps. `anew` is True when what was to be
    changed is gone: then it comes as something new. `messages` are the places of those that are
    done, in their order.
    """

    effect: Effect
    again: bool = False
    anew: bool = False
    messages: list[Any] = field(default_factory=list)

    @property
    def has_begun(self) -> bool:
        """Whether a part of it was carried out."""
        return bool(self.messages)


P = TypeVar("P", bound=Progress)


class Underway(Generic[P]):
    """What each lane is sending now. `make` begins an effect that was perhaps sent `again`."""

    def __init__(self, make: Callable[[Effect, bool], P]) -> None:
        self._make = make
        self._by_lane: dict[str, P] = {}

    def begin(self, lane: str, effect: Effect, again: bool) -> P:
        """What has been done of an effect; of one that is not tried again, nothing."""
        known = self._by_lane.get(lane)
        if known is None or not again or known.effect != effect:
            known = self._by_lane[lane] = self._make(effect, again)
        return known

    def get(self, lane: str) -> P | None:
        """What the lane is sending; None where it is sending nothing."""
        return self._by_lane.get(lane)

    def end(self, lane: str) -> None:
        """The lane's effect is carried out."""
        self._by_lane.pop(lane, None)
