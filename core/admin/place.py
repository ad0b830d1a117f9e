"""What a chat is called where a manifest or a setting names one: no app of a platform tells it."""

from __future__ import annotations

from core.admin.base import Answer, Asked, Outcome, said
from core.channel import NamesChats
from core.store.part import channel_of


async def here(asked: Asked) -> Answer:
    """The chat that the command was written in, as manifests name it: `here`."""
    name = channel_of(asked.lane)
    channel = asked.office.channels.get(name)
    if not isinstance(channel, NamesChats):
        return said(asked, Outcome.UNKNOWN, "no_chat_here")
    return said(asked, Outcome.SHOWN, "chat_here", chat=f"{name}:{channel.chat_of(asked.lane)}")
