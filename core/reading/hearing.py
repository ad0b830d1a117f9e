"""Hear a reply to a menu: what it mentions, and what stands beside that.

Between finding mentions and choosing lies a judgement that depends on the whole reply: a bare
number is a place in the list only where nothing else is said, and a word that no class knows may
be a piece of a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.reading.leftover import HARMLESS, Rest, leftover
from core.reading.lexicon import Lexicon
from core.reading.mentions import CHOOSING, Finder, How, Mention, Menu, menu
from core.reading.repair import repaired
from core.reading.result import Context
from core.reading.tokens import Kind, Token

_COURTESY = frozenset({"fillers", "politeness", "greetings"})
_PICKING = _COURTESY | {"picking"}
_AROUND = HARMLESS | CHOOSING
_GROUPS = frozenset({How.ALL, How.BOTH, How.NONE, How.EXCEPT})
_PLACES = frozenset({How.PLACE, How.COUNT})


@dataclass(frozen=True)
class Heard:
    """A reply, what it mentions, and what stands beside that.

    `alternatives` says that "or" stands between two mentions, or that a number may be a name or a
    place; `exact` that the reply is one whole name and nothing else.
    """

    text: str
    context: Context
    menu: Menu
    mentions: tuple[Mention, ...]
    rest: Rest
    alternatives: bool
    exact: bool

    @property
    def words(self) -> Lexicon:
        """The language in which the reply was heard."""
        return self.menu.words

    @property
    def named(self) -> list[Mention]:
        """The mentions of options."""
        return [mention for mention in self.mentions if mention.how not in _GROUPS]

    @property
    def options_named(self) -> list[Mention]:
        """The mentions of options, and groups whose word begins an option's name."""
        return [m for m in self.mentions if m.how not in _GROUPS or m.options]

    def of(self, *hows: How) -> list[Mention]:
        """The mentions of some sorts."""
        return [mention for mention in self.mentions if mention.how in hows]

    def keys(self, options: Iterable[int]) -> list[str]:
        """The keys of options, in their order."""
        return [self.context.options[at].key for at in sorted(set(options))]


def heard(text: str, context: Context, words: Lexicon, *, several: bool) -> Heard:
    """Hear a reply in one language; `several` options may be chosen."""
    known = menu(tuple(context.options), words)
    found = _mended(words.tokens(text), known)
    finder = Finder(found, known)
    mentions = _ranged(finder.mentions(), found, words) if several else finder.mentions()
    mentions = _named_groups(mentions, several=several)
    mentions = [m for m in mentions if _counts(m, mentions, found, words, several=several)]
    mentions = _with_pieces(mentions, finder, found, context.nouns)
    alternatives, joins = _joins(mentions, found, words, several=several)
    counted = any(mention.how is How.COUNT for mention in mentions)
    only_counts = counted and all(m.how is How.COUNT for m in mentions)
    rest = leftover(
        found,
        [*_places(mentions, found), *joins],
        words,
        harmless=_PICKING if only_counts else _AROUND,
        nouns=context.nouns,
    )
    if rest.harmless and _asks(found, mentions, words):
        rest = Rest("question", (found[0],))
    if rest.harmless:
        rest = _other_talk(found, mentions, words)
    return Heard(
        text=text,
        context=context,
        menu=known,
        mentions=tuple(mentions),
        rest=rest,
        alternatives=alternatives or (counted and known.numeric),
        exact=len(mentions) == 1 and (mentions[0].start, mentions[0].end) == (0, len(found)),
    )


def _mended(found: Sequence[Token], known: Menu) -> list[Token]:
    """The tokens with slips of plain words undone; what is near a name is left to the finder."""
    mended = repaired(found, known.spelling)
    return [old if known.near(old.norm) else new for old, new in zip(found, mended, strict=True)]


def _asks(found: Sequence[Token], mentions: Sequence[Mention], words: Lexicon) -> bool:
    """Whether a reply without a question mark still asks: "is music fine"."""
    if not found or not words.has(found[0].norm, "inverted"):
        return False
    if any(mention.start == 0 for mention in mentions):
        return False
    phrase = words.match(found, 0, ("frames", "picking"))
    return phrase is None or phrase.length == 1


def _other_talk(found: Sequence[Token], mentions: Sequence[Mention], words: Lexicon) -> Rest:
    """What makes other talk of names and harmless words: "let's talk", "online, sorry, both"."""
    for at in range(len(found)):
        if hit := words.match(found, at, ("no_choice",)):
            return Rest("beside", tuple(found[at : at + hit.length]))
        between = any(m.end <= at for m in mentions) and any(m.start > at for m in mentions)
        if between and words.match(found, at, ("corrections",)):
            return Rest("second_thought", (found[at],))
    return Rest()


def _named_groups(mentions: Sequence[Mention], *, several: bool) -> list[Mention]:
    """Where one option is chosen, "none" names the option that begins with it."""
    return [
        Mention(m.start, m.end, How.PIECE, m.options)
        if m.options and m.how in _GROUPS and (m.how is How.NONE or not several)
        else m
        for m in mentions
    ]


def _counts(
    mention: Mention,
    mentions: Sequence[Mention],
    found: Sequence[Token],
    words: Lexicon,
    *,
    several: bool,
) -> bool:
    """Whether a bare number is a place in the list here: "2" is, the 2 of "music at 2" is none."""
    if mention.how is not How.COUNT:
        return True
    others = [m for m in mentions if m.how is not How.COUNT]
    agrees = all(not m.options or m.options & mention.options for m in others)
    if others and not several and not agrees:
        return False
    if not found[mention.start].is_word or found[mention.start].norm not in _ones(words):
        return True
    # "One" mostly counts nothing: "I'd like one".
    places = _places(mentions, found)
    return leftover(found, places, words, harmless=_COURTESY | {"and_words"}).harmless


def _ones(words: Lexicon) -> frozenset[str]:
    counts = words.maps.get("counts", {})
    return frozenset(phrase[0] for phrase, number in counts.items() if number == 1)


def _ranged(mentions: Sequence[Mention], found: Sequence[Token], words: Lexicon) -> list[Mention]:
    """ "1-3" and "2 to 4" are all that lie between."""
    ranged: list[Mention] = []
    for mention in mentions:
        last = ranged[-1] if ranged else None
        if last and _spans(last, mention, found, words):
            first, final = min(last.options), max(mention.options)
            group = tuple(range(first, final + 1))
            ranged[-1] = Mention(last.start, mention.end, How.PLACE, group=group)
        else:
            ranged.append(mention)
    return ranged


def _spans(first: Mention, last: Mention, found: Sequence[Token], words: Lexicon) -> bool:
    if {first.how, last.how} - _PLACES or len(first.options) != 1 or len(last.options) != 1:
        return False
    between = found[first.end : last.start]
    if len(between) != 1 or min(first.options) >= max(last.options):
        return False
    return between[0].norm == "-" or words.has(between[0].norm, "range_words")


def _with_pieces(
    mentions: Sequence[Mention],
    finder: Finder,
    found: Sequence[Token],
    nouns: frozenset[str],
) -> list[Mention]:
    """The mentions, and the runs of unknown words that are pieces of a name."""
    covered = {at for mention in mentions for at in range(mention.start, mention.end)}
    pieces = [
        piece
        for start, end in _runs(found, covered, finder)
        if not all(found[at].norm in nouns for at in range(start, end))
        and (piece := finder.piece(start, end))
    ]
    return sorted([*mentions, *pieces], key=lambda mention: mention.start)


def _runs(found: Sequence[Token], covered: set[int], finder: Finder) -> Iterator[tuple[int, int]]:
    """Runs of words that may be pieces of a name: those that no mention and no class covers."""
    start = at = 0
    while at < len(found):
        length = 0 if at in covered else finder.harmless(at)
        content = not length and at not in covered and found[at].kind in (Kind.WORD, Kind.NUMBER)
        if content or (start < at and found[at].norm == "-"):
            at += 1
            continue
        if start < at:
            yield start, at
        at += length or 1
        start = at
    if start < at:
        yield start, at


def _joins(
    mentions: Sequence[Mention], found: Sequence[Token], words: Lexicon, *, several: bool
) -> tuple[bool, list[tuple[int, int]]]:
    """Whether "or" stands among the mentions; and the places of "or" and "and", which say that."""
    alternatives, joins = False, []
    named = [mention for mention in mentions if mention.how is not How.EXCEPT]
    for left, right in pairwise(named):
        for at in range(left.end, right.start):
            match = words.match(found, at, ("or_words", "and_words"))
            if match and "or_words" in match.classes:
                alternatives = True
            if match:
                joins.append((found[at].start, found[at + match.length - 1].end))
    starts_with_either = bool(named) and any(
        words.match(found, at, ("or_words",)) for at in range(named[0].start)
    )
    if starts_with_either and alternatives:
        joins.extend((token.start, token.end) for token in found[: named[0].start])
    if several and named:
        joins.extend(_also(named, found, words))
    return alternatives, joins


def _also(
    named: Sequence[Mention], found: Sequence[Token], words: Lexicon
) -> Iterator[tuple[int, int]]:
    """ "Music and sports too": a word of addition behind the last one adds nothing."""
    for at in range(named[-1].end, len(found)):
        match = words.match(found, at, ("and_words",))
        if match:
            yield found[at].start, found[at + match.length - 1].end


def _places(mentions: Iterable[Mention], found: Sequence[Token]) -> list[tuple[int, int]]:
    return [(found[m.start].start, found[m.end - 1].end) for m in mentions]
