"""Which units are cut. The rules are those at the top of the package.

A verdict is True (cut), False (kept), or None: not known before more of the answer is there. A
question decides for what stands before it as well, so units are judged from the last to the first,
and then what only serves a question from the first to the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.prose.blocks import Kind
from core.prose.units import Unit

Verdict = bool | None

_ENTRIES = (Kind.ITEM, Kind.ROW)


def verdicts(units: Sequence[Unit], *, whole: bool, above: bool = False) -> list[Verdict]:
    """A verdict for each unit of an answer, or of a part of it that may grow unless it is `whole`.

    `above` says that something was kept above that part.
    """
    judge = _Judge(units, whole, [None] * len(units), _groups(units, whole=whole))
    judge.backwards()
    judge.forwards(kept=above)
    return judge.cut


def _groups(units: Sequence[Unit], *, whole: bool) -> dict[int, tuple[int, int]]:
    """The lists of an answer: for each unit in one, where the list starts and ends.

    One line alone is no list, but the last one so far may become the first of one.
    """
    found: dict[int, tuple[int, int]] = {}
    start = 0
    while start < len(units):
        end = start + 1
        if _sort(units[start]) is not None:
            while end < len(units) and _sort(units[end]) == _sort(units[start]):
                end += 1
            growing = end == len(units) and not whole
            if end - start > 1 or units[start].kind in _ENTRIES or growing:
                found.update(dict.fromkeys(range(start, end), (start, end)))
        start = end
    return found


def _sort(unit: Unit) -> Kind | None:
    if unit.kind in _ENTRIES:
        return unit.kind
    return Kind.PARAGRAPH if unit.line and not (unit.serves or unit.heading or unit.leads) else None


@dataclass(slots=True)
class _Judge:
    units: Sequence[Unit]
    whole: bool
    cut: list[Verdict]
    groups: dict[int, tuple[int, int]]

    def backwards(self) -> None:
        at = len(self.units) - 1
        while at >= 0:
            if at in self.groups:
                start, end = self.groups[at]
                self._list(start, end)
                at = start - 1
            else:
                self.cut[at] = self._alone(at)
                at -= 1

    def forwards(self, *, kept: bool) -> None:
        """What serves a question goes with it; a rule parts nothing if nothing is above it."""
        for at, unit in enumerate(self.units):
            if at not in self.groups:
                if at and self.cut[at] is False and self.cut[at - 1] is not False and unit.serves:
                    self.cut[at] = self.cut[at - 1]
                if unit.kind is Kind.RULE and not kept:
                    self.cut[at] = True
            kept = kept or self.cut[at] is False

    def _alone(self, at: int) -> Verdict:
        """The verdict on a unit that is in no list."""
        unit = self.units[at]
        if unit.asks or unit.tells or unit.claims:
            return True
        if unit.heading:
            return self._emptied(at)
        if unit.quotes_question and at:
            lead = self.units[at - 1]
            return lead.colon and (lead.leads or lead.requests)
        if at + 1 == len(self.units):
            return self._last(unit)
        if self._leads_to(at + 1, unit):
            return self._all_cut(at + 1)
        if self._courtesy(at + 1) and unit.requests:
            after = self._past_courtesy(at + 1)
            return self._last(unit) if after == len(self.units) else self._all_cut(after)
        return False

    def _last(self, unit: Unit) -> Verdict:
        """The verdict on a unit after which nothing stands, or only courtesy."""
        if unit.colon or unit.kind is Kind.RULE or unit.requests:
            return True if self.whole else None
        return None if not self.whole and (unit.leads or unit.choices) else False

    def _leads_to(self, after: int, unit: Unit) -> bool:
        """Whether a unit goes if what comes after it goes."""
        if self._all_cut(after) is False:
            return False
        listed = after in self.groups and unit.choices
        return listed or unit.colon or unit.kind is Kind.RULE or unit.leads or unit.requests

    def _past_courtesy(self, at: int) -> int:
        while at < len(self.units) and self._courtesy(at):
            at += 1
        return at

    def _courtesy(self, at: int) -> bool:
        unit = self.units[at]
        return at not in self.groups and not (unit.asks or unit.tells or unit.colon) and unit.serves

    def _all_cut(self, at: int) -> Verdict:
        """Whether the unit at a place, or the whole of its list, is cut."""
        start, end = self.groups.get(at, (at, at + 1))
        if any(self.cut[i] is False for i in range(start, end)):
            return False
        if not self.whole and end == len(self.units) and at in self.groups:
            return None
        return None if any(self.cut[i] is None for i in range(start, end)) else True

    def _emptied(self, at: int) -> Verdict:
        """Whether all that stood under a heading is cut."""
        seen = False
        for after in range(at + 1, len(self.units)):
            if self.cut[after] is None:
                return None
            if self.cut[after] is False:
                return seen and self.units[after].heading
            seen = True
        return seen if self.whole else None

    def _list(self, start: int, end: int) -> None:
        """The verdicts on a list: all of it, or its questions."""
        choices = self._choices(start, end)
        if choices is not False:
            self.cut[start:end] = [choices] * (end - start)
            return
        asked = -1
        for at in range(start, end):
            unit = self.units[at]
            if unit.asks:
                asked = unit.block
            self.cut[at] = unit.asks or asked == unit.block
        asking = [at for at in range(start, end) if self.units[at].asks]
        if asking and self._names(asking[-1] + 1, end):
            self.cut[asking[-1] : end] = [True] * (end - asking[-1])
        header = self.units[start].kind is Kind.ROW
        body = range(start + 2, end)
        if header and (self.units[start].asks or (len(body) and all(self.cut[i] for i in body))):
            self.cut[start:end] = [True] * (end - start)
        self._item_leads(start, end)

    def _names(self, start: int, end: int) -> bool:
        """Whether a part of a list is several bare names: under a question, its choices."""
        return end - start > 1 and all(unit.label for unit in self.units[start:end])

    def _item_leads(self, start: int, end: int) -> None:
        """An item that leads to items below it goes when they go."""
        for at in range(end - 2, start - 1, -1):
            if self.units[at].colon and self.cut[at + 1]:
                self.cut[at] = True

    def _choices(self, start: int, end: int) -> Verdict:
        """Whether a list is the model's own list of choices."""
        listed = self.units[start:end]
        several = len({unit.block for unit in listed}) > 1 or listed[0].kind is Kind.PARAGRAPH
        named = all(unit.label for unit in listed)
        before = self._before(start)
        if before is not None and (before.asks or before.requests) and (several or named):
            return True
        after = self._after_list(end)
        known = after < len(self.units)
        if not self.whole and (not known or self.cut[after] is None):
            return None
        lead = before if before is not None and (before.colon or before.choices) else None
        asked = self._question_before(start, lead)
        asking = self.units[after] if known else None
        if asking is not None and not (asking.asks or asking.requests):
            asking = None
        if not several or (asked is None and asking is None):
            return False
        if lead is not None and (lead.choices or lead.picks or (lead.leads and named)):
            return True
        if lead is not None and lead.serves and asked is not None:
            return True
        return named and any(q.picks or q.choices for q in (asked, asking) if q is not None)

    def _before(self, at: int) -> Unit | None:
        """The unit before a list, courtesies and headings left out."""
        for before in range(at - 1, -1, -1):
            unit = self.units[before]
            if unit.asks or not (self._courtesy(before) or unit.heading):
                return unit
        return None

    def _question_before(self, start: int, lead: Unit | None) -> Unit | None:
        """The question that stands before a list's lead-in."""
        at = next((i for i in range(start - 1, -1, -1) if self.units[i] is lead), 0)
        before = self._before(at) if lead is not None else None
        return before if before is not None and before.asks else None

    def _after_list(self, end: int) -> int:
        """Where what comes after a list begins, past headings, rules and what else is cut."""
        at = end
        while at < len(self.units):
            unit = self.units[at]
            passed = unit.heading or unit.kind is Kind.RULE or self.cut[at] is True
            if unit.asks or unit.requests or not passed:
                break
            at += 1
        return at
