"""A report as data: all that people are shown, and the JSON that machines read.

The JSON is `Report`, field by field, in a shape that stays: a field is added with a default, and
when one changes its meaning or goes, `version` counts up. Shares are of 1, tokens are tokens, costs
are dollars; `null` is what is not known. The same tally and run give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from core.evals.guarantees import JUDGED, Where
from core.evals.prices import Prices, cost, unpriced
from core.evals.record import OCCASIONS, Ending, FailureKind, Lead
from core.evals.report.words import CHATS, ELSEWHERE, EXPECTATIONS, GUARANTEES, PER
from core.evals.statistics import (
    INTERVAL,
    Counted,
    Rate,
    mean,
    median,
    quantile,
    rate,
)
from core.evals.tally import Example, Found, Funnel, LeadTally, Tally

VERSION = 2
"""Of the shape of the JSON."""


class SetRate(msgspec.Struct, frozen=True, kw_only=True):
    """How often a model was set to slip: a share of 1, and what it is a share of ("of chats")."""

    share: float
    of: str


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """How the chats were played. `command` makes them again; `at` is when, as ISO 8601; `order` has
    each journey's items in its manifest's order; `stopped` says why not all were played; `note`
    is what must be known of the model to read the rates. `set_rates` are those at which a model
    that only plays a model slips where it leads: what comes of them is counted, not measured, so
    it has no interval. They are empty for a real model."""

    command: str
    model: str
    at: str = ""
    scenarios: int = 0
    order: dict[str, tuple[str, ...]] = {}
    stopped: str = ""
    note: str = ""
    set_rates: dict[FailureKind, SetRate] = {}


class FailureRow(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of failure: in how many chats it was, or on how many of its occasions, as `per` says;
    at which rate it was set to happen, if it was; with examples that can be played again."""

    kind: FailureKind
    rate: Rate
    per: str = CHATS
    set_rate: SetRate | None = None
    examples: tuple[Example, ...] = ()


class GuaranteeRow(msgspec.Struct, frozen=True, kw_only=True):
    """What always holds, and how often it did not. `decided` is on how many occasions it had
    something to decide: where that is none, no violation says nothing. `judged` says where it is
    looked at, `elsewhere` the same in words, if a chat in memory cannot show it."""

    name: str
    means: str
    violations: int = 0
    chats: int = 0
    examples: tuple[Example, ...] = ()
    elsewhere: str = ""
    decided: int = 0
    judged: tuple[Where, ...] = ()

    @property
    def undecided(self) -> bool:
        """Whether it could have been broken here, and never came to the test."""
        here = Where.EVALS in self.judged
        return here and not self.decided and not self.violations


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """How something is spread over chats; all null where there are none."""

    of: int
    mean: float | None
    low: float | None
    """The 10 % quantile."""
    median: float | None
    high: float | None
    """The 90 % quantile."""
    most: float | None


class Tokens(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of all chats. What was read is `uncached + cache_read + cache_write`; `cached` is the
    share of it that a cache served, null where nothing was read."""

    read: int
    written: int
    uncached: int
    cache_read: int
    cache_write: int
    cached: float | None


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What it cost by the price table, in dollars; null where a model in `unpriced` has no price
    in it."""

    total: float | None
    per_chat: float | None
    unpriced: tuple[str, ...] = ()


class TurnRow(msgspec.Struct, frozen=True, kw_only=True):
    """The turns of one number: chats that came to it, and the mean tokens of one of them."""

    turn: int
    chats: int
    read: float
    written: float


class StepRow(msgspec.Struct, frozen=True, kw_only=True):
    """An item: chats that owed it, to which it came, in which it had a value at the end."""

    item: str
    owed: int
    reached: int
    settled: int


class FunnelReport(msgspec.Struct, frozen=True, kw_only=True):
    """A journey's steps in their order. `summaries` is null where no summary card exists."""

    journey: str
    chats: int
    steps: tuple[StepRow, ...]
    summaries: int | None
    submitted: int


class LeadReport(msgspec.Struct, frozen=True, kw_only=True):
    """All chats of one lead. `chats` are those that can be compared; the guarantees, which are the
    runtime's alone, are looked at in all that were `watched`. `measured` is whether its rates tell
    of whoever leads, and not of a model that was set to slip. `first_summary` is how often one had
    something wrong on it, before anybody had proofread anything. `beside` are failures in chats
    that are in no rate."""

    lead: Lead
    chats: int
    watched: int
    measured: bool
    crashed: Found
    endings: dict[Ending, Rate]
    failures: tuple[FailureRow, ...]
    first_summary: Rate
    first_summary_examples: tuple[Example, ...]
    beside: dict[FailureKind, Found]
    guarantees: tuple[GuaranteeRow, ...]
    turns: Spread
    calls: Spread
    all_calls: int
    tokens: Tokens
    cost: Cost
    by_turn: tuple[TurnRow, ...]
    funnels: tuple[FunnelReport, ...]
    clean: bool


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    version: int
    run: Run
    interval: str
    """The name of the formula of every rate's `low` and `high`."""
    leads: tuple[LeadReport, ...]

    @property
    def green(self) -> bool:
        """Whether nothing went wrong where the runtime led, and nothing crashed anywhere."""
        return all(
            one.clean if one.lead is Lead.RUNTIME else not one.crashed.times for one in self.leads
        )


def report(tally: Tally, run: Run, prices: Prices | None = None) -> Report:
    """The report of a tally: the leads that were played, the runtime first."""
    leads = [lead for lead in Lead if lead in tally.leads]
    return Report(
        version=VERSION,
        run=run,
        interval=INTERVAL,
        leads=tuple(_lead(lead, tally.of(lead), run, prices or {}) for lead in leads),
    )


def as_json(made: Report) -> str:
    """The JSON for machines."""
    return msgspec.json.format(msgspec.json.encode(made), indent=2).decode() + "\n"


def from_json(text: str) -> Report:
    """A report that was written as JSON. Raises msgspec.DecodeError where it is none."""
    return msgspec.json.decode(text, type=Report)


# One lead


def _lead(lead: Lead, of: LeadTally, run: Run, prices: Prices) -> LeadReport:
    is_runtime = lead is Lead.RUNTIME
    set_rates = {} if is_runtime else run.set_rates
    measured = not set_rates
    total = cost(of.spent, prices)
    return LeadReport(
        lead=lead,
        chats=of.chats,
        watched=of.watched,
        measured=measured,
        crashed=of.crashed,
        endings={
            ending: rate(of.endings.get(ending, 0), of.chats, measured=measured)
            for ending in Ending
        },
        failures=tuple(_failure(kind, of, set_rates) for kind in FailureKind),
        # Never zero, so with a model that is set to slip it tells of the rates, whoever leads.
        first_summary=rate(of.misread.times, of.first_summaries, measured=not run.set_rates),
        first_summary_examples=of.misread.examples,
        beside=of.beside,
        guarantees=_guarantees(of) if is_runtime else (),
        turns=_spread(of.turns),
        calls=_spread(of.calls),
        all_calls=of.all_spent.calls,
        tokens=_tokens(of),
        cost=Cost(
            total=total,
            per_chat=total / of.chats if total is not None and of.chats else None,
            unpriced=unpriced(of.spent, prices),
        ),
        by_turn=_by_turn(of),
        funnels=tuple(
            _funnel(name, one, run.order, summaries=is_runtime) for name, one in of.funnels.items()
        ),
        clean=of.clean,
    )


def _failure(
    kind: FailureKind, of: LeadTally, set_rates: Mapping[FailureKind, SetRate]
) -> FailureRow:
    found = of.failures.get(kind, Found())
    count, every = found.chats, of.chats
    if kind in OCCASIONS:
        # What happened had an occasion.
        count, every = found.times, max(of.occasions.get(kind, 0), found.times)
    return FailureRow(
        kind=kind,
        rate=rate(count, every, measured=not set_rates),
        per=PER.get(kind, CHATS),
        set_rate=set_rates.get(kind),
        examples=found.examples,
    )


def _guarantees(of: LeadTally) -> tuple[GuaranteeRow, ...]:
    """G1 to G16, and whatever else was broken."""
    others = [name for name in of.broken if name not in GUARANTEES]
    return tuple(_guarantee(name, of) for name in [*GUARANTEES, *others])


def _guarantee(name: str, of: LeadTally) -> GuaranteeRow:
    found, judged = of.broken.get(name, Found()), JUDGED.get(name, ())
    return GuaranteeRow(
        name=name,
        means=GUARANTEES.get(name) or EXPECTATIONS.get(name, ""),
        violations=found.times,
        chats=found.chats,
        examples=found.examples,
        elsewhere="" if Where.EVALS in judged else ELSEWHERE.get(name, ""),
        decided=of.decided.get(name, 0),
        judged=judged,
    )


def _spread(counted: Counted) -> Spread:
    return Spread(
        of=sum(counted.values()),
        mean=mean(counted),
        low=quantile(counted, 0.1),
        median=median(counted),
        high=quantile(counted, 0.9),
        most=quantile(counted, 1.0),
    )


def _tokens(of: LeadTally) -> Tokens:
    usage = of.all_spent.usage
    return Tokens(
        read=usage.read,
        written=usage.output,
        uncached=usage.input,
        cache_read=usage.cache_read,
        cache_write=usage.cache_creation,
        cached=usage.cache_read / usage.read if usage.read else None,
    )


def _by_turn(of: LeadTally) -> tuple[TurnRow, ...]:
    rows = []
    for turn, one in of.at_turn.items():
        written = one.spent.usage.output
        read = one.spent.tokens - written
        rows.append(
            TurnRow(turn=turn, chats=one.chats, read=read / one.chats, written=written / one.chats)
        )
    return tuple(rows)


def _funnel(
    journey: str, of: Funnel, order: Mapping[str, tuple[str, ...]], *, summaries: bool
) -> FunnelReport:
    known = {item: place for place, item in enumerate(order.get(journey, ()))}
    items = sorted(of.steps, key=lambda item: (known.get(item, len(known)), item))
    return FunnelReport(
        journey=journey,
        chats=of.chats,
        steps=tuple(
            StepRow(
                item=item,
                owed=of.steps[item].owed,
                reached=of.steps[item].reached,
                settled=of.steps[item].settled,
            )
            for item in items
        ),
        summaries=of.summaries if summaries else None,
        submitted=of.submitted,
    )
