"""Surestep inside a program that already runs a Telegram bot.

async with surestep(AiogramApi(bot)) as channel:
    dispatcher.include_router(router(channel))
    await dispatcher.start_polling(bot)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.serving import working
from bot.settings import Settings, load
from bot.wiring import now, open_house, unknown_person
from channels.telegram.api import Api
from channels.telegram.channel import Telegram
from channels.telegram.manners import Manners


@asynccontextmanager
async def surestep(api: Api, settings: Settings | None = None) -> AsyncIterator[Telegram]:
    """The channel of a bot that another program runs; turns are taken while the block lasts.

    The settings are the environment's where none are given. Raises SettingsFaulty, StoreError and
    ApiFailed.
    """
    chosen = settings or load()
    async with open_house(chosen) as house:
        manners = Manners(unknown=unknown_person(chosen))
        channel = await Telegram.connect(
            api, house.store, manners=manners, ring=house.runtime.bell.ring
        )
        house.open_channel(channel)
        jobs = [*working(house), channel.come_back(now)]
        tasks = [asyncio.create_task(job) for job in jobs]
        try:
            yield channel
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await channel.close()
