"""What became of a submission that people looked at: its person is told, and where changes are
asked for, the journey comes back to its summary, with all that was submitted.

It comes back when nothing else is open in the conversation, as a journey of its own: each journey
is submitted once.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from core.draft import Draft, Source, Value
from core.state import Journey, Returned, Status, is_open
from core.turn import asks, migrate, settle
from core.turn.turning import Turning

APPROVED, CHANGES, REJECTED = "~approved", "~changes", "~rejected"
"""The runtime's own commands, by which a conversation hears of a decision (see `told`)."""

SUMMARY = ""
"""What the summary is called among the items that a journey has reached."""

_TOLD: msgspec.json.Decoder[Returned] = msgspec.json.Decoder(Returned)


def told(returned: Returned) -> str:
    """The argument of those commands."""
    return msgspec.json.encode(returned).decode()


def _approved(turn: Turning, argument: str) -> None:
    one = _TOLD.decode(argument)
    _tell(turn, "moderation.approved", one)


def _rejected(turn: Turning, argument: str) -> None:
    one = _TOLD.decode(argument)
    _tell(turn, "moderation.rejected", one)


def _tell(turn: Turning, key: str, one: Returned) -> None:
    text = turn.texts(key, title=one.title, number=one.number, words=one.words)
    turn.tell(text, personal=True)
    if is_open(turn.state) and turn.ask is not None:
        asks.again(turn)


def _changes(turn: Turning, argument: str) -> None:
    one = _TOLD.decode(argument)
    turn.state = msgspec.structs.replace(turn.state, returned=(*turn.state.returned, one))
    if is_open(turn.state):
        _tell(turn, "moderation.changes_later", one)


HANDLERS: dict[str, Callable[[Turning, str], None]] = {
    APPROVED: _approved,
    CHANGES: _changes,
    REJECTED: _rejected,
}


def come_back(turn: Turning) -> None:
    """Where nothing is open, the first submission that is to be changed is open again."""
    if is_open(turn.state) or not turn.state.returned:
        return
    first, *rest = turn.state.returned
    before = turn.state.journey
    turn.state = msgspec.structs.replace(
        turn.state, journey=_journey(turn, first), returned=tuple(rest)
    )
    if not migrate.bring_up_to_date(turn):
        turn.state = msgspec.structs.replace(turn.state, journey=before)
        _tell(turn, "moderation.gone", first)
        return
    _tell(turn, "moderation.changes", first)
    turn.fact(f"The people who decide about the submission ask for changes: {first.words!r}.")
    settle.drop_outdated(turn)
    asks.advance(turn)


def _journey(turn: Turning, one: Returned) -> Journey:
    """A journey with all that was submitted, as its person gave it."""
    before = turn.state.journey
    kept = before is not None and before.id == one.journey and before.status is Status.SUBMITTED
    names = tuple(one.content)
    if kept:
        assert before is not None
        draft, order = before.draft, before.order
    else:
        draft, order = Draft(values=_values(turn, one)), names
    return Journey(
        id=turn.world.fresh,
        manifest=one.manifest,
        digest=one.digest,
        draft=draft,
        order=order,
        reached=(*dict.fromkeys((*order, *names)), SUMMARY),
        instead=one.journey,
    )


def _values(turn: Turning, one: Returned) -> dict[str, Value]:
    return {
        name: Value(value=value, source=Source(one.sources[name]), turn=turn.state.turn)
        for name, value in one.content.items()
    }
