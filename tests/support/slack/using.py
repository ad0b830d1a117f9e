"""What people do with the controls of messages: a message is found by what is to be used in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import date, datetime, time
from typing import TYPE_CHECKING

from tests.support.slack.controls import CLICKED, Key
from tests.support.slack.errors import Json
from tests.support.slack.interactions import Interaction
from tests.support.slack.messages import Message
from tests.support.slack.modals import Modal, opened_by
from tests.support.slack.surfaces import Surface

if TYPE_CHECKING:
    from tests.support.slack.channels import Channel
    from tests.support.slack.people import Person


class Uses(ABC):
    """The half of a person that uses messages.

    Each is done in `message`, or in the newest in the direct message (or `in_` a channel) that has
    what is asked for.
    """

    found: dict[Key, list[Json]]
    """What the last search in each external select found."""

    def on(self, message: Message) -> Surface:
        """A message in front of this person."""
        return Surface(self.me, message)

    def clicks(
        self,
        label: str,
        message: Message | None = None,
        *,
        in_: Channel | None = None,
        confirms: bool = True,
        stale: bool = False,
    ) -> Interaction:
        """Press a button, or choose from a menu of buttons; see `Surface.clicks`."""
        at = message or self._newest(lambda one: _has_button(one, label), label, in_)
        return self.on(at).clicks(label, confirms=confirms, stale=stale)

    def selects(
        self,
        label: str,
        *choices: object,
        message: Message | None = None,
        in_: Channel | None = None,
    ) -> Interaction:
        """Choose in a select, among checkboxes or radio buttons; see `Surface.selects`."""
        return self._at(label, message, in_).selects(label, *choices)

    def picks_date(
        self,
        label: str,
        day: date | str,
        message: Message | None = None,
        *,
        in_: Channel | None = None,
    ) -> Interaction:
        """Pick a date."""
        return self._at(label, message, in_).picks_date(label, day)

    def picks_time(
        self,
        label: str,
        at: time | str,
        message: Message | None = None,
        *,
        in_: Channel | None = None,
    ) -> Interaction:
        """Pick a time of the day."""
        return self._at(label, message, in_).picks_time(label, at)

    def picks(
        self,
        label: str,
        at: datetime | str,
        message: Message | None = None,
        *,
        in_: Channel | None = None,
    ) -> Interaction:
        """Pick a date and a time."""
        return self._at(label, message, in_).picks(label, at)

    def types(
        self,
        label: str,
        text: str,
        message: Message | None = None,
        *,
        in_: Channel | None = None,
    ) -> Interaction:
        """Type into a field of a message."""
        return self._at(label, message, in_).types(label, text)

    async def searches(
        self,
        label: str,
        text: str,
        message: Message | None = None,
        *,
        in_: Channel | None = None,
    ) -> list[str]:
        """Type into an external select, and wait for what it finds."""
        return await self._at(label, message, in_).searches(label, text)

    async def opens(
        self, label: str, message: Message | None = None, *, in_: Channel | None = None
    ) -> Modal:
        """Press a button that opens a modal, and wait for the modal."""
        at = message or self._newest(lambda one: _has_button(one, label), label, in_)
        return await opened_by(self.on(at), label)

    @property
    @abstractmethod
    def me(self) -> Person:
        """The whole person."""

    def _at(self, label: str, message: Message | None, in_: Channel | None) -> Surface:
        found = message or self._newest(lambda one: _has_field(one, label), label, in_)
        return self.on(found)

    def _newest(self, fits: Callable[[Message], bool], label: str, in_: Channel | None) -> Message:
        screen = (in_ or self.me.dm).screen(self.me)
        for message in reversed(screen):
            if fits(message):
                return message
        raise AssertionError(f"nothing called {label!r} here:\n{screen}")


def _has_button(message: Message, label: str) -> bool:
    for one in message.controls:
        if one.kind == "overflow" and label in one.labels:
            return True
        if one.kind in CLICKED and label in one.names:
            return True
    return False


def _has_field(message: Message, label: str) -> bool:
    return any(
        one.kind not in CLICKED and (label in one.names or not label) for one in message.controls
    )
