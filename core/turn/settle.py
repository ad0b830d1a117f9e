"""Writing a value, and saying what that did: the receipt, old and new, and what must be asked
again."""

from __future__ import annotations

from typing import Any

from core import planner
from core.draft import Source
from core.events import Happened
from core.step.base import Settled
from core.turn import asks, summary
from core.turn.turning import Turning


def settle(turn: Turning, name: str, result: Settled) -> None:
    """The open ask is answered: write, print the receipt in its place, draw what is next."""
    ask = turn.ask
    assert ask is not None
    receipt = write(turn, name, result.value, result.source)
    turn.close(ask.card, "\n".join(part for part in (receipt.head, result.said) if part))
    if receipt.more:
        turn.tell(receipt.more)
    cursors = {key: kept for key, kept in turn.journey.cursors.items() if key != name}
    turn.update(ask=None, reopened="", cursors=cursors)
    asks.advance(turn)


FACT = 160
"""Characters of a value in a fact: the model is told all settled values in full beside the facts,
and a state is written anew with every turn."""


class Receipt:
    """What is printed about a write: the line itself, and what a change took away."""

    def __init__(self, head: str, more: str) -> None:
        self.head = head
        self.more = more

    @property
    def text(self) -> str:
        """Both, as one message."""
        return "\n".join(part for part in (self.head, self.more) if part)


def write(turn: Turning, name: str, value: Any, source: Source, *, quote: str = "") -> Receipt:
    """Write a value into the draft and word its receipt (G4). Raises planner.NotYet."""
    written = planner.write(
        turn.type.manifest,
        turn.draft,
        name,
        value,
        source=source,
        turn=turn.state.turn,
        quote=quote,
    )
    head = _head(turn, name, value, written, source)
    turn.update(draft=written.draft.meaning(name, turn.meaning(name)))
    turn.reach(name)
    journey = turn.journey
    order = journey.order if name in journey.order else (*journey.order, name)
    if order != journey.order:
        turn.event(Happened.PASSED, name)
    proposals = {key: kept for key, kept in journey.proposals.items() if key != name}
    turn.update(order=order, proposals=proposals)
    _report(turn, name, value, written)
    return Receipt(head, taken_away(turn, written))


def _head(turn: Turning, name: str, value: Any, written: planner.Written, source: Source) -> str:
    label, new = turn.texts.label(name), turn.display(name, value)
    if written.changed and written.old is not None:
        old = turn.display(name, written.old.value)
        return turn.texts("turn.changed", label=label, old=old, new=new)
    if written.old is not None:
        return turn.texts("turn.kept", label=label, value=new)
    key = "turn.noted" if source is Source.QUOTED else "turn.settled"
    return turn.texts(key, label=label, value=new)


def _report(turn: Turning, name: str, value: Any, written: planner.Written) -> None:
    turn.event(Happened.SKIPPED if value is None else Happened.SETTLED, name)
    shown = _brief(turn.display(name, value))
    if written.changed and written.old is not None:
        turn.event(Happened.CHANGED, name)
        old = _brief(turn.display(name, written.old.value))
        turn.fact(f"{name} was changed from {old!r} to {shown!r}.")
    elif written.old is None:
        turn.fact(f"{name} was settled: {shown!r}.")
    for lost in written.lost:
        turn.event(Happened.RE_ASKED, lost)
        turn.fact(f"{lost} must be asked again because of that.")


def _brief(shown: str) -> str:
    return shown if len(shown) <= FACT else f"{shown[:FACT].rstrip()}…"


def taken_away(turn: Turning, written: planner.Written) -> str:
    """What a change took away, by name; empty where it took nothing."""
    lines = []
    for key, names in (("turn.lost", written.lost), ("turn.hidden", written.hidden)):
        if names:
            items = ", ".join(turn.texts.label(name) for name in names)
            lines.append(turn.texts(key, items=items))
    return "\n".join(lines)


def drop_outdated(turn: Turning) -> bool:
    """Take away settled values that time has overtaken, and say which; False where all stand."""
    gone = summary.outdated(turn)
    for name in gone:
        if not turn.draft.has(name):
            continue
        value = turn.draft.values[name].value
        reason = turn.fault(name, turn.draft.values[name])
        old = turn.display(name, value)
        written = planner.forget(turn.type.manifest, turn.draft, name)
        turn.update(draft=written.draft)
        turn.event(Happened.RE_ASKED, name)
        turn.fact(f"{name} can no longer be {_brief(old)!r} and is asked again.")
        turn.say("turn.outdated", label=turn.texts.label(name), value=old, reason=reason)
        turn.tell(taken_away(turn, written))
    return bool(gone)
