"""A manifest that changed under an open journey: it stays on its own version while that is at
hand; otherwise what is still valid is kept, what changed is asked again, and the person is told."""

from __future__ import annotations

import msgspec

from core import planner
from core.draft import Draft, Value
from core.events import Happened
from core.journey import JourneyType
from core.state import AskKind, Status
from core.turn.turning import Turning


def bring_up_to_date(turn: Turning) -> bool:
    """Move an open journey whose version is gone to the current one.

    What was asked on the card that goes is `turn.moved_from`: an answer to it may be on its way.
    False when there is nothing to move it to: the journey type itself is gone.
    """
    journey = turn.state.journey
    if journey is None or journey.status is not Status.OPEN:
        return True
    if turn.world.types.version(journey.manifest, journey.digest) is not None:
        return True
    current = turn.world.types.latest(journey.manifest)
    if current is None:
        return False
    old = journey.draft
    ask = journey.ask
    if ask is not None:
        turn.close(ask.card)
        turn.moved_from = ask.item if ask.kind is AskKind.STEP else ""
    turn.update(
        digest=current.manifest.digest,
        draft=Draft(),
        ask=None,
        reopened="",
        cursors={},
        proposals={},
    )
    gone = _carry_over(turn, current, old)
    turn.update(draft=msgspec.structs.replace(turn.draft, former=_former(turn, old)))
    turn.event(Happened.MIGRATED)
    labels = ", ".join(turn.texts.label(name) for name in gone)
    turn.say("turn.migrated_asking" if gone else "turn.migrated", items=labels)
    dropped = [name for name in old.values if not turn.draft.has(name) and name not in gone]
    if dropped:
        turn.say("turn.hidden", items=", ".join(turn.texts.label(name) for name in dropped))
    turn.fact("The form itself was changed by its owners; some questions may be asked again.")
    return True


def _former(turn: Turning, old: Draft) -> dict[str, object]:
    """What may be suggested again: what was given as an answer to the same question."""
    values = {
        name: value.value
        for name, value in old.values.items()
        if name in turn.type.manifest.by_name and turn.means_the_same(name, value)
    }
    former = {name: one for name, one in {**old.former, **values}.items() if one is not None}
    known = turn.type.manifest.by_name
    return {name: one for name, one in former.items() if name in known and not turn.draft.has(name)}


def _carry_over(turn: Turning, current: JourneyType, old: Draft) -> tuple[str, ...]:
    """Write what still stands, upstream first, with its source and history; name the rest."""
    waiting = {name: old.values[name] for name in old.values if name in current.manifest.by_name}
    moved = True
    while moved and waiting:
        moved = False
        for name in [one.name for one in current.manifest.items if one.name in waiting]:
            if planner.askable(current.manifest, turn.draft, current.manifest.item(name)):
                value = waiting.pop(name)
                moved = _keep(turn, name, value) or moved
    belongs = planner.belonging(current.manifest, turn.draft)
    return tuple(
        item.name
        for item in current.manifest.items
        if item.name in old.values
        and not turn.draft.has(item.name)
        and belongs[item.name] is not planner.Truth.NO
    )


def _keep(turn: Turning, name: str, value: Value) -> bool:
    item = turn.type.manifest.item(name)
    stands = not item.required if value.skipped else not turn.fault(name, value)
    if not stands:
        return False
    values = {**turn.draft.values, name: value}
    turn.update(draft=msgspec.structs.replace(turn.draft, values=values))
    return True
