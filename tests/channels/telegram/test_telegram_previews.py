"""An unfinished answer holds nothing up and overtakes nothing, however slow a look of it is, and
whichever process sends the answer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from channels.telegram.channel import Telegram
from core.sender import Sender
from core.store import Store
from tests.support.dinner_folder import dinner
from tests.support.telegram.chats import Chat
from tests.support.telegram.faults import Waits
from tests.support.telegram.features import PLAIN
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import PROMPT, TelegramBot, telegram_bot
from tests.support.told import Told

BEGUN = ("Parking is free. ", "The yard is behind the mill. ", "The gates are open all night. ")
FIRST = "Parking is free."
"""What is seen of what has begun: no more than stays, whatever comes."""
NEXT = "Dogs may come along. "
WHOLE = "".join((*BEGUN, NEXT)).strip()


@dataclass
class Scene:
    """A chat in which the first question is open, and a model that waits to be told."""

    bot: TelegramBot
    ada: Person
    model: Told
    group: Chat | None

    @property
    def chat(self) -> Chat:
        return self.group or self.ada.chat

    def asks(self) -> None:
        text = "is parking free?"
        self.ada.says(f"@surestep_bot {text}" if self.group else text, chat=self.group)

    def answers(self) -> list[Message]:
        return [one for one in self.chat.screen(self.ada) if "Parking" in one.text]

    async def shows(self, text: str) -> None:
        """Wait until so much of the answer is seen, and no more."""
        await self.bot.server.until(
            lambda: [one.text.removeprefix("Ada\n\n") for one in self.answers()] == [text],
            f"{text!r}, alone",
        )


@asynccontextmanager
async def serving(
    server: TelegramServer, folder: Path, *, group: bool = False
) -> AsyncIterator[Scene]:
    """Ada in front of the first question."""
    model = Told()
    async with telegram_bot(server, folder, model=model, **dinner(folder)) as bot:
        ada = server.person("Ada")
        it = Scene(bot, ada, model, server.group("Kitchen", ada) if group else None)
        ada.says("/start@surestep_bot dinner", chat=it.group)
        await bot.quiet()
        server.passes(2)
        yield it


@asynccontextmanager
async def another_sends(bot: TelegramBot) -> AsyncIterator[None]:
    """From now on another process sends what this one's turns want."""
    bot.house.sender.channels.clear()
    store = await Store.open(bot.house.settings.database_url)
    channel = Telegram(bot.channel.api, store, bot.channel.me, manners=PROMPT)
    sending = asyncio.create_task(Sender(store, "another", {"telegram": channel}, idle=0.01).run())
    yield
    sending.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await sending
    await store.close()


async def test_the_model_is_asked_and_its_answer_comes_though_the_chat_hangs(
    tmp_path: Path,
) -> None:
    async with TelegramServer() as server, serving(server, tmp_path) as it:
        it.bot.channel.streams.patience = 0.05
        hangs = Waits()
        server.befall(hangs, "sendChatAction", times=None)
        it.asks()
        it.model.tell(*BEGUN, NEXT, None)
        await it.shows(WHOLE)
        hangs.open()
        await it.bot.quiet()


@pytest.mark.parametrize("group", [False, True])
async def test_a_slow_change_never_overtakes_the_answer_that_another_process_sends(
    tmp_path: Path, group: bool
) -> None:
    async with (
        TelegramServer(lacks=PLAIN) as server,
        serving(server, tmp_path, group=group) as it,
        another_sends(it.bot),
    ):
        it.bot.channel.streams.patience = 0.05
        it.asks()
        it.model.tell(*BEGUN)
        await it.shows(FIRST)
        slow = Waits()
        late = server.befall(slow, "editMessageText")
        it.model.tell(NEXT)
        await server.until(lambda: late.met, "a change of what is shown")
        change = server.called("editMessageText")[-1]
        it.model.tell(None)
        await it.shows(WHOLE)
        await it.bot.quiet()
        slow.open()
        await server.until(lambda: change.error or change.result, "the end of the late change")
        await it.shows(WHOLE)


async def test_a_slow_beginning_is_owned_up_to_when_another_process_sends_the_answer(
    tmp_path: Path,
) -> None:
    async with (
        TelegramServer(lacks=PLAIN) as server,
        serving(server, tmp_path) as it,
        another_sends(it.bot),
    ):
        it.bot.channel.streams.patience = 0.05
        slow = Waits()
        late = server.befall(slow, "sendMessage")
        it.asks()
        it.model.tell(*BEGUN)
        await server.until(lambda: late.met, "the beginning of the answer")
        it.model.tell(NEXT, None)
        await server.until(lambda: len(it.answers()) == 1, "the answer")
        assert WHOLE in it.answers()[0].text
        assert "twice" in it.answers()[0].text
        slow.open()
        await server.until(lambda: len(it.answers()) == 2, "the late beginning")


async def test_an_answer_goes_on_in_the_message_that_a_process_that_ended_began(
    tmp_path: Path,
) -> None:
    async with TelegramServer(lacks=PLAIN) as server:
        async with serving(server, tmp_path) as it:
            it.asks()
            it.model.tell(*BEGUN)
            await it.shows(FIRST)
            (begun,) = it.answers()
            ada = it.ada
        model = Told()
        async with telegram_bot(server, tmp_path, model=model, **dinner(tmp_path)) as bot:
            it = Scene(bot, ada, model, None)
            model.tell("Parking costs two euros. ", "Dogs are free. ", "So are cats. ")
            await it.shows("Parking costs two euros.")
            model.tell(None)
            await it.shows("Parking costs two euros. Dogs are free. So are cats.")
            await bot.quiet()
            assert [one.id for one in it.answers()] == [begun.id]
