"""The words of all languages as patterns: what is said around a question, and abbreviations.

A language is one file, `words/<language>.yaml`. The language of an answer is never known here, and
one answer may mix two, so all of them are compiled together, and a list holds only what is safe
beside the others: a word that ends sentences in one language and is an abbreviation in another
stays out of `never`. Words are parted by spaces; the lists below them are regular expressions that
begin where a word begins, in which a space is any white space. All is in lower case, and so is what
it is compared with.

- `never`: abbreviations that never end a sentence ("Dr", "e.g"), without their last dot.
- `maybe`: those that may ("etc", "p.m"): the next word decides.
- `number`: those that end none when a number follows ("No").
- `opens`: first words of a question ("which", "would").
- `begins`: other words that often begin a sentence.
- `fillers`: what may stand before a request or an announcement ("just", "and").
- `asks`: how a question ends in a language that needs no mark.
- `which`: words that ask to pick one of several.
- `choice`: other words that name choices ("options", "prefer").
- `tells`: the start of a clause that tells the person to tell the bot something.
- `requests`: the start of one that may do so ("please choose").
- `leads`: the start of a sentence that only announces a question.
- `claims`: the start of a sentence that says that all is done: confirmed, sent, published.
- `undone`: words with which such a sentence says no such thing ("not", "once").
- `serves`: a whole sentence that is only courtesy.
- `tails`: the start of a sentence that only serves the question before it.
- `spaced`: false where words are not parted by spaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import regex
from ruamel.yaml import YAML

Pattern = regex.Pattern[str]
Language = Mapping[str, Any]

WORDS = frozenset({"never", "maybe", "number", "opens", "begins"})
PATTERNS = frozenset(
    {
        "serves",
        "tails",
        "fillers",
        "asks",
        "which",
        "choice",
        "tells",
        "requests",
        "leads",
        "claims",
        "undone",
    }
)

# Where a clause may begin within a sentence.
_CLAUSE = r"(?:^\W*|[,;:–—،、，]\s*|…\s*)"


@dataclass(frozen=True, slots=True)
class Patterns:
    """The words of all languages, compiled. `starts` has what opens or begins a sentence."""

    never: Pattern
    maybe: Pattern
    number: Pattern
    opens: frozenset[str]
    starts: frozenset[str]
    asks: Pattern
    which: Pattern
    choice: Pattern
    tells: Pattern
    requests: Pattern
    leads: Pattern
    claims: Pattern
    undone: Pattern
    serves: Pattern
    tails: Pattern


def languages() -> dict[str, Language]:
    """The words of each language, as its file has them."""
    folder = resources.files("core.prose") / "words"
    files = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".yaml")),
        key=lambda entry: entry.name,
    )
    yaml = YAML(typ="safe")
    return {f.name.removesuffix(".yaml"): yaml.load(f.read_text(encoding="utf-8")) for f in files}


@cache
def patterns() -> Patterns:
    """The compiled words."""
    every = list(languages().values())
    opens = _listed(every, "opens")
    word = {name: _alternatives(every, name) for name in PATTERNS - {"fillers"}}
    fillers = _alternatives(every, "fillers", after=r"(?!\w)")
    fillers = rf"(?:(?:{fillers})[,،]?\s*){{0,4}}"
    return Patterns(
        never=_abbreviations(every, "never"),
        maybe=_abbreviations(every, "maybe"),
        number=_abbreviations(every, "number"),
        opens=opens,
        starts=opens | _listed(every, "begins"),
        asks=_compiled(f"(?:{word['asks']})$"),
        which=_compiled(word["which"]),
        choice=_compiled(word["choice"]),
        tells=_compiled(rf"^\W*{fillers}(?:{word['tells']})"),
        requests=_compiled(f"{_CLAUSE}{fillers}(?:{word['tells']}|{word['requests']})"),
        leads=_compiled(rf"^\W*{fillers}(?:{word['leads']})"),
        claims=_compiled(rf"^\W*{fillers}(?:{word['claims']})"),
        undone=_compiled(word["undone"]),
        serves=_compiled(rf"^\W*(?:{word['serves']})\W*$"),
        tails=_compiled(rf"^\W*(?:{word['tails']})"),
    )


def _compiled(pattern: str) -> Pattern:
    return regex.compile(pattern)


def _words(every: Sequence[Language], name: str) -> Iterator[str]:
    for language in every:
        yield from language.get(name, "").lower().split()


def _listed(every: Sequence[Language], name: str) -> frozenset[str]:
    return frozenset(_words(every, name))


def _alternatives(every: Sequence[Language], name: str, after: str = "") -> str:
    made = []
    for language in every:
        found = "|".join(regex.sub(r" +", r"\\s+", text) for text in language.get(name, ()))
        if found:
            made.append(rf"(?<!\w)(?:{found}){after}" if language.get("spaced", True) else found)
    return "|".join(made)


def _abbreviations(every: Sequence[Language], name: str) -> Pattern:
    """Text that ends in one of the abbreviations, its last dot not included.

    Within an abbreviation people write a space after a dot, or none: "z. B.", "z.B.".
    """
    found = sorted(set(_words(every, name)), key=lambda word: (-len(word), word))
    escaped = (regex.escape(word).replace(r"\.", r"\.\s?") for word in found)
    return _compiled(rf"(?<![\w.])(?:{'|'.join(escaped)})$")
