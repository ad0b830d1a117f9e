"""A Bot API server on loopback that Telegram bots are tested against; see `server`.

With aiogram:

    api = TelegramAPIServer.from_base(server.url)
    bot = Bot(server.token, session=AiohttpSession(api=api))

With python-telegram-bot:

    app = (
        Application.builder()
        .token(server.token)
        .base_url(f"{server.url}/bot")
        .base_file_url(f"{server.url}/file/bot")
        .build()
    )
"""

from tests.support.telegram.calls import Call
from tests.support.telegram.chats import Chat, Draft, Topic
from tests.support.telegram.faults import (
    Breaks,
    Delays,
    Drops,
    Floods,
    Garbles,
    Refuses,
    Trouble,
    Waits,
)
from tests.support.telegram.features import API_10_0, PLAIN, Feature
from tests.support.telegram.keyboards import Button
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Answer, Medium, Person, Tap
from tests.support.telegram.profile import commands_shown
from tests.support.telegram.screen import Screen
from tests.support.telegram.server import TOKEN, TelegramServer

__all__ = [
    "API_10_0",
    "PLAIN",
    "TOKEN",
    "Answer",
    "Breaks",
    "Button",
    "Call",
    "Chat",
    "Delays",
    "Draft",
    "Drops",
    "Feature",
    "Floods",
    "Garbles",
    "Medium",
    "Message",
    "Person",
    "Refuses",
    "Screen",
    "Tap",
    "TelegramServer",
    "Topic",
    "Trouble",
    "Waits",
    "commands_shown",
]
