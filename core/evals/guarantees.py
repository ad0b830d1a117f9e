"""What always holds, looked at after every turn: G1 to G16 as far as one chat can show them.

(G12 is that a chat without a model ends as one with it does; G13 is the store's, and is tested with
processes that are killed.)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import msgspec

from core import planner
from core.cards import Summary
from core.draft import Source, Value, canonical, revision
from core.effects import Close, Draw, Note, Say, Submission
from core.evals.record import Broken
from core.evals.screen import Screen
from core.events import Event, Happened
from core.journey import JourneyType, JourneyTypes
from core.manifest import Kind
from core.replies import Reply, Shared, Submit, Tap, Upload, Words
from core.state import AskKind, Conversation, Journey, Status
from core.step.base import Fetch
from core.turn import Taken
from core.turn.quotes import folded

ENDINGS = frozenset({Status.SUBMITTED, Status.CANCELLED, Status.EXPIRED})
Found = Iterator[tuple[str, str]]
"""Guarantees that did not hold, each with what was seen."""


@dataclass(frozen=True)
class Look:
    """One turn, with what was on the screen after it.

    `again` takes the same turn once more, with the same answers from the tools. `fetches` are the
    tool calls that this turn made; `notes` all that was said in the chat so far; `waited` is a tap
    that waited while the model was answering.
    """

    types: JourneyTypes
    reply: Reply
    before: Conversation
    taken: Taken
    screen: Screen
    notes: list[Note]
    again: Callable[[], Taken] | None = None
    fetches: tuple[Fetch, ...] = ()
    waited: Reply | None = None

    @property
    def after(self) -> Conversation:
        """The state that the turn left."""
        return self.taken.state

    def is_text(self, name: str) -> bool:
        """Whether an item of the open journey is a text, or a list of them."""
        journey = self.after.journey
        kind = self.types.version(journey.manifest, journey.digest) if journey else None
        return kind is not None and kind.manifest.item(name).value in _TEXTS

    @property
    def asked_model(self) -> bool:
        """Whether a model had a part in the turn."""
        handed = (Happened.HANDED, Happened.MODEL_FAILED, Happened.TOOL_CALLED)
        spoke = any(note.role == "bot" for note in self.taken.effects.notes)
        return spoke or any(one.what in handed for one in self.taken.effects.events)


def broken(look: Look) -> list[Broken]:
    """Every guarantee that this turn broke."""
    return [
        Broken(guarantee=name, turn=look.after.turn, detail=detail) for name, detail in _all(look)
    ]


def _all(look: Look) -> Found:
    yield from private(look.taken.effects.events)
    yield from bound(look)
    journey = look.after.journey
    if journey is None:
        return
    kind = look.types.version(journey.manifest, journey.digest)
    if kind is None:
        return
    before = look.before.journey
    old = before if before is not None and before.id == journey.id else None
    yield from never_skipped(kind, journey)
    yield from never_invented(look, old, journey)
    yield from confirmed_as_shown(look)
    yield from acknowledged(kind, old, journey, look.taken)
    yield from accepted(kind, journey)
    yield from carried(kind, old, journey, look.fetches)
    yield from last_word(look.screen, journey, look.taken)
    yield from same_reply(look.taken)
    yield from no_second_question(look.taken)
    yield from nothing_hidden(kind, journey)
    yield from deterministic(look)


def never_skipped(kind: JourneyType, journey: Journey) -> Found:
    """G1: no summary while an item is owed."""
    if journey.ask is not None and journey.ask.kind is AskKind.SUMMARY:
        owed = planner.owed(kind.manifest, journey.draft)
        if owed or planner.next_item(kind.manifest, journey.draft) is not None:
            yield "G1", f"a summary while {owed} are owed"


_BY_SOURCE: dict[Source, tuple[type[Reply], ...]] = {
    Source.TAP: (Tap,),
    Source.TYPED: (Words, Shared),
    Source.FORM: (Submit, Tap, Words, Shared),
    Source.UPLOAD: (Upload, Submit),
    Source.RECORD: (Tap, Submit, Words),
}
"""What a person must have done in the turn in which a value came from a source."""

_TEXTS = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT, Kind.ENTRIES})


def never_invented(look: Look, old: Journey | None, journey: Journey) -> Found:
    """G2: every value that this turn wrote is the person's own: a quoted one stands in its quote,
    and the quote in their words; any other came of what they did just now."""
    known = old.draft.values if old is not None else {}
    for name, value in journey.draft.values.items():
        before = known.get(name)
        if before is not None and (before.value, before.source) == (value.value, value.source):
            continue
        if value.source is Source.QUOTED:
            yield from _unsaid(look, name, value)
        elif not any(
            isinstance(one, _BY_SOURCE[value.source]) for one in (look.reply, look.waited)
        ):
            yield "G2", f"{name} came by {value.source}, of {type(look.reply).__name__}"
        elif _is_not_typed(look, name, value):
            yield "G2", f"{name} is {value.value!r}, which was not typed"


def _is_not_typed(look: Look, name: str, value: Value) -> bool:
    typed = value.source is Source.TYPED and isinstance(value.value, str) and look.is_text(name)
    if not typed or not isinstance(look.reply, Words):
        return False
    return folded(value.value) not in folded(look.reply.text)


def _unsaid(look: Look, name: str, value: Value) -> Found:
    typed = [folded(note.text) for note in look.notes if note.words]
    typed += [folded(look.reply.caption)] if isinstance(look.reply, Upload) else []
    quote = folded(value.quote).strip(" .,;:!?\"'()")
    if not quote or not any(quote in text for text in typed):
        yield "G2", f"{name} quotes {value.quote!r}, which nobody said"
    pieces = value.value if isinstance(value.value, list) else [value.value]
    texts = [folded(piece) for piece in pieces if isinstance(piece, str)]
    if look.is_text(name) and not all(text in folded(value.quote) for text in texts):
        yield "G2", f"{name} is {value.value!r}, which does not stand in {value.quote!r}"


def confirmed_as_shown(look: Look) -> Found:
    """G3: what is submitted is the revision on the confirmed summary, confirmed by its owner."""
    submission, before = look.taken.effects.submission, look.before.journey
    if submission is None:
        return
    ask = before.ask if before else None
    if before is None or ask is None or ask.kind is not AskKind.SUMMARY:
        yield "G3", "submitted with no summary open"
        return
    if look.reply.by != look.before.person.id or not isinstance(look.reply, Tap | Words):
        yield "G3", "confirmed by something that is no yes of the owner"
    kind = look.types.version(submission.manifest, submission.digest)
    content = json.loads(submission.content)
    shown = planner.content(kind.manifest, before.draft) if kind else {}
    zone = look.before.person.zone if kind and kind.on_clock(content) else ""
    same = (
        submission.zone == look.before.person.zone,
        ask.revision == submission.revision == revision(submission.digest, content, zone),
        canonical(content).decode() == submission.content == canonical(shown).decode(),
    )
    if not all(same):
        yield "G3", "the submission is not the shown revision"
    yield from _rows_as_submitted(look, submission, ask.card, set(content))


def _rows_as_submitted(look: Look, submission: Submission, card: str, items: set[str]) -> Found:
    """What stood on the card that was confirmed."""
    shown = look.screen.drawn.get(card)
    if not isinstance(shown, Summary) or shown.revision != submission.revision:
        yield "G3", "the summary on the screen shows another revision"
    elif {row.item for row in shown.rows} != items:
        yield "G3", "the summary on the screen shows other items"


def acknowledged(kind: JourneyType, old: Journey | None, journey: Journey, taken: Taken) -> Found:
    """G4: a changed value is printed, old and new, in the same reply. G16: what goes is named."""
    if old is None or journey.status in ENDINGS:
        return
    changed = {
        name: value
        for name, value in old.draft.values.items()
        if name not in journey.draft.values or journey.draft.values[name].value != value.value
    }
    if not changed:
        return
    text = shown_text(taken)
    speak = kind.speak(taken.state.person.locale)
    acknowledging = speak("turn.changed", label="", old="", new="").split()[0]
    for name in changed:
        gone = name not in journey.draft.values
        if speak.label(name) not in text:
            yield ("G16" if gone else "G4"), f"{name} {'went' if gone else 'changed'} unsaid"
        elif not gone and acknowledging not in text:
            yield "G4", f"{name} changed without old and new"


def accepted(kind: JourneyType, journey: Journey) -> Found:
    """G5: a record is in the draft only by the person's acceptance."""
    allowed = (Source.RECORD, Source.TAP)
    for name, value in journey.draft.values.items():
        is_record = kind.manifest.item(name).value is Kind.RECORD and value.value is not None
        if is_record and value.source not in allowed:
            yield "G5", f"{name} came by {value.source}"


def carried(
    kind: JourneyType, old: Journey | None, journey: Journey, fetches: tuple[Fetch, ...]
) -> Found:
    """G6: every tool call has the settled values; as they were before the turn, or are after it."""
    drafts = [one.draft.plain() for one in (old, journey) if one is not None]
    for fetch in fetches:
        tool = next((one for one in kind.manifest.tools if one.name == fetch.tool), None)
        if tool is None:
            continue
        for argument in tool.arguments:
            # What depends on the very item that is searched for must not narrow the search.
            free = tool.item is not None and tool.item in _upstream(kind, argument.name)
            settled = [draft[argument.name] for draft in drafts if argument.name in draft]
            settled = [value for value in settled if value is not None]
            given = fetch.arguments.get(argument.name)
            if not free and len(settled) == len(drafts) and given not in settled:
                yield "G6", f"{fetch.tool} was called with {argument.name}={given!r}"


def _upstream(kind: JourneyType, name: str) -> Iterable[str]:
    known = name in kind.manifest.by_name
    return kind.manifest.upstream_of(name) if known else ()


def last_word(screen: Screen, journey: Journey, taken: Taken) -> Found:
    """G7 and G8: one live card, the open ask's, and it is the newest thing in the chat."""
    live = screen.live
    if journey.status in ENDINGS:
        if live:
            yield "G8", "a finished journey left a live card"
        return
    if journey.ask is None:
        yield "G7", "an open journey asks nothing"
        return
    if [card.id for card in live] != [journey.ask.card]:
        yield "G8", f"{len(live)} cards are live"
        return
    said = any(isinstance(effect, Say | Draw) for effect in taken.effects.show)
    if said and screen.messages[-1].id != journey.ask.card:
        yield "G7", "the open card is not the newest thing"


def same_reply(taken: Taken) -> Found:
    """G9: a receipt comes with the next card, or with the end of the journey."""
    closed = [one for one in taken.effects.show if isinstance(one, Close) and one.receipt]
    journey = taken.state.journey
    goes_on = journey is not None and journey.status is Status.OPEN
    drawn = any(isinstance(effect, Draw) for effect in taken.effects.show)
    if closed and goes_on and not drawn:
        yield "G9", "a receipt without the next card"


def no_second_question(taken: Taken) -> Found:
    """G10: no question of the model above a card that is drawn under it."""
    said = [one.text for one in taken.effects.show if isinstance(one, Say) and one.model]
    for text in said:
        if any(mark in _without_links(text) for mark in "?？؟"):
            yield "G10", text


def _without_links(text: str) -> str:
    return " ".join(word for word in text.split() if "://" not in word)


def private(events: Iterable[Event]) -> Found:
    """G14: an event holds counts and enums only."""
    for event in events:
        for value in msgspec.structs.astuple(event):
            if not isinstance(value, int | Happened):
                yield "G14", f"an event holds {type(value).__name__}"


def bound(look: Look) -> Found:
    """G15: a tap counts only for its owner, on its card."""
    reply, before, after = look.reply, look.before.journey, look.after.journey
    if before is None or not isinstance(reply, Tap | Submit):
        return
    ask = before.ask
    stranger = reply.by != look.before.person.id
    stale = ask is None or ask.card != reply.card
    if stranger and after != before:
        yield "G15", "a tap of somebody else's changed the journey"
    elif stale and (after is None or (after.draft, after.status) != (before.draft, before.status)):
        yield "G15", "a tap on another card than the open one changed the draft"


def nothing_hidden(kind: JourneyType, journey: Journey) -> Found:
    """G16: a hidden item's value is in no draft."""
    truths = planner.belonging(kind.manifest, journey.draft)
    for name in journey.draft.values:
        if truths[name] is planner.Truth.NO:
            yield "G16", f"{name} is hidden and still has a value"


def deterministic(look: Look) -> Found:
    """G11: the same state and reply give the same bytes, where no model had a part."""
    if look.again is None or look.asked_model:
        return
    again = look.again()
    if again.consult is None and _bytes(again) != _bytes(look.taken):
        yield "G11", "the same state and reply gave other bytes"


def _bytes(taken: Taken) -> bytes:
    return msgspec.json.encode(taken.state) + msgspec.json.encode(taken.effects)


def shown_text(taken: Taken) -> str:
    """Everything that a turn printed."""
    parts: list[str] = []
    for effect in taken.effects.show:
        if isinstance(effect, Say):
            parts.append(effect.text)
        elif isinstance(effect, Close):
            parts.append(effect.receipt)
        elif isinstance(effect, Draw) and isinstance(effect.card, Summary):
            parts.append(effect.card.title)
    return "\n".join(parts)
