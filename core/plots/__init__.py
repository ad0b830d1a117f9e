"""Plots: data in, a figure out, and of a figure an SVG text (for a page) or the bytes of a PNG (for
a chat).

They are drawn narrow, so that they can be read on a phone without turning it, and without a display
(matplotlib's figures alone, no pyplot). matplotlib is imported when something is drawn, and not
before: a bot that draws nothing does not wait for it.
"""

from core.plots.bars import Bar, Row, bars
from core.plots.canvas import png, svg
from core.plots.lines import Line, lines

__all__ = ["Bar", "Line", "Row", "bars", "lines", "png", "svg"]
