"""The channel itself: what arrives is stored, what turns want is sent. It knows no library.

A driver hands every request of Slack's to `take` and carries calls out; everything else is here.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import msgspec
import structlog

from channels.slack.api import Api, ApiFailed, Refused
from channels.slack.beside import Beside
from channels.slack.calling import Calls, is_shut
from channels.slack.directs import Directs
from channels.slack.downloads import download
from channels.slack.incoming import Amended, Elsewhere, Gone, Heard, Home, Pane
from channels.slack.intake import Intake
from channels.slack.manners import Manners
from channels.slack.native import Drawn, Json
from channels.slack.payload import COMMAND, NAME, Dest, dest_of
from channels.slack.people import People
from channels.slack.putting import Putting, Standing
from channels.slack.read import ADMIN, received
from channels.slack.sending import Sending
from channels.slack.shut import Shut
from channels.slack.streaming import Streams
from channels.slack.surfaces import Surfaces
from channels.slack.windows import Trial, Windows
from core import coming_back
from core.channel import Native, Never
from core.coming_back import Start
from core.effects import Effect, Put
from core.files import Content, no_files
from core.journey import JourneyTypes
from core.replies import Act, Command, Submit, Tap
from core.state import Person
from core.store import Store
from core.texts import Texts
from core.turn import STOP

log = structlog.get_logger()

_CHAT = re.compile(r"(?:(?P<team>[TE][A-Z0-9]+)/)?(?P<channel>[CDG][A-Z0-9]+)")

OURS = frozenset({"new", "resume", "review", "mine", ADMIN})
"""Commands that are taken in a program that does other things too."""


@dataclass(frozen=True)
class Shell:
    """What the channel needs of the program that it is in.

    `trial` tells what would come of a reply right now, `ring` wakes whoever takes turns, `clock`
    gives aware UTC times, `files` finds what is in the files of posts that Slack does not have.
    """

    store: Store
    types: JourneyTypes
    trial: Trial
    ring: Callable[[], None]
    clock: Callable[[], datetime]
    files: Content = no_files


class Slack:
    """One app in Slack, in one workspace or several."""

    name = NAME
    command = f"{COMMAND} "

    def __init__(self, api: Api, shell: Shell, manners: Manners | None = None) -> None:
        self.api = api
        self.shell = shell
        self.store = shell.store
        self.manners = manners or Manners()
        self.calls = Calls(api)
        people = People(api, self.manners.unknown, self.manners.patience)
        self.streams = Streams(
            self.calls, self.store, self._speaks, self._stopped, self.manners.pace
        )
        self.beside = Beside()
        self.sending = Sending(self.calls, self.streams, self._who, self.beside)
        windows = Windows(self.store, self.calls, shell.types, shell.trial, self.manners.patience)
        directs = Directs(api, self.store, self.manners.patience)
        messages = self.sending.messages
        self.putting = Putting(self.calls, messages, directs, self._who, shell.files)
        self.shut = Shut(self.store, self.calls, directs, shell.ring, shell.clock)
        surfaces = Surfaces(self.store, self.calls, people, shell.types, shell.trial, shell.clock)
        self.intake = Intake(
            store=self.store,
            manners=self.manners,
            people=people,
            directs=directs,
            sending=self.sending,
            windows=windows,
            surfaces=surfaces,
            beside=self.beside,
            ring=shell.ring,
        )

    async def take(self, kind: str, body: Json) -> Json | None:
        """Take a request of Slack's: when this returns it is on disk, and Slack may be told so.

        What is returned is the body of the acknowledgement. A request that comes again changes
        nothing. Raises what the store raises; then it is not acknowledged.
        """
        found = received(kind, body)
        return None if found is None else await self.intake.take(found)

    async def wants(self, kind: str, body: Json) -> bool:
        """Whether a request is for this bot's journeys, in a program that does other things too."""
        if body.get("command") not in (None, COMMAND):
            return False
        match received(kind, body):
            # One app has one Home and one pane: they are the program's own.
            case None | Elsewhere() | Gone() | Home() | Pane():
                return False
            case Heard(reply=Tap() | Submit() | Act()):
                return True
            case Heard(reply=Command(name=name)) if name in OURS:
                return True
            case (Heard() | Amended()) as found:
                return await self.intake.is_open(await self.intake.home(found.dest, found.address))
            case _:
                return True

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
            if isinstance(error, Refused) and is_shut(error):
                self.beside.start(lambda: self.shut.tell(dest_of(lane)))
            raise self.calls.failure(error, begun=self.sending.has_begun(lane, effect)) from error
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
        return native

    async def download(self, ref: str, limit: int) -> bytes:
        """A file that somebody sent here (see core.channel). Raises Later, Lost and Never."""
        return await download(self.calls, ref, limit)

    def chat_lane(self, chat: str) -> str:
        """The lane of a channel by its id, with `TEAM/` before it where the bot is in several
        workspaces (see core.channel). Raises ValueError."""
        found = _CHAT.fullmatch(chat)
        if found is None:
            raise ValueError(
                f"{chat!r} is no channel of Slack's: write its id, such as C0123456789 (it stands"
                " below the channel's details), and TEAM/ before it for one of several workspaces"
            )
        return Dest(team=found["team"] or "", channel=found["channel"], owner="0").lane

    def preview(self, lane: str, text: str) -> None:
        """Show more of the model's answer while it is still coming; it may be lost."""
        self.streams.show(lane, dest_of(lane), text)

    async def end_preview(self, lane: str) -> None:
        """Nothing more of the model's answer is shown before the answer itself."""
        await self.streams.end(lane)

    async def close(self) -> None:
        """Wait for what is still being done."""
        await asyncio.gather(*self.beside.tasks, return_exceptions=True)

    async def start(self) -> Start:
        """The start of the channel, which is now: nothing has been sent yet."""
        return await coming_back.start(self.store, NAME, self.shell.clock())

    async def come_back(self, start: Start) -> None:
        """After a start, as soon as what people do comes in: each open ask that nobody answered is
        drawn again."""
        now, within = self.shell.clock(), self.manners.reload
        if await coming_back.reload(self.store, NAME, now, start=start, within=within):
            self.shell.ring()

    # What its parts ask of it

    async def _who(self, lane: str) -> Person:
        state = await self.store.conversation(lane)
        return self.manners.unknown if state is None else state.person

    async def _speaks(self, lane: str) -> Texts:
        return Texts((await self._who(lane)).locale)

    async def _stopped(self, lane: str, dest: Dest, message: str) -> None:
        """The person wants to hear no more of the answer that is coming."""
        reply = Command(name=STOP, by=dest.owner, at=self.shell.clock())
        await self.store.accept(lane, f"{lane}:stop:{message}", reply)
        self.shell.ring()
