"""The reader on its own: JSON lines in, one JSON line out for each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from core.reading import read
from core.reading.result import Context, Option

_FALLBACK_NOW = datetime(2026, 12, 1, 9, 0, tzinfo=ZoneInfo("UTC"))


class BadLine(ValueError):
    """A line that is not what the reader takes; the message says what it should be."""


def read_lines(kind: str, lines: Iterable[str], now: datetime | None = None) -> Iterator[str]:
    """One JSON answer a line; an unusable line gets `{"error": ...}` in its place.

    Blank lines are passed over. `now` is the clock for lines that bring none.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            answer = _answer(kind, line, now or _FALLBACK_NOW)
        except BadLine as fault:
            answer = {"error": f"line {number}: {fault}"}
        yield json.dumps(answer, ensure_ascii=False, default=_plain)


def _answer(kind: str, line: str, now: datetime) -> dict[str, Any]:
    if "\ufffd" in line:
        raise BadLine("not UTF-8 text; save it as UTF-8")
    try:
        asked = json.loads(line.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise BadLine(f'not JSON ({error.msg}); write {{"reply": "..."}}') from None
    if not isinstance(asked, dict) or not isinstance(asked.get("reply"), str):
        raise BadLine('write an object with a text under "reply"')
    reading = read(kind, asked["reply"], _context(asked, now))
    value: Any = reading.value
    if value is None and reading.proposals:
        value = reading.proposals[0] if len(reading.proposals) == 1 else list(reading.proposals)
    reason = " ".join([reading.reason, *reading.details.values()]).strip()
    return {"outcome": reading.outcome.value, "value": value, "reason": reason or None}


def _context(asked: dict[str, Any], now: datetime) -> Context:
    options = asked.get("options") or []
    if not isinstance(options, list) or not all(isinstance(one, str) for one in options):
        raise BadLine('"options" is a list of texts')
    currency = asked.get("currency")
    return Context(
        now=_clock(asked.get("now"), now),
        locale=str(asked.get("locale") or "en"),
        currency=str(currency) if currency else None,
        country=str(asked["country"]) if asked.get("country") else None,
        options=tuple(Option(key=label, label=label) for label in options),
    )


def _clock(given: Any, fallback: datetime) -> datetime:
    if given is None:
        return fallback
    try:
        moment = datetime.fromisoformat(given)
    except (TypeError, ValueError):
        raise BadLine('"now" is a date and time such as "2026-12-01T09:00:00"') from None
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo("UTC"))


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return str(value)
