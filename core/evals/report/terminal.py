"""A report in a terminal: tables with the leads side by side, readable at 100 columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from core.evals.record import Ending, FailureKind, Lead
from core.evals.report.data import FailureRow, GuaranteeRow, LeadReport, Report, Spread
from core.evals.report.words import (
    CHATS,
    FAILURES,
    FIRST_SUMMARY,
    LEADS,
    SUMMARIES,
    dollars,
    number,
    percent,
)
from core.evals.statistics import Rate
from core.evals.tally import Example

Replay = Callable[[Lead, Example], str]
"""The command that plays an example again."""

EXAMPLES = 3
"""As many examples of each fault are shown; the JSON has more."""

GOOD, BAD = "green", "red"

SET = "without: what came of rates that are set is counted, not measured"

BESIDE = (
    "In no rate, whoever leads: chats that were not to end in a submission, {} of each lead. What "
    "always holds was looked at in them, too."
)


def show(report: Report, console: Console, replay: Replay) -> None:
    """Print all of it; what went wrong where the runtime leads stands last, to be seen."""
    for table in _tables(report) if report.leads else ():
        console.print(table)
    for line in _notes(report):
        console.print(line, soft_wrap=True)
    for one in report.leads:
        for line in _faults(one, replay):
            console.print(line, soft_wrap=True)


def _tables(report: Report) -> Iterator[Table]:
    yield _rates(report)
    for one in report.leads:
        if one.guarantees:
            yield _guarantees(one)
    yield _costs(report)


def beside(report: Report) -> str:
    """What is told of chats that are in no rate; empty where all are."""
    found = max((one.watched - one.chats for one in report.leads), default=0)
    return BESIDE.format(number(found)) if found else ""


def told(found: Rate) -> str:
    """A rate: its count, and its share; below, its interval, where it has one."""
    if not found.of:
        return "no occasion"
    share = f"{number(found.count)} of {number(found.of)}  {percent(found.share)} %"
    if found.low is None or found.high is None:
        return share
    return f"{share}\n({percent(found.low)}–{percent(found.high)})"


def spread(of: Spread) -> str:
    """A median between its 10 % and 90 % quantiles."""
    if of.median is None:
        return "-"
    return f"{number(of.median)} ({number(of.low)}–{number(of.high)})"


def _empty(title: str) -> Table:
    return Table(
        title=f"\n{title}",
        title_justify="left",
        title_style="bold",
        caption_justify="left",
        box=SIMPLE_HEAD,
    )


def _table(title: str, first: str, leads: Sequence[LeadReport]) -> Table:
    table = _empty(title)
    table.add_column(first, no_wrap=True)
    for one in leads:
        head = f"{LEADS[one.lead]}\n{number(one.chats)} chats"
        table.add_column(head, justify="right", no_wrap=True)
    return table


def _rates(report: Report) -> Table:
    table = _table("What went wrong", "failure", report.leads)
    table.caption = f"in brackets: {report.interval}"
    if not all(one.measured for one in report.leads):
        table.caption += f"\n{SET}"
    for kind in FailureKind:
        rows = [next(row for row in one.failures if row.kind is kind) for one in report.leads]
        table.add_row(_named(FAILURES[kind], rows[0].per), *map(_failure, rows))
    cells = [Text(told(one.first_summary)) for one in report.leads]
    table.add_row(_named(FIRST_SUMMARY, SUMMARIES), *cells)
    return table


def _named(name: str, per: str) -> Text:
    """A row's name, with what its rate is a share of, where that is no chat."""
    return Text(name) if per == CHATS else Text.assemble(name, (f"\n  of {per}", "dim"))


def _failure(row: FailureRow) -> Text:
    found = Text(told(row.rate), style=BAD if row.rate.count else "")
    if row.set_rate is not None:
        found.append(f"\nset: {percent(row.set_rate.share)} % {row.set_rate.of}", style="dim")
    return found


def _guarantees(of: LeadReport) -> Table:
    title = f"What always holds, in {number(of.watched)} chats in which {LEADS[of.lead]}"
    table = _empty(title)
    # Side by side they just fit into a terminal of 80 columns.
    table.padding = 0
    for _ in range(2):
        table.add_column("guarantee", no_wrap=True)
        table.add_column("checked\n(times)", justify="right", no_wrap=True)
        table.add_column("viola-\ntions", justify="right", no_wrap=True)
    rows = of.guarantees
    half = (len(rows) + 1) // 2
    for at in range(half):
        beside = rows[at + half] if at + half < len(rows) else None
        table.add_row(*_guarantee(rows[at]), *(_guarantee(beside) if beside else ()))
    return table


def _guarantee(row: GuaranteeRow) -> tuple[str, Text, Text]:
    name = f"{row.name} {row.means}"
    if row.elsewhere and not row.violations:
        return name, Text("elsewhere", style="dim"), Text("-", style="dim")
    if row.undecided:
        return name, Text("not decided", style="dim"), Text("-", style="dim")
    checked = Text(number(row.decided) if row.judged else "")
    return name, checked, Text(number(row.violations), style=BAD if row.violations else GOOD)


def _costs(report: Report) -> Table:
    table = _table("What it took", "in a chat", report.leads)
    table.caption = "medians, in brackets the 10 % and 90 % quantiles; tokens and cost are means"
    for name, cell in _COSTS.items():
        table.add_row(name, *(cell(one) for one in report.leads))
    return table


def per_chat(total: float, of: LeadReport) -> str:
    """A total as what a chat has of it."""
    return number(total / of.chats if of.chats else None)


def cached(of: LeadReport) -> str:
    """The share of what was read that a cache served."""
    return "-" if of.tokens.cached is None else f"{percent(of.tokens.cached)} %"


_COSTS: dict[str, Callable[[LeadReport], str]] = {
    "submitted": lambda one: told(one.endings[Ending.SUBMITTED]),
    "turns to finish": lambda one: spread(one.turns),
    "model calls": lambda one: spread(one.calls),
    "model calls in all": lambda one: number(one.all_calls),
    "tokens read": lambda one: per_chat(one.tokens.read, one),
    "share that a cache served": cached,
    "tokens written": lambda one: per_chat(one.tokens.written, one),
    "cost": lambda one: dollars(one.cost.per_chat),
    "cost in all": lambda one: dollars(one.cost.total),
}


def _notes(report: Report) -> Iterator[Text]:
    if report.run.note:
        yield Text(report.run.note)
    if beside(report):
        yield Text(beside(report))
    unpriced = sorted({name for one in report.leads for name in one.cost.unpriced})
    if unpriced:
        yield Text(f"No cost is told: the price table has no price of {', '.join(unpriced)}.")
    if report.run.stopped:
        told = f"Not all chats were played: {report.run.stopped}."
        yield Text(told, style="yellow")


def _faults(of: LeadReport, replay: Replay) -> Iterator[Text]:
    """What went wrong, with how to see it; the model's own failures are the baseline, no news."""
    yield from _examples("crashed", of.crashed.chats, of.crashed.examples, of.lead, replay)
    if of.lead is not Lead.RUNTIME:
        return
    for row in of.guarantees:
        yield from _examples(f"{row.name} {row.means}", row.chats, row.examples, of.lead, replay)
    for failure in of.failures:
        name = FAILURES[failure.kind]
        yield from _examples(name, failure.rate.count, failure.examples, of.lead, replay)
    for kind, found in of.beside.items():
        yield from _examples(FAILURES[kind], found.chats, found.examples, of.lead, replay)


def _examples(
    name: str, chats: int, examples: Sequence[Example], lead: Lead, replay: Replay
) -> Iterator[Text]:
    if not chats:
        return
    count = f"{number(chats)} {'chat' if chats == 1 else 'chats'}"
    yield Text(f"\n✗ {name}, {LEADS[lead]}: {count}", style=f"bold {BAD}")
    for one in examples[:EXAMPLES]:
        where = f"{one.scenario}, turn {one.turn}" if one.turn else one.scenario
        yield Text(f"  {where}: {one.detail}" if one.detail else f"  {where}")
        yield Text(f"    {replay(lead, one)}", style="cyan")
