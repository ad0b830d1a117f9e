"""What a tap, a submit, words or an upload do to the open ask."""

from __future__ import annotations

import msgspec

from core.cards import FieldKind, Form, Picker, PickerMode
from core.events import Happened
from core.manifest import Kind
from core.prose import cut
from core.reading import is_back, is_cancel, is_start_over, read
from core.reading.result import Context, Outcome
from core.replies import Shared, Submit, Tap, Upload, Words
from core.state import Ask, AskKind, Journey, Status, is_open
from core.step.base import Beside, Moved, Read, Refused, Settled, Unsure
from core.turn import asks, halfway, naming, person, personal, pressing, settle, summary
from core.turn.beginning import is_paused
from core.turn.turning import Turning

_TYPED_KINDS = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT, Kind.ENTRIES, Kind.FORM})
"""Kinds that take any text for an answer: the runtime's own words are looked for first."""

_ANSWERED_BY = {"contact": FieldKind.PHONE}
"""What can be shared in place of typing, and the field that it answers."""


def tapped(turn: Turning, reply: Tap | Submit) -> None:
    """A tap or a submit: on the open card, or on one that is inert (G8)."""
    ask = turn.ask
    if ask is None or reply.card != ask.card:
        _stale(turn, reply)
        return
    if isinstance(reply, Tap) and reply.token in asks.CONTROLS:
        turn.toast()
        control(turn, reply.token)
    elif ask.kind is AskKind.SUMMARY:
        _tapped_summary(turn, ask, reply)
    elif ask.kind is AskKind.STEP:
        apply(turn, turn.step(ask.item).read(turn.scene(ask.item), reply))
    elif ask.kind in personal.KINDS:
        person.tapped(turn, ask, reply)
    else:
        token = reply.token if isinstance(reply, Tap) else ""
        sure_of_it = halfway.answered if ask.kind is AskKind.NUDGE else _sure
        sure_of_it(turn, ask, {"yes": True, "no": False}.get(token))


def _stale(turn: Turning, reply: Tap | Submit) -> None:
    turn.event(Happened.STALE_TAP)
    turn.toast(turn.texts("turn.stale" if is_open(turn.state) else "turn.nothing_open"))
    turn.close(reply.card)
    if turn.ask is not None:
        asks.again(turn)


def _tapped_summary(turn: Turning, ask: Ask, reply: Tap | Submit) -> None:
    token = reply.token if isinstance(reply, Tap) else ""
    name = summary.row_item(turn, token)
    if token == "confirm":
        turn.toast()
        confirm(turn, ask)
    elif name:
        turn.toast()
        reopen(turn, name)
    else:
        _stale(turn, reply)


def confirm(turn: Turning, ask: Ask) -> None:
    """The summary is confirmed: submit what it shows, or show what has changed since."""
    if settle.drop_outdated(turn) or not summary.confirmable(turn, ask):
        turn.say("turn.summary_changed")
        asks.advance(turn)
        return
    summary.submit(turn, ask)


def reopen(turn: Turning, name: str) -> None:
    """The review: a settled item's own card again."""
    turn.event(Happened.RE_OPENED, name)
    asks.open_step(turn, name)


def apply(turn: Turning, result: Read) -> None:
    """What a step read of a tap, a submit or an upload."""
    ask = turn.ask
    assert ask is not None
    if isinstance(result, Settled):
        turn.toast()
        settle.settle(turn, ask.item, result)
    elif isinstance(result, Moved):
        turn.toast()
        turn.update_ask(cursor=dict(result.cursor))
        asks.refresh(turn)
    elif isinstance(result, Refused):
        refuse(turn, result)
    elif isinstance(result, Unsure):
        unsure(turn, result)
    else:
        turn.toast()
        asks.redraw(turn)


def refuse(turn: Turning, result: Refused, *, typed: bool = False) -> None:
    """A refused reply gets one message: the reason and the card together."""
    ask = turn.ask
    assert ask is not None
    turn.event(Happened.REFUSED, ask.item)
    turn.fact(f"A reply to {ask.item} was refused: {result.reason}")
    turn.refused = {"": result.reason, **result.fields}
    cursor = ask.cursor if result.cursor is None else dict(result.cursor)
    turn.update_ask(refusals=ask.refusals + 1, cursor=cursor)
    proposed = asks.propose(turn, ask.item, result.proposals)
    if not typed:
        turn.toast(result.reason, told=True)
    if typed or proposed:
        # Suggestions are tapped by their place, so new ones need a new card.
        asks.redraw(turn, reason=result.reason)
    else:
        asks.refresh(turn, reason=result.reason)


def unsure(turn: Turning, result: Unsure) -> None:
    """Only a tap can tell which was meant: the card comes again with what it could be."""
    ask = turn.ask
    assert ask is not None
    turn.event(Happened.UNSURE, ask.item)
    asks.propose(turn, ask.item, result.proposals)
    asks.redraw(turn, reason=result.reason or turn.texts("turn.unsure"))


def control(turn: Turning, token: str) -> None:
    """One of the runtime's own buttons."""
    ask = turn.ask
    assert ask is not None
    if token == "~back" and (name := asks.previous(turn)):
        reopen(turn, name)
    elif token == "~keep" and ask.kind is AskKind.STEP and turn.draft.has(ask.item):
        _keep(turn, ask)
    elif token in ("~cancel", "~restart"):
        sure(turn, AskKind.CANCEL if token == "~cancel" else AskKind.RESTART)
    elif token == "~human" and turn.type.manifest.human:
        turn.say("turn.human", contact=turn.type.manifest.human)
        asks.redraw(turn)
    else:
        asks.redraw(turn)


def _keep(turn: Turning, ask: Ask) -> None:
    label = turn.texts.label(ask.item)
    value = turn.display(ask.item, turn.draft.values[ask.item].value)
    turn.close(ask.card, turn.texts("turn.kept", label=label, value=value))
    cursors = {key: kept for key, kept in turn.journey.cursors.items() if key != ask.item}
    turn.update(ask=None, reopened="", cursors=cursors)
    asks.advance(turn)


def sure(turn: Turning, kind: AskKind, journey: str = "") -> None:
    """Cancel and start over ask once. `journey` is what a start over starts, when it is another."""
    if kind is AskKind.RESTART and is_paused(turn, journey or turn.journey.manifest):
        if turn.ask is not None:
            asks.again(turn)
        else:
            asks.advance(turn)
        return
    asks.leave(turn)
    cursor = {"journey": journey} if journey else {}
    turn.update(ask=Ask(kind=kind, card="", drawn_at=turn.world.now, cursor=cursor))
    asks.draw(turn)


def _sure(turn: Turning, ask: Ask, answer: bool | None) -> None:
    turn.toast()
    wanted = ask.cursor.get("journey") or turn.journey.manifest
    if answer is None:
        asks.redraw(turn)
    elif not answer or (ask.kind is AskKind.RESTART and is_paused(turn, wanted)):
        turn.close(ask.card, turn.texts("turn.going_on"))
        reopened = turn.journey.reopened
        turn.update(ask=None)
        asks.advance(turn, prefer=reopened)
    elif ask.kind is AskKind.CANCEL:
        turn.close(ask.card, turn.texts("turn.cancelled"))
        turn.state = msgspec.structs.replace(turn.state, journey=cancelled(turn.journey))
        turn.event(Happened.CANCELLED)
        turn.fact("The person cancelled the journey.")
    else:
        turn.close(ask.card, turn.texts("turn.restarted"))
        offered = turn.world.types.latest(wanted) is not None
        start(turn, wanted if offered else turn.journey.manifest)
        asks.advance(turn)


def cancelled(journey: Journey) -> Journey:
    """A journey that the person has ended: nothing of what they said is kept in it."""
    return halfway.ended(journey, Status.CANCELLED)


def start(turn: Turning, name: str) -> None:
    """A fresh journey, with nothing kept of the one before."""
    found = turn.world.types.latest(name)
    assert found is not None
    manifest = found.manifest
    journey = Journey(id=turn.world.fresh, manifest=manifest.name, digest=manifest.digest)
    turn.state = msgspec.structs.replace(turn.state, journey=journey, facts=())
    turn.event(Happened.STARTED)


def words(turn: Turning, reply: Words) -> Beside | None:
    """Typed words with an ask open; what stands beside the answer when they are for the model."""
    ask = turn.ask
    assert ask is not None
    if not _early(turn, ask, reply) and (token := pressing.pressed(turn, ask, reply.text)):
        return _pressed(turn, ask, token, reply)
    if ask.kind is AskKind.SUMMARY:
        return _words_summary(turn, ask, reply)
    if ask.kind is AskKind.NUDGE:
        early = _early(turn, ask, reply)
        if halfway.worded(turn, ask, reply.text, _context(turn), early=early):
            return None
        return words(turn, reply)
    if ask.kind in (AskKind.CANCEL, AskKind.RESTART):
        reading = read("confirm", reply.text, _context(turn))
        sure_of_it = reading.outcome is Outcome.SETTLED and not _early(turn, ask, reply)
        _sure(turn, ask, reading.value if sure_of_it else None)
        return None
    if ask.kind in personal.KINDS:
        if spoken_control(turn, reply):
            return None
        return person.words(turn, ask, reply, early=_early(turn, ask, reply))
    kind = turn.type.manifest.item(ask.item).value
    if kind in _TYPED_KINDS and spoken_control(turn, reply):
        return None
    result = turn.step(ask.item).read(turn.scene(ask.item), reply)
    if _early(turn, ask, reply) and not isinstance(result, Beside):
        result = _as_proposal(result)
    return _apply_words(turn, result, reply)


def _pressed(turn: Turning, ask: Ask, token: str, reply: Words) -> Beside | None:
    """A button of the open card that was typed."""
    if token in asks.CONTROLS:
        control(turn, token)
        return None
    tap = Tap(card=ask.card, token=token, by=reply.by, at=reply.at)
    return _apply_words(turn, turn.step(ask.item).read(turn.scene(ask.item), tap), reply)


def _apply_words(turn: Turning, result: Read, reply: Words) -> Beside | None:
    ask = turn.ask
    assert ask is not None
    if isinstance(result, Settled):
        settle.settle(turn, ask.item, result)
    elif isinstance(result, Moved):
        turn.update_ask(cursor=dict(result.cursor))
        asks.redraw(turn, reason=result.said)
    elif isinstance(result, Refused):
        refuse(turn, result, typed=True)
    elif isinstance(result, Unsure):
        unsure(turn, result)
    elif not spoken_control(turn, reply):
        asks.propose(turn, ask.item, result.proposals)
        turn.event(Happened.HANDED, ask.item)
        return result
    return None


def _early(turn: Turning, ask: Ask, reply: Words | Upload) -> bool:
    """Whether a reply was sent before its card was to be seen."""
    drawn_at = ask.drawn_at
    if not ask.seen_before:
        if asks.is_unseen(turn, ask):
            return True
        drawn_at = turn.world.sight.at or drawn_at
    # Platforms stamp messages in whole seconds, so a stamp is early only by the second.
    return reply.at < drawn_at.replace(microsecond=0)


def _as_proposal(result: Read) -> Read:
    """What was sent before the card was seen cannot be its answer: at most it suggests one."""
    if isinstance(result, Settled) and result.value is not None:
        return Beside(proposals=(result.value,))
    if isinstance(result, Unsure | Refused):
        return Beside(proposals=result.proposals)
    return Beside()


def _words_summary(turn: Turning, ask: Ask, reply: Words) -> Beside | None:
    reading = read("confirm", reply.text, _context(turn))
    if reading.outcome is Outcome.SETTLED and not _early(turn, ask, reply):
        if reading.value:
            confirm(turn, ask)
        else:
            asks.redraw(turn, reason=turn.texts("turn.what_to_change"))
        return None
    if spoken_control(turn, reply):
        return None
    named = naming.named_row(turn, reply)
    if named is not None:
        asks.propose(turn, named.item, named.proposals)
        if named.reason:
            turn.tell(named.reason)
        reopen(turn, named.item)
        return None
    turn.event(Happened.HANDED)
    return Beside()


def spoken_control(turn: Turning, reply: Words) -> bool:
    """Back, cancel and start over as typed words, when they are the whole reply."""
    context = _context(turn)
    for token, heard in (("~back", is_back), ("~cancel", is_cancel), ("~restart", is_start_over)):
        if heard(reply.text, context):
            control(turn, token)
            return True
    return False


def _context(turn: Turning) -> Context:
    return Context(now=turn.local_now, locale=turn.state.person.locale)


def shared_words(turn: Turning, reply: Shared) -> Words | None:
    """What was shared as the words that answer the open ask; None where it asks for no such thing.

    A contact's number answers a field that asks for a phone number, and whose contact it is an ask
    for a person. Nothing else is ever read as if it had been typed.
    """
    ask = turn.ask
    if ask is None or ask.kind is not AskKind.STEP:
        return None
    card = asks.render(turn, ask)
    if isinstance(card, Picker) and card.mode is PickerMode.PEOPLE and reply.people:
        said, who = reply.people[0].said, {"by": reply.by, "locale": reply.locale}
        return Words(text=said, people=reply.people, at=reply.at, **who)
    if not isinstance(card, Form) or not reply.value:
        return None
    asked = {field.kind for field in card.fields if field.name == card.active}
    if _ANSWERED_BY.get(reply.kind) not in asked:
        return None
    return Words(text=reply.value, by=reply.by, at=reply.at, locale=reply.locale)


def picked(turn: Turning, reply: Shared) -> None:
    """Somebody was picked from the platform's own list, which tells so with a message: the card
    that asked for them stands above it now."""
    ask = turn.ask
    if ask is None or ask.kind is not AskKind.STEP or ask.card != reply.card:
        turn.event(Happened.STALE_TAP)
        turn.say("turn.stale" if is_open(turn.state) else "turn.nothing_open")
        if ask is not None:
            asks.again(turn)
        return
    ids = [one.id for one in reply.people]
    submit = Submit(
        card=reply.card, values={"value": ids}, people=reply.people, by=reply.by, at=reply.at
    )
    result = turn.step(ask.item).read(turn.scene(ask.item), submit)
    if isinstance(result, Settled):
        settle.settle(turn, ask.item, result)
    elif isinstance(result, Refused):
        refuse(turn, result, typed=True)
    else:
        asks.redraw(turn)


def uploaded(turn: Turning, reply: Upload) -> Beside | None:
    """Files with an ask open; what stands beside the answer when they are for the model."""
    ask = turn.ask
    if ask is None or ask.kind is not AskKind.STEP:
        return Beside()
    result = turn.step(ask.item).read(turn.scene(ask.item), reply)
    if isinstance(result, Settled) and cut(reply.caption).questions:
        # As with words: who asks something beside the answer is answered first.
        result = Beside(proposals=(result.value,))
    elif _early(turn, ask, reply):
        result = _as_proposal(result)
    if isinstance(result, Beside):
        asks.propose(turn, ask.item, result.proposals)
        return result
    if isinstance(result, Refused):
        refuse(turn, result, typed=True)
    else:
        apply(turn, result)
    return None
