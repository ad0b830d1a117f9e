"""The cut of a whole answer. Its rules are at the top of the package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.prose.units import Unit, parse
from core.prose.verdicts import Verdict, verdicts


@dataclass(frozen=True, slots=True)
class Cut:
    """An answer that was cut: what is shown of it, what is not, and how many questions that had."""

    kept: str
    removed: tuple[str, ...]
    questions: int


def cut(text: str, own: Iterable[str] = ()) -> Cut:
    """The answer without the model's questions and lists of choices.

    `own` are values in the person's own words ("Who's afraid of Python?"): repeated in the answer,
    they are no question of the model's.
    """
    own = tuple(own)
    once = _cut(text, own)
    removed, questions = list(once.removed), once.questions
    # What is left may stand beside other words than before, which can make more of it superfluous.
    while once.removed and once.kept:
        once = _cut(once.kept, own)
        removed += once.removed
        questions += once.questions
    return Cut(once.kept, tuple(removed), questions)


def sentences(text: str) -> list[str]:
    """The units an answer is kept or cut by: sentences, table rows, headings, pieces of code."""
    return [text[unit.start : unit.end] for unit in parse(text).units]


def _cut(text: str, own: tuple[str, ...]) -> Cut:
    units = parse(text, own).units
    judged = verdicts(units, whole=True)
    removed = [text[u.start : u.end] for u, gone in zip(units, judged, strict=True) if gone]
    holes = [
        text[a:b] for u, gone in zip(units, judged, strict=True) if not gone for a, b in u.holes
    ]
    if not removed and not holes:
        return Cut(text, (), 0)
    asked = sum(u.asks or u.requests for u, gone in zip(units, judged, strict=True) if gone)
    kept = _joined(text, units, judged)
    return Cut(kept, (*removed, *(h.strip() for h in holes)), asked + len(holes))


def _joined(text: str, units: Sequence[Unit], judged: Sequence[Verdict]) -> str:
    """What is kept. Where something was cut, the widest of the gaps around it stays."""
    kept: list[str] = []
    gap = text[: units[0].start] if not judged[0] else ""
    for at, (unit, gone) in enumerate(zip(units, judged, strict=True)):
        if at:
            here = text[units[at - 1].end : unit.start]
            gap = here if here.count("\n") > gap.count("\n") or not gap else gap
        if not gone:
            kept += [gap if kept or at == 0 else "", _whole(text, unit)]
            gap = ""
    return "".join(kept) + ("" if judged[-1] else text[units[-1].end :])


def _whole(text: str, unit: Unit) -> str:
    made, at = "", unit.start
    for start, end in unit.holes:
        made += text[at:start]
        at = end
    return made + text[at : unit.end]
