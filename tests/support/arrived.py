"""What has been submitted, and what has arrived where it was sent."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from sqlalchemy import func, select

from bot.wiring import House
from core.store.sql import pending
from core.store.tables import delivery


async def submitted(house: House, person: str) -> list[dict[str, Any]]:
    """What a person has submitted, as it is stored."""
    found = await house.store.submissions(person)
    return [json.loads(one.submission.content) for one in found]


async def delivered(house: House, file: str) -> list[dict[str, Any]]:
    """What has arrived at a destination that is a file, when nothing is on its way any more."""
    async with asyncio.timeout(30):
        while await _on_its_way(house):
            await house.deliverer.drain()
    text = (house.settings.data_dir / file).read_text("utf-8")
    return [json.loads(line)["content"] for line in text.splitlines()]


async def _on_its_way(house: House) -> bool:
    counted = select(func.count()).select_from(delivery).where(pending(delivery))
    async with house.store.database.read() as connection:
        return bool((await connection.execute(counted)).scalar_one())
