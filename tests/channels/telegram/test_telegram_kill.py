"""The bot ends at any instant, also between a message that was sent and its mark: after a restart
nothing is lost, nothing is submitted twice, and what may come twice says so (G13). What it logs
meanwhile has no word of the chat (G14)."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from channels.telegram.payload import pressed
from core.store.crash import POINTS
from core.texts import Texts
from tests.bot.test_chat import ROOT, environment
from tests.support.dinner_folder import dinner
from tests.support.telegram.features import PLAIN
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import DRIVERS, telegram_bot

ANSWERS = {
    "In person or online?": "In person",
    "Which hall?": "River Hall",
    "How many seats?": "120",
    "where are you?": "Berlin",
    "On which day?": "5 February 2027",
    "When does it start?": "19:00",
    "Who is coming?": "Ada Lovelace\nGrace Hopper",
    "What is it called?": "Winterzauber",
    "What is it about?": "Geschichten am Kamin, und eine Suppe.",
}
CONTENT = {
    "format": "in_person",
    "hall": {"capacity": 200, "id": "h3", "label": "River Hall"},
    "seats": 120,
    "day": "2027-02-05",
    "start": "19:00",
    "guests": ["Ada Lovelace", "Grace Hopper"],
    "title": "Winterzauber",
    "about": "Geschichten am Kamin, und eine Suppe.",
}
POSTER, CONFIRM = "Is there a poster?", "Is everything right?"
AGAIN = Texts("en")("telegram.again")
TYPED = ("Winterzauber", "Kamin", "Suppe", "Lovelace", "Hopper", "River Hall", "120", "19:00")


def asked(card: Message) -> str:
    """What a card asks; a list that has its entries asks whether that is all."""
    if "Confirm" in card.labels:
        return CONFIRM
    (question,) = [one for one in (*ANSWERS, POSTER) if one in card.text]
    return f"{question} all" if "Grace Hopper" in card.text else question


@dataclass
class Program:
    """`python -m bot run` in a process of its own."""

    process: asyncio.subprocess.Process
    watching: asyncio.Task[None]

    @property
    def dead(self) -> bool:
        return self.process.returncode is not None


@asynccontextmanager
async def program(
    server: TelegramServer, folder: Path, driver: str, crash: str = ""
) -> AsyncIterator[Program]:
    """The real program at the loopback server, killed at the latest when the block ends."""
    chosen = environment(
        folder,
        TELEGRAM_BOT_TOKEN=server.token,
        TELEGRAM_API_BASE=server.url,
        TELEGRAM_DRIVER=driver,
        SURESTEP_JOURNEYS_DIR=str(folder / "journeys"),
        SURESTEP_JOURNEY="dinner",
        SURESTEP_LEASE="1",
        SURESTEP_LOG_LEVEL="debug",
        SURESTEP_CRASH=crash,
    )
    with (folder / "log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "run"), cwd=ROOT, env=chosen, stderr=log, stdout=log
        )

    async def watch() -> None:
        await process.wait()
        server.touch()

    watching = asyncio.create_task(watch())
    try:
        yield Program(process, watching)
    finally:
        if process.returncode is None:
            os.kill(process.pid, signal.SIGKILL)
        await watching


@dataclass
class Errand:
    """Ada answers every question once, in the newest card that she sees; `said` is what she has
    answered. She never says anything a second time, whatever becomes of the bot meanwhile."""

    server: TelegramServer
    ada: Person
    said: set[str] = field(default_factory=set)

    def card(self) -> Message | None:
        """The card that waits for her: the newest message of the bot, if it asks something new."""
        bots = [one for one in self.ada.chat.screen() if one.from_bot]
        newest = bots[-1] if bots else None
        return newest if newest and newest.buttons and asked(newest) not in self.said else None

    @property
    def over(self) -> bool:
        """Whether she was thanked."""
        return any("Thank you" in text for text in self.ada.chat.screen().texts)

    def answers(self, card: Message) -> None:
        """Answer a card by what it asks."""
        question = asked(card)
        self.said.add(question)
        # Whole seconds, as a platform stamps them: never before the card was drawn.
        self.server.passes(max(0, int(time.time()) + 1 - self.server.now))
        if question == CONFIRM:
            self.ada.taps("Confirm", card)
        elif question == POSTER:
            self.ada.sends_photo()
        else:
            self.ada.says(ANSWERS.get(question, "done"))

    async def goes_on(self, running: Program) -> None:
        """Answer what is asked until the program is dead."""
        async with asyncio.timeout(60):
            while not running.dead:
                if (card := self.card()) is not None:
                    self.answers(card)
                await self.server.until(lambda: self.card() or running.dead, "the bot to go on")

    async def goes_on_for(self, calls: int) -> None:
        """Answer what is asked until the bot has made so many more calls, or all is done."""
        until = len(self.server.called()) + calls

        def is_enough() -> bool:
            return self.over or len(self.server.called()) >= until

        while not is_enough():
            if (card := self.card()) is not None:
                self.answers(card)
            await self.server.until(lambda: self.card() or is_enough(), "the bot to go on")

    def doubled(self) -> int:
        """How many messages came twice; every second one says that it may."""
        first: dict[str, str] = {}
        count = 0
        for call in self.server.called("sendMessage", "sendRichMessage", chat=self.ada.chat):
            if not call.carried_out:
                continue
            message = json.dumps(call.parameters, default=str, ensure_ascii=False)
            found = [pressed(one) for one in message.split('"') if one.startswith("s1|")]
            key = f"card {found[0].card}" if found and found[0] else call.parameters["text"]
            key = str(key).replace(AGAIN, "").strip()
            if key in first:
                assert AGAIN in message, f"silently twice: {message}"
                count += 1
            first[key] = message
        return count


def delivered(folder: Path) -> list[str]:
    file = folder / "data" / "dinners.jsonl"
    return file.read_text("utf-8").splitlines() if file.exists() else []


def is_right(folder: Path) -> None:
    """One submission, of all that was answered, delivered once."""
    (line,) = delivered(folder)
    content = json.loads(line)["content"]
    assert content.pop("poster")["ref"].startswith("photo:")
    assert content == CONTENT


CHAINS = {
    "ptb": (
        "after-accept:2",
        "claim-lane:3",
        "committing-settle:2",
        "after-settle:2",
        "committing-due:2",
        "before-sent:3",
        "settle-submission",
        "committing-delivered",
        "after-delivered",
    ),
    "aiogram": (
        "before-accept:2",
        "settle-inbox:2",
        "before-sent:2",
        "after-sent:3",
        "settle-outbox:2",
        "after-delivered",
    ),
}
"""The points at which one process after the other kills itself, on one way through the journey."""


@pytest.mark.parametrize("driver", CHAINS)
async def test_killed_at_every_point_of_a_journey_it_goes_on(tmp_path: Path, driver: str) -> None:
    points = CHAINS[driver]
    assert all(point.partition(":")[0] in POINTS for point in points)
    dinner(tmp_path)
    async with TelegramServer() as server:
        errand = Errand(server, server.person("Ada"))
        errand.ada.starts("dinner")
        for point in points:
            async with program(server, tmp_path, driver, point) as running:
                await errand.goes_on(running)
            assert running.process.returncode == -signal.SIGKILL, log_of(tmp_path)
        if not errand.over:
            # It was delivered before she was thanked.
            async with program(server, tmp_path, driver):
                await server.until(lambda: errand.over, "thanks")
        assert errand.doubled() <= len(points)
    is_right(tmp_path)
    log = log_of(tmp_path)
    assert not [word for word in TYPED if word in log], "G14: a word of the chat in the log"


def log_of(folder: Path) -> str:
    return (folder / "log").read_text("utf-8", errors="replace")


@pytest.mark.parametrize("seed", range(4))
async def test_ended_at_any_instant_it_goes_on(tmp_path: Path, seed: int) -> None:
    """Told to stop again and again, at any call to the server, and opened on the same database."""
    random, chosen = Random(seed), dinner(tmp_path)
    stops = 0
    async with TelegramServer(lacks=(frozenset(), PLAIN)[seed % 2]) as server:
        errand = Errand(server, server.person("Ada"))
        errand.ada.starts("dinner")
        while not delivered(tmp_path):
            async with telegram_bot(server, tmp_path, DRIVERS[seed // 2], **chosen) as bot:
                await errand.goes_on_for(random.randint(6, 20))
                if errand.over:
                    await bot.quiet()
                    await bot.house.deliverer.drain()
            stops += 1
        assert stops > 1
        assert errand.doubled() <= stops
    is_right(tmp_path)
