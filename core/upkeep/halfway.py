"""Reminds whoever left a journey half-way, once and at a decent hour, and in the end puts it away.

What a person sees of it is the turn's: here it is only found who is meant.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from core.replies import Command
from core.state import Journey, Person
from core.store import Store
from core.store.left import Left
from core.store.part import channel_of
from core.turn.halfway import EXPIRE, NUDGE, mark
from core.turn.zones import local

Act = Callable[[Left, Mapping[str, str]], Awaitable[bool]]

_HOUR, _DAY = 3600.0, 24 * 3600.0
OFF = "off"


@dataclass(frozen=True)
class Waits:
    """How long is waited: hours until a person is reminded, days until it is put away; 0 is never.

    What admins set from the chat counts before it: `nudge` and `expire`, for one journey type
    `nudge:event` and `expire:event`, with a number or `off`.
    """

    nudge_hours: float = 24.0
    expire_days: float = 30.0

    def nudge(self, switches: Mapping[str, str], journey: str) -> float:
        """Seconds until a reminder; 0 for none."""
        return _set(switches, "nudge", journey, self.nudge_hours) * _HOUR

    def expiry(self, switches: Mapping[str, str], journey: str) -> float:
        """Seconds until a journey is put away; 0 for never."""
        return _set(switches, "expire", journey, self.expire_days) * _DAY


def _set(switches: Mapping[str, str], name: str, journey: str, otherwise: float) -> float:
    given = switches.get(f"{name}:{journey}", switches.get(name, ""))
    try:
        return max(float(given), 0.0)
    except ValueError:
        return 0.0 if given == OFF else otherwise


@dataclass
class HalfWay:
    """A chore (see core.upkeep.keeper). `channels` are those whose people this process reaches,
    `clock` gives aware UTC times; a reminder comes between the hours of `decent`, on the person's
    clock. `ring` wakes whoever takes turns."""

    store: Store
    channels: Collection[str]
    clock: Callable[[], datetime]
    ring: Callable[[], None]
    waits: Waits = Waits()
    decent: tuple[int, int] = (9, 20)
    every: float = 60.0

    async def do(self) -> int:
        """Remind whom there is to remind, and put away what has waited for too long."""
        switches = await self.store.switches()
        expiries = [self.waits.expiry(switches, one) for one in _types(switches)]
        nudges = [self.waits.nudge(switches, one) for one in _types(switches)]
        done = await self._each(_least(expiries), None, self._put_away, switches)
        done += await self._each(_least(nudges), False, self._remind, switches)
        if done:
            self.ring()
        return done

    async def _each(
        self, idle: float, nudged: bool | None, act: Act, switches: Mapping[str, str]
    ) -> int:
        done, after = 0, ""
        while idle and (found := await self.store.left(idle, nudged=nudged, after=after)):
            for one in found:
                if channel_of(one.state.id) in self.channels:
                    done += await act(one, switches)
            after = found[-1].state.id
        return done

    async def _put_away(self, left: Left, switches: Mapping[str, str]) -> bool:
        expiry = self.waits.expiry(switches, _journey(left).manifest)
        return bool(expiry) and self._idle(left) >= expiry and await self._tell(left, EXPIRE)

    async def _remind(self, left: Left, switches: Mapping[str, str]) -> bool:
        journey = _journey(left)
        wanted = self.waits.nudge(switches, journey.manifest)
        until = self._decent_until(left.state.person)
        if not wanted or self._idle(left) < wanted or until is None:
            return False
        told = not journey.nudged and await self._tell(left, NUDGE, f" {until.isoformat()}")
        # Who was reminded is not looked at again for a while, unless they do something.
        await self.store.nudged(left)
        return told

    def _idle(self, left: Left) -> float:
        return (self.clock() - left.heard_at).total_seconds()

    async def _tell(self, left: Left, name: str, until: str = "") -> bool:
        state = left.state
        marked = mark(_journey(left), state.turn)
        argument = f"{marked}{until}"
        reply = Command(name=name, argument=argument, by=state.person.id, at=self.clock())
        return await self.store.tell_left(left, f"{state.id}:{name}:{marked}", reply)

    def _decent_until(self, person: Person) -> datetime | None:
        """Until when it is by day where the person is; None where it is not: nobody is woken up."""
        first, last = self.decent
        there = local(person.zone, self.clock())
        if not first <= there.hour < last:
            return None
        # By the clock there, whatever is done to it on that day.
        evening = datetime.combine(there, time()) + timedelta(hours=last)
        return evening.replace(tzinfo=there.tzinfo).astimezone(UTC)


def _journey(left: Left) -> Journey:
    assert left.state.journey is not None
    return left.state.journey


def _types(switches: Mapping[str, str]) -> set[str]:
    """The journey types that something is set for, and with "" all others."""
    return {name.partition(":")[2] for name in switches} | {""}


def _least(seconds: list[float]) -> float:
    return min((one for one in seconds if one), default=0.0)
