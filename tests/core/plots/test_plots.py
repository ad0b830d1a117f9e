"""Given data, then a plot on which everything can be read: as SVG for a page, as PNG for a chat."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from core.plots import Bar, Line, Row, bars, lines, png, svg
from core.plots.canvas import COLOURS, SERIES, styled
from core.plots.lines import short

ROOT = Path(__file__).parents[3]
LEADS = ("the runtime leads", "the model leads")


def whole() -> Bar:
    return Bar(share=1.0, low=0.9996, high=1.0, says="100.0 % (99.96–100.0)")


def never() -> Bar:
    return Bar(share=0.0, low=0.0, high=0.0004, says="0.0 % (0.0–0.04)")


def rates() -> Figure:
    rows = [
        Row(label="Unacknowledged correction", bars=(never(), whole())),
        Row(label="costs $5 & <more> than $4", bars=(never(), None)),
    ]
    return bars(rows, LEADS)


def tokens() -> Figure:
    series = [
        Line(label=LEADS[0], points=tuple((turn, 0.0) for turn in range(1, 60))),
        Line(label=LEADS[1], points=((1, 2_000.0), (2, 45_000_000.0))),
    ]
    return lines(series, across="turn of the chat", up="tokens in this turn, mean")


@pytest.mark.parametrize("draw", [rates, tokens])
def test_nothing_that_is_drawn_is_cut_off(draw: Callable[[], Figure]) -> None:
    drawn = draw()
    FigureCanvasAgg(drawn)
    with styled():
        drawn.draw_without_rendering()
        taken = drawn.get_tightbbox()
    width, height = drawn.get_size_inches()
    assert taken.x0 >= 0
    assert taken.y0 >= 0
    assert taken.x1 <= width
    assert taken.y1 <= height
    assert taken.width > width * 0.8


@pytest.mark.parametrize(
    "value, told",
    [(0, "0"), (950, "950"), (2_500, "2,500"), (12_500, "12.5k"), (1.5e6, "1.5M"), (5e7, "50M")],
)
def test_a_scale_is_short(value: float, told: str) -> None:
    assert short(value) == told


def test_letters_stay_letters_whatever_is_written() -> None:
    element = ElementTree.fromstring(svg(rates(), "rates", 'Rates of "all" & <some>'))
    written = {"".join(one.itertext()) for one in element.iter("{http://www.w3.org/2000/svg}text")}
    assert {"costs $5 & <more> than $4", "0.0 % (0.0–0.04)", *LEADS} <= written
    assert element.attrib["aria-label"] == 'Rates of "all" & <some>'


def test_a_page_can_have_several_and_set_their_colours() -> None:
    one, other = svg(rates(), "rates", "Rates"), svg(tokens(), "tokens", "Tokens")
    ids = re.findall(r'\bid="([^"]+)"', one + other)
    assert len(ids) == len(set(ids))
    targets = set(re.findall(r'(?:href="#|url\(#)([^")]+)', one + other))
    assert targets <= set(ids)
    bare = re.findall(r"[:\s](#[0-9a-f]{6})\b", one + other)
    assert set(bare) <= set(COLOURS)
    assert f"var(--plot-series-1, {SERIES[0]})" in one
    assert not re.search(rf"(?<!, ){SERIES[0]}", one)


def test_a_name_that_would_break_the_page_is_refused() -> None:
    with pytest.raises(ValueError, match="is no name for a plot"):
        svg(rates(), 'a"><script>', "Rates")


def test_the_same_data_are_the_same_bytes() -> None:
    assert svg(rates(), "rates", "Rates") == svg(rates(), "rates", "Rates")
    assert png(rates()) == png(rates())


def test_a_png_has_the_bars_on_white() -> None:
    image = Image.open(BytesIO(png(rates()))).convert("RGB")
    seen = {colour for _, colour in image.getcolors(1_000_000) or []}
    wanted = {tuple(bytes.fromhex(colour[1:])) for colour in SERIES[:2]}
    assert wanted <= seen
    assert image.getpixel((1, image.height // 2)) == (255, 255, 255)


def test_an_interval_is_seen_beyond_its_bar() -> None:
    """The ink of the whisker goes on where the bar has ended."""
    middle = Bar(share=0.3, low=0.1, high=0.6, says="30.0 %")
    image = Image.open(BytesIO(png(bars([Row(label="x", bars=(middle,))], ["a"])))).convert("RGB")
    colour = tuple(bytes.fromhex(SERIES[0][1:]))
    width, height = image.size
    rows = [[image.getpixel((x, y)) for x in range(width)] for y in range(height)]
    line = max(rows[height // 4 :], key=lambda row: sum(pixel == colour for pixel in row))
    bar_end = max(x for x, pixel in enumerate(line) if pixel == colour)
    whiskers = [
        x
        for row in rows[height // 4 :]
        if colour in row
        for x, pixel in enumerate(row[: int(width * 0.62)])
        if isinstance(pixel, tuple) and sum(pixel) < 150
    ]
    assert min(whiskers) < bar_end < max(whiskers)


def test_of_nothing_an_empty_plot_is_drawn() -> None:
    assert png(bars([], LEADS)).startswith(b"\x89PNG")
    assert "<svg" in svg(lines([], across="turn", up="tokens"), "none", "Nothing")


def test_who_draws_nothing_does_not_wait_for_matplotlib() -> None:
    code = "import core.plots, bot.cli, sys; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
