"""A process that serves channels until it is stopped: it receives, takes turns, sends, delivers.

A channel is a line in `SERVED`, and a module of this package that opens it.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from rich.console import Console

from bot.settings import Settings
from bot.starting import served_journey
from bot.wiring import House, open_house
from core.channel import Channel
from core.upkeep import HalfWay, Keeper, Waits


class Service(Protocol):
    """A channel that this process serves."""

    @property
    def channel(self) -> Channel:
        """The channel itself."""
        ...

    def how(self) -> str:
        """A line for whoever started the process."""
        ...

    async def receive(self, listening: Callable[[], None] = ...) -> None:
        """Take in what the platform delivers until cancelled; `listening` is called when it can
        come. Raises CannotServe."""
        ...


Opens = Callable[[Settings, House], AbstractAsyncContextManager[Service]]


@dataclass(frozen=True)
class Served:
    """A channel that can be served: whether there are credentials for it, and how it is opened.

    What a channel needs is loaded only where it is served.
    """

    wanted: Callable[[Settings], bool]
    open: Opens


def _telegram(settings: Settings, house: House) -> AbstractAsyncContextManager[Service]:
    from bot.telegram import open_telegram

    return open_telegram(settings, house)


def _slack(settings: Settings, house: House) -> AbstractAsyncContextManager[Service]:
    from bot.slack import open_slack

    return open_slack(settings, house)


SERVED = (
    Served(lambda chosen: chosen.telegram_bot_token is not None, _telegram),
    Served(
        lambda chosen: chosen.slack_bot_token is not None or chosen.slack_client_id is not None,
        _slack,
    ),
)


def has_channels(settings: Settings) -> bool:
    """Whether there are credentials for any channel."""
    return any(one.wanted(settings) for one in SERVED)


@asynccontextmanager
async def open_services(settings: Settings, house: House) -> AsyncIterator[list[Service]]:
    """Every channel that there are credentials for. Raises CannotServe."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(one.open(settings, house))
            for one in SERVED
            if one.wanted(settings)
        ]


async def serve(settings: Settings) -> int:
    """Serve every channel that there are credentials for, until SIGTERM or Ctrl-C.

    Raises CannotServe and NoSuchJourney.
    """
    async with open_house(settings) as house, open_services(settings, house) as services:
        if not house.runtime.starts and settings.journey not in house.catalogue.faulty:
            served_journey(settings, house.catalogue)
        for one in services:
            house.open_channel(one.channel)
        tell_troubles(house.troubles())
        receiving = [one.receive(partial(_tell, one)) for one in services]
        await until_stopped([*receiving, *working(house)])
    return 0


def tell_troubles(lines: list[str]) -> None:
    """Say why destinations cannot be delivered to yet."""
    for line in lines:
        Console(stderr=True).print(line, highlight=False, soft_wrap=True)


def _tell(service: Service) -> None:
    Console(stderr=True).print(service.how(), highlight=False)


def working(house: House) -> list[Coroutine[Any, Any, None]]:
    """What takes turns, sends, delivers and tidies up, each until it is cancelled."""
    turns = house.runtime.run(workers=house.settings.workers)
    keeper = Keeper((*house.chores, _half_way(house)))
    return [turns, house.sender.run(), house.deliverer.run(), keeper.run()]


def _half_way(house: House) -> HalfWay:
    chosen, runtime = house.settings, house.runtime
    waits = Waits(chosen.nudge_hours, chosen.expire_days)
    return HalfWay(house.store, runtime.channels, runtime.clock, runtime.bell.ring, waits)


async def until_stopped(jobs: list[Coroutine[Any, Any, None]]) -> None:
    """Do these until the process is told to stop, or one of them cannot go on: that is raised."""
    tasks: list[asyncio.Task[Any]] = [asyncio.create_task(job) for job in jobs]
    try:
        async with _told_to_stop() as stopped:
            tasks.append(asyncio.create_task(stopped.wait()))
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        ended = [task for task in tasks if task.done()]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in ended:
        task.result()


@asynccontextmanager
async def _told_to_stop() -> AsyncIterator[asyncio.Event]:
    """An event that SIGTERM sets, so that leases are given back before the process ends."""
    stopped, loop = asyncio.Event(), asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):  # Windows has no such handlers
        loop.add_signal_handler(signal.SIGTERM, stopped.set)
    try:
        yield stopped
    finally:
        with contextlib.suppress(NotImplementedError):
            loop.remove_signal_handler(signal.SIGTERM)
