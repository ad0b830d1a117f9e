"""Who somebody is, as their Slack profile says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
import structlog

from channels.slack.api import Api, ApiFailed
from channels.slack.native import Json
from core.state import Person

log = structlog.get_logger()

_KEPT = 3600.0
"""Seconds that a profile is not asked for again."""
_MOST = 10_000


@dataclass
class People:
    """Looks people up. `unknown` is who somebody is whom Slack cannot tell, or not within
    `patience` seconds. `clock` counts seconds from any moment."""

    api: Api
    unknown: Person
    patience: float
    clock: Callable[[], float] = time.monotonic
    _known: dict[tuple[str, str], tuple[float, Person]] = field(default_factory=dict)

    async def meet(self, team: str, user: str, name: str = "") -> Person:
        """Who a member of a workspace is: name, language, time zone. Never fails."""
        found = self._known.get((team, user))
        if found is not None and self.clock() - found[0] < _KEPT:
            return found[1]
        try:
            async with asyncio.timeout(self.patience):
                asked = self.api.call(team, "users.info", user=user, include_locale=True)
                person = self._read(user, (await asked)["user"])
        except (ApiFailed, TimeoutError, LookupError, AttributeError, TypeError) as error:
            log.warning("profile_unknown", error=type(error).__name__)
            return msgspec.structs.replace(self.unknown, id=user, name=name)
        while len(self._known) >= _MOST:
            del self._known[next(iter(self._known))]
        self._known[team, user] = (self.clock(), person)
        return person

    def _read(self, user: str, told: Json) -> Person:
        profile, zone = told.get("profile") or {}, str(told.get("tz") or "")
        name = profile.get("display_name") or told.get("real_name") or told.get("name") or ""
        zone_known = _is_zone(zone)
        return msgspec.structs.replace(
            self.unknown,
            id=user,
            name=str(name),
            locale=str(told.get("locale") or self.unknown.locale),
            zone=zone if zone_known else self.unknown.zone,
            zone_known=zone_known,
        )


def _is_zone(name: str) -> bool:
    try:
        return bool(name) and ZoneInfo(name).key == name
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
