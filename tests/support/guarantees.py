"""What always holds, checked after every turn of a test's chat (see `core.evals.guarantees`)."""

from __future__ import annotations

from core.evals import guarantees
from core.evals.guarantees import Found, Look, broken, shown_text
from core.journey import JourneyType
from core.replies import Reply, Submit, Tap
from core.state import Conversation, Journey
from core.turn import Taken
from tests.support.chat import Chat

__all__ = ["accepted", "check", "never_skipped", "nothing_hidden_left", "shown_text", "stale"]


def check(chat: Chat, reply: Reply, before: Conversation, taken: Taken) -> None:
    """All of it; an AssertionError names the guarantees that broke."""
    found = broken(
        Look(
            types=chat.types,
            reply=reply,
            before=before,
            taken=taken,
            screen=chat.view,
            notes=chat.notes,
            again=lambda: chat.taken(before, reply),
            fetches=chat.fetches,
            waited=chat.waited,
        )
    )
    assert not found, "; ".join(f"{one.guarantee}: {one.detail}" for one in found)


def never_skipped(kind: JourneyType, journey: Journey) -> None:
    """G1: no summary while an item is owed."""
    _hold(guarantees.never_skipped(kind, journey))


def accepted(kind: JourneyType, journey: Journey) -> None:
    """G5: a record is in the draft only by the person's acceptance."""
    _hold(guarantees.accepted(kind, journey))


def nothing_hidden_left(kind: JourneyType, journey: Journey) -> None:
    """A hidden item's value is in no draft."""
    _hold(guarantees.nothing_hidden(kind, journey))


def _hold(found: Found) -> None:
    seen = [f"{guarantee}: {detail}" for guarantee, detail in found]
    assert not seen, "; ".join(seen)


def stale(reply: Reply, before: Conversation) -> bool:
    """Whether a tap was on a card that is not the open one."""
    ask = before.journey.ask if before.journey else None
    return isinstance(reply, Tap | Submit) and (ask is None or ask.card != reply.card)
