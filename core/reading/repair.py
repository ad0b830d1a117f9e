"""Take a slip of the keyboard for the word that was meant, where no other word could be meant.

Only long words are repaired, and only a letter left out, doubled or swapped with its neighbour: a
*different* letter makes too many real words ("night" is no "right"). A word that starts with a
capital inside a sentence is a name and stays what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from rapidfuzz.distance import OSA, Levenshtein

from core.reading.tokens import Kind, Token

SHORTEST = 6


def repaired(found: Sequence[Token], vocabulary: frozenset[str]) -> list[Token]:
    """The tokens, each unknown long word replaced by the one known word it is a slip of."""
    return [
        token if at and _is_name(token) else _repaired(token, vocabulary)
        for at, token in enumerate(found)
    ]


def _is_name(token: Token) -> bool:
    return token.text[:1].isupper() and not token.text.isupper()


def _repaired(token: Token, vocabulary: frozenset[str]) -> Token:
    word = token.norm
    if token.kind is not Kind.WORD or word in vocabulary or len(word) < SHORTEST - 1:
        return token
    meant = _meant(word, vocabulary)
    return replace(token, norm=meant) if meant else token


@lru_cache(maxsize=4096)
def _meant(word: str, vocabulary: frozenset[str]) -> str:
    near = [
        known
        for known in vocabulary
        if len(known) >= SHORTEST and abs(len(known) - len(word)) <= 1 and is_slip(word, known)
    ]
    return near[0] if len(near) == 1 else ""


def is_slip(word: str, known: str) -> bool:
    """Whether one letter was left out, put in, or two neighbours swapped."""
    if word[0] != known[0] or OSA.distance(word, known, score_cutoff=1) != 1:
        return False
    swapped = len(word) == len(known) and Levenshtein.distance(word, known) == 2
    return swapped or len(word) != len(known)
