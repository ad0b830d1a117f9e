"""What Slack wants an answer for at once: a modal to open, its faults, what a search finds.

None of it takes a turn. What a submission would come to is tried; it counts when it has its turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import msgspec
import structlog

from channels.slack import render, views
from channels.slack.calling import Calls
from channels.slack.controls import opens
from channels.slack.native import Drawn, Json
from channels.slack.payload import Dest
from core.cards import Card, Form, Picker
from core.effects import Change, Draw
from core.journey import JourneyTypes
from core.replies import Reload, Reply, Submit
from core.state import Conversation
from core.store import Store
from core.texts import Texts
from core.turn import Taken

log = structlog.get_logger()

_CARD: msgspec.json.Decoder[Card] = msgspec.json.Decoder(Card)

Trial = Callable[[str, Reply], Awaitable[Taken | None]]
"""What would come of a reply of a lane right now; None where nobody has been met there."""


@dataclass
class Windows:
    """Modals and searches. `patience` is how many seconds a trial may take."""

    store: Store
    calls: Calls
    types: JourneyTypes
    trial: Trial
    patience: float

    async def open(self, dest: Dest, card: str, trigger: str) -> bool:
        """Open the modal of a card that stands; False where the card has none (any more).

        Raises ApiFailed.
        """
        shown, state = await self._shown(dest, card), await self.store.conversation(dest.lane)
        if state is None:
            return False
        shown = shown or await self._asked(dest, state, card)
        if shown is None or not opens(shown):
            return False
        assert isinstance(shown, Form | Picker)
        kept = await self._kept(dest, state, shown.item)
        view = views.form(shown, dest, self._texts(state), kept)
        await self.calls.api.call(dest.team, "views.open", trigger_id=trigger, view=view)
        return True

    async def faults(self, dest: Dest, view: Json, reply: Submit) -> dict[str, str]:
        """Why the open card would refuse a submission, by block_id; empty where it has its turn."""
        taken = await self._tried(dest, reply)
        return {} if taken is None else views.faults(view, taken.refused)

    async def find(self, dest: Dest, reply: Submit) -> list[Json]:
        """The options that a search of a card finds; none where the card is not the open one."""
        state = await self.store.conversation(dest.lane)
        if state is None or is_late(state, reply.card):
            return []
        taken = await self._tried(dest, reply)
        card = _card_of(taken) if taken is not None and not taken.refused else None
        return render.options(card) if isinstance(card, Picker) else []

    async def _shown(self, dest: Dest, card: str) -> Card | None:
        """A card that stands; None where it stands no longer, or is not kept."""
        native = await self.store.where(dest.lane, card)
        drawn = msgspec.convert(native, Drawn) if native else None
        if drawn is None or not drawn.messages or not drawn.card:
            return None
        return _CARD.decode(drawn.card)

    async def _asked(self, dest: Dest, state: Conversation, card: str) -> Card | None:
        """The card that is open, as it would be drawn again: who clicks at once clicks before the
        answer to its posting has told where it stands."""
        ask = state.journey.ask if state.journey is not None else None
        if ask is None or ask.card != card:
            return None
        taken = await self._tried(dest, Reload(by=dest.owner, at=ask.drawn_at))
        after = _card_of(taken) if taken is not None else None
        if after is None or after.item != ask.item:
            return None
        return msgspec.structs.replace(after, id=card)

    async def _tried(self, dest: Dest, reply: Reply) -> Taken | None:
        """What would come of a reply; None where that takes too long to tell."""
        try:
            async with asyncio.timeout(self.patience):
                return await self.trial(dest.lane, reply)
        except TimeoutError:
            log.warning("trial_too_slow", lane=dest.lane)
            return None

    # What was typed into a modal and is not sent

    async def keep(self, dest: Dest, item: str, values: Mapping[str, str]) -> None:
        """Keep what was typed, for the next time that this is asked in the open journey."""
        name = _kept_name(await self.store.conversation(dest.lane), item)
        if name:
            await self.store.remember(dest.lane, name, {"values": dict(values)})

    async def item_of(self, dest: Dest, card: str) -> str:
        """What a card with a modal asks for; empty where nobody knows."""
        native = await self.store.where(dest.lane, card)
        kept = msgspec.convert(native, Drawn).card if native else ""
        return _CARD.decode(kept).item if kept else ""

    def _texts(self, state: Conversation) -> Texts:
        """The texts of the open journey, or the runtime's own."""
        journey = state.journey
        found = self.types.version(journey.manifest, journey.digest) if journey else None
        locale = state.person.locale
        return found.speak(locale) if found is not None else Texts(locale)

    async def _kept(self, dest: Dest, state: Conversation, item: str) -> dict[str, str]:
        found = await self.store.where(dest.lane, _kept_name(state, item)) or {}
        return {str(name): str(value) for name, value in found.get("values", {}).items()}


def is_late(state: Conversation, card: str) -> bool:
    """Whether a card is not the one that is open."""
    ask = state.journey.ask if state.journey is not None else None
    return ask is None or ask.card != card


def _card_of(taken: Taken) -> Card | None:
    """The card that a turn drew last; None where it drew none."""
    cards = [one.card for one in taken.effects.show if isinstance(one, Draw | Change)]
    return cards[-1] if cards else None


def _kept_name(state: Conversation | None, item: str) -> str:
    """Where it is kept, among the places of the lane's cards; nothing outlives its journey."""
    journey = state.journey if state is not None else None
    return f"~kept:{journey.id}:{item}" if journey is not None and item else ""
