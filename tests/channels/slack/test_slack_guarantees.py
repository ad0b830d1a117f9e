"""G1 to G16 in Slack: a person who does anything at all, in their direct message and in the thread
of a channel, and a model that misbehaves on purpose. After every act it is looked from the server's
side what stands there.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from channels.slack.payload import COMMAND, SEND, Dest, Part, block_id, part_of
from core.texts import Texts
from tests.support.dinner_folder import dinner
from tests.support.mischief import Mischief
from tests.support.slack import payloads
from tests.support.slack.app import App
from tests.support.slack.controls import Control
from tests.support.slack.disturbances import Repeats
from tests.support.slack.interactions import Interaction
from tests.support.slack.messages import Message
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import SlackBot, slack_bot
from tests.support.slack_people import NOW, OPEN
from tests.support.slack_uses import PHOTO, fill, forged, tells, use
from tests.support.slack_watch import Watch, given_up
from tests.support.wandering import COMMANDS, Does, Wandering, was_inert
from tests.support.watching import ends_well

NOT_YOURS = Texts("en")("turn.not_yours")
WAYS_OUT = ("~cancel", "~restart")
Restart = Callable[[Callable[[], None]], Awaitable[None]]
"""Ends the bot, lets something happen meanwhile, and starts it anew."""


class Walk(Wandering):
    """One person's way through anything in Slack. `restart` ends the bot and starts it anew."""

    def __init__(self, watch: Watch, random: Random, restart: Restart | None = None) -> None:
        super().__init__(watch, random)
        self.watch: Watch = watch
        self.said: list[Message] = []
        self.restart = restart

    @property
    def ada(self) -> Person:
        return self.watch.person

    def ways(self) -> list[Does]:
        """See Wandering."""
        ways = [self.answers] * 9 + [self.says, self.asks, self.uses, self.changes] * 3
        ways += [self.settles] * 2
        ways += [self.uses_an_old_card, self.uses_twice, self.opens_a_window] * 2
        ways += [self.says_twice, self.says_and_uses, self.edits, self.commands, self.shares]
        return [*ways, self.deletes, self.looks_round, *([self.goes_away] if self.restart else [])]

    def begins(self) -> None:
        """See Wandering."""
        if self.watch.thread is None:
            self.ada.runs("/surestep", "start dinner")
        else:
            self._sends("@Surestep")

    def writes(self, text: str) -> None:
        """See Wandering. In a thread, who has nothing open calls the bot by its name."""
        if self.watch.thread is not None and not self.watch.live:
            text = f"@Surestep {text}"
        self._sends(text)

    def _sends(self, text: str) -> None:
        place, thread = self.watch.place, self.watch.thread
        self.said.append(self.ada.says(text, in_=place, thread=thread))

    def photographs(self) -> None:
        """See Wandering."""
        self.ada.uploads(*PHOTO, in_=self.watch.place, thread=self.watch.thread)

    # With the controls of the open card

    def _control(self, *, leads_on: bool = False) -> tuple[Message, Control] | None:
        """One of them, seldom one that leads out; or one that `leads_on` if there is any."""
        found = [(one, control) for one in self.watch.live for control in one.controls]
        if leads_on:
            found = [one for one in found if "~" not in one[1].element["action_id"]]
        elif self.random.random() < 0.8:
            found = [one for one in found if one[1].kind != "overflow"]
            found = [one for one in found if not _is_way_out(one[1])]
        return self.random.choice(found) if found else None

    async def _use(self, found: tuple[Message, Control]) -> None:
        used = await use(self.ada.on(found[0]), found[1], self.random)
        if used is not None:
            await used.answered()

    async def uses(self) -> None:
        """Any control; a window that opens is closed again."""
        if (found := self._control()) is not None:
            async with self.watch.act():
                await self._use(found)
            await self._shuts()

    async def settles(self) -> None:
        """A control that leads on, not back or out."""
        if (found := self._control(leads_on=True)) is not None:
            async with self.watch.act():
                await self._use(found)

    async def uses_twice(self) -> None:
        """Two clicks within milliseconds, perhaps on two controls."""
        first, second = self._control(), self._control()
        if first is None or second is None:
            return
        clicks = [self._forges(*one) for one in (first, self.random.choice([first, second]))]
        async with self.watch.act():
            for made in clicks:
                made()
        await self._shuts()

    async def says_and_uses(self) -> None:
        """A click while the model is still answering, perhaps."""
        if (found := self._control()) is not None:
            async with self.watch.act():
                self.says_so(self.word())
                self._forges(*found)()
            await self._shuts()

    def _forges(self, message: Message, control: Control) -> Callable[[], Interaction]:
        """A use of a control, whether it still stands there or not."""
        surface = self.ada.on(message)
        return lambda: surface.forges(forged(control, self.random, self._ts()))

    def _ts(self) -> str:
        return self.watch.bot.server.next_ts()

    async def uses_an_old_card(self) -> None:
        """A control of a card that is open no longer changes nothing, and says so (G8)."""
        before, heard = await self.watch.look(), len(self.watch.told())
        ask = before.ask
        old = [
            (message, control)
            for message, control in self.watch.used
            if tells(control) and (ask is None or _part(control).card != ask.card)
        ]
        if not old:
            return
        async with self.watch.act():
            await self._forges(*self.random.choice(old))().answered()
        told = self.watch.told()[heard:]
        assert len(told) == 1, f"G8: who used an old card was told {told}"
        was_inert(before, await self.watch.look(), told[0], f"{COMMAND} ")

    # With windows

    async def opens_a_window(self) -> None:
        """It is filled in and sent, or closed half-way; perhaps its card moves on meanwhile."""
        found = [(card, label) for card in self.watch.live for label in card.buttons]
        opening = [(card, label) for card, label in found if label in OPEN]
        if not opening:
            return
        async with self.watch.act():
            modal = await self.ada.opens(opening[0][1], opening[0][0])
        if self.random.random() < 0.3:
            await self.random.choice([self.says, self.answers])()
        async with self.watch.act():
            if fill(modal, self.word(), self.random) and self.random.random() < 0.8:
                await modal.submits().answered()
        await self._shuts()

    async def _shuts(self) -> None:
        if self.ada.views:
            async with self.watch.act():
                self.ada.modal.closes(every=True)

    # All else

    async def edits(self) -> None:
        """One of their last messages says something else."""
        mine = [one for one in self.said[-3:] if not one.deleted]
        if mine:
            async with self.watch.act():
                text = self.word()
                self.watch.typed.append(text)
                self.ada.edits(self.random.choice(mine), text)

    async def deletes(self) -> None:
        """Their own messages, and, as an admin may, the bot's, its open card too."""
        mine = [one for one in self.said if not one.deleted]
        theirs = [one for one in self.watch.live if one.from_bot]
        if not (mine or theirs):
            return
        message = self.random.choice([*mine[-2:], *theirs])
        self.watch.gone = True
        async with self.watch.act():
            event = payloads.deleted_event(message)
            message.deleted = True
            self.ada.workspace.tells_message(message, event)

    async def commands(self) -> None:
        """A command, in the direct message; in a thread, the bot's name alone."""
        async with self.watch.act():
            if self.watch.thread is None:
                ran = self.ada.runs("/surestep", self.random.choice(COMMANDS))
                await ran.answered()
            else:
                self._sends("@Surestep")

    async def shares(self) -> None:
        """A file that was not asked for, or of the wrong kind."""
        where: dict[str, Any] = {"in_": self.watch.place, "thread": self.watch.thread}
        if self.watch.live:
            async with self.watch.act():
                name = self.random.choice(["crowd.jpg", "notes.txt"])
                self.ada.uploads(name, PHOTO[1], self.random.choice(["", "20"]), **where)

    async def looks_round(self) -> None:
        """What is no answer: an emoji, the preview of a link, the app's Home."""
        async with self.watch.act():
            if self.said and not self.said[-1].deleted:
                self.ada.reacts("thumbsup", self.said[-1])
                self.ada.unfurls(self.said[-1], "A dinner")
            self.ada.opens_home()

    async def goes_away(self) -> None:
        """They write while the bot is away, and it comes back."""
        assert self.restart is not None
        async with self.watch.act():
            await self.restart(lambda: self.says_so(self.word()))

    async def meddles(self, other: Watch) -> None:
        """This person uses somebody else's card: only they are told so, and nothing is settled."""
        found = [(card, one) for card in other.live for one in card.controls if tells(one)]
        if not found:
            return
        stood, heard, told = other.screen(), len(self.watch.told()), other.told()
        async with self.watch.act():
            await self._forges(*self.random.choice(found))().answered()
        assert self.watch.told()[heard:] == [NOT_YOURS], "G15: who meddled was not told"
        assert other.screen() == stood, "G15: somebody else's card is another one"
        assert other.told() == told, "G15: the owner was told"

    async def forges(self, other: Watch) -> None:
        """A control of their own making: of another's card, as another, in another thread."""
        theirs, mine = other.live, self.watch.live
        if not theirs:
            return
        controls = [one for card in (*theirs, *mine) for one in card.controls]
        control, part = self.random.choice(controls), _part(theirs[0].controls[0])
        own = _part(mine[0].controls[0]) if mine else part
        made = block_id(
            self.random.choice([part.card, own.card]),
            self.random.choice([part.part, own.part, f"{SEND}0"]),
            Dest(
                team=self.ada.workspace.id,
                channel=self.watch.place.id,
                owner=self.random.choice([part.owner, own.owner]),
                thread=self.random.choice([part.thread, "", "1.000001"]),
            ),
        )
        action = forged(control, self.random, self._ts(), block_id=made)
        stood = [(card, card.text) for card in theirs]
        async with self.watch.act():
            message = self.random.choice([*theirs, *mine])
            await self.ada.on(message).forges(action).answered()
        await self._shuts()
        stands = [(card, card.text) for card in other.live]
        assert stands == stood, "G15: somebody else's card is another one"


def _part(control: Control) -> Part:
    part = part_of(str(control.block["block_id"]))
    assert part is not None
    return part


def _is_way_out(control: Control) -> bool:
    return any(way in control.element["action_id"] for way in WAYS_OUT)


DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
SEEDS = range(300 if DEEP else 4)
BEGINS = (1, 12, 8, 11)
"""How many answers come first: to the hall, to the summary, to what the talk gathers."""

STREAMS = ("chat.startStream", "chat.appendStream", "chat.stopStream")


def server_of(app: App, seed: int) -> SlackServer:
    """Now with streams, now without; now with events that come again, now without."""
    server = SlackServer(app, now=NOW, lacks=STREAMS if seed % 2 else ())
    if seed % 3 == 0:
        server.upset(Repeats(1), "message.im", "message.channels", "app_mention", times=None)
    return server


@pytest.mark.parametrize("seed", SEEDS)
async def test_in_a_direct_message_everything_holds_whatever_is_done(
    app: App, tmp_path: Path, seed: int
) -> None:
    random, settings = Random(seed), dinner(tmp_path)
    model = Mischief(random)
    async with server_of(app, seed) as server, AsyncExitStack() as life:

        async def opened() -> SlackBot:
            running = slack_bot(server, tmp_path, model=model, **settings)
            return await life.enter_async_context(running)

        async def restarted(meanwhile: Callable[[], None]) -> None:
            await life.aclose()
            meanwhile()
            server.passes(60)
            watch.bot = await opened()
            watch.carried.listen(watch.house)

        watch = Watch(await opened(), server.workspace.person("Ada"))
        watch.carried.listen(watch.house)
        walk = Walk(watch, random, restarted)
        await walk.goes(BEGINS[seed % 4], 12)
        await ends_well(watch.house, "dinners.jsonl")
        assert not await given_up(watch.bot)


@pytest.mark.parametrize("seed", SEEDS)
async def test_in_a_thread_everything_holds_and_nobody_touches_anothers_card(
    app: App, tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    async with (
        server_of(app, seed) as server,
        slack_bot(server, tmp_path, model=Mischief(random), **dinner(tmp_path)) as bot,
    ):
        ada, bob = server.workspace.person("Ada"), server.workspace.person("Bob")
        general = server.workspace.channel("general", ada, bob, private=seed % 2 == 1)
        root = ada.says("@Surestep a dinner, please", in_=general)
        await bot.quiet()
        walks = [Walk(Watch(bot, one, root), random) for one in (ada, bob)]
        walks[0].watch.carried.listen(bot.house)
        walks[1].watch.carried = walks[0].watch.carried
        walks[0].watch.others.append(walks[1].watch)
        walks[1].watch.others.append(walks[0].watch)
        await walks[0].goes(BEGINS[(seed + 1) % 4])
        await walks[1].goes(random.choice([0, 2]))
        for _ in range(4):
            for one, other in (walks, reversed(walks)):
                await one.acts()
                await one.meddles(other.watch)
                await one.forges(other.watch)
        await ends_well(bot.house, "dinners.jsonl")
        assert not await given_up(bot)
