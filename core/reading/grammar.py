"""A small grammar over words: the rules of a language file, matched against a reply's tokens.

A rule is a list of alternatives, each written like a phrase:

    like: ["i would like (it | that)?", "<praise> <thanks>*"]

A bare word stands for itself, `<name>` for another rule or a word class, `( | )` for a choice, `?`
for "may be missing", `*` for "any number of". Rules may not begin with themselves. Matching is
memoised by rule and place, so its time grows with the length of the reply and no faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import regex

from core.reading.tokens import Token

Ends = frozenset[int]
Phrase = tuple[str, ...]
Spelled = Callable[[str], Sequence[Phrase]]

# The class that also holds the words which an ask is about (`Context.nouns`).
NOUN = "noun"

_NOTHING: Ends = frozenset()
_PIECE = regex.compile(r"<(?P<ref>[\w-]+)>|(?P<mark>[()|?*])|(?P<word>[^\s()|?*<>]+)")


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a rule: a word, a ref to a rule or class, any or all of its parts, or its part
    once at most (maybe) or any number of times (many)."""

    kind: str
    name: str = ""
    words: frozenset[str] = frozenset()
    parts: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Grammar:
    """The rules of one language, ready to match. Word classes are rules of plain phrases."""

    rules: Mapping[str, Node]
    classes: Mapping[str, Mapping[str, tuple[Phrase, ...]]]
    first: Mapping[str, frozenset[str]]
    nullable: frozenset[str]
    vocabulary: frozenset[str] = field(repr=False)

    def over(self, tokens: Sequence[Token], nouns: frozenset[str] = frozenset()) -> Parse:
        """A match of this grammar over the tokens of one reply."""
        return Parse(self, tuple(token.norm for token in tokens), nouns)


class Parse:
    """One reply being matched: where each rule ends when it starts at a place."""

    def __init__(self, grammar: Grammar, norms: tuple[str, ...], nouns: frozenset[str]) -> None:
        self._grammar = grammar
        self._norms = norms
        self._nouns = nouns
        self._memo: dict[tuple[str, int], Ends] = {}

    def ends(self, name: str, at: int) -> Ends:
        """The places where the rule or class `name` can end if it starts at `at`."""
        key = (name, at)
        if key not in self._memo:
            self._memo[key] = _NOTHING  # a rule that begins with itself finds nothing
            self._memo[key] = self._found(name, at)
        return self._memo[key]

    def whole(self, name: str) -> bool:
        """Whether the rule takes the whole reply."""
        return len(self._norms) in self.ends(name, 0)

    def _found(self, name: str, at: int) -> Ends:
        grammar = self._grammar
        here = self._norms[at] if at < len(self._norms) else ""
        known = here in grammar.first.get(name, _NO_WORDS) or here in self._nouns
        if not known and name not in grammar.nullable:
            return _NOTHING
        own = frozenset({at + 1}) if name == NOUN and here in self._nouns else _NOTHING
        if name in grammar.rules:
            return own | self._match(grammar.rules[name], at)
        return own | frozenset(
            at + len(phrase)
            for phrase in grammar.classes.get(name, {}).get(here, ())
            if self._norms[at : at + len(phrase)] == phrase
        )

    def _match(self, node: Node, at: int) -> Ends:
        if node.kind == "word":
            fits = at < len(self._norms) and self._norms[at] in node.words
            return frozenset({at + 1}) if fits else _NOTHING
        if node.kind == "ref":
            return self.ends(node.name, at)
        if node.kind == "any":
            return frozenset().union(*(self._match(part, at) for part in node.parts))
        if node.kind == "maybe":
            return self._match(node.parts[0], at) | {at}
        if node.kind == "many":
            return self._repeated(node.parts[0], at)
        ends: Ends = frozenset({at})
        for part in node.parts:
            ends = frozenset().union(*(self._match(part, end) for end in ends))
            if not ends:
                break
        return ends

    def _repeated(self, node: Node, at: int) -> Ends:
        seen, fresh = {at}, {at}
        while fresh:
            fresh = {end for start in fresh for end in self._match(node, start)} - seen
            seen |= fresh
        return frozenset(seen)


_NO_WORDS: frozenset[str] = frozenset()


def compiled(
    rules: Mapping[str, Sequence[str]],
    classes: Mapping[str, frozenset[Phrase]],
    spelled: Spelled,
) -> Grammar:
    """The grammar of a language file. `spelled` gives the ways in which a word may be typed."""
    made = {
        name: Node("any", parts=tuple(_Reader(str(line), spelled).rule() for line in lines))
        for name, lines in rules.items()
    }
    _check(made, classes)
    nullable = _nullable(made)
    words = {word for node in made.values() for word in _words(node)}
    words |= {word for phrases in classes.values() for phrase in phrases for word in phrase}
    first = _firsts(made, classes, nullable)
    return Grammar(made, _by_first(classes), first, nullable, frozenset(words))


class _Reader:
    """Reads one alternative of a rule."""

    def __init__(self, line: str, spelled: Spelled) -> None:
        self._pieces = [(m.lastgroup or "", m[m.lastgroup or 0]) for m in _PIECE.finditer(line)]
        self._at = 0
        self._line = line
        self._spelled = spelled

    def rule(self) -> Node:
        node = self._choice()
        if self._at < len(self._pieces):
            raise ValueError(f"unbalanced rule: {self._line}")
        return node

    def _choice(self) -> Node:
        branches = [self._sequence()]
        while self._peek() == ("mark", "|"):
            self._at += 1
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else Node("any", parts=tuple(branches))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while (piece := self._peek()) and piece not in (("mark", "|"), ("mark", ")")):
            self._at += 1
            kind, text = piece
            if piece == ("mark", "("):
                part = self._choice()
                if self._peek() != ("mark", ")"):
                    raise ValueError(f"unbalanced rule: {self._line}")
                self._at += 1
            elif kind == "ref":
                part = Node("ref", text)
            else:
                part = self._word(text)
            parts.append(self._suffixed(part))
        return Node("all", parts=tuple(parts))

    def _suffixed(self, part: Node) -> Node:
        suffix = {("mark", "?"): "maybe", ("mark", "*"): "many"}.get(self._peek() or ("", ""))
        if suffix is None:
            return part
        self._at += 1
        return Node(suffix, parts=(part,))

    def _word(self, text: str) -> Node:
        spellings = self._spelled(text)
        by_place = [frozenset(words) for words in zip(*spellings, strict=True)]
        nodes = tuple(Node("word", words=words) for words in by_place)
        return nodes[0] if len(nodes) == 1 else Node("all", parts=nodes)

    def _peek(self) -> tuple[str, str] | None:
        return self._pieces[self._at] if self._at < len(self._pieces) else None


def _by_first(
    classes: Mapping[str, frozenset[Phrase]],
) -> Mapping[str, Mapping[str, tuple[Phrase, ...]]]:
    listed: dict[str, dict[str, tuple[Phrase, ...]]] = {}
    for name, phrases in classes.items():
        by_word: dict[str, tuple[Phrase, ...]] = {}
        for phrase in phrases:
            by_word[phrase[0]] = (*by_word.get(phrase[0], ()), phrase)
        listed[name] = by_word
    return listed


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for part in node.parts:
        yield from _walk(part)


def _words(node: Node) -> Iterator[str]:
    for piece in _walk(node):
        yield from piece.words


def _check(rules: Mapping[str, Node], classes: Mapping[str, object]) -> None:
    for name, node in rules.items():
        for piece in _walk(node):
            if piece.kind == "ref" and piece.name not in rules and piece.name not in classes:
                raise ValueError(f"rule {name} names {piece.name}, which is no rule and no class")


def _nullable(rules: Mapping[str, Node]) -> frozenset[str]:
    found: set[str] = set()
    while True:
        more = {name for name, node in rules.items() if _can_be_empty(node, found)}
        if more == found:
            return frozenset(found)
        found = more


def _can_be_empty(node: Node, known: set[str] | frozenset[str]) -> bool:
    if node.kind in ("maybe", "many"):
        return True
    if node.kind == "ref":
        return node.name in known
    if node.kind == "any":
        return any(_can_be_empty(part, known) for part in node.parts)
    return node.kind == "all" and all(_can_be_empty(part, known) for part in node.parts)


def _firsts(
    rules: Mapping[str, Node],
    classes: Mapping[str, frozenset[Phrase]],
    nullable: frozenset[str],
) -> Mapping[str, frozenset[str]]:
    """The words that each rule and class can begin with, to a fixed point."""
    first = {name: frozenset(p[0] for p in found if p) for name, found in classes.items()}
    first |= {name: frozenset() for name in rules}
    changed = True
    while changed:
        changed = False
        for name, node in rules.items():
            words = _begins(node, first, nullable)
            if words - first[name]:
                first[name] |= words
                changed = True
    return first


def _begins(
    node: Node, first: Mapping[str, frozenset[str]], nullable: frozenset[str]
) -> frozenset[str]:
    if node.kind == "word":
        return node.words
    if node.kind == "ref":
        return first[node.name]
    words: frozenset[str] = frozenset()
    for part in node.parts:
        words |= _begins(part, first, nullable)
        if node.kind == "all" and not _can_be_empty(part, nullable):
            break
    return words
