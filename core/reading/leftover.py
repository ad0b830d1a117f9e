"""Judge what stands in a reply beside the value that was read of it.

A value settles only when the rest of the reply is harmless: punctuation, emoji, politeness, fillers
and the frames that people put around an answer. Anything else has a class, and that class is the
reason why the reply is *beside*. A word that no class knows is content.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.reading.lexicon import Lexicon
from core.reading.tokens import Kind, Token

Span = tuple[int, int]

HARMLESS = frozenset({"fillers", "politeness", "greetings", "frames", "glue"})

# A class of content -> the reason that it gives, the gravest first.
REASONS = {
    "question_words": "question",
    "second_thoughts": "second_thought",
    "conditions": "condition",
    "negations": "negation",
    "hedges": "hedge",
}
_GRAVITY = (*dict.fromkeys(REASONS.values()), "another_value", "beside")

_HARMLESS_SYMBOLS = frozenset("~|•·✓✔")


@dataclass(frozen=True, slots=True)
class Rest:
    """What a reply holds beside its value. `reason` is empty when it is harmless."""

    reason: str = ""
    words: tuple[Token, ...] = ()

    @property
    def harmless(self) -> bool:
        """Whether the value is the whole answer."""
        return not self.reason


def leftover(
    found: Sequence[Token],
    spans: Iterable[Span],
    words: Lexicon,
    *,
    harmless: frozenset[str] = HARMLESS,
    nouns: frozenset[str] = frozenset(),
) -> Rest:
    """Judge the tokens outside the spans (character places) that the value used.

    `harmless` names the word classes that may stand there, `nouns` further harmless words.
    """
    used = list(spans)
    free = [not any(t.start < end and start < t.end for start, end in used) for t in found]
    reasons: dict[str, list[Token]] = {}
    at = 0
    while at < len(found):
        if not free[at]:
            at += 1
            continue
        length, reason = _judged(found, at, free, words, harmless, nouns)
        if reason:
            reasons.setdefault(reason, []).extend(found[at : at + length])
        at += length
    for reason in _GRAVITY:
        if reason in reasons:
            return Rest(reason, tuple(reasons[reason]))
    return Rest()


def _judged(
    found: Sequence[Token],
    at: int,
    free: Sequence[bool],
    words: Lexicon,
    harmless: frozenset[str],
    nouns: frozenset[str],
) -> tuple[int, str]:
    """How many tokens belong together at a place, and their reason (empty: harmless)."""
    token = found[at]
    if token.is_question:
        return 1, "question"
    if token.kind is Kind.NUMBER:
        return 1, "another_value"
    # Other classes are pieces of grammars: they say nothing about a word that stands alone.
    match = words.match(_run(found, at, free), 0, harmless | REASONS.keys())
    if match:
        if match.classes & harmless:
            return match.length, ""
        for name, reason in REASONS.items():
            if name in match.classes:
                return match.length, reason
        return match.length, "" if token.kind is not Kind.WORD or token.norm in nouns else "beside"
    if token.kind is Kind.WORD:
        return 1, "" if token.norm in nouns else "beside"
    if token.kind is Kind.SYMBOL and token.norm not in _HARMLESS_SYMBOLS:
        return 1, "beside"
    return 1, ""


def _run(found: Sequence[Token], at: int, free: Sequence[bool]) -> Sequence[Token]:
    # No phrase is longer than a dozen words, and none reaches into the value.
    end = at
    while end < len(found) and free[end] and end - at < 12:
        end += 1
    return found[at:end]
