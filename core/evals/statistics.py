"""Rates with their intervals, and quantiles of what was counted.

The interval of a rate is Wilson's score interval without continuity correction (E. B. Wilson,
"Probable Inference, the Law of Succession, and Statistical Inference", 1927). It never leaves
0 to 1, and says something of a failure that was never seen, too: zero of 10,000 chats is a rate of
at most 0.04 %. A quantile is interpolated between neighbours (definition 7 of Hyndman and Fan,
1996, which numpy and spreadsheets use).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, sqrt

import msgspec

INTERVAL = "Wilson score interval, 95 %"
"""The name of the formula, for whoever reads a report."""

Z95 = 1.959963984540054
"""The standard normal's 97.5 % quantile: 95 % lie between minus and plus this."""


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """How many of how many (both counts), as a share of 1 with its 95 % interval; without one
    where nothing is estimated, since what is counted was made to happen so often."""

    count: int
    of: int
    share: float
    low: float | None = None
    high: float | None = None


def rate(count: int, of: int, *, measured: bool = True) -> Rate:
    """The rate of `count` among `of`. Of nothing, nothing is known: 0, between 0 and 1. What is not
    `measured` has no interval.

    Raises ValueError where the counts cannot be.
    """
    if not 0 <= count <= of:
        raise ValueError(f"{count} of {of} is no rate")
    if not measured:
        return Rate(count=count, of=of, share=count / of if of else 0.0)
    if of == 0:
        return Rate(count=0, of=0, share=0.0, low=0.0, high=1.0)
    low, high = wilson(count, of)
    return Rate(count=count, of=of, share=count / of, low=low, high=high)


def wilson(count: int, of: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval of a rate, as shares of 1; `of` is at least 1."""
    share = count / of
    spread = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    middle, width = share + z * z / (2 * of), 1 + z * z / of
    # At its ends the formula gives exactly 0 and 1; floating point may miss them by a hair.
    low = 0.0 if count == 0 else (middle - spread) / width
    high = 1.0 if count == of else (middle + spread) / width
    return low, high


Counted = Mapping[int, int]
"""How often each value was seen, by value."""


def total(counted: Counted) -> int:
    """How many values were seen."""
    return sum(counted.values())


def mean(counted: Counted) -> float | None:
    """The mean, in the unit of the values; None of none."""
    number = total(counted)
    return sum(value * times for value, times in counted.items()) / number if number else None


def quantile(counted: Counted, share: float) -> float | None:
    """The value below which this share (0 to 1) lies, in the unit of the values; None of none."""
    number = total(counted)
    if not number:
        return None
    place = share * (number - 1)
    before = floor(place)
    low, high = _at(counted, before), _at(counted, min(before + 1, number - 1))
    return low + (high - low) * (place - before)


def median(counted: Counted) -> float | None:
    """The value in the middle, in the unit of the values; None of none."""
    return quantile(counted, 0.5)


def _at(counted: Counted, place: int) -> int:
    """The value at a place (from 0) of all values in order."""
    seen = 0
    for value in sorted(counted):
        seen += counted[value]
        if place < seen:
            return value
    raise IndexError(place)
