"""What was sent as an answer to a card that has gone, with its version of the manifest.

It settles nothing, since what it was meant for may be asked otherwise now. It is not lost either:
it is a suggestion on the card that asks for the same item now.
"""

from __future__ import annotations

from core import planner
from core.reading import is_cancel, is_start_over
from core.reading.result import Context
from core.replies import Upload, Words
from core.state import AskKind
from core.step.base import Beside, Moved, Settled
from core.turn import asks, replies
from core.turn.turning import Turning


def heard(turn: Turning, reply: Words | Upload) -> Beside | None:
    """Words or files for a card that has gone; what stands beside an answer in them, or for the
    model where they are none."""
    kind = _wish(turn, reply)
    if kind is not None:
        replies.sure(turn, kind)
        return None
    name, manifest = turn.moved_from, turn.type.manifest
    item = manifest.by_name.get(name)
    if item is None or not planner.askable(manifest, turn.draft, item):
        return Beside()
    result = turn.step(name).read(turn.scene(name), reply)
    if isinstance(result, Moved):
        turn.update(cursors={**turn.journey.cursors, name: dict(result.cursor)})
    elif isinstance(result, Settled):
        asks.propose(turn, name, (result.value,))
    else:
        asks.propose(turn, name, result.proposals)
    if isinstance(result, Beside):
        return result
    asks.advance(turn)
    return None


def _wish(turn: Turning, reply: Words | Upload) -> AskKind | None:
    """Cancel and start over, when they are all that was said."""
    if not isinstance(reply, Words):
        return None
    context = Context(now=turn.local_now, locale=turn.state.person.locale)
    if is_cancel(reply.text, context):
        return AskKind.CANCEL
    return AskKind.RESTART if is_start_over(reply.text, context) else None
