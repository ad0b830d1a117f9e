"""Cut a reply into tokens: words, numbers, punctuation, emoji and symbols, each with its place.

Nothing is thrown away but white space, so that whoever reads the tokens can account for every
character of a reply.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import regex


class Kind(StrEnum):
    """What a token is made of."""

    WORD = "word"
    NUMBER = "number"
    PUNCT = "punct"
    EMOJI = "emoji"
    SYMBOL = "symbol"


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a reply: `text` is `reply[start:end]`, `norm` is what rules compare.

    A contraction becomes several tokens with the same place ("don't" -> "do", "not").
    """

    text: str
    norm: str
    start: int
    end: int
    kind: Kind

    @property
    def fold(self) -> str:
        """The norm without its accents."""
        return fold(self.norm)

    @property
    def is_word(self) -> bool:
        """Whether it is a word, so that an unknown one is content."""
        return self.kind is Kind.WORD

    @property
    def ends_sentence(self) -> bool:
        """Whether a sentence stops at it."""
        return self.kind is Kind.PUNCT and self.norm in _SENTENCE_ENDS

    @property
    def is_question(self) -> bool:
        """Whether it is a question mark, in any script; Spanish has one at each end."""
        return self.kind is Kind.PUNCT and self.norm in ("?", "¿")


_SENTENCE_ENDS = frozenset({".", "!", "?", "…", "\n"})

# Typed faces become the emoji that they stand for.
_FACES = {
    ":)": "🙂", ":-)": "🙂", "=)": "🙂", ":d": "😀", ":-d": "😀", ";)": "😉", ";-)": "😉",
    ":p": "😛", ":-p": "😛", "xd": "😀", "<3": "❤", ":(": "🙁", ":-(": "🙁", ":/": "😕",
    ":-/": "😕", "^^": "🙂",
}  # fmt: skip

# Scripts and keyboards write the same mark in many ways.
_MARKS = {
    "。": ".", "｡": ".", "۔": ".", "।": ".", "、": ",", "،": ",", "؛": ";", "؟": "?", "⁇": "?",
    "‽": "?", "¿": "¿", "¡": "¡", "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-",
    "−": "-", "・": ",", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‟": '"', "「": '"',
    "」": '"', "’": "'", "‘": "'", "‚": "'", "`": "'", "´": "'",
}  # fmt: skip

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´＇", "'"))

_TOKEN = regex.compile(
    r"""
    (?P<face> (?<![\w:;=]) (?: [:;=]-?[)(dDpP/] | <3 | \^\^ | [xX]D ) (?![\w/]) )
  | (?P<emoji>
        \p{Regional_Indicator}{2}
      | (?![\d\#*]) \p{Extended_Pictographic} [\p{Emoji_Modifier}\uFE0E\uFE0F]*+
        (?: \u200D \p{Extended_Pictographic} [\p{Emoji_Modifier}\uFE0E\uFE0F]*+ )*+
    )
  | (?P<number> \d++ (?: \uFE0F?\u20E3 )? | \p{No} )
  | (?P<word> [\p{L}\p{M}\u200C\u200D]++ (?: ['’‘ʼ`´＇] \p{L}[\p{L}\p{M}]*+ )*+ )
  | (?P<line> [^\S\n]*+ \n \s*+ )
  | (?P<space> [\s\p{Cc}\p{Cf}\uFE0E\uFE0F\u20E3]++ )
  | (?P<punct> \.++ | !++ | [?？]++ | -++ | \p{P} )
  | (?P<symbol> . )
    """,
    regex.VERBOSE | regex.DOTALL,
)


def tokens(text: str, contractions: Mapping[str, tuple[str, ...]] | None = None) -> list[Token]:
    """The tokens of a reply, in order; `contractions` says which words are several words."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        group = match.lastgroup or "symbol"
        if group == "space":
            continue
        found.extend(_made(group, match[0], match.start(), contractions or {}))
    # A line break at an edge of the reply is only white space.
    while found and found[-1].norm == "\n":
        found.pop()
    while found and found[0].norm == "\n":
        found.pop(0)
    return found


def _made(
    group: str, text: str, start: int, contractions: Mapping[str, tuple[str, ...]]
) -> list[Token]:
    end = start + len(text)
    if group == "word":
        norm = normal(text)
        parts = contractions.get(norm, (norm,))
        return [Token(text, part, start, end, Kind.WORD) for part in parts]
    if group == "number":
        return [Token(text, _digits(text), start, end, Kind.NUMBER)]
    if group in ("emoji", "face"):
        norm = _FACES.get(text.casefold(), text) if group == "face" else _plain_emoji(text)
        return [Token(text, norm, start, end, Kind.EMOJI)]
    if group == "line":
        return [Token(text, "\n", start, end, Kind.PUNCT)]
    kind = Kind.PUNCT if group == "punct" else Kind.SYMBOL
    return [Token(text, _mark(text), start, end, kind)]


@lru_cache(maxsize=8192)
def normal(word: str) -> str:
    """A word as rules compare it: compatible forms and letter case folded, accents kept."""
    word = word.translate(_APOSTROPHES).replace("\u200c", "").replace("\u200d", "")
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", word).casefold())


@lru_cache(maxsize=8192)
def fold(word: str) -> str:
    """A word without its accents."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def _digits(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text.replace("\ufe0f", "").replace("\u20e3", ""))
    return "".join(str(unicodedata.digit(c, c)) for c in plain)


def _plain_emoji(text: str) -> str:
    # Skin tones, genders and presentation change no meaning: the first picture is what counts.
    if len(text) == 2 and regex.fullmatch(r"\p{Regional_Indicator}{2}", text):
        return text
    return text[0]


def _mark(text: str) -> str:
    first = _MARKS.get(text[0], unicodedata.normalize("NFKC", text[0])[:1])
    if text[0] == "…" or (first == "." and len(text) > 1):
        return "…"
    return _MARKS.get(first, first)
