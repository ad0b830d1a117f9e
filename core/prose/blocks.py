r"""The blocks of a chat answer: paragraphs, list items, tables, headings, quotations, code.

A chat shows an answer line by line, and models write Markdown loosely: a line under a list that
is not indented is no part of it, and a list may have emoji for bullets. `\r\n` counts as `\n`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

import regex


class Kind(Enum):
    """What a block is."""

    PARAGRAPH = auto()
    ITEM = auto()
    ROW = auto()
    HEADING = auto()
    RULE = auto()
    QUOTE = auto()
    CODE = auto()


@dataclass(slots=True)
class Block:
    """A block's place in the answer. `mark` is how many characters its bullet takes."""

    kind: Kind
    start: int
    end: int
    mark: int = 0


_EMOJI = (
    r"[\p{Extended_Pictographic}\p{Regional_Indicator}]"
    r"[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\ufe0f\u200d]*"
)
_BULLET = regex.compile(
    r"\s*(?:"
    r"(?:[-*+‣◦▪▫●○■□–—·∙➤►▶→➡✓✔☐☑⁃➜»]\s+|[•・]\s*)(?:\[[ xX]?\]\s+)?"
    r"|\(?\p{N}{1,2}[.):]\s+|\(?\p{N}{1,2}\)(?=\p{L})|[\p{N}]{1,2}[、．]\s*"
    r"|[①-⑳❶-❿]\s*|[0-9#*]\ufe0f?\u20e3\s*|[一二三四五六七八九十]、"
    r"|\(?\p{L}\)\s+|[A-Ha-hА-Еа-е][.:]\s+"
    rf"|{_EMOJI}\s+|:[a-z][a-z0-9_+-]*:\s+"
    r")(?=\S)"
)
_FENCE = regex.compile(r"\s*(`{3,}|~{3,})")
_HEADING = regex.compile(r" {0,3}#{1,6}\s")
_RULE = regex.compile(r"\s*(?:(?:[-*_=]\s*){3,}|[—─━═]{3,}\s*)$")
_QUOTE = regex.compile(r"\s*>")
_ROW = regex.compile(r"\s*\|(?!\|)")
_LINE = regex.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_WRAPPED = 50


def blocks(text: str) -> list[Block]:
    """The blocks of a text, in order. Between them is nothing but white space."""
    found: list[Block] = []
    fence = ""
    apart = True
    for match in _LINE.finditer(text):
        line = match.group()
        if not line.strip():
            apart = True
            continue
        end = match.start() + len(line.rstrip())
        if fence:
            closed = _closed(line, fence)
            found[-1].end = match.start() + closed if closed else end
            if closed:
                fence, apart = "", not line[closed:].strip()
            if closed and not apart:
                # What a model writes right behind its code is no code.
                start = end - len(line[closed:].strip())
                found.append(Block(Kind.PARAGRAPH, start, end))
            continue
        kind, mark = line_kind(line)
        if kind is Kind.CODE:
            fence = _opened(line)
        if found and _goes_on(found[-1], text, kind, line, apart=apart):
            found[-1].end = end
        else:
            found.append(Block(kind, match.start(), end, mark))
        apart = False
    return found


def _opened(line: str) -> str:
    """The sign that must close the code a line opens; none if the line itself closes it."""
    fence = regex.match(r"\s*(`+|~+)(.*)", line, regex.DOTALL)
    return "" if fence is None or fence.group(1) in fence.group(2) else fence.group(1)


def _closed(line: str, fence: str) -> int:
    """Where in a line the code that a sign opened is closed; 0 if it is not."""
    found = _FENCE.match(line)
    closes = found and found.group(1).startswith(fence) and not line[found.end() :][:1].strip()
    return found.end() if found and closes else 0


def line_kind(line: str) -> tuple[Kind, int]:
    """What kind of block a line begins, and how long its bullet is."""
    for pattern, kind in (
        (_FENCE, Kind.CODE),
        (_HEADING, Kind.HEADING),
        (_RULE, Kind.RULE),
        (_QUOTE, Kind.QUOTE),
        (_ROW, Kind.ROW),
    ):
        if pattern.match(line):
            return kind, 0
    bullet = _BULLET.match(line)
    return (Kind.ITEM, bullet.end()) if bullet else (Kind.PARAGRAPH, 0)


def _goes_on(last: Block, text: str, kind: Kind, line: str, *, apart: bool) -> bool:
    """Whether a line is part of the block before it."""
    if kind is Kind.QUOTE:
        return last.kind is Kind.QUOTE and not apart
    if kind is not Kind.PARAGRAPH:
        return False
    indented = line.startswith(("  ", "\t"))
    if last.kind is Kind.ITEM:
        wrapped = len(text[last.start : last.end].rpartition("\n")[2]) >= _WRAPPED
        return indented or (not apart and wrapped and line[0].islower())
    return last.kind is Kind.PARAGRAPH and not apart
