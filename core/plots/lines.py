"""Lines over whole numbers, such as what each turn cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from core.plots.canvas import SERIES, figure, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = 2.9
"""Inches."""

_MARKS = ("o", "s", "^", "D")
_FEW = 40
"""Points of a line up to which each is marked."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A series: its name, and its points, each a whole number and a value."""

    label: str
    points: tuple[tuple[int, float], ...]


def lines(series: Sequence[Line], *, across: str, up: str) -> Figure:
    """Lines from zero up; `across` and `up` say what the axes are, with their units."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    with styled():
        drawn = figure(HEIGHT)
        axes = drawn.add_axes((0.15, 0.17, 0.82, 0.67))
        for number, line in enumerate(series):
            _line(axes, line, number)
        axes.set_xlabel(across)
        axes.set_title(up, loc="left", fontsize=8.5, x=-0.16)
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
        axes.yaxis.grid(visible=True)
        axes.set_axisbelow(True)
        axes.spines["bottom"].set_zorder(0)
        axes.tick_params(length=0)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        if series:
            drawn.legend(loc="upper left", bbox_to_anchor=(0.0, 1.0), ncols=len(series))
    return drawn


def _line(axes: Axes, line: Line, number: int) -> None:
    axes.plot(
        [at for at, _ in line.points],
        [value for _, value in line.points],
        label=line.label,
        color=SERIES[number % len(SERIES)],
        marker=_MARKS[number % len(_MARKS)] if len(line.points) <= _FEW else "",
        markersize=3.2,
        linewidth=1.6,
        linestyle="-" if number % 2 == 0 else "--",
        clip_on=False,
    )


def short(value: float) -> str:
    """A number that fits beside a scale: 950, 12k, 1.5M."""
    if abs(value) >= 1e6:
        return f"{value / 1e6:g}M"
    if abs(value) >= 1e4:
        return f"{value / 1e3:g}k"
    return f"{value:,g}"
