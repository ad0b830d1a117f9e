"""Numbers as people write them: digits with the separators of their country, and number words.

This is about one number. Which numbers a reply holds, and whether one of them is its whole answer,
is for `core.reading.numbers`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.numbers import get_decimal_symbol

from core.reading.lexicon import lexicon
from core.reading.patterns import either, listed, spellings, table

# Digits in groups of three, digits in the Indian grouping, or digits with one mark after another.
LITERAL = (
    r"(?:\d{1,3}(?:[ ']\d{3}){1,5}(?:[.,]\d{1,12})?"
    r"|\d{1,2}(?:,\d{2}){1,4},\d{3}(?:\.\d{1,12})?"
    r"|\d{1,30}(?:[.,]\d{1,12}){0,6}"
    r"|(?<![\w.,])[.,]\d{1,12})"
    r"(?:e[+-]?\d{1,2})?"
)
_MOST_WORDS = 14
_MOST_DIGITS = 18
_HALF = Decimal("0.5")


@cache
def decimal_mark(locale: str) -> str:
    """The decimal mark of a locale; where the locale is unknown, a point."""
    try:
        mark = get_decimal_symbol(Locale.parse(locale.replace("-", "_"), sep="_"))
    except (UnknownLocaleError, ValueError):
        return "."
    return mark if mark in ".," else "."


def literal(text: str, locale: str) -> tuple[Decimal, ...]:
    """What digits can mean: one number, two where a mark may group or divide, or none."""
    digits, _, power = text.partition("e")
    plain = digits.replace(" ", "").replace("'", "")
    if max(len(plain), abs(int(power or 0))) > _MOST_DIGITS:
        return ()
    values = _divided(plain, decimal_mark(locale))
    return tuple(value.scaleb(int(power)) if power else value for value in values)


def _divided(text: str, mark: str) -> tuple[Decimal, ...]:
    marks = re.findall(r"[.,]", text)
    if not marks:
        return (Decimal(text),)
    head, last, tail = text.rpartition(marks[-1])
    if len(set(marks)) == 2:
        # The last mark divides, and all before it group: "1.200,50".
        if marks.count(last) > 1 or not _grouped(head):
            return ()
        return (Decimal(f"{_ungrouped(head)}.{tail}"),)
    if len(marks) > 1:
        return (Decimal(_ungrouped(text)),) if _grouped(text) else ()
    divided, grouped = Decimal(f"{head}.{tail}"), Decimal(head + tail)
    if not _grouped(text):
        # Another country's decimal mark is believed for a coin or two: "1,0000" is a slip.
        return (divided,) if last == mark or len(tail) <= 2 else ()
    # "1,200" groups where the comma is no decimal mark; where it is one, it may be either.
    return (divided, grouped) if last == mark else (grouped,)


def _grouped(text: str) -> bool:
    return bool(
        re.fullmatch(r"[1-9]\d{0,2}(?:[.,]\d{3})*|[1-9]\d?(?:,\d{2})+,\d{3}|\d+", text)
        and (text.isdigit() or not text.startswith("0"))
    )


def _ungrouped(text: str) -> str:
    return text.replace(".", "").replace(",", "")


@dataclass(frozen=True)
class Numerals:
    """The number words of one language.

    `words` is the expression for a number in words, `scaled` for digits with a word or letter that
    multiplies them ("2 million", "40k"). `joins` may stand inside a number, after what `after`
    names: "twenty-five", "treinta y cinco", "fünfundzwanzig", "a hundred and five". What is
    `counted` is no number without a count before it: "dozens", "millones".
    """

    cardinals: Mapping[str, int]
    multipliers: Mapping[str, int]
    letters: Mapping[str, int]
    joins: frozenset[str]
    after: frozenset[str]
    counted: frozenset[str]
    phrases: Mapping[str, Decimal]
    half: tuple[str, ...]
    words: str
    scaled: str
    piece: re.Pattern[str]

    def value(self, text: str) -> Decimal | None:
        """The number that words mean; None if they are no one number.

        "twenty-five" is 25; "two twenty" and "two and three" are no number.
        """
        if text in self.phrases:
            return self.phrases[text]
        for ending in self.half:
            if text.endswith(" " + ending):
                whole = self.value(text.removesuffix(ending).rstrip(" -"))
                return None if whole is None else whole + _HALF
        pieces = self.piece.findall(text)
        if pieces and pieces[0] in self.counted:
            return None
        if "".join(pieces) != re.sub(r"[ -]", "", text):
            return None
        return _Sum(self.after).of([self._meaning(piece) for piece in pieces])

    def times(self, text: str) -> Decimal:
        """What a word or letter behind digits multiplies them by."""
        return Decimal(self.letters.get(text) or self.multipliers[text])

    def _meaning(self, piece: str) -> Piece:
        for kind, found in (("x", self.multipliers), ("", self.cardinals)):
            if piece in found:
                return kind, found[piece]
        return ("and" if piece in self.joins else "a"), 0


Piece = tuple[str, int]
"""A cardinal ("", 5), a multiplier ("x", 100), a join ("and", 0) or an article ("a", 0)."""


class _Sum:
    """Adds up a row of pieces as speakers do, and refuses a row that is no number."""

    def __init__(self, after: frozenset[str]) -> None:
        self._after = after
        self._total = 0
        self._group: int | None = None
        self._scale = 10**30

    def of(self, pieces: Sequence[Piece]) -> Decimal | None:
        """The number, or None."""
        before: Piece | None = None
        joined = False
        for at, (kind, value) in enumerate(pieces):
            follower = pieces[at + 1][0] if at + 1 < len(pieces) else "end"
            if kind == "and":
                fits = not joined and follower == "" and _place(before) in self._after
                joined = True
            elif kind == "a":
                fits = follower == "x"
            elif kind == "x":
                fits, joined = not joined and self._multiply(value), False
            else:
                fits, joined = self._add(value, joined), False
            if not fits:
                return None
            if kind != "and":
                before = (kind, value)
        return Decimal(self._total + (self._group or 0)) if pieces else None

    def _add(self, value: int, joined: bool) -> bool:
        group = self._group
        rest = 0 if group is None else group % 100
        if group is None:
            self._group = value
        elif (
            (rest == 0 and group >= 100 and value < 100)
            or (
                20 <= rest <= 90
                and rest % 10 == 0
                and 1 <= value <= 9
                and "unit" not in self._after
            )
            or (1 <= rest <= 9 and joined and 20 <= value <= 90 and value % 10 == 0)
        ):
            self._group = group + value
        else:
            return False
        return True

    def _multiply(self, factor: int) -> bool:
        group = 1 if self._group is None else self._group
        if factor < 1000:
            self._group = group * factor
            return group < 100
        self._total += group * factor
        self._group = None
        fits, self._scale = factor < self._scale, factor
        return fits


def _place(piece: Piece | None) -> str:
    if piece is None:
        return ""
    if piece[0] == "x" or piece[1] >= 100:
        return "hundred"
    return "unit" if piece[1] < 10 else "ten"


@cache
def numerals(language: str) -> Numerals:
    """The number words of a language."""
    return _compiled(lexicon(language).sections.get("numbers") or {})


def _compiled(section: Mapping[str, Any]) -> Numerals:
    cardinals, multipliers = table(section.get("cardinals")), table(section.get("multipliers"))
    join = section.get("join") or {}
    joins = {s for word in listed(join.get("words")) for s in spellings(word)}
    articles = {s for word in listed(section.get("articles")) for s in spellings(word)}
    phrases = {text: Decimal(str(value)) for text, value in table(section.get("phrases")).items()}
    half = tuple(dict.fromkeys(s for one in listed(section.get("half")) for s in spellings(one)))
    letters = table(section.get("letters"))
    basic = either([*cardinals, *multipliers])
    # In some languages a number is one long word: "zweihundertfünfzig".
    if section.get("glued"):
        whole = either([*cardinals, *multipliers, *joins])
        basic = f"(?:{basic}(?:{whole}){{0,{_MOST_WORDS}}})"
    between = rf"(?:[ -]|[ -]{either(joins)}[ -])" if joins else "[ -]"
    article = f"(?:{either(articles)} (?={either(multipliers)}))?"
    row = rf"{article}{basic}(?:{between}{basic}){{0,{_MOST_WORDS}}}(?: {either(half)})?"
    return Numerals(
        cardinals=cardinals,
        multipliers=multipliers,
        letters=letters,
        joins=frozenset(joins),
        after=frozenset(listed(join.get("after"))),
        counted=frozenset(s for one in listed(section.get("counted")) for s in spellings(one)),
        phrases=phrases,
        half=half,
        words=f"(?:{either(phrases)}|{row})",
        scaled=rf"(?: ?{either(letters)}| {either(multipliers)})",
        piece=re.compile(either([*cardinals, *multipliers, *joins, *articles])),
    )
