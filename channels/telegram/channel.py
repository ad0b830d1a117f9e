"""The channel itself: what arrives is stored, what turns want is sent. It knows no library.

A driver hands every update to `take` and carries calls out; everything else is here, so that both
drivers do exactly the same.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
import structlog

from channels.telegram.api import Api, ApiFailed
from channels.telegram.arriving import caught_up
from channels.telegram.calling import Calls
from channels.telegram.downloads import download
from channels.telegram.intake import Intake
from channels.telegram.manners import Manners
from channels.telegram.menu import Menus
from channels.telegram.native import Drawn, Json
from channels.telegram.payload import NAME, Dest, dest_of
from channels.telegram.putting import Putting, Standing
from channels.telegram.read import Me
from channels.telegram.sending import Sending
from channels.telegram.streaming import Streams
from core import coming_back
from core.channel import Native, Never
from core.effects import Draw, Effect, Put, Say
from core.files import Content, no_files
from core.replies import Reload
from core.state import Person
from core.store import Store
from core.texts import COMMAND

log = structlog.get_logger()


class Telegram:
    """One bot in Telegram. `ring` wakes whoever takes turns. With `menus` the menu of commands is
    the channel's own; it is not in a program that runs a bot already. `files` finds what is in the
    files of posts that Telegram does not have."""

    name = NAME
    command = COMMAND

    def __init__(
        self,
        api: Api,
        store: Store,
        me: Me,
        *,
        manners: Manners | None = None,
        ring: Callable[[], None] = lambda: None,
        menus: bool = False,
        files: Content = no_files,
    ) -> None:
        self.api = api
        self.store = store
        self.me = me
        self.manners = manners or Manners()
        self.menus = Menus(api, store) if menus else None
        self.calls = Calls(api, store)
        self.streams = Streams(self.calls, store, self._who, self.manners.pace)
        self.sending = Sending(
            self.calls, self.streams, self._who, f"https://t.me/{me.username}", self._comes_below
        )
        self.putting = Putting(
            self.calls,
            self.sending.messages,
            self._who,
            files,
            self.sending.home,
            self._comes_below,
        )
        self.intake = Intake(me, store, self.manners, self.calls, self.sending, ring)

    @classmethod
    async def connect(
        cls,
        api: Api,
        store: Store,
        *,
        manners: Manners | None = None,
        ring: Callable[[], None] = lambda: None,
        menus: bool = False,
        files: Content = no_files,
    ) -> Telegram:
        """The channel of the bot that the server knows by its token. Raises ApiFailed."""
        bot = await api.call("getMe")
        admin = (manners or Manners()).admin
        me = Me(id=int(bot["id"]), username=str(bot["username"]), admin=admin)
        return cls(api, store, me, manners=manners, ring=ring, menus=menus, files=files)

    async def take(self, update: Json) -> None:
        """Take an update: when this returns it is on disk, and the platform may be told so.

        An update that comes again changes nothing. Raises what the store raises; then the platform
        has to deliver it again.
        """
        await self.intake.take(update)

    async def wants(self, update: Json) -> bool:
        """Whether an update is for this bot's journeys, in a program that does other things too."""
        return await self.intake.wants(update)

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Native | None, *, again: bool = False
    ) -> Native | None:
        """Carry out one effect (see core.channel)."""
        if isinstance(effect, Put):
            return await self._put(lane, effect, drawn, again)
        place = msgspec.convert(drawn, Drawn) if drawn else None
        try:
            stands = await self.sending.carry_out(dest_of(lane), effect, place, again)
        except ApiFailed as error:
            failed = self.calls.failure(error, begun=self.sending.has_begun(lane, effect))
            if isinstance(failed, Never):
                await self.sending.left.keep(lane, effect)
            raise failed from error
        if self.menus is not None and isinstance(effect, Say | Draw):
            await self.menus.follow(dest_of(lane), await self._who(lane))
        return None if stands is None else msgspec.to_builtins(stands)

    async def _put(self, lane: str, effect: Put, drawn: Native | None, again: bool) -> Native:
        place = msgspec.convert(drawn, Standing) if drawn else None
        try:
            stands = await self.putting.put(dest_of(lane), effect, place, again)
        except ApiFailed as error:
            begun = self.putting.has_begun(lane, effect)
            raise self.calls.failure(error, begun=begun) from error
        except ValueError as error:
            raise Never(str(error)) from error
        native: Native = msgspec.to_builtins(stands)
        alone = Dest(chat=stands.chat, owner=stands.chat).lane
        if effect.personal and stands.messages and alone != lane:
            # What is done about it in the private chat finds it there.
            await self.store.remember(alone, effect.post.id, native)
        return native

    async def download(self, ref: str, limit: int) -> bytes:
        """A file that somebody sent here (see core.channel). Raises Later, Lost and Never."""
        return await download(self.calls, ref, limit)

    def chat_lane(self, chat: str) -> str:
        """The lane of a chat by its number, with `/NUMBER` behind it for a topic (see
        core.channel). Raises ValueError."""
        number, _, topic = chat.partition("/")
        try:
            return Dest(chat=int(number), owner=0, thread=int(topic or 0)).lane
        except ValueError:
            raise ValueError(
                f"{chat!r} is no chat of Telegram's: write its number, such as -1001234567890, and"
                " /NUMBER behind it for a topic"
            ) from None

    def chat_of(self, lane: str) -> str:
        """How that names the chat of a conversation."""
        dest = dest_of(lane)
        return f"{dest.chat}/{dest.thread}" if dest.thread else f"{dest.chat}"

    def preview(self, lane: str, text: str) -> None:
        """Show more of the model's answer while it is still coming; it may be lost."""
        self.streams.show(lane, dest_of(lane), text)

    async def end_preview(self, lane: str) -> None:
        """Nothing more of the model's answer is shown before the answer itself."""
        await self.streams.end(lane)

    async def come_back(self, clock: Callable[[], datetime]) -> None:
        """After a start, which was now: when what people did meanwhile has come in, each open ask
        that nobody answered is drawn again.

        `clock` gives aware UTC times.
        """
        start = await coming_back.start(self.store, NAME, clock())
        await caught_up(self.api)
        within = self.manners.reload
        if await coming_back.reload(self.store, NAME, clock(), start=start, within=within):
            self.intake.ring()

    async def _comes_below(self, lane: str, message: int) -> None:
        """A message for another lane came below the open card of this one: it is drawn again."""
        state = await self.store.conversation(lane)
        journey = state.journey if state is not None else None
        if state is not None and journey is not None and journey.ask is not None:
            reply = Reload(by=state.person.id, at=datetime.now(UTC))
            await self.store.accept(lane, f"{NAME}:{self.me.id}:below:{lane}:{message}", reply)
            self.intake.ring()

    async def _who(self, lane: str) -> Person:
        state = await self.store.conversation(lane)
        return self.manners.unknown if state is None else state.person

    async def close(self) -> None:
        """Answer the taps that still wait."""
        await self.sending.answers.close()
