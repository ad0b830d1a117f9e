"""Read a reply as a time zone: by its whole content, as every other answer.

It settles on a city, an IANA name, a country with one time, or a distance from UTC. A clock time
names no zone but those whose clocks show it: they are suggestions. What is talk goes to the model;
a short reply that names no place anybody knows is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from itertools import chain

import regex

from core import values
from core.reading import read
from core.reading.leftover import leftover
from core.reading.lexicon import Lexicon, talk
from core.reading.result import Context, Outcome, Reading, beside, invalid, settled, suggested
from core.reading.tokens import Token, fold
from core.state import Person
from core.texts import language_of
from core.turn import zones

LONGEST = 80
"""Characters of a reply that names a place; a longer one is talk."""

SHORT = 2
"""As many words may be an attempt to name a place; more are talk."""

_OFFSET = regex.compile(
    r"(?:utc|gmt)?\s*(?P<sign>[+\-−–])\s*(?P<hours>\d{1,2})(?::?(?P<minutes>[0-5]\d))?",
    regex.IGNORECASE,
)
_UTC = frozenset({"utc", "gmt", "z", "etc/utc"})
_EAST, _WEST = 14, 12
_LETTERS = regex.compile(r"[a-z]{3,5}")

Name = tuple[str, ...]


def read_zone(text: str, person: Person, sent: datetime, around: str = "") -> Reading:
    """The reading of a reply as an IANA name; proposals are IANA names, too.

    `sent` is when the reply was sent (aware); `around` are words that may stand beside the answer,
    parted by commas ("in, time zone, I live").
    """
    whole = text.strip().strip(".!").strip()
    if not whole or len(whole) > LONGEST:
        return beside()
    spelled = _spelled(whole, person, sent)
    if spelled is not None:
        return spelled
    words = talk(person.locale)
    nouns = frozenset(token.norm for token in words.tokens(around) if token.is_word)
    place = _place(whole, person, sent, words, nouns)
    if place is not None:
        return place
    at = _clock(whole, person, sent, nouns)
    return at or _short_name(whole, person, sent) or _unread(whole, words)


def _spelled(whole: str, person: Person, sent: datetime) -> Reading | None:
    """A zone by its technical name: "Europe/Berlin", "UTC+2"."""
    if whole.casefold() in _UTC:
        return settled("Etc/UTC")
    given = regex.sub(r"\s*/\s*", "/", whole).replace(" ", "_").casefold()
    if "/" in given and given in zones.named():
        return settled(zones.named()[given])
    offset = _OFFSET.fullmatch(whole)
    return _from_utc(offset, person, sent) if offset else None


def _from_utc(offset: regex.Match[str], person: Person, sent: datetime) -> Reading:
    west = offset["sign"] != "+"
    hours, minutes = int(offset["hours"]), int(offset["minutes"] or 0)
    if hours > (_WEST if west else _EAST):
        return invalid("zone_unknown")
    if not minutes:
        # The signs of these names are the other way round (POSIX).
        return settled(f"Etc/GMT{'+' if west else '-'}{hours}" if hours else "Etc/UTC")
    ahead = (hours * 60 + minutes) * (-1 if west else 1)
    total = (sent.hour * 60 + sent.minute + ahead) % (24 * 60)
    found = zones.showing(f"{total // 60:02}:{total % 60:02}", person, sent)
    return suggested(*found) if found else invalid("zone_unknown")


# Cities and countries


@cache
def _names(language: str) -> Mapping[Name, tuple[str, ...]]:
    """The zones of every name of a city or a country, as it is compared."""
    found: dict[Name, list[str]] = {}
    for name, meant in chain(_cities(language), _countries(language)):
        key = _key(name)
        if key and len("".join(key)) > 1:
            found.setdefault(key, []).extend(meant)
    return {key: tuple(dict.fromkeys(meant)) for key, meant in found.items()}


def _cities(language: str) -> list[tuple[str, tuple[str, ...]]]:
    pairs = [
        (values.city(zone, one), (zone,)) for zone in zones.places() for one in (language, "en")
    ]
    plain = [zone for zone in zones.places() if zone.count("/") == 1]
    pairs += [(zone.rpartition("/")[2].replace("_", " "), (zone,)) for zone in plain]
    more = zones.known()["zones"].items()
    return pairs + [(name, (zone,)) for zone, names in more for name in names]


def _countries(language: str) -> list[tuple[str, tuple[str, ...]]]:
    called = zones.known()["countries"]
    return [
        (name, meant)
        for code, meant in zones.countries().items()
        for name in (*(_territory(code, one) for one in (language, "en")), *called.get(code, ()))
    ]


def _territory(code: str, language: str) -> str:
    return str(values.locale_of(language).territories.get(code, ""))


def _key(name: str) -> Name:
    """A name as it is compared: its words without capitals, accents and signs."""
    return tuple(_folded(token.norm) for token in talk("en").tokens(name) if token.is_word)


def _folded(word: str) -> str:
    return fold(word).replace("ł", "l").replace("ß", "ss")


@dataclass(frozen=True)
class _Found:
    """A place that was named: where in the reply, and the zones it may be in."""

    start: int
    end: int
    zones: tuple[str, ...]


def _place(
    whole: str, person: Person, sent: datetime, words: Lexicon, nouns: frozenset[str]
) -> Reading | None:
    """The reading of a reply that names places; None where it names none."""
    tokens = words.tokens(whole)
    found = _places(tokens, language_of(person.locale))
    if not found:
        return None
    meant = _in_common([one.zones for one in found])
    rest = leftover(tokens, [(one.start, one.end) for one in found], words, nouns=nouns)
    if rest.harmless:
        alike = {zones.behaviour(zone, sent) for zone in meant}
        return settled(meant[0]) if len(alike) == 1 else suggested(*zones.varied(meant, sent))
    offers = zones.varied(meant, sent)
    if rest.reason == "another_value":
        return suggested(*offers)  # "it's 14:05 in Berlin": plainly Berlin, but a tap decides
    return beside(*offers, reason=rest.reason)


def _places(tokens: Sequence[Token], language: str) -> list[_Found]:
    """The places named, from left to right, each as long as it can be."""
    names = _names(language)
    said = [token for token in tokens if token.is_word]
    folded = [_folded(token.norm) for token in said]
    found: list[_Found] = []
    at = 0
    while at < len(said):
        ends = range(min(len(said), at + 5), at, -1)
        end = next((end for end in ends if tuple(folded[at:end]) in names), at)
        if end > at:
            meant = names[tuple(folded[at:end])]
            found.append(_Found(said[at].start, said[end - 1].end, meant))
        at = max(end, at + 1)
    return found


def _in_common(named: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The zones that all of the names may mean ("Berlin, Germany"); all of them where none is."""
    first, *others = named
    common = tuple(zone for zone in first if all(zone in other for other in others))
    return common or tuple(dict.fromkeys(chain(*named)))


# A clock time, a short name, and all else


def _clock(whole: str, person: Person, sent: datetime, nouns: frozenset[str]) -> Reading | None:
    context = Context(now=sent, locale=person.locale, nouns=nouns)
    reading = read("time", whole, context)
    times = (reading.value,) if reading.outcome is Outcome.SETTLED else reading.proposals
    if reading.outcome not in (Outcome.SETTLED, Outcome.SUGGESTED):
        return None
    found = tuple(chain(*(zones.showing(time, person, sent) for time in times)))
    return suggested(*zones.varied(found, sent)) if found else invalid("zone_no_such_time")


def _short_name(whole: str, person: Person, sent: datetime) -> Reading | None:
    """ "CET", "PST": the zones that are called so at some time of the year."""
    name = whole.casefold()
    if not _LETTERS.fullmatch(name):
        return None
    own, _ = zones.near(person)
    found = [
        zone
        for zone in dict.fromkeys((*own, *zones.places()))
        if name in (called.casefold() for called in zones.short_names(zone, sent))
    ]
    return suggested(*zones.varied(found, sent)) if found else None


def _unread(whole: str, words: Lexicon) -> Reading:
    """A short reply was meant to name a place; anything else is talk."""
    tokens = words.tokens(whole)
    rest = leftover(tokens, (), words)
    said = sum(token.is_word for token in tokens)
    if rest.reason in ("", "beside", "another_value") and said <= SHORT:
        return invalid("zone_unknown")
    return replace(beside(), reason=rest.reason or "beside")
