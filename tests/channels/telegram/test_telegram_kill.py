"""The bot ends at any instant, also between a message that was sent and its mark: after a restart
nothing is lost, nothing is submitted twice, and what may come twice says so (G13). What it logs
meanwhile has no word of the chat (G14)."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from channels.telegram.payload import pressed
from core.store.crash import POINTS
from core.texts import Texts
from tests.support import errand
from tests.support.dinner_folder import dinner
from tests.support.errand import ANSWERS, CONFIRM, POSTER, delivered, doubled, is_right
from tests.support.program import Program, catch_up, log_of, program
from tests.support.telegram.features import PLAIN
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import DRIVERS, telegram_bot

AGAIN = Texts("en")("telegram.again")


@dataclass
class Errand(errand.Errand[Message]):
    """Ada in her private chat."""

    server: TelegramServer
    ada: Person

    @property
    def texts(self) -> Sequence[str]:
        return self.ada.chat.screen().texts

    def newest(self) -> Message | None:
        bots = [one for one in self.ada.chat.screen() if one.from_bot]
        return bots[-1] if bots and bots[-1].buttons else None

    def answers(self, card: Message, question: str) -> None:
        catch_up(self.server)
        if question == CONFIRM:
            self.ada.taps("Confirm", card)
        elif question == POSTER:
            self.ada.sends_photo()
        else:
            self.ada.says(ANSWERS.get(question, "done"))

    def sent(self) -> Iterator[tuple[str, str]]:
        """What the bot has sent: a card is known by its id, anything else by its words."""
        for call in self.server.called("sendMessage", "sendRichMessage", chat=self.ada.chat):
            if call.carried_out:
                message = json.dumps(call.parameters, default=str, ensure_ascii=False)
                found = [pressed(one) for one in message.split('"') if one.startswith("s1|")]
                key = f"card {found[0].card}" if found and found[0] else call.parameters["text"]
                yield str(key).replace(AGAIN, "").strip(), message


def running(
    server: TelegramServer, folder: Path, driver: str, crash: str = ""
) -> AbstractAsyncContextManager[Program]:
    """The real program at the loopback server."""
    return program(
        server,
        folder,
        TELEGRAM_BOT_TOKEN=server.token,
        TELEGRAM_API_BASE=server.url,
        TELEGRAM_DRIVER=driver,
        SURESTEP_CRASH=crash,
    )


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
        her = Errand(server, server.person("Ada"))
        her.ada.starts("dinner")
        for point in points:
            async with running(server, tmp_path, driver, point) as killed:
                await her.goes_on(killed)
            assert killed.code == -signal.SIGKILL, log_of(tmp_path)
        if not her.over:
            # It was delivered before she was thanked.
            async with running(server, tmp_path, driver):
                await server.until(lambda: her.over, "thanks")
        assert doubled(her.sent(), AGAIN) <= len(points)
    is_right(tmp_path, "photo:")


@pytest.mark.parametrize("seed", range(4))
async def test_ended_at_any_instant_it_goes_on(tmp_path: Path, seed: int) -> None:
    """Told to stop again and again, at any call to the server, and opened on the same database."""
    random, chosen = Random(seed), dinner(tmp_path)
    stops = 0
    async with TelegramServer(lacks=(frozenset(), PLAIN)[seed % 2]) as server:
        her = Errand(server, server.person("Ada"))
        her.ada.starts("dinner")
        while not delivered(tmp_path):
            async with telegram_bot(server, tmp_path, DRIVERS[seed // 2], **chosen) as bot:
                await her.goes_on_for(random.randint(6, 20))
                if her.over:
                    await bot.quiet()
                    await bot.house.deliverer.drain()
            stops += 1
        assert stops > 1
        assert doubled(her.sent(), AGAIN) <= stops
    is_right(tmp_path, "photo:")
