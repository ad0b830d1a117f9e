"""Commands and reloads: what a person asks of the runtime itself, the same in every channel."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from core import planner
from core.effects import Close
from core.replies import Command, Reply
from core.state import AskKind, Status, is_open
from core.turn import after, asks, halfway, holdings, moderated, person, replies
from core.turn.beginning import may_begin
from core.turn.turning import Turning

SORRY = "~sorry"
"""The runtime's own command, for when a reply could not be taken at all. Nobody can type it: no
channel has a command with a tilde."""

STOP = "~stop"
"""A channel's own command: the person wants to hear no more of the answer that is coming. With
none coming there is nothing to stop."""

EDITED = "~edited"
"""A channel's own command: words that were considered already have been edited since."""


_ENDING = frozenset({"cancel", "stop", "restart"})


def without_type(turn: Turning, reply: Reply) -> None:
    """What is open is not offered any more: nothing of it can be drawn, so it waits for its type to
    come back. All that does not need it goes on, and something else may be begun."""
    waits = turn.journey
    ask = waits.ask
    turn.state = msgspec.structs.replace(turn.state, journey=None)
    if not isinstance(reply, Command):
        turn.tell(turn.common("turn.journey_gone"))
    elif reply.name in _ENDING:
        turn.say("turn.cancelled")
        waits = replies.cancelled(waits)
    elif reply.name == halfway.EXPIRE:
        turn.say("turn.expired", title=waits.manifest)
        waits = halfway.ended(waits, Status.EXPIRED)
    else:
        commanded(turn, reply)
    ended = turn.state.journey is not None or waits.status is not Status.OPEN
    if ended and ask is not None and ask.card:
        turn.show.insert(0, Close(card=ask.card))
    if turn.state.journey is None:
        turn.state = msgspec.structs.replace(turn.state, journey=waits)


def commanded(turn: Turning, reply: Command) -> None:
    """Carry out a command; for an unknown one, tell those that there are."""
    handlers: dict[str, Callable[[Turning, str], None]] = {
        "start": _start,
        "new": _new,
        "resume": lambda turn, _: reloaded(turn),
        "review": _review,
        "cancel": _cancel,
        "stop": _cancel,
        "restart": _restart,
        "back": _back,
        "help": _help,
        "language": person.language,
        "timezone": person.timezone,
        "mine": lambda turn, _: holdings.mine(turn),
        "privacy": lambda turn, _: holdings.privacy(turn),
        EDITED: _edited,
        STOP: lambda turn, _: None,
        SORRY: _sorry,
        halfway.NUDGE: halfway.nudge,
        halfway.EXPIRE: halfway.expire,
        **moderated.HANDLERS,
        **after.HANDLERS,
    }
    carry_out = handlers.get(reply.name)
    if carry_out is None:
        _unknown(turn, reply.name)
    else:
        carry_out(turn, reply.argument.strip())


def begin(turn: Turning, name: str) -> None:
    """Start a journey and draw its first card, where one may be begun."""
    if may_begin(turn, name):
        replies.start(turn, name)
        welcome(turn)


def welcome(turn: Turning) -> None:
    """Greet, and draw what is asked first."""
    greeting = turn.texts.find("greeting")
    if greeting:
        turn.tell(turn.texts("greeting", name=turn.state.person.name))
    asks.advance(turn)


def reloaded(turn: Turning) -> None:
    """The person came back: the open ask is the newest thing in the chat again."""
    if not is_open(turn.state):
        turn.say("turn.nothing_open")
    elif turn.ask is None:
        asks.advance(turn)
    else:
        asks.again(turn)


def _start(turn: Turning, argument: str) -> None:
    """The channel's own first command: begins a journey, or comes back to the open one."""
    wanted = argument or turn.world.starts
    if is_open(turn.state):
        if argument and argument != turn.journey.manifest:
            _new(turn, argument)
        else:
            reloaded(turn)
    elif wanted and turn.world.types.latest(wanted):
        begin(turn, wanted)
    else:
        _which(turn, argument)


def _new(turn: Turning, argument: str) -> None:
    names = turn.world.types.names()
    own = turn.journey.manifest if is_open(turn.state) else turn.world.starts
    wanted = argument or (names[0] if len(names) == 1 else own)
    if not wanted or turn.world.types.latest(wanted) is None:
        _which(turn, argument)
    elif is_open(turn.state):
        replies.sure(turn, AskKind.RESTART, wanted)
    else:
        begin(turn, wanted)


def _which(turn: Turning, unknown: str = "") -> None:
    """Name the journeys there are; nothing is started by guessing."""
    lines = []
    for name in turn.world.types.names():
        found = turn.world.types.latest(name)
        if found is not None and name not in turn.world.paused:
            title = found.speak(turn.state.person.locale)("title")
            lines.append(f"{turn.world.command}new {name} - {title}")
    offer = turn.texts("turn.which" if lines else "turn.all_paused", journeys="\n".join(lines))
    fault = turn.texts("turn.unknown_journey", name=person.shortened(unknown)) if unknown else ""
    turn.tell("\n".join(filter(None, (fault, offer))))
    if is_open(turn.state) and turn.ask is not None:
        asks.again(turn)


def _review(turn: Turning, _: str) -> None:
    if not is_open(turn.state):
        turn.say("turn.nothing_open")
        return
    if turn.ask is not None and turn.ask.kind is AskKind.SUMMARY:
        asks.again(turn)
        return
    manifest = turn.type.manifest
    known = planner.content(manifest, turn.draft)
    lines = [f"{turn.texts.label(name)}: {turn.display(name, known[name])}" for name in known]
    owed = [turn.texts.label(name) for name in planner.owed(manifest, turn.draft)]
    turn.say(
        "turn.so_far",
        values="\n".join(lines) or turn.texts("turn.nothing_yet"),
        owed=", ".join(owed),
    )
    reloaded(turn)


def _cancel(turn: Turning, _: str) -> None:
    _sure_or_nothing(turn, AskKind.CANCEL)


def _restart(turn: Turning, _: str) -> None:
    _sure_or_nothing(turn, AskKind.RESTART)


def _sure_or_nothing(turn: Turning, kind: AskKind) -> None:
    if not is_open(turn.state):
        turn.say("turn.nothing_open")
    elif turn.ask is not None and turn.ask.kind is kind:
        asks.again(turn)
    else:
        replies.sure(turn, kind)


def _back(turn: Turning, _: str) -> None:
    if not is_open(turn.state) or turn.ask is None:
        reloaded(turn)
    else:
        replies.control(turn, "~back")


def _sorry(turn: Turning, _: str) -> None:
    turn.say("turn.broken")
    if is_open(turn.state):
        reloaded(turn)


def _edited(turn: Turning, _: str) -> None:
    """What was read stays as it was read: a settled value never changes silently (G4)."""
    turn.say("turn.edited")
    if is_open(turn.state):
        reloaded(turn)


def _unknown(turn: Turning, name: str) -> None:
    written = f"{turn.texts.command}{person.shortened(name)}"
    _tell_help(turn, turn.texts("turn.no_command", name=written))


def _help(turn: Turning, _: str) -> None:
    _tell_help(turn)


def _tell_help(turn: Turning, *before: str) -> None:
    turn.tell("\n".join((*before, turn.texts("turn.help"))))
    if is_open(turn.state) and turn.ask is not None:
        asks.again(turn)
