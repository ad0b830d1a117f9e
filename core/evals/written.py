"""The judges of what a turn wrote: where each value came from, what was said of it, what a change
took with it, and what was submitted (G1 to G5, G16)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.cards import Mark, Summary
from core.draft import Source, Value, canonical, revision
from core.effects import Submission
from core.evals import owing
from core.evals.heard import Heard, said
from core.evals.looks import ENDINGS, Found, Look
from core.manifest import Kind, Manifest
from core.reading import read
from core.reading.result import Context, Outcome
from core.replies import Reply, Shared, Submit, Tap, Upload, Words
from core.state import AskKind, Journey
from core.texts import Texts
from core.turn.quotes import folded

_GAP = re.compile(r"\{\w*\}")

# What is asked


def never_skipped(manifest: Manifest, look: Look) -> Found:
    """G1: no summary is open or drawn, and nothing is submitted, while an item is owed; and what is
    on a summary is all that counts."""
    ask, submission = look.journey.ask, look.taken.effects.submission
    is_open = ask is not None and ask.kind is AskKind.SUMMARY
    if not is_open and not look.summaries and submission is None:
        return
    owed = owing.owed(manifest, look.values)
    wanted = set(owing.counting(manifest, look.values))
    missing = [wanted - {row.item for row in card.rows} for card in look.summaries]
    if submission is not None:
        missing.append(wanted - set(json.loads(submission.content)))
    if owed:
        yield "G1", f"a summary while {', '.join(owed)} are owed"
    else:
        lost = sorted(set().union(*missing))
        yield "G1", f"{', '.join(lost)} left out of what is confirmed" if lost else ""


def nothing_hidden(manifest: Manifest, journey: Journey) -> Found:
    """G16: a hidden item's value is in no draft."""
    values = journey.draft.plain()
    there = owing.belonging(manifest, values)
    for name in values:
        if there[name] is False:
            yield "G16", f"{name} is hidden and still has a value"


# Where a value came from

_BY_SOURCE: dict[Source, tuple[type[Reply], ...]] = {
    Source.TAP: (Tap,),
    Source.TYPED: (Words, Shared),
    Source.FORM: (Submit, Tap, Words, Shared),
    Source.UPLOAD: (Upload, Submit),
    Source.RECORD: (Tap, Submit, Words),
}
"""What a person must have done in the turn in which a value came from a source."""
_PICKED = (Submit, Shared)
"""How somebody who is picked from the platform's own list is told."""

_CHOICES = frozenset({Kind.CHOICE, Kind.CHOICES})
_TEXTS = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT, Kind.ENTRIES})


def never_invented(look: Look, heard: Heard) -> Found:
    """G2: every value that this turn wrote is the person's own: a quoted one stands in its quote,
    and the quote in their words; any other came of what they did just now, on the card that asked
    for it, and a text is one that they typed or took of a card."""
    known = look.old.draft.values if look.old is not None else {}
    for name, value in look.journey.draft.values.items():
        before = known.get(name)
        if before is not None and (before.value, before.source) == (value.value, value.source):
            continue
        if value.source is Source.QUOTED:
            yield "G2", _unsaid(look, name, value)
        else:
            yield "G2", _not_given(look, heard, name, value) or _not_own(look, heard, name, value)


def _not_given(look: Look, heard: Heard, name: str, value: Value) -> str:
    before = look.before.journey
    ask = before.ask if before is not None else None
    # A reminder stands in front of a question that was on the screen all the while.
    asked = (ask.item or ask.cursor.get("item", "")) if ask is not None else ""
    came_by = _BY_SOURCE[value.source]
    if value.source is Source.TAP and look.item(name).value is Kind.PERSON:
        came_by = (*came_by, *_PICKED)
    if not any(isinstance(one, came_by) for one in look.replies):
        return f"{name} came by {value.source}, of {type(look.reply).__name__}"
    if asked != name:
        return f"{name} came by {value.source}, while {asked or '-'} was asked"
    is_choice = value.source is Source.TAP and look.item(name).value in _CHOICES
    if is_choice and value.value is not None and not heard.chose(look, name, value.value):
        return f"{name} is {value.value!r}, which is not what was tapped"
    return ""


def _not_own(look: Look, heard: Heard, name: str, value: Value) -> str:
    pieces = list(_texts_in(look, name, value.value))
    if value.source is Source.TYPED and isinstance(look.reply, Words) and len(pieces) == 1:
        typed = said(look.reply.text)
        if isinstance(value.value, str) and said(value.value) not in typed:
            return f"{name} is {value.value!r}, which was not typed"
    foreign = [piece for piece in pieces if not heard.is_own(piece)]
    return f"{name} has {foreign[0]!r}, which nobody typed or took" if foreign else ""


def _texts_in(look: Look, name: str, value: Any) -> Iterator[str]:
    """The texts in a value that must be the person's own to the letter."""
    item = look.item(name)
    if item.value in _TEXTS:
        pieces = value if isinstance(value, list) else [value]
        yield from (piece for piece in pieces if isinstance(piece, str))
    elif item.value is Kind.PERSON and isinstance(value, Mapping):
        yield from filter(None, (value["id"], value["name"], value["handle"]))
    elif item.value is Kind.FORM and isinstance(value, Mapping):
        texts = [one.name for one in item.fields if one.value in _TEXTS]
        yield from (value[one] for one in texts if isinstance(value.get(one), str))


def _unsaid(look: Look, name: str, value: Value) -> str:
    typed = [folded(note.text) for note in look.notes if note.words]
    typed += [folded(look.reply.caption)] if isinstance(look.reply, Upload) else []
    quote = folded(value.quote).strip(" .,;:!?\"'()")
    if not quote or not any(quote in text for text in typed):
        return f"{name} quotes {value.quote!r}, which nobody said"
    texts = [folded(piece) for piece in _texts_in(look, name, value.value)]
    if not all(text in folded(value.quote) for text in texts):
        return f"{name} is {value.value!r}, which does not stand in {value.quote!r}"
    return ""


def accepted(look: Look, heard: Heard) -> Found:
    """G5: a record is in the draft, and so in a summary, only once the person has accepted this
    very one: by a tap on its card, or by its name or place there."""
    for name in look.written:
        if look.item(name).value is Kind.RECORD and look.values[name] is not None:
            shown = look.shown(name, look.values[name])
            took = heard.took(look, name, look.values[name])
            yield "G5", "" if took else f"{name} is {shown}, which nobody accepted"
    for card in look.summaries:
        for row in card.rows:
            if look.item(row.item).value is Kind.RECORD and row.mark is not Mark.SKIPPED:
                known = heard.accepted.get(row.item, [])
                is_one = any(look.shown(row.item, one) == row.value for one in known)
                yield "G5", "" if is_one else f"{row.value} on the summary, which nobody accepted"


# What was said of it


def acknowledged(look: Look) -> Found:
    """G4: a changed value is printed by the runtime, old and new, in the same reply."""
    if look.kind is None or look.migrated or look.journey.status in ENDINGS:
        return
    speak = look.kind.speak(look.after.person.locale)
    for name in look.written & look.old_values.keys():
        old = look.shown_before(name, look.old_values[name])
        new = look.shown(name, look.values[name])
        # What changed twice in a turn has two receipts.
        label = speak.label(name)
        told = look.told(label, old) and look.told(label, new)
        yield "G4", "" if told else f"{name} changed from {old!r} to {new!r}, and that was not said"


def re_asked(manifest: Manifest, look: Look) -> Found:
    """G16: a change takes away all that it invalidates, and nothing else; what goes is named, and
    what still stands is not asked again."""
    if look.kind is None or look.old is None or look.journey.status in ENDINGS:
        return
    gone = {name for name in look.old_values if name not in look.values}
    speak = look.kind.speak(look.after.person.locale)
    if look.migrated:
        expected = gone
    else:
        overtaken = {name for name in gone if look.cannot_stand(name, look.old_values[name])}
        expected = _expected(manifest, look, overtaken)
    for name in sorted(gone | (expected & look.old_values.keys())):
        yield "G16", _fault_of_going(look, speak, name, name in gone, name in expected)
    if look.written & look.old_values.keys() and not gone | expected:
        yield "G16", ""
    yield from _asked_for_nothing(look)


def _expected(manifest: Manifest, look: Look, overtaken: set[str]) -> set[str]:
    """What the changes of this turn must take away. What time has overtaken goes of itself."""
    values = {**look.old_values, **{name: look.values[name] for name in look.written}}
    expected = owing.invalidated(manifest, values, look.written)
    of_itself = overtaken - expected
    if of_itself:
        left = {name: value for name, value in values.items() if name not in of_itself}
        expected = of_itself | owing.invalidated(manifest, left, look.written | of_itself)
    return expected - look.written


def _fault_of_going(look: Look, speak: Texts, name: str, went: bool, has_to: bool) -> str:
    if not went:
        return f"{name} still stands, though what it depends on has changed"
    if not has_to:
        return f"{name} went for nothing"
    keys = ("turn.lost", "turn.hidden", "turn.outdated", "turn.migrated_asking")
    label = speak.label(name)
    lines = [line for message in look.messages for line in message.split("\n")]
    named = any(label in line and any(_is(speak, key, line) for key in keys) for line in lines)
    return "" if named else f"{name} went unsaid"


def _is(speak: Texts, key: str, line: str) -> bool:
    """Whether a line is one of the runtime's texts, whatever fills its gaps."""
    pieces = _GAP.split(speak.find(key) or "")
    return re.fullmatch(".*".join(map(re.escape, pieces)), line) is not None


def _asked_for_nothing(look: Look) -> Found:
    """After an answer, what is asked next is something that has no value."""
    before, ask = look.before.journey, look.journey.ask
    answered = before.ask.item if before is not None and before.ask is not None else ""
    value = look.journey.draft.values.get(answered)
    if look.asked_model or value is None or value.turn != look.after.turn or ask is None:
        return
    if ask.kind is AskKind.STEP and ask.item in look.values:
        yield "G16", f"{ask.item} is asked again, and it still stands"


# What was submitted


def confirmed_as_shown(look: Look) -> Found:
    """G3: what is submitted is the revision on the confirmed summary, confirmed by its owner."""
    submission, before = look.taken.effects.submission, look.before.journey
    if submission is None:
        return
    ask = before.ask if before else None
    if before is None or ask is None or ask.kind is not AskKind.SUMMARY:
        yield "G3", "submitted with no summary open"
        return
    shown = look.screen.drawn.get(ask.card)
    card = shown if isinstance(shown, Summary) else None
    yield (
        "G3",
        _not_the_revision(look, submission, before, ask.revision)
        or _not_as_shown(look, submission, card)
        or ("" if _is_yes(look, card) else "confirmed by something that is no yes of the owner"),
    )


def _is_yes(look: Look, card: Summary | None) -> bool:
    return card is not None and any(_says_yes(look, one, card) for one in look.replies)


def _says_yes(look: Look, reply: Reply, card: Summary) -> bool:
    if reply.by != look.before.person.id:
        return False
    if isinstance(reply, Tap):
        return (reply.card, reply.token) == (card.id, card.confirm.token)
    if not isinstance(reply, Words) or "?" in reply.text:
        return False
    heard = read("confirm", reply.text, Context(now=reply.at, locale=look.after.person.locale))
    return heard.outcome is Outcome.SETTLED and heard.value is True


def _not_the_revision(look: Look, submission: Submission, before: Journey, shown: str) -> str:
    kind = look.types.version(submission.manifest, submission.digest)
    if kind is None:
        return "submitted by a manifest that nobody has"
    content = json.loads(submission.content)
    counts = owing.counting(kind.manifest, before.draft.plain())
    zone = look.before.person.zone if kind.on_clock(content) else ""
    same = (
        submission.zone == look.before.person.zone,
        shown == submission.revision == revision(submission.digest, content, zone),
        canonical(content).decode() == submission.content == canonical(counts).decode(),
    )
    return "" if all(same) else "the submission is not the shown revision"


def _not_as_shown(look: Look, submission: Submission, card: Summary | None) -> str:
    """What stood on the card that was confirmed."""
    content = json.loads(submission.content)
    if card is None or card.revision != submission.revision:
        return "the summary on the screen shows another revision"
    rows = {row.item: row.value for row in card.rows}
    if set(rows) != set(content):
        return "the summary on the screen shows other items"
    other = [name for name in rows if look.shown_before(name, content[name]) != rows[name]]
    return f"the summary shows {rows[other[0]]!r} for {other[0]}" if other else ""
