"""The model's answer while it comes: in a thread a stream of Slack's own, elsewhere a message that
is updated. Nothing is shown that is taken back, nothing unfinished is left, and it comes once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.model import Failure, ModelFailed
from tests.support.slack.app import App
from tests.support.slack.faults import Breaks, Refuses
from tests.support.slack.messages import Message
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import SlackBot, slack_bot
from tests.support.slack_people import NOW, Visit
from tests.support.told import Told

PIECES = (
    "Parking is *free* ",
    "in the R&D yard. ",
    "There are two yards, ",
    "and both are close. ",
    "The gates are open ",
    "all night. ",
)
FIRST = "Parking is *free* in the R&D yard."
KEPT = (
    "Parking is *free* in the R&D yard. There are two yards, and both are close. The gates are"
    " open all night."
)
QUESTION = "What time should the dinner start?"


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

    def asks(self, text: str) -> None:
        """Ada asks the bot something."""
        self.visit.person.says(text, in_=self.visit.place, thread=self.visit.thread)

    def seen(self) -> list[str]:
        """What stands there that begins as the answer does."""
        return [one.text for one in self.visit.screen if one.text.startswith("Parking")]

    async def shows(self, text: str) -> None:
        """Wait until so much of the answer is seen, and no more."""
        await self.server.until(lambda: self.seen() == [text], f"{text!r}, coming")

    async def streams(self, number: int) -> None:
        """Wait until so many streams were begun."""
        await self.server.until(
            lambda: len(self.server.called("chat.startStream")) == number, f"stream {number}"
        )

    async def ends(self) -> None:
        """Wait until all is said, and see that the conversation is in order."""
        await self.bot.quiet()
        await self.visit.is_in_order()


@asynccontextmanager
async def scene(
    app: App, folder: Path, journeys: dict[str, Any], *, thread: bool, lacks: tuple[str, ...] = ()
) -> AsyncIterator[Scene]:
    """Ada in her direct message, or in a thread of a channel, in front of the first question."""
    model = Told()
    async with (
        SlackServer(app, now=NOW, lacks=lacks) as server,
        slack_bot(server, folder, model=model, **journeys) as bot,
    ):
        ada = server.workspace.person("Ada")
        root = _root(server, ada) if thread else None
        visit = Visit(bot, ada, root)
        if root is None:
            await visit.does("/surestep new dinner")
        else:
            model.tell("Hello!", None)
            await bot.quiet()
            await visit.is_in_order()
        yield Scene(visit, model)


def _root(server: SlackServer, ada: Person) -> Message:
    general = server.workspace.channel("general", ada)
    return ada.says("@Surestep a dinner", in_=general)


@pytest.mark.parametrize("thread", [True, False], ids=["in a thread", "direct"])
async def test_an_answer_is_seen_while_it_comes(
    app: App, tmp_path: Path, journeys: dict[str, Any], thread: bool
) -> None:
    async with scene(app, tmp_path, journeys, thread=thread) as it:
        it.asks("is there parking?")
        it.model.tell(*PIECES[:5])
        await it.shows(FIRST)
        it.model.tell(*PIECES[5:], QUESTION, None)
        await it.ends()

        assert it.seen() == [KEPT]
        assert QUESTION not in str(it.visit).replace(it.visit.card.text, "")
        streamed = it.server.called("chat.startStream")
        assert bool(streamed) is thread


async def test_in_a_thread_it_is_said_that_the_bot_is_thinking(
    app: App, tmp_path: Path, journeys: dict[str, Any]
) -> None:
    async with scene(app, tmp_path, journeys, thread=True) as it:
        assert it.visit.thread is not None
        threads = it.visit.place.assistants
        it.asks("is there parking?")
        await it.server.until(
            lambda: any(one.status == "is thinking…" for one in threads.values()), "the status"
        )
        it.model.tell(*PIECES, None)
        await it.ends()
        assert not any(one.status for one in threads.values())


async def test_a_workspace_without_streams_is_asked_once(
    app: App, tmp_path: Path, journeys: dict[str, Any]
) -> None:
    lacks = ("chat.startStream",)
    async with scene(app, tmp_path, journeys, thread=True, lacks=lacks) as it:
        for _ in range(2):
            it.asks("is there parking?")
            it.model.tell(*PIECES[:5])
            await it.server.until(it.seen, "some of the answer")
            it.model.tell(*PIECES[5:], None)
            await it.ends()

        assert it.seen() == [KEPT, KEPT]
        assert len(it.server.called("chat.startStream")) == 1


async def test_a_thread_that_takes_no_answer_leaves_the_workspace_its_streams(
    app: App, tmp_path: Path, journeys: dict[str, Any]
) -> None:
    async with scene(app, tmp_path, journeys, thread=True) as it:
        it.server.befall(Refuses("is_archived"), "chat.startStream")
        for number in (1, 2):
            it.asks("is there parking?")
            it.model.tell(*PIECES[:5])
            await it.streams(number)
            it.model.tell(*PIECES[5:], None)
            await it.ends()

        assert it.seen() == [KEPT, KEPT]


async def test_an_answer_of_many_signs_is_within_what_a_stream_takes(
    app: App, tmp_path: Path, journeys: dict[str, Any]
) -> None:
    long = "Parking: " + "<&> is open. " * 800
    async with scene(app, tmp_path, journeys, thread=True) as it:
        it.asks("is there parking?")
        it.model.tell(long, None)
        await it.ends()

        (answer,) = it.seen()
        assert answer.split() == long.split()


async def test_an_answer_that_fails_half_way_leaves_nothing_of_it(
    app: App, tmp_path: Path, journeys: dict[str, Any]
) -> None:
    async with scene(app, tmp_path, journeys, thread=True) as it:
        it.asks("is there parking?")
        it.model.tell(*PIECES[:5])
        await it.shows(FIRST)
        it.model.tell(ModelFailed(Failure.BROKEN, "the stream ended"))
        await it.ends()

        assert it.seen() == []


async def test_a_person_stops_an_answer_that_is_coming(
    app: App, tmp_path: Path, journeys: dict[str, Any]
) -> None:
    async with scene(app, tmp_path, journeys, thread=True) as it:
        it.asks("is there parking?")
        it.model.tell(*PIECES[:5])
        await it.shows(FIRST)
        writing = next(one for one in it.visit.screen if one.streaming is not None)
        it.visit.person.stops(writing)
        it.model.tell(*PIECES[5:], "Dogs are welcome. ", "So are cats. ", "Bring a friend. ")
        await it.ends()

        assert it.seen() == []
        assert await it.visit.asked() == "format"


@pytest.mark.parametrize("fault", [Refuses("internal_error"), Breaks()], ids=["refused", "broken"])
@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream", "chat.stopStream"])
async def test_a_stream_that_breaks_loses_nothing_of_the_answer(
    app: App, tmp_path: Path, journeys: dict[str, Any], method: str, fault: Any
) -> None:
    async with scene(app, tmp_path, journeys, thread=True) as it:
        trouble = it.server.befall(fault, method)
        it.asks("is there parking?")
        it.model.tell(*PIECES[:5])
        await it.server.until(lambda: it.server.called("chat.startStream"), "a stream")
        it.model.tell(*PIECES[5:], None)
        await it.bot.quiet()

        assert [one.removesuffix(_AGAIN) for one in it.seen()] == [KEPT]
        assert trouble.met or method == "chat.appendStream"
        await it.visit.is_in_order()


_AGAIN = "\nYou may get this twice: the connection broke while I was sending it."
