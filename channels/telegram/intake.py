"""What arrives: every update is stored once, in the lane of the conversation that it belongs to."""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import msgspec
import structlog

from channels.telegram.acts import Wanted, prompt
from channels.telegram.api import ApiFailed, Refused
from channels.telegram.calling import Calls
from channels.telegram.manners import Manners
from channels.telegram.menu import ADMIN
from channels.telegram.native import Json, learned
from channels.telegram.payload import NO_CARD, Dest, request_of
from channels.telegram.read import (
    Address,
    Amended,
    Asked,
    Gone,
    Heard,
    Me,
    Moved,
    Turned,
    Unread,
    received,
)
from channels.telegram.sending import Sending
from core.effects import Page
from core.replies import Act, Command, Reply, Shared, Tap, Upload, Words
from core.state import Conversation, Person, is_open
from core.store import Amend, Store
from core.texts import Texts
from core.turn.commands import EDITED

log = structlog.get_logger()

OURS = frozenset({"new", "resume", "review", "mine", ADMIN})
"""Commands that are taken in a program that does other things too; the others only while a journey
is open, since such a program has its own /start and /help."""

_PEOPLE = 10_000
"""As many people's handles are remembered, so that they need not be looked up."""

_STILL_AWAITED = timedelta(minutes=15)
"""As long, words that were asked for in a private chat are taken for them without being a reply."""

_ALBUMS = 100
"""Albums that are remembered: their files come one after the other, within a second."""


@dataclass
class Intake:
    """Takes updates. `ring` wakes whoever takes turns."""

    me: Me
    store: Store
    manners: Manners
    calls: Calls
    sending: Sending
    ring: Callable[[], None]
    albums: deque[tuple[str, str]] = field(default_factory=lambda: deque(maxlen=_ALBUMS))
    """The newest albums that were meant for the bot, each with its lane."""
    asked: deque[str] = field(default_factory=lambda: deque(maxlen=_ALBUMS))
    """The newest taps that were answered with a prompt: a tap may be delivered twice."""

    awaited: dict[str, tuple[Wanted, datetime]] = field(default_factory=dict)
    """The words that were asked for last in a private chat, and when: they may come without being
    a reply to the prompt. It is forgotten with the process, unlike what a reply answers."""

    handles: dict[int, str] = field(default_factory=dict)
    """What people went by when they last did something, by their id."""

    async def take(self, update: Json) -> None:
        """Store an update. Raises what the store raises."""
        found = received(update, self.me)
        match found:
            case Heard():
                await self._hear(found, await self._home(found.dest))
            case Amended():
                await self._amend(found, await self._home(found.dest))
            case Asked():
                await self._ask(found, await self._home(found.dest))
            case Turned():
                await self._turn_page(found, await self._home(found.dest))
            case Unread():
                await self.sending.answer(found.handle)
            case Moved():
                await self.calls.moved(found.old, found.new)
            case Gone():
                log.info("telegram_left", chat=found.chat)

    async def wants(self, update: Json) -> bool:
        """Whether an update belongs to a journey, or begins one."""
        match received(update, self.me):
            case Asked() | Turned() | Heard(reply=Tap() | Act()):
                return True
            case Heard(reply=Command(name="start", argument=argument)) if argument:
                return True
            case Heard(reply=Command(name=name)) if name in OURS:
                return True
            case Heard(request=int()) as picked:
                # The program may let people be picked, too.
                reply = await self._of_its_card(picked, await self._home(picked.dest))
                return isinstance(reply, Shared) and reply.card != NO_CARD
            case Heard(dest=dest) | Amended(dest=dest):
                home = await self._home(dest)
                return home.lane in self.awaited or is_open(await self._state(home))
            case _:
                return False

    async def _home(self, dest: Dest) -> Dest:
        """A place under the number that its chat had when its conversations began."""
        return replace(dest, chat=await self.calls.origin_of(dest.chat))

    async def _state(self, dest: Dest) -> Conversation | None:
        return await self.store.conversation(dest.lane)

    # Replies

    async def _hear(self, heard: Heard, dest: Dest) -> None:
        if not await self._is_meant(heard, dest):
            return
        own = heard.reply.by == str(dest.owner)
        if isinstance(heard.reply, Tap):
            if not own and await self._state(dest) is None:
                self._not_yours(heard.reply.handle, heard.reply.locale)
                return
            if heard.shows:
                await self._know_where(dest, heard.reply.card, heard.dest.chat, heard.message)
            self._promise(heard.reply, own=own)
        elif isinstance(heard.reply, Act):
            self.sending.answers.promise(heard.reply.handle, self.manners.patience, "")
        reply = self._awaited(await self._of_its_card(heard, dest), dest)
        hold = self.manners.hold if heard.held else 0.0
        person = self._person(heard, dest) if own else None
        await self.store.accept(dest.lane, heard.dedupe, reply, hold, person=person)
        if own and heard.handle is not None:
            await self._know_by_handle(dest, heard.handle)
        self._wake(hold)

    def _awaited(self, reply: Reply, dest: Dest) -> Reply:
        """Words said right after they were asked for are what was asked for; anything else that is
        done first shows that they are not."""
        wanted, since = self.awaited.pop(dest.lane, (None, reply.at))
        if wanted is None or not isinstance(reply, Words) or reply.at - since > _STILL_AWAITED:
            return reply
        return Act(
            command=wanted.command,
            words=reply.text,
            post=wanted.post,
            by=reply.by,
            at=reply.at,
            locale=reply.locale,
        )

    async def _know_by_handle(self, dest: Dest, handle: str) -> None:
        """Know by what somebody goes, which is theirs to change."""
        if self.handles.pop(dest.owner, None) != handle:
            await self.store.goes_by(dest.lane, handle)
        self.handles[dest.owner] = handle
        if len(self.handles) > _PEOPLE:
            del self.handles[next(iter(self.handles))]

    async def _of_its_card(self, heard: Heard, dest: Dest) -> Reply:
        """A reply; where people were picked, as one to the open card, if its button was used."""
        if not isinstance(heard.reply, Shared) or heard.request is None:
            return heard.reply
        state = await self._state(dest)
        ask = state.journey.ask if state is not None and state.journey is not None else None
        its = ask is not None and request_of(ask.card) == heard.request
        return msgspec.structs.replace(heard.reply, card=ask.card) if ask and its else heard.reply

    async def _is_meant(self, heard: Heard, dest: Dest) -> bool:
        """Whether it is meant for the bot. Of an album only one file names it, or answers it."""
        album = heard.reply.album if isinstance(heard.reply, Upload) else ""
        if heard.address is Address.IF_ALBUM:
            return (dest.lane, album) in self.albums
        if heard.address is Address.IF_OPEN and not is_open(await self._state(dest)):
            return False
        if album:
            self.albums.append((dest.lane, album))
        return True

    def _person(self, heard: Heard, dest: Dest) -> Person:
        unknown = self.manners.unknown
        locale = heard.reply.locale or unknown.locale
        return msgspec.structs.replace(unknown, id=str(dest.owner), name=heard.name, locale=locale)

    def _wake(self, seconds: float) -> None:
        if seconds > 0:
            asyncio.get_running_loop().call_later(seconds, self.ring)
        else:
            self.ring()

    async def _amend(self, amended: Amended, dest: Dest) -> None:
        """An edited message: the newest text counts while it is still being considered; after that
        the person hears that it does not."""
        changed = await self.store.amend(amended.dedupe, amended.text, amended.people)
        if changed is not Amend.LATE:
            return
        if not is_open(await self._state(dest)):
            return
        reply = Command(name=EDITED, by=str(dest.owner), at=amended.at)
        # Telegram tells the same text again when only the preview of a link in it came.
        text = hashlib.sha256(amended.text.encode("utf-8", "surrogatepass")).hexdigest()
        edit = f"{amended.dedupe}:edit:{text[:16]}"
        await self.store.accept(dest.lane, edit, reply)
        self.ring()

    # Taps

    def _not_yours(self, handle: str, locale: str = "") -> None:
        texts = Texts(locale or self.manners.unknown.locale)
        self.sending.answers.promise(handle, 0.0, texts("turn.not_yours"))

    async def _know_where(self, dest: Dest, card: str, chat: int, message: int) -> None:
        """Learn of a message of a card that nobody knew of: the answer to its sending was lost."""

        def learn(native: Json | None) -> Json | None:
            drawn = learned(native, chat, message)
            return None if drawn is None else msgspec.to_builtins(drawn)

        await self.store.amend_place(dest.lane, card, learn)

    def _promise(self, tap: Tap, *, own: bool) -> None:
        """See to it that a tap is answered soon, whatever comes of it and whenever."""
        texts = Texts(tap.locale or self.manners.unknown.locale)
        text = texts("telegram.wait" if own else "turn.not_yours")
        self.sending.answers.promise(tap.handle, self.manners.patience, text)

    async def _ask(self, asked: Asked, dest: Dest) -> None:
        """Ask somebody for the words that the action wants which they used, by a message that they
        answer."""
        if asked.handle in self.asked:
            return
        self.asked.append(asked.handle)
        texts = Texts(asked.locale or self.manners.unknown.locale)
        needs = await self._needs(asked, dest) or texts("posts.words")
        wanted = Wanted(asked.command, asked.post, dest.owner)
        name = "" if dest.private else asked.name
        shown = prompt(wanted, needs, asked.label, bot=self.me.username, name=name)
        # Answered with no regard to whether that message is there still.
        answers = {"message_id": asked.message, "allow_sending_without_reply": True}
        beside = {"reply_parameters": answers} if asked.dest.chat == asked.chat else {}
        try:
            sent = await self.calls.send(dest, "sendMessage", **beside, **shown)
        except ApiFailed as failed:
            log.warning("words_not_asked_for", lane=dest.lane, error=type(failed).__name__)
            alone = not beside and isinstance(failed, Refused)
            key = "telegram.ask_in_private" if alone else "posts.once_more"
            await self.sending.answer(asked.handle, texts(key, chat=self.sending.home))
        else:
            if dest.private:
                self.awaited[dest.lane] = (wanted, datetime.fromtimestamp(sent["date"], UTC))
            await self.sending.answer(asked.handle)

    async def _needs(self, asked: Asked, dest: Dest) -> str:
        """What the action of a post asks for; empty where that is not known (any more)."""
        shown = await self._home(replace(asked.dest, chat=asked.chat, owner=0))
        for place in (shown, dest):
            native = await self.store.where(place.lane, asked.post) if asked.post else None
            if native and asked.command in native.get("needs", {}):
                return str(native["needs"][asked.command])
        return ""

    async def _turn_page(self, turned: Turned, dest: Dest) -> None:
        """A page of a keyboard that holds less than its card: the card's own state is the same.

        It is shown in the order of all else that the lane sends: a card that is being closed is
        closed by then, and stays so.
        """
        if turned.by != str(dest.owner):
            self._not_yours(turned.handle)
            return
        self.sending.answers.promise(turned.handle, self.manners.patience, "")
        shows = Page(card=turned.card, number=turned.page, to=turned.handle)
        if await self.store.show(dest.lane, f"{dest.lane}:page:{turned.handle}", shows):
            self.store.outgoing.ring()
