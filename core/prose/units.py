"""An answer as the units that are kept or cut, and what each of them does.

A unit is a sentence, with its bullet if it is the first of a list item; a table row, a heading, a
quotation or a piece of code is one as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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
_PAIR = regex.compile(r"[^:：]{0,40}[\p{L})*_][:：]\s*\S|.{1,40}\s[–—-]\s")
_ASIDE = regex.compile(r"\W{0,4}[(（].*[)）]\W{0,4}", regex.DOTALL)
_INLINE = regex.compile(r"\s[/|•·]\s|^\W{0,3}(?:1|[aA])[.)]\s")
# What a heading that reports something wears: it is no mere title of what comes next.
_DONE = regex.compile(r"[✅✔☑🎉🎊👍❌⚠]")
_MARK = regex.compile(rf"[{regex.escape(MARKS)}]")
_LABEL = 80
_LEAD_WORDS = 16


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit's place in the answer, and what it does.

    - `asks`: it is a question. `holes` are the questions in brackets of a unit that is none.
    - `requests`: it tells the person to say something, without asking.
    - `leads`: it only announces a question. `colon`: it leads to what comes next.
    - `serves`: beside a question, it has no use of its own.
    - `picks`, `choices`: it asks to pick one of several, it has words that name choices.
    - `label`: nothing but a name. `line`: such a name on a line of its own.
    - `heading`: it stands above what comes next and says nothing by itself.
    - `quotes`: it is a quotation block with a question in it.
    """

    start: int
    end: int
    kind: Kind
    block: int
    asks: bool = False
    holes: tuple[tuple[int, int], ...] = ()
    requests: bool = False
    leads: bool = False
    colon: bool = False
    serves: bool = False
    picks: bool = False
    choices: bool = False
    label: bool = False
    line: bool = False
    heading: bool = False
    quotes: bool = False


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
    plain = regex.match(r" {0,1}\p{L}[\p{L}'’,]+[\s,]", text[at:])
    return text if plain else text[:at]


def _settled(text: str, units: list[Unit], closed: int) -> int:
    """How many units of the last block stay as they are whatever comes after it.

    The last one may go on, and so may one after which no whole word has come.
    """
    sure = 0
    for unit in units[:-1]:
        if unit.end > closed or not regex.search(r"\p{L}[^\p{L}\p{M}'’-]", text[unit.end :]):
            break
        sure += 1
    return sure


def _units(text: str, block: Block, index: int, own: tuple[str, ...]) -> tuple[list[Unit], int]:
    """The units of a block, and up to where all that was opened in it is closed."""
    body = block.start + block.mark
    found = spans(text[body : block.end], own)
    proper = block.kind is Kind.PARAGRAPH or block.kind is Kind.ITEM
    parts = sentences(found) if proper else [Sentence(0, block.end - body)]
    made = [_unit(block, index, body, found, part, first=part is parts[0]) for part in parts]
    return made, body + found.open_from


def _unit(
    block: Block, index: int, body: int, found: Spans, part: Sentence, *, first: bool
) -> Unit:
    start = block.start if first else body + part.start
    end, kind = body + part.end, block.kind
    if kind in (Kind.RULE, Kind.QUOTE, Kind.CODE):
        return Unit(
            start, end, kind, index, quotes=kind is Kind.QUOTE and bool(_MARK.search(found.text))
        )
    words = patterns()
    visible = found.visible[part.start : part.end].replace("’", "'")
    plain = _plain(visible)
    asks, holes = asking(found, part, plain)
    label = len(plain) <= _LABEL and not _SENTENCE_END.search(plain)
    colon = bool(_COLON.search(plain) or _POINTS_DOWN.search(visible))
    named = label and not colon and not _PAIR.match(plain) and kind is not Kind.ROW
    return Unit(
        start,
        end,
        kind,
        index,
        asks=asks,
        holes=tuple((body + a, body + b) for a, b in holes),
        requests=_requests(plain, colon=colon),
        leads=len(plain.split()) <= _LEAD_WORDS and words.leads.match(plain) is not None,
        colon=colon,
        serves=_serves(visible, plain),
        picks=words.which.search(plain) is not None,
        choices=words.choice.search(plain) is not None,
        label=named,
        line=named and kind is Kind.PARAGRAPH and _own_line(found.text, part),
        heading=kind is Kind.HEADING
        or (named and _own_line(found.text, part) and _titled(found, part)),
    )


def _plain(visible: str) -> str:
    """A unit's words: no emoji around them, no signs of emphasis."""
    text = regex.sub(r"(?<!\w)[*_~]+|[*~]+|_+(?!\w)", "", _SHORTCODE.sub("", visible))
    return _TRIMMED.sub("", text)


def _requests(plain: str, *, colon: bool) -> bool:
    words = patterns()
    picks = words.which.match(plain) if colon else None
    return picks is not None or words.requests.search(plain) is not None


def _serves(visible: str, plain: str) -> bool:
    words = patterns()
    if not regex.search(r"[\p{L}\p{N}]", plain) or _ASIDE.fullmatch(visible):
        return True
    if _INLINE.search(plain) and not _SENTENCE_END.search(plain):
        return True
    return bool(words.serves.match(plain) or words.tails.match(plain))


def _own_line(text: str, part: Sentence) -> bool:
    before, after = text[: part.start], text[part.end :].lstrip(" \t")
    return before.rstrip(" \t")[-1:] in ("", "\n", "\r") and after[:1] in ("", "\n", "\r")


def _titled(found: Spans, part: Sentence) -> bool:
    """Whether a block is a title: nothing but emphasis, and no report of something done."""
    text = found.text[part.start : part.end]
    bare = _TRIMMED.sub("", text)
    return (
        text.rstrip()[-1:] in "*_"
        and bool(bare)
        and _emphasised(found, text)
        and not _DONE.search(text)
    )


def _emphasised(found: Spans, text: str) -> bool:
    outer = [span for span in found.found if span.kind[0] in "*_"]
    return any(not regex.search(r"[\p{L}\p{N}]", text[: s.start] + text[s.end :]) for s in outer)
