"""The real program is told to stop with work in hand: it ends at once and in order, and whoever
starts it again goes on from there without waiting for anybody's lease."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from core.model.testing import MessagesServer
from core.texts import Texts
from tests.support.dinner_folder import dinner
from tests.support.ports import free_port
from tests.support.program import Program, catch_up, log_of, program
from tests.support.telegram.faults import Waits
from tests.support.telegram.features import PLAIN
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer

AGAIN = Texts("en")("telegram.again")
ANSWER = "Because the hall depends on it."
QUESTION = "In person or online?"
LEASE = "600"
"""Nobody would wait so long for a lease that was not given back, in seconds."""


class Thinking:
    """A model that thinks until it may answer. `asked` counts how often it was asked."""

    def __init__(self, server: TelegramServer) -> None:
        self.server = server
        self.asked = 0
        self.may_answer = asyncio.Event()

    async def __call__(self, _: dict[str, Any]) -> str:
        self.asked += 1
        self.server.touch()
        await self.may_answer.wait()
        return ANSWER


def running(
    server: TelegramServer, folder: Path, driver: str, **chosen: str
) -> AbstractAsyncContextManager[Program]:
    """The real program at the loopback server."""
    return program(
        server,
        folder,
        TELEGRAM_BOT_TOKEN=server.token,
        TELEGRAM_API_BASE=server.url,
        TELEGRAM_DRIVER=driver,
        SURESTEP_LEASE=LEASE,
        **chosen,
    )


def asks_last(person: Person, question: str = QUESTION) -> bool:
    """Whether the newest message is this question, and the only one with buttons."""
    screen = person.chat.screen(person)
    return question in str(screen.texts[-1:]) and screen.live == screen[-1:]


async def begins(server: TelegramServer, name: str) -> Person:
    """Somebody in front of the first question."""
    person = server.person(name)
    person.starts("dinner")
    await server.until(lambda: asks_last(person), "the first question")
    catch_up(server)
    return person


async def test_while_the_model_thinks_the_person_gets_their_answer_after_the_next_start(
    tmp_path: Path,
) -> None:
    driver = "ptb"
    dinner(tmp_path)
    async with TelegramServer() as server, MessagesServer() as messages:
        model = Thinking(server)
        messages.answer_by(model)
        chosen = {"ANTHROPIC_API_KEY": "x", "ANTHROPIC_BASE_URL": messages.url}
        async with running(server, tmp_path, driver, **chosen) as first:
            ada = await begins(server, "Ada")
            ada.says("why do you need that?")
            await server.until(lambda: model.asked, "a model that thinks")
            assert await first.ends() == 0, log_of(tmp_path)
        model.may_answer.set()
        async with running(server, tmp_path, driver, **chosen) as second:
            await server.until(lambda: ANSWER in ada.chat.screen(ada).texts, "the answer")
            await server.until(lambda: asks_last(ada), "the question, once more")
            assert await second.ends() == 0, log_of(tmp_path)
        assert ada.chat.screen(ada).texts.count(ANSWER) == 1
        assert model.asked == 2
    assert set(log_of(tmp_path).splitlines()) == {how(f"long polling with {driver}")}


@pytest.mark.parametrize("driver, way", [("aiogram", "long polling"), ("ptb", "a webhook")])
async def test_what_was_being_sent_and_what_had_just_arrived_are_taken_up_again(
    tmp_path: Path, driver: str, way: str
) -> None:
    chosen = {"SURESTEP_LOG_LEVEL": "warning"}
    if way == "a webhook":
        port = free_port()
        chosen |= {"TELEGRAM_WEBHOOK_URL": f"http://127.0.0.1:{port}/telegram", "PORT": str(port)}
    sending = Waits(done=True)
    dinner(tmp_path)
    async with TelegramServer(lacks=PLAIN) as server:
        async with running(server, tmp_path, driver, **chosen) as first:
            ada = await begins(server, "Ada")
            trouble = server.befall(sending, "sendMessage")
            grace = await begins(server, "Grace")
            assert trouble.met, "the answer to her card is on its way"
            ada.says("online")
            await server.until(lambda: not server.updates.waiting(), "what arrived, confirmed")
            assert await first.ends() == 0, log_of(tmp_path)
        sending.open()
        async with running(server, tmp_path, driver, **chosen) as second:
            await server.until(lambda: asks_last(ada, "What is the link?"), "the next question")
            await server.until(lambda: AGAIN in grace.chat.newest.text, "the card, once more")
            assert await second.ends() == 0, log_of(tmp_path)
        assert [QUESTION in one.text for one in grace.chat.screen(grace).live] == [True, True]
    assert set(log_of(tmp_path).splitlines()) == {how(f"{way} with {driver}")}


def how(way: str) -> str:
    """The one line that is printed at each start."""
    return f"Telegram: https://t.me/surestep_bot, by {way}. Ctrl-C stops."
