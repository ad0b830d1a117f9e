"""The real program is told to stop with work in hand: it ends at once and in order, and whoever
starts it again goes on from there without waiting for anybody's lease."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from core.model.testing import MessagesServer
from core.texts import Texts
from tests.support.dinner_folder import dinner
from tests.support.ports import free_port
from tests.support.program import catch_up, log_of
from tests.support.slack.app import App
from tests.support.slack.faults import Waits
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_program import running

AGAIN = Texts("en")("slack.again")
ANSWER = "Because the hall depends on it."
QUESTION = "In person or online?"
LEASE = "600"
"""Nobody would wait so long for a lease that was not given back, in seconds."""


class Thinking:
    """A model that thinks until it may answer. `asked` counts how often it was asked."""

    def __init__(self, server: SlackServer) -> None:
        self.server = server
        self.asked = 0
        self.may_answer = asyncio.Event()

    async def __call__(self, _: dict[str, Any]) -> str:
        self.asked += 1
        self.server.touch()
        await self.may_answer.wait()
        return ANSWER


def asks_last(person: Person, question: str = QUESTION) -> bool:
    """Whether the newest message is this question, and the only one with controls."""
    screen = person.dm.screen(person)
    return question in str(screen.texts[-1:]) and screen.live == screen[-1:]


async def begins(server: SlackServer, name: str) -> Person:
    """Somebody in front of the first question."""
    person = server.workspace.person(name)
    await person.runs("/surestep", "new dinner").answered()
    await server.until(lambda: asks_last(person), "the first question")
    catch_up(server)
    return person


async def test_while_the_model_thinks_the_person_gets_their_answer_after_the_next_start(
    app: App, tmp_path: Path
) -> None:
    dinner(tmp_path)
    async with SlackServer(app) as server, MessagesServer() as messages:
        model = Thinking(server)
        messages.answer_by(model)
        chosen = {
            "SURESTEP_LEASE": LEASE,
            "ANTHROPIC_API_KEY": "x",
            "ANTHROPIC_BASE_URL": messages.url,
        }
        async with running(server, tmp_path, **chosen) as first:
            ada = await begins(server, "Ada")
            ada.says("why do you need that?")
            await server.until(lambda: model.asked, "a model that thinks")
            assert await first.ends() == 0, log_of(tmp_path)
        assert not server.delivery.sockets.open
        model.may_answer.set()
        async with running(server, tmp_path, **chosen) as second:
            await server.until(lambda: ANSWER in ada.dm.screen(ada).texts, "the answer")
            await server.until(lambda: asks_last(ada), "the question, once more")
            assert await second.ends() == 0, log_of(tmp_path)
        assert ada.dm.screen(ada).texts.count(ANSWER) == 1
        assert model.asked == 2
    assert set(log_of(tmp_path).splitlines()) == {how("Socket Mode")}


async def test_what_was_being_posted_and_what_had_just_arrived_are_taken_up_again(
    app: App, tmp_path: Path
) -> None:
    port, posting = free_port(), Waits(done=True)
    dinner(tmp_path)
    async with SlackServer(app) as server:
        async with running(server, tmp_path, port, SURESTEP_LEASE=LEASE) as first:
            ada = await begins(server, "Ada")
            trouble = server.befall(posting, "chat.postMessage")
            grace = await begins(server, "Grace")
            assert trouble.met, "the answer to her card is on its way"
            ada.says("online")
            await server.until(lambda: taken(server, "online"), "the acknowledgement")
            assert await first.ends() == 0, log_of(tmp_path)
        posting.open()
        async with running(server, tmp_path, port, SURESTEP_LEASE=LEASE) as second:
            await server.until(lambda: asks_last(ada, "What is the link?"), "the next question")
            await server.until(lambda: AGAIN in grace.dm.newest.text, "the card, once more")
            assert await second.ends() == 0, log_of(tmp_path)
        assert [QUESTION in one.text for one in grace.dm.screen(grace).live] == [True, True]
    assert set(log_of(tmp_path).splitlines()) == {how("HTTP")}


def taken(server: SlackServer, text: str) -> bool:
    """Whether the program has acknowledged these words."""
    told = server.delivery.attempted("message.im")
    return any(one.status == 200 and one.payload["event"].get("text") == text for one in told)


def how(way: str) -> str:
    """The one line that is printed at each start."""
    return f"Slack: surestep in Lovelace, by {way}. Ctrl-C stops."
