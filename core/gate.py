"""The gate before the turns: who is blocked is not answered, who floods is told to wait, and what
is too large is refused, kindly, before anything is made of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from core.effects import Effects, Say, Toast
from core.replies import Act, Command, Reply, Submit, Tap, Upload, Words, is_of_the_runtime
from core.state import Conversation
from core.store import Store
from core.store.part import account_in
from core.texts import Texts

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

    async def answer(self, lane: str, state: Conversation, reply: Reply) -> Effects | None:
        """What comes of a reply that is not let through, perhaps nothing at all."""
        if is_of_the_runtime(reply):
            return None
        # Whoever taps another person's card uses up nothing of theirs.
        account = account_in(lane, reply.by)
        if await self.store.is_blocked(account):
            return _quietly(reply)
        texts = Texts(state.person.locale)
        waits = self._told_to_wait(account)
        if waits is not None:
            return _said(reply, texts("gate.slow")) if waits else _quietly(reply)
        if self._is_too_long(reply):
            return _said(reply, texts("gate.too_long", limit=self.limits.text))
        if isinstance(reply, Upload) and len(reply.files) > self.limits.files > 0:
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
        case Submit(values=values):
            each = [[one] if isinstance(one, str) else one for one in values.values()]
            return [text for one in each for text in one]
        case _:
            return []


def _quietly(reply: Reply) -> Effects:
    """Nothing comes of it; only a button that was tapped waits no longer."""
    return Effects(show=(Toast(to=reply.handle),) if isinstance(reply, Tap | Submit) else ())


def _said(reply: Reply, text: str) -> Effects:
    if isinstance(reply, Tap | Submit):
        return Effects(show=(Toast(text=text, to=reply.handle),))
    return Effects(show=(Say(text=text, personal=True),))
