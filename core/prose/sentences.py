"""Where sentences end within a block, in any script.

An end that is not certain is none: two sentences taken for one are kept or cut together, while
one taken for two could leave its first half standing. So before a dot or a line break ends a
sentence, the word before it is no abbreviation, no initial and no number, or the next word is one
that begins sentences.
"""

from __future__ import annotations

from dataclasses import dataclass

import regex

from core.prose.patterns import patterns
from core.prose.spans import Spans

MARKS = "?？؟\u037e‽⁇⁈⁉⸮፧꘏᥅꛷﹖︖"
"""The marks that make a sentence a question. Greek has another, see `greek_mark`."""

_WIDE = "。！？｡﹖︖"
_ENDS = rf"[.!…{_WIDE}।॥۔።፨։။៕។‼⸘{regex.escape(MARKS)};❓❔❗❕]"
_RUN = regex.compile(rf"{_ENDS}+(?:\ufe0f)?")
_EMOJI = r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\ufe0f\u200d]"
_FACE = r"[:;=]['-]?[()DPpO3/](?!\w)"
# How Slack writes an emoji.
_SHORTCODE = regex.compile(r":[a-z][a-z0-9_+-]*:(?!\w)")
_DECORATION = regex.compile(rf"[^\S\r\n]*(?:{_EMOJI}+|{_SHORTCODE.pattern}|{_FACE}|<3)")
# Where a sentence may end without a mark; the gap that follows begins there.
_BREAK = regex.compile(r"(?P<gap>[^\S\r\n]*(?:\r?\n|\r)\s*)")
_THAI_END = regex.compile(r"(?<=ครับ|ค่ะ|คะ)(?P<gap> +)")
_ARMENIAN_END = regex.compile(r"(?<=\p{Armenian}:)(?P<gap>(?=\s|$))")
_EMOJI_GAP = regex.compile(rf"(?<={_EMOJI})(?P<gap>[^\S\r\n]+)")
_UNMARKED_END = regex.compile(r"(?:\p{Thai}|\p{Armenian}:)$")
_LAST_EMOJI = regex.compile(rf"{_EMOJI}$")
MAY_END = rf"{_ENDS}|\r|\n|{_EMOJI}|:|(?<=\p{{Thai}}) "
"""A pattern: after what a sentence, or what leads to the next, may end."""

_WORD = regex.compile(r"[\p{L}\p{M}][\p{L}\p{M}'’-]*+")
_UNSPACED = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\u3000-\u303f]"
)
_CASELESS = regex.compile(r"\p{Lo}")
_LETTER = regex.compile(r"\p{L}")
_LETTER_FIRST = regex.compile(r"[^\p{L}\p{N}\s]*(\p{L})")
_NUMBER = regex.compile(r"\p{N}")
_SPOKEN = regex.compile(r"[\p{L}\p{N}]")
_GREEK = regex.compile(r"\p{Greek}")
_LATIN = regex.compile(r"\p{Latin}")
_MAY = regex.compile(r"\W*May[\s,]+\p{N}")
_QUOTED = tuple("\"'”’“‘»«›」』＂")
# "12." may be an ordinal; an hour, a price and a year are not.
_NUMBER_END = regex.compile(r"(?<![\p{L}\p{N}:€$£])\p{N}{1,3}$")
_INITIAL_END = regex.compile(r"(?<![\p{L}\p{N}'’])\p{L}\p{M}*$")
_DOTTED_END = regex.compile(r"(?<!\p{L})\p{L}+\.\s?(?:\p{L}+\.\s?)*\p{L}$")
# More than the longest abbreviation, and as much as is looked at of what is near.
_ABBREVIATED = 40
_NEAR = 160
# A line this long may go on in the next one although that begins with a capital.
_WRAPPED = 50


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a block, without the white space after it. `first`: none is before it."""

    start: int
    end: int
    first: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """A place where a sentence may end, and what is around it, as far as that is looked at.

    `head` is how the sentence begins, `tail` how it ends before its mark, `closed` what stands
    between its mark and the place. `gap` is the white space after the place, `after` what follows.
    """

    head: str
    tail: str
    mark: str
    closed: str
    gap: str
    after: str
    line: int


def sentences(found: Spans) -> list[Sentence]:
    """The sentences of a block, in order. Between them is nothing but white space."""
    text = found.text
    result: list[Sentence] = []
    start, last = _skip(text, 0), len(text.rstrip())
    for end, run in _candidates(found):
        spoken = _SPOKEN.search(text, start, end) if start < end < last else None
        if spoken and _ends(_place(text, start, end, run)):
            result.append(Sentence(start, end, first=not result))
            start = _skip(text, end)
    if last > start:
        result.append(Sentence(start, last, first=not result))
    return result


def greek_mark(text: str, at: int) -> bool:
    """Whether the ';' at a place is a question mark: it is where the text before it is Greek."""
    near = max(0, at - _NEAR)
    last = next(filter(str.isalpha, reversed(text[near:at])), "")
    if _GREEK.match(last):
        return True
    return len(_GREEK.findall(text, near, at)) > len(_LATIN.findall(text, near, at))


def first_word(text: str) -> str:
    """The first word of a text, past the signs that may stand before it."""
    match = _WORD.search(text, 0, _NEAR)
    return match.group() if match and not _NUMBER.search(text, 0, match.start()) else ""


def begins_question(word: str) -> bool:
    """Whether a word often begins a question."""
    return _listed(word, patterns().opens)


def _begins_sentence(word: str) -> bool:
    """Whether a word often begins a sentence, and is written as such."""
    return _listed(word, patterns().starts) and not word[:1].islower()


def _listed(word: str, words: frozenset[str]) -> bool:
    plain = word.lower().replace("’", "'")
    return plain in words or plain.partition("-")[0] in words


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _candidates(found: Spans) -> list[tuple[int, tuple[int, int] | None]]:
    """Where sentences may end, the closing signs and the emoji after the mark counted in."""
    text = found.text
    ends: dict[int, tuple[int, int] | None] = {}
    for pattern in (_BREAK, _THAI_END, _ARMENIAN_END, _EMOJI_GAP):
        ends.update((match.start("gap"), None) for match in pattern.finditer(text))
    ends.update((_past_closing(found, m.end()), m.span()) for m in _RUN.finditer(text))
    return sorted((end, run) for end, run in ends.items() if not found.inside(end))


def _past_closing(found: Spans, at: int) -> int:
    while True:
        if past := found.closing.get(at):
            at = past
        elif match := _DECORATION.match(found.text, at):
            at = match.end()
        else:
            return at


def _place(text: str, start: int, end: int, run: tuple[int, int] | None) -> _Place:
    mark_at, mark_end = run or (end, end)
    after = _skip(text, end)
    return _Place(
        head=text[start : min(end, start + _NEAR)],
        tail=text[max(start, mark_at - _ABBREVIATED) : mark_at],
        mark=text[mark_at:mark_end].rstrip("\ufe0f"),
        closed=text[mark_end:end],
        gap=text[end:after],
        after=text[after : after + _NEAR],
        line=end - max(text.rfind("\n", start, end) + 1, start),
    )


def _ends(place: _Place) -> bool:
    """Whether a sentence ends at a place."""
    mark, after = place.mark, place.after
    if not mark:
        return _line_ends(place)
    if mark.strip(";") == "":
        return bool(place.gap) and greek_mark(place.head + place.tail, len(place.head + place.tail))
    if not place.gap and not _unspaced(place):
        return False
    if _stays_open(place):
        return False
    if mark == ".":
        return _dot_ends(place)
    if set(mark) <= set(".…"):
        return _upper(after) and not begins_question(first_word(place.head))
    if set(mark) & set(MARKS):
        return after[0] not in ",;:–—-…" and (not _word_lower(after) or _lower(place.head))
    return not (_word_lower(after) and begins_question(first_word(place.head)))


def _unspaced(place: _Place) -> bool:
    """Whether a mark ends a sentence although no space follows it."""
    last = place.mark[-1]
    wide = last in _WIDE or (last in "!?…" and _UNSPACED.match(place.after) is not None)
    return wide and not place.closed


def _stays_open(place: _Place) -> bool:
    """Whether the sentence visibly goes on: a comma, a closing sign, a quotation taken up."""
    after = place.after
    if after[0] in ",，、;:)）]】»”’」』%&=" and not _SHORTCODE.match(after):
        return True
    taken_up = _word_lower(after) or (not place.gap and _UNSPACED.match(after) is not None)
    return place.closed[:1] in _QUOTED and taken_up


def _dot_ends(place: _Place) -> bool:
    words, tail, after = patterns(), place.tail, place.after
    lower = tail.lower()
    if words.never.search(lower) or after[0] in "-–—/":
        return False
    if words.number.search(lower):
        return not _NUMBER.match(after)
    soft = any(p.search(tail) for p in (_NUMBER_END, _INITIAL_END, _DOTTED_END))
    if soft or words.maybe.search(lower):
        # "On the 12. May 2027": a month that may begin a question, too.
        return _begins_sentence(first_word(after)) and not _MAY.match(after)
    return _lower(place.head) or not _word_lower(after)


def _line_ends(place: _Place) -> bool:
    """Whether a line break, or an emoji, ends a sentence that has no mark."""
    head, tail, after, gap = place.head, place.tail, place.after, place.gap
    starts = _begins_sentence(first_word(after))
    if "\n" not in gap and "\r" not in gap:
        marked = _LAST_EMOJI.search(tail) is not None and starts
        return marked or _UNMARKED_END.search(tail) is not None
    if tail[-1] in ".!?…;" or after[0] in ",，、;)）]】":
        return False
    if gap.startswith("  ") or tail[-1] == "\\" or tail.rstrip("*_~ ")[-1:] in (":", "："):
        return True
    short = place.line < _WRAPPED
    if _word_lower(after):
        return _lower(head) and short and _listed(first_word(after), patterns().starts)
    return short or starts or _CASELESS.match(after) is not None or not after[0].isalpha()


def _lower(text: str) -> bool:
    match = _LETTER.search(text)
    return match is not None and match.group().islower()


def _word_lower(after: str) -> bool:
    match = _LETTER_FIRST.match(after)
    return match is not None and match.group(1).islower()


def _upper(after: str) -> bool:
    match = _LETTER_FIRST.match(after)
    return match is not None and match.group(1).isupper()
