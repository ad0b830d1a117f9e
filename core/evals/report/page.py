"""A report as a page: one HTML file that needs nothing beside itself, for a browser, a phone, a
printer. Its plots are drawn into it, and under each stands the table of what it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from core import plots
from core.evals.record import FailureKind, Lead
from core.evals.report import words
from core.evals.report.data import (
    FailureRow,
    FunnelReport,
    LeadReport,
    Report,
    SetRate,
    StepRow,
    TurnRow,
)
from core.evals.report.terminal import Replay, beside, cached, per_chat
from core.evals.statistics import Rate
from core.plots import Bar, Line, Row

FEW = 0.1
"""The share of chats that must have come to a turn for it to be drawn: a mean of few is noise."""

EXAMPLES = 5
"""As many examples of each fault are shown; the JSON has more."""

_TEMPLATE = "page.html.jinja"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What it comes to, in a sentence."""

    text: str
    good: bool


class RateView(msgspec.Struct, frozen=True, kw_only=True):
    """A row of rates: what it is called, what it is a share of, and each lead's, beside the rate
    that was set."""

    name: str
    per: str
    cells: tuple[tuple[Rate, SetRate | None], ...]


class FunnelView(msgspec.Struct, frozen=True, kw_only=True):
    """A journey's funnel: its plot, and the rows of its table, with a lead's three cells each."""

    leads: tuple[Lead, ...]
    plot: Markup
    rows: tuple[tuple[str, tuple[int | None, ...]], ...]


def page(report: Report, replay: Replay) -> str:
    """The page, as HTML; everything in it that came from elsewhere is escaped."""
    environment = Environment(
        loader=PackageLoader("core.evals", "report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    return environment.get_template(_TEMPLATE).render(
        report=report,
        verdict=list(_verdict(report)),
        rates=_rates(report),
        plots={"rates": _rates_plot(report), "tokens": _tokens_plot(report)},
        by_turn=_turns(report),
        funnels=[
            (name, _funnel(report, name, number))
            for number, name in enumerate(_journeys(report), 1)
        ],
        beside=beside(report),
        chats=words.CHATS,
        unpriced=sorted({name for one in report.leads for name in one.cost.unpriced}),
        lead_names=[one.lead for one in report.leads],
        few=round(100 * FEW),
        most=EXAMPLES,
        replay=replay,
        leads=words.LEADS,
        failures=words.FAILURES,
        moment=words.moment,
        percent=words.percent,
        number=words.number,
        dollars=words.dollars,
        per_chat=per_chat,
        cached=cached,
    )


def _verdict(report: Report) -> Iterator[Verdict]:
    for one in report.leads:
        chats, leads = words.number(one.chats), words.LEADS[one.lead]
        if one.lead is Lead.RUNTIME:
            broken = sum(row.violations for row in one.guarantees)
            failed = sum(row.rate.count for row in one.failures)
            told = (
                f"Where {leads}, in {chats} chats: {words.number(broken)} violations of what "
                f"always holds, {words.number(failed)} failures."
            )
            undecided = [row.name for row in one.guarantees if row.undecided]
            if undecided:
                told += f" Never put to the test: {', '.join(undecided)}."
            yield Verdict(text=told, good=one.clean)
        else:
            worst = max(one.failures, key=lambda row: row.rate.share)
            share, name = words.percent(worst.rate.share), words.FAILURES[worst.kind].lower()
            made = "" if one.measured else ", at rates that are set"
            told = (
                f"Where {leads}, in {chats} chats{made}: the most frequent failure, {name}, in "
                f"{share} % of {worst.per}."
            )
            yield Verdict(text=told, good=not worst.rate.count)


# Rates


def _rates(report: Report) -> list[RateView]:
    found = []
    for kind in FailureKind if report.leads else ():
        rows = [_row(one, kind) for one in report.leads]
        cells = tuple((row.rate, row.set_rate) for row in rows)
        found.append(RateView(name=words.FAILURES[kind], per=rows[0].per, cells=cells))
    first = tuple((one.first_summary, None) for one in report.leads)
    return [*found, RateView(name=words.FIRST_SUMMARY, per=words.SUMMARIES, cells=first)]


def _row(of: LeadReport, kind: FailureKind) -> FailureRow:
    return next(row for row in of.failures if row.kind is kind)


def _rates_plot(report: Report) -> Markup:
    rows = [
        Row(label=one.name, bars=tuple(_rate_bar(rate) for rate, _ in one.cells))
        for one in _rates(report)
    ]
    drawn = plots.bars(rows, _series([one.lead for one in report.leads]))
    title = "How often each failure happened, by who leads; with 95 % intervals where measured"
    return Markup(plots.svg(drawn, "rates", title))


def _rate_bar(of: Rate) -> Bar | None:
    if not of.of:
        return None
    says = f"{words.percent(of.share)} %"
    if of.low is not None and of.high is not None:
        says = f"{says} ({words.percent(of.low)}–{words.percent(of.high)})"
    return Bar(share=of.share, low=of.low, high=of.high, says=says)


def _series(leads: Sequence[Lead]) -> list[str]:
    return [words.LEADS[lead] for lead in leads]


# Tokens


def _tokens_plot(report: Report) -> Markup | None:
    """None where no token was spent at all."""
    if not any(one.tokens.read + one.tokens.written for one in report.leads):
        return None
    series = [
        Line(
            label=words.LEADS[one.lead],
            points=tuple((row.turn, row.read + row.written) for row in _drawn(one)),
        )
        for one in report.leads
    ]
    drawn = plots.lines(series, across="turn of the chat", up="tokens in this turn, mean")
    title = "Mean tokens of each turn of a chat, by who leads"
    return Markup(plots.svg(drawn, "tokens", title))


def _drawn(of: LeadReport) -> list[TurnRow]:
    return [row for row in of.by_turn if row.chats >= FEW * of.chats]


def _turns(report: Report) -> list[tuple[int, list[TurnRow | None]]]:
    """The rows of the table: a turn, with what each lead has of it."""
    tables = [{row.turn: row for row in _drawn(one)} for one in report.leads]
    numbers = sorted({turn for table in tables for turn in table})
    return [(turn, [table.get(turn) for table in tables]) for turn in numbers]


# Funnels


def _journeys(report: Report) -> list[str]:
    return sorted({one.journey for lead in report.leads for one in lead.funnels})


def _funnel(report: Report, journey: str, number: int) -> FunnelView:
    found = {
        lead.lead: one for lead in report.leads for one in lead.funnels if one.journey == journey
    }
    funnels = list(found.values())
    items = list(dict.fromkeys(step.item for one in funnels for step in one.steps))
    steps = {name: [_step(one, name) for one in funnels] for name in items}
    rows = [(name.replace("_", " "), cells) for name, cells in steps.items()]
    rows += [("summary", [_summaries(one) for one in funnels])]
    rows += [("submitted", [_submitted(one) for one in funnels])]
    drawn = plots.bars(
        [Row(label=name, bars=tuple(map(_step_bar, cells))) for name, cells in rows],
        _series(list(found)),
        least=1.0,
    )
    title = f"How far the chats of the journey {journey} came, by who leads"
    return FunnelView(
        leads=tuple(found),
        plot=Markup(plots.svg(drawn, f"funnel-{number}", title)),
        rows=tuple(
            (name, tuple(cell for step in cells for cell in _cells(step))) for name, cells in rows
        ),
    )


def _step(of: FunnelReport, item: str) -> StepRow | None:
    return next((step for step in of.steps if step.item == item), None)


def _summaries(of: FunnelReport) -> StepRow | None:
    if of.summaries is None:
        return None
    return StepRow(item="summary", owed=of.chats, reached=of.summaries, settled=of.summaries)


def _submitted(of: FunnelReport) -> StepRow:
    return StepRow(item="submitted", owed=of.chats, reached=of.submitted, settled=of.submitted)


def _step_bar(step: StepRow | None) -> Bar | None:
    if step is None or not step.owed:
        return None
    says = f"{words.number(step.settled)} of {words.number(step.owed)}"
    return Bar(share=step.settled / step.owed, behind=step.reached / step.owed, says=says)


def _cells(step: StepRow | None) -> tuple[int | None, ...]:
    return (step.owed, step.reached, step.settled) if step else (None, None, None)
