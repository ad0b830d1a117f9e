"""A chat where others read: each submission is a post there, with its pictures.

A platform knows no keys, so a post whose answer was lost is not put again by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from core.channel import Channel, Chats, Later, Lost, Never
from core.delivery.base import (
    Confirmed,
    Delivered,
    Failed,
    Means,
    Outcome,
    Rejected,
    Setting,
    Settings,
    Unknown,
)
from core.delivery.settings import LANGUAGE, fault_of, judged, locale_for
from core.effects import Put, Submission
from core.posts import Post
from core.submitted import attachments, rows, title

log = structlog.get_logger()

_WAITS = 12.0
"""Seconds that a post which is there in part is waited for, until it goes on."""


def _chat(text: str) -> str:
    """What is wrong with a chat. Which chats there are is known to its channel alone."""
    name, colon, chat = text.partition(":")
    if colon and name.isidentifier() and chat.strip():
        return ""
    return "Write the channel and the chat, such as telegram:-1001234567890 or slack:C0123456789."


class Chat:
    """The kind `chat`."""

    here = False
    about = "A post in a Telegram chat or a Slack channel, with the pictures."
    settings = (
        Setting(
            "chat",
            "telegram:-1001234567890",
            "where: `telegram:` and the chat's number, with `/TOPIC` for a topic, or `slack:` and"
            " the channel's id",
            needed=True,
            judge=_chat,
        ),
        LANGUAGE,
    )

    def fault(self, settings: Settings) -> str:
        """See `core.delivery.base.Kind`."""
        return fault_of(settings, self.settings)

    def make(self, settings: Settings, means: Means) -> Place:
        """See `core.delivery.base.Kind`."""
        chosen = judged(self.settings, settings)
        name, _, chat = chosen["chat"].partition(":")
        channel = means.channels.get(name)
        if isinstance(channel, Chats):
            channel.chat_lane(chat)
        return Place(
            channel=name,
            chat=chat,
            language=chosen.get("language", ""),
            channels=means.channels,
        )


@dataclass(frozen=True)
class Place:
    """One chat."""

    channel: str
    chat: str
    language: str
    channels: Mapping[str, Channel]

    knows_keys = False

    async def deliver(self, submission: Submission, key: str, confirmed: Confirmed) -> Outcome:
        """See `core.delivery.base.Destination`."""
        channel = self.channels.get(self.channel)
        if not isinstance(channel, Chats):
            return Failed(f"nothing that runs here is in {self.channel}; it waits for what is")
        try:
            lane = channel.chat_lane(self.chat)
        except ValueError as error:
            return Failed(str(error))
        return await _put(channel, lane, Put(post=self._post(submission, key, confirmed)))

    def _post(self, submission: Submission, key: str, confirmed: Confirmed) -> Post:
        type = confirmed.type
        locale = locale_for(self.language, type.manifest)
        named = title(type, submission, locale)
        kind = type.speak(locale)("title")
        return Post(
            id=key,
            title=named,
            lines=rows(type, submission, locale),
            footer="" if kind == named else kind,
            files=attachments(type, submission, confirmed.channel),
        )


async def _put(channel: Chats, lane: str, put: Put) -> Outcome:
    """Put a post. What is there in part goes on where it stopped, for as long as is waited."""
    begun, waited = False, 0.0
    while True:
        try:
            await channel.carry_out(lane, put, None, again=begun)
        except Later as later:
            begun = begun or later.begun
            waited += later.seconds
            if not begun:
                return Failed(str(later), seconds=later.seconds)
            if waited > _WAITS:
                return Unknown(f"a part of it is there; the rest was to wait ({later})")
            await asyncio.sleep(later.seconds)
        except Never as never:
            return Unknown(f"a part of it is there ({never})") if begun else Rejected(str(never))
        except Lost as lost:
            return Unknown(str(lost) or "the answer was lost")
        except Exception as error:
            log.exception("post_failed", lane=lane)
            return Unknown(type(error).__name__)
        else:
            return Delivered()
