"""Time zones of people."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def offset_of(zone: str, at: float) -> int:
    """Seconds east of UTC in an IANA zone at this Unix time."""
    offset = datetime.fromtimestamp(at, UTC).astimezone(ZoneInfo(zone)).utcoffset()
    return int(offset.total_seconds()) if offset is not None else 0
