"""Find the options that a reply mentions: by name, by place in the list, or by a piece of a name.

A mention says which options it can mean; more than one is an ambiguity that a tap decides. Longer
names win over shorter ones ("talk show" over "talk"), whole names over pieces of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache

from rapidfuzz.distance import OSA

from core.reading.lexicon import Lexicon
from core.reading.result import Option
from core.reading.tokens import Kind, Token, fold

Words = tuple[str, ...]

# Marks that people leave out or put in freely inside a name ("in-person", "Q&A").
_LOOSE = frozenset("-/'\":()&*_.,")
# Of these, what may part the words of one name in a reply, too; a comma parts two names.
_INSIDE = _LOOSE - frozenset(".,")
_SHORTEST_START = 3
_SHORTEST_SLIP = 5
_TWO_SLIPS = 9
_ABBREVIATED = 3
_CONTENT = frozenset(
    {"negations", "conditions", "question_words", "second_thoughts", "hedges", "except_words"}
)
_COURTESY = frozenset({"fillers", "politeness", "greetings", "frames", "glue", "or_words"})
CHOOSING = frozenset({"choosing", "picking"})
_TALK = _CONTENT | _COURTESY


class How(Enum):
    """How an option was mentioned, the surest first."""

    NAME = 1
    PLACE = 2  # "the second one", "#2"
    COUNT = 3  # a bare "2"
    PIECE = 4  # a beginning, a slip or a word that only one name has
    ALL = 5
    BOTH = 6
    NONE = 7
    EXCEPT = 8


@dataclass(frozen=True, slots=True)
class Mention:
    """Tokens `start` to `end` mention one of `options` (places in the list), or a `group` of it."""

    start: int
    end: int
    how: How
    options: frozenset[int] = frozenset()
    group: tuple[int, ...] = ()


@dataclass(frozen=True)
class Menu:
    """The options of an ask, as a reply can name them."""

    names: tuple[tuple[int, Words], ...]
    exact: tuple[frozenset[Words], ...]
    parts: tuple[frozenset[str], ...]
    count: int
    words: Lexicon

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word of the names."""
        return frozenset().union(*self.parts)

    @cached_property
    def spelling(self) -> frozenset[str]:
        """Every word that is no slip of another: the language's and the names'."""
        return self.words.vocabulary | self.vocabulary

    def near(self, word: str) -> bool:
        """Whether a word may be a slip or the beginning of a word of a name."""
        return any(
            known.startswith(word) or OSA.distance(word, known, score_cutoff=2) <= 2
            for known in self.vocabulary
        )

    @property
    def numeric(self) -> bool:
        """Whether options are numbers themselves, so that a number is a name and no place."""
        return any(len(name) == 1 and name[0].isdecimal() for _, name in self.names)

    def holding(self, word: str) -> frozenset[int]:
        """The options whose names hold a word."""
        return frozenset(at for at, words in enumerate(self.parts) if word in words)


@lru_cache(maxsize=256)
def menu(options: tuple[Option, ...], words: Lexicon) -> Menu:
    """The names of options, labels and aliases, as they are compared."""
    names: list[tuple[int, Words]] = []
    parts: list[frozenset[str]] = []
    exact: list[frozenset[Words]] = []
    for at, option in enumerate(options):
        spelled = [*_spellings(option, words)]
        names.extend((at, name) for name in dict.fromkeys(spelled))
        parts.append(frozenset(word for name in spelled for word in name))
        exact.append(frozenset(_norms(text, words) for text in (option.label, *option.aliases)))
    longest_first = tuple(sorted(names, key=lambda name: -len(name[1])))
    return Menu(longest_first, tuple(exact), tuple(parts), len(options), words)


def _spellings(option: Option, words: Lexicon) -> Iterator[Words]:
    for text in (option.label, *option.aliases):
        found = words.tokens(text)
        without = [token for token in found if token.kind is not Kind.EMOJI]
        for tokens in (found, without):
            name = tuple(same(token, words) for token in tokens if not _is_loose(token))
            if name:
                yield name
        pictures = tuple(token.norm for token in found if token.kind is Kind.EMOJI)
        if pictures:
            yield pictures
        bare = _without_brackets(text)
        if bare != text:
            yield from _spellings(Option(option.key, bare), words)
        if len(without) > 1 and all(token.is_word or _is_loose(token) for token in without):
            yield ("".join(same(token, words) for token in without if token.is_word),)


def _without_brackets(text: str) -> str:
    start, end = text.find("("), text.rfind(")")
    return (text[:start] + text[end + 1 :]).strip() if 0 < start < end else text


def _norms(text: str, words: Lexicon) -> Words:
    return tuple(token.norm for token in words.tokens(text) if not _is_loose(token))


def same(token: Token, words: Lexicon) -> str:
    """A token as names are compared: no accents, numbers in figures, one word for "and"."""
    if token.kind is Kind.NUMBER:
        return token.norm.lstrip("0") or "0"
    counted = words.maps.get("counts", {}).get((token.norm,))
    if counted is not None:
        return str(counted)
    return fold(token.norm)


def _is_loose(token: Token) -> bool:
    return token.norm in _LOOSE


class Finder:
    """Finds the mentions in one reply."""

    def __init__(self, found: Sequence[Token], menu: Menu) -> None:
        self._found = found
        self._menu = menu
        self._words = menu.words
        self._same = [same(token, menu.words) for token in found]

    def mentions(self) -> list[Mention]:
        """The mentions that are sure, in the order of the reply."""
        sure: list[Mention] = []
        at = 0
        while at < len(self._found):
            mention, frame = self._at(at), self._framed(at)
            # The "go" of "let's go with" names no option called "Go".
            if frame and (mention is None or mention.end < frame):
                at = frame
            elif mention is None:
                at += 1
            else:
                sure.append(mention)
                at = mention.end
        return sure

    def _framed(self, at: int) -> int:
        """Where a frame of several words that starts here ends, if something follows it."""
        match = self._words.match(self._found, at, ("frames", "picking"))
        framed = match is not None and match.length > 1 and at + match.length < len(self._found)
        return at + match.length if match and framed else 0

    def _at(self, at: int) -> Mention | None:
        for find in (self._name, self._group, self._place, self._count):
            mention = find(at)
            if mention is not None:
                return mention
        return None

    def _name(self, at: int) -> Mention | None:
        best: dict[int, int] = {}
        for option, name in self._menu.names:
            end = self._after(name, at)
            if end and end >= max(best.values(), default=0):
                best[option] = end
        if not best:
            return None
        end = max(best.values())
        options = frozenset(option for option, stop in best.items() if stop == end)
        return Mention(at, end, How.NAME, self._as_typed(options, at, end))

    def _as_typed(self, options: frozenset[int], at: int, end: int) -> frozenset[int]:
        """Of options whose names fold alike, the one that was typed with its own accents."""
        typed = tuple(token.norm for token in self._found[at:end] if not _is_loose(token))
        exact = frozenset(one for one in options if typed in self._menu.exact[one])
        return exact if len(exact) == 1 else options

    def _after(self, name: Words, at: int) -> int:
        """Where a name that starts at a token ends, 0 if it does not stand there."""
        for place, word in enumerate(name):
            while place and at < len(self._found) and self._is_inside(at):
                at += 1
            if at >= len(self._found) or not self._fits(word, at):
                return 0
            at += 1
        return at

    def _is_inside(self, at: int) -> bool:
        token = self._found[at]
        # "St. Anna", "C.E.O.": a point that closes a short word ends no sentence.
        abbreviates = token.norm == "." and at > 0 and len(self._found[at - 1].norm) <= _ABBREVIATED
        return token.norm in _INSIDE or abbreviates

    def _fits(self, word: str, at: int) -> bool:
        if self._same[at] == word:
            return True
        return word in ("and", "&") and self._listed(at, "and_words") == 1

    def _listed(self, at: int, name: str) -> int:
        """How many tokens a phrase of a class takes at a place."""
        if at >= len(self._found):
            return 0
        match = self._words.match(self._found, at, (name,))
        return match.length if match else 0

    def _group(self, at: int) -> Mention | None:
        for name, how in (
            ("all_words", How.ALL),
            ("both_words", How.BOTH),
            ("none_words", How.NONE),
        ):
            length = self._alone(at, name)
            if length:
                end = at + length
                many, after = self._number(end)
                # "All three" of three options are all of them.
                end = after if how is How.ALL and after and many == self._menu.count else end
                return Mention(at, end, how, self._begun(at, end))
        length = self._alone(at, "except_words")
        return Mention(at, at + length, How.EXCEPT) if length else None

    def _alone(self, at: int, name: str) -> int:
        """The length of a class's phrase, unless it begins a longer phrase of another class."""
        length = self._listed(at, name)
        longest = self._words.match(self._found, at, _TALK)
        return length if longest is None or longest.length <= length else 0

    def _begun(self, at: int, end: int) -> frozenset[int]:
        """The options whose names begin with these words: "none" where one is "None of these"."""
        typed = tuple(self._same[at:end])
        return frozenset(one for one, name in self._menu.names if name[: len(typed)] == typed)

    def _place(self, at: int) -> Mention | None:
        """ "The second one", "2nd", "option 2", "the first two"."""
        lead = self._listed(at, "option_words")
        if lead:
            number, end = self._number(at + lead)
            return self._placed(at, end, number, How.PLACE) if end else None
        number, end = self._position(at)
        if not end:
            return None
        many, after = self._number(end)
        if after and many > 1 and number in (1, -1):
            return self._several(at, after, number, many)
        while length := self._listed(end, "one_words"):
            end += length
        return self._placed(at, end, number, How.PLACE)

    def _position(self, at: int) -> tuple[int, int]:
        length = self._listed(at, "positions")
        if length:
            phrase = tuple(token.norm for token in self._found[at : at + length])
            return self._words.maps["positions"][phrase], at + length
        token = self._found[at]
        after = self._found[at + 1] if at + 1 < len(self._found) else None
        marked = after is not None and after.start == token.end
        if token.kind is Kind.NUMBER and marked and self._listed(at + 1, "position_marks"):
            return _int(token.norm), at + 2
        return 0, 0

    def _number(self, at: int) -> tuple[int, int]:
        if at >= len(self._found):
            return 0, 0
        token = self._found[at]
        if token.kind is Kind.NUMBER:
            return _int(token.norm), at + 1
        counted = self._words.maps.get("counts", {}).get((token.norm,))
        return (counted, at + 1) if counted is not None else (0, 0)

    def _several(self, at: int, end: int, number: int, many: int) -> Mention:
        places = range(self._menu.count)
        group = places[:many] if number == 1 else places[-many:]
        return Mention(at, end, How.PLACE, group=tuple(group) if many <= len(places) else ())

    def _count(self, at: int) -> Mention | None:
        number, end = self._number(at)
        return self._placed(at, end, number, How.COUNT) if end else None

    def _placed(self, at: int, end: int, number: int, how: How) -> Mention:
        count = self._menu.count
        options: set[int] = set()
        if number == 0 and count % 2 and how is How.PLACE:
            options.add(count // 2)
        elif 0 < number <= count:
            options.add(number - 1)
        elif -count <= number < 0:
            options.add(count + number)
        # A name may hold the same number or the same word: "2 hours", "Second floor".
        for place in range(at, end):
            if how is How.COUNT or self._listed(place, "positions"):
                options |= self._menu.holding(self._same[place])
        return Mention(at, end, how, frozenset(options))

    def harmless(self, at: int) -> int:
        """How many tokens of talk stand here. "Show" is talk, unless a name holds it."""
        match = self._words.match(self._found, at, _COURTESY | {"and_words"})
        if match is None and self._same[at] not in self._menu.vocabulary:
            match = self._words.match(self._found, at, CHOOSING)
        return match.length if match else 0

    def piece(self, start: int, end: int) -> Mention | None:
        """The option that a run of words gives a piece of: a beginning, a slip, a telling word."""
        run = [self._same[at] for at in range(start, end) if not _is_loose(self._found[at])]
        if not run or any(self._is_talk(at) for at in range(start, end)):
            return None
        for find in (_telling, _beginning, _slipped):
            options = find(run, self._menu)
            if options:
                return Mention(start, end, How.PIECE, options)
        return None

    def _is_talk(self, at: int) -> bool:
        return self._words.match(self._found, at, _TALK) is not None


def _int(digits: str) -> int:
    """A place in the list; what is none, a fraction or a number beyond any list, is far outside."""
    return int(digits) if digits.isdecimal() and len(digits) < 6 else 10**6


def _telling(run: Sequence[str], menu: Menu) -> frozenset[int]:
    """The options that have all of these words, where what their names add does not turn them."""
    options = frozenset(range(menu.count))
    for word in run:
        options &= menu.holding(word) | menu.holding(f"{word}s") | menu.holding(word.rstrip("s"))
    if any(len(word) < _SHORTEST_START for word in run):
        return frozenset()
    return frozenset(one for one in options if not _turned(menu.parts[one] - set(run), menu.words))


def _turned(rest: frozenset[str], words: Lexicon) -> bool:
    turning = ("negations", "except_words")
    return any(words.has(word, name) for word in rest for name in turning)


def _beginning(run: Sequence[str], menu: Menu) -> frozenset[int]:
    typed = " ".join(run)
    if len(typed) < _SHORTEST_START:
        return frozenset()
    begun = frozenset(at for at, name in menu.names if " ".join(name).startswith(typed))
    # "Standart" begins "Standarte", and is as well a slip of "Standard".
    return begun | _slipped(run, menu) if begun else begun


def _slipped(run: Sequence[str], menu: Menu) -> frozenset[int]:
    """The option whose name, or whose telling word, was mistyped; two that are near are both."""
    typed = " ".join(run)
    if len(typed) < _SHORTEST_SLIP or any(map(str.isdecimal, run)):
        return frozenset()
    allowed = 2 if len(typed) >= _TWO_SLIPS else 1
    near: dict[int, int] = {}
    for at, name in menu.names:
        words = () if _turned(frozenset(name), menu.words) else name
        for target in {" ".join(name), *(word for word in words if len(word) >= _SHORTEST_SLIP)}:
            distance = OSA.distance(typed, target, score_cutoff=allowed + 1)
            if len(target) >= _SHORTEST_SLIP and distance <= allowed + 1:
                near[at] = min(distance, near.get(at, distance))
    meant = frozenset(at for at, distance in near.items() if distance <= allowed)
    # A name that is nearly as near makes the slip ambiguous.
    return frozenset(near) if meant else frozenset()
