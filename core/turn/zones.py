"""Time zones as people know them: by a city, by a country, by their own clock.

The zones and their order within a country are the tz database's (`zone.tab` of the package tzdata),
the names of cities and countries CLDR's (babel); `cities.yaml` has what both leave out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib import resources
from itertools import chain, zip_longest
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.core import get_global
from ruamel.yaml import YAML

from core import values
from core.manifest import Kind
from core.state import Person
from core.texts import language_of

MOST = 6
"""As many zones are offered at once."""

FEW = 4
"""Fewer than these are filled up with the clocks of large cities elsewhere."""

NEAR = 7
"""Minutes by which a person's clock may be wrong; zones are apart by fifteen at least."""

_DAY = 24 * 60


def is_zone(name: str) -> bool:
    """Whether it is an IANA name, as the tz database spells it."""
    return name in named().values()


@cache
def named() -> Mapping[str, str]:
    """Every IANA name by its small letters, old names too."""
    names = resources.files("tzdata").joinpath("zones").read_text("utf-8").split()
    return {name.casefold(): name for name in names}


@cache
def known() -> Mapping[str, Mapping[str, Any]]:
    """What `cities.yaml` has."""
    text = resources.files("core.turn").joinpath("cities.yaml").read_text("utf-8")
    found: Mapping[str, Mapping[str, Any]] = YAML(typ="safe", pure=True).load(text)
    return found


@cache
def countries() -> Mapping[str, tuple[str, ...]]:
    """The zones of each country, by its ISO code: the one that most people mean first."""
    found: dict[str, list[str]] = {}
    table = resources.files("tzdata.zoneinfo").joinpath("zone.tab").read_text("utf-8")
    for line in table.splitlines():
        if not line.startswith("#"):
            code, _, zone = line.split("\t")[:3]
            found.setdefault(code, []).append(zone)
    return {code: tuple(sorted(zones, key=prominence)) for code, zones in found.items()}


@cache
def places() -> tuple[str, ...]:
    """Every zone that people live in, the likeliest first."""
    return tuple(sorted(dict.fromkeys(chain(*countries().values())), key=prominence))


def prominence(zone: str) -> int:
    """A zone's place in the order of how likely somebody means it."""
    return _ranks().get(zone, len(_ranks()))


@cache
def _ranks() -> Mapping[str, int]:
    return {zone: number for number, zone in enumerate(known()["zones"])}


# A zone, as a person reads it


def clock(zone: str, now: datetime, locale: str) -> str:
    """What the clock of a zone shows, as the person writes times."""
    return values.shown(Kind.TIME, f"{local(zone, now):%H:%M}", locale)


def local(zone: str, now: datetime) -> datetime:
    """A moment in a zone; in UTC where there is no such zone."""
    try:
        return now.astimezone(ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return now.astimezone(UTC)


# Which zones are likely


def likely(person: Person, now: datetime) -> tuple[str, ...]:
    """A few zones to offer: each shows another time, so that people recognise their own clock."""
    own, spoken = near(person)
    found = _by_clock(chain(own, spoken), now)[:MOST]
    if len(found) < FEW:
        found = _by_clock(chain(found, places()), now)[:FEW]
    return tuple(zone for zone in found if zone != person.zone)


def near(person: Person) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The zones of the person's own country, and those of the countries that speak as they do."""
    region = values.locale_of(person.locale).territory
    own = chain(*(countries().get(code, ()) for code in (person.country, region) if code))
    language = language_of(person.locale)
    speaking = known()["speakers"].get(language) or [_usual_country(language)]
    rounds = zip_longest(*(countries().get(code, ()) for code in speaking))
    return tuple(dict.fromkeys(own)), tuple(zone for zone in chain(*rounds) if zone)


def _usual_country(language: str) -> str:
    tag = str(get_global("likely_subtags").get(language, ""))
    return tag.rpartition("_")[2]


def _by_clock(zones: Iterable[str], now: datetime) -> list[str]:
    """The first zone of each time of day."""
    found: dict[str, str] = {}
    for zone in zones:
        found.setdefault(f"{local(zone, now):%H:%M}", zone)
    return list(found.values())


def showing(time: str, person: Person, now: datetime) -> tuple[str, ...]:
    """The zones whose clocks show this time ("14:05") now, those near the person first."""
    hour, _, minute = time.partition(":")
    wanted = int(hour) * 60 + int(minute)
    own, _ = near(person)
    found = [
        zone
        for zone in dict.fromkeys((*own, *places()))
        if _apart(local(zone, now), wanted) <= NEAR
    ]
    return varied(found, now)


def _apart(moment: datetime, minutes: int) -> int:
    apart = abs(moment.hour * 60 + moment.minute - minutes)
    return min(apart, _DAY - apart)


def varied(zones: Iterable[str], now: datetime) -> tuple[str, ...]:
    """As many zones as can be offered: of each behaviour the first one before any second one."""
    rest = list(dict.fromkeys(zones))
    first: dict[Any, str] = {}
    for zone in rest:
        first.setdefault(behaviour(zone, now), zone)
    return tuple(dict.fromkeys((*first.values(), *rest)))[:MOST]


def behaviour(zone: str, now: datetime) -> tuple[timedelta | None, ...]:
    """What tells two zones apart: how far they are from UTC now, and in half a year."""
    return tuple(local(zone, now + timedelta(days=days)).utcoffset() for days in (0, 182))


def short_names(zone: str, now: datetime) -> tuple[str, ...]:
    """What its clock is called for short ("CET", "CEST"), now and in half a year."""
    return tuple(local(zone, now + timedelta(days=days)).tzname() or "" for days in (0, 182))
