"""Puts posts into chats, and changes them where they stand.

A post with one file is that file's message, as long as the text fits under it; else the files come
first, in albums where they go together, and then the text with the actions.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec
import structlog

from channels.telegram import posts, render
from channels.telegram.api import Flooded, Refused, Unreachable
from channels.telegram.calling import SHUT, Calls
from channels.telegram.files import Sent, as_document, method_of, send_files, value_of
from channels.telegram.limits import PHOTO
from channels.telegram.messages import Messages
from channels.telegram.native import Drawn, Json, Media, Piece
from channels.telegram.payload import Dest
from channels.telegram.posts import Told
from channels.telegram.streaming import WhoIs
from core.carrying import Gone
from core.channel import Never
from core.effects import Effect, Put
from core.files import Content, Patient
from core.posts import Attachment, Post
from core.progress import Progress
from core.putting import Puts, digest_of
from core.texts import Texts

log = structlog.get_logger()

Below = Callable[[str, int], Awaitable[None]]
"""Told when a message was put below the open card of another lane."""


class Standing(Drawn, frozen=True, kw_only=True):
    """Where a post stands. With `captioned` its text is the one under its file. `files` tells
    whether the post still has the same ones, `missing` which of them could not be sent, `needs`
    what its actions ask for, by their commands."""

    captioned: bool = False
    files: str = ""
    missing: tuple[str, ...] = ()
    needs: dict[str, str] = msgspec.field(default_factory=dict)


@dataclass
class _Begun(Progress):
    """What of a post has been done."""

    files: Sent = field(default_factory=Sent)

    @property
    def has_begun(self) -> bool:
        """Whether a part of it was carried out."""
        return bool(self.messages or self.files.handled)


def _begin(effect: Effect, again: bool) -> _Begun:
    return _Begun(effect, again, files=Sent(again=again))


@dataclass(frozen=True)
class _Loaded:
    """The files of a post as they can be sent, with their names, and those that cannot be had."""

    media: tuple[Media, ...]
    names: tuple[str, ...]
    missing: tuple[str, ...]


class Putting(Puts[Dest, Standing, int, Piece, _Begun]):
    """Puts posts into chats. `home` is the address of the bot's private chat."""

    def __init__(
        self,
        calls: Calls,
        messages: Messages,
        who: WhoIs,
        content: Content,
        home: str,
        below: Below,
    ) -> None:
        super().__init__(_begin, (Flooded, Refused, Unreachable))
        self.calls = calls
        self.messages = messages
        self.who = who
        self.files = Patient(content)
        self.home = home
        self.below = below

    # What Telegram does

    async def _reach(self, to: Dest) -> None:
        await self.calls.reach(to)

    async def _post(self, to: Dest, content: Piece, begun: _Begun) -> int:
        number, _ = await self.messages.send(to, content)
        return number

    async def _edit(self, to: Dest, message: int, content: Piece) -> None:
        await self.messages.edit(to, message, content)

    async def _remove(self, to: Dest, messages: Sequence[int]) -> None:
        async def instead() -> str:
            return (await self._texts(to))("telegram.earlier_card")

        await self.messages.delete(to, messages, instead)

    # Anew

    async def _anew(self, to: Dest, effect: Put, begun: _Begun) -> Standing:
        if not effect.personal or to.private or not to.owner:
            return await self._sent(to, effect.post, begun)
        alone, key = Dest(chat=to.owner, owner=to.owner), "telegram.in_private"
        place = Standing(chat=alone.chat, messages=())
        try:
            place = await self._sent(alone, effect.post, begun)
        except Refused as refused:
            if refused.code != 403 and not refused.says(*SHUT):
                raise
            key = "telegram.ask_in_private"
        else:
            for message in place.messages[-1:]:
                await self.below(alone.lane, message)
        await self._say(to, key)
        return place

    async def _say(self, dest: Dest, key: str) -> None:
        """Tell somebody, where others are, where to find what is theirs alone."""
        person = await self.who(dest.lane)
        line = Texts(person.locale)(key, chat=self.home)
        for piece in render.message(line, for_name=person.name, owner=dest.owner):
            await self.messages.send(dest, piece)

    async def _sent(self, to: Dest, post: Post, begun: _Begun) -> Standing:
        loaded = await self._loaded(to, post)
        missing = loaded.missing
        captioned = await self._sent_as_file(to, post, loaded, begun)
        if not captioned:
            await self._send_above(to, loaded.media, begun)
            missing += tuple(loaded.names[number] for number in begun.files.left_out)
            told = await self._told(to, missing, again=begun.again)
            await self._send_rest(to, posts.messages(post, to.thread, told), begun)
        return Standing(
            chat=await self.calls.number_of(to.chat),
            messages=tuple(begun.messages),
            media=tuple(begun.files.messages),
            captioned=captioned,
            files=digest_of(post),
            missing=missing,
            needs=_needs(post),
        )

    async def _sent_as_file(self, to: Dest, post: Post, loaded: _Loaded, begun: _Begun) -> bool:
        """Send a post as the text under its only file, unless it does not fit there, or the file
        is not taken."""
        if not posts.can_have_text(loaded.media) or begun.files.left_out:
            return False
        told = await self._told(to, loaded.missing, again=begun.again)
        caption = posts.caption(post, to.thread, told)
        if caption is None:
            return False
        try:
            if not begun.messages:
                await self._send_file(to, loaded.media[0], caption, begun)
        except Refused as refused:
            if refused.code != 400 or refused.says(*SHUT):
                raise
            log.warning("file_refused", lane=to.lane, kinds=[loaded.media[0].kind])
            begun.files.left_out.append(0)
            begun.files.handled = 1
            return False
        return True

    async def _told(self, to: Dest, missing: Sequence[str], *, again: bool) -> Told:
        """What is to be said beside a post: of files that could not be sent, and that it is there
        twice, perhaps."""
        texts = await self._texts(to)
        lines = [texts("posts.missing", name=name) for name in missing]
        return Told(tuple(lines), texts("telegram.again") if again else "")

    async def _send_above(self, to: Dest, media: Sequence[Media], begun: _Begun) -> None:
        try:
            await send_files(self.calls, to, media, begun.files)
        finally:
            # The text below says so.
            begun.again = begun.again or begun.files.again

    async def _send_file(self, to: Dest, media: Media, caption: Piece, begun: _Begun) -> None:
        """Send a file with a text under it; a new picture that is not taken as one goes as a
        document."""
        try:
            sent = await self._doubting(begun, self._captioned(to, media, caption))
        except Refused as refused:
            other = as_document(media)
            if other is None or refused.code != 400 or refused.says(*SHUT):
                raise
            sent = await self._doubting(begun, self._captioned(to, other, caption))
        begun.messages.append(int(sent["message_id"]))

    async def _captioned(self, to: Dest, media: Media, caption: Piece) -> Any:
        file: Json = {media.kind: value_of(media)}
        send = partial(self.calls.send, to, method_of(media), **file)
        return await _with_caption(send, caption)

    # Where it stands

    async def _place(self, to: Dest, stands: Standing) -> Dest | None:
        there = Dest(chat=to.owner, owner=to.owner) if stands.chat == to.owner else to
        # In the group that it was before it became a supergroup nothing can be changed any more.
        return there if stands.chat == await self.calls.number_of(there.chat) else None

    def _all_of(self, stands: Standing) -> tuple[int, ...]:
        return (*stands.media, *stands.messages)

    async def _made_into(self, to: Dest, post: Post, stands: Standing, begun: _Begun) -> Standing:
        place = msgspec.structs.replace(stands, needs=_needs(post))
        told = await self._told(to, stands.missing, again=False)
        pieces = posts.messages(post, to.thread, told)
        if not stands.captioned:
            await self._become(to, stands.messages, pieces, begun)
            return msgspec.structs.replace(place, messages=tuple(begun.messages))
        caption = posts.caption(post, to.thread, told)
        await self._edit_caption(to, stands.messages[0], caption or Piece())
        if caption is not None:
            return place
        # It has become too long to stand under its file.
        await self._send_rest(to, pieces, begun)
        media = (*stands.media, *stands.messages)
        messages = tuple(begun.messages)
        return msgspec.structs.replace(place, messages=messages, media=media, captioned=False)

    async def _edit_caption(self, to: Dest, message: int, caption: Piece) -> None:
        """Raises Gone where it cannot be changed (any more), and ApiFailed."""
        try:
            edit = partial(self.calls.edit, to, "editMessageCaption", message)
            await _with_caption(edit, caption)
        except Refused as refused:
            if refused.code != 400 or refused.says(*SHUT):
                raise
            log.warning("edit_refused", why=refused.description)
            raise Gone from refused

    # Its files

    async def _loaded(self, to: Dest, post: Post) -> _Loaded:
        """The files of a post as they can be sent. Raises Later where one may come later."""
        media, names, missing = [], [], []
        for file in post.files:
            try:
                media.append(posts.known(file) or await self._fetched(to, file))
                names.append(posts.name_of(file))
            except Never as never:
                log.warning("file_not_sent", lane=to.lane, why=str(never))
                missing.append(posts.name_of(file))
        return _Loaded(tuple(media), tuple(names), tuple(missing))

    async def _fetched(self, to: Dest, file: Attachment) -> Media:
        return posts.uploaded(file, await self.files.ask(to.lane, file), PHOTO)

    async def _texts(self, to: Dest) -> Texts:
        return Texts((await self.who(to.lane)).locale)


async def _with_caption(call: Callable[..., Awaitable[Any]], caption: Piece) -> Any:
    """Call with the text under a file; without its entities where the server does not take them.
    It never has a parse mode."""
    text: Json = {
        "caption": caption.text,
        "reply_markup": {"inline_keyboard": caption.keyboard} if caption.keyboard else None,
    }
    try:
        return await call(**text, caption_entities=list(caption.entities) or None)
    except Refused as refused:
        if not caption.entities or refused.code != 400 or not refused.says("entit"):
            raise
        log.warning("entities_refused", why=refused.description)
        return await call(**text)


def _needs(post: Post) -> dict[str, str]:
    return {one.command: one.needs for one in post.actions if one.needs}
