"""What many chats come to. Tallies are added to one another, in any order, with the same result:
so each process tallies its share of the chats, and only tallies travel between processes.

All of it are counts. Rates, quantiles and costs are made of them for a report, at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, Self, TypeVar

import msgspec

from core.evals.record import Broken, ChatRecord, Ending, Failure, FailureKind, Lead, Spent

MOST_EXAMPLES = 20
"""As many examples of one kind of fault are kept, those of the smallest seeds."""


class Example(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """A chat in which something went wrong, with what plays it again. `turn` counts from 1; 0
    stands for the chat as a whole."""

    journey: str
    scenario: str
    seed: int
    model: str
    turn: int = 0
    detail: str = ""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """How often one kind of fault was found: how many times, in how many chats, and where."""

    times: int = 0
    chats: int = 0
    examples: tuple[Example, ...] = ()

    def __add__(self, other: Found) -> Found:
        return Found(
            times=self.times + other.times,
            chats=self.chats + other.chats,
            examples=tuple(sorted({*self.examples, *other.examples})[:MOST_EXAMPLES]),
        )


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One owed item in how many chats: it was owed, it was asked or came up by itself (`reached`),
    it had a value at the end (`settled`)."""

    owed: int = 0
    reached: int = 0
    settled: int = 0

    def __add__(self, other: Step) -> Step:
        return Step(
            owed=self.owed + other.owed,
            reached=self.reached + other.reached,
            settled=self.settled + other.settled,
        )


class Funnel(msgspec.Struct, frozen=True, kw_only=True):
    """How many chats of a journey came how far. `summaries` are those that saw a summary card,
    which only the runtime draws."""

    chats: int = 0
    steps: dict[str, Step] = {}
    summaries: int = 0
    submitted: int = 0

    def __add__(self, other: Funnel) -> Funnel:
        return Funnel(
            chats=self.chats + other.chats,
            steps=added(self.steps, other.steps),
            summaries=self.summaries + other.summaries,
            submitted=self.submitted + other.submitted,
        )


class AtTurn(msgspec.Struct, frozen=True, kw_only=True):
    """The turns of one number: how many chats came to it, and what they spent on it."""

    chats: int = 0
    spent: Spent = Spent()

    def __add__(self, other: AtTurn) -> AtTurn:
        return AtTurn(chats=self.chats + other.chats, spent=self.spent + other.spent)


class LeadTally(msgspec.Struct, frozen=True, kw_only=True):
    """All chats that were led in one way.

    `turns` tells how many chats were submitted after so many turns; `calls` how many chats asked a
    model so often; `spent` is by the model's name; `at_turn` by the number of the turn, from 1.
    `occasions` is how often each kind of failure could have happened, where that is not in every
    chat. `first_summaries` are those that people saw, `misread` those on which something was wrong.

    `watched` are all chats that were looked at, with `broken` and `decided` (on how many occasions
    each guarantee had something to decide); `chats` are those that can be compared, with all other
    numbers. What failed in one that cannot is in `beside`. `crashed` are chats that could not be
    played to a record, and are in no other number.
    """

    chats: int = 0
    watched: int = 0
    endings: dict[Ending, int] = {}
    failures: dict[FailureKind, Found] = {}
    broken: dict[str, Found] = {}
    decided: dict[str, int] = {}
    turns: dict[int, int] = {}
    calls: dict[int, int] = {}
    spent: dict[str, Spent] = {}
    at_turn: dict[int, AtTurn] = {}
    funnels: dict[str, Funnel] = {}
    occasions: dict[FailureKind, int] = {}
    first_summaries: int = 0
    misread: Found = Found()
    beside: dict[FailureKind, Found] = {}
    crashed: Found = Found()

    def __add__(self, other: LeadTally) -> LeadTally:
        return LeadTally(
            chats=self.chats + other.chats,
            watched=self.watched + other.watched,
            occasions=added(self.occasions, other.occasions),
            first_summaries=self.first_summaries + other.first_summaries,
            misread=self.misread + other.misread,
            beside=added(self.beside, other.beside),
            endings=added(self.endings, other.endings),
            failures=added(self.failures, other.failures),
            broken=added(self.broken, other.broken),
            decided=added(self.decided, other.decided),
            turns=added(self.turns, other.turns),
            calls=added(self.calls, other.calls),
            spent=added(self.spent, other.spent),
            at_turn=added(self.at_turn, other.at_turn),
            funnels=added(self.funnels, other.funnels),
            crashed=self.crashed + other.crashed,
        )

    @property
    def all_spent(self) -> Spent:
        """What all models cost together."""
        return sum(self.spent.values(), Spent())

    @property
    def clean(self) -> bool:
        """Whether nothing at all went wrong."""
        wrong = (*self.failures, *self.broken, *self.beside)
        return not wrong and not self.crashed.times


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """What many chats come to, by who led them."""

    leads: dict[Lead, LeadTally] = {}

    def __add__(self, other: Tally) -> Tally:
        return Tally(leads=added(self.leads, other.leads))

    def of(self, lead: Lead) -> LeadTally:
        """The chats of one lead; none where there were none."""
        return self.leads.get(lead, LeadTally())

    @property
    def played(self) -> int:
        """Chats that were played, those that crashed with them."""
        return sum(one.watched + one.crashed.chats for one in self.leads.values())


class _Adds(Protocol):
    def __add__(self, other: Self, /) -> Any: ...


Key = TypeVar("Key", str, int, Ending, FailureKind, Lead)
Value = TypeVar("Value", bound=_Adds)


def added(one: Mapping[Key, Value], other: Mapping[Key, Value]) -> dict[Key, Value]:
    """Two tables added up, key by key and in the order of the keys, so that the same chats give
    the same bytes in whatever order they were tallied."""
    sums = dict(one)
    for key, value in other.items():
        sums[key] = sums[key] + value if key in sums else value
    return dict(sorted(sums.items()))


# From chats to tallies


def tally(records: Iterable[ChatRecord]) -> Tally:
    """What some chats come to."""
    return sum(map(tally_of, records), Tally())


def tally_of(record: ChatRecord) -> Tally:
    """One chat."""
    if not record.compared:
        return Tally(leads={record.lead: _beside(record)})
    spent = record.spent
    submitted = record.ending is Ending.SUBMITTED
    lead = LeadTally(
        chats=1,
        watched=1,
        endings={record.ending: 1},
        failures=_failures(record),
        broken=_broken(record),
        decided=dict(sorted(record.decided.items())),
        turns={len(record.turns): 1} if submitted else {},
        calls={spent.calls: 1},
        spent={record.model: spent},
        at_turn={
            number: AtTurn(chats=1, spent=turn.spent) for number, turn in enumerate(record.turns, 1)
        },
        funnels={record.journey: _funnel(record)},
        occasions=dict(sorted(record.occasions.items())),
        first_summaries=len(record.first_summaries),
        misread=_misread(record),
    )
    return Tally(leads={record.lead: lead})


def _beside(record: ChatRecord) -> LeadTally:
    """A chat that is in no rate: where the model leads nothing can be looked at in it at all."""
    is_runtime = record.lead is Lead.RUNTIME
    return LeadTally(
        watched=1,
        broken=_broken(record),
        decided=dict(sorted(record.decided.items())),
        beside=_failures(record) if is_runtime else {},
    )


def tally_of_crash(lead: Lead, example: Example) -> Tally:
    """A chat that could not be played to a record: `example` says which, and what happened."""
    crashed = Found(times=1, chats=1, examples=(example,))
    return Tally(leads={lead: LeadTally(crashed=crashed)})


def _failures(record: ChatRecord) -> dict[FailureKind, Found]:
    found: dict[FailureKind, Found] = {}
    for one in record.failures:
        found = added(found, {one.kind: _found(record, one)})
    return {kind: _in_one_chat(one) for kind, one in found.items()}


def _broken(record: ChatRecord) -> dict[str, Found]:
    found: dict[str, Found] = {}
    for one in record.broken:
        found = added(found, {one.guarantee: _found(record, one)})
    return {guarantee: _in_one_chat(one) for guarantee, one in found.items()}


def _misread(record: ChatRecord) -> Found:
    """The first summaries on which something was wrong."""
    found = [one for one in record.first_summaries if one.wrong]
    examples = tuple(_example(record, one.turn, ", ".join(one.wrong)) for one in found[:1])
    return Found(times=len(found), chats=min(1, len(found)), examples=examples)


def _found(record: ChatRecord, one: Failure | Broken) -> Found:
    item = one.item if isinstance(one, Failure) else ""
    detail = ": ".join(filter(None, (item, one.detail)))
    return Found(times=1, chats=1, examples=(_example(record, one.turn, detail),))


def _example(record: ChatRecord, turn: int, detail: str) -> Example:
    return Example(
        journey=record.journey,
        scenario=record.scenario,
        seed=record.seed,
        model=record.model,
        turn=turn,
        detail=detail,
    )


def _in_one_chat(found: Found) -> Found:
    """What was found in a single chat counts as one chat, and its first is the example."""
    return Found(times=found.times, chats=1, examples=found.examples[:1])


def _funnel(record: ChatRecord) -> Funnel:
    asked = {turn.ask for turn in record.turns}
    came_up = asked.union(*(turn.settled for turn in record.turns))
    at_end = record.turns[-1].settled if record.turns else ()
    steps = {
        item: Step(owed=1, reached=int(item in came_up), settled=int(item in at_end))
        for item in record.owed
    }
    return Funnel(
        chats=1,
        steps=steps,
        summaries=int("summary" in asked),
        submitted=int(record.ending is Ending.SUBMITTED),
    )
