"""Places that take nothing any more: a channel that was archived, or that the bot was taken out of.

Whoever clicks there gets no answer where they look for one, so they hear of it in their direct
message.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from channels.slack.calling import Calls
from channels.slack.directs import Directs
from channels.slack.messages import content
from channels.slack.payload import COMMAND, Dest
from channels.slack.render import message
from core.replies import Reload
from core.state import Journey, Status
from core.store import Store
from core.texts import Texts


@dataclass
class Shut:
    """Tells people of it, once for each journey. `ring` wakes whoever takes turns, `clock` gives
    aware UTC times."""

    store: Store
    calls: Calls
    directs: Directs
    ring: Callable[[], None]
    clock: Callable[[], datetime]
    _told: set[str] = field(default_factory=set)

    async def tell(self, dest: Dest) -> None:
        """Tell the owner of a conversation that nothing can be said in it any more. Raises
        ApiFailed."""
        state = await self.store.conversation(dest.lane)
        journey = state.journey if state is not None else None
        if dest.direct or state is None or journey is None or await self._knows(dest, journey):
            return
        home = replace(dest, channel=await self.directs.of(dest.team, dest.owner), thread="")
        said = Texts(state.person.locale)("slack.shut", command=COMMAND)
        for post in message(said):
            await self.calls.post(home, "chat.postMessage", **content(post))
        await self._draw_again(home, journey)

    async def _knows(self, dest: Dest, journey: Journey) -> bool:
        """Whether it was told before; from now on it was."""
        name = f"~shut:{journey.id}"
        if journey.id in self._told:
            return True
        # At once, before anything is waited for: several things fail there together.
        self._told.add(journey.id)
        if await self.store.where(dest.lane, name):
            return True
        await self.store.remember(dest.lane, name, {"told": True})
        return False

    async def _draw_again(self, home: Dest, shut: Journey) -> None:
        """What is open in the direct message stays the newest thing there."""
        state = await self.store.conversation(home.lane)
        journey = state.journey if state is not None else None
        if journey is not None and journey.status is Status.OPEN:
            reply = Reload(by=home.owner, at=self.clock())
            await self.store.accept(home.lane, f"{home.lane}:shut:{shut.id}", reply)
            self.ring()
