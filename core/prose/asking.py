"""Whether a sentence asks the person something."""

from __future__ import annotations

import regex

from core.prose.patterns import patterns
from core.prose.sentences import MARKS, Sentence, begins_question, first_word, greek_mark
from core.prose.spans import HOLE, Span, Spans

_MARK = regex.compile(rf"[{regex.escape(MARKS)}՞¿⸘\U0001e95f]")
_SEMICOLON = regex.compile(r";(?!\w)")
_EMOJI_MARK = regex.compile(r"(?<=[\p{L}\p{N}]\W{0,8})[❓❔](?=[^\p{L}\p{N}]{0,8}$)")
_TAIL = regex.compile(r"[^\p{L}\p{M}\p{N}]+$")
_GOES_ON = regex.compile(r"\s+\p{Ll}|[.,;)]")
_SAID = regex.compile(r"\p{L}\W{0,2}(?<![:：—–]\s?)$")
# How much of a sentence may tell that it asks although it has no mark.
_ENDING = 40
_QUOTES = frozenset("\"“„”«»‹「『＂'‘‚﹁〝")


def asking(found: Spans, part: Sentence, plain: str) -> tuple[bool, tuple[tuple[int, int], ...]]:
    """Whether a sentence is a question; or which stretches of it are questions in brackets."""
    marks = _marks(found, part)
    if not marks:
        return _unmarked(plain) or _quoted_last(found, part), ()
    outer = [s for s in found.starting(part.start, part.end) if s.kind in "(（[【"]
    holes = [s for s in outer if any(s.holds(at) for at in marks) and not _within(s, outer)]
    if not all(any(s.holds(at) for s in holes) for at in marks):
        return True, ()
    cut = tuple(_with_gap(found.text, part, s) for s in holes)
    left = _without(found.text, part, cut)
    return (False, cut) if regex.search(r"\p{L}", left) else (True, ())


def _marks(found: Spans, part: Sentence) -> list[int]:
    """Where question marks stand that are the model's own."""
    text = found.visible
    at = [m.start() for m in _MARK.finditer(text, part.start, part.end)]
    semicolons = (m.start() for m in _SEMICOLON.finditer(text, part.start, part.end))
    at += [mark for mark in semicolons if greek_mark(text, mark)]
    if last := _EMOJI_MARK.search(text, part.start, part.end):
        at.append(last.start())
    if not at:
        return at
    emphasised = [s for s in found.starting(part.start, part.end) if s.kind[0] in "*_"]
    titles = [s for s in emphasised if _title(found, part, s)]
    return [mark for mark in at if not any(title.holds(mark) for title in titles)]


def _title(found: Spans, part: Sentence, span: Span) -> bool:
    """Whether what is emphasised is a title in a statement that goes on after it.

    "I noted *Why Rust?* as the title." But "One more thing: *Which date?*" asks.
    """
    if not part.start < span.start < span.end < part.end:
        return False
    before, after = found.visible[part.start : span.start], found.visible[span.end : part.end]
    named = found.text[span.start : span.end].strip("*_")[:1].isupper()
    goes_on = _GOES_ON.match(after) is not None
    return (
        named
        and goes_on
        and _SAID.search(before) is not None
        and not begins_question(first_word(before))
    )


def _unmarked(plain: str) -> bool:
    return patterns().asks.search(_TAIL.sub("", plain)[-_ENDING:]) is not None


def _quoted_last(found: Spans, part: Sentence) -> bool:
    """A question of which only the last words are quoted: 'Is it "Python for All?"'.

    American usage puts the mark of the whole sentence inside the quotation.
    """
    body = found.text[part.start : part.end]
    last = part.start + len(_TAIL.sub("", body))
    mark = regex.match(rf"[^\p{{L}}\p{{N}}]*?[{regex.escape(MARKS)}]", found.text[last:])
    if mark is None or not any(
        s.kind in _QUOTES and s.holds(last) for s in found.starting(part.start, part.end)
    ):
        return False
    outside = found.visible[part.start : part.end]
    return begins_question(first_word(outside)) and not outside.lstrip().startswith(HOLE)


def _within(span: Span, others: list[Span]) -> bool:
    return any(o.start < span.start and span.end < o.end for o in others)


def _with_gap(text: str, part: Sentence, span: Span) -> tuple[int, int]:
    """A bracket with the white space that parts it from the rest of its sentence."""
    start, end = span.start, span.end
    if start > part.start:
        while text[start - 1].isspace():
            start -= 1
    else:
        while end < part.end and text[end].isspace():
            end += 1
    return start, end


def _without(text: str, part: Sentence, holes: tuple[tuple[int, int], ...]) -> str:
    left, at = "", part.start
    for start, end in holes:
        left += text[at:start]
        at = end
    return left + text[at : part.end]
