"""What always holds in a chat, in every channel (see DESIGN's G1 to G16), as it can be seen from
the other side: each rule looks at how things stood before and after one act of a person's, and at
what the bot sent meanwhile. Which channel it was, no rule knows.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from core.cards import Summary
from core.draft import Draft, Source, canonical, revision
from core.evals import owing
from core.journey import JourneyType, JourneyTypes
from core.manifest import Kind
from core.state import Ask, AskKind, Conversation, Journey, Status
from core.step.base import Fetch
from core.turn.quotes import folded
from core.turn.turning import Turning, World
from tests.support.mischief import ASKED, INVENTED

ASSENTS = frozenset({"yes", "yes, that's right", "the second one", "done"})
"""Words that take what stands on a card, whoever brought it up."""


@dataclass(frozen=True)
class Seen:
    """A message as it stands on a person's screen: `cards` and `owners` are what its controls name,
    `labels` what stands on them; an own message is the person's."""

    id: Hashable
    text: str
    own: bool = False
    labels: tuple[str, ...] = ()
    cards: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()


class Way(StrEnum):
    """What a call did to the conversation."""

    NEW = "new"
    CHANGED = "changed"
    OTHER = "other"


@dataclass(frozen=True)
class Sent:
    """One call of the bot's in the conversation; `live` is whether it brought controls."""

    way: Way
    text: str
    live: bool = False
    file: bool = False


@dataclass(frozen=True)
class Look:
    """How things stood. `screen` has what the person sees of their own and of the bot's, oldest
    first, `live` what has controls of theirs. The counts tell what had happened so far: calls of
    the bot, uses of controls, tool calls, questions to the model."""

    state: Conversation | None
    screen: tuple[Seen, ...]
    live: tuple[Seen, ...]
    summary: Summary | None
    submissions: tuple[Any, ...]
    calls: int = 0
    pressed: int = 0
    fetched: int = 0
    consulted: int = 0

    @property
    def journey(self) -> Journey | None:
        return self.state.journey if self.state is not None else None

    @property
    def draft(self) -> Draft:
        return self.journey.draft if self.journey is not None else Draft()

    @property
    def ask(self) -> Ask | None:
        """What is open in a journey under way."""
        journey = self.journey
        return journey.ask if journey is not None and journey.status is Status.OPEN else None

    @property
    def shown(self) -> dict[Hashable, str]:
        """What the bot's messages say."""
        return {one.id: one.text for one in self.screen if not one.own}


@dataclass(frozen=True)
class Act:
    """One act of a person's (`owner` is their id), and what came of it in one conversation.

    `sent` is what the bot sent into it, `said` every text that it sent anywhere; `typed` is all
    that the person ever typed, `words` what they typed in this act; `gone` whether somebody
    deleted messages by hand; `again` whether something may stand there twice, for an answer of the
    server's was lost.
    """

    before: Look
    after: Look
    owner: str
    types: JourneyTypes
    now: datetime
    sent: tuple[Sent, ...] = ()
    said: tuple[str, ...] = ()
    fetched: tuple[Fetch, ...] = ()
    typed: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    gone: bool = False
    names: tuple[str, ...] = field(default=())
    """How the person is called above their messages, where others are there."""

    @property
    def kind(self) -> JourneyType:
        """The version of the journey."""
        journey = self.after.journey
        assert journey is not None
        found = self.types.version(journey.manifest, journey.digest)
        assert found is not None
        return found

    @property
    def same_journey(self) -> bool:
        """Whether it is the journey that was under way before, and not called off."""
        before, after = self.before.journey, self.after.journey
        if before is None or after is None:
            return False
        return before.id == after.id and after.status is not Status.CANCELLED

    @property
    def wrote(self) -> bool:
        """Whether the person sent a message."""
        known = {one.id for one in self.before.screen}
        return any(one.own and one.id not in known for one in self.after.screen)

    @property
    def fresh_text(self) -> str:
        """All of the bot's that is new on the screen, or looks otherwise than before."""
        before = self.before.shown
        fresh = (text for one, text in self.after.shown.items() if before.get(one) != text)
        return plainly("\n".join(fresh))

    def told(self, look: Look, name: str, value: Any) -> str:
        """A value as the person reads it."""
        assert look.state is not None
        world = World(types=self.types, now=self.now, fresh="")
        return plainly(Turning(look.state, world).display(name, value))


def plainly(text: str) -> str:
    """A text without its line breaks and the bars of a table."""
    return " ".join(text.replace("|", " ").split())


def check(act: Act) -> None:
    """All that a person's own act can show; an AssertionError names the guarantee that broke."""
    one_live_card(act)
    last_word(act)
    receipt_and_card_together(act)
    nothing_is_asked_twice(act)
    no_token_spent(act)
    if act.after.journey is None:
        return
    summary_is_complete(act)
    never_invented(act)
    brought_by_the_person(act)
    tools_have_what_is_settled(act)
    changes_are_told(act)
    asked_anew(act)
    confirmed_as_shown(act)


def check_beside(act: Act) -> None:
    """What somebody else's act leaves as it was in a conversation (G15)."""
    assert act.after.journey == act.before.journey, "G15: somebody else changed it"
    assert act.after.submissions == act.before.submissions, "G15: somebody else submitted it"
    one_live_card(act)
    nothing_is_asked_twice(act)


# Cards


def one_live_card(act: Act) -> None:
    """G8: one message with live controls, which are the open ask's, and its owner's (G15)."""
    live, ask = act.after.live, act.after.ask
    cards = {card for one in live for card in one.cards}
    owners = {owner for one in live for owner in one.owners}
    assert len(live) <= 1, f"G8: {len(live)} live cards"
    assert cards <= ({ask.card} if ask is not None else set()), "G8: a card that is not open"
    assert owners <= {act.owner}, "G15: a card of two people"
    if ask is not None and not live:
        assert act.gone, "G8: something is asked, and no card is there"


def last_word(act: Act) -> None:
    """G7: when something was said, and something is asked, the card is the newest."""
    known = {one.id for one in act.before.screen}
    fresh = [one for one in act.after.screen if one.id not in known]
    if fresh and act.after.live:
        newest, card = act.after.screen[-1], act.after.live[0]
        assert newest.id == card.id, f"G7: {newest.text!r} stands below the card"


def receipt_and_card_together(act: Act) -> None:
    """G9: after a receipt comes the next card, with nothing between but what it took away."""
    for number, call in enumerate(act.sent):
        if call.way is not Way.CHANGED or "✓ " not in call.text or call.live:
            continue
        sent = next((one for one in act.sent[number + 1 :] if one.way is Way.NEW), None)
        if sent is not None and not sent.live and not sent.file:
            told = plainly(sent.text)
            for name in act.names:
                told = told.removeprefix(name).strip()
            endings = ("Because of that", "No longer needed", "Thank you")
            assert told.startswith(endings), f"G9: {told!r}"


def summary_is_complete(act: Act) -> None:
    """G1: no Confirm while something is owed, by what the summary itself says."""
    ask = act.after.ask
    if ask is not None and ask.kind is AskKind.SUMMARY:
        owed = owing.owed(act.kind.manifest, act.after.draft.plain())
        assert not owed, f"G1: {owed} are owed"
    for message in act.after.live:
        if "Confirm" not in message.labels:
            continue
        labels = act.kind.speak("en")
        there = owing.belonging(act.kind.manifest, act.after.draft.plain())
        for name, belongs in there.items():
            if belongs is not False:
                assert labels.label(name) in message.text, f"G1: {name} is not on the summary"
                assert act.after.draft.has(name), f"G1: {name} is owed"


# The model


def nothing_is_asked_twice(act: Act) -> None:
    """G10: the model's own question is seen nowhere, not even while it is written."""
    for text in (*act.after.shown.values(), *act.said):
        for question in ASKED:
            assert question not in text, f"G10: {question!r} in {text!r}"


def no_token_spent(act: Act) -> None:
    """G11: where nothing was written, the model is not asked."""
    if not act.wrote:
        assert act.after.consulted == act.before.consulted, "G11: the model was asked"


def never_invented(act: Act) -> None:
    """G2: a value has a source, a quote was typed; G5: a record was accepted."""
    typed = [folded(text) for text in act.typed]
    for name, value in act.after.draft.values.items():
        assert isinstance(value.source, Source), "G2"
        if value.source is Source.QUOTED:
            wanted = folded(value.quote).strip(" .,;:!?\"'()")
            assert wanted, f"G2: {name} has no quote"
            assert any(wanted in text for text in typed), f"G2: {value.quote!r} was not typed"
        if act.kind.manifest.item(name).value is Kind.RECORD:
            assert value.source in (Source.RECORD, Source.TAP), f"G5: {name} by {value.source}"


def brought_by_the_person(act: Act) -> None:
    """G2 and G5 once more, by what the person did: without a control used, or words that take what
    stands there, nothing of the model's and no record comes in."""
    if act.after.pressed > act.before.pressed or any(one in ASSENTS for one in act.words):
        return
    said = folded(" ".join(act.words))
    before = act.before.draft.plain() if act.same_journey else {}
    for name, value in act.after.draft.plain().items():
        if name in before and before[name] == value:
            continue
        told = json.dumps(value, ensure_ascii=False)
        invented = [one for one in INVENTED if one in told]
        assert not invented, f"G2: {name} is {told}, which nobody but the model brought up"
        if act.kind.manifest.item(name).value is Kind.RECORD and value is not None:
            assert folded(value["label"]) in said, f"G5: nobody chose {value['label']!r}"


def tools_have_what_is_settled(act: Act) -> None:
    """G6: what was settled all the while is in every tool call, whatever the model wrote there."""
    if not act.same_journey:
        return
    manifest = act.kind.manifest
    before = owing.counting(manifest, act.before.draft.plain())
    after = owing.counting(manifest, act.after.draft.plain())
    settled = {name: value for name, value in before.items() if value is not None and name in after}
    for fetch in act.fetched:
        for name, value in settled.items():
            if after[name] != value:
                continue
            assert fetch.settled.get(name) == value, f"G6: {fetch.tool} had not {name}"
            given = fetch.arguments.get(name, value)
            assert given == value, f"G6: {fetch.tool} had {given!r} for {name}"


# Changes and submissions


def changes_are_told(act: Act) -> None:
    """G4: old and new of every change are on the screen; G16: what was lost is named."""
    if not act.same_journey:
        return
    labels = act.kind.speak("en")
    for name, old in act.before.draft.values.items():
        new = act.after.draft.values.get(name)
        if new is None:
            assert labels.label(name) in act.fresh_text, f"G16: {name} went unsaid"
        elif new.value != old.value:
            was, now = act.told(act.before, name, old.value), act.told(act.after, name, new.value)
            assert was in act.fresh_text, f"G4: the old {name}"
            assert now in act.fresh_text, f"G4: the new {name}"


def asked_anew(act: Act) -> None:
    """G16: what hangs on a changed value is asked anew, and nothing else is."""
    if not act.same_journey:
        return
    manifest, before, after = act.kind.manifest, act.before.draft.values, act.after.draft.values
    changed = {
        name
        for name in {*before, *after}
        if name not in before or name not in after or before[name].value != after[name].value
    }
    for name, old in before.items():
        if name not in after:
            above = _all_upstream(act.kind, name)
            assert above & changed, f"G16: {name} was lost for nothing"
        elif after[name].turn == old.turn:
            causes = set(manifest.item(name).depends_on) & changed
            assert not causes, f"G16: {name} still stands, and {causes} changed"


def _all_upstream(kind: JourneyType, name: str) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        above = set(kind.manifest.item(waiting.pop()).upstream) - found
        found |= above
        waiting += above
    return found


def confirmed_as_shown(act: Act) -> None:
    """G3: what was submitted is what the confirmed summary showed, and still shows."""
    fresh = act.after.submissions[len(act.before.submissions) :]
    assert len(fresh) <= 1, "G3: submitted twice"
    for row in fresh:
        shown = act.before.summary
        assert shown is not None, "G3: nothing was shown"
        content = json.loads(row.content)
        assert row.revision == shown.revision, "G3: another revision"
        assert canonical(content).decode() == row.content, "G3"
        zone = row.zone if act.kind.on_clock(content) else ""
        assert revision(row.digest, content, zone) == row.revision, "G3"
        assert set(content) == {one.item for one in shown.rows}, "G3"
        assert row.person == act.owner, "G15"
        (card,) = act.before.live
        seen = plainly(card.text)
        for one in shown.rows:
            value, label = plainly(one.value), plainly(one.label)
            if content[one.item] is not None:
                told = act.told(act.before, one.item, content[one.item])
                assert told == value, f"G3: {told!r} was submitted, and {value!r} shown"
            for where, text in (("was not", seen), ("is no more", act.fresh_text)):
                assert label in text, f"G3: {label} {where} on the summary"
                assert value in text, f"G3: {value} {where} on the summary"


def delivered_once(submissions: Iterable[Any], lines: Iterable[str]) -> None:
    """G13: what was submitted has arrived, once each, as it was submitted (G3)."""
    wanted = sorted(canonical(json.loads(row.content)) for row in submissions)
    arrived = sorted(canonical(json.loads(line)["content"]) for line in lines)
    assert arrived == wanted, "G13: what arrived is not what was submitted"
