"""An answer as the units that are kept or cut, and what each of them does.

A unit is a sentence, with its bullet if it is the first of a list item; a table row, a heading, a
quotation or a piece of code is one as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import regex

from core.prose.asking import asking
from core.prose.blocks import Block, Kind, blocks
from core.prose.patterns import patterns
from core.prose.sentences import MARKS, Sentence, sentences
from core.prose.spans import Spans, spans

_DECORATION = r"[\s*_~\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u200d]"
_TRIMMED = regex.compile(rf"^{_DECORATION}+|{_DECORATION}+$")
_SHORTCODE = regex.compile(r":[a-z][a-z0-9_+-]*:(?!\w)")
_COLON = regex.compile(r"(?<!\p{Armenian})[:：]$")
_POINTS_DOWN = regex.compile(r"[👇⬇↓⤵]\ufe0f?\W*$")
_SENTENCE_END = regex.compile(r"[.!?…。！？।۔؟።։]\W{0,3}$")
_SIGNS = regex.compile(r"(?<!\w)[*_~]+|[*~]+|_+(?!\w)")
_WORDS = regex.compile(r"[\p{L}\p{N}]")
_PLAIN_LINE = regex.compile(r" ?\p{L}[\p{L}\p{M}]")
_WHOLE_WORD = regex.compile(r"\p{L}[^\p{L}\p{M}'’-]")
_PAIR = regex.compile(r"[^:：]{0,40}[\p{L})*_][:：]\s*\S|.{1,40}\s[–—-]\s")
_ASIDE = regex.compile(r"\W{0,4}[(（].*[)）]\W{0,4}", regex.DOTALL)
_INLINE = regex.compile(r"\s[/|•·]\s|^\W{0,3}(?:1|[aA])[.)]\s")
# What a heading that reports something wears: it is no mere title of what comes next.
_DONE = regex.compile(r"[✅✔☑🎉🎊👍❌⚠]")
_MARK = regex.compile(rf"[{regex.escape(MARKS)}]")
_LABEL = 80
_LEAD_WORDS = 16


@dataclass(frozen=True)
class Unit:
    """A unit's place in the answer, and what it does. What few units need is only then found out.

    `visible` are its words but for what is hidden in quotations and the like. `holes` are the
    questions in brackets of a unit that is itself none. `line` is a name on a line of its own.
    `heading` stands above what comes next and says nothing by itself.
    """

    start: int
    end: int
    kind: Kind
    block: int
    visible: str = ""
    asks: bool = False
    holes: tuple[tuple[int, int], ...] = ()
    line: bool = False
    heading: bool = False

    @cached_property
    def plain(self) -> str:
        """Its words without emoji around them and signs of emphasis."""
        return plain(self.visible)

    @cached_property
    def lower(self) -> str:
        """Its plain words in lower case."""
        return self.plain.lower()

    @cached_property
    def requests(self) -> bool:
        """It tells the person to say something, without asking."""
        words = patterns()
        picks = words.which.match(self.lower) if self.colon else None
        return picks is not None or words.requests.search(self.lower) is not None

    @cached_property
    def tells(self) -> bool:
        """It does nothing but tell the person to tell the bot something."""
        return patterns().tells.match(self.lower) is not None

    @cached_property
    def claims(self) -> bool:
        """It says that all is confirmed or sent, which no card under it would still ask for."""
        words = patterns()
        claimed = words.claims.match(self.lower) is not None
        return claimed and words.undone.search(self.lower) is None

    @cached_property
    def colon(self) -> bool:
        """It leads to what comes next."""
        return bool(_COLON.search(self.plain) or _POINTS_DOWN.search(self.visible))

    @cached_property
    def leads(self) -> bool:
        """It only announces a question."""
        short = len(self.plain.split()) <= _LEAD_WORDS
        return short and patterns().leads.match(self.lower) is not None

    @cached_property
    def serves(self) -> bool:
        """Beside a question, it has no use of its own."""
        if not _WORDS.search(self.plain) or _ASIDE.fullmatch(self.visible):
            return True
        if _INLINE.search(self.plain) and not _SENTENCE_END.search(self.plain):
            return True
        words = patterns()
        return bool(words.serves.match(self.lower) or words.tails.match(self.lower))

    @cached_property
    def picks(self) -> bool:
        """It asks to pick one of several."""
        return patterns().which.search(self.lower) is not None

    @cached_property
    def choices(self) -> bool:
        """It has words that name choices."""
        return patterns().choice.search(self.lower) is not None

    @cached_property
    def label(self) -> bool:
        """It is nothing but a name, as an entry of a list of choices may be."""
        return self.kind is not Kind.ROW and is_label(self.plain)

    @property
    def quotes_question(self) -> bool:
        """It is a quotation block with a question in it."""
        return self.kind is Kind.QUOTE and _MARK.search(self.visible) is not None


@dataclass(frozen=True, slots=True)
class Parsed:
    """The units of an answer. `certain` is how many of them no later text can change."""

    units: tuple[Unit, ...]
    certain: int


def parse(text: str, own: Iterable[str] = (), *, whole: bool = True) -> Parsed:
    """The units of a text; of one that may still grow unless it is `whole`."""
    if not whole:
        text = _classified(text)
    own = tuple(own)
    found = blocks(text)
    made: list[Unit] = []
    certain = 0
    for index, block in enumerate(found):
        units, closed = _units(text, block, index, own)
        made.extend(units)
        if index < len(found) - 1:
            certain = len(made)
        elif block.kind in (Kind.PARAGRAPH, Kind.ITEM):
            certain += _settled(text, units, closed)
    return Parsed(tuple(made), len(made) if whole else certain)


def _classified(text: str) -> str:
    """The text without a last line of which nobody can tell yet what kind of block it begins."""
    at = max(text.rfind("\n"), text.rfind("\r")) + 1
    return text if _PLAIN_LINE.match(text, at) else text[:at]


def _settled(text: str, units: list[Unit], closed: int) -> int:
    """How many units of the last block stay as they are whatever comes after it.

    The last one may go on, and so may one after which no whole word has come.
    """
    sure = 0
    for unit in units[:-1]:
        if unit.end > closed or not _WHOLE_WORD.search(text, unit.end):
            break
        sure += 1
    return sure


def _units(text: str, block: Block, index: int, own: tuple[str, ...]) -> tuple[list[Unit], int]:
    """The units of a block, and up to where all that was opened in it is closed."""
    body = block.start + block.mark
    found = spans(text[body : block.end], own)
    proper = block.kind is Kind.PARAGRAPH or block.kind is Kind.ITEM
    parts = sentences(found) if proper else [Sentence(0, block.end - body, first=True)]
    made = [_unit(block, index, body, found, part) for part in parts]
    return made, body + found.open_from


def _unit(block: Block, index: int, body: int, found: Spans, part: Sentence) -> Unit:
    start = block.start if part.first else body + part.start
    place = (start, body + part.end, block.kind, index)
    visible = found.visible[part.start : part.end].replace("’", "'")
    if block.kind in (Kind.RULE, Kind.QUOTE, Kind.CODE):
        return Unit(*place, visible)
    words = plain(visible)
    asks, holes = asking(found, part, words)
    lone = _own_line(found.text, part) and is_label(words)
    return Unit(
        *place,
        visible,
        asks=asks,
        holes=tuple((body + a, body + b) for a, b in holes),
        line=lone and block.kind is Kind.PARAGRAPH,
        heading=block.kind is Kind.HEADING or (lone and _titled(found, part)),
    )


def plain(visible: str) -> str:
    """A unit's words: no emoji around them, no signs of emphasis."""
    return _TRIMMED.sub("", _SIGNS.sub("", _SHORTCODE.sub("", visible)))


def is_label(words: str) -> bool:
    """Whether words are nothing but a name: short, no sentence, no pair of a name and a value."""
    if len(words) > _LABEL or _SENTENCE_END.search(words) or _COLON.search(words):
        return False
    return _PAIR.match(words) is None


def _own_line(text: str, part: Sentence) -> bool:
    before, after = text[: part.start].rstrip(" \t"), text[part.end :].lstrip(" \t")
    return before[-1:] in ("", "\n", "\r") and after[:1] in ("", "\n", "\r")


def _titled(found: Spans, part: Sentence) -> bool:
    """Whether a line is a title: nothing but emphasis, and no report of something done."""
    text = found.text[part.start : part.end]
    if text[-1:] not in ("*", "_") or _DONE.search(text):
        return False
    outer = [s for s in found.starting(part.start, part.end) if s.kind[0] in "*_"]
    return any(
        not _WORDS.search(found.text[part.start : s.start] + found.text[s.end : part.end])
        for s in outer
    )
