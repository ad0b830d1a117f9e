"""A small grammar over words: the rules of a language file, matched against a reply's tokens.

`core.reading.rules` says how a rule is written. Matching is memoised by rule and place, and a rule
is tried only where the next word can begin it, so its time grows with the length of the reply and
no faster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.reading.tokens import Token

Ends = frozenset[int]
Phrase = tuple[str, ...]

# The class that also holds the words which an ask is about (`Context.nouns`).
NOUN = "noun"

_NOTHING: Ends = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A piece of a rule: a word, a ref to a rule or class, any or all of its parts, or its part
    once at most (maybe) or any number of times (many).

    `begins` are the words that it can begin with, `empty` says whether it can take no word at all.
    Of the parts of an "any", `by_word` has those that a word can begin, `always` the empty ones.
    """

    kind: str
    name: str = ""
    words: frozenset[str] = frozenset()
    parts: tuple[Node, ...] = ()
    begins: frozenset[str] = frozenset()
    empty: bool = False
    by_word: Mapping[str, tuple[Node, ...]] = field(default_factory=dict)
    always: tuple[Node, ...] = ()


@dataclass(frozen=True, eq=False)
class Grammar:
    """The rules of one language, ready to match. Word classes are rules of plain phrases."""

    rules: Mapping[str, Node]
    classes: Mapping[str, Mapping[str, tuple[Phrase, ...]]]
    vocabulary: frozenset[str] = field(repr=False)

    def over(self, tokens: Sequence[Token], nouns: frozenset[str] = frozenset()) -> Parse:
        """A match of this grammar over the tokens of one reply."""
        return Parse(self, tuple(token.norm for token in tokens), nouns)


class Parse:
    """One reply being matched: where each rule ends when it starts at a place."""

    def __init__(self, grammar: Grammar, norms: tuple[str, ...], nouns: frozenset[str]) -> None:
        self._rules = grammar.rules
        self._classes = grammar.classes
        # An empty word after the last one spares every look-up a test of the length.
        self._norms = (*norms, "")
        self._nouns = nouns
        self._memo: dict[tuple[str, int], Ends] = {}

    def ends(self, name: str, at: int) -> Ends:
        """The places where the rule or class `name` can end if it starts at `at`."""
        key = (name, at)
        found = self._memo.get(key)
        if found is None:
            self._memo[key] = _NOTHING  # a rule that begins with itself finds nothing
            found = self._memo[key] = self._found(name, at)
        return found

    def whole(self, name: str) -> bool:
        """Whether the rule takes the whole reply."""
        return len(self._norms) - 1 in self.ends(name, 0)

    def _found(self, name: str, at: int) -> Ends:
        rule = self._rules.get(name)
        if rule is not None:
            return self._match(rule, at)
        here = self._norms[at]
        found = {
            at + len(phrase)
            for phrase in self._classes.get(name, _NO_CLASS).get(here, ())
            if self._norms[at : at + len(phrase)] == phrase
        }
        if name == NOUN and here in self._nouns:
            found.add(at + 1)
        return frozenset(found)

    def _match(self, node: Node, at: int) -> Ends:
        here = self._norms[at]
        about = here in self._nouns
        if here not in node.begins and not about:
            if not node.empty:
                return _NOTHING
            if node.kind in ("maybe", "many"):
                return frozenset((at,))
        if node.kind == "word":
            return frozenset((at + 1,)) if here in node.words else _NOTHING
        if node.kind == "ref":
            return self.ends(node.name, at)
        if node.kind == "any":
            parts = node.parts if about else (*node.by_word.get(here, ()), *node.always)
            return _union([self._match(part, at) for part in parts])
        if node.kind == "maybe":
            return self._match(node.parts[0], at) | {at}
        if node.kind == "many":
            return self._repeated(node.parts[0], at)
        return self._sequence(node.parts, at)

    def _sequence(self, parts: Sequence[Node], at: int) -> Ends:
        ends: Ends = frozenset((at,))
        for part in parts:
            ends = _union([self._match(part, end) for end in ends])
            if not ends:
                break
        return ends

    def _repeated(self, node: Node, at: int) -> Ends:
        seen, fresh = {at}, {at}
        while fresh:
            fresh = {end for start in fresh for end in self._match(node, start)} - seen
            seen |= fresh
        return frozenset(seen)


_NO_CLASS: Mapping[str, tuple[Phrase, ...]] = {}


def _union(found: list[Ends]) -> Ends:
    if not found:
        return _NOTHING
    return found[0] if len(found) == 1 else found[0].union(*found[1:])
