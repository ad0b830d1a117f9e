"""G1 to G16 in Telegram: a person who does anything at all, in private and in a group, and a model
that misbehaves on purpose. After every act it is looked from the server's side what stands there.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from channels.telegram.payload import Dest, Pressed, data_for
from tests.support.dinner_folder import dinner
from tests.support.mischief import Mischief
from tests.support.telegram.features import API_10_0, PLAIN, Feature
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import DRIVERS, TelegramBot, telegram_bot
from tests.support.telegram_watch import Watch, buttons_of
from tests.support.wandering import COMMANDS, Does, Wandering, was_inert
from tests.support.watching import ends_well

NOON = 1_796_126_400
"""1 December 2026, noon."""


class Walk(Wandering):
    """One person's way through anything in Telegram."""

    def __init__(self, bot: TelegramBot, watch: Watch, random: Random) -> None:
        super().__init__(watch, random)
        self.bot = bot
        self.watch: Watch = watch
        self.said: list[Message] = []
        watch.carried.listen(bot.house)

    @property
    def ada(self) -> Person:
        return self.watch.person

    def ways(self) -> list[Does]:
        """See Wandering."""
        ways = [self.answers] * 9 + [self.says, self.asks, self.taps, self.changes] * 3
        ways += [self.settles_by_a_tap] * 2
        ways += [self.taps_an_old_card, self.taps_twice, self.says_twice, self.edits]
        return [*ways, self.says_and_taps, self.commands, self.sends_something, self.deletes]

    def begins(self) -> None:
        """See Wandering."""
        self.ada.says("/start@surestep_bot dinner", chat=self.watch.group)

    def writes(self, text: str) -> None:
        """See Wandering."""
        group, card = self.watch.group, next(iter(self.watch.live()), None)
        if group is not None and card is None:
            text = f"@surestep_bot {text}"
        self.said.append(self.ada.says(text, chat=group, reply_to=card if group else None))

    def photographs(self) -> None:
        """See Wandering."""
        self.ada.sends_photo(chat=self.watch.group, reply_to=self._card())

    def _card(self) -> Message | None:
        return next(iter(self.watch.live()), None) if self.watch.group else None

    def _button(self) -> tuple[Message, str] | None:
        live = self.watch.live()
        data = [one.data for one in live[0].buttons if one.data] if live else []
        if self.random.random() < 0.8:
            data = [one for one in data if "|~cancel|" not in one and "|~restart|" not in one]
        return (live[0], self.random.choice(data)) if data else None

    async def taps(self) -> None:
        if (found := self._button()) is not None:
            async with self.watch.act():
                self.ada.forges(found[1], found[0])

    async def settles_by_a_tap(self) -> None:
        """A tap on what leads on, not on what leads back or out."""
        for message in self.watch.live()[:1]:
            ways = [one.data for one in message.buttons if one.data and "|~" not in one.data]
            if ways:
                async with self.watch.act():
                    self.ada.forges(self.random.choice(ways), message)

    async def taps_twice(self) -> None:
        """Two taps within milliseconds."""
        if (found := self._button()) is not None:
            async with self.watch.act():
                self.ada.forges(found[1], found[0])
                self.ada.forges(found[1], found[0])

    async def says_and_taps(self) -> None:
        """A tap while the model is still answering, perhaps."""
        if (found := self._button()) is not None:
            async with self.watch.act():
                self.says_so(self.word())
                self.ada.forges(found[1], found[0])

    async def taps_an_old_card(self) -> None:
        """A tap on a card that is open no longer changes nothing, and says so (G8)."""
        before = await self.watch.look()
        ask = before.ask
        old = [
            (message, data)
            for message, _, data in self.watch.cards
            if ask is None or f"|{ask.card}|" not in data
        ]
        if not old:
            return
        message, data = self.random.choice(old)
        async with self.watch.act():
            tap = self.ada.forges(data, message)
            answer = await tap.answered()
        was_inert(before, await self.watch.look(), answer.text)

    async def edits(self) -> None:
        if self.said:
            async with self.watch.act():
                text = self.word()
                self.watch.typed.append(text)
                self.ada.edits(self.random.choice(self.said[-3:]), text)

    async def deletes(self) -> None:
        """Their own messages, and the bot's, its open card too."""
        mine = [one for one in self.said if not one.deleted]
        theirs = [one for one in self.watch.chat.screen() if one.from_bot and self._is_ours(one)]
        if not (mine or theirs):
            return
        message = self.random.choice([*mine[-2:], *theirs[-3:]])
        self.watch.gone = True
        async with self.watch.act():
            self.ada.deletes(message)

    def _is_ours(self, message: Message) -> bool:
        return all(one.owner == self.ada.id for one in buttons_of(message))

    async def commands(self) -> None:
        async with self.watch.act():
            command = self.random.choice(COMMANDS)
            self.ada.says(f"/{command}@surestep_bot", chat=self.watch.group)

    async def sends_something(self) -> None:
        where: dict[str, Any] = {"chat": self.watch.group, "reply_to": self._card()}
        async with self.watch.act():
            kind = self.random.randrange(4)
            if kind == 0:
                self.ada.sends_sticker(**where)
            elif kind == 1:
                self.ada.sends_photo(caption="20", **where)
            elif kind == 2:
                self.ada.sends_voice(**where)
            else:
                self.ada.shares_contact("+4930901820", **where)

    async def meddles(self, other: Watch) -> None:
        """This person taps somebody else's card, or forges a tap out of what stands there."""
        theirs, mine = other.live(), self.watch.live()
        if not theirs or self.watch.group is None:
            return
        own = buttons_of(mine[0])[0] if mine else None
        data = self.random.choice(forged(buttons_of(theirs[0])[0], own, self.watch.group.id))
        async with self.watch.act():
            tap = self.ada.forges(data, self.random.choice([*theirs, *mine]))
        assert tap.answer is not None
        after = {one.id for one in self.watch.chat.screen() if one.buttons}
        assert theirs[0].id in after, "G15: somebody else's card was taken away"


def forged(theirs: Pressed, own: Pressed | None, chat: int) -> list[str]:
    """Callback data for somebody else's card and owner, for another card and topic of one's own,
    and for nothing at all."""
    made = [
        data_for(theirs.card, token, Dest(chat=chat, owner=theirs.owner, thread=thread))
        for token in (theirs.token, "confirm", "~cancel", "~page1", "no such token")
        for thread in (0, 7)
    ]
    if own is not None:
        pairs = ((theirs.card, own.owner, 0), (own.card, theirs.owner, 0), (own.card, own.owner, 7))
        made += [
            data_for(card, theirs.token, Dest(chat=chat, owner=owner, thread=thread))
            for card, owner, thread in pairs
        ]
    return [*made, "confirm", "s1|||0|0", "s1|a|b|-1|0", "\u200b" * 20]


DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
SEEDS = range(300 if DEEP else 6)
SERVERS: tuple[frozenset[Feature], ...] = (frozenset(), API_10_0, PLAIN)


@pytest.mark.parametrize("seed", SEEDS)
async def test_in_a_private_chat_everything_holds_whatever_is_done(
    tmp_path: Path, seed: int
) -> None:
    random, driver = Random(seed), DRIVERS[seed % 2]
    async with (
        TelegramServer(lacks=SERVERS[seed % 3], now=NOON) as server,
        telegram_bot(server, tmp_path, driver, model=Mischief(random), **dinner(tmp_path)) as bot,
    ):
        answers = random.choice([0, 5, 9, 9, 10, 10])
        await Walk(bot, Watch(bot, server.person("Ada")), random).goes(answers, 12)
        await ends_well(bot.house, "dinners.jsonl")


@pytest.mark.parametrize("seed", SEEDS)
async def test_in_a_group_everything_holds_and_nobody_touches_anothers_card(
    tmp_path: Path, seed: int
) -> None:
    random, driver = Random(seed), DRIVERS[seed % 2]
    async with (
        TelegramServer(lacks=SERVERS[seed % 3], now=NOON) as server,
        telegram_bot(server, tmp_path, driver, model=Mischief(random), **dinner(tmp_path)) as bot,
    ):
        ada, bob = server.person("Ada"), server.person("Bob")
        group = server.group("Kitchen", ada, bob, supergroup=seed % 2 == 0)
        walks = [Walk(bot, Watch(bot, one, group), random) for one in (ada, bob)]
        walks[0].watch.others.append(walks[1].watch)
        walks[1].watch.others.append(walks[0].watch)
        await walks[0].goes(random.choice([0, 4, 10]))
        await walks[1].goes(random.choice([0, 2]))
        for _ in range(3):
            await walks[0].acts()
            await walks[1].meddles(walks[0].watch)
            await walks[1].acts()
            await walks[0].meddles(walks[1].watch)
        await ends_well(bot.house, "dinners.jsonl")
