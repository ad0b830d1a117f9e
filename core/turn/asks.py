"""Drawing: which ask is open, its card, and the controls that every card has."""

from __future__ import annotations

from typing import Any

import msgspec

from core import planner
from core.cards import Button, Card, Chips, Picker, Role
from core.effects import Change, Draw
from core.events import Happened
from core.state import Ask, AskKind
from core.turn import personal, summary
from core.turn.turning import Turning

CONTROLS = {
    "~back": Role.BACK,
    "~cancel": Role.CANCEL,
    "~restart": Role.RESTART,
    "~keep": Role.SKIP,
    "~human": Role.HUMAN,
}
"""The runtime's own buttons, by token; a step's tokens never start with a tilde."""

SURE = frozenset({AskKind.CANCEL, AskKind.RESTART, AskKind.NUDGE})
"""Kinds of ask that are about the journey itself, and want a yes or a no."""

PATIENCE = 3
"""After so many refusals of one ask the card offers other ways out."""


def advance(turn: Turning, *, prefer: str = "", late: bool = False) -> None:
    """Draw what is to be asked now: the preferred item, the next owed step, or the summary."""
    manifest = turn.type.manifest
    if prefer and planner.askable(manifest, turn.draft, manifest.item(prefer)):
        open_step(turn, prefer, late=late)
        return
    item = planner.next_item(manifest, turn.draft)
    if item is not None:
        open_step(turn, item.name, late=late)
        return
    turn.update(reopened="")
    summary.open_summary(turn)
    turn.event(Happened.LATE_DRAWN if late else Happened.DRAWN)
    turn.reach("")
    draw(turn)


def open_step(turn: Turning, name: str, *, late: bool = False) -> None:
    """Open the ask of an item and draw its card; what was half done on it comes back.

    What is read on the person's own clock waits until their time zone is known.
    """
    reopened = name if turn.draft.has(name) else ""
    if needs_zone(turn, name):
        turn.update(reopened=reopened)
        open_beside(turn, personal.zone_ask(turn, name), late=late)
        return
    leave(turn)
    journey = turn.journey
    turn.update(
        ask=Ask(
            item=name,
            card="",
            drawn_at=turn.world.now,
            cursor=journey.cursors.get(name, {}),
            proposals=proposals(turn, name),
        ),
        reopened=reopened,
    )
    turn.event(Happened.LATE_DRAWN if late else Happened.DRAWN, name)
    turn.reach(name)
    draw(turn)


def needs_zone(turn: Turning, name: str) -> bool:
    """Whether the person's time zone must be asked for before this item."""
    return not turn.state.person.zone_known and turn.type.reads_clock(name)


def open_beside(turn: Turning, ask: Ask, *, reason: str = "", late: bool = False) -> None:
    """Open an ask that is no item's, and draw its card."""
    leave(turn)
    turn.update(ask=ask)
    turn.event(Happened.LATE_DRAWN if late else Happened.DRAWN)
    draw(turn, reason=reason)


def leave(turn: Turning) -> None:
    """The open ask is open no longer; what is half done on its card is kept for the next time."""
    ask = turn.ask
    if ask is None:
        return
    if ask.card:
        turn.close(ask.card)
    cursors = turn.journey.cursors
    if ask.kind is AskKind.STEP and ask.cursor:
        cursors = {**cursors, ask.item: ask.cursor}
    turn.update(ask=None, cursors=cursors)


def redraw(turn: Turning, *, reason: str = "") -> None:
    """Draw the open ask again as the newest message; the card before it is inert from now on."""
    ask = turn.ask
    assert ask is not None
    turn.close(ask.card)
    turn.event(Happened.REDRAWN, ask.item)
    draw(turn, reason=reason)


def still_shows(turn: Turning, ask: Ask) -> bool:
    """Whether an open ask is still the one to ask: a summary, only while it shows what is so."""
    return ask.kind is not AskKind.SUMMARY or ask.revision == summary.current_revision(turn)


def again(turn: Turning) -> None:
    """The very same question once more, as the newest message: an answer to it that was on its way
    still is one."""
    before = turn.ask
    assert before is not None
    redraw(turn)
    seen = before.seen_before or not is_unseen(turn, before)
    turn.update_ask(drawn_at=before.drawn_at, seen_before=seen)


def is_unseen(turn: Turning, ask: Ask) -> bool:
    """Whether the card of an ask is not to be seen yet. What cannot be taken back has to be seen
    for certain: what is confirmed is what was shown (G3), and what is thrown away was meant."""
    sight, final = turn.world.sight, (AskKind.SUMMARY, *SURE)
    return sight.unseen or (sight.unsure and ask.kind in final)


def refresh(turn: Turning, *, reason: str = "") -> None:
    """Show the open ask's own state: in place, or anew when something was said below it."""
    ask = turn.ask
    assert ask is not None
    if turn.below:
        redraw(turn, reason=reason)
    else:
        card = render(turn, ask, reason=reason)
        turn.update_ask(drawn=_option_tokens(card))
        turn.show.append(Change(card=card))


def draw(turn: Turning, *, reason: str = "") -> None:
    """Draw the open ask as a new card at the end of the chat."""
    turn.update_ask(card=turn.next_card(), drawn_at=turn.world.now, seen_before=False)
    assert turn.ask is not None
    card = render(turn, turn.ask, reason=reason)
    turn.update_ask(drawn=_option_tokens(card))
    turn.show.append(Draw(card=card))
    turn.below = False


def _option_tokens(card: Card) -> tuple[str, ...]:
    # Records may change between a draw and a tap: what was shown decides what a tap means (G5).
    return tuple(one.token for one in card.options) if isinstance(card, Picker) else ()


def render(turn: Turning, ask: Ask, *, reason: str = "") -> Card:
    """The card of an ask, as it stands now."""
    if ask.kind is AskKind.SUMMARY:
        return summary.summary_card(turn, ask, reason=reason, controls=_controls(turn, ask))
    if ask.kind in SURE:
        return _sure_card(turn, ask, reason)
    if ask.kind in personal.KINDS:
        return personal.card(turn, ask, reason=reason, controls=_controls(turn, ask))
    step = turn.step(ask.item)
    card = step.draw(turn.scene(ask.item, reason=reason))
    hint = card.hint
    if turn.draft.has(ask.item):
        now = turn.display(ask.item, turn.draft.values[ask.item].value)
        hint = "\n".join(part for part in (hint, turn.texts("turn.now_is", value=now)) if part)
    controls = (*card.controls, *_controls(turn, ask))
    return msgspec.structs.replace(card, id=ask.card, hint=hint, controls=controls)


def _sure_card(turn: Turning, ask: Ask, reason: str) -> Chips:
    key = f"turn.{ask.kind.value}"
    return Chips(
        id=ask.card,
        item="",
        title=_sure_of(turn, ask),
        reason=reason,
        options=(
            Button(token="yes", label=turn.texts(f"{key}_yes"), role=Role.OPTION),
            Button(token="no", label=turn.texts(f"{key}_no"), role=Role.OPTION),
        ),
    )


def _sure_of(turn: Turning, ask: Ask) -> str:
    """The question of an ask about the journey itself."""
    known = len(planner.content(turn.type.manifest, turn.draft))
    title, key = turn.texts("title"), f"turn.{ask.kind.value}_sure"
    return _other_journey(turn, ask) or turn.texts(key, title=title, count=known)


def _other_journey(turn: Turning, ask: Ask) -> str:
    """The question when another journey is to take this one's place; empty where it is the same."""
    name = str(ask.cursor.get("journey", ""))
    other = turn.world.types.latest(name) if name != turn.journey.manifest else None
    if other is None:
        return ""
    new = other.speak(turn.state.person.locale)("title")
    return turn.texts("turn.switch_sure", old=turn.texts("title"), new=new)


def _controls(turn: Turning, ask: Ask) -> tuple[Button, ...]:
    tokens = []
    if ask.kind is AskKind.STEP and turn.draft.has(ask.item):
        tokens.append("~keep")
    if ask.refusals >= PATIENCE and turn.type.manifest.human:
        tokens.append("~human")
    if previous(turn):
        tokens.append("~back")
    tokens += ["~cancel", "~restart"]
    return tuple(
        Button(token=token, label=turn.texts(f"turn.control.{token[1:]}"), role=CONTROLS[token])
        for token in tokens
    )


def previous(turn: Turning) -> str:
    """The item that Back re-opens: the one settled before the open one; empty without one."""
    settled = [name for name in turn.journey.order if turn.draft.has(name)]
    ask = turn.ask
    if ask is not None and ask.item in settled:
        settled = settled[: settled.index(ask.item)]
    return settled[-1] if settled else ""


def proposals(turn: Turning, name: str) -> tuple[Any, ...]:
    """What is suggested for an item: what was proposed for it, and what it once was."""
    given = list(turn.journey.proposals.get(name, ()))
    if not turn.draft.has(name) and name in turn.draft.former:
        given.append(turn.draft.former[name])
    return distinct(value for value in given if turn.proposable(name, value))


def distinct(values: Any) -> tuple[Any, ...]:
    """Each value once, in the order it came; values may be lists and mappings."""
    seen: list[Any] = []
    for value in values:
        if value not in seen:
            seen.append(value)
    return tuple(seen)


def propose(turn: Turning, name: str, values: tuple[Any, ...]) -> bool:
    """Put suggestions beside an item's ask, open or not; False when none of them could stand."""
    good = tuple(value for value in values if turn.proposable(name, value))
    if not good:
        return False
    ask = turn.ask
    if ask is not None and ask.kind is AskKind.STEP and ask.item == name:
        turn.update_ask(proposals=distinct((*good, *ask.proposals))[:6])
    else:
        kept = turn.journey.proposals.get(name, ())
        proposals = {**turn.journey.proposals, name: distinct((*good, *kept))[:6]}
        turn.update(proposals=proposals)
    return True
