"""Measure the reader against files of labelled replies, and time it.

    python benchmarks/reading.py replies.jsonl more/*.jsonl
    python benchmarks/reading.py replies.jsonl --kind date --show wrong
    python benchmarks/reading.py --speed

A file holds one JSON object a line: `kind`, `reply`, `expect.outcome` (settled | beside),
`expect.value`, and where they matter `now`, `locale`, `options`, `prompt`. The order of sins is the
order of the columns: a reply that must not settle and does, one that settles to a wrong value, a
plain answer that does not settle.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any
from zlib import crc32
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.reading import KINDS, read
from core.reading.result import Context, Option, Outcome, Reading

# Kinds of the samples that the product has no kind for, read as the nearest kind that it has. What
# is a range or an ordinal must not settle there, whatever its label says.
NEAREST = {
    "accept": "offer",
    "ordinal": "number",
    "daterange": "date",
    "timerange": "time",
    "datetimerange": "datetime",
}
NEVER = {"ordinal", "daterange", "timerange", "datetimerange"}
FAULTS = ("false", "wrong", "missed")
HEAD = ("file", "kind", "rows", "must not", "false", "must", "wrong", "missed", "suggested")


@dataclass(frozen=True)
class Row:
    """One labelled reply."""

    id: str
    file: str
    kind: str
    reply: str
    settles: bool
    value: Any
    context: Context

    def read(self) -> Reading:
        kind = NEAREST.get(self.kind, self.kind)
        return read(kind, self.reply, self.context)


@dataclass
class Tally:
    """What was counted for one kind of one file."""

    rows: int = 0
    must: int = 0
    suggested: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    def line(self, file: str, kind: str) -> tuple[object, ...]:
        counts = [self.faults[fault] for fault in FAULTS]
        must_not = self.rows - self.must
        return (file, kind, self.rows, must_not, counts[0], self.must, *counts[1:], self.suggested)


def say(text: str) -> None:
    """Write a line out."""
    sys.stdout.write(f"{text}\n")


def rows(path: Path) -> Iterator[Row]:
    """The labelled replies of one file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        expect = data["expect"]
        yield Row(
            id=data["id"],
            file=path.stem,
            kind=data["kind"],
            reply=data["reply"],
            settles=expect["outcome"] == "settled" and data["kind"] not in NEVER,
            value=expect.get("value"),
            context=context(data),
        )


def context(data: dict[str, Any]) -> Context:
    """The context that a labelled reply was given in."""
    now = datetime.fromisoformat(data.get("now", "2019-03-01T09:00:00"))
    options = tuple(
        Option(o["key"], o["label"]) if isinstance(o, dict) else Option(str(o), str(o))
        for o in data.get("options", ())
    )
    return Context(
        now=now.replace(tzinfo=ZoneInfo("UTC")),
        locale=data.get("locale") or "en",
        currency="USD",
        options=options,
    )


def number(value: Any) -> Decimal | None:
    """A label's number, which may be written with a decimal comma."""
    try:
        return Decimal(str(value).replace(",", "."))
    except InvalidOperation:
        return None


def same(kind: str, got: Any, label: Any) -> bool:
    """Whether a settled value is the labelled one, in this label's own spelling."""
    if isinstance(label, list) and kind not in {"choices", "entries"}:
        return any(same(kind, got, one) for one in label)
    if label is None:
        return True
    if kind == "money" and isinstance(got, dict):
        got = got["amount"]
    if kind in {"money", "number"}:
        left, right = number(got), number(label)
        return left is not None and right is not None and abs(left - right) <= abs(right) / 10**9
    if kind == "duration":
        return bool(got == int(label) / 60)
    if kind in {"time", "datetime"}:
        return str(label).replace(" ", "T") in {got, f"{got}:00"}
    if kind in {"url", "email"}:
        return bool(str(got).casefold() == str(label).casefold())
    return bool(got == label)


def fault(row: Row, reading: Reading) -> str:
    """Which sin the reading is, if any."""
    settled = reading.outcome is Outcome.SETTLED
    if not row.settles:
        return "false" if settled else ""
    if not settled:
        return "missed"
    return "" if same(row.kind, reading.value, row.value) else "wrong"


def measure(sample: Iterable[Row], show: set[str]) -> list[tuple[object, ...]]:
    """The table, printing the replies of the faults that are to be shown."""
    tallies: dict[tuple[str, str], Tally] = {}
    for row in sample:
        reading = row.read()
        tally = tallies.setdefault((row.file, row.kind), Tally())
        tally.rows += 1
        tally.must += row.settles
        found = fault(row, reading)
        tally.faults[found] += 1
        tally.suggested += found == "missed" and reading.outcome is Outcome.SUGGESTED
        if found in show:
            got = reading.value if found != "missed" else f"{reading.outcome} {reading.reason}"
            say(f"{found:7}{row.kind:9}{row.reply!r} -> {got} {reading.proposals} ({row.value})")
    return [tally.line(*key) for key, tally in sorted(tallies.items())]


def table(lines: list[tuple[object, ...]]) -> str:
    """The table as text, with a last line of sums."""
    numbers = [[n for n in line[2:] if isinstance(n, int)] for line in lines]
    sums = ("all", "", *map(sum, zip(*numbers, strict=True)))
    cells = [[str(cell) for cell in line] for line in [HEAD, *lines, sums]]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at < 2 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in cells
    )


# Replies of every sort for the timing: plain, wordy, beside, long, and in other languages.
MIXED = (
    ("confirm", "Yes, that's right, thank you!", "en"),
    ("confirm", "yes but could you make it 20 instead?", "en"),
    ("yesno", "no, not really 🙂", "en"),
    ("number", "There will be twenty-five of us, please.", "en"),
    ("number", "zweihundertfünfzig", "de"),
    ("money", "It will cost $1,250.50 altogether", "en"),
    ("money", "unos 20 euros, por favor", "es"),
    ("date", "Let's say Friday next week, or the 12th if that is taken", "en"),
    ("date", "am 4. Dezember bitte", "de"),
    ("time", "around half past five in the evening works for me", "en"),
    ("datetime", "tomorrow at 17:30", "en"),
    ("duration", "an hour and a half", "en"),
    ("email", "you can reach me at anna.lind@example.org", "en"),
    ("phone", "+49 30 901820", "en"),
    ("url", "https://example.org/events?id=7", "en"),
    ("number", "well, " + "it depends on so many things that I cannot say yet, " * 10, "en"),
)


def speed(count: int) -> str:
    """How long so many mixed replies take in this process, the word files loaded before."""
    now = datetime(2026, 12, 4, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    contexts = {
        locale: Context(now=now, locale=locale, currency="EUR", country="DE")
        for locale in ("en", "de", "es")
    }
    # A different number in each reply keeps any cache of whole replies from flattering the figure.
    replies = [
        (kind, f"{text} {'!' * (at % 3)}", contexts[locale])
        for at in range(count)
        for kind, text, locale in [MIXED[at % len(MIXED)]]
        if kind in KINDS
    ]
    for kind, text, given in replies[: len(MIXED)]:
        read(kind, text, given)
    start, cpu = time.perf_counter(), time.process_time()
    for kind, text, given in replies:
        read(kind, text, given)
    took, cpu = time.perf_counter() - start, time.process_time() - cpu
    each = cpu / len(replies) * 1e6
    return f"{len(replies)} mixed replies in {took:.2f} s, {each:.0f} µs of the processor each"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--kind", action="append", help="only this kind (may be repeated)")
    parser.add_argument("--show", nargs="?", const="false,wrong,missed", default="")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only one half of the rows")
    parser.add_argument("--speed", nargs="?", type=int, const=10_000, default=0)
    options = parser.parse_args()
    sample = [
        row
        for path in options.paths
        for row in rows(path)
        if (not options.kind or row.kind in options.kind)
        and (options.half is None or crc32(row.id.encode()) % 2 == options.half)
    ]
    if sample:
        say(table(measure(sample, set(filter(None, options.show.split(","))))))
    if options.speed:
        say(speed(options.speed))


if __name__ == "__main__":
    main()
