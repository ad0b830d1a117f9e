"""An unfinished answer holds nothing up and overtakes nothing, however slow a look of it is, and
whichever process sends the answer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from channels.slack.channel import Slack
from core.sender import Sender
from core.store import Store
from tests.support.slack.app import App
from tests.support.slack.calls import Call
from tests.support.slack.faults import Waits
from tests.support.slack.messages import Message
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import SlackBot, slack_bot
from tests.support.slack_people import NOW, Visit
from tests.support.told import Told

BEGUN = ("Parking is free. ", "The yard is behind the mill. ", "The gates are open all night. ")
FIRST = "Parking is free."
"""What is seen of what has begun: no more than stays, whatever comes."""
NEXT = "Dogs may come along. "
WHOLE = "".join((*BEGUN, NEXT)).strip()


@dataclass
class Scene:
    """A conversation in which the first question is open, and a model that waits to be told."""

    visit: Visit
    model: Told

    @property
    def server(self) -> SlackServer:
        return self.visit.bot.server

    @property
    def bot(self) -> SlackBot:
        return self.visit.bot

    def asks(self) -> None:
        self.visit.person.says("is parking free?", in_=self.visit.place, thread=self.visit.thread)

    def answers(self) -> list[Message]:
        return [one for one in self.visit.screen if one.text.startswith("Parking")]

    async def shows(self, text: str) -> None:
        """Wait until so much of the answer is seen, and no more."""
        await self.server.until(
            lambda: [one.text for one in self.answers()] == [text], f"{text!r}, alone"
        )

    async def is_slow(self, method: str) -> tuple[Waits, Call]:
        """Wait until a look of the answer is under way that takes until it is let through."""
        slow = Waits()
        late = self.server.befall(slow, method)
        self.model.tell(NEXT)
        await self.server.until(lambda: late.met, f"a slow {method}")
        return slow, self.server.called(method)[-1]

    async def comes_late(self, slow: Waits, call: Call) -> None:
        """The slow look is let through."""
        slow.open()
        await self.server.until(lambda: call.error or call.result, "the end of the late call")


@asynccontextmanager
async def serving(
    server: SlackServer, folder: Path, journeys: dict[str, Any], *, thread: bool = False
) -> AsyncIterator[Scene]:
    """Ada in her direct message, or in a thread of a channel, in front of the first question."""
    model = Told()
    async with slack_bot(server, folder, model=model, **journeys) as bot:
        ada = server.workspace.person("Ada")
        visit = Visit(bot, ada, _root(server, ada) if thread else None)
        if thread:
            model.tell("Hello!", None)
            await bot.quiet()
        else:
            await visit.does("/surestep new dinner")
        yield Scene(visit, model)


def _root(server: SlackServer, ada: Person) -> Message:
    general = server.workspace.channel("general", ada)
    return ada.says("@Surestep a dinner", in_=general)


@asynccontextmanager
async def another_sends(bot: SlackBot) -> AsyncIterator[None]:
    """From now on another process sends what this one's turns want."""
    bot.house.sender.channels.clear()
    store = await Store.open(bot.house.settings.database_url)
    channel = Slack(bot.channel.api, replace(bot.channel.shell, store=store), bot.channel.manners)
    sending = asyncio.create_task(Sender(store, "another", {"slack": channel}, idle=0.01).run())
    yield
    sending.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await sending
    await store.close()


async def test_the_model_is_asked_and_its_answer_comes_though_the_status_hangs(
    app: App, tmp_path: Path, journeys: dict[str, Any]
) -> None:
    async with (
        SlackServer(app, now=NOW) as server,
        serving(server, tmp_path, journeys, thread=True) as it,
    ):
        it.bot.channel.streams.patience = 0.05
        hangs = Waits()
        server.befall(hangs, "assistant.threads.setStatus", times=None)
        it.asks()
        it.model.tell(*BEGUN, NEXT, None)
        await it.shows(WHOLE)
        hangs.open()
        await it.bot.quiet()


@pytest.mark.parametrize(
    "thread, method",
    [(False, "chat.update"), (True, "chat.appendStream")],
    ids=["direct", "in a thread"],
)
async def test_a_slow_change_never_overtakes_the_answer_that_another_process_sends(
    app: App, tmp_path: Path, journeys: dict[str, Any], thread: bool, method: str
) -> None:
    async with (
        SlackServer(app, now=NOW) as server,
        serving(server, tmp_path, journeys, thread=thread) as it,
        another_sends(it.bot),
    ):
        it.bot.channel.streams.patience = 0.05
        it.asks()
        it.model.tell(*BEGUN)
        await it.shows(FIRST)
        slow, change = await it.is_slow(method)
        it.model.tell(None)
        await it.shows(WHOLE)
        await it.bot.quiet()
        await it.comes_late(slow, change)
        await it.shows(WHOLE)


@pytest.mark.parametrize(
    "thread, method",
    [(False, "chat.postMessage"), (True, "chat.startStream")],
    ids=["direct", "in a thread"],
)
async def test_a_slow_beginning_is_owned_up_to_when_another_process_sends_the_answer(
    app: App, tmp_path: Path, journeys: dict[str, Any], thread: bool, method: str
) -> None:
    async with (
        SlackServer(app, now=NOW) as server,
        serving(server, tmp_path, journeys, thread=thread) as it,
        another_sends(it.bot),
    ):
        it.bot.channel.streams.patience = 0.05
        it.asks()
        it.model.tell(*BEGUN)
        slow, beginning = await it.is_slow(method)
        it.model.tell(None)
        await server.until(lambda: len(it.answers()) == 1, "the answer")
        assert it.answers()[0].text.startswith(WHOLE)
        assert "twice" in it.answers()[0].text
        await it.comes_late(slow, beginning)
        assert len(it.answers()) == 2


@pytest.mark.parametrize("thread", [False, True], ids=["direct", "in a thread"])
async def test_an_answer_takes_the_place_of_what_a_process_that_ended_began(
    app: App, tmp_path: Path, journeys: dict[str, Any], thread: bool
) -> None:
    async with SlackServer(app, now=NOW) as server:
        async with serving(server, tmp_path, journeys, thread=thread) as it:
            it.asks()
            it.model.tell(*BEGUN)
            await it.shows(FIRST)
            visit = it.visit
        model = Told()
        async with slack_bot(server, tmp_path, model=model, **journeys) as bot:
            it = Scene(replace(visit, bot=bot), model)
            model.tell("Parking costs two euros. ", "Dogs are free. ", "So are cats. ")
            await it.shows("Parking costs two euros.")
            model.tell(None)
            await it.shows("Parking costs two euros. Dogs are free. So are cats.")
            await bot.quiet()
            await it.visit.is_in_order()
