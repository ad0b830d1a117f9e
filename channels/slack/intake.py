"""What arrives: every reply is stored once, in the lane of the conversation that it belongs to,
before Slack is told that it arrived. What needs no turn is done beside that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec
import structlog

from channels.slack.acts import modal
from channels.slack.api import ApiFailed
from channels.slack.beside import Beside
from channels.slack.directs import Directs
from channels.slack.incoming import (
    Address,
    Amended,
    Asks,
    Elsewhere,
    Entered,
    Gone,
    Heard,
    Home,
    Left,
    Opens,
    Pane,
    Received,
    Seeks,
)
from channels.slack.manners import Manners
from channels.slack.native import Json, learned
from channels.slack.payload import OPEN, Dest
from channels.slack.people import People, with_names
from channels.slack.sending import Sending
from channels.slack.surfaces import Surfaces
from channels.slack.typed import Called
from channels.slack.windows import Windows, is_late
from core.replies import Command, Reply, Submit, Tap, Words
from core.state import Conversation, Person, is_open
from core.store import Amend, Store
from core.texts import Texts
from core.turn.commands import EDITED

log = structlog.get_logger()


@dataclass
class Intake:
    """Takes what was read. `ring` wakes whoever takes turns."""

    store: Store
    manners: Manners
    people: People
    directs: Directs
    sending: Sending
    windows: Windows
    surfaces: Surfaces
    beside: Beside
    ring: Callable[[], None]

    async def take(self, found: Received) -> Json | None:
        """Store it; the body of the acknowledgement. Raises what the store raises, and ApiFailed
        where it is not known in which conversation to store it."""
        match found:
            case Heard():
                return await self._hear(found)
            case Opens():
                self.beside.start(lambda: self._open(found))
            case Asks():
                self.beside.start(lambda: self._ask(found))
            case Entered():
                return await self._enter(found)
            case Left():
                await self._leave(found)
            case Seeks():
                return {"options": await self.windows.find(found.dest, found.reply)}
            case Amended():
                await self._amend(found)
            case Home() | Pane():
                await self._visit(found)
            case Gone() | Elsewhere():
                log.info("slack_not_for_a_lane", kind=type(found).__name__)
        return None

    async def home(self, dest: Dest, address: Address = Address.YES) -> Dest:
        """The conversation that a reply belongs to. Raises ApiFailed where the person's direct
        message cannot be found."""
        if not dest.channel:
            return replace(dest, channel=await self.directs.of(dest.team, dest.owner))
        if address is Address.PANE and not await self._is_known(dest):
            return replace(dest, thread="")
        return dest

    async def is_open(self, dest: Dest) -> bool:
        """Whether a journey is under way in a conversation."""
        return is_open(await self.store.conversation(dest.lane))

    async def _is_known(self, dest: Dest) -> bool:
        met = await self.store.conversation(dest.lane) is not None
        return met or await self.surfaces.is_pane(dest)

    # Replies

    async def _hear(self, heard: Heard) -> Json | None:
        dest = await self.home(heard.dest, heard.address)
        state = await self.store.conversation(dest.lane)
        if heard.address is Address.IF_OPEN and not is_open(state):
            return None
        reply = await self._named(heard.reply, dest, heard.people)
        if isinstance(reply, Tap | Submit):
            if state is None:
                key = "slack.unknown" if reply.by == dest.owner else "turn.not_yours"
                self._tell(dest, reply.by, key)
                return None
            if heard.shows and heard.message:
                await self._know_where(dest, reply.card, heard.message)
        elif isinstance(reply, Words) and not is_open(state) and dest.direct:
            reply = self._prompted(reply, await self._person(dest, heard.name, state))
        await self._accept(dest, heard.dedupe, reply, heard.name, state, held=heard.held)
        if heard.written and heard.written != dest.channel:
            return _ephemeral(Texts(await self._locale(dest))("slack.in_direct"))
        return None

    async def _accept(
        self,
        dest: Dest,
        dedupe: str,
        reply: Reply,
        name: str,
        state: Conversation | None,
        *,
        held: bool = False,
    ) -> None:
        person = None
        if state is None and reply.by == dest.owner:
            person = await self._person(dest, name, state)
        hold = self.manners.hold if held else 0.0
        await self.store.accept(dest.lane, dedupe, reply, hold, person=person)
        if hold > 0:
            asyncio.get_running_loop().call_later(hold, self.ring)
        else:
            self.ring()

    async def _person(self, dest: Dest, name: str, state: Conversation | None) -> Person:
        if state is not None:
            return state.person
        return await self.people.meet(dest.team, dest.owner, name)

    async def _named(self, reply: Reply, dest: Dest, called: tuple[Called, ...]) -> Reply:
        """A reply with the names of who is called, as its sender saw them, or picked."""
        if not isinstance(reply, Words | Submit | Command) or not called:
            return reply
        people = await self.people.called(dest.team, called)
        if isinstance(reply, Submit):
            return msgspec.structs.replace(reply, people=people)
        if isinstance(reply, Command):
            argument = with_names(reply.argument, called, people)
            return msgspec.structs.replace(reply, argument=argument, people=people)
        text = with_names(reply.text, called, people)
        return msgspec.structs.replace(reply, text=text, people=people)

    def _prompted(self, reply: Words, person: Person) -> Reply:
        """A suggested prompt of the assistant pane is a button, whose words start a journey."""
        for offer in self.surfaces.offers(person.locale):
            if reply.text.strip() == offer.title:
                return Command(name="new", argument=offer.name, by=reply.by, at=reply.at)
        return reply

    async def _amend(self, amended: Amended) -> None:
        """An edited message: the newest text counts while it is still being considered; after that
        the person hears that it does not."""
        dest = await self.home(amended.dest, amended.address)
        people = await self.people.called(dest.team, amended.people)
        text = with_names(amended.text, amended.people, people)
        if await self.store.amend(amended.dedupe, text, people) is not Amend.LATE:
            return
        if not await self.is_open(dest):
            return
        reply = Command(name=EDITED, by=dest.owner, at=amended.at)
        edit = f"{amended.dedupe}:edit:{amended.at.timestamp():.6f}"
        await self.store.accept(dest.lane, edit, reply)
        self.ring()

    async def _know_where(self, dest: Dest, card: str, message: str) -> None:
        """Learn of a message of a card that nobody knew of: the answer to its posting was lost."""

        def learn(native: Json | None) -> Json | None:
            drawn = learned(native, dest.channel, message)
            return None if drawn is None else msgspec.to_builtins(drawn)

        await self.store.amend_place(dest.lane, card, learn)

    # Modals

    async def _open(self, opens: Opens) -> None:
        dest = opens.dest
        if opens.by != dest.owner:
            self._tell(dest, opens.by, "turn.not_yours")
            return
        if opens.shows and opens.message:
            await self._know_where(dest, opens.card, opens.message)
        try:
            if await self.windows.open(dest, opens.card, opens.trigger):
                return
        except ApiFailed as failed:
            log.warning("modal_not_opened", lane=dest.lane, error=str(failed))
            self._tell(dest, opens.by, "slack.try_again")
            return
        state = await self.store.conversation(dest.lane)
        if state is None or not is_late(state, opens.card):
            # An open card has a window, for which there was no time.
            self._tell(dest, opens.by, "slack.unknown" if state is None else "slack.try_again")
            return
        # The turn knows what to say about a card that is open no longer.
        tap = Tap(
            card=opens.card,
            token=OPEN,
            handle=opens.by,
            by=opens.by,
            at=self.surfaces.clock(),
        )
        await self._accept(dest, f"{dest.lane}:open:{opens.trigger}", tap, "", state)

    async def _ask(self, asks: Asks) -> None:
        """Ask for the words that an action wants, in a modal."""
        dest = asks.dest
        locale = (await self.people.meet(dest.team, dest.owner)).locale
        view = modal(asks, Texts(locale))
        try:
            await self.sending.calls.api.call(
                dest.team, "views.open", trigger_id=asks.trigger, view=view
            )
        except ApiFailed as failed:
            log.warning("modal_not_opened", lane=dest.lane, error=str(failed))
            self._tell(dest, dest.owner, "posts.once_more")

    async def _enter(self, entered: Entered) -> Json | None:
        dest, reply = entered.dest, entered.reply
        state = await self.store.conversation(dest.lane)
        if state is None:
            self._tell(dest, reply.by, "slack.unknown")
            return None
        faults = await self.windows.faults(dest, entered.view, reply)
        if faults:
            return {"response_action": "errors", "errors": faults}
        item = await self.windows.item_of(dest, entered.card)
        own = reply.by == dest.owner
        if own:
            # Kept until it is stored: a card that was drawn anew meanwhile shows what was typed.
            typed = {name: one for name, one in reply.values.items() if isinstance(one, str)}
            await self.windows.keep(dest, item, typed)
        await self._accept(dest, entered.dedupe, reply, entered.name, state)
        if own and not is_late(state, entered.card):
            await self.windows.keep(dest, item, {})
        return None

    async def _leave(self, left: Left) -> None:
        if left.by == left.dest.owner:
            await self._keep(left.dest, left.card, left.values)

    async def _keep(self, dest: Dest, card: str, values: dict[str, str]) -> None:
        await self.windows.keep(dest, await self.windows.item_of(dest, card), values)

    # Beside the conversation

    async def _visit(self, visit: Home | Pane) -> None:
        if isinstance(visit, Home):
            self.beside.start(lambda: self._show_home(visit))
        # Noted before anything is written there, which then belongs to that thread.
        elif visit.started and await self.surfaces.is_new(visit.dest):
            self.beside.start(lambda: self.surfaces.greet(visit.dest))
            self.beside.start(lambda: self.surfaces.prompt(visit.dest))

    async def _show_home(self, home: Home) -> None:
        dest = await self.home(home.dest)
        if home.messages:
            await self.surfaces.suggest(dest)
        else:
            await self.surfaces.show_home(dest)

    async def _locale(self, dest: Dest) -> str:
        state = await self.store.conversation(dest.lane)
        return (state.person if state is not None else self.manners.unknown).locale

    def _tell(self, dest: Dest, person: str, key: str) -> None:
        """Tell one person something, in their language, when there is time for it."""
        self.beside.tell((dest.lane, person), lambda: self._told(dest, person, key))

    async def _told(self, dest: Dest, person: str, key: str) -> None:
        locale = (await self.people.meet(dest.team, person)).locale
        await self.sending.messages.tell(dest, person, Texts(locale)(key))


def _ephemeral(text: str) -> Json:
    """The acknowledgement of a command that says something to whoever typed it."""
    return {"response_type": "ephemeral", "text": text}
