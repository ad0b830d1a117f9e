"""The gate before the turns: who is blocked is not answered, who floods is told to wait, and what
is too large is refused, kindly, before anything is made of it.

Who is blocked hears nothing of the runtime's either: no reminder, no decision. What is held of them
stays theirs: they may still ask for it, and have it erased.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import msgspec

from core.effects import Effects, Say, Toast
from core.privacy import is_about_privacy
from core.replies import (
    Act,
    Command,
    Reply,
    Shared,
    Submit,
    Tap,
    Upload,
    Words,
    is_of_the_runtime,
)
from core.runtime.doors import taken_by
from core.state import Conversation, Status, is_open
from core.store import Store
from core.store.part import account_in, account_of
from core.texts import Texts
from core.turn import Taken
from core.turn.halfway import EXPIRE, ended

_PEOPLE = 10_000
"""As many people are remembered; who has been quiet for longest is forgotten first."""

_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Limits:
    """What one person may do, in counts; 0 is without a limit.

    `text` are the characters of one message or field, `files` those of one upload.
    """

    turns_a_minute: int = 60
    text: int = 20_000
    files: int = 20


@dataclass
class _Recent:
    """The last minute of one person; `told` is when they were told to wait."""

    turns: deque[datetime] = field(default_factory=deque)
    told: datetime | None = None


@dataclass
class Gate:
    """A door (see core.runtime.doors). `clock` gives aware UTC times.

    Turns are counted by each process for itself: with several, a person has that many times as
    many, which is still no flood.
    """

    store: Store
    clock: Callable[[], datetime]
    limits: Limits = field(default_factory=Limits)
    _recent: dict[str, _Recent] = field(default_factory=dict)

    async def answer(self, lane: str, state: Conversation, reply: Reply) -> Effects | Taken | None:
        """What comes of a reply that is not let through, perhaps nothing at all."""
        if is_of_the_runtime(reply):
            blocked = await self.store.is_blocked(account_of(lane))
            return _unheard(state, reply) if blocked else None
        # Whoever taps another person's card uses up nothing of theirs.
        account = account_in(lane, reply.by)
        if not is_about_privacy(reply) and await self.store.is_blocked(account):
            return _quietly(reply)
        texts = Texts(state.person.locale)
        waits = self._told_to_wait(account)
        if waits is not None:
            return _said(reply, texts("gate.slow")) if waits else _quietly(reply)
        if self._is_too_long(reply):
            return _said(reply, texts("gate.too_long", limit=self.limits.text))
        files = reply.files if isinstance(reply, Upload | Submit) else ()
        if len(files) > self.limits.files > 0:
            return _said(reply, texts("gate.too_many_files", limit=self.limits.files))
        return None

    def _told_to_wait(self, account: str) -> bool | None:
        """Whether somebody is to be told to wait, or has been; None where they need not."""
        most, now = self.limits.turns_a_minute, self.clock()
        recent = self._recent.pop(account, None) or _Recent()
        self._recent[account] = recent
        if len(self._recent) > _PEOPLE:
            del self._recent[next(iter(self._recent))]
        while recent.turns and now - recent.turns[0] >= _MINUTE:
            recent.turns.popleft()
        if not most or len(recent.turns) < most:
            recent.turns.append(now)
            recent.told = None
            return None
        first = recent.told is None
        recent.told = recent.told or now
        return first

    def _is_too_long(self, reply: Reply) -> bool:
        most = self.limits.text
        return most > 0 and any(len(text) > most for text in _texts(reply))


def _texts(reply: Reply) -> list[str]:
    match reply:
        case Words(text=text) | Act(words=text) | Command(argument=text) | Upload(caption=text):
            return [text]
        case Shared(value=value, detail=detail):
            return [value, detail]
        case Submit(values=values):
            each = [[one] if isinstance(one, str) else one for one in values.values()]
            return [text for one in each for text in one]
        case _:
            return []


def _unheard(state: Conversation, reply: Reply) -> Effects | Taken:
    """Nothing is said; only a journey whose time is over ends."""
    journey = state.journey
    ends = isinstance(reply, Command) and reply.name == EXPIRE and is_open(state)
    if journey is None or not ends:
        return Effects()
    over = msgspec.structs.replace(state, journey=ended(journey, Status.EXPIRED))
    return taken_by(over, Effects())


def _quietly(reply: Reply) -> Effects:
    """Nothing comes of it; only a button that was tapped waits no longer."""
    waits = _waits(reply)
    return Effects(show=() if waits is None else (Toast(to=waits),))


def _said(reply: Reply, text: str) -> Effects:
    waits = _waits(reply)
    said = Say(text=text, personal=True) if waits is None else Toast(text=text, to=waits)
    return Effects(show=(said,))


def _waits(reply: Reply) -> str | None:
    """The handle of what was used and waits for a short answer; None where nothing does."""
    match reply:
        case Tap(handle=handle) | Submit(handle=handle):
            return handle
        case Act(handle=handle) if handle:
            return handle
        case _:
            return None
