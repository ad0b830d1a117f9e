"""Who somebody is, as their Slack profile says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec
import structlog

from channels.slack.api import Api, ApiFailed
from channels.slack.native import Json
from channels.slack.typed import Called
from core.replies import Somebody
from core.state import Person
from core.turn.zones import is_zone

log = structlog.get_logger()

_KEPT = 3600.0
"""Seconds that a profile is not asked for again."""
_MOST = 10_000


_SLACKBOT = "USLACKBOT"
"""It is a bot, though Slack does not say so of it."""


@dataclass(frozen=True, slots=True)
class _Profile:
    """What a profile tells: of somebody to talk to, and of somebody to name."""

    person: Person
    somebody: Somebody


@dataclass
class People:
    """Looks people up. `unknown` is who somebody is whom Slack cannot tell, or not within
    `patience` seconds. `clock` counts seconds from any moment."""

    api: Api
    unknown: Person
    patience: float
    clock: Callable[[], float] = time.monotonic
    _known: dict[tuple[str, str], tuple[float, _Profile]] = field(default_factory=dict)

    async def meet(self, team: str, user: str, name: str = "") -> Person:
        """Who a member of a workspace is: name, language, time zone. Never fails."""
        found = await self._profile(team, user)
        if found is not None:
            return found.person
        return msgspec.structs.replace(self.unknown, id=user, name=name)

    async def called(self, team: str, called: Sequence[Called]) -> tuple[Somebody, ...]:
        """Who is called, or picked. Never fails: who cannot be looked up in time is unknown."""
        # Side by side: there may be many of them, and the acknowledgement waits.
        return tuple(await asyncio.gather(*(self._called(team, one) for one in called)))

    async def _called(self, team: str, called: Called) -> Somebody:
        if called.several:
            return Somebody(id=called.id, said=called.said, wrong="group")
        found = await self._profile(team, called.id)
        if found is None:
            return Somebody(id=called.id, said=called.said, wrong="unknown")
        said = _said(called, found.somebody)
        return msgspec.structs.replace(found.somebody, said=said)

    async def _profile(self, team: str, user: str) -> _Profile | None:
        found = self._known.get((team, user))
        if found is not None and self.clock() - found[0] < _KEPT:
            return found[1]
        try:
            async with asyncio.timeout(self.patience):
                asked = self.api.call(team, "users.info", user=user, include_locale=True)
                told = (await asked)["user"]
            profile = _Profile(self._read(user, told), _somebody(team, user, told))
        except (ApiFailed, TimeoutError, LookupError, AttributeError, TypeError) as error:
            log.warning("profile_unknown", error=type(error).__name__)
            return None
        while len(self._known) >= _MOST:
            del self._known[next(iter(self._known))]
        self._known[team, user] = (self.clock(), profile)
        return profile

    def _read(self, user: str, told: Json) -> Person:
        zone = str(told.get("tz") or "")
        zone_known = is_zone(zone)
        return msgspec.structs.replace(
            self.unknown,
            id=user,
            name=_name(told),
            locale=str(told.get("locale") or self.unknown.locale),
            zone=zone if zone_known else self.unknown.zone,
            zone_known=zone_known,
        )


def with_names(text: str, called: Sequence[Called], people: Sequence[Somebody]) -> str:
    """A text in which people stand by their names, as its sender saw them."""
    pairs = zip(called, people, strict=True)
    for one, somebody in sorted(pairs, key=lambda pair: -len(pair[0].said)):
        text = text.replace(one.said, somebody.said) if one.said else text
    return text


def _said(called: Called, somebody: Somebody) -> str:
    is_bare = called.said == f"@{called.id}"
    return f"@{somebody.name or called.id}" if is_bare else called.said


def _name(told: Json) -> str:
    profile = told.get("profile") or {}
    return str(profile.get("display_name") or told.get("real_name") or told.get("name") or "")


def _somebody(team: str, user: str, told: Json) -> Somebody:
    """Somebody as others see them. An answer is a person who can read what is sent to them here:
    no bot, no closed account, nobody of another company in a channel that both share."""
    one = Somebody(id=user, handle=str(told.get("name") or ""), name=_name(told))
    if told.get("is_bot") or user == _SLACKBOT:
        return msgspec.structs.replace(one, wrong="bot")
    if told.get("deleted"):
        return msgspec.structs.replace(one, wrong="gone")
    return msgspec.structs.replace(one, wrong="outside") if _is_outside(team, told) else one


def _is_outside(team: str, told: Json) -> bool:
    """Whether somebody belongs to another company. A large one has several workspaces, and its
    members belong to one of them (docs.slack.dev/reference/objects/user-object)."""
    if told.get("is_stranger"):
        return True
    large = told.get("enterprise_user") or {}
    own = {told.get("team_id") or team, large.get("enterprise_id"), *(large.get("teams") or ())}
    return team not in own
