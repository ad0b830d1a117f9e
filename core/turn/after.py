"""After a submission: the person hears that it has arrived where it was to go."""

from __future__ import annotations

from collections.abc import Callable

from core.replies import ARRIVED
from core.turn import asks
from core.turn.turning import Turning


def arrived(turn: Turning, journey: str) -> None:
    """Everybody who was to get it has it. What is open meanwhile stays the newest thing (G7)."""
    turn.say("turn.arrived")
    if turn.ask is not None:
        asks.again(turn)


HANDLERS: dict[str, Callable[[Turning, str], None]] = {ARRIVED: arrived}
"""The runtime's own commands of this file."""
