"""Whether a sentence asks the person something."""

from __future__ import annotations

import regex

from core.prose.patterns import patterns
from core.prose.sentences import MARKS, Sentence, begins_question, first_word, greek_mark
from core.prose.spans import HOLE, Span, Spans

_MARK = regex.compile(rf"[{regex.escape(MARKS)}՞¿⸘\U0001e95f]")
_EMOJI_MARK = regex.compile(r"(?<=[\p{L}\p{N}].*)[❓❔](?=[^\p{L}\p{N}]*$)", regex.DOTALL)
_TAIL = regex.compile(r"[^\p{L}\p{M}\p{N}]+$")
_QUOTES = frozenset("\"“„”«»‹「『＂'‘‚﹁〝")


def asking(found: Spans, part: Sentence, plain: str) -> tuple[bool, tuple[tuple[int, int], ...]]:
    """Whether a sentence is a question; or which stretches of it are questions in brackets."""
    marks = _marks(found, part)
    if not marks:
        return _unmarked(plain) or _quoted_last(found, part), ()
    outer = [s for s in found.found if s.kind in "(（[【" and part.start <= s.start < part.end]
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
    at += [
        m.start()
        for m in regex.finditer(r";(?!\w)", text[: part.end], pos=part.start)
        if greek_mark(text, m.start())
    ]
    at += [part.start + m.start() for m in _EMOJI_MARK.finditer(text[part.start : part.end])]
    return at


def _unmarked(plain: str) -> bool:
    return patterns().asks.search(_TAIL.sub("", plain)) is not None


def _quoted_last(found: Spans, part: Sentence) -> bool:
    """A question of which only the last words are quoted: 'Is it "Python for All?"'.

    American usage puts the mark of the whole sentence inside the quotation.
    """
    body = found.text[part.start : part.end]
    last = part.start + len(_TAIL.sub("", body))
    mark = regex.match(rf"[^\p{{L}}\p{{N}}]*?[{regex.escape(MARKS)}]", found.text[last:])
    if mark is None or not any(s.kind in _QUOTES and s.holds(last) for s in found.found):
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
