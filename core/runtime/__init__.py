"""The shell around the turn: it loads, asks the model, saves and hands on. No rule of a turn is
here, only the order of things that must not be lost.

A worker claims a lane, takes one turn of what waits in it, and settles state, inbox and outbox in
one transaction under the lane's fence. Over a model call no transaction is open; what arrives
meanwhile is looked at before the answer counts. One process works on many lanes at once: a slow
model delays its own lane only. Nobody asks the database again and again: a bell tells.
"""

from __future__ import annotations

from core.runtime.runtime import Runtime
from core.runtime.turns import Rules, Tools, Turns
from core.state import Conversation, Status

__all__ = ["Rules", "Runtime", "Tools", "Turns", "is_over"]


def is_over(state: Conversation | None) -> bool:
    """Whether the conversation's last journey has ended."""
    return state is not None and state.journey is not None and state.journey.status != Status.OPEN
