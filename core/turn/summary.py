"""The summary: the whole draft at one revision, and the confirmation of exactly that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core import planner, values
from core.cards import Button, Mark, Role, Row, Summary
from core.draft import Source, Value, canonical, revision
from core.effects import Submission
from core.events import Happened
from core.journey import looks_first
from core.manifest import Kind
from core.state import Ask, AskKind, Status
from core.turn.turning import Turning

_MARKS = {Source.QUOTED: Mark.QUOTED, Source.RECORD: Mark.RECORD}


def current_revision(turn: Turning) -> str:
    """The revision of the draft as it stands."""
    manifest = turn.type.manifest
    content = planner.content(manifest, turn.draft)
    zone = turn.state.person.zone if turn.type.on_clock(content) else ""
    return revision(manifest.digest, content, zone)


def open_summary(turn: Turning) -> None:
    """Make the summary the open ask; what stood open before it is closed."""
    if turn.ask is not None and turn.ask.card:
        turn.close(turn.ask.card)
    ask = Ask(
        kind=AskKind.SUMMARY, card="", drawn_at=turn.world.now, revision=current_revision(turn)
    )
    turn.update(ask=ask)


def summary_card(turn: Turning, ask: Ask, *, reason: str, controls: tuple[Button, ...]) -> Summary:
    """The summary's card: one row for each value that counts."""
    shown = planner.content(turn.type.manifest, turn.draft)
    return Summary(
        id=ask.card,
        item="",
        title=turn.texts("turn.summary"),
        hint="\n".join(filter(None, (turn.texts("turn.summary_hint"), _whose_time(turn, shown)))),
        reason=reason,
        revision=ask.revision,
        rows=tuple(_row(turn, number, name) for number, name in enumerate(shown)),
        confirm=Button(token="confirm", label=turn.texts("turn.confirm"), role=Role.CONFIRM),
        controls=controls,
    )


def _whose_time(turn: Turning, shown: Mapping[str, Any]) -> str:
    """On whose clock the times are; empty where none are shown."""
    kinds = {turn.type.manifest.item(name).value for name in shown if shown[name] is not None}
    if not kinds & {Kind.TIME, Kind.DATETIME} or not turn.type.on_clock(shown):
        return ""
    person = turn.state.person
    return turn.texts("turn.summary_zone", zone=values.city(person.zone, person.locale))


def _row(turn: Turning, number: int, name: str) -> Row:
    value = turn.draft.values[name]
    item = turn.type.manifest.item(name)
    label = turn.texts.label(name)
    return Row(
        item=name,
        label=label,
        value=turn.display(name, value.value),
        mark=Mark.SKIPPED if value.skipped else _MARKS.get(value.source, Mark.YOURS),
        quote=value.quote,
        edit=Button(token=f"e{number}", label=label, role=Role.EDIT),
        long=item.value in (Kind.LONG_TEXT, Kind.ENTRIES, Kind.FORM),
        files=_files(value) if item.value is Kind.UPLOAD else (),
    )


def _files(value: Value) -> tuple[str, ...]:
    return (value.value["ref"],) if isinstance(value.value, dict) else ()


def row_item(turn: Turning, token: str) -> str:
    """The item behind an edit button; empty for a token of none."""
    names = list(planner.content(turn.type.manifest, turn.draft))
    number = token.removeprefix("e")
    if (
        token.startswith("e")
        and number.isdecimal()
        and len(number) < 5
        and int(number) < len(names)
    ):
        return names[int(number)]
    return ""


def outdated(turn: Turning) -> tuple[str, ...]:
    """Settled items whose value cannot stand any more (a date that has passed meanwhile, a
    statement that was reworded)."""
    return tuple(
        name
        for name, value in planner.content(turn.type.manifest, turn.draft).items()
        if value is not None and turn.fault(name, turn.draft.values[name])
    )


def confirmable(turn: Turning, ask: Ask) -> bool:
    """Whether the draft still is exactly what this summary shows, with nothing owed (G1, G3)."""
    manifest = turn.type.manifest
    return ask.revision == current_revision(turn) and not planner.owed(manifest, turn.draft)


def submit(turn: Turning, ask: Ask) -> None:
    """Freeze the confirmed draft: the very bytes of the revision that was shown."""
    manifest = turn.type.manifest
    shown = planner.content(manifest, turn.draft)
    turn.submission = Submission(
        journey=turn.journey.id,
        manifest=manifest.name,
        digest=manifest.digest,
        revision=ask.revision,
        content=canonical(shown).decode(),
        sources={name: turn.draft.values[name].source.value for name in shown},
        person=turn.state.person.id,
        zone=turn.state.person.zone,
    )
    turn.close(ask.card, turn.texts("turn.confirmed"))
    turn.event(Happened.RESUBMITTED if turn.journey.instead else Happened.SUBMITTED)
    turn.fact("The person confirmed the summary and it was submitted. The journey is finished.")
    done = turn.texts.find("done")
    turn.update(status=Status.SUBMITTED, ask=None, reopened="", cursors={}, proposals={})
    if looks_first(turn.world.types, manifest) is None:
        turn.tell(turn.texts("done") if done else turn.texts("turn.submitted"))
    else:
        # The journey's own words may say that it is published, and it is not.
        turn.say("moderation.waits")
