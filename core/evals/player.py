"""A person in a chat that the runtime leads: they answer what is asked with what they have in mind,
and what they did and saw is written down."""

from __future__ import annotations

from typing import Any

import msgspec

from core.cards import Card, Mark, Summary, buttons
from core.evals.acting import Actor, CannotAnswer, same
from core.evals.chat import Chat, Took, told
from core.evals.drawing import drawn
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
from core.evals.referee import judged
from core.evals.restless import Restless
from core.evals.scenario import Scenario
from core.evals.telling import Teller
from core.replies import Command, Reply, Tap, Words
from core.state import AskKind, Status

PATIENCE = 3
"""Replies to one ask after which a restless person gives in, and answers something that stands."""

STUBBORN = 12
"""Replies to one ask after which the person has no more idea how to answer it."""

_ENDINGS = {
    Status.OPEN: Ending.OPEN,
    Status.SUBMITTED: Ending.SUBMITTED,
    Status.CANCELLED: Ending.CANCELLED,
    Status.EXPIRED: Ending.CANCELLED,
}
_SURE = {AskKind.CANCEL, AskKind.RESTART}


class TurnsOut(Exception):
    """The chat does not come to an end."""


class Player:
    """The person. `restless` is what they do in between, where they are."""

    def __init__(self, chat: Chat, scenario: Scenario, restless: Restless | None = None) -> None:
        self.chat, self.scenario, self.restless = chat, scenario, restless
        self.actor = Actor(chat)
        self.intent: dict[str, Any] = dict(scenario.answers)
        self.turns: list[TurnRecord] = []
        self.broken: list[Broken] = []
        self.failures: list[Failure] = []
        self.meant: dict[str, Any] = {}
        self.teller = Teller(chat)

    # What is asked

    async def until(self, name: str) -> bool:
        """Answer whatever is asked until this is; False when it never comes to that.

        Raises CannotAnswer when an ask stays open whatever is answered.
        """
        asked, replies = "", 0
        while True:
            await self.whim()
            now = self.chat.asks
            if not self.chat.is_open or now in (name, "summary"):
                return self.chat.is_open and now == name
            replies = replies + 1 if now == asked else 0
            asked = now
            if replies >= PATIENCE and self.restless is not None:
                await self._other_mind()
            if replies >= STUBBORN:
                raise CannotAnswer(f"{asked} was answered {replies} times and stays open")
            await self.answer()

    async def whim(self) -> None:
        """What a restless person does in between."""
        while self.restless is not None:
            reply = self.restless.whim(self.chat, self.intent)
            if reply is None:
                return
            await self.take(reply)

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
        self.meant = {ask.item: wanted}
        try:
            return await self.take(reply)
        finally:
            self.meant = {}

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
        they have in mind; whether there was anything."""
        card, journey = self.card(), self.chat.journey
        if not isinstance(card, Summary) or journey is None:
            return False
        for row in card.rows:
            value = journey.draft.values[row.item]
            unheard = row.mark is Mark.QUOTED and row.item not in self.intent
            if unheard or not same(self.intent.get(row.item, value.value), value.value):
                await self.tap(card, row.edit.token)
                return True
        return False

    async def confirm(self) -> None:
        """Confirm the open summary."""
        card = self.card()
        if not isinstance(card, Summary):
            raise CannotAnswer("there is no summary to confirm")
        if self.scenario.by == "words":
            await self.say(self.chat.type.speak(self.chat.person.locale)("step.yes"))
        else:
            await self.tap(card, card.confirm.token)

    # Replies

    def card(self) -> Card | None:
        """The open card."""
        return self.chat.screen.live[-1] if self.chat.screen.live else None

    def command(self, text: str) -> Command:
        """A command as it is typed, without what stands before it."""
        name, _, argument = text.partition(" ")
        return Command(name=name, argument=argument, by=self.chat.person.id, at=self.chat.now)

    async def say(self, text: str) -> Took:
        """Type something."""
        return await self.take(Words(text=text, by=self.chat.person.id, at=self.chat.now))

    async def tap(self, card: Card, token: str) -> Took:
        """Tap a button of a card."""
        person = self.chat.person.id
        return await self.take(Tap(card=card.id, token=token, by=person, at=self.chat.now))

    async def take(self, reply: Reply) -> Took:
        """Reply, and write down what came of it. Raises TurnsOut when it has been too much."""
        # A box that is ticked is another button afterwards.
        person = told(reply, self._label(reply))
        took = await self.chat.reply(reply)
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
        self.teller.turn(at, took, self.meant, self.intent)
        self.broken += [msgspec.structs.replace(one, turn=at) for one in took.broken]
        if at >= MOST_TURNS:
            raise TurnsOut(f"after {at} turns it is not done")
        return took

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
            owed=self.teller.told().owed,
            failures=(*self.failures, *judged(self.teller.told())),
            broken=tuple(self.broken),
            decided=dict(sorted(self.chat.judge.decided.items())),
        )
