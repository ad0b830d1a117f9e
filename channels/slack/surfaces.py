"""Places beside the conversation: the App Home, and the assistant pane when it is opened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from weakref import WeakValueDictionary

import structlog

from channels.slack import views
from channels.slack.api import Refused
from channels.slack.calling import Calls
from channels.slack.messages import content
from channels.slack.payload import Dest
from channels.slack.people import People
from channels.slack.render import message
from channels.slack.views import Offer
from channels.slack.windows import Trial
from core import own
from core.effects import Draw
from core.journey import JourneyTypes
from core.replies import Reload
from core.state import Conversation
from core.store import Store
from core.texts import Texts

log = structlog.get_logger()

PROMPTS = 4
"""Suggested prompts at most (docs.slack.dev, assistant.threads.setSuggestedPrompts)."""
_PANE = "~pane"
"""Where it is kept that a lane is a thread of the pane, among the places of its cards."""


@dataclass
class Surfaces:
    """Shows what a person has and can begin. `clock` gives aware UTC times."""

    store: Store
    calls: Calls
    people: People
    types: JourneyTypes
    trial: Trial
    clock: Callable[[], datetime]
    _has_pane: set[str] = field(default_factory=set)
    """Workspaces whose app is of the kind with an assistant pane; one that was made since July 2026
    has its prompts in the direct message itself."""
    _showing: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """By lane: whose App Home is being shown."""

    async def show_home(self, dest: Dest) -> None:
        """Show the App Home of the person whose direct message this is. Raises ApiFailed.

        Of several times at once, one follows the other, so that the last look is the newest. Slack
        is told no hash of the view before, and so there is none that could be in conflict.
        """
        lock = self._showing.setdefault(dest.lane, asyncio.Lock())
        async with lock:
            await self._show_home(dest)

    async def _show_home(self, dest: Dest) -> None:
        state = await self._state(dest)
        texts = Texts(state.person.locale)
        held = await own.holdings(self.store, self.types, state, self.clock())
        view = views.home(
            texts,
            dest,
            question=await self._question(dest),
            open_lines=held.open,
            offers=self.offers(state.person.locale),
            submissions=held.submitted,
        )
        await self.calls.api.call(dest.team, "views.publish", user_id=dest.owner, view=view)

    async def is_new(self, dest: Dest) -> bool:
        """Note a thread of the assistant pane; False when it was noted before."""
        self._has_pane.add(dest.team)
        if await self.is_pane(dest):
            return False
        await self.store.remember(dest.lane, _PANE, {"pane": True})
        return True

    async def is_pane(self, dest: Dest) -> bool:
        """Whether a conversation is a thread of the assistant pane."""
        return bool(await self.store.where(dest.lane, _PANE))

    async def greet(self, dest: Dest) -> None:
        """Greet somebody who opened the assistant pane. Raises ApiFailed."""
        locale = (await self._state(dest)).person.locale
        for post in message(Texts(locale)("slack.greeting")):
            await self.calls.post(dest, "chat.postMessage", **content(post))

    async def prompt(self, dest: Dest) -> None:
        """Suggest what to begin to somebody who opened the assistant pane. Raises ApiFailed."""
        await self._suggest(dest, (await self._state(dest)).person.locale)

    async def suggest(self, dest: Dest) -> None:
        """Suggest what to begin to somebody who opened their direct message, in an app without an
        assistant pane. Raises ApiFailed."""
        state = await self._state(dest)
        if dest.team in self._has_pane or await self._question(dest):
            return
        try:
            await self._suggest(dest, state.person.locale)
        except Refused:
            # An app of the older kind takes them in the threads of its pane only.
            self._has_pane.add(dest.team)

    async def _suggest(self, dest: Dest, locale: str) -> None:
        prompts = [{"title": one.title, "message": one.title} for one in self.offers(locale)]
        if prompts:
            await self.calls.assist(
                dest, "assistant.threads.setSuggestedPrompts", prompts=prompts[:PROMPTS]
            )

    def offers(self, locale: str) -> list[Offer]:
        """The journey types that can be started, in a person's language."""
        found = []
        for name in self.types.names():
            latest = self.types.latest(name)
            if latest is not None:
                texts = latest.speak(locale)
                about = texts("about") if texts.find("about") else ""
                found.append(Offer(name=name, title=texts("title"), about=about))
        return found

    async def _state(self, dest: Dest) -> Conversation:
        """The conversation of a lane, or one that is still to begin."""
        state = await self.store.conversation(dest.lane)
        if state is not None:
            return state
        person = await self.people.meet(dest.team, dest.owner)
        return Conversation(id=dest.lane, person=person)

    async def _question(self, dest: Dest) -> str:
        """What is asked in a conversation just now; empty where nothing is."""
        taken = await self.trial(dest.lane, Reload(by=dest.owner, at=self.clock()))
        shown = taken.effects.show if taken is not None else ()
        return next((one.card.title for one in shown if isinstance(one, Draw)), "")
