"""What is asked about the person, beside any journey's items: their time zone, their language.

Such an ask settles no item: it is in no summary and writes no draft. What it offers stands in its
cursor, so that a tap means what was shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core import values
from core.cards import Button, Chips, Role
from core.reading.result import Option
from core.state import Ask, AskKind
from core.texts import FALLBACK, language_of, runtime_texts
from core.turn import zones
from core.turn.turning import Turning

KINDS = frozenset({AskKind.ZONE, AskKind.LANGUAGE})

DEFAULT = "default"
"""The button that takes the zone which is taken anyhow."""

_FOR, _OFFERED = "for", "offered"
_ROOM = 2


def zone_ask(turn: Turning, item: str, offered: Sequence[str] = ()) -> Ask:
    """The ask for the person's time zone. `item` is what is asked after it, where that is known."""
    person, now = turn.state.person, turn.world.now
    cursor = {_FOR: item, _OFFERED: list(offered or zones.likely(person, now))}
    return Ask(kind=AskKind.ZONE, card="", drawn_at=now, cursor=cursor)


def language_ask(turn: Turning, item: str) -> Ask:
    """The ask for the person's language."""
    cursor = {_FOR: item, _OFFERED: list(languages(turn))}
    return Ask(kind=AskKind.LANGUAGE, card="", drawn_at=turn.world.now, cursor=cursor)


def asked_after(ask: Ask) -> str:
    """The item that is asked after such an ask; empty where the planner names it."""
    return str(ask.cursor.get(_FOR, ""))


def offered(ask: Ask) -> tuple[str, ...]:
    """What its buttons stand for, in order."""
    found: list[str] = ask.cursor.get(_OFFERED, [])
    return tuple(found)


def offering(ask: Ask, first: Sequence[str]) -> dict[str, Any]:
    """Its cursor with these before what it offers already."""
    both = dict.fromkeys((*first, *offered(ask)))
    return {**ask.cursor, _OFFERED: list(both)[: zones.MOST]}


def offering_too(ask: Ask, more: Sequence[str]) -> dict[str, Any]:
    """Its cursor with these behind what it offers: a tap that waits means what it meant before."""
    both = dict.fromkeys((*offered(ask), *more))
    return {**ask.cursor, _OFFERED: list(both)[: zones.MOST + _ROOM]}


def chosen(ask: Ask, token: str) -> str | None:
    """What the button of a token stands for; None where there is none."""
    buttons = {f"o{number}": one for number, one in enumerate(offered(ask))}
    return buttons.get(token)


def card(turn: Turning, ask: Ask, *, reason: str, controls: tuple[Button, ...]) -> Chips:
    """The card of such an ask, as it stands now."""
    label = zone_label if ask.kind is AskKind.ZONE else _language_label
    options = tuple(
        Button(token=f"o{number}", label=label(turn, one))
        for number, one in enumerate(offered(ask))
    )
    key = f"turn.{ask.kind.value}"
    own = (_default(turn),) if ask.kind is AskKind.ZONE else ()
    return Chips(
        id=ask.card,
        item="",
        title=turn.texts(f"{key}_ask"),
        hint=turn.texts(f"{key}_hint"),
        reason=reason,
        options=options,
        controls=(*own, *controls),
    )


def _default(turn: Turning) -> Button:
    label = turn.texts("turn.zone_use", **zone_parts(turn, turn.state.person.zone))
    return Button(token=DEFAULT, label=label, role=Role.SKIP)


# Zones in words


def zone_parts(turn: Turning, zone: str) -> dict[str, str]:
    """A zone's city and its present time, for a text."""
    locale = turn.state.person.locale
    return {"zone": values.city(zone, locale), "time": zones.clock(zone, turn.world.now, locale)}


def zone_label(turn: Turning, zone: str) -> str:
    """A zone on a button: people recognise their own clock."""
    parts = zone_parts(turn, zone)
    return f"{parts['zone']} · {parts['time']}"


# Languages


@dataclass(frozen=True)
class Language:
    """A language: its code, what it calls itself, and what else people call it."""

    code: str
    name: str
    aliases: tuple[str, ...]

    @property
    def option(self) -> Option:
        """As the reader of choices knows it."""
        return Option(key=self.code, label=self.name, aliases=self.aliases)


def languages(turn: Turning) -> tuple[str, ...]:
    """The codes of the languages there are texts for, those of the open journey first."""
    spoken = sorted(runtime_texts())
    journey = turn.state.journey
    at_hand = turn.world.types.version(journey.manifest, journey.digest) if journey else None
    first = at_hand.manifest.languages if at_hand else ()
    return tuple(dict.fromkeys((*(code for code in first if code in spoken), *spoken)))


def own_name(code: str) -> str:
    """What a language calls itself: "Deutsch", "español"."""
    return values.locale_of(code).get_language_name(code) or code


def language_of_code(turn: Turning, code: str) -> Language:
    """A language with the names that people may type for it."""
    speaking = dict.fromkeys((turn.state.person.locale, *languages(turn), FALLBACK))
    called = (values.locale_of(code).get_language_name(one) or "" for one in map(_tag, speaking))
    return Language(code, own_name(code), tuple(dict.fromkeys((code, *filter(None, called)))))


def _tag(locale: str) -> str:
    """A locale as babel spells it; English for one that it does not know."""
    return str(values.locale_of(locale))


def is_language(turn: Turning, text: str) -> bool:
    """Whether a text names any language at all, one that is not spoken here too."""
    said = text.strip(" .!?").casefold()
    locales = (values.locale_of(one) for one in (turn.state.person.locale, FALLBACK))
    return any(said in (str(name).casefold() for name in one.languages.values()) for one in locales)


def _language_label(turn: Turning, code: str) -> str:
    return own_name(code)


def speaks(turn: Turning, code: str) -> bool:
    """Whether that is the person's language now."""
    return language_of(turn.state.person.locale) == code
