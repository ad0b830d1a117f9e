"""What always holds, checked after every turn of a chat: G1 to G16 as far as one turn can show."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec

from core import planner
from core.cards import Summary
from core.draft import Source, canonical, revision
from core.effects import Close, Draw, Say
from core.events import Event, Happened
from core.journey import JourneyType
from core.manifest import Kind
from core.replies import Reply, Submit, Tap, Words
from core.state import AskKind, Conversation, Journey, Status
from core.turn import Taken
from core.turn.quotes import folded
from tests.support.chat import Chat

ENDINGS = {Status.SUBMITTED, Status.CANCELLED, Status.EXPIRED}


def check(chat: Chat, reply: Reply, before: Conversation, taken: Taken) -> None:
    """All of it; an AssertionError names the guarantee that broke."""
    after = taken.state
    journey = after.journey
    if journey is None:
        return
    kind = chat.types.version(journey.manifest, journey.digest)
    assert kind is not None
    old = before.journey if before.journey and before.journey.id == journey.id else None
    never_skipped(kind, journey)
    never_invented(chat, journey)
    confirmed_as_shown(chat, reply, before, taken)
    acknowledged(kind, old, journey, taken)
    accepted(kind, journey)
    one_live_card_at_the_end(chat, journey, taken)
    same_reply(before, taken)
    no_second_question(taken)
    private(taken.effects.events)
    nothing_hidden_left(kind, journey)
    deterministic(chat, reply, before, taken)


def never_skipped(kind: JourneyType, journey: Journey) -> None:
    """G1: no summary while an item is owed."""
    if journey.ask is not None and journey.ask.kind is AskKind.SUMMARY:
        assert not planner.owed(kind.manifest, journey.draft), "G1"
        assert planner.next_item(kind.manifest, journey.draft) is None, "G1"


def never_invented(chat: Chat, journey: Journey) -> None:
    """G2: every value has a source, and a quoted one is found in the person's words."""
    typed = [folded(note.text) for note in chat.notes if note.words]
    for name, value in journey.draft.values.items():
        assert isinstance(value.source, Source), "G2"
        if value.source is Source.QUOTED:
            assert any(folded(value.quote).strip(" .,;:!?\"'()") in text for text in typed), (
                f"G2: {name} quotes {value.quote!r}"
            )


def confirmed_as_shown(chat: Chat, reply: Reply, before: Conversation, taken: Taken) -> None:
    """G3: what is submitted is the revision on the confirmed summary, confirmed by its owner."""
    submission = taken.effects.submission
    if submission is None:
        return
    ask = before.journey.ask if before.journey else None
    assert ask is not None, "G3"
    assert ask.kind is AskKind.SUMMARY, "G3"
    assert reply.by == chat.person.id, "G3"
    assert isinstance(reply, Tap | Words), "G3"
    assert ask.revision == submission.revision, "G3"
    content = json.loads(submission.content)
    assert canonical(content).decode() == submission.content, "G3"
    assert revision(submission.digest, content) == submission.revision, "G3"
    assert before.journey is not None
    kind = chat.types.version(submission.manifest, submission.digest)
    assert kind is not None
    shown = planner.content(kind.manifest, before.journey.draft)
    assert canonical(shown).decode() == submission.content, "G3"


def acknowledged(kind: JourneyType, old: Journey | None, journey: Journey, taken: Taken) -> None:
    """G4: a changed value is printed, old and new, in the same reply. G16: what goes is named."""
    if old is None or journey.status in ENDINGS:
        return
    text = shown_text(taken)
    labels = kind.speak(taken.state.person.locale)
    for name, value in old.draft.values.items():
        now = journey.draft.values.get(name)
        if now is None:
            assert labels.label(name) in text, f"G16: {name} went unsaid in {text!r}"
        elif now.value != value.value:
            assert labels.label(name) in text, f"G4: {name} changed unsaid"
            assert labels("turn.changed", label="", old="", new="").split()[0] in text, "G4"


def accepted(kind: JourneyType, journey: Journey) -> None:
    """G5: a record is in the draft only by the person's acceptance."""
    for name, value in journey.draft.values.items():
        if kind.manifest.item(name).value is Kind.RECORD and value.value is not None:
            assert value.source in (Source.RECORD, Source.TAP), f"G5: {name} by {value.source}"


def one_live_card_at_the_end(chat: Chat, journey: Journey, taken: Taken) -> None:
    """G7 and G8: one live card, the open ask's, and it is the newest thing in the chat."""
    live = chat.live
    if journey.status in ENDINGS:
        assert not live, "G8: a finished journey left a live card"
        return
    assert journey.ask is not None, "an open journey always asks something"
    assert [card.id for card in live] == [journey.ask.card], "G8"
    if any(isinstance(effect, Say | Draw) for effect in taken.effects.show):
        assert chat.screen[-1].id == journey.ask.card, "G7"


def same_reply(before: Conversation, taken: Taken) -> None:
    """G9: a receipt comes with the next card, or with the end of the journey."""
    closed = [e for e in taken.effects.show if isinstance(e, Close) and e.receipt]
    if closed and taken.state.journey is not None and taken.state.journey.status is Status.OPEN:
        assert any(isinstance(effect, Draw) for effect in taken.effects.show), "G9"


def no_second_question(taken: Taken) -> None:
    """G10: no question of the model above a card that is drawn under it."""
    for effect in taken.effects.show:
        if isinstance(effect, Say) and effect.model:
            assert "?" not in effect.text.replace("://", "").split("?q=")[0], (
                f"G10: {effect.text!r}"
            )


def private(events: Iterable[Event]) -> None:
    """G14: an event holds counts and enums only."""
    for event in events:
        for value in msgspec.structs.astuple(event):
            assert isinstance(value, int | Happened), "G14"


def nothing_hidden_left(kind: JourneyType, journey: Journey) -> None:
    """A hidden item's value is in no draft."""
    truths = planner.belonging(kind.manifest, journey.draft)
    assert all(truths[name] is not planner.Truth.NO for name in journey.draft.values)


def deterministic(chat: Chat, reply: Reply, before: Conversation, taken: Taken) -> None:
    """G11: the same state and reply give the same bytes, where no model had a part."""
    if any(
        event.what in (Happened.HANDED, Happened.MODEL_FAILED) for event in taken.effects.events
    ):
        return
    if any(note.role == "bot" for note in taken.effects.notes) or isinstance(reply, Words):
        return
    again = chat.taken(before, reply)
    if again.consult is None:
        assert msgspec.json.encode(again.state) == msgspec.json.encode(taken.state), "G11"
        assert msgspec.json.encode(again.effects) == msgspec.json.encode(taken.effects), "G11"


def shown_text(taken: Taken) -> str:
    """Everything that a turn printed."""
    parts: list[str] = []
    for effect in taken.effects.show:
        if isinstance(effect, Say):
            parts.append(effect.text)
        if isinstance(effect, Close):
            parts.append(effect.receipt)
        if isinstance(effect, Draw) and isinstance(effect.card, Summary):
            parts.append(effect.card.title)
    return "\n".join(parts)


def stale(reply: Reply, before: Conversation) -> bool:
    """Whether a tap was on a card that is not the open one."""
    ask = before.journey.ask if before.journey else None
    return isinstance(reply, Tap | Submit) and (ask is None or ask.card != reply.card)


__all__ = ["Any", "check", "shown_text", "stale"]
