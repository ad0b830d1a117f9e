"""Messages in a conversation: posted, changed, taken away."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from channels.slack.api import Refused
from channels.slack.calling import Calls, details
from channels.slack.native import Post
from channels.slack.payload import Dest
from channels.slack.refusals import Meaning, meaning_of
from channels.slack.render import message as plain
from core.carrying import Gone

log = structlog.get_logger()

Instead = Callable[[], Awaitable[str]]
"""What a message says that cannot be taken away; it is seldom asked for."""


@dataclass
class Messages:
    """Single messages."""

    calls: Calls

    async def post(self, dest: Dest, post: Post) -> str:
        """Post a message; its ts. Raises ApiFailed."""
        try:
            return await self.post_as_it_is(dest, post)
        except Refused as refused:
            _only_for_content(refused)
            return await self.post_as_it_is(dest, bare(post))

    async def change(self, dest: Dest, message: str, post: Post) -> None:
        """Change a message. Raises Gone where it is there no longer, and ApiFailed."""
        try:
            await self.change_as_it_is(dest, message, post)
        except Refused as refused:
            _only_for_content(refused)
            await self.change_as_it_is(dest, message, bare(post))

    async def delete(self, dest: Dest, messages: Sequence[str], instead: Instead) -> None:
        """Take messages away; those that cannot be taken away say so (`instead`), without controls.

        Raises ApiFailed.
        """
        for message in messages:
            with contextlib.suppress(Gone):
                await self._take_away(dest, message, instead)

    async def tell(self, dest: Dest, person: str, text: str) -> None:
        """Tell one person something that nobody else sees, and that is soon gone. Raises
        ApiFailed."""
        for post in plain(text):
            await self.calls.post(dest, "chat.postEphemeral", user=person, **content(post))

    async def whisper(self, dest: Dest, post: Post) -> str:
        """Post a message that only the owner of the conversation sees, and that can never be
        changed. Raises ApiFailed."""
        told = await self.calls.post(dest, "chat.postEphemeral", user=dest.owner, **content(post))
        return str(told["message_ts"])

    async def _take_away(self, dest: Dest, message: str, instead: Instead) -> None:
        try:
            await self.calls.call(dest, "chat.delete", ts=message)
        except Refused as refused:
            if refused.error == "message_not_found":
                return
            await self.change(dest, message, plain(await instead())[0])

    async def post_as_it_is(self, dest: Dest, post: Post) -> str:
        """As `post`, but not in a plainer form where this one is refused."""
        posted = await self.calls.post(
            dest, "chat.postMessage", unfurl_links=False, unfurl_media=False, **content(post)
        )
        return str(posted["ts"])

    async def change_as_it_is(self, dest: Dest, message: str, post: Post) -> None:
        """As `change`, but not in a plainer form where this one is refused."""
        await self.calls.change(dest, "chat.update", message, **content(post))


def content(post: Post) -> dict[str, Any]:
    """The parameters of a message's content."""
    return {"text": post.text, "blocks": list(post.blocks)}


def bare(post: Post) -> Post:
    """The same message without blocks, for where its blocks are refused."""
    return Post(text=post.text or "…")


def _only_for_content(refused: Refused) -> None:
    """Raise the refusal again, unless it is the bot's own fault that a plainer message may mend."""
    if meaning_of(refused) is not Meaning.MALFORMED:
        raise refused
    log.error("message_refused", error=refused.error, details=details(refused))
