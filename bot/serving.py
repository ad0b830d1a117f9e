"""A process that serves channels until it is stopped: it receives, takes turns, sends, delivers."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import structlog
from rich.console import Console

from bot.settings import Settings
from bot.telegram import TelegramService, open_telegram
from bot.wiring import House, open_house

log = structlog.get_logger()


async def serve(settings: Settings, *, receives: bool = True, works: bool = True) -> int:
    """Serve every channel that there are credentials for, until SIGTERM or Ctrl-C.

    `receives` takes in what platforms deliver, `works` takes turns and sends: on one machine a
    process does both; several that share a PostgreSQL may do one each.
    """
    async with open_house(settings) as house, open_telegram(settings, house) as telegram:
        house.open_channel(telegram.channel)
        _say(telegram.how(receives=receives))
        jobs = [*(_receiving(telegram) if receives else ()), *(_working(house) if works else ())]
        await _until_stopped(jobs)
    return 0


def _receiving(telegram: TelegramService) -> list[Coroutine[Any, Any, None]]:
    return [telegram.receive()]


def _working(house: House) -> list[Coroutine[Any, Any, None]]:
    workers = house.settings.workers
    return [house.runtime.run(workers=workers), house.sender.run(), house.deliverer.run()]


def _say(line: str) -> None:
    Console(stderr=True).print(line, highlight=False)


async def _until_stopped(jobs: list[Coroutine[Any, Any, None]]) -> None:
    """Do these until the process is told to stop, or one of them cannot go on: that is raised."""
    tasks: list[asyncio.Task[Any]] = [asyncio.create_task(job) for job in jobs]
    try:
        async with _told_to_stop() as stopped:
            stop = asyncio.create_task(stopped.wait())
            tasks.append(stop)
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
