"""What all plots share: their colours, their letters, and how a figure becomes SVG or PNG."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 4.2
"""Inches that a plot is wide: a phone's width, at letters of the size of a page's."""

DOTS = 200
"""Dots of a PNG per inch."""

INK, FAINT = "#1b1f24", "#d5d9de"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#8f5a83")
"""One colour for each series. Okabe and Ito's: told apart by those who see few colours, too."""

COLOURS = {
    INK: "ink",
    FAINT: "faint",
    **{colour: f"series-{number}" for number, colour in enumerate(SERIES, 1)},
}
"""The names of the colours: a page sets its own for each, as `--plot-NAME`, for a dark mode."""

_LETTERS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"

_STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 8.5,
    "text.color": INK,
    # What people write is no mathematics, whatever dollars are in it.
    "text.parse_math": False,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    # Letters stay letters: they can be searched, copied and read aloud.
    "svg.fonttype": "none",
    "svg.hashsalt": "surestep",
}


@contextmanager
def styled() -> Iterator[None]:
    """Everything that is drawn or written here is drawn in the plots' own style."""
    import matplotlib

    with matplotlib.rc_context(_STYLE):
        yield


def figure(height: float) -> Figure:
    """An empty figure of a plot's width; its height is in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height), facecolor="none")


def svg(drawn: Figure, name: str, title: str) -> str:
    """A figure as an `<svg>` element for a page. `name` sets its ids apart from those of the
    page's other plots; `title` is read aloud. Raises ValueError for a name that is no id."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise ValueError(f"{name!r} is no name for a plot: write small letters, digits, dashes")
    out = StringIO()
    with styled():
        drawn.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    element = out.getvalue()[out.getvalue().index("<svg") :].strip()
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    element = re.sub(r'\bid="', f'id="{name}-', element)
    element = re.sub(r'href="#', f'href="#{name}-', element)
    element = re.sub(r"url\(#", f"url(#{name}-", element)
    element = element.replace("'DejaVu Sans', sans-serif", _LETTERS)
    for colour, called in COLOURS.items():
        element = element.replace(colour, f"var(--plot-{called}, {colour})")
    # A style of an element in a page is one of the whole page.
    element = element.replace("*{stroke-linejoin", f"#{name} *{{stroke-linejoin")
    opening = f'<svg id="{name}" role="img" aria-label={quoteattr(title)}'
    head, rest = element.split(">", 1)
    return f"{head.replace('<svg', opening, 1)}><title>{escape(title)}</title>{rest}"


def png(drawn: Figure) -> bytes:
    """A figure as the bytes of a PNG, on white."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    out = BytesIO()
    FigureCanvasAgg(drawn)
    with styled():
        drawn.savefig(out, format="png", dpi=DOTS, facecolor="white", metadata={"Software": None})
    return out.getvalue()
