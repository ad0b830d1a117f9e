"""The stop button of a coming answer: nothing more of it is shown, and the open ask is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from core.model import Answer, Request
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import DRIVERS, telegram_bot


class Endless:
    """A model that says two sentences and then thinks for ever."""

    name = "endless"

    def __init__(self) -> None:
        self.asked = 0

    async def respond(
        self, request: Request, on_text: Callable[[str], Awaitable[None]] | None = None
    ) -> Answer:
        self.asked += 1
        assert on_text is not None
        await on_text("Parking is free after six. It costs two euros before that. And then ")
        await asyncio.Event().wait()
        raise AssertionError("nobody sets this event")


@pytest.mark.parametrize("driver", DRIVERS)
async def test_a_stopped_answer_is_gone_and_the_question_is_the_newest(
    driver: str, tmp_path: Path
) -> None:
    model = Endless()
    async with (
        TelegramServer() as server,
        telegram_bot(server, tmp_path, driver, model=model) as bot,
    ):
        ada = server.person("Ada")
        ada.starts("event")
        await bot.quiet()
        server.passes(2)
        ada.says("is parking free?")
        await server.until(ada.chat.live_draft, "the coming answer")
        ada.stops()
        await bot.quiet()
        screen = ada.chat.screen(ada)
        assert screen.draft is None
        assert bot.card(ada) is screen[-1]
        assert not any("Parking" in text for text in screen.texts)
        assert model.asked == 1
        ada.taps("Meetup")
        await bot.quiet()
        assert (await bot.draft(ada))["kind"] == "meetup"


async def test_a_stop_that_comes_too_late_stops_nothing(tmp_path: Path) -> None:
    async with TelegramServer() as server, telegram_bot(server, tmp_path) as bot:
        ada = server.person("Ada")
        ada.starts("event")
        await bot.quiet()
        before = len(ada.chat.screen(ada))
        told = {"chat": ada.chat.json(), "draft_id": 1}
        server.tells("stopped_message_generation", told, ada.id)
        await bot.quiet()
        assert len(ada.chat.screen(ada)) == before
