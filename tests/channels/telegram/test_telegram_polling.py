"""Long polling: stored before it is confirmed, and all that goes wrong is waited out or told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from structlog.testing import capture_logs

from channels.telegram.api import Api
from channels.telegram.arriving import KINDS, Take, WrongToken
from channels.telegram.native import Json
from channels.telegram.polling import TwoPollers, poll
from tests.channels.telegram.conftest import api_of
from tests.support.telegram.faults import Breaks, Drops, Refuses
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer

CONFLICT = Refuses(409, "Conflict: terminated by other getUpdates request")


@dataclass
class Shelf:
    """Stores updates; `broken` says of which texts it cannot."""

    server: TelegramServer
    kept: list[Json] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    down: bool = False

    async def take(self, update: Json) -> None:
        text = update["message"]["text"]
        self.asked.append(text)
        self.server.touch()
        if self.down or text in self.broken:
            raise RuntimeError("not stored")
        self.kept.append(update)

    @property
    def texts(self) -> list[str]:
        """What was said in the stored updates."""
        return [update["message"]["text"] for update in self.kept]


@dataclass
class Time:
    """A clock that stands still, but for the waits that it is asked for."""

    now: float = 1000.0
    waits: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)

    def clock(self) -> float:
        return self.now

    def hands(self) -> dict[str, Any]:
        """What `poll` asks of a clock."""
        return {"sleep": self.sleep, "clock": self.clock}


@asynccontextmanager
async def polling(api: Api, take: Take, time: Time) -> AsyncIterator[None]:
    """Poll until the block ends."""
    task = asyncio.create_task(poll(api, take, **time.hands()))
    try:
        yield
    finally:
        task.cancel()
        ended = await asyncio.gather(task, return_exceptions=True)
        assert isinstance(ended[0], asyncio.CancelledError), ended


@pytest.fixture
def shelf(server: TelegramServer) -> Shelf:
    """A store of updates."""
    return Shelf(server)


@pytest.fixture
def time() -> Time:
    """A clock that stands still."""
    return Time()


async def is_polled(server: TelegramServer) -> None:
    await server.until(lambda: server.updates.is_polled, "a poll")


async def test_updates_arrive_in_their_order(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf, time: Time
) -> None:
    ada.says("before")
    async with polling(api, shelf.take, time):
        await server.until(lambda: shelf.texts == ["before"])
        await is_polled(server)
        ada.says("while")
        ada.says("it waits")
        await server.until(lambda: len(shelf.kept) == 3)
        await is_polled(server)
    assert shelf.kept == [one.json() for one in server.updates.log]
    call = server.called("getUpdates")[-1]
    assert call.parameters["allowed_updates"] == list(KINDS)
    assert call.parameters["timeout"] == 30
    assert server.updates.pending == []
    assert time.waits == []


async def test_the_next_offset_is_asked_for_only_after_all_are_stored(
    server: TelegramServer, ada: Person, api: Api, time: Time
) -> None:
    gate, begun = asyncio.Event(), []

    async def take(update: Json) -> None:
        begun.append(update["update_id"])
        server.touch()
        await gate.wait()

    ada.says("one")
    async with polling(api, take, time):
        await server.until(lambda: begun)
        assert len(server.called("getUpdates")) == 1
        assert len(server.updates.pending) == 1
        gate.set()
        await is_polled(server)
    assert server.called("getUpdates")[1].parameters["offset"] == begun[0] + 1


async def test_what_was_not_stored_before_the_end_comes_again(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf, time: Time
) -> None:
    begun = asyncio.Event()

    async def never_stores(update: Json) -> None:
        begun.set()
        await asyncio.Event().wait()

    ada.says("do not lose me")
    async with polling(api, never_stores, time):
        await begun.wait()
    async with polling(api, shelf.take, time):
        await server.until(lambda: shelf.texts == ["do not lose me"])


async def test_a_webhook_is_taken_away_and_what_waits_is_kept(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf, time: Time
) -> None:
    await api.call("setWebhook", url="http://127.0.0.1:9/gone")
    ada.says("waiting")
    async with polling(api, shelf.take, time):
        await server.until(lambda: shelf.texts == ["waiting"])
    (call,) = server.called("deleteWebhook")
    assert call.raw == {}


async def test_without_a_webhook_none_is_taken_away(
    server: TelegramServer, api: Api, shelf: Shelf, time: Time
) -> None:
    async with polling(api, shelf.take, time):
        await is_polled(server)
    assert server.called("deleteWebhook") == []


async def test_the_network_is_waited_for_longer_and_longer_and_then_short_again(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf, time: Time
) -> None:
    server.befall(Drops(), "getWebhookInfo")
    server.befall(Breaks(), "getUpdates", times=7)
    ada.says("at last")
    async with polling(api, shelf.take, time):
        await server.until(lambda: shelf.texts == ["at last"])
        assert time.waits == [0.5, 1, 2, 4, 8, 16, 30, 30]
        await is_polled(server)
        server.befall(Breaks(), "getUpdates")
        ada.says("and again")
        await server.until(lambda: time.waits[8:] == [0.5])
        await is_polled(server)
    assert shelf.texts == ["at last", "and again"]


async def test_flood_control_is_obeyed(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf, time: Time
) -> None:
    flood = Refuses(429, "Too Many Requests: retry after 7", {"retry_after": 7})
    server.befall(flood, "getUpdates")
    ada.says("later")
    async with polling(api, shelf.take, time):
        await server.until(lambda: shelf.texts == ["later"])
    assert time.waits == [7]


async def test_two_programs_end_with_a_clear_error(server: TelegramServer, shelf: Shelf) -> None:
    async with api_of("aiogram", server.url) as one, api_of("ptb", server.url) as other:
        tasks = [
            asyncio.create_task(poll(api, shelf.take, **Time().hands())) for api in (one, other)
        ]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    failed = [error for error in ended if isinstance(error, TwoPollers)]
    assert failed, ended
    assert "stop the other one" in str(failed[0])
    assert "terminated by other getUpdates request" in str(failed[0])


async def test_a_webhook_set_by_another_program_is_a_conflict_too(
    server: TelegramServer, api: Api, shelf: Shelf, time: Time
) -> None:
    task = asyncio.create_task(poll(api, shelf.take, **time.hands()))
    await is_polled(server)
    await api.call("setWebhook", url="http://127.0.0.1:9/other")
    with pytest.raises(TwoPollers, match="webhook"):
        await task
    assert sum(time.waits) >= 30


async def test_a_conflict_that_passes_is_logged_and_no_end(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf, time: Time
) -> None:
    server.befall(CONFLICT, "getUpdates", times=5)
    ada.says("still here")
    with capture_logs() as logs:
        async with polling(api, shelf.take, time):
            await server.until(lambda: shelf.texts == ["still here"])
    told = [entry for entry in logs if entry["event"] == "telegram_two_pollers"]
    assert [entry["log_level"] for entry in told] == ["error"]
    assert "Only one may" in told[0]["advice"]


async def test_a_conflict_long_after_another_starts_anew(
    server: TelegramServer, api: Api, shelf: Shelf, time: Time
) -> None:
    async with polling(api, shelf.take, time):
        for _ in range(3):
            await is_polled(server)
            met = len(time.waits)
            server.updates.end_poll(CONFLICT.description)
            await server.until(lambda met=met: len(time.waits) > met)  # type: ignore[misc]
            time.now += 3600
        await is_polled(server)


async def test_a_conflict_that_goes_on_is_logged_once_a_minute(
    server: TelegramServer, api: Api, shelf: Shelf, time: Time
) -> None:
    server.befall(CONFLICT, "getUpdates", times=None)
    with capture_logs() as logs, pytest.raises(TwoPollers):
        await poll(api, shelf.take, patience=300, **time.hands())
    told = [entry for entry in logs if entry["event"] == "telegram_two_pollers"]
    assert 5 <= len(told) <= 6


async def test_a_wrong_token_ends_at_once_with_advice(
    server: TelegramServer, driver: str, shelf: Shelf, time: Time
) -> None:
    token = "4242:another-token-for-tests-on-loop"
    async with api_of(driver, server.url, token) as api:
        with pytest.raises(WrongToken, match="@BotFather") as raised:
            await poll(api, shelf.take, **time.hands())
    assert token not in str(raised.value)
    assert time.waits == []


UNAUTHORIZED = Refuses(401, "Unauthorized")


async def test_a_token_that_was_right_is_not_given_up_for_a_server_that_is_restarted(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf, time: Time
) -> None:
    async with polling(api, shelf.take, time):
        for _ in range(2):
            await is_polled(server)
            restarted = server.befall(UNAUTHORIZED, "getUpdates", times=5)
            ada.says("what ends this poll")
            await server.until(lambda restarted=restarted: restarted.met == 5)  # type: ignore[misc]
        ada.says("at last")
        await server.until(lambda: "at last" in shelf.texts)
    assert sum(time.waits) > 30


async def test_a_token_that_is_taken_back_ends_it_with_advice(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf, time: Time
) -> None:
    task = asyncio.create_task(poll(api, shelf.take, **time.hands()))
    await is_polled(server)
    server.befall(UNAUTHORIZED, "getUpdates", times=None)
    ada.says("what ends this poll")
    with pytest.raises(WrongToken, match="@BotFather"):
        await task
    assert sum(time.waits) >= 30


async def test_an_update_that_fails_is_tried_again(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf, time: Time
) -> None:
    shelf.broken = {"fragile"}

    async def mends_at_the_third(update: Json) -> None:
        if len(shelf.asked) == 2:
            shelf.broken.clear()
        await shelf.take(update)

    ada.says("fragile")
    async with polling(api, mends_at_the_third, time):
        await is_polled(server)
    assert shelf.texts == ["fragile"]
    assert time.waits == [0.5, 1]


async def test_a_poisonous_update_stops_nobody(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf, time: Time
) -> None:
    shelf.broken = {"poison"}
    bob = server.person("Bob")
    ada.says("before")
    ada.says("poison")
    with capture_logs() as logs:
        async with polling(api, shelf.take, time):
            await server.until(lambda: len(shelf.asked) > 4)
            bob.says("after")
            ada.says("me too")
            await server.until(lambda: len(shelf.kept) == 3)
            await is_polled(server)
    assert shelf.texts == ["before", "after", "me too"]
    assert server.updates.pending == []
    (left_out,) = [one for one in logs if one["event"] == "telegram_update_left_out"]
    assert left_out["log_level"] == "error"
    assert left_out["update_id"] == server.updates.log[1].id


async def test_while_the_store_is_down_nothing_is_left_out(
    server: TelegramServer, ada: Person, api: Api, shelf: Shelf, time: Time
) -> None:
    shelf.down = True
    words = ["one", "two", "three"]
    for text in words:
        ada.says(text)

    async def down_for_seven_rounds(update: Json) -> None:
        try:
            await shelf.take(update)
        finally:
            assert shelf.kept or len(server.updates.pending) == 3
            shelf.down = shelf.asked.count("three") < 7

    with capture_logs():
        async with polling(api, down_for_seven_rounds, time):
            await is_polled(server)
    assert shelf.texts == words
    assert max(time.waits) == 5
