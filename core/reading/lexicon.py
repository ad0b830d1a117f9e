"""The words of one language, by class: the only place where the reader meets a language.

A language is one file, `words/<language>.yaml`, in two halves: `talk` has the word classes below
(lists of words and phrases), `values` whatever the readers of numbers, dates and units need; those
readers find it raw in `Lexicon.sections`. A language without a file, or without that half, gets the
English words: digits, symbols and emoji read alike everywhere, and English is what people fall back
to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

import regex
from ruamel.yaml import YAML

from core.reading.grammar import Grammar, Phrase
from core.reading.rules import compiled
from core.reading.tokens import Kind, Token, fold, normal, tokens

FALLBACK = "en"

# Three or more of a letter is a drawn-out word ("yesss", "goooood").
_DRAWN_OUT = regex.compile(r"(\p{L})\1{2,}+")
# Classes whose single words turn a reply.
_CONTENT = ("negations", "conditions", "question_words", "second_thoughts", "hedges")
_TRANSLITERATED = {"de": str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})}


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase found at a place: how many tokens it takes, and the classes that list it."""

    length: int
    classes: frozenset[str]


@dataclass(frozen=True, eq=False)
class Lexicon:
    """One language's words.

    `classes` maps a class of `talk` to its phrases, `maps` those classes whose phrases stand for a
    number, `grammar` holds the rules over them, `sections` is the raw `values` half, and
    `contractions` says which single words are several words ("don't" -> "do not").
    """

    language: str
    classes: Mapping[str, frozenset[Phrase]]
    maps: Mapping[str, Mapping[Phrase, int]]
    sections: Mapping[str, Any]
    contractions: Mapping[str, Phrase]
    grammar: Grammar = field(repr=False)
    _by_first: Mapping[str, tuple[tuple[Phrase, frozenset[str]], ...]] = field(repr=False)

    @property
    def vocabulary(self) -> frozenset[str]:
        """Every single word of its classes and rules."""
        return self.grammar.vocabulary

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a reply in this language: contractions undone, drawn-out words restored."""
        return [self._restored(token) for token in tokens(text, self.contractions)]

    def phrase(self, text: str) -> Phrase:
        """A phrase as it is compared: the norms of its tokens."""
        return tuple(token.norm for token in self.tokens(text))

    def match(
        self, found: Sequence[Token], at: int, classes: Iterable[str] | None = None
    ) -> Match | None:
        """The longest phrase that starts at token `at`, of any class or of the classes named."""
        wanted = None if classes is None else frozenset(classes)
        for phrase, listed in self._by_first.get(found[at].norm, ()):
            hit = listed if wanted is None else listed & wanted
            if hit and _stands(phrase, found, at):
                return Match(len(phrase), hit)
        return None

    def has(self, word: str, name: str) -> bool:
        """Whether a class lists a single word."""
        return (word,) in self.classes.get(name, frozenset())

    def _restored(self, token: Token) -> Token:
        if token.kind is not Kind.WORD or not _DRAWN_OUT.search(token.norm):
            return token
        for width in (r"\1", r"\1\1"):
            short = _DRAWN_OUT.sub(width, token.norm)
            if short in self.vocabulary:
                return Token(token.text, short, token.start, token.end, token.kind)
        return token


def _stands(phrase: Phrase, found: Sequence[Token], at: int) -> bool:
    if at + len(phrase) > len(found):
        return False
    return all(found[at + i].norm == word for i, word in enumerate(phrase))


def lexicon(locale: str) -> Lexicon:
    """The words of a locale's language for reading values ("de-AT" reads German)."""
    language = _language(locale)
    return _loaded(language if language in languages() else FALLBACK)


def talk(locale: str) -> Lexicon:
    """The words of a locale's language for reading talk: a file may have that half alone."""
    language = _language(locale)
    return _loaded(language if language in _files() else FALLBACK)


@cache
def languages() -> frozenset[str]:
    """The languages whose values can be read."""
    return frozenset(name for name, text in _files().items() if "\nvalues:" in text)


def _language(locale: str) -> str:
    return locale.replace("_", "-").split("-")[0].casefold()


@cache
def _files() -> Mapping[str, str]:
    folder = resources.files("core.reading").joinpath("words")
    return {
        entry.name.removesuffix(".yaml"): entry.read_text(encoding="utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".yaml")
    }


@cache
def _loaded(language: str) -> Lexicon:
    raw = YAML(typ="safe").load(_files()[language])
    talk: dict[str, Any] = dict(raw.get("talk") or {})
    short = {
        normal(str(word)): tuple(normal(part) for part in str(whole).split())
        for word, whole in (talk.pop("contractions", None) or {}).items()
    }
    rules = talk.pop("rules", None) or {}
    weighty = frozenset(normal(str(entry)) for name in _CONTENT for entry in talk.get(name, ()))

    def spelled(entry: str) -> Sequence[Phrase]:
        return _spelled(entry, short, language, weighty)

    classes = {
        name: frozenset(p for entry in entries for p in spelled(str(entry)) if p)
        for name, entries in talk.items()
    }
    grammar = compiled(rules, classes, spelled)
    return Lexicon(
        language=language,
        classes=classes,
        maps={
            name: {p: int(number) for entry, number in entries.items() for p in spelled(str(entry))}
            for name, entries in talk.items()
            if isinstance(entries, dict)
        },
        sections=raw.get("values") or {},
        contractions=short,
        grammar=grammar,
        _by_first=_indexed(classes),
    )


def _spelled(
    entry: str, short: Mapping[str, Phrase], language: str, weighty: frozenset[str]
) -> Sequence[Phrase]:
    """A phrase as written, and as people type it on a keyboard without its accents.

    Where the bare form is a word of its own that turns a reply, it is only that: Spanish "si" is
    an "if" and no "sí". German writes its umlauts out instead ("schoen"; "schon" is another word).
    """
    phrase = tuple(token.norm for token in tokens(entry, short))
    if language in _TRANSLITERATED:
        bare = tuple(word.translate(_TRANSLITERATED[language]) for word in phrase)
    else:
        bare = tuple(fold(word) for word in phrase)
    ways = [phrase]
    if bare != phrase and not (len(bare) == 1 and bare[0] in weighty):
        ways.append(bare)
    # A hyphen is often left out ("in person", "rendez vous").
    open_ways = [tuple(word for word in way if word != "-") for way in ways]
    return list(dict.fromkeys(way for way in (*ways, *open_ways) if way))


def _indexed(
    classes: Mapping[str, frozenset[Phrase]],
) -> Mapping[str, tuple[tuple[Phrase, frozenset[str]], ...]]:
    listed: dict[Phrase, set[str]] = {}
    for name, phrases in classes.items():
        for phrase in phrases:
            if phrase:
                listed.setdefault(phrase, set()).add(name)
    by_first: dict[str, list[tuple[Phrase, frozenset[str]]]] = {}
    for phrase, names in listed.items():
        by_first.setdefault(phrase[0], []).append((phrase, frozenset(names)))
    return {
        first: tuple(sorted(found, key=lambda hit: -len(hit[0])))
        for first, found in by_first.items()
    }
