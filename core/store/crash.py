"""Named places where the process can be made to kill itself, for the tests of what is durable.

`SURESTEP_CRASH=after-accept` kills the process (SIGKILL, so that nothing is tidied up) the first
time it passes that point, `SURESTEP_CRASH=after-accept:3` the third time. When the variable is not
set a point costs one comparison.
"""

from __future__ import annotations

import os
import signal

VARIABLE = "SURESTEP_CRASH"

OPERATIONS = (
    "accept",
    "claim",
    "settle",
    "fail",
    "due",
    "sent",
    "retry",
    "due-deliveries",
    "begin-delivery",
    "delivered",
    "retry-delivery",
    "load-directory",
)
"""Writing transactions with three points each: `before-` it begins, `committing-` when all is
written and nothing is committed, `after-` its commit and before anybody is told."""

BETWEEN = (
    "accept-lane",
    "claim-lane",
    "settle-lane",
    "settle-inbox",
    "settle-state",
    "settle-outbox",
    "settle-submission",
    "fail-lane",
    "sent-row",
    "retry-row",
    "load-directory-emptied",
)
"""Points between two writes of one transaction, named after the write that is done."""

POINTS = (
    *(f"{when}-{name}" for name in OPERATIONS for when in ("before", "committing", "after")),
    *BETWEEN,
)

OF_DECISIONS = (
    "after-audited",
    "decide-row",
    "decide-told",
    "committing-decide",
    "after-decide",
)
"""Points on the way of a moderator's decision, which not every submission goes."""

_armed = ""
_left = 0


def arm(order: str) -> None:
    """Crash at `name` or at the n-th pass of it, `name:n`; an empty order disarms.

    Raises ValueError for a name that is no point.
    """
    global _armed, _left
    name, _, count = order.partition(":")
    every = (*POINTS, *OF_DECISIONS)
    if name and name not in every:
        known = ", ".join(every)
        raise ValueError(f"{VARIABLE}: there is no point {name!r}; write one of {known}")
    if count and not (count.isascii() and count.isdigit() and int(count) > 0):
        raise ValueError(f"{VARIABLE}: write a pass from 1 after the colon, not {count!r}")
    _armed, _left = name, int(count or 1)


def point(name: str, operation: str = "") -> None:
    """A place to crash at: `name`, or `name-operation` where an operation is given."""
    if _armed:
        _pass(f"{name}-{operation}" if operation else name)


def _pass(name: str) -> None:
    global _left  # noqa: PLW0603
    if name != _armed:
        return
    _left -= 1
    if _left == 0:
        os.kill(os.getpid(), signal.SIGKILL)


arm(os.environ.get(VARIABLE, ""))
