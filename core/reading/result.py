"""What a reading is: the outcome, the value, and why.

A reading *settles* only when the whole reply is the answer. Everything else names the reason, so
that a card can say it, and carries what could be read of the answer as proposals to tap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """What the runtime may do with a reply."""

    SETTLED = "settled"
    """The whole reply is the answer: `value` may be written."""
    SUGGESTED = "suggested"
    """Nothing beside the answer, but it can be read in more ways than one: a tap decides."""
    INVALID = "invalid"
    """The whole reply is an answer of this kind, and it cannot be accepted: `reason` says why."""
    BESIDE = "beside"
    """Something else stands in the reply: the words belong to the model."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One reply, read as one kind of value.

    `proposals` are values that could be read of a reply that did not settle, best first.
    `reason` is a key of the runtime's texts (`reason.<key>`), `details` its placeholders.
    """

    outcome: Outcome
    value: Any = None
    proposals: tuple[Any, ...] = ()
    reason: str = ""
    details: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose: its key is the value, its label is what the person sees.

    `aliases` are other words for it that a manifest lists ("face to face" for "In person").
    """

    key: str
    label: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """All that a reading may depend on; the same context and reply give the same reading.

    `now` is the person's own clock: aware, in their time zone. `nouns` are words that the ask is
    about ("tickets", "people", "start time"): in a reply they are not content. `minimum` and
    `maximum` are values of the ask's own kind (a date may be a `date` or its ISO form); `whole`
    says that a number must be a whole one.
    """

    now: datetime
    locale: str = "en"
    currency: str | None = None
    country: str | None = None
    options: Sequence[Option] = ()
    nouns: frozenset[str] = frozenset()
    minimum: Any = None
    maximum: Any = None
    max_length: int | None = None
    whole: bool = False


def settled(value: Any) -> Reading:
    """The reply is the answer."""
    return Reading(Outcome.SETTLED, value)


def suggested(*proposals: Any, reason: str = "which", **details: str) -> Reading:
    """The reply could mean any of these."""
    return Reading(Outcome.SUGGESTED, None, proposals, reason, details)


def invalid(reason: str, *proposals: Any, **details: str) -> Reading:
    """The reply is an answer that cannot be accepted."""
    return Reading(Outcome.INVALID, None, proposals, reason, details)


def beside(*proposals: Any, reason: str = "beside", **details: str) -> Reading:
    """Something stands beside the answer, or there is no answer in it."""
    return Reading(Outcome.BESIDE, None, proposals, reason, details)
