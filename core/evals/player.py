"""A person in a chat that the runtime leads: they answer what is asked with what they have in mind,
and what they did and saw is written down."""

from __future__ import annotations

from typing import Any

import msgspec

from core.cards import Card, Summary, buttons
from core.draft import Source, Value
from core.evals.acting import Actor, CannotAnswer, same
from core.evals.chat import Chat, Took, told
from core.evals.drawing import drawn
from core.evals.proofreading import CORRECTIONS, Patience, in_mind, wrong
from core.evals.record import (
    MOST_TURNS,
    Broken,
    ChatRecord,
    Ending,
    Failure,
    FailureKind,
    Lead,
    Spent,
    TurnRecord,
)
from core.evals.restless import Restless
from core.evals.scenario import Scenario
from core.evals.telling import Means, Teller
from core.evals.whims import Whims
from core.manifest import Kind
from core.replies import Command, Reply, Tap, Words
from core.state import AskKind, Status

PATIENCE = 3
"""Replies in vain to one ask after which a restless person answers something that stands."""

STUBBORN = 12
"""Replies in vain to one ask, after which the person has no more idea how to answer it."""

_ENDINGS = {
    Status.OPEN: Ending.OPEN,
    Status.SUBMITTED: Ending.SUBMITTED,
    Status.CANCELLED: Ending.CANCELLED,
    Status.EXPIRED: Ending.CANCELLED,
}
_SURE = {AskKind.CANCEL, AskKind.RESTART}


class TurnsOut(Exception):
    """The chat does not come to an end."""


class Tries:
    """Counts the replies to one ask that brought nothing: the card is one that was there before."""

    def __init__(self) -> None:
        self._asked = ""
        self._seen: set[bytes] = set()
        self._in_vain = 0

    def so_far(self, asked: str, card: Card | None) -> int:
        """How many replies in a row brought nothing, with this card open now."""
        face = msgspec.json.encode(card and msgspec.structs.replace(card, id="", reason=""))
        if asked != self._asked:
            self._asked, self._seen, self._in_vain = asked, set(), 0
        elif face in self._seen:
            self._in_vain += 1
        else:
            self._in_vain = 0
        self._seen.add(face)
        return self._in_vain


class Player:
    """The person. `restless` is what they do in between, where they are."""

    def __init__(self, chat: Chat, scenario: Scenario, restless: Restless | None = None) -> None:
        self.chat, self.scenario, self.restless = chat, scenario, restless
        self.actor = Actor(chat)
        self.whims = Whims(chat, restless) if restless is not None else None
        self.intent: dict[str, Any] = dict(scenario.answers)
        self.turns: list[TurnRecord] = []
        self.broken: list[Broken] = []
        self.failures: list[Failure] = []
        self.patience = Patience()
        self.putting_right = ""
        self.teller = Teller(chat)

    # What is asked

    async def until(self, name: str) -> bool:
        """Answer whatever is asked until this is; False when it never comes to that.

        Raises CannotAnswer when an ask stays open whatever is answered.
        """
        tries = Tries()
        while True:
            await self.whim()
            now = self.chat.asks
            if not self.chat.is_open or now in (name, "summary"):
                return self.chat.is_open and now == name
            in_vain = tries.so_far(now, self.card())
            if in_vain >= PATIENCE and self.restless is not None:
                await self._other_mind()
            if in_vain >= STUBBORN:
                raise CannotAnswer(f"{now} was answered {in_vain} times and stays open")
            await self.answer()

    async def whim(self) -> None:
        """What a restless person does in between."""
        while self.whims is not None:
            done = await self.whims.next(self.intent, self._in_mind)
            if done is None:
                return
            reply, means = done
            await self.take(reply, means)

    async def _in_mind(self) -> tuple[Any, str]:
        """What they have in mind for the open item, and how they type it; nothing is typed of what
        is left out or sent as a file."""
        item = self.chat.asks
        wanted = await self._wanted(item)
        if wanted is None or self.chat.type.manifest.item(item).value is Kind.UPLOAD:
            return None, ""
        return wanted, await self.actor.typed(wanted)

    async def answer(self) -> Took | None:
        """Answer the open ask with what the person has in mind, once."""
        ask = self.chat.ask
        if ask is None:
            return None
        if ask.kind in _SURE:
            card = self.card()
            return await self.tap(card, "no") if card else None
        if not ask.item:
            return await self.say(str(self.intent.get(self.chat.asks, "Berlin")))
        wanted = await self._wanted(ask.item)
        reply = await self.actor.reply(wanted, by_words=self.by_words(ask.item))
        return await self.take(reply, Means(gives={ask.item: wanted}))

    async def _other_mind(self) -> None:
        """What they have in mind does not stand (any more), and the card says so: something else
        will do."""
        item = self.chat.asks
        if item in self.chat.type.manifest.by_name:
            self.intent[item] = await self.actor.sample()

    async def _wanted(self, item: str) -> Any:
        if item not in self.intent:
            optional = not self.chat.type.manifest.item(item).required
            self.intent[item] = None if optional else await self.actor.sample()
        return self.intent[item]

    def by_words(self, item: str) -> bool:
        """Whether this person answers an item by typing."""
        if self.scenario.by != "mixed":
            return self.scenario.by == "words"
        names = [one.name for one in self.chat.type.manifest.items]
        return names.index(item) % 2 == 1

    async def put_right(self) -> bool:
        """Look through the open summary as a careful person does, and re-open what is not what
        they have in mind; whether there was anything. Raises CannotAnswer when they have put the
        same thing right too often."""
        card = self.card()
        if not isinstance(card, Summary):
            return False
        found = await self._wrong_on(card)
        rows = {row.item: row for row in card.rows}
        item = next((one for one in found if one in rows), "")
        if not item:
            return False
        if not self.patience.is_left(item):
            raise CannotAnswer(f"{item} was corrected {CORRECTIONS} times and is wrong again")
        self.putting_right = item
        await self.tap(card, rows[item].edit.token)
        return True

    async def _wrong_on(self, card: Summary) -> list[str]:
        """What is wrong on a summary as it can be read."""
        shows = {row.item: row.value for row in card.rows}
        known = {name: one for name, one in self.intent.items() if name in shows}
        spelled = await self.teller.spelled(self.chat.state, known)
        items = self.chat.type.manifest.by_name
        texts = self.chat.type.speak(self.chat.person.locale)
        mind = {name: in_mind(items[name], known[name], spelled[name], texts) for name in known}
        given = {one.item for one in self.teller.now.story.given}
        return wrong(shows, "\n".join(shows.values()), mind, given)

    async def confirm(self) -> None:
        """Confirm the open summary."""
        card = self.card()
        if not isinstance(card, Summary):
            raise CannotAnswer("there is no summary to confirm")
        yes = Means(says_yes=True)
        if self.scenario.by == "words":
            await self.say(self.chat.type.speak(self.chat.person.locale)("step.yes"), yes)
        else:
            await self.tap(card, card.confirm.token, yes)

    # Replies

    def card(self) -> Card | None:
        """The open card."""
        return self.chat.screen.live[-1] if self.chat.screen.live else None

    def command(self, text: str) -> Command:
        """A command as it is typed, without what stands before it."""
        name, _, argument = text.partition(" ")
        return Command(name=name, argument=argument, by=self.chat.person.id, at=self.chat.now)

    async def say(self, text: str, means: Means | None = None, *, own: bool = False) -> Took:
        """Type something."""
        words = Words(text=text, by=self.chat.person.id, at=self.chat.now)
        return await self.take(words, means, own=own)

    async def tap(
        self, card: Card, token: str, means: Means | None = None, *, own: bool = False
    ) -> Took:
        """Tap a button of a card."""
        person = self.chat.person.id
        tap = Tap(card=card.id, token=token, by=person, at=self.chat.now)
        return await self.take(tap, means, own=own)

    async def take(self, reply: Reply, means: Means | None = None, *, own: bool = False) -> Took:
        """Reply, and write down what came of it. `means` is what the person means by it; with `own`
        they mean what it comes to for the open ask, too. Raises TurnsOut when it has been too
        much."""
        # A box that is ticked is another button afterwards.
        person = told(reply, self._label(reply))
        took = await self.chat.reply(reply)
        means = means or Means()
        if self.putting_right in means.gives:
            self.patience.corrected(self.putting_right)
            self.putting_right = ""
        came = {**self._said(took), **(self._answered(took) if own else {})}
        means = msgspec.structs.replace(means, gives={**came, **means.gives})
        draft = self.chat.journey.draft.values if self.chat.journey else {}
        self.turns.append(
            TurnRecord(
                person=person,
                bot=(drawn(took.taken.effects.show),),
                ask=self.chat.asks,
                settled=tuple(draft),
                spent=took.spent,
            )
        )
        at = len(self.turns)
        await self.teller.turn(at, took, person, means)
        await self._reads(at)
        self.broken += [msgspec.structs.replace(one, turn=at) for one in took.broken]
        if at >= MOST_TURNS:
            raise TurnsOut(f"after {at} turns it is not done")
        return took

    def _said(self, took: Took) -> dict[str, Any]:
        """What was quoted from the person's words and is what they have in mind."""
        return {
            name: self.intent[name]
            for name, value in _written(took).items()
            if value.source is Source.QUOTED
            and name in self.intent
            and same(self.intent[name], value.value)
        }

    def _answered(self, took: Took) -> dict[str, Any]:
        """What a reply settled of the item that was asked for: what the person has in mind for it;
        or what it came to, where the scenario leaves that open, or has them answer once more."""
        ask = took.before.journey.ask if took.before.journey is not None else None
        value = _written(took).get(ask.item) if ask is not None else None
        if ask is None or value is None or value.source is Source.QUOTED:
            return {}
        if ask.item not in self.intent or self.teller.now.has(ask.item, self.intent[ask.item]):
            self.intent[ask.item] = value.value
        return {ask.item: self.intent[ask.item]}

    async def _reads(self, at: int) -> None:
        """Whoever sees the first summary of a journey reads it."""
        card, seen = self.card(), self.teller.now.story.summaries
        if isinstance(card, Summary) and len(seen) == 1 and seen[0].turn == at:
            self.teller.first(at, await self._wrong_on(card))

    def _label(self, reply: Reply) -> str:
        card = self.chat.screen.drawn.get(reply.card) if isinstance(reply, Tap) else None
        there = buttons(card) if card is not None else ()
        token = reply.token if isinstance(reply, Tap) else ""
        return next((one.label for one in there if one.token == token), "")

    # What came of it

    def fault(self, detail: str) -> None:
        """Something that the scenario expects did not come."""
        self.broken.append(Broken(guarantee="expected", turn=len(self.turns), detail=detail))

    def unfinished(self, detail: str) -> None:
        """The person cannot get on."""
        turn = len(self.turns)
        self.failures.append(Failure(kind=FailureKind.UNFINISHED, turn=turn, detail=detail))

    @property
    def spent(self) -> Spent:
        """What all turns so far cost."""
        return sum((one.spent for one in self.turns), Spent())

    @property
    def ending(self) -> Ending:
        """How the chat has ended, or that it has not."""
        if self.failures:
            return Ending.UNFINISHED
        journey = self.chat.journey
        return _ENDINGS[journey.status] if journey is not None else Ending.OPEN

    def record(self) -> ChatRecord:
        """All that came of it."""
        return ChatRecord(
            journey=self.scenario.journey,
            scenario=self.scenario.name,
            lead=Lead.RUNTIME,
            model=self.chat.model.name,
            seed=self.restless.seed if self.restless is not None else 0,
            ending=self.ending,
            turns=tuple(self.turns),
            owed=self.teller.owed,
            failures=(*self.failures, *self.teller.failures),
            broken=tuple(self.broken),
            decided=dict(sorted(self.chat.judge.decided.items())),
            occasions=self.teller.occasions,
            first_summaries=tuple(self.teller.first_summaries),
            compared=self.scenario.expect.ends is Ending.SUBMITTED,
        )


def _written(took: Took) -> dict[str, Value]:
    """The values that a turn wrote."""
    before, after = took.before.journey, took.taken.state.journey
    if after is None:
        return {}
    known = before.draft.values if before is not None and before.id == after.id else {}
    return {name: one for name, one in after.draft.values.items() if one != known.get(name)}
