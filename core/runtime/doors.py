"""What may take a reply before it has its turn: what people who run the bot ask of it, and what
nobody is to be answered to. A door knows the store; the turn behind it does not."""

from __future__ import annotations

from typing import Protocol

import msgspec

from core.effects import Effects, Put, Submission, Toast
from core.replies import Act, Reply
from core.state import Conversation
from core.store.moderation import Look
from core.turn import Taken


class Door(Protocol):
    """Stands before the turn."""

    async def answer(self, lane: str, state: Conversation, reply: Reply) -> Effects | Taken | None:
        """What comes of a reply that this door takes, perhaps nothing; None lets it through.

        Below effects the open card is drawn again; with a whole turn, the door says what is open.

        It may be asked for the same reply again, where a process ended before the answer was
        stored, and then gives the same answer and has no second effect.
        """
        ...


class Moderates(Protocol):
    """Knows which submissions people look at before they are delivered."""

    async def look(self, lane: str, made: Submission, name: str) -> Look | None:
        """How a submission that is being confirmed is shown to those who decide; None where nobody
        has to. `name` is what its person is called."""
        ...


def taken_by(state: Conversation, effects: Effects) -> Taken:
    """A turn that a door took: the conversation is as it was, one turn later."""
    return Taken(msgspec.structs.replace(state, turn=state.turn + 1), effects)


def is_below(effects: Effects, reply: Reply) -> bool:
    """Whether anything of this is shown below what is in the chat: the short answer to a tap is
    not, nor a post that is changed where it stands."""
    acted = reply.post if isinstance(reply, Act) else ""
    return any(
        not isinstance(one, Toast) and not (isinstance(one, Put) and one.post.id == acted)
        for one in effects.show
    )


def both(first: Effects, then: Effects) -> Effects:
    """What one turn wants to happen, and after it what another one wants."""
    return Effects(
        show=(*first.show, *then.show),
        notes=(*first.notes, *then.notes),
        events=(*first.events, *then.events),
        submission=first.submission or then.submission,
    )
