"""Whether a journey may be begun right now; who may not hears why, and what to do."""

from __future__ import annotations

from core.turn.turning import Turning


def may_begin(turn: Turning) -> bool:
    """Whether this person may begin another journey; they are told where they may not."""
    if turn.world.under_way:
        turn.say("gate.too_many_journeys", count=turn.world.under_way)
        return False
    return True
