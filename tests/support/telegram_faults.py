"""For tests of what goes wrong on the way to Telegram: a bot that does not wait long, what people
see twice, and a line to the server that can be cut."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from core.store.admin import Parked
from core.texts import Texts
from tests.support.telegram.chats import Chat
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot, telegram_bot

AGAIN = Texts("en")("telegram.again")
"""What a message says that is there twice, perhaps."""


@asynccontextmanager
async def hasty_bot(
    server: TelegramServer, folder: Path, driver: str = "aiogram", **changes: Any
) -> AsyncIterator[TelegramBot]:
    """The whole program; what failed is tried again at once, and as often as ever."""
    async with telegram_bot(server, folder, driver, **changes) as bot:
        bot.house.sender.retry = 0.02
        bot.channel.calls.offline = 0.05
        bot.channel.calls.wrong_token = 0.05
        bot.channel.sending.answers.again = 0.02
        yield bot


def bot_texts(chat: Chat) -> list[str]:
    """What the bot said in a chat, without the line about coming twice."""
    return [_without_line(one.text) for one in chat.screen() if one.from_bot]


def silent_doubles(chat: Chat) -> list[str]:
    """What stands in a chat twice and does not say so."""
    seen: set[str] = set()
    found = []
    for message in chat.screen():
        if not message.from_bot or not message.text:
            continue
        if message.text in seen:
            found.append(message.text)
        seen.add(_without_line(message.text))
    return found


def _without_line(text: str) -> str:
    return text.replace(AGAIN, "").strip()


async def parked(bot: TelegramBot, person: Person | None = None) -> list[Parked]:
    """What was given up, in all or in one person's private chat."""
    lane = None if person is None else bot.lane(person)
    return [one for one in await bot.house.store.parked() if lane in (None, one.lane)]


async def all_answered(server: TelegramServer) -> None:
    """Wait until no button spins any more."""
    await server.until(
        lambda: all(tap.answer for tap in server.taps.values()), "an answer to every tap"
    )


def counted(calls: Iterable[Any]) -> dict[str, int]:
    """How often each method was called."""
    names = [one.method for one in calls]
    return {name: names.count(name) for name in names}


@dataclass
class Line:
    """What lies between a bot and the server: `url` is its near end. It can be cut, and mended."""

    server: TelegramServer
    url: str = ""
    port: int = 0
    _listening: asyncio.Server | None = None
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    async def mend(self) -> None:
        """Let everything through."""
        self._listening = await asyncio.start_server(self._carry, "127.0.0.1", self.port)
        self.port = self._listening.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    async def cut(self) -> None:
        """Close the port; what is open ends."""
        assert self._listening is not None
        self._listening.close()
        for writer in self._open:
            writer.transport.abort()

    async def _carry(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        far = urlsplit(self.server.url)
        answers, onward = await asyncio.open_connection(far.hostname, far.port)
        self._open |= {back, onward}
        await asyncio.gather(_copied(near, onward), _copied(answers, back))
        self._open -= {back, onward}


async def _copied(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await source.read(65536):
            to.write(data)
            await to.drain()
    to.close()


@asynccontextmanager
async def line_to(server: TelegramServer) -> AsyncIterator[Line]:
    """A line to a server."""
    line = Line(server)
    await line.mend()
    try:
        yield line
    finally:
        await line.cut()
