"""What is closed within a block: quotations, code, links, addresses, brackets, emphasis.

Two things follow from a span. No sentence ends inside one, so a cut never leaves one half open.
And what stands in a `hidden` one is not the model speaking: a question in it asks nobody.

A span is found from left to right and is closed by the first sign that can close it, so text that
comes later never changes a span that is complete.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import regex

HOLE = "\ufffc"
"""What stands in a text for one hidden character."""

_QUOTES = {
    '"': '"', "“": "”", "„": "“”", "”": "”", "«": "»", "»": "«", "‹": "›", "「": "」", "『": "』",
    "《": "》", "〈": "〉", "﹁": "﹂", "〝": "〞〟", "＂": "＂", "'": "'", "‘": "’", "‚": "‘’",
}  # fmt: skip
_BRACKETS = {"(": ")", "（": "）", "[": "]", "【": "】"}
# Signs that also close as they open, or that stand in words, open only where a word begins.
_CAREFUL = frozenset("\"'”»‘")
_SINGLE = frozenset("'‘")
_EMPHASIS = ("***", "___", "**", "__", "~~", "||", "*", "_", "~")

# An address ends before the punctuation of the sentence it stands in.
_ADDRESS = regex.compile(
    r"<?(?:(?<![a-z0-9])(?:[a-z][a-z0-9+.-]{0,20}://|www\.|mailto:)[^\s<>|]+"
    r"|(?<![a-z0-9_./%:-])[a-z0-9_./%:-]*[a-z0-9_/]\?[a-z0-9_.%\[\]-]+=[^\s<>|]*"
    r"|(?<![a-z0-9_.-])(?:[a-z0-9_-]+\.)+[a-z]{2,}/[^\s<>|]*)",
    regex.IGNORECASE,
)
_AFTER_ADDRESS = ".,;:!?…'\"”’»)]}>*_~。，！？；：）」』、؟՞"
_LINK = regex.compile(
    r"!?\[[^\[\]\n]*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)|<[^\s<>|]+\|[^<>\n]+>"
)
_CODE = regex.compile(r"(?<!`)(`++)(.{1,2000}?)(?<!`)\1(?!`)", regex.DOTALL)
_HIDDEN = ((_CODE, "code"), (_LINK, "link"), (_ADDRESS, "address"))
# More than is ever open at once, so that no text takes long.
_DEPTH = 16
# What may yet become code or a link, once more of the text is there.
_BEGUN = regex.compile(r"`|<[a-z@#!/]", regex.IGNORECASE)
_SIGN = regex.compile(
    "|".join(regex.escape(mark) for mark in _EMPHASIS)
    + "|[`<"
    + regex.escape("".join((*_QUOTES, *_QUOTES.values(), *_BRACKETS, *_BRACKETS.values())))
    + "]"
)
# A letter that a quotation mark does not stand beside from outside. Some scripts put no space.
_LETTER = regex.compile(
    r"[[\p{L}\p{N}]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]",
    regex.VERSION1,
)


@dataclass(frozen=True, slots=True)
class Span:
    """A closed stretch of a block. `edge` is how many characters its closing sign has."""

    start: int
    end: int
    kind: str
    edge: int = 1
    hidden: bool = False

    def holds(self, at: int) -> bool:
        """Whether a place is inside, its own two edges not counted."""
        return self.start < at < self.end


@dataclass(frozen=True, slots=True)
class Spans:
    """The spans of a block, by their start.

    `open_from` is where the first sign stands that nothing closed yet. `closing` says for the place
    of a closing sign where its span ends.
    """

    text: str
    found: tuple[Span, ...]
    open_from: int
    visible: str
    closing: Mapping[int, int]
    _inner: bytes

    def inside(self, at: int) -> bool:
        """Whether a place lies within a span."""
        return self._inner[at] > 0

    def starting(self, start: int, end: int) -> tuple[Span, ...]:
        """The spans that start in a stretch of the block."""
        first = bisect_left(self.found, start, key=_start)
        return self.found[first : bisect_left(self.found, end, key=_start)]


def _start(span: Span) -> int:
    return span.start


@dataclass(slots=True)
class _Open:
    at: int
    sign: str


def spans(text: str, own: Iterable[str] = ()) -> Spans:
    """The spans of one block. `own` are the person's words, hidden wherever they are repeated."""
    opaque = _opaque(text, own)
    paired, opens = _paired(text, opaque)
    found = tuple(sorted((*opaque, *paired), key=lambda s: (s.start, -s.end)))
    closing = {s.end - s.edge: s.end for s in reversed(found) if s.edge}
    inner = bytearray(len(text) + 1)
    for span in found:
        inner[span.start + 1 : span.end] = b"\1" * (span.end - span.start - 1)
    return Spans(
        text, found, min(opens, default=len(text)), _visible(text, found), closing, bytes(inner)
    )


def _opaque(text: str, own: Iterable[str]) -> list[Span]:
    """What is hidden whatever it says. None overlaps another."""
    found: list[Span] = []
    taken = bytearray(len(text))
    own_words = [(regex.compile(regex.escape(words)), "own") for words in filter(_askable, own)]
    for pattern, kind in (*_HIDDEN, *own_words):
        for match in pattern.finditer(text):
            start, end = match.span()
            if kind == "address":
                end = start + len(match.group().rstrip(_AFTER_ADDRESS))
            if start < end and taken.find(1, start, end) < 0:
                taken[start:end] = b"\1" * (end - start)
                found.append(Span(start, end, kind, edge=0, hidden=True))
    return sorted(found, key=_start)


def _askable(words: str) -> bool:
    return len(regex.findall(r"\p{L}", words)) > 1


def _paired(text: str, opaque: list[Span]) -> tuple[list[Span], list[int]]:
    """Quotations, brackets and emphasis, and where signs stand that nothing closes."""
    found: list[Span] = []
    stack: list[_Open] = []
    begun: list[int] = []
    at = 0
    while match := _SIGN.search(text, at):
        at, sign = match.start(), match.group()
        hidden = bisect_right(opaque, at, key=_start) - 1
        if hidden >= 0 and at < opaque[hidden].end:
            at = opaque[hidden].end
            continue
        if _BEGUN.match(text, at):
            begun.append(at)
        if _face(text, at):
            at += 1
        elif closed := _closes(text, at, stack):
            opened = stack[closed[0]]
            del stack[closed[0] :]
            found.append(_span(text, opened, at, closed[1]))
            at += closed[1]
        else:
            if _may_open(text, at, sign):
                stack.append(_Open(at, sign))
            if len(stack) > _DEPTH:
                begun.append(stack.pop(0).at)
            at += len(sign)
    return found, [*begun, *(o.at for o in stack)]


def _face(text: str, at: int) -> bool:
    """Whether a bracket is the mouth of a face: ":-)"."""
    eyes = text[max(0, at - 2) : at].rstrip("-'")[-1:]
    return text[at] in "()[]" and eyes in (":", ";", "=")


def _closers(sign: str) -> str:
    return _QUOTES.get(sign) or _BRACKETS.get(sign) or sign


def _closes(text: str, at: int, stack: list[_Open]) -> tuple[int, int] | None:
    """Which of the open signs the text at a place closes, and with how many characters."""
    for index in range(len(stack) - 1, -1, -1):
        opened = stack[index].sign
        if opened in _EMPHASIS:
            if text.startswith(opened, at) and _ends_word(text, at, len(opened)):
                return index, len(opened)
        elif (
            text[at] in _closers(opened)
            and at > stack[index].at + 1
            and (opened not in _CAREFUL or _ends_word(text, at, 1))
        ):
            return index, 1
    return None


def _span(text: str, opened: _Open, at: int, edge: int) -> Span:
    quoted = opened.sign in _QUOTES
    # An apostrophe closes nothing but looks as if it did: only a mark right before it is quoted.
    sure = opened.sign not in _SINGLE or not regex.search(r"[?؟？][^?؟？]", text[opened.at : at])
    return Span(opened.at, at + edge, opened.sign, edge, hidden=quoted and sure)


def _may_open(text: str, at: int, sign: str) -> bool:
    before, after = text[at - 1 : at], text[at + len(sign) : at + len(sign) + 1]
    if sign in _BRACKETS:
        return True
    if sign not in _QUOTES and sign not in _EMPHASIS:
        return False
    if not after.strip():
        return sign not in _EMPHASIS and sign not in _CAREFUL
    if sign in _EMPHASIS:
        return not _LETTER.match(before) and after not in "*_~|"
    return sign not in _CAREFUL or not (_LETTER.match(before) or before in (*".,;!?…",))


def _ends_word(text: str, at: int, length: int) -> bool:
    before, after = text[at - 1 : at], text[at + length : at + length + 1]
    return not before.isspace() and not _LETTER.match(after)


def _visible(text: str, found: tuple[Span, ...]) -> str:
    chars = list(text)
    for span in found:
        if span.hidden:
            chars[span.start : span.end] = HOLE * (span.end - span.start)
    return "".join(chars)
