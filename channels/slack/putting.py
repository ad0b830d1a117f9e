"""Puts posts into channels, and changes them where they stand.

Pictures that Slack has are shown in the message itself. All other files are uploaded into the
channel first, together.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import msgspec
import structlog

from channels.slack import posts
from channels.slack.api import Limited, Refused, Unreachable
from channels.slack.calling import Calls, details
from channels.slack.directs import Directs
from channels.slack.messages import Messages
from channels.slack.native import Drawn, Json
from channels.slack.native import Post as Message
from channels.slack.payload import Dest
from channels.slack.posts import Told
from channels.slack.refusals import Meaning, meaning_of
from channels.slack.sending import WhoIs
from core.carrying import NotTaken
from core.channel import Never
from core.effects import Effect, Put
from core.files import Content, Patient
from core.posts import Attachment, Post
from core.progress import Progress
from core.putting import Puts, digest_of
from core.texts import Texts

log = structlog.get_logger()

T = TypeVar("T")

NOBODY = "0"
"""The owner of a chat's own lane."""


class Standing(Drawn, frozen=True, kw_only=True):
    """Where a post stands. `files` tells whether it still has the same ones, `missing` which of
    them could not be sent; where it is `bare`, its pictures are not shown."""

    files: str = ""
    missing: tuple[str, ...] = ()
    bare: bool = False


@dataclass
class _Begun(Progress):
    """What of a post has been done: `uploads` are its files as they are to be shared, of which
    `handled` were looked at; `missing` are the names of those that could not be sent."""

    uploads: list[Json] = field(default_factory=list)
    handled: int = 0
    shared: bool = False
    missing: list[str] = field(default_factory=list)
    bare: bool = False

    @property
    def has_begun(self) -> bool:
        """Whether a part of it was carried out."""
        return bool(self.messages) or self.shared


def _begin(effect: Effect, again: bool) -> _Begun:
    return _Begun(effect, again)


class Putting(Puts[Dest, Standing, str, Message, _Begun]):
    """Puts posts into channels and direct messages."""

    def __init__(
        self, calls: Calls, messages: Messages, directs: Directs, who: WhoIs, found: Content
    ) -> None:
        super().__init__(_begin, (Limited, Refused, Unreachable))
        self.calls = calls
        self.messages = messages
        self.directs = directs
        self.who = who
        self.files = Patient(found)

    # What Slack does

    async def _reach(self, to: Dest) -> None:
        await self.calls.reach(to)

    async def _post(self, to: Dest, content: Message, begun: _Begun) -> str:
        # Of several messages only the first one's picture is sure to be shown, or the post comes
        # without any.
        if begun.messages or not _has_picture(content):
            return await self.messages.post(to, content)
        return await _whole(self.messages.post_as_it_is(to, content))

    async def _edit(self, to: Dest, message: str, content: Message) -> None:
        if _has_picture(content):
            await _whole(self.messages.change_as_it_is(to, message, content))
        else:
            await self.messages.change(to, message, content)

    async def _remove(self, to: Dest, messages: Sequence[str]) -> None:
        async def instead() -> str:
            return (await self._texts(to))("slack.earlier_card")

        await self.messages.delete(to, messages, instead)

    # Anew

    async def _anew(self, to: Dest, effect: Put, begun: _Begun) -> Standing:
        if not effect.personal or to.direct or to.owner == NOBODY:
            return await self._sent(to, effect.post, begun)
        if not effect.post.files:
            return await self._shown_alone(to, effect.post, begun)
        # A file that is uploaded is for all who are there.
        direct = await self.directs.of(to.team, to.owner)
        place = await self._sent(replace(to, channel=direct, thread=""), effect.post, begun)
        said = (await self._texts(to))("slack.in_direct")
        await self.messages.tell(to, to.owner, said)
        return place

    async def _shown_alone(self, dest: Dest, post: Post, begun: _Begun) -> Standing:
        """To one person, for now: such a message can never be changed."""
        told = await self._told(dest, begun)
        for message in posts.messages(post, dest.team, told)[len(begun.messages) :]:
            shown = self.messages.whisper(dest, message)
            begun.messages.append(await self._doubting(begun, shown))
        return Standing(channel=dest.channel, messages=())

    async def _sent(self, to: Dest, post: Post, begun: _Begun) -> Standing:
        await self._share(to, post, begun)
        try:
            await self._send_rest(to, await self._drawn(to, post, begun), begun)
        except NotTaken:
            begun.bare = True
            begun.missing += _pictures(post, to)
            await self._send_rest(to, await self._drawn(to, post, begun), begun)
        return Standing(
            channel=to.channel,
            messages=tuple(begun.messages),
            files=digest_of(post),
            missing=tuple(begun.missing),
            bare=begun.bare,
        )

    async def _drawn(self, to: Dest, post: Post, begun: _Begun) -> Sequence[Message]:
        return posts.messages(post, to.team, await self._told(to, begun))

    # Where it stands

    async def _place(self, to: Dest, stands: Standing) -> Dest:
        direct = stands.channel != to.channel
        return replace(to, channel=stands.channel, thread="") if direct else to

    async def _made_into(self, to: Dest, post: Post, stands: Standing, begun: _Begun) -> Standing:
        try:
            return await self._changed_to(to, post, stands, begun)
        except NotTaken:
            missing = (*stands.missing, *_pictures(post, to))
            bare = msgspec.structs.replace(stands, bare=True, missing=missing)
            begun.messages.clear()
            return await self._changed_to(to, post, bare, begun)

    async def _changed_to(self, to: Dest, post: Post, stands: Standing, begun: _Begun) -> Standing:
        """Raises NotTaken where it may be that a picture is not shown."""
        lines = await self._lines(to, stands.missing)
        messages = posts.messages(post, to.team, Told(lines, bare=stands.bare))
        await self._become(to, stands.messages, messages, begun)
        return msgspec.structs.replace(stands, messages=tuple(begun.messages))

    # Its files

    async def _share(self, to: Dest, post: Post, begun: _Begun) -> None:
        """Upload what no message shows, and share it in the channel."""
        files = [one for one in post.files if posts.shown(one, to.team) is None]
        for file in files[begun.handled :]:
            await self._upload(to, file, begun)
            begun.handled += 1
        if not begun.uploads or begun.shared:
            return
        thread, uploads = to.thread or None, begun.uploads
        share = self.calls.api.call(
            to.team,
            "files.completeUploadExternal",
            files=uploads,
            channel_id=to.channel,
            thread_ts=thread,
        )
        await self._doubting(begun, share)
        begun.shared = True

    async def _upload(self, to: Dest, file: Attachment, begun: _Begun) -> None:
        name = posts.name_of(file)
        try:
            held = await self.files.ask(to.lane, file)
            told = await self.calls.api.call(
                to.team, "files.getUploadURLExternal", filename=name, length=len(held)
            )
            await self.calls.api.upload(str(told["upload_url"]), held)
            begun.uploads.append({"id": str(told["file_id"]), "title": name})
        except Never as never:
            log.warning("file_not_sent", lane=to.lane, why=str(never))
            begun.missing.append(name)
        except Refused as refused:
            if meaning_of(refused) not in (Meaning.DENIED, Meaning.OTHER):
                raise
            log.warning("file_refused", error=refused.error, details=details(refused))
            begun.missing.append(name)

    async def _told(self, to: Dest, begun: _Begun) -> Told:
        """What is to be said beside a post."""
        again = (await self._texts(to))("slack.again") if begun.again else ""
        return Told(await self._lines(to, begun.missing), again, begun.bare)

    async def _lines(self, to: Dest, missing: Sequence[str]) -> tuple[str, ...]:
        texts = await self._texts(to)
        return tuple(texts("posts.missing", name=name) for name in missing)

    async def _texts(self, to: Dest) -> Texts:
        return Texts((await self.who(to.lane)).locale)


async def _whole(call: Awaitable[T]) -> T:
    """Wait for a call with a picture in it. Raises NotTaken where it may be that which is not
    taken: it was deleted, or the bot may not see it."""
    try:
        return await call
    except Refused as refused:
        if meaning_of(refused) is not Meaning.MALFORMED:
            raise
        log.warning("picture_refused", error=refused.error, details=details(refused))
        raise NotTaken from refused


def _pictures(post: Post, to: Dest) -> list[str]:
    """The names of what is shown in a post."""
    return [posts.name_of(one) for one in post.files if posts.shown(one, to.team) is not None]


def _has_picture(message: Message) -> bool:
    return any(one["type"] == "image" for one in message.blocks)
