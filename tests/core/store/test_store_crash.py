"""kill -9 at any instant: what was acknowledged is there, and nothing has happened twice."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from core.store import Store, crash
from core.store.sql import pending
from core.store.tables import delivery, event, inbox, lane, outbox, submission, transcript
from tests.core.store.building import LANE, put, take
from tests.core.store.building import submission as submitted
from tests.core.store.killing import DESTINATIONS, RECORDS, REPLIES, SHOWN

ROOT = Path(__file__).parents[3]


def lines(folder: Path, lane_key: str, what: str) -> list[str]:
    file = folder / f"{lane_key}.{what}"
    return file.read_text("utf-8").splitlines() if file.exists() else []


def keyed(seen: list[str]) -> dict[str, set[str]]:
    """What the world outside saw under each key."""
    by_key: dict[str, set[str]] = {}
    for line in seen:
        key, _, content = line.partition(" ")
        by_key.setdefault(key, set()).add(content)
    return by_key


async def run_every_point(url: str, folder: Path) -> list[object]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.core.store.killing", url, str(folder),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    said, complaint = await process.communicate()
    assert process.returncode == 0, complaint.decode()
    return [json.loads(line) for line in said.splitlines()]


async def test_a_process_killed_at_any_point_loses_nothing_and_doubles_nothing(
    store: Store, store_url: str, tmp_path: Path
) -> None:
    endings = await run_every_point(store_url, tmp_path)
    assert endings == [*([point, signal.SIGKILL] for point in crash.POINTS), ["", 0]]

    for point in crash.POINTS:
        key = f"test:{point}"
        acknowledged = lines(tmp_path, key, "acknowledged")
        assert set(acknowledged) == {f"{number}" for number in range(REPLIES)}, point
        await one_lane_is_whole(store, key, tmp_path)
    await nothing_is_left(store)


async def one_lane_is_whole(store: Store, key: str, folder: Path) -> None:
    journey = f"{key}-journey"
    state = await store.conversation(key)
    assert state is not None
    assert state.turn == REPLIES
    # Each reply was taken once, in its order.
    assert await store.words(key, journey) == tuple(f"{number}" for number in range(REPLIES))

    sent = keyed(lines(folder, key, "sent"))
    assert list(sent) == [f"{key}:{1 + turn}:{n}" for turn in range(REPLIES) for n in range(SHOWN)]
    assert [len(contents) for contents in sent.values()] == [1] * len(sent), "one content a key"
    for turn in range(1, REPLIES + 1):
        assert await store.where(key, f"card-{turn}") == {"id": f"{key}:{turn}:2"}
    was_told_what_came_twice(lines(folder, key, "again"))

    delivered = keyed(lines(folder, key, "delivered"))
    content = submitted().content
    assert delivered == {f"{journey}:{name}": {content} for name in DESTINATIONS}
    assert [one.stage for one in await store.deliveries(journey)] == ["delivered"] * 2
    assert (await store.search_directory(key)).records == tuple(RECORDS)


def was_told_what_came_twice(told: list[str]) -> None:
    seen: set[str] = set()
    for line in told:
        key, _, again = line.partition(" ")
        assert key not in seen or again == "True", f"{key} came again, and nobody was told"
        seen.add(key)


async def nothing_is_left(store: Store) -> None:
    number = len(crash.POINTS)
    expected = {
        inbox: REPLIES, lane: 1, outbox: SHOWN * REPLIES, submission: 1,
        delivery: len(DESTINATIONS), transcript: REPLIES, event: REPLIES,
    }  # fmt: skip
    async with store.database.read() as connection:
        for table, each in expected.items():
            counting = select(func.count()).select_from(table)
            assert (await connection.execute(counting)).scalar_one() == each * number, table.name
        for table in (inbox, outbox, delivery):
            counting = select(func.count()).select_from(table).where(pending(table))
            assert (await connection.execute(counting)).scalar_one() == 0, table.name
        for table in (lane, outbox, delivery):
            counting = select(func.count()).select_from(table).where(table.c.lease_until > 0)
            assert (await connection.execute(counting)).scalar_one() == 0, table.name
    assert await store.parked() == []


# --- the variable --------------------------------------------------------------------------------

ACCEPT_TWICE = """
import asyncio, sys
from core.store import Store
from tests.core.store.building import put

async def main():
    store = await Store.open(sys.argv[1])
    await put(store, "one")
    print("one", flush=True)
    await put(store, "two")
    print("two", flush=True)

asyncio.run(main())
"""


def accept_twice(url: str, crash_at: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ACCEPT_TWICE, url],
        cwd=ROOT, env={crash.VARIABLE: crash_at}, capture_output=True, text=True, check=False,
    )  # fmt: skip


async def test_the_variable_names_the_point_and_the_pass(store: Store, store_url: str) -> None:
    done = await asyncio.to_thread(accept_twice, store_url, "after-accept:2")
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, "one\n"), done.stderr
    assert len((await take(store)).entries) == 2


def test_a_wrong_point_is_named_with_the_right_ones(sqlite_url: str) -> None:
    done = accept_twice(sqlite_url, "after-lunch")
    assert done.returncode == 1
    assert "there is no point 'after-lunch'; write one of before-accept" in done.stderr


@pytest.fixture
def disarmed() -> Iterator[None]:
    yield
    crash.arm("")


@pytest.mark.usefixtures("disarmed")
@pytest.mark.parametrize(
    "order", ["after-accept:0", "after-accept:x", "after-accept:-1", "nowhere"]
)
def test_an_order_that_means_nothing_is_refused(order: str) -> None:
    with pytest.raises(ValueError, match=crash.VARIABLE):
        crash.arm(order)


async def test_nothing_crashes_unasked(store: Store) -> None:
    await put(store, "hello")
    assert (await take(store)).lane == LANE
