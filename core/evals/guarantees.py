"""What always holds, looked at after every turn: G1 to G16 as far as one chat can show them.

Every judge tells each occasion on which its guarantee had something to decide, so that none is said
to hold that was never put to the test. What is owed, what a change takes with it, what a person
accepted or said is worked out by the judges themselves (`owing`, `heard`), from the manifest, the
screen and the replies: they do not ask the code that they judge.

Not all can be judged in a chat that lives in memory. `JUDGED` says where each is looked at:

- here, in the evals, in every turn of every chat;
- in the property tests (`tests/core/turn/test_guarantees.py`), by these same judges, with a person
  and a model that do anything at all;
- in the property tests of each channel (`tests/channels/*/test_*_guarantees.py`), by what the
  platform was sent, with judges of their own;
- in the kill tests (`tests/bot/test_kill.py` and the channels'), with processes that are killed.

G13 (durable) is the store's alone. G12 (model down) is judged here turn by turn: a model that
failed has done nothing and stops nobody. That whole journeys are finished with no model at all is
seen in `tests/steps/test_walks.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

import msgspec

from core.effects import Close, Draw, Toast
from core.evals import written
from core.evals.heard import Heard
from core.evals.looks import ENDINGS, Found, Look, shown_text
from core.evals.record import Broken
from core.events import Event, Happened
from core.manifest import Gather, Manifest
from core.replies import Shared, Submit, Tap, Upload, Words
from core.state import Status
from core.step.base import Fetch
from core.turn import Taken

__all__ = ["JUDGED", "Judge", "Look", "Where", "broken", "shown_text"]


class Where(StrEnum):
    """Where a guarantee is looked at."""

    EVALS = "evals"
    PROPERTIES = "property tests"
    CHANNELS = "property tests of each channel"
    KILLS = "kill tests"


_HERE, _MACHINE, _SEEN = Where.EVALS, Where.PROPERTIES, Where.CHANNELS

JUDGED: dict[str, tuple[Where, ...]] = {
    "G1": (_HERE, _MACHINE, _SEEN),
    "G2": (_HERE, _MACHINE, _SEEN),
    "G3": (_HERE, _MACHINE, _SEEN),
    "G4": (_HERE, _MACHINE, _SEEN),
    "G5": (_HERE, _MACHINE, _SEEN),
    "G6": (_HERE, _MACHINE, _SEEN),
    "G7": (_HERE, _MACHINE, _SEEN),
    "G8": (_HERE, _MACHINE, _SEEN),
    "G9": (_HERE, _MACHINE, _SEEN),
    "G10": (_HERE, _MACHINE, _SEEN),
    "G11": (_HERE, _MACHINE, _SEEN),
    "G12": (_HERE, _MACHINE),
    "G13": (Where.KILLS,),
    "G14": (_HERE, _MACHINE),
    "G15": (_HERE, _MACHINE, _SEEN),
    "G16": (_HERE, _MACHINE, _SEEN),
}
"""Where each guarantee is judged: a report says nothing of one that is not judged in the evals."""


class Judge:
    """Judges one chat, turn by turn. `decided` counts the occasions of each guarantee."""

    def __init__(self) -> None:
        self.decided: Counter[str] = Counter()
        self._heard = Heard()

    def look(self, look: Look) -> list[Broken]:
        """Every guarantee that this turn broke."""
        self._heard.hear(look)
        found = list(_all(look, self._heard))
        self._heard.remember(look)
        self.decided.update(name for name, _ in found)
        return [
            Broken(guarantee=name, turn=look.after.turn, detail=fault)
            for name, fault in found
            if fault
        ]


def broken(look: Look) -> list[Broken]:
    """Every guarantee that one turn broke, of a chat that nobody looked at before."""
    return Judge().look(look)


def _all(look: Look, heard: Heard) -> Found:
    yield from private(look.taken.effects.events)
    yield from bound(look)
    yield from deterministic(look)
    if look.kind is None:
        return
    manifest = look.kind.manifest
    yield from written.never_skipped(manifest, look)
    yield from written.nothing_hidden(manifest, look.journey)
    yield from written.never_invented(look, heard)
    yield from written.accepted(look, heard)
    yield from written.acknowledged(look)
    yield from written.re_asked(manifest, look)
    yield from written.confirmed_as_shown(look)
    yield from carried(manifest, look)
    yield from last_word(look)
    yield from one_ask(look)
    yield from same_reply(look)
    yield from no_second_question(look)
    yield from model_down(look)


# Tools


def carried(manifest: Manifest, look: Look) -> Found:
    """G6: every tool call has the settled values; as they were before the turn, or are after it."""
    drafts = [look.old_values, look.values] if look.old is not None else [look.values]
    for fetch in look.fetches:
        tool = next((one for one in manifest.tools if one.name == fetch.tool), None)
        if tool is None:
            continue
        if _lacks(look, fetch):
            yield "G6", f"{fetch.tool} was called without {_lacks(look, fetch)}"
        for argument in tool.arguments:
            settled = [draft[argument.name] for draft in drafts if argument.name in draft]
            settled = [value for value in settled if value is not None]
            # What depends on the very item that is searched for must not narrow the search.
            free = tool.item is not None and tool.item in _above(manifest, argument.name)
            if free or len(settled) < len(drafts):
                continue
            given = fetch.arguments.get(argument.name)
            is_carried = given in settled
            yield (
                "G6",
                "" if is_carried else f"{fetch.tool} was called with {argument.name}={given!r}",
            )


def _lacks(look: Look, fetch: Fetch) -> str:
    """A value that was settled all the while, and that a call has not beside its arguments."""
    before = look.old.draft.values if look.old is not None else {}
    after = look.journey.draft.values
    failed = any(one.what is Happened.MODEL_FAILED for one in look.taken.effects.events)
    # By its turn, too: a value may change and change back while the model talks. Of an answer that
    # broke off nothing stays; what was called before it did had what it had quoted until then.
    stood = (
        name
        for name, value in before.items()
        if not value.skipped and name in after and after[name] == value
        if not (failed and look.item(name).gather is Gather.TALK)
    )
    return next((name for name in stood if fetch.settled.get(name) != look.values[name]), "")


def _above(manifest: Manifest, name: str) -> set[str]:
    """Everything that an item depends on, however far up."""
    found: set[str] = set()
    waiting = [name] if name in manifest.by_name else []
    while waiting:
        above = set(manifest.item(waiting.pop()).depends_on) - found
        found |= above
        waiting += above
    return found


# The screen


def last_word(look: Look) -> Found:
    """G7: an open journey asks something, and its card is the newest thing in the chat."""
    if look.journey.status in ENDINGS:
        return
    ask = look.journey.ask
    if ask is None:
        yield "G7", "an open journey asks nothing"
        return
    messages = look.screen.messages
    is_newest = bool(messages) and messages[-1].id == ask.card
    yield "G7", "" if is_newest else "the open card is not the newest thing"


def one_ask(look: Look) -> Found:
    """G8: one live card, the open ask's; a tap on any other is told so."""
    live, ask = [card.id for card in look.screen.live], look.journey.ask
    if look.journey.status in ENDINGS:
        yield "G8", "a finished journey left a live card" if live else ""
    elif ask is not None:
        yield "G8", "" if live == [ask.card] else f"{len(live)} cards are live"
    if _is_stale(look) and look.reply.by == look.before.person.id:
        shown = look.taken.effects.show
        said = any(isinstance(one, Toast) and one.text for one in shown)
        yield "G8", "" if said else "a tap on an earlier card was not told so"


def _is_stale(look: Look) -> bool:
    before = look.before.journey
    ask = before.ask if before is not None else None
    reply = look.reply
    return isinstance(reply, Tap | Submit) and (ask is None or ask.card != reply.card)


def same_reply(look: Look) -> Found:
    """G9: what is settled has its receipt in the same reply, and with it comes the next card, or
    the end of the journey."""
    show = look.taken.effects.show
    if look.kind is None or look.migrated:
        return
    settled = sorted(look.written - look.old_values.keys())
    if not settled and not any(isinstance(one, Close) and one.receipt for one in show):
        return
    speak = look.kind.speak(look.after.person.locale)
    for name in settled:
        if not look.told(speak.label(name), look.shown(name, look.values[name])):
            yield "G9", f"{name} was settled without a receipt"
    drawn = any(isinstance(effect, Draw) for effect in show)
    goes_on = look.journey.status is Status.OPEN
    yield "G9", "" if drawn or not goes_on else "a receipt without the next card"


# The model


def no_second_question(look: Look) -> Found:
    """G10: no question of the model above a card that is drawn under it."""
    asked = [text for text in look.answers if any(m in _without_links(text) for m in "?？؟")]
    if look.asked_model or look.answers:
        yield "G10", asked[0] if asked else ""


def _without_links(text: str) -> str:
    return " ".join(word for word in text.split() if "://" not in word)


def deterministic(look: Look) -> Found:
    """G11: the same state and reply give the same bytes, where no model had a part; and what is no
    message costs no token."""
    if look.calls and not isinstance(look.reply, Words | Upload | Shared):
        kind = type(look.reply).__name__.lower()
        yield "G11", f"a {kind} asked the model {look.calls} times"
    if look.again is None or look.asked_model:
        return
    again = look.again()
    if again.consult is None:
        same = _bytes(again) == _bytes(look.taken)
        yield "G11", "" if same else "the same state and reply gave other bytes"


def _bytes(taken: Taken) -> bytes:
    return msgspec.json.encode(taken.state) + msgspec.json.encode(taken.effects)


def model_down(look: Look) -> Found:
    """G12: a model that failed has changed nothing and said nothing; the person is told so, and is
    asked on."""
    events = look.taken.effects.events
    if not any(one.what is Happened.MODEL_FAILED for one in events):
        return
    ask = look.journey.ask
    if look.answers:
        yield "G12", "something of a broken answer was shown"
    elif look.written and look.waited is None:
        yield "G12", f"a broken answer wrote {', '.join(sorted(look.written))}"
    elif not look.messages:
        yield "G12", "nobody says that the model has no answer"
    else:
        yield "G12", "" if ask is not None or look.waited else "nothing is asked any more"


# Who, and what is reported


def private(events: Iterable[Event]) -> Found:
    """G14: an event holds counts and enums only."""
    for event in events:
        kinds = [type(value).__name__ for value in msgspec.structs.astuple(event)]
        wrong = [one for one in kinds if one not in (int.__name__, Happened.__name__)]
        yield "G14", f"an event holds {wrong[0]}" if wrong else ""


def bound(look: Look) -> Found:
    """G15: what somebody else does counts for nothing, and neither does a tap on another card than
    the open one: it draws the open ask again, and that is all."""
    before, after = look.before.journey, look.after.journey
    if look.reply.by != look.before.person.id:
        changed = after != before or look.taken.effects.submission is not None
        yield "G15", "somebody else changed the journey" if changed else ""
    elif _is_stale(look) and before is not None and after is not None:
        same = (after.draft, after.status) == (before.draft, before.status)
        if before.ask is not None and after.digest == before.digest:
            asked = (before.ask.kind, before.ask.item)
            same = same and after.ask is not None and (after.ask.kind, after.ask.item) == asked
        is_safe = same or after.digest != before.digest
        yield "G15", "" if is_safe else "a tap on another card than the open one did something"
