"""Whether a journey may be begun right now; who may not hears why, and what to do."""

from __future__ import annotations

from core.turn.turning import Turning


def may_begin(turn: Turning, name: str) -> bool:
    """Whether this person may begin another journey; they are told where they may not."""
    if is_paused(turn, name):
        return False
    if turn.world.under_way:
        turn.say("gate.too_many_journeys", count=turn.world.under_way)
        return False
    return True


def is_paused(turn: Turning, name: str) -> bool:
    """Whether no new journey of this type is begun at the moment; the person is told where so."""
    if name not in turn.world.paused:
        return False
    found = turn.world.types.latest(name)
    title = found.speak(turn.state.person.locale)("title") if found is not None else name
    turn.say("turn.paused", title=title)
    return True
