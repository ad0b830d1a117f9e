"""How many calls of a platform something took, as a line of a table."""

from __future__ import annotations

from collections.abc import Sequence


def row(kind: str, methods: Sequence[str]) -> str:
    """What was done, how many calls it took, and which; empty for what has no name."""
    return f"{kind:33} {len(methods)}  {' '.join(methods)}".rstrip() if kind else ""
