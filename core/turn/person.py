"""What a reply does to an ask about the person, and what they change about themselves by command.

The time zone is asked once, when it first matters, and never for its own sake: whatever cannot be
read in the end leaves the zone that the house takes anyhow, and `/timezone` changes it later.
"""

from __future__ import annotations

from core.events import Happened
from core.reading import is_skip, read
from core.reading.result import Context, Outcome, Reading
from core.replies import Submit, Tap, Words
from core.state import Ask, AskKind, is_open
from core.step.base import Beside
from core.texts import language_of
from core.turn import asks, personal
from core.turn.turning import Turning
from core.turn.zone_words import read_zone

LONGEST = 40
"""Characters of what was typed that are said back."""

REFUSALS = 1
"""After so many replies that no zone could be read of, the next one takes the default."""


def tapped(turn: Turning, ask: Ask, reply: Tap | Submit) -> None:
    """A tap or a submit on the open card of such an ask."""
    given = reply.token if isinstance(reply, Tap) else reply.values.get("value", "")
    token = given if isinstance(given, str) else "".join(given[:1])
    picked = personal.chosen(ask, token)
    turn.toast()
    if ask.kind is AskKind.ZONE and token == personal.DEFAULT:
        _settle_zone(turn, turn.state.person.zone)
    elif picked is None:
        asks.redraw(turn)
    elif ask.kind is AskKind.ZONE:
        _settle_zone(turn, picked)
    else:
        _settle_language(turn, picked)


def words(turn: Turning, ask: Ask, reply: Words, *, early: bool) -> Beside | None:
    """Typed words with such an ask open; what stands beside the answer when they are for the model.

    `early` words were sent before the card was drawn: they cannot be its answer.
    """
    if ask.kind is AskKind.LANGUAGE:
        return _words_language(turn, ask, reply.text, early=early)
    return _words_zone(turn, ask, reply, early=early)


# The time zone


def timezone(turn: Turning, argument: str) -> None:
    """The command: change the zone to what was typed, or ask for it."""
    if not argument:
        _ask_zone(turn, ())
        return
    reading = _read_zone(turn, argument)
    if reading.outcome is Outcome.SETTLED:
        _settle_zone(turn, reading.value)
        return
    _ask_zone(turn, reading.proposals, turn.texts(_why(reading)))


def _read_zone(turn: Turning, text: str, reply: Words | None = None) -> Reading:
    sent = reply.at if reply is not None else turn.world.now
    return read_zone(text, turn.state.person, sent, turn.texts("turn.zone_around"))


def _words_zone(turn: Turning, ask: Ask, reply: Words, *, early: bool) -> Beside | None:
    reading = _read_zone(turn, reply.text, reply)
    outcome, offers = reading.outcome, reading.proposals
    if early or (outcome is Outcome.BESIDE and not _leaves_it(turn, reply)):
        said = (reading.value,) if outcome is Outcome.SETTLED else offers
        turn.update_ask(cursor=personal.offering_too(ask, said))
        turn.event(Happened.HANDED)
        return Beside()
    if outcome is Outcome.SETTLED:
        _settle_zone(turn, reading.value)
    elif _leaves_it(turn, reply):
        _settle_zone(turn, turn.state.person.zone)
    elif outcome is Outcome.SUGGESTED:
        turn.event(Happened.UNSURE)
        turn.update_ask(cursor=personal.offering(ask, offers))
        asks.redraw(turn, reason=turn.texts("turn.zone_which"))
    elif ask.refusals >= REFUSALS:
        _settle_zone(turn, turn.state.person.zone, "turn.zone_taken")
    else:
        _refuse(turn, ask, turn.texts(_why(reading)))
    return None


def _leaves_it(turn: Turning, reply: Words) -> bool:
    context = Context(now=turn.local_now, locale=turn.state.person.locale)
    return is_skip(reply.text, context)


def _why(reading: Reading) -> str:
    if reading.outcome is Outcome.SUGGESTED:
        return "turn.zone_which"
    known = reading.reason if reading.reason.startswith("zone_") else "zone_unknown"
    return f"turn.{known}"


def _settle_zone(turn: Turning, zone: str, key: str = "turn.zone_settled") -> None:
    turn.meet(zone=zone, zone_known=True)
    turn.fact(f"The person's time zone is {zone}.")
    _go_on(turn, AskKind.ZONE, turn.texts(key, **personal.zone_parts(turn, zone)))


def _ask_zone(turn: Turning, offers: tuple[str, ...], reason: str = "") -> None:
    if is_open(turn.state):
        asks.open_beside(turn, personal.zone_ask(turn, _under(turn), offers), reason=reason)
        return
    now = personal.zone_parts(turn, turn.state.person.zone)
    lines = [
        f"{turn.world.command}timezone {zone} - {personal.zone_label(turn, zone)}"
        for zone in offers
    ]
    turn.tell("\n".join((reason, *lines)) if reason else turn.texts("turn.zone_is", **now))


# The language


def language(turn: Turning, argument: str) -> None:
    """The command: speak the language that was typed, or ask which."""
    picked = _read_language(turn, argument) if argument else ""
    if picked:
        _settle_language(turn, picked, argument)
        return
    reason = _no_such_language(turn, argument) if argument else ""
    if is_open(turn.state):
        asks.open_beside(turn, personal.language_ask(turn, _under(turn)), reason=reason)
        return
    codes = personal.languages(turn)
    lines = "\n".join(f"/language {code} - {personal.own_name(code)}" for code in codes)
    turn.tell("\n".join(filter(None, (reason, turn.texts("turn.language_which", list=lines)))))


def _read_language(turn: Turning, text: str) -> str:
    """The code of the language that a text names; empty where it names none that is spoken."""
    codes = personal.languages(turn)
    if language_of(text.strip()) in codes:
        return language_of(text.strip())
    options = tuple(personal.language_of_code(turn, code).option for code in codes)
    person = turn.state.person
    context = Context(now=turn.local_now, locale=person.locale, options=options)
    reading = read("choice", text, context)
    return str(reading.value) if reading.outcome is Outcome.SETTLED else ""


def _words_language(turn: Turning, ask: Ask, text: str, *, early: bool) -> Beside | None:
    picked = "" if early else _read_language(turn, text)
    if picked:
        _settle_language(turn, picked, text)
    elif not early and personal.is_language(turn, text):
        _refuse(turn, ask, _no_such_language(turn, text))
    else:
        turn.event(Happened.HANDED)
        return Beside()
    return None


def _no_such_language(turn: Turning, text: str) -> str:
    names = ", ".join(personal.own_name(code) for code in personal.languages(turn))
    return turn.texts("turn.language_unknown", language=shortened(text), names=names)


def _settle_language(turn: Turning, code: str, typed: str = "") -> None:
    """Speak it from now on, in the region that was typed, or that is theirs already."""
    locale = turn.state.person.locale if personal.speaks(turn, code) else code
    if _is_locale(typed, code):
        locale = typed
    turn.meet(locale=locale, locale_chosen=True)
    turn.fact(f"The person chose the language {code}: answer in it.")
    _go_on(
        turn, AskKind.LANGUAGE, turn.texts("turn.language_set", language=personal.own_name(code))
    )


def _is_locale(text: str, code: str) -> bool:
    """Whether a text is a tag of a language with its region: "de-AT"."""
    _, _, region = text.replace("_", "-").partition("-")
    return language_of(text) == code and len(region) == 2 and region.isascii() and region.isalpha()


# Both


def shortened(text: str) -> str:
    """What somebody typed, to say it back: one line, not long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"


def _under(turn: Turning) -> str:
    """The item to come back to when the person has answered."""
    ask = turn.ask
    if ask is None:
        return turn.journey.reopened
    if ask.kind is AskKind.STEP:
        return ask.item
    return personal.asked_after(ask) if ask.kind in personal.KINDS else turn.journey.reopened


def _go_on(turn: Turning, kind: AskKind, receipt: str) -> None:
    """Print what is so from now on, and ask what is open, or what comes after this ask."""
    ask = turn.ask if is_open(turn.state) else None
    if ask is not None and ask.kind is kind:
        turn.close(ask.card, receipt)
        turn.update(ask=None)
        asks.advance(turn, prefer=personal.asked_after(ask))
        return
    turn.tell(receipt)
    if ask is not None and asks.still_shows(turn, ask):
        asks.redraw(turn)
    elif is_open(turn.state):
        asks.advance(turn)


def _refuse(turn: Turning, ask: Ask, reason: str) -> None:
    turn.event(Happened.REFUSED)
    turn.update_ask(refusals=ask.refusals + 1)
    asks.redraw(turn, reason=reason)
