"""Given counts, then rates, intervals and quantiles as they are published elsewhere."""

from __future__ import annotations

import statistics
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evals.statistics import mean, median, quantile, rate, total, wilson


@pytest.mark.parametrize(
    "count, of, low, high",
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I,
        # method 3 (score, no continuity correction).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_the_published_one(count: int, of: int, low: float, high: float) -> None:
    assert list(wilson(count, of)) == pytest.approx([low, high], abs=5e-5)


def test_what_was_never_seen_has_an_interval_too() -> None:
    never = rate(0, 10_000)
    assert (never.share, never.low) == (0.0, 0.0)
    # z² / (n + z²)
    assert never.high == pytest.approx(0.000384, abs=1e-6)
    always = rate(10_000, 10_000)
    assert (always.share, always.high) == (1.0, 1.0)
    assert never.high is not None
    assert always.low == pytest.approx(1 - never.high)


def test_of_nothing_nothing_is_known() -> None:
    unknown = rate(0, 0)
    assert (unknown.share, unknown.low, unknown.high) == (0.0, 0.0, 1.0)


def test_what_was_made_to_happen_has_no_interval() -> None:
    made = rate(5, 20, measured=False)
    assert (made.share, made.low, made.high) == (0.25, None, None)
    assert rate(0, 0, measured=False).share == 0.0
    with pytest.raises(ValueError, match="6 of 5"):
        rate(6, 5, measured=False)


@pytest.mark.parametrize("count, of", [(-1, 5), (6, 5), (1, 0)])
def test_counts_that_cannot_be_are_refused(count: int, of: int) -> None:
    with pytest.raises(ValueError, match=f"{count} of {of}"):
        rate(count, of)


@given(of=st.integers(1, 10**6), data=st.data())
def test_a_rate_lies_in_its_interval(of: int, data: st.DataObject) -> None:
    found = rate(data.draw(st.integers(0, of)), of)
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.share <= found.high <= 1
    other = rate(of - found.count, of)
    assert [other.low, other.high] == pytest.approx([1 - found.high, 1 - found.low])


@given(st.lists(st.integers(0, 200), min_size=2, max_size=60))
def test_quantiles_are_those_of_the_values_one_by_one(values: list[int]) -> None:
    counted = Counter(values)
    assert total(counted) == len(values)
    assert mean(counted) == pytest.approx(statistics.mean(values))
    assert median(counted) == pytest.approx(statistics.median(values))
    nine_tenths = statistics.quantiles(values, n=10, method="inclusive")[8]
    assert quantile(counted, 0.9) == pytest.approx(nine_tenths)
    assert (quantile(counted, 0), quantile(counted, 1)) == (min(values), max(values))


def test_of_no_values_there_is_no_quantile() -> None:
    assert (mean({}), median({}), quantile({}, 0.9)) == (None, None, None)
