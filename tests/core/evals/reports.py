"""Reports on chats as they may come out, and how a person reads them."""

from __future__ import annotations

import io
from html.parser import HTMLParser
from pathlib import Path

from rich.console import Console

from core.evals.prices import Price
from core.evals.record import ChatRecord, Lead
from core.evals.report.data import Report, Run
from core.evals.report.terminal import show
from core.evals.tally import Example
from tests.support.played import ITEMS, planned, play_made_up, play_with_faults

PRICE = Price(input=3, output=15, cache_read=0.3, cache_write=3.75)
RUN = Run(
    command="python -m bot eval --model mischief --chats 120",
    model="mischief",
    at="2026-12-02T15:04:05+00:00",
    scenarios=2,
    order={"dinner": ITEMS},
)


def replay(lead: Lead, one: Example) -> str:
    return f"python -m bot eval --scenario {one.scenario} --led {lead.value} --seed {one.seed}"


def records(lead: Lead, *, faults: bool = False) -> list[ChatRecord]:
    play = play_with_faults if faults else play_made_up
    return [
        play(Path("dinner"), one.scenario, lead=lead, model=one.model, seed=one.seed)
        for one in planned(120, lead=lead)
        if one.seed % 7 or not faults
    ]


def in_terminal(made: Report, width: int = 100) -> str:
    out = io.StringIO()
    show(made, Console(file=out, width=width, highlight=False), replay)
    return out.getvalue()


class Reader(HTMLParser):
    """Reads a page as a browser does, as far as these tests ask."""

    VOID = frozenset({"meta", "link", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())
