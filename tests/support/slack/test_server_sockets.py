"""Socket Mode: hello, envelopes, acknowledgements, and reconnects."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.support.slack.bare import Ask, actions, bolt, button, by_socket
from tests.support.slack.errors import Json
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    """Connections of a bot that speaks Socket Mode by hand."""
    async with aiohttp.ClientSession() as running:
        yield running


async def connected(
    server: SlackServer, ask: Ask, session: aiohttp.ClientSession
) -> tuple[aiohttp.ClientWebSocketResponse, Json]:
    """A new socket, and what it was greeted with."""
    opened = await ask("apps.connections.open", token_=server.app_token)
    ws = await session.ws_connect(opened["url"])
    return ws, await ws.receive_json()


async def test_hello(server: SlackServer, ask: Ask, session: aiohttp.ClientSession) -> None:
    first, hello = await connected(server, ask, session)
    assert hello["type"] == "hello"
    assert hello["connection_info"] == {"app_id": server.app_id}
    assert hello["num_connections"] == 1
    second, hello = await connected(server, ask, session)
    assert hello["num_connections"] == 2
    await first.close()
    await second.close()


async def test_an_address_is_good_once(
    server: SlackServer, ask: Ask, session: aiohttp.ClientSession
) -> None:
    url = (await ask("apps.connections.open", token_=server.app_token))["url"]
    ws = await session.ws_connect(url)
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await session.ws_connect(url)
    await ws.close()


async def test_sockets_need_the_token_of_the_app(server: SlackServer, ask: Ask) -> None:
    assert (await ask("apps.connections.open")).why == "not_allowed_token_type"
    assert (await ask("apps.connections.open", token_="xapp-no")).why == "invalid_auth"
    assert (await ask("auth.test", token_=server.app_token)).why == "not_allowed_token_type"


async def test_ten_sockets_and_no_more(
    server: SlackServer, ask: Ask, session: aiohttp.ClientSession
) -> None:
    every = [(await connected(server, ask, session))[0] for _ in range(10)]
    late, told = await connected(server, ask, session)
    assert (told["type"], told["reason"]) == ("disconnect", "too_many_websockets")
    for ws in [*every, late]:
        await ws.close()


async def test_envelopes(
    server: SlackServer, ada: Person, ask: Ask, session: aiohttp.ClientSession
) -> None:
    ada.says("before anybody listens")
    ws, _ = await connected(server, ask, session)
    event = await ws.receive_json()
    assert (event["type"], event["accepts_response_payload"]) == ("events_api", False)
    assert event["retry_attempt"] == 0
    assert event["payload"]["event"]["text"] == "before anybody listens"
    await ws.send_json({"envelope_id": event["envelope_id"]})
    command = ada.runs("/surestep", "help")
    envelope = await ws.receive_json()
    assert (envelope["type"], envelope["accepts_response_payload"]) == ("slash_commands", True)
    await ws.send_json({"envelope_id": envelope["envelope_id"], "payload": {"text": "Hi"}})
    await command.answered()
    assert ada.dm.screen()[-1].text == "Hi"
    await ws.close()


async def test_an_event_is_sent_again_over_another_socket(
    server: SlackServer, ada: Person, ask: Ask, session: aiohttp.ClientSession
) -> None:
    first, _ = await connected(server, ask, session)
    ada.says("hi")
    await first.receive_json()
    second, _ = await connected(server, ask, session)
    await first.close()
    again = await second.receive_json()
    assert again["retry_attempt"] >= 1
    assert again["retry_reason"] == "connection_failed"
    await second.send_json({"envelope_id": again["envelope_id"]})
    await server.settled()
    assert len({one.payload["event_id"] for one in server.delivery.attempts}) == 1
    await second.close()


async def test_a_click_on_a_socket_that_dies_is_lost(
    server: SlackServer, ada: Person, ask: Ask, session: aiohttp.ClientSession
) -> None:
    blocks = [actions(button("Go", "go"))]
    await ask("chat.postMessage", channel=ada.dm.id, text="x", blocks=blocks)
    ws, _ = await connected(server, ask, session)
    own = await ws.receive_json()
    await ws.send_json({"envelope_id": own["envelope_id"]})
    clicked = ada.clicks("Go")
    await ws.receive_json()
    await ws.close()
    assert (await clicked.ended()).problem == "the app did not respond"


async def test_an_acknowledgement_of_nothing_is_a_violation(
    server: SlackServer, ask: Ask, session: aiohttp.ClientSession
) -> None:
    ws, _ = await connected(server, ask, session)
    await ws.send_json({"envelope_id": "unknown"})
    await server.until(lambda: server.violations, "the violation")
    assert server.take_violations() == ["the envelope unknown is not known"]
    await ws.close()


@pytest.mark.parametrize("how", ["warning", "refresh_requested", "cut"])
async def test_bolt_reconnects(server: SlackServer, ada: Person, how: str) -> None:
    app = bolt(server)

    @app.event("message")
    async def hears(event: dict[str, Any], say: Any) -> None:
        if "bot_id" not in event:
            await say(f"{event['text']}?")

    async with by_socket(server, app):
        sockets = server.delivery.sockets
        if how == "cut":
            await sockets.cuts()
        else:
            await sockets.refreshes(warns=how == "warning")
        await server.until(lambda: sockets.opened == 2 and len(sockets.open) == 1, "a new socket")
        ada.says("still there")
        await server.until(lambda: ada.dm.screen().texts[1:], "an answer")
        assert ada.dm.newest.text == "still there?"
        await server.settled()
