"""Posts in Telegram for tests: a program with one small journey, and files of every origin."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from core.posts import MADE, Attachment, Post
from core.store import Queue
from tests.support.dinner_folder import dinner
from tests.support.putting import put
from tests.support.telegram.chats import Chat
from tests.support.telegram.files import png
from tests.support.telegram.messages import Message
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot
from tests.support.telegram_faults import hasty_bot

CSV = Attachment(origin=MADE, ref="test-file list", name="list.csv", mime="text/csv")
PICTURE = Attachment(origin=MADE, ref="test-file picture", name="map.png", mime="image/png")
MAP, LIST = png(20, 10), b"name,count\nAda,1\n"
"""What these files have in them."""


async def made(recipe: str) -> bytes:
    """A file by its recipe."""
    return MAP if recipe == "picture" else LIST


@asynccontextmanager
async def posting_bot(
    server: TelegramServer, folder: Path, driver: str = "aiogram"
) -> AsyncIterator[TelegramBot]:
    """The whole program; what failed is tried again at once."""
    async with hasty_bot(server, folder, driver, **dinner(folder)) as bot:
        bot.house.files.makers["test-file"] = made
        yield bot


async def put_into(bot: TelegramBot, chat: Chat, *posts: Post) -> None:
    """Put posts into a chat, and wait until they are there."""
    await put(bot.house.store, bot.channel.chat_lane(str(chat.id)), *posts)
    await bot.quiet()


def photo_of(message: Message) -> Attachment:
    """A picture that somebody sent, as a draft has it."""
    return Attachment(origin="telegram", ref=f"photo:{message.file_id}", mime="image/jpeg")


async def given_up(bot: TelegramBot) -> list[str]:
    """Why something was not sent, for each that was given up."""
    return [one.error for one in await bot.house.store.parked() if one.queue is Queue.OUTBOX]
