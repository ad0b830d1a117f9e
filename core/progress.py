"""How far an effect came that takes a channel several calls: what is tried again goes on there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from core.effects import Effect, Put


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


_MOST = 1000
"""As many effects are remembered: what was given up is never ended."""


class Underway(Generic[P]):
    """What is being sent now: one effect in each lane, and each post for itself, for a submission
    may come into a chat beside another one. `make` begins an effect that was perhaps sent `again`.
    """

    def __init__(self, make: Callable[[Effect, bool], P]) -> None:
        self._make = make
        self._known: dict[tuple[str, str], P] = {}

    def begin(self, lane: str, effect: Effect, again: bool) -> P:
        """What has been done of an effect; of one that is not tried again, nothing."""
        known = self._known.get(_key(lane, effect))
        if known is None or not again or known.effect != effect:
            known = self._known[_key(lane, effect)] = self._make(effect, again)
            if len(self._known) > _MOST:
                del self._known[next(iter(self._known))]
        return known

    def get(self, lane: str, effect: Effect) -> P | None:
        """What has been done of what is being sent; None of what is not."""
        return self._known.get(_key(lane, effect))

    def end(self, lane: str, effect: Effect) -> None:
        """An effect is carried out."""
        self._known.pop(_key(lane, effect), None)


def _key(lane: str, effect: Effect) -> tuple[str, str]:
    return lane, effect.post.id if isinstance(effect, Put) else ""
