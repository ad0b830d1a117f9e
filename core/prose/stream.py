"""An answer shown while it comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

import regex

from core.prose.cutting import cut
from core.prose.sentences import MAY_END
from core.prose.units import Unit, parse
from core.prose.verdicts import verdicts

_END = regex.compile(MAY_END)
_LETTER = regex.compile(r"\p{L}")
_IN_WORD = regex.compile(r"[\p{L}\p{M}'’-]")
_EMPTY_LINE = regex.compile(r"\s*?(?>\r\n|\r|\n)[^\S\r\n]*(?:\r|\n)")


class _Seen(Enum):
    """What came last of the text: a place where something may end, then a word begun."""

    NOTHING = auto()
    END = auto()
    WORD = auto()


@dataclass(slots=True)
class Streamer:
    """Shows an answer while it comes, and never anything that a card would have cut.

    What `feed` returned, joined, is at any time a beginning of the whole text and of what is left
    of it after the cut: nothing is shown that has to be taken back, whether a card follows or not.
    So nothing is shown any more once something was found that would be cut.
    """

    own: tuple[str, ...] = ()
    _text: str = field(default="", init=False)
    _shown: int = field(default=0, init=False)
    _block: int = field(default=0, init=False)
    _looked: int = field(default=0, init=False)
    _due: bool = field(default=False, init=False)
    _seen: _Seen = field(default=_Seen.NOTHING, init=False)
    _stopped: bool = field(default=False, init=False)

    def feed(self, piece: str) -> str:
        """Takes the next piece of the answer. Returns what can be shown now."""
        self._text += piece
        if self._stopped:
            return ""
        self._due = self._due or self._ended(piece)
        # A long block is looked at less often, so that the whole takes no longer for it.
        fresh = len(self._text) - self._looked
        if not self._due or fresh < (len(self._text) - self._block) // 8:
            return ""
        self._due, self._looked = False, len(self._text)
        return self._show(self._text, self._safe())

    def finish(self, card_follows: bool) -> str:
        """The rest of the answer: of what is left of it if a card follows, else of all of it."""
        text = cut(self._text, self.own).kept if card_follows else self._text
        return self._show(text, len(text))

    def _ended(self, piece: str) -> bool:
        """Whether a whole word has come after a place where something may end.

        Only then is there more to know than before.
        """
        came = False
        for at in range(len(self._text) - len(piece), len(self._text)):
            if self._seen is _Seen.WORD and not _IN_WORD.match(self._text, at):
                came, self._seen = True, _Seen.NOTHING
            if _END.match(self._text, at):
                self._seen = _Seen.END
            elif self._seen is _Seen.END and _LETTER.match(self._text, at):
                self._seen = _Seen.WORD
        return came

    def _safe(self) -> int:
        """Up to where nothing can be cut. Blocks that were shown are not looked at again."""
        base, safe = self._block, self._shown
        text = self._text[base:]
        parsed = parse(text, self.own, whole=False)
        units = self._uncut(text, parsed.units[: parsed.certain], above=base > 0)
        block = -1
        for unit, verdict in zip(units, verdicts(units, whole=False, above=base > 0), strict=True):
            if unit.block != block:
                block, self._block = unit.block, base + unit.start
            if verdict is not False:
                break
            safe = base + unit.end
        return safe

    def _uncut(self, text: str, units: Sequence[Unit], *, above: bool) -> Sequence[Unit]:
        """The units that stay what they are even if all that comes after them is cut.

        Without an empty line between, what comes after the cut may be read as one with the unit
        before it, or as one block.
        """
        judged = verdicts(units, whole=False, above=above)
        cuts = (at for at, unit in enumerate(units) if judged[at] or unit.holes)
        first = next(cuts, len(units))
        self._stopped = first < len(units)
        if not first or _EMPTY_LINE.match(text, units[first - 1].end):
            return units[:first]
        last = units[first - 1]
        if first < len(units) and units[first].block != last.block:
            return [unit for unit in units[:first] if unit.block != last.block]
        return units[: first - 1]

    def _show(self, text: str, end: int) -> str:
        start, self._shown = self._shown, max(self._shown, end)
        return text[start:end]
