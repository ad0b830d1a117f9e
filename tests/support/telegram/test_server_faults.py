"""Faults befall the calls that a test names, before or after they are carried out."""

from __future__ import annotations

import asyncio
import json

import aiohttp
import pytest

from tests.support.telegram.bare import Ask
from tests.support.telegram.faults import (
    Breaks,
    Delays,
    Drops,
    Fault,
    Floods,
    Garbles,
    Refuses,
    Waits,
)
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer


async def post(server: TelegramServer, ada: Person) -> tuple[int, str]:
    """Send a message; the status and the bare body of the answer."""
    url = f"{server.url}/bot{server.token}/sendMessage"
    async with (
        aiohttp.ClientSession() as session,
        session.post(url, json={"chat_id": ada.id, "text": "x"}) as answer,
    ):
        return answer.status, await answer.text()


@pytest.mark.parametrize(
    "fault,status",
    [
        (Refuses(400, "Bad Request: no"), 400),
        (Refuses(500, "Internal Server Error"), 500),
        (Breaks(), 502),
        (Breaks(504), 504),
        (Garbles(), 200),
        (Floods(9), 429),
    ],
)
async def test_a_fault_befalls_a_call_instead_of_its_answer(
    server: TelegramServer, ada: Person, fault: Fault, status: int
) -> None:
    trouble = server.befall(fault, "sendMessage")
    got, body = await post(server, ada)
    assert got == status
    assert ada.chat.screen() == []
    assert trouble.met == 1
    (call,) = server.called()
    assert not call.carried_out
    if isinstance(fault, Garbles | Breaks):
        with pytest.raises(ValueError, match=r"Expecting value|Unterminated string"):
            json.loads(body)


@pytest.mark.parametrize("fault", [Breaks(done=True), Garbles(done=True), Drops(done=True)])
async def test_a_lost_answer_is_a_message_all_the_same(
    server: TelegramServer, ada: Person, fault: Fault
) -> None:
    server.befall(fault, "sendMessage")
    if isinstance(fault, Drops):
        with pytest.raises(aiohttp.ClientError):
            await post(server, ada)
    else:
        await post(server, ada)
    assert ada.chat.screen().texts == ["x"]
    (call,) = server.called()
    assert call.lost
    assert call.carried_out
    assert "(answer lost)" in str(call)


async def test_a_dropped_connection_carries_nothing_out(
    server: TelegramServer, ada: Person
) -> None:
    server.befall(Drops())
    with pytest.raises(aiohttp.ClientError):
        await post(server, ada)
    assert ada.chat.screen() == []
    assert (await post(server, ada))[0] == 200


async def test_flood_control_is_of_one_chat_and_lasts(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    bob = server.person("Bob")
    trouble = server.befall(Floods(60), chat=ada.chat)
    for _ in range(2):
        heard = await ask("sendMessage", chat_id=ada.id, text="x")
        assert heard.status == 429
        assert 0 < heard.body["parameters"]["retry_after"] <= 60
    assert (await ask("sendMessage", chat_id=bob.id, text="x")).status == 200
    assert trouble.met == 2


async def test_flood_control_ends(server: TelegramServer, ada: Person, ask: Ask) -> None:
    flood = Floods(0.05)
    server.befall(flood, chat=ada.chat)
    heard = await ask("sendMessage", chat_id=ada.id, text="x")
    assert heard.body["parameters"] == {"retry_after": 1}
    await asyncio.sleep(0.06)
    assert flood.is_over
    assert (await ask("sendMessage", chat_id=ada.id, text="x")).status == 200


async def test_a_call_waits_for_the_tests_word(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    before, after = Waits(), Waits(done=True)
    server.befall(before, "sendMessage")
    first = asyncio.create_task(ask("sendMessage", chat_id=ada.id, text="first"))
    await server.until(lambda: server.troubles[0].met)
    assert ada.chat.screen().texts == []
    before.open()
    assert (await first).status == 200
    server.befall(after, "sendMessage")
    second = asyncio.create_task(ask("sendMessage", chat_id=ada.id, text="second"))
    await server.until(lambda: ada.chat.screen().texts == ["first", "second"])
    assert not second.done()
    after.open()
    assert (await second).result["text"] == "second"


async def test_a_call_takes_longer(server: TelegramServer, ada: Person, ask: Ask) -> None:
    server.befall(Delays(0.01), "sendMessage")
    assert (await ask("sendMessage", chat_id=ada.id, text="late")).status == 200
    assert ada.chat.newest.text == "late"


async def test_a_fault_chooses_its_calls(server: TelegramServer, ada: Person, ask: Ask) -> None:
    trouble = server.befall(
        Refuses(), "sendMessage", times=2, skip=1, where=lambda p: p["text"].startswith("bad")
    )
    heard = [
        (await ask("sendMessage", chat_id=ada.id, text=text)).status
        for text in ("bad 1", "good", "bad 2", "bad 3", "bad 4")
    ]
    assert heard == [200, 200, 400, 400, 200]
    assert trouble.met == 2
    server.befall(Refuses(), times=None)
    assert (await ask("getUpdates")).status == 200
    for _ in range(3):
        assert (await ask("getMe")).status == 400


async def test_calls_are_kept_in_their_order(server: TelegramServer, ada: Person, ask: Ask) -> None:
    bob = server.person("Bob")
    await ask("getMe")
    await ask("sendMessage", chat_id=ada.id, text="a")
    server.passes(seconds=5)
    await ask("sendMessage", chat_id=bob.id, text="b")
    await ask("getUpdates")
    await ask("deleteMessage", chat_id=ada.id, message_id=99)
    assert [call.method for call in server.called()] == [
        *("getMe", "sendMessage", "sendMessage", "deleteMessage")
    ]
    assert [call.parameters["text"] for call in server.called("sendMessage", chat=ada.chat)] == [
        "a"
    ]
    first, second = server.called("sendMessage")
    assert second.at - first.at == 5
    assert second.since >= first.since
    last = server.called()[-1]
    assert last.error is not None
    assert "message to delete not found" in str(last)
