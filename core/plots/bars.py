"""Bars that lie, in rows: rates side by side with their intervals, and funnels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from core.plots.canvas import FAINT, INK, SERIES, figure, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEFT = 0.05
ROOM = 0.57
"""The share of the width that bars may take; beside them stands what they say."""

_HEAD, _FOOT, _LABEL, _BAR, _GAP = 0.34, 0.36, 0.21, 0.17, 0.1
"""Inches: the legend, the scale, a row's label, a bar, and between two rows."""


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """A share of 1, with what it says in words beside it.

    `low` and `high` are the ends of its interval, where it has one. `behind` is a larger share that
    is drawn faintly behind it.
    """

    share: float
    says: str
    low: float | None = None
    high: float | None = None
    behind: float = 0.0


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared: one bar for each series, None where a series has none."""

    label: str
    bars: tuple[Bar | None, ...]


def bars(rows: Sequence[Row], series: Sequence[str], *, least: float = 0.05) -> Figure:
    """Rows of bars, one below the other, under a legend that names the series.

    The scale ends at the largest share that is drawn, and no lower than at `least`.
    """
    block = _LABEL + _BAR * len(series) + _GAP
    height = _HEAD + _FOOT + block * max(1, len(rows))
    with styled():
        drawn = figure(height)
        axes = drawn.add_axes((_LEFT, _FOOT / height, ROOM, 1 - (_HEAD + _FOOT) / height))
        axes.set_xlim(0, _end(rows, least))
        axes.set_ylim(block * max(1, len(rows)), 0)
        _scale(axes)
        for number, row in enumerate(rows):
            _row(axes, row, number * block)
            _grid(axes, number * block + _LABEL, number * block + block - _GAP)
        _legend(drawn, series, height)
    return drawn


def _end(rows: Sequence[Row], least: float) -> float:
    drawn = [bar for row in rows for bar in row.bars if bar is not None]
    largest = max((max(bar.share, bar.high or 0.0, bar.behind) for bar in drawn), default=least)
    return min(1.0, max(least, largest) * 1.02)


def _row(axes: Axes, row: Row, top: float) -> None:
    axes.text(0, top + _LABEL / 2, row.label, va="center", ha="left", fontweight="bold")
    for number, bar in enumerate(row.bars):
        if bar is not None:
            _bar(axes, bar, top + _LABEL + _BAR * (number + 0.5), SERIES[number % len(SERIES)])


def _bar(axes: Axes, bar: Bar, middle: float, colour: str) -> None:
    thick = _BAR * 0.74
    if bar.behind > bar.share:
        axes.barh(middle, bar.behind, thick, color=colour, alpha=0.28, linewidth=0)
    # Even nothing is a line: it was measured.
    axes.barh(middle, bar.share, thick, color=colour, linewidth=1.6, edgecolor=colour)
    if bar.low is not None and bar.high is not None:
        axes.plot([bar.low, bar.high], [middle, middle], color=INK, linewidth=1.1, clip_on=False)
        for end in {bar.low, bar.high} - {0.0}:
            tick = [middle - thick * 0.3, middle + thick * 0.3]
            axes.plot([end, end], tick, color=INK, linewidth=1.1, clip_on=False)
    beside = axes.get_yaxis_transform()
    axes.text(1.03, middle, bar.says, transform=beside, va="center", ha="left", fontsize=8)


def _grid(axes: Axes, top: float, bottom: float) -> None:
    """The scale's lines behind a row's bars; no line runs through a label."""
    end = axes.get_xlim()[1]
    at = [tick for tick in axes.get_xticks() if 0 <= tick <= end]
    axes.vlines(at, top, bottom, color=FAINT, linewidth=0.7, zorder=0)


def _scale(axes: Axes) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:g} %"))
    axes.set_yticks([])
    for side in ("top", "right", "bottom", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0)


def _legend(drawn: Figure, series: Sequence[str], height: float) -> None:
    from matplotlib.patches import Patch

    drawn.legend(
        [Patch(color=SERIES[number % len(SERIES)]) for number, _ in enumerate(series)],
        series,
        loc="upper left",
        bbox_to_anchor=(0.0, 1 - 0.02 / height),
        borderaxespad=0,
        borderpad=0.2,
        ncols=max(1, len(series)),
        handlelength=1.0,
        handleheight=0.9,
        columnspacing=1.6,
    )
