"""Journeys that stop half-way: the person is reminded once, and at some time it is put away.

Being reminded asks whether to go on. Any other words are taken as an answer to what was asked
before: it was on the screen all the while.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from core import planner
from core.draft import Draft
from core.events import Happened
from core.reading import read
from core.reading.result import Context, Outcome
from core.state import Ask, AskKind, Journey, Status, is_open
from core.turn import asks
from core.turn.turning import Turning

NUDGE, EXPIRE = "~nudge", "~expire"
"""The runtime's own commands. The argument is `mark(...)` of the journey as it was left: who came
back meanwhile is not disturbed. Behind it stands until when a reminder is decent (ISO 8601, aware):
one that is taken later, because nothing ran, wakes nobody."""


def mark(journey: Journey, turn: int) -> str:
    """A journey as it stood after so many turns."""
    return f"{journey.id}:{turn}"


def _is_left(turn: Turning, marked: str) -> bool:
    return is_open(turn.state) and marked == mark(turn.journey, turn.state.turn - 1)


def nudge(turn: Turning, argument: str) -> None:
    """Remind the person of what they left, once in a journey."""
    marked, _, until = argument.partition(" ")
    late = bool(until) and turn.world.now > datetime.fromisoformat(until)
    if late or not _is_left(turn, marked) or turn.journey.nudged:
        return
    ask = turn.ask
    before = {"kind": ask.kind.value, "item": ask.item} if ask is not None else {}
    asks.leave(turn)
    opened = Ask(kind=AskKind.NUDGE, card="", drawn_at=turn.world.now, cursor=before)
    turn.update(ask=opened, nudged=True)
    turn.event(Happened.NUDGED)
    asks.draw(turn)


def expire(turn: Turning, marked: str) -> None:
    """Put away what was left for too long; nothing of it is kept."""
    if not _is_left(turn, marked):
        return
    if turn.ask is not None and turn.ask.card:
        turn.close(turn.ask.card)
    turn.tell(turn.texts("turn.expired", title=turn.texts("title")))
    turn.event(Happened.EXPIRED)
    turn.state = msgspec.structs.replace(turn.state, journey=ended(turn.journey, Status.EXPIRED))


def ended(journey: Journey, status: Status) -> Journey:
    """A journey that has ended without a submission: nothing of what was said is kept in it."""
    dropped: dict[str, Any] = {"draft": Draft(), "order": (), "cursors": {}, "proposals": {}}
    return msgspec.structs.replace(journey, status=status, ask=None, reopened="", **dropped)


def answered(turn: Turning, ask: Ask, goes_on: bool | None) -> None:
    """The reminder was answered; None where it was not."""
    turn.toast()
    if goes_on is None:
        asks.redraw(turn)
    elif goes_on:
        turn.close(ask.card, turn.texts("turn.going_on"))
        reopened = turn.journey.reopened
        turn.update(ask=None)
        asks.advance(turn, prefer=reopened)
    else:
        turn.close(ask.card, turn.texts("turn.cancelled"))
        turn.state = msgspec.structs.replace(
            turn.state, journey=ended(turn.journey, Status.CANCELLED)
        )
        turn.event(Happened.CANCELLED)
        turn.fact("The person cancelled the journey.")


def worded(turn: Turning, ask: Ask, text: str, context: Context, *, early: bool) -> bool:
    """Whether words answered the reminder. Where they did not, what was asked before is open
    again, on the reminder's own card, to be answered by them."""
    reading = read("confirm", text, context)
    if reading.outcome is Outcome.SETTLED and not early:
        answered(turn, ask, bool(reading.value))
        return True
    put_back(turn, ask)
    return False


def put_back(turn: Turning, ask: Ask) -> None:
    """What was asked before the reminder is open again: it has been seen all the while."""
    item = str(ask.cursor.get("item", ""))
    manifest, journey = turn.type.manifest, turn.journey
    if not item or not planner.askable(manifest, turn.draft, manifest.item(item)):
        turn.update(ask=None)
        turn.close(ask.card)
        asks.advance(turn, prefer=journey.reopened)
        return
    turn.update(
        ask=Ask(
            item=item,
            card=ask.card,
            drawn_at=ask.drawn_at,
            cursor=journey.cursors.get(item, {}),
            proposals=asks.proposals(turn, item),
            seen_before=True,
        )
    )
