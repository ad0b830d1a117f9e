"""What a destination is: it takes confirmed submissions, each once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from core.channel import Channel
from core.effects import Submission
from core.journey import JourneyType

Settings = Mapping[str, str | int | bool]
"""The settings of a destination, as its manifest has them: `$NAME` stands for a variable."""

Judge = Callable[[str], str]
"""What is wrong with a text and what to write instead; empty where it is right."""


@dataclass(frozen=True)
class Setting:
    """One setting of a kind: its name, an `example` of it and what it is for.

    `judge` judges a text; `secret` is what may only be named by a variable.
    """

    name: str
    example: str
    about: str
    needed: bool = False
    secret: bool = False
    judge: Judge = lambda text: ""


@dataclass(frozen=True, slots=True)
class Delivered:
    """The destination has the submission, from this attempt or from an earlier one."""


@dataclass(frozen=True, slots=True)
class Failed:
    """It surely does not have it, and may take it later: in `seconds`, where it said so."""

    reason: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """It may have it, and nobody can tell: the connection broke, the disk did not answer."""

    reason: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """It will not take it, however often it is asked."""

    reason: str


@dataclass(frozen=True, slots=True)
class Confirmed:
    """When a submission was confirmed, in which channel, and as what type of journey. The items
    `left_out` are not in what is delivered."""

    at: datetime
    channel: str
    type: JourneyType
    left_out: frozenset[str] = frozenset()


Outcome = Delivered | Failed | Unknown | Rejected


@dataclass(frozen=True)
class Means:
    """What destinations work with besides their settings.

    `data` is the folder of what the bot writes, `channels` are those that this process serves, and
    `environment` has the variables that settings may name. `private`: connections may go to
    addresses that only this machine or its network reaches.
    """

    data: Path
    channels: Mapping[str, Channel] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    private: bool = False


class Destination(Protocol):
    """Somewhere that submissions go.

    `knows_keys` says that a second delivery with the same key has no effect. Where it is False, a
    delivery whose outcome is unknown is shown to an admin instead of being tried again.
    """

    @property
    def knows_keys(self) -> bool:
        """Whether a second delivery with the same key has no effect."""
        ...

    async def deliver(self, submission: Submission, key: str, confirmed: Confirmed) -> Outcome:
        """Hand over one submission. `key` is the same at every attempt, and no other's."""
        ...


class Kind(Protocol):
    """A kind of destination: one file here, and a line in `core.delivery.kinds`."""

    @property
    def about(self) -> str:
        """What it is, in a sentence for whoever writes a manifest."""
        ...

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings that it takes."""
        ...

    @property
    def here(self) -> bool:
        """Whether it is on this very machine, so that a submission is there within the moment."""
        ...

    def fault(self, settings: Settings) -> str:
        """What is wrong with the settings of a manifest and what to write instead; empty where all
        is right. A variable is not looked up."""
        ...

    def make(self, settings: Settings, means: Means) -> Destination:
        """The destination of these settings, in which no variable stands any more.

        Raises ValueError, with what to write, for settings that are at fault.
        """
        ...
