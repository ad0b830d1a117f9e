"""Somebody who looks after a conversation: after every act all that always holds is looked at.

A channel tells what a person sees, what the bot sent and how much of what happened so far; what
must hold of it is in `tests.support.always`, for all channels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import select

from bot.wiring import House
from core.cards import Card, Summary
from core.events import Happened
from core.step.base import Fetch, Fetched
from core.store.tables import event, submission
from tests.support.always import Act, Look, Seen, Sent, check, check_beside, delivered_once
from tests.support.arrived import lines_of

_CARD: msgspec.json.Decoder[Card] = msgspec.json.Decoder(Card)


@dataclass
class Carried:
    """A journey's tools, and every call of them."""

    calls: list[Fetch] = field(default_factory=list)

    def listen(self, house: House) -> None:
        """Keep the calls of this program's tools from now on."""
        tools = house.runtime.tools

        async def kept(fetch: Fetch) -> Fetched:
            self.calls.append(fetch)
            return await tools(fetch)

        house.runtime.tools = kept


class Watching(ABC):
    """Looks after one person's conversation.

    `typed` is all that they typed, `gone` whether somebody deleted messages there by hand. `others`
    are looked after too, whoever acts.
    """

    def __init__(self, carried: Carried | None = None) -> None:
        self.carried = carried or Carried()
        self.typed: list[str] = []
        self.others: list[Watching] = []
        self.gone = False

    # What a channel tells

    @property
    @abstractmethod
    def house(self) -> House:
        """The program."""

    @property
    @abstractmethod
    def owner(self) -> str:
        """The person's id on the platform."""

    @property
    @abstractmethod
    def lane(self) -> str:
        """The conversation's lane."""

    @abstractmethod
    def screen(self) -> Sequence[Seen]:
        """What the person sees of their own messages and the bot's, oldest first."""

    @abstractmethod
    def count(self) -> tuple[int, int]:
        """How many calls the bot made so far, and how many controls were used."""

    @abstractmethod
    def sent(self, since: int, until: int) -> tuple[Sequence[Sent], Sequence[str]]:
        """What these calls sent into the conversation, and every text that they sent anywhere."""

    @abstractmethod
    async def settled(self) -> None:
        """Wait until all is dealt with and everybody has their answer."""

    @abstractmethod
    def in_order(self) -> None:
        """See that the platform itself has nothing to complain of."""

    @property
    def names(self) -> tuple[str, ...]:
        """How the person is called above what is for them."""
        return ()

    # How things stand

    async def look(self) -> Look:
        """How things stand now."""
        screen = tuple(self.screen())
        live = tuple(one for one in screen if self.owner in one.owners)
        calls, pressed = self.count()
        return Look(
            state=await self.house.store.conversation(self.lane),
            screen=screen,
            live=live,
            summary=await self._summary(live),
            submissions=await submissions(self.house, self.lane),
            calls=calls,
            pressed=pressed,
            fetched=len(self.carried.calls),
            consulted=len(getattr(self.house.runtime.model, "requests", ())),
        )

    async def _summary(self, live: Sequence[Seen]) -> Summary | None:
        """The summary that stands on the screen, as the channel drew it."""
        for name in sorted(name for one in live for name in one.cards):
            kept = (await self.house.store.where(self.lane, name) or {}).get("card", "")
            card = _CARD.decode(kept) if kept else None
            if isinstance(card, Summary):
                return card
        return None

    # An act, and what must hold after it

    @asynccontextmanager
    async def act(self) -> AsyncIterator[None]:
        """This person does something; then everything must hold, for the others too."""
        watches = [self, *self.others]
        before = [await watch.look() for watch in watches]
        words = len(self.typed)
        try:
            yield
            await self.settled()
            self.in_order()
            for watch, then in zip(watches, before, strict=True):
                made = watch.made(then, await watch.look(), self.typed[words:])
                (check if watch is self else check_beside)(made)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.drawn()}") from error

    def made(self, before: Look, after: Look, words: Sequence[str]) -> Act:
        """An act, as the rules look at it."""
        sent, said = self.sent(before.calls, after.calls)
        return Act(
            before=before,
            after=after,
            owner=self.owner,
            types=self.house.catalogue,
            now=self.house.runtime.clock(),
            sent=tuple(sent),
            said=tuple(said),
            fetched=tuple(self.carried.calls[before.fetched : after.fetched]),
            typed=tuple(self.typed),
            words=tuple(words),
            gone=self.gone,
            names=self.names,
        )

    @abstractmethod
    def drawn(self) -> str:
        """The conversation as it is seen, for whoever reads a failure."""


async def submissions(house: House, lane: str = "") -> tuple[Any, ...]:
    """The rows of what was submitted, in one conversation or in all."""
    chosen = select(submission).order_by(submission.c.id)
    if lane:
        chosen = chosen.where(submission.c.lane == lane)
    async with house.store.database.read() as connection:
        return tuple((await connection.execute(chosen)).all())


async def ends_well(house: House, file: str) -> None:
    """At the end: what was submitted has arrived where it is sent (G13), and what was reported of
    the chat is counts and enums only (G14)."""
    delivered_once(await submissions(house), await lines_of(house, file))
    names = house.catalogue.names()
    versions = {one.manifest.digest for one in map(house.catalogue.latest, names) if one}
    known = {"", *Happened, *names, *versions, *house.runtime.channels}
    async with house.store.database.read() as connection:
        for row in await connection.execute(select(event)):
            private = [one for one in row if not isinstance(one, int | float) and one not in known]
            assert not private, f"G14: {private}"
