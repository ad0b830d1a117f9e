"""Dates written in figures: "2026-12-04", "4.12.", "03/04/2027".

Alike in all languages but for the order of day and month, which nobody can tell of "03/04".
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable
from datetime import date

Figures = tuple[int | None, int, int]
"""A year, if it is written, a month and a day."""


def shapes(named: str) -> dict[str, str]:
    """The expressions of dates in figures; `named` is that of a month's name."""
    return {
        "year_first": r"(?P<year>(?:19|20)\d\d)(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)"
        r"(?P<day>\d{1,2})",
        "figures": r"(?P<a>\d{1,2}) ?(?P<mark>[-/.]) ?(?P<b>\d{1,2}) ?(?P=mark) ?"
        r"(?P<year>(?:19|20)\d\d|\d\d)",
        "short": r"(?P<a>\d{1,2})(?P<mark>[/.]) ?(?P<b>\d{1,2})(?:(?P<end>\.)|(?!\w))",
        "day_month": rf"(?P<day>\d{{1,2}})[-/.] ?(?P<month>{named})"
        r"(?:[-/. ] ?(?P<year>(?:19|20)\d\d))?",
    }


def year_of(text: str | None, today: date) -> int | None:
    """The year of four figures, or of two; None if none is written."""
    if not text:
        return None
    year = int(text.lstrip("'"))
    if year >= 100:
        return year
    # The century that brings a two-figure year nearest to today.
    return min(
        (century + year for century in (1900, 2000, 2100)), key=lambda y: abs(y - today.year)
    )


def readings(match: re.Match[str], locale: str, today: date) -> Iterable[Figures]:
    """What a date in figures can mean."""
    groups = match.groupdict()
    year = year_of(groups.get("year"), today)
    if groups.get("month"):
        return [(year, int(groups["month"]), int(groups["day"]))]
    first, second = int(groups["a"]), int(groups["b"])
    both = {"dmy": (year, second, first), "mdy": (year, first, second)}
    likely = [both[name] for name in orders(locale, groups["mark"], dated=year is not None)]
    possible = [one for one in likely if _exists(*one)]
    return possible or [one for one in both.values() if _exists(*one)] or likely[:1]


def orders(locale: str, mark: str, *, dated: bool) -> tuple[str, ...]:
    """How people of a locale may order day and month in figures: one way, or either.

    `dated` says that a year follows.
    """
    language, _, region = locale.replace("_", "-").partition("-")
    # Where the year comes first, a year behind is another country's way.
    if language in ("zh", "ja", "ko"):
        return ("dmy", "mdy") if dated else ("mdy",)
    # Points are written day first; so do most people with "/", and nobody can tell who does not.
    decided = mark == "." and (language not in ("", "en") or region not in ("", "US"))
    return ("dmy",) if decided else ("dmy", "mdy")


def _exists(year: int | None, month: int, day: int) -> bool:
    # In a year that is not written, 29 February may be.
    return 1 <= month <= 12 and 1 <= day <= monthrange(year or 2024, month)[1]
