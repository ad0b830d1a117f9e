"""The model's answer without its own questions, for when a card is drawn under it.

The rules:

1. A sentence that asks is cut, wherever it stands. It asks if it has a question mark of any
   script that is its own: not one in a quotation, in code, in an address or a link's name, or in
   the person's own words. Where a language asks without a mark (Japanese か, Korean 까요), the
   ending tells. A sentence that opens as a question and ends in a quoted one asks, too.
2. A question in brackets goes with its brackets, and the sentence around it stays.
3. A sentence that tells the person to say something ("Let me know…", "Please choose one:") is cut
   when a list or a cut sentence follows, or nothing but courtesy; otherwise it stays.
4. A list or table right under a cut sentence is its choices, and is cut. One that stands before a
   question, or has its own lead-in, is cut if the lead-in names choices, or if the question asks to
   pick and the entries are bare names; any other list is content. In a list that stays, an entry
   goes from its first question on.
5. What only led to something that is cut goes with it: a lead-in with a colon, the announcement of
   a question, a heading, a rule. So does what only serves a question right before it: a courtesy,
   an example, an "if so", an aside in brackets.
6. A quotation block and code never ask. All that is kept is whole, in order, and byte for byte.

Where a rule could go either way, more is cut: a card stands under the answer, so a missing remark
costs little, and a second question is what must not be (G10).

`Streamer` shows an answer while it comes: only what no later word can cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.prose.units import Unit, parse
from core.prose.verdicts import Verdict, verdicts

__all__ = ["Cut", "Streamer", "cut", "sentences"]


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


@dataclass(slots=True)
class Streamer:
    """Shows an answer while it comes, and never anything that a card would have cut.

    What `feed` returned, joined, is at any time a beginning of the whole text and of what is left
    of it after the cut: nothing is shown that has to be taken back, whether a card follows or not.
    """

    own: tuple[str, ...] = ()
    _text: str = field(default="", init=False)
    _shown: int = field(default=0, init=False)

    def feed(self, piece: str) -> str:
        """Takes the next piece of the answer. Returns what can be shown now."""
        self._text += piece
        parsed = parse(self._text, self.own, whole=False)
        units = parsed.units[: parsed.certain]
        end = 0
        for unit, verdict in zip(units, verdicts(units, whole=False), strict=True):
            if verdict is not False or unit.holes:
                break
            end = unit.end
        return self._show(self._text, end)

    def finish(self, card_follows: bool) -> str:
        """The rest of the answer: of what is left of it if a card follows, else of all of it."""
        text = cut(self._text, self.own).kept if card_follows else self._text
        return self._show(text, len(text))

    def _show(self, text: str, end: int) -> str:
        start, self._shown = self._shown, max(self._shown, end)
        return text[start:end]


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
    kept = ""
    gap = ""
    for at, (unit, gone) in enumerate(zip(units, judged, strict=True)):
        if at:
            here = text[units[at - 1].end : unit.start]
            gap = here if here.count("\n") > gap.count("\n") or not gap else gap
        if not gone:
            kept += (gap if kept else "") + _whole(text, unit)
            gap = ""
    return kept if judged[-1] else kept + text[units[-1].end :]


def _whole(text: str, unit: Unit) -> str:
    made, at = "", unit.start
    for start, end in unit.holes:
        made += text[at:start]
        at = end
    return made + text[at : unit.end]
