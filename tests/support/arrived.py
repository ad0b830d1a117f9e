"""What has been submitted, and what has arrived where it was sent."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import func, select

from bot.wiring import House
from core.state import Status
from core.store.sql import pending
from core.store.tables import delivery


async def submitted(house: House, account: str) -> list[dict[str, Any]]:
    """What a person has submitted, as it is stored."""
    found = await house.store.submissions(account)
    return [json.loads(one.submission.content) for one in found]


async def delivered(house: House, file: str) -> list[dict[str, Any]]:
    """What has arrived at a destination that is a file, when nothing is on its way any more."""
    return [json.loads(line)["content"] for line in await lines_of(house, file)]


async def lines_of(house: House, file: str) -> list[str]:
    """The lines of a destination that is a file, when nothing is on its way any more."""
    async with asyncio.timeout(30):
        while await _on_its_way(house):
            await house.deliverer.drain()
    path = house.settings.data_dir / file
    return path.read_text("utf-8").splitlines() if path.exists() else []


async def _on_its_way(house: House) -> bool:
    counted = select(func.count()).select_from(delivery).where(pending(delivery))
    async with house.store.database.read() as connection:
        return bool((await connection.execute(counted)).scalar_one())


class Visitor(Protocol):
    """Somebody in front of a running bot, in any channel."""

    async def status(self) -> Status:
        """How far their journey is."""
        ...

    async def submitted(self) -> list[dict[str, Any]]:
        """What they have submitted."""
        ...

    async def delivered(self, file: str) -> list[dict[str, Any]]:
        """What has arrived at a destination that is a file."""
        ...


async def is_submitted_once(visit: Visitor, file: str, content: dict[str, Any]) -> None:
    """The journey is over, and what was answered is what was submitted and has arrived."""
    assert await visit.status() is Status.SUBMITTED
    (submitted,) = await visit.submitted()
    assert plain(submitted) == content
    (arrived,) = await visit.delivered(file)
    assert arrived == submitted


def plain(content: dict[str, Any]) -> dict[str, Any]:
    """A submission with its venue by name, and its photo by what is known of it."""
    venue, cover = content.get("venue"), content.get("cover")
    named = {"venue": venue["label"]} if venue else {}
    shown = {"cover": cover["mime"]} if cover else {}
    return {**content, **named, **shown}


def is_as_kept(file: Path, seen: str) -> None:
    """What a person sees is what the file says that they see; SCREENS=new writes it anew."""
    seen = "\n".join(line.rstrip() for line in seen.splitlines()) + "\n"
    if os.environ.get("SCREENS") == "new":
        file.parent.mkdir(exist_ok=True)
        file.write_text(seen, "utf-8")
    assert seen == file.read_text("utf-8")
