"""The turn: a state and a reply in, a new state and effects out. Nothing else is touched.

The rules, in the order in which they are applied:

1. Only the conversation's owner counts. Anybody else's tap is told so and changes nothing (G15).
2. A journey whose version is gone is brought up to date first, and the person is told.
3. A command or a reload is the runtime's own business.
4. A tap or a submit counts on the open card alone; on any other it says that this card is an
   earlier one, and the open ask is drawn again (G8).
5. Words with an ask open meet its step first. All of them the answer: it settles. Anything beside
   it: they go to the model, and what could be read becomes a suggestion.
6. A settle chains: written, receipt, next card, in one reply and with no model call (G9, G11).
7. Words with no ask open, and words that a step handed on, go to the model. Its answer counts only
   when it is whole; then its own question is cut and the owed card is drawn under it (G7, G10).
8. A tap that came while the model was answering counts if its card is still the open one; then the
   ask is not drawn again for nothing.

`take` does all but the model's part. When it returns a `Consult`, the shell asks the model, drives
the consultation's tool calls, and finishes the turn with `answered`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from core.effects import Effects, Note, Toast
from core.events import Happened
from core.prose import cut
from core.replies import Act, Command, Reload, Reply, Shared, Submit, Tap, Upload, Words
from core.state import AskKind, Conversation, is_open
from core.step.base import Beside
from core.texts import Texts
from core.turn import asks, commands, halfway, late, migrate, moderated, pressing, replies
from core.turn.beginning import may_begin
from core.turn.commands import SORRY, STOP
from core.turn.consult import Consult
from core.turn.quotes import own_texts
from core.turn.turning import Sight, Turning, World

__all__ = ["SORRY", "STOP", "Consult", "Sight", "Taken", "World", "answered", "take"]


@dataclass(frozen=True)
class Taken:
    """What a turn came to: the state and effects, or a question to the model first.

    With a `consult`, `state` and `effects` are what stands if nothing more came of it. `refused`
    tells why the open card refused the reply: by field, and under "" as a whole; it is empty where
    the card did not.
    """

    state: Conversation
    effects: Effects
    consult: Consult | None = None
    refused: Mapping[str, str] = field(default_factory=dict)


def take(state: Conversation, reply: Reply, world: World) -> Taken:
    """Take one turn, up to the model's part of it.

    Raises `core.step.base.Needs` when a step needs something fetched: fetch it, put the answer
    into `world.fetched`, and take the same turn again.
    """
    turn = Turning(state, world)
    if isinstance(reply, Tap | Submit | Act):
        turn.handle = reply.handle
    if reply.by != state.person.id:
        return _stranger(turn, reply)
    if _says_another_language(turn, reply):
        turn.meet(locale=reply.locale)
    if not migrate.bring_up_to_date(turn):
        commands.without_type(turn, reply)
        return _done(turn)
    if isinstance(reply, Command):
        commands.commanded(turn, reply)
    elif isinstance(reply, Reload):
        commands.reloaded(turn)
    elif isinstance(reply, Tap | Submit):
        replies.tapped(turn, reply)
    elif isinstance(reply, Act):
        # What stands below a post is no matter of the journey.
        return _done(turn)
    else:
        return _spoken(turn, reply)
    if is_open(turn.state) and turn.ask is None:
        # The form itself changed and its card went: what is owed now is asked in its place.
        asks.advance(turn)
    return _done(turn)


def _says_another_language(turn: Turning, reply: Reply) -> bool:
    """Whether the platform tells a new language of somebody who has not chosen one."""
    person = turn.state.person
    return bool(reply.locale) and not person.locale_chosen and reply.locale != person.locale


def _stranger(turn: Turning, reply: Reply) -> Taken:
    if isinstance(reply, Tap | Submit):
        locale = reply.locale or turn.state.person.locale
        turn.toast(Texts(locale)("turn.not_yours"))
        turn.event(Happened.STRANGER_TAP)
    return _done(turn)


def _spoken(turn: Turning, reply: Words | Upload | Shared) -> Taken:
    """Words, uploads and what else was sent: for the open ask, or for the model."""
    if isinstance(reply, Shared) and reply.card:
        replies.picked(turn, reply)
        return _done(turn)
    if isinstance(reply, Shared):
        reply = replies.shared_words(turn, reply) or reply
    if isinstance(reply, Words) and pressing.asks_help(turn, reply.text):
        commands.commanded(turn, Command(name="help", by=reply.by, at=reply.at))
        return _done(turn)
    heard = reply.text if isinstance(reply, Words) else _described(turn, reply)
    begins = not is_open(turn.state)
    if begins and not _begun(turn):
        return _done(turn)
    turn.notes.append(Note(role="person", text=heard, words=isinstance(reply, Words)))
    if begins and not turn.world.talks:
        # Nobody is there to talk about what was said, but there is somebody to be welcomed.
        commands.welcome(turn)
        return _done(turn)
    beside = _met(turn, reply)
    if beside is None:
        return _done(turn)
    return Taken(turn.state, turn.effects(), Consult(turn, _own_words(reply), beside.reason))


def _met(turn: Turning, reply: Words | Upload | Shared) -> Beside | None:
    """What was said meets the open ask; what stands beside the answer when it is for the model."""
    ask = turn.ask
    if turn.moved_from and ask is None and not isinstance(reply, Shared):
        return late.heard(turn, reply)
    if ask is not None and ask.kind is AskKind.NUDGE and not isinstance(reply, Words):
        halfway.put_back(turn, ask)
    if ask is not None and isinstance(reply, Words):
        return replies.words(turn, reply)
    if ask is not None and isinstance(reply, Upload):
        return replies.uploaded(turn, reply)
    return Beside()


def _own_words(reply: Words | Upload | Shared) -> str:
    """What the person wrote themselves: a file's name, or what the runtime tells of it, is no quote
    of theirs (G2)."""
    if isinstance(reply, Words):
        return reply.text
    return reply.caption if isinstance(reply, Upload) else ""


def _begun(turn: Turning) -> bool:
    """A first message starts the journey there is; after a finished one, nothing starts itself."""
    if turn.state.journey is None and turn.world.starts:
        if not may_begin(turn, turn.world.starts):
            return False
        replies.start(turn, turn.world.starts)
        return True
    turn.say("turn.nothing_open")
    return False


def _described(turn: Turning, reply: Upload | Shared) -> str:
    if isinstance(reply, Shared):
        kind = turn.texts.find(f"turn.shared.{reply.kind}") or reply.kind
        told = ", ".join(filter(None, (reply.detail, reply.value)))
        return turn.texts("turn.sent_files", files=f"{kind} {told}".strip(), caption="").strip()
    names = ", ".join(file.name or file.mime or "file" for file in reply.files)
    return turn.texts("turn.sent_files", files=names, caption=reply.caption).strip()


def answered(consult: Consult, text: str | None, after: Tap | Submit | None = None) -> Taken:
    """Finish a turn with the model's whole answer; None when there is none to be had.

    `after` is a tap that waited while the model was answering. A consultation that failed must be
    a fresh one (take the turn again): what a broken answer's tool calls did never counts (G12).
    Raises `core.step.base.Needs` like `take`, with the consultation as it was: call it again.
    """
    turn = consult.turn.fork()
    if text is None:
        turn.event(Happened.MODEL_FAILED)
        _count_unanswered(turn)
        turn.say("turn.model_down" if turn.world.talks else "turn.no_model")
    else:
        _tell_answer(turn, consult, text)
        turn.state = msgspec.structs.replace(turn.state, facts=())
    _end_with_ask(turn, consult, after, reason=consult.reason if text is None else "")
    return _done(turn)


def _count_unanswered(turn: Turning) -> None:
    """Who is answered by nobody is as stuck as who is refused: the same ways out are shown."""
    ask = turn.ask
    if ask is not None and ask.kind in (AskKind.STEP, AskKind.SUMMARY):
        turn.update_ask(refusals=ask.refusals + 1)


def _tell_answer(turn: Turning, consult: Consult, text: str) -> None:
    for receipt in consult.receipts:
        turn.tell(receipt)
    shown = cut(text, own=(*consult.own, *own_texts(turn)))
    if shown.questions:
        turn.event(Happened.QUESTION_CUT, count=shown.questions)
    kept = shown.kept.strip()
    if kept:
        turn.tell(kept, model=True)
        turn.notes.append(Note(role="bot", text=kept))


def _end_with_ask(
    turn: Turning, consult: Consult, after: Tap | Submit | None, *, reason: str
) -> None:
    """A model turn ends with the open or the owed step (G7), unless a waiting tap settles it."""
    ask, prefer = turn.ask, consult.prefer
    if after is not None and ask is not None and after.card == ask.card and not prefer:
        turn.handle = after.handle
        replies.tapped(turn, after)
        return
    stays = ask is not None and prefer in ("", ask.item) and asks.still_shows(turn, ask)
    if stays:
        asks.redraw(turn, reason=reason)
    else:
        asks.advance(turn, prefer=prefer, late=True)
    if after is not None:
        turn.show.insert(0, Toast(text=turn.texts("turn.stale"), to=after.handle))
        turn.event(Happened.STALE_TAP)


def _done(turn: Turning) -> Taken:
    moderated.come_back(turn)
    if turn.handle and not any(isinstance(one, Toast) for one in turn.show):
        turn.show.insert(0, Toast(to=turn.handle))
    return Taken(turn.state, turn.effects(), refused=turn.refused)
