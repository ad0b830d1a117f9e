"""What is held of the person here: their journeys and submissions, and all else, in plain words.

What only the store knows is asked of the shell by a name that no journey's tool can have.
"""

from __future__ import annotations

from datetime import datetime

from core import planner, values
from core.cards import Record
from core.effects import Submission
from core.manifest import Kind
from core.state import Status
from core.step.base import Fetch, Fetched, Needs
from core.submitted import title
from core.turn import asks, zones
from core.turn.turning import Turning

MINE, PRIVACY = "~mine", "~privacy"
"""What the shell is asked for; see `core.own`, which says what the answers hold."""


def mine(turn: Turning) -> None:
    """The person's journeys and submissions, the newest first."""
    found = _fetched(turn, MINE)
    if found.failed:
        turn.say("turn.own_failed")
    else:
        entries = [*here(turn), *submitted(turn, found)]
        key = "turn.mine" if entries else "turn.mine_none"
        turn.tell(turn.texts(key, entries="\n".join(entries)), personal=True)
    _go_on(turn)


def privacy(turn: Turning) -> None:
    """What is held about the person, and how to drop it."""
    found = _fetched(turn, PRIVACY)
    if found.failed:
        turn.say("turn.own_failed")
    else:
        told = {one.id: str(one.fields["value"]) for one in found.records}
        held = turn.texts("turn.privacy", **_held(turn), **told)
        turn.tell("\n".join((held, *_human(turn))), personal=True)
    _go_on(turn)


def _fetched(turn: Turning, tool: str) -> Fetched:
    """What the shell found for the conversation's owner: nobody else's is ever asked for."""
    fetch = Fetch(journey="", tool=tool, arguments={"person": turn.state.person.id})
    found = turn.world.fetched.get(fetch.key())
    if found is None:
        raise Needs(fetch)
    return found


def _go_on(turn: Turning) -> None:
    if turn.ask is not None:
        asks.again(turn)


def here(turn: Turning) -> list[str]:
    """The journey of this chat in a line, unless it is among what was submitted."""
    journey = turn.state.journey
    if journey is None or journey.status is Status.SUBMITTED:
        return []
    named = _title(turn, journey.manifest, journey.digest)
    if journey.status is not Status.OPEN:
        return [turn.texts(f"turn.mine_{journey.status.value}", title=named)]
    truths = planner.belonging(turn.type.manifest, turn.draft)
    asked = [name for name, truth in truths.items() if truth is not planner.Truth.NO]
    done = sum(turn.draft.has(name) for name in asked)
    return [turn.texts("turn.mine_open", title=named, done=done, all=len(asked))]


def submitted(turn: Turning, found: Fetched) -> list[str]:
    """What was submitted, a line each, the newest first; the last line counts what is left out."""
    lines = [_submitted(turn, one) for one in found.records]
    more = found.total - len(found.records)
    return [*lines, turn.texts("turn.mine_more", count=more)] if more > 0 else lines


def _submitted(turn: Turning, one: Record) -> str:
    at = zones.local(turn.state.person.zone, datetime.fromisoformat(str(one.fields["at"])))
    moment = at.replace(tzinfo=None).isoformat(timespec="minutes")
    when = values.shown(Kind.DATETIME, moment, turn.state.person.locale)
    called, number = _called(turn, one), one.fields["number"]
    return turn.texts("turn.mine_submitted", title=called, number=number, when=when)


def _called(turn: Turning, one: Record) -> str:
    """What a submission is called: by it somebody with several knows which is which."""
    digest, content = str(one.fields["digest"]), str(one.fields["content"])
    type_ = turn.world.types.version(one.label, digest)
    if type_ is None:
        return _title(turn, one.label, digest)
    made = Submission(
        journey=one.id,
        manifest=one.label,
        digest=digest,
        revision="",
        content=content,
        sources={},
        person=turn.state.person.id,
    )
    return title(type_, made, turn.state.person.locale)


def _title(turn: Turning, name: str, digest: str) -> str:
    """What a journey type is called; its name where it is served no longer."""
    types = turn.world.types
    found = types.version(name, digest) or types.latest(name)
    return found.speak(turn.state.person.locale)("title") if found else name


def _held(turn: Turning) -> dict[str, str]:
    person, unknown = turn.state.person, turn.texts("turn.not_known")
    country = values.locale_of(person.locale).territories.get(person.country or "")
    return {
        "name": person.name or unknown,
        "language": values.locale_of(person.locale).display_name or person.locale,
        "zone": values.city(person.zone, person.locale) if person.zone_known else unknown,
        "country": country or person.country or unknown,
        "answers": ", ".join(_answers(turn)) or turn.texts("turn.nothing_yet"),
    }


def _answers(turn: Turning) -> list[str]:
    """The labels of what the open draft holds; no value is shown where others may read along."""
    journey = turn.state.journey
    if journey is None or journey.status is not Status.OPEN:
        return []
    return [turn.texts.label(name) for name in turn.draft.values]


def _human(turn: Turning) -> list[str]:
    journey = turn.state.journey
    if journey is None or turn.world.types.version(journey.manifest, journey.digest) is None:
        return []
    contact = turn.type.manifest.human
    return [turn.texts("turn.privacy_human", contact=contact)] if contact else []
