"""Turn the rules of a language file into a grammar.

A rule is a list of alternatives, each written like a phrase:

    like: ["i would like (it | that)?", "<praise> <thanks>*"]

A bare word stands for itself, `<name>` for another rule or a word class, `( | )` for a choice, `?`
for "may be missing", `*` for "any number of". No rule may begin with itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import regex

from core.reading.grammar import Grammar, Node, Phrase

Spelled = Callable[[str], Sequence[Phrase]]

_PIECE = regex.compile(r"<(?P<ref>[\w-]+)>|(?P<mark>[()|?*])|(?P<word>[^\s()|?*<>]+)")
_SUFFIXES = {"?": "maybe", "*": "many"}


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
    words = {word for node in made.values() for word in _words(node)}
    words |= {word for phrases in classes.values() for phrase in phrases for word in phrase}
    empty = _empty_rules(made)
    first = _first_words(made, classes, empty)
    ready = {name: _ready(node, first, empty) for name, node in made.items()}
    return Grammar(ready, _by_first(classes), frozenset(words))


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
            parts.append(self._suffixed(self._part(*piece)))
        return parts[0] if len(parts) == 1 else Node("all", parts=tuple(parts))

    def _part(self, kind: str, text: str) -> Node:
        if kind == "ref":
            return Node("ref", text)
        if (kind, text) != ("mark", "("):
            return self._word(text)
        inner = self._choice()
        if self._peek() != ("mark", ")"):
            raise ValueError(f"unbalanced rule: {self._line}")
        self._at += 1
        return inner

    def _suffixed(self, part: Node) -> Node:
        kind, text = self._peek() or ("", "")
        if kind != "mark" or text not in _SUFFIXES:
            return part
        self._at += 1
        return Node(_SUFFIXES[text], parts=(part,))

    def _word(self, text: str) -> Node:
        by_length: dict[int, list[Phrase]] = {}
        for way in self._spelled(text):
            by_length.setdefault(len(way), []).append(way)
        ways = tuple(_in_order(ways) for ways in by_length.values())
        return ways[0] if len(ways) == 1 else Node("any", parts=ways)

    def _peek(self) -> tuple[str, str] | None:
        return self._pieces[self._at] if self._at < len(self._pieces) else None


def _in_order(ways: Sequence[Phrase]) -> Node:
    """The words of phrases of one length, each place with all its spellings."""
    nodes = tuple(Node("word", words=frozenset(words)) for words in zip(*ways, strict=True))
    return nodes[0] if len(nodes) == 1 else Node("all", parts=nodes)


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


def _empty_rules(rules: Mapping[str, Node]) -> frozenset[str]:
    """The rules that can take no word at all, to a fixed point."""
    found: frozenset[str] = frozenset()
    while True:
        more = frozenset(name for name, node in rules.items() if _is_empty(node, found))
        if more == found:
            return found
        found = more


def _is_empty(node: Node, known: frozenset[str]) -> bool:
    if node.kind in ("maybe", "many"):
        return True
    if node.kind == "ref":
        return node.name in known
    if node.kind == "any":
        return any(_is_empty(part, known) for part in node.parts)
    return node.kind == "all" and all(_is_empty(part, known) for part in node.parts)


def _first_words(
    rules: Mapping[str, Node],
    classes: Mapping[str, frozenset[Phrase]],
    empty: frozenset[str],
) -> Mapping[str, frozenset[str]]:
    """The words that each rule and class can begin with, to a fixed point."""
    first = {name: frozenset(p[0] for p in found if p) for name, found in classes.items()}
    first |= {name: frozenset() for name in rules}
    changed = True
    while changed:
        changed = False
        for name, node in rules.items():
            words = _begins(node, first, empty)
            if words - first[name]:
                first[name] |= words
                changed = True
    return first


def _begins(
    node: Node, first: Mapping[str, frozenset[str]], empty: frozenset[str]
) -> frozenset[str]:
    if node.kind == "word":
        return node.words
    if node.kind == "ref":
        return first[node.name]
    words: frozenset[str] = frozenset()
    for part in node.parts:
        words |= _begins(part, first, empty)
        if node.kind == "all" and not _is_empty(part, empty):
            break
    return words


def _ready(node: Node, first: Mapping[str, frozenset[str]], empty: frozenset[str]) -> Node:
    """A node that knows what it begins with, and which of its parts each word can begin."""
    parts = tuple(_ready(part, first, empty) for part in node.parts)
    by_word: dict[str, tuple[Node, ...]] = {}
    if node.kind == "any":
        for part in parts:
            for word in () if part.empty else part.begins:
                by_word[word] = (*by_word.get(word, ()), part)
    return replace(
        node,
        parts=parts,
        begins=_begins(node, first, empty),
        empty=_is_empty(node, empty),
        by_word=by_word,
        always=tuple(part for part in parts if part.empty),
    )
