"""Surestep inside a program that already runs a Telegram bot.

With aiogram, where `own` is the program's own router:

    from aiogram import Bot, Dispatcher, Router
    from bot.mounting import surestep
    from channels.telegram.driver_aiogram import AiogramApi, router


    async def main(bot: Bot, dispatcher: Dispatcher, own: Router) -> None:
        async with surestep(AiogramApi(bot)) as channel:
            dispatcher.include_routers(router(channel), own)
            await dispatcher.start_polling(bot)

With python-telegram-bot, where `mount` is the `post_init` of the program's Application:

    from contextlib import AsyncExitStack
    from telegram.ext import Application
    from bot.mounting import surestep
    from channels.telegram.driver_ptb import PtbApi, handlers


    async def mount(application: Application) -> None:
        stack = AsyncExitStack()
        channel = await stack.enter_async_context(surestep(PtbApi(application.bot)))
        application.add_handlers(handlers(channel))
        application.post_stop = lambda _: stack.aclose()
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from bot.serving import working
from bot.settings import Settings, load
from bot.wiring import admin_command, now, open_house, unknown_person
from channels.telegram.api import Api
from channels.telegram.channel import Telegram
from channels.telegram.manners import Manners

log = structlog.get_logger()


@asynccontextmanager
async def surestep(api: Api, settings: Settings | None = None) -> AsyncIterator[Telegram]:
    """The channel of a bot that another program runs; turns are taken while the block lasts.

    The settings are the environment's where none are given. Raises SettingsFaulty, StoreError and
    ApiFailed.
    """
    chosen = settings or load()
    async with open_house(chosen) as house:
        manners = Manners(unknown=unknown_person(chosen), admin=admin_command(chosen))
        channel = await Telegram.connect(
            api,
            house.store,
            manners=manners,
            ring=house.runtime.bell.ring,
            files=house.files.content,
        )
        house.files.channels[channel.name] = channel
        house.open_channel(channel)
        jobs = [channel.come_back(now), *working(house)]
        tasks = [asyncio.create_task(job) for job in jobs]
        for task in tasks:
            task.add_done_callback(_report)
        try:
            yield channel
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await channel.close()


def _report(task: asyncio.Task[None]) -> None:
    """Nobody waits for these tasks: that one has ended by an error would stay unknown."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("surestep_stopped", exc_info=error)
