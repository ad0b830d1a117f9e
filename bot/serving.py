"""A process that serves channels until it is stopped: it receives, takes turns, sends, delivers."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from rich.console import Console

from bot.settings import Settings
from bot.telegram import open_telegram
from bot.wiring import House, open_house


async def serve(settings: Settings, *, receives: bool = True, works: bool = True) -> int:
    """Serve every channel that there are credentials for, until SIGTERM or Ctrl-C.

    `receives` takes in what platforms deliver, `works` takes turns and sends: on one machine a
    process does both; several that share a PostgreSQL may do one each. Raises CannotServe.
    """
    async with open_house(settings) as house, open_telegram(settings, house) as telegram:
        house.open_channel(telegram.channel)
        Console(stderr=True).print(telegram.how(receives=receives), highlight=False)
        jobs = [telegram.receive()] if receives else []
        jobs += working(house) if works else []
        await until_stopped(jobs)
    return 0


def working(house: House) -> list[Coroutine[Any, Any, None]]:
    """What takes turns, sends and delivers, each until it is cancelled."""
    turns = house.runtime.run(workers=house.settings.workers)
    return [turns, house.sender.run(), house.deliverer.run()]


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
