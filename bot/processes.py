"""What a process does: talk in the terminal, serve channels, migrate."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from rich.console import Console

from bot.logs import apart
from bot.serving import has_channels, serve, tell_troubles
from bot.settings import Settings, data_folder
from bot.starting import NothingSetUp, only_complete, served_journey
from bot.wiring import House, exports_folder, now, open_house
from channels.terminal.driver import PERSON, Terminal, converse
from core.replies import Command, Reload, Reply
from core.runtime import is_over
from core.state import Conversation, Person, Status
from core.store.deliveries import Stage
from core.texts import Texts
from core.upkeep import Keeper

SUBMITTED, NOT_SUBMITTED = 0, 1
"""Exit codes of a chat."""


_LOOK = 0.05
"""Seconds between two looks at what is on its way."""


async def migrate(settings: Settings) -> int:
    """Bring the database to the current schema and load what the journeys ship."""
    async with open_house(settings) as house:
        version = await house.store.version()
        names = ", ".join(house.catalogue.names())
        Console().print(f"The database is at {version}. Journeys: {names}.", highlight=False)
    return 0


async def run(settings: Settings) -> int:
    """Start every channel that there are credentials for; with none, the terminal.

    Raises SettingsFaulty, NothingSetUp, CannotServe and NoSuchJourney.
    """
    only_complete(settings)
    if has_channels(settings):
        return await serve(settings)
    if not sys.stdin.isatty() and not await asyncio.to_thread(_is_anything_piped):
        raise NothingSetUp
    return await chat(settings, None, conversation=None)


def _is_anything_piped() -> bool:
    """Whether a script talks; what it says first is still there to be read."""
    return isinstance(sys.stdin, TextIOWrapper) and bool(sys.stdin.buffer.peek(1))


async def chat(settings: Settings, named: str | None, conversation: str | None) -> int:
    """Talk in the terminal about one journey, the settings' where none is named; 0 when it was
    submitted. Raises NoSuchJourney."""
    with _quietly(settings) as log_file:
        try:
            return await _talked(settings, named, conversation)
        finally:
            if log_file is not None and log_file.stat().st_size:
                line = f"What went wrong is in {log_file}."
                Console(stderr=True).print(line, highlight=False, soft_wrap=True, style="dim")


@contextlib.contextmanager
def _quietly(settings: Settings) -> Iterator[Path | None]:
    """Log to a file of this talk's own, unless a level was asked for: then to standard error."""
    if "log_level" in settings.model_fields_set:
        yield None
        return
    file = data_folder(settings) / "chat.log"
    file.write_text("", "utf-8")
    with apart(settings.log_level, file):
        yield file


async def _talked(settings: Settings, named: str | None, conversation: str | None) -> int:
    async with open_house(settings) as house:
        journey = served_journey(settings, house.catalogue, named)
        terminal = Terminal(
            Texts(settings.locale),
            files=house.files.content,
            exports=exports_folder(settings),
        )
        house.files.channels[terminal.name] = terminal
        _greet(house, terminal)
        house.open_channel(terminal)
        person = sys.stdin.isatty()
        name = conversation or ("local" if person else secrets.token_hex(6))
        talk = TerminalChat(house, terminal, f"terminal:{name}", kept=person or bool(conversation))
        async with (
            _in_background(house.deliverer.run()),
            _in_background(Keeper(house.chores).run()),
        ):
            code = await talk.walk(journey)
        # Somebody who leaves has done nothing wrong; a script wants to know how far it came.
        return SUBMITTED if person else code


@asynccontextmanager
async def _in_background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Do something for as long as the block takes."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def _greet(house: House, terminal: Terminal) -> None:
    for name, faults in house.catalogue.faulty.items():
        count = f"{len(faults)} fault{'' if len(faults) == 1 else 's'}"
        line = f"The journey {name} is left out: {count}, see python -m bot check"
        Console(stderr=True).print(line, highlight=False, soft_wrap=True)
    tell_troubles(house.troubles())
    if not house.runtime.talks:
        terminal.tell("terminal.no_model")
    terminal.tell("terminal.how")


class TerminalChat:
    """One conversation in the terminal: each line is taken, and all it causes is shown."""

    def __init__(self, house: House, terminal: Terminal, lane: str, *, kept: bool = True) -> None:
        self.house = house
        self.terminal = terminal
        self.lane = lane
        self.kept = kept
        """Whether this conversation can be come back to, by its name."""

    async def walk(self, journey: str) -> int:
        """Talk until the end of the journey or of the input; the exit code."""
        await self.open(journey)
        await converse(self.terminal, self.take, self.over)
        if self.kept and not await self.over():
            self.terminal.tell("terminal.left")
        return await self.end()

    async def open(self, journey: str) -> None:
        """Begin the journey, or come back to the one that is open."""
        await self.take(await self._opening(journey))

    async def end(self) -> int:
        """Bring everything on its way, and say how it went."""
        state = await self.state()
        if state is not None and state.journey is not None:
            await self._deliver(state.journey.id)
        # What has arrived is told.
        await self.house.runtime.drain()
        await self.house.sender.drain()
        ended = state.journey.status if state is not None and state.journey is not None else None
        return SUBMITTED if ended is Status.SUBMITTED else NOT_SUBMITTED

    async def _deliver(self, journey: str) -> None:
        # What a killed process was delivering is free again when its lease has run out.
        patience = self.house.settings.lease + 1.0
        for _ in range(int(patience / _LOOK)):
            if not await self._pending(journey):
                return
            await self.house.deliverer.deliver()
            await asyncio.sleep(_LOOK)

    async def _pending(self, journey: str) -> bool:
        """Whether anything may still be delivered now; what failed waits for another process."""
        on_the_way = await self.house.store.deliveries(journey)
        return any(one.stage is Stage.PENDING and not one.error for one in on_the_way)

    def person(self) -> Person:
        """Who sits at the keyboard."""
        chosen = self.house.settings
        return Person(id=PERSON, locale=chosen.locale, zone=chosen.zone, country=chosen.country)

    async def _opening(self, journey: str) -> Reply:
        state = await self.state()
        journey_open = state is not None and state.journey is not None and not is_over(state)
        if journey_open:
            return Reload(by=PERSON, at=now())
        return Command(name="new", argument=journey, by=PERSON, at=now())

    async def take(self, reply: Reply) -> None:
        """Take a reply, and show everything that it causes."""
        update = f"{self.lane}:{secrets.token_hex(8)}"
        await self.house.store.accept(self.lane, update, reply, person=self.person())
        worker = asyncio.create_task(self._work())
        while not worker.done():
            await self.house.sender.drain()
            await asyncio.wait({worker}, timeout=0.05)
        await worker
        await self.house.sender.drain()

    async def _work(self) -> None:
        await self.house.runtime.drain()
        while await self.house.store.ready(self.lane):
            # A turn that failed is tried again after a while.
            await asyncio.sleep(0.2)
            await self.house.runtime.drain()

    async def over(self) -> bool:
        """Whether the journey has ended."""
        return is_over(await self.state())

    async def state(self) -> Conversation | None:
        """The conversation as it is stored; None before the first reply."""
        return await self.house.store.conversation(self.lane)
