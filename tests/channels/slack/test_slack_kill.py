"""The real program ends at any instant, also between a message that was posted and its mark: after
a restart nothing is lost that was acknowledged, nothing is submitted twice, and what may come twice
says so (G13). What it logs meanwhile has no word of the chat (G14)."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from channels.slack.payload import part_of
from core.store import Store
from core.store.crash import POINTS
from core.texts import Texts
from tests.bot.test_chat import environment
from tests.support import errand
from tests.support.dinner_folder import dinner
from tests.support.errand import (
    ANSWERS,
    CONFIRM,
    POSTER,
    asked,
    delivered,
    doubled,
    is_right,
)
from tests.support.ports import free_port
from tests.support.program import catch_up, log_of
from tests.support.slack.app import App
from tests.support.slack.faults import Waits
from tests.support.slack.interactions import Interaction
from tests.support.slack.messages import Message
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import slack_bot
from tests.support.slack_program import running

AGAIN = Texts("en")("slack.again")
FIRST = "In person or online?"


@dataclass
class Errand(errand.Errand[Message]):
    """Ada in her direct message. `clicked` is what she has clicked, at which question: what is not
    acknowledged warns her, and she clicks once more."""

    server: SlackServer
    ada: Person
    clicked: dict[str, Interaction] = field(default_factory=dict)

    @property
    def texts(self) -> Sequence[str]:
        return self.ada.dm.screen(self.ada).texts

    def newest(self) -> Message | None:
        self.said -= {question for question, click in self.clicked.items() if click.problem}
        told = [one for one in self.ada.dm.screen(self.ada) if one.from_bot and not one.only_for]
        return told[-1] if told and told[-1].controls else None

    def answers(self, card: Message, question: str) -> None:
        catch_up(self.server)
        if question in (CONFIRM, FIRST):
            label = "Confirm" if question == CONFIRM else ANSWERS[question]
            self.clicked[question] = self.ada.clicks(label, card)
        elif question == POSTER:
            self.ada.uploads("poster.jpg", b"\xff\xd8\xff")
        else:
            self.ada.says(ANSWERS.get(question, "done"))

    def sent(self) -> Iterator[tuple[str, str]]:
        """What the bot has posted: a card is known by its id, anything else by its words."""
        for call in self.server.called("chat.postMessage", channel=self.ada.dm):
            if call.carried_out:
                blocks = json.loads(call.arguments["blocks"])
                parts = [part_of(str(one.get("block_id", ""))) for one in blocks]
                cards = {part.card for part in parts if part is not None}
                words = str(call.arguments["text"]).replace(AGAIN, "").strip()
                message = json.dumps(call.arguments, ensure_ascii=False)
                yield (f"card {cards.pop()}" if cards else words), message


CHAINS = {
    "socket": (
        "after-accept:2",
        "committing-settle:2",
        "before-sent:3",
        "settle-submission",
        "after-delivered",
    ),
    "http": (
        "before-accept:2",
        "claim-lane:2",
        "settle-outbox:2",
        "after-delivered",
    ),
}
"""The points at which one process after the other kills itself, on one way through the journey."""


@pytest.mark.parametrize("way", CHAINS)
async def test_killed_at_every_point_of_a_journey_it_goes_on(
    app: App, tmp_path: Path, way: str
) -> None:
    points, port = CHAINS[way], free_port() if way == "http" else 0
    assert all(point.partition(":")[0] in POINTS for point in points)
    dinner(tmp_path)
    async with SlackServer(app) as server:
        her = Errand(server, server.workspace.person("Ada"))
        async with running(server, tmp_path, port) as first:
            her.ada.says("hello")
            card = await server.until(her.card, "the first question")
            await is_marked(tmp_path)
            assert await first.ends(signal.SIGKILL) == -signal.SIGKILL
        for point in points:
            async with running(server, tmp_path, port, SURESTEP_CRASH=point) as killed:
                if point is points[0]:
                    await is_drawn_again(her, card)
                await her.goes_on(killed)
            assert killed.code == -signal.SIGKILL, log_of(tmp_path)
        if not her.over:
            # It was delivered before she was thanked.
            async with running(server, tmp_path, port):
                await server.until(lambda: her.over, "thanks")
        assert doubled(her.sent(), AGAIN) <= len(points)
    is_right(tmp_path, "slack:")


async def is_marked(folder: Path) -> None:
    """Wait until the program has written down that all its cards were posted."""
    store = await Store.open(environment(folder)["DATABASE_URL"])
    try:
        while await store.to_be_drawn("slack"):  # noqa: ASYNC110 - the database rings no bell
            await asyncio.sleep(0.01)
    finally:
        await store.close()


async def is_drawn_again(her: Errand, card: Message) -> None:
    """Wait until an open card is the newest message once more, and nowhere else."""
    dm = her.ada.dm

    def is_newest() -> bool:
        newest = her.newest()
        return newest is not None and newest is not card and dm.screen(her.ada).live == [newest]

    await her.server.until(is_newest, "the open card, drawn again")
    newest = her.newest()
    assert newest is not None
    assert asked(newest) == asked(card)
    assert card.deleted


async def test_a_card_that_was_being_posted_at_the_end_comes_once_more_and_says_so(
    app: App, tmp_path: Path
) -> None:
    chosen = dinner(tmp_path)
    async with SlackServer(app) as server:
        her = Errand(server, server.workspace.person("Ada"))
        late = server.befall(Waits(done=True), "chat.postMessage")
        async with slack_bot(server, tmp_path, **chosen):
            await her.ada.runs("/surestep", "new dinner").answered()
            await server.until(lambda: late.met, "the first card")
        server.passes(60)
        async with slack_bot(server, tmp_path, **chosen) as bot:
            await bot.quiet()
            first, again = her.ada.dm.screen(her.ada).live
        assert asked(first) == asked(again) == FIRST
        assert (AGAIN in first.text, AGAIN in again.text) == (False, True)
        assert len(server.called("chat.postMessage")) == 2


@pytest.mark.parametrize("seed", range(2))
async def test_ended_at_any_instant_it_goes_on(app: App, tmp_path: Path, seed: int) -> None:
    """Told to stop again and again, at any call to the server, and opened on the same database."""
    random, chosen = Random(seed), dinner(tmp_path)
    stops = 0
    async with SlackServer(app) as server:
        server.delivery.by_clock = True
        her = Errand(server, server.workspace.person("Ada"))
        her.ada.says("hello")
        while not delivered(tmp_path):
            async with slack_bot(server, tmp_path, **chosen) as bot:
                server.passes(301)
                await her.goes_on_for(random.randint(4, 14))
                if her.over:
                    await bot.quiet()
                    await bot.house.deliverer.drain()
            stops += 1
        assert stops > 1
        assert doubled(her.sent(), AGAIN) <= stops
    is_right(tmp_path, "slack:")
