"""A single chat, turn by turn, as a person reads it: what was said, what came, what was wrong."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from core.evals.record import Broken, ChatRecord, Failure, TurnRecord
from core.evals.report.words import ENDINGS, FAILURES, LEADS, number


def replayed(record: ChatRecord) -> Iterator[Text]:
    """The chat, a line or more at a time; what was wrong stands under the turn that it was in."""
    yield Text(f"\n{record.journey}, {record.scenario}: {LEADS[record.lead]}", style="bold")
    yield Text(f"model {record.model}, seed {record.seed}\n", style="dim")
    for at, turn in enumerate(record.turns, 1):
        yield from _turn(at, turn)
        yield from _wrong(record, at, at)
    last = len(record.turns)
    yield Text(f"— {ENDINGS[record.ending]} after {number(last)} turns", style="bold")
    yield from _wrong(record, last + 1, None)
    yield from _wrong(record, None, 0)
    if record.clean:
        yield Text("✓ nothing went wrong", style="green")


def _turn(at: int, turn: TurnRecord) -> Iterator[Text]:
    spent = turn.spent
    asked = "" if spent.calls == 1 else "s"
    cost = f" ({spent.calls} model call{asked}, {number(spent.tokens)} tokens)"
    yield Text(f"— {at}{cost if spent.calls else ''}", style="dim")
    yield Text("\n".join(f"> {line}" for line in turn.person.split("\n")), style="cyan")
    for text in filter(None, turn.bot):
        yield Text(text)


def _wrong(record: ChatRecord, first: int | None, last: int | None) -> Iterator[Text]:
    """What was wrong from one turn to another; None is without an end."""

    def here(one: Failure | Broken) -> bool:
        return (first is None or one.turn >= first) and (last is None or one.turn <= last)

    for broken in filter(here, record.broken):
        yield _told(broken.guarantee, broken.detail)
    for failure in filter(here, record.failures):
        name = FAILURES[failure.kind]
        yield _told(f"{name}, {failure.item}" if failure.item else name, failure.detail)


def _told(name: str, detail: str) -> Text:
    return Text(f"✗ {name}: {detail}" if detail else f"✗ {name}", style="bold red")
