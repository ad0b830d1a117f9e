"""kill -9 while a decision is made: it is made once, with all that follows."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from core.replies import Act
from core.store import Stage, crash
from core.store.moderation import Verdict
from tests.core.admin.desk import (
    ANNA,
    BOB,
    MODERATION,
    OLGA,
    Desk,
    desk_of,
    lane_of,
    now,
    open_house,
    settings_for,
    write_trip,
)

ROOT = Path(__file__).parents[3]


async def killed_at(point: str, folder: Path, url: str) -> int | None:
    """Let another process take what waits until it is killed; how it ended."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.core.admin.deciding", str(folder), url),
        cwd=ROOT,
        env={**os.environ, crash.VARIABLE: point},
    )
    return await process.wait()


async def takes_over(desk: Desk) -> None:
    """Take what waits, as soon as the other process's lease has run out."""
    async with asyncio.timeout(30):
        while await desk.house.store.ready(lane_of(BOB)):
            await desk.works()
            await asyncio.sleep(0.05)
    await desk.works()


@pytest.mark.parametrize("point", crash.OF_DECISIONS)
async def test_a_process_that_is_killed_while_it_decides_has_decided_once(
    tmp_path: Path, sqlite_url: str, point: str
) -> None:
    write_trip(tmp_path / "journeys", MODERATION)
    async with open_house(settings_for(tmp_path, sqlite_url, lease=1.0)) as house:
        desk = desk_of(house)
        await desk.admin(OLGA, "grant test:bob moderator")
        number = await desk.submits(ANNA)
        reply = Act(command=f"approve {number}", handle="h", by=BOB.id, at=now())
        await house.store.accept(lane_of(BOB), "approve", reply, person=BOB)

        assert await killed_at(point, tmp_path, sqlite_url) == -signal.SIGKILL
        await takes_over(desk)

        decided = await house.store.decided(number)
        assert decided is not None
        assert (decided.verdict, decided.account) == (Verdict.APPROVED, "test:bob")
        assert [one.stage for one in await house.store.deliveries_of(number)] == [Stage.PENDING]
        told = [one for one in map(str, desk.shown(lane_of(ANNA))) if "was approved" in one]
        assert len(told) == 1
        assert "Approved: no. 1 is on its way." in str(desk.shown(lane_of(BOB)))
        records = [one for one in await desk.records() if one[1] == "approve"]
        assert [one[:3] for one in records] == [("test:bob", "approve", "1")]
        assert records[0][3] in ("done", "already done")
