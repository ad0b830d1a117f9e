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
_EMOJI_GAP = regex.compile(rf"{_EMOJI}+[^\S\r\n]+")
_EMOJI_END = regex.compile(_EMOJI)
_FACES = regex.compile(rf"{_FACE}|{_SHORTCODE.pattern}")
_BREAK = regex.compile(r"[^\S\r\n]*\r?\n\s*|\r(?!\n)\s*")
_THAI_END = regex.compile(r"(?<=ครับ|ค่ะ|คะ) +")
_ARMENIAN_END = regex.compile(r"(?<=\p{Armenian}):(?=\s|$)")
_WORD = regex.compile(r"[\p{L}\p{M}][\p{L}\p{M}'’-]*+")
_UNSPACED = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\u3000-\u303f]"
)
_CASELESS = regex.compile(r"[\p{Lo}]")
# "12." may be an ordinal; an hour, a price and a year are not.
_LETTER = regex.compile(r"\p{L}")
_LETTER_FIRST = regex.compile(r"[^\p{L}\p{N}\s]*(\p{L})")
_NUMBER = regex.compile(r"\p{N}")
_SPOKEN = regex.compile(r"[\p{L}\p{N}]")
_GREEK = regex.compile(r"\p{Greek}")
_LATIN = regex.compile(r"\p{Latin}")
_THAI = regex.compile(r"\p{Thai}")
_NUMBER_END = regex.compile(r"(?<![\p{L}\p{N}:€$£])\p{N}{1,3}$")
_INITIAL_END = regex.compile(r"(?<![\p{L}\p{N}'’])\p{L}\p{M}*$")
_DOTTED_END = regex.compile(r"(?<![\p{L}])\p{L}+\.\s?(?:\p{L}+\.\s?)*\p{L}$")
MAY_END = rf"{_ENDS}|\r|\n|{_EMOJI}|:|(?<=\p{{Thai}}) "
"""A pattern: after what a sentence, or what leads to the next, may end."""

# More than the longest abbreviation.
_ABBREVIATED = 40
# A line this long may go on in the next one although that begins with a capital.
_WRAPPED = 50


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a block, without the white space after it. `first`: none is before it."""

    start: int
    end: int
    first: bool = False


def sentences(found: Spans) -> list[Sentence]:
    """The sentences of a block, in order. Between them is nothing but white space."""
    text = found.text
    result: list[Sentence] = []
    start = _skip(text, 0)
    for end in _candidates(found):
        if end <= start:
            continue
        if _ends(found, start, end):
            result.append(Sentence(start, end, first=not result))
            start = _skip(text, end)
    last = len(text.rstrip())
    if last > start:
        result.append(Sentence(start, last, first=not result))
    return result


def greek_mark(text: str, at: int) -> bool:
    """Whether the ';' at a place is a question mark: it is where the text before it is Greek."""
    return len(_GREEK.findall(text, 0, at)) > len(_LATIN.findall(text, 0, at))


def first_word(text: str, at: int = 0) -> str:
    """The first word from a place on, past the signs that may stand before it."""
    match = _WORD.search(text, at)
    gap = text[at : match.start()] if match else ""
    return match.group() if match and not _NUMBER.search(gap) else ""


def begins_sentence(word: str) -> bool:
    """Whether a word often begins a sentence, and is written as such."""
    return _listed(word) and not word[:1].islower()


def begins_question(word: str) -> bool:
    """Whether a word often begins a question."""
    opens = patterns().opens
    plain = word.lower().replace("’", "'")
    return plain in opens or plain.partition("-")[0] in opens


def _listed(word: str) -> bool:
    starts = patterns().starts
    plain = word.lower().replace("’", "'")
    return plain in starts or plain.partition("-")[0] in starts


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _candidates(found: Spans) -> list[int]:
    """Where sentences may end, the closing signs and the emoji after the mark counted in."""
    text = found.text
    ends: set[int] = set()
    for match in _RUN.finditer(text):
        ends.add(_past_closing(found, match.end()))
    for pattern in (_BREAK, _THAI_END):
        ends.update(match.start() for match in pattern.finditer(text))
    for pattern in (_ARMENIAN_END, _EMOJI_GAP):
        ends.update(len(text[: m.end()].rstrip()) for m in pattern.finditer(text))
    return sorted(end for end in ends if not found.inside(end))


def _past_closing(found: Spans, at: int) -> int:
    while True:
        if span := found.closing(at):
            at = span.end
        elif match := _DECORATION.match(found.text, at):
            at = match.end()
        else:
            return at


def _ends(found: Spans, start: int, end: int) -> bool:
    """Whether a sentence that starts at a place ends at another."""
    text = found.text
    body = text[start:end]
    if not _SPOKEN.search(body):
        return False
    rest = text[end:]
    if not rest.strip():
        return True
    run = _last_run(body)
    if run is None:
        return _line_ends(body, rest)
    ends = body[: run.start()]
    mark, after = run.group().rstrip("\ufe0f"), rest.lstrip()
    if mark.strip(";") == "":
        return greek_mark(text, start + run.start()) and rest[0].isspace()
    if not rest[0].isspace() and not _unspaced(mark, rest, run.end() < len(body)):
        return False
    if _stays_open(rest, after, quoted=_quoted(body, run)):
        return False
    if mark == ".":
        return _dot_ends(body, ends, after)
    if set(mark) <= set(".…"):
        return _upper(after) and not begins_question(first_word(body))
    if set(mark) & set(MARKS):
        return after[0] not in ",;:–—-…" and (not _word_lower(after) or _lower(body))
    return not (_word_lower(after) and begins_question(first_word(body)))


def _last_run(body: str) -> regex.Match[str] | None:
    """The mark that ends a sentence, if what follows it is nothing but closing signs and emoji."""
    match = next(reversed(list(_RUN.finditer(body))), None)
    if match is None or _SPOKEN.search(_FACES.sub("", body[match.end() :])):
        return None
    return match


def _quoted(body: str, run: regex.Match[str]) -> bool:
    return body[run.end() : run.end() + 1] in tuple("\"'”’“‘»«›」』＂")


def _unspaced(mark: str, rest: str, closed: bool) -> bool:
    """Whether a mark ends a sentence although no space follows it."""
    wide = mark[-1] in _WIDE or (mark[-1] in "!?…" and _UNSPACED.match(rest) is not None)
    return wide and not closed


def _stays_open(rest: str, after: str, *, quoted: bool) -> bool:
    """Whether the sentence visibly goes on: a comma, a closing sign, a quotation taken up."""
    if after[0] in ",，、;:)）]】»”’」』%&=" and not _SHORTCODE.match(after):
        return True
    taken_up = _word_lower(after) or (_UNSPACED.match(after) and not rest[0].isspace())
    return quoted and bool(taken_up)


def _dot_ends(body: str, ends: str, after: str) -> bool:
    words = patterns()
    word = first_word(after)
    ends = ends[-_ABBREVIATED:]
    if words.never.search(ends) or after[0] in "-–—/":
        return False
    if words.number.search(ends):
        return not _NUMBER.match(after)
    soft = any(p.search(ends) for p in (words.maybe, _NUMBER_END, _INITIAL_END, _DOTTED_END))
    if soft:
        return begins_sentence(word) and not _dated(word, after)
    if _word_lower(after):
        return _lower(body)
    return True


def _dated(word: str, after: str) -> bool:
    """Whether a word that may begin a question is a month: "on the 12. May 2027"."""
    return word == "May" and regex.match(r"\W*May[\s,]+\p{N}", after) is not None


def _line_ends(body: str, rest: str) -> bool:
    """Whether a line break, or an emoji, ends a sentence that has no mark."""
    after = rest.lstrip()
    gap = rest[: len(rest) - len(after)]
    word = first_word(after)
    if "\n" not in gap and "\r" not in gap:
        return _thai(body) or _armenian(body) or (_emoji(body) and begins_sentence(word))
    if body[-1] in ".!?…;" or after[0] in ",，、;)）]】":
        return False
    if gap.startswith("  ") or body.endswith("\\") or body.rstrip("*_~ ")[-1:] in (":", "："):
        return True
    if _word_lower(after):
        return _lower(body) and len(_last_line(body)) < _WRAPPED and _listed(word)
    if _CASELESS.match(after) or not after[0].isalpha():
        return True
    return len(_last_line(body)) < _WRAPPED or begins_sentence(word)


def _last_line(body: str) -> str:
    return body.rpartition("\n")[2]


def _thai(body: str) -> bool:
    return _THAI.search(body[-1:]) is not None


def _armenian(body: str) -> bool:
    return _ARMENIAN_END.search(body[-2:]) is not None


def _emoji(body: str) -> bool:
    return _EMOJI_END.search(body[-1:]) is not None


def _first_letter(text: str) -> str:
    match = _LETTER.search(text)
    return match.group() if match else ""


def _lower(text: str) -> bool:
    return _first_letter(text).islower()


def _word_lower(after: str) -> bool:
    match = _LETTER_FIRST.match(after)
    return bool(match and match.group(1).islower())


def _upper(after: str) -> bool:
    match = _LETTER_FIRST.match(after)
    return bool(match and match.group(1).isupper())
