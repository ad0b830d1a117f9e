"""Delivery by HTTP: signatures, retries of events, none of clicks, and what may go wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.support.slack.bare import Ask, Running, actions, bolt, button, by_http
from tests.support.slack.disturbances import Holds, Loses, Repeats
from tests.support.slack.errors import Json
from tests.support.slack.people import Person
from tests.support.slack.posting import Poster
from tests.support.slack.server import SlackServer
from tests.support.slack.sink import Sink, listening


@pytest.fixture
async def hasty() -> AsyncIterator[SlackServer]:
    """A server that waits for an acknowledgement for an instant only."""
    async with SlackServer(ack_seconds=0.05) as running:
        yield running


async def button_for(ada: Person, ask: Ask) -> None:
    blocks = [actions(button("Go", "go"))]
    await ask("chat.postMessage", channel=ada.dm.id, text="x", blocks=blocks)


async def test_a_bot_with_another_secret_answers_no_challenge(server: SlackServer) -> None:
    client = AsyncWebClient(server.token, base_url=server.api)
    other = AsyncApp(client=client, signing_secret="another", ssl_check_enabled=False)
    with pytest.raises(AssertionError, match="did not answer the challenge: 401"):
        async with by_http(server, other):
            pass


async def test_an_old_signature_is_refused_by_bolt(server: SlackServer) -> None:
    async with by_http(server, bolt(server)) as url:
        poster = Poster(f"{url}/slack/events", server.signing_secret)
        asked = {"type": "url_verification", "challenge": "c"}
        assert (await poster.post("events_api", asked))[0] == 200
        poster.skew = -400
        assert (await poster.post("events_api", asked))[0] == 401
        await poster.close()


async def test_an_event_that_fails_is_sent_again(
    server: SlackServer, ada: Person, sink: Sink
) -> None:
    async def fails_twice(_: Json) -> web.Response:
        return web.Response(status=500 if len(sink.bodies) < 3 else 200)

    sink.answer = fails_twice
    ada.says("hi")
    await server.settled()
    assert len({body["event_id"] for body in sink.bodies}) == 1
    marks = [
        (one.get("X-Slack-Retry-Num"), one.get("X-Slack-Retry-Reason")) for one in sink.headers
    ]
    assert marks == [(None, None), ("1", "http_error"), ("2", "http_error")]
    assert [one.status for one in server.delivery.attempted("message.im")] == [500, 500, 200]


async def test_an_event_that_always_fails_is_lost(
    server: SlackServer, ada: Person, sink: Sink
) -> None:
    async def fails(_: Json) -> web.Response:
        return web.Response(status=500)

    sink.answer = fails
    ada.says("hi")
    await server.settled()
    assert len(sink.bodies) == 4
    assert len(server.delivery.lost) == 1
    assert server.take_violations() == ["message.im was never acknowledged (http_error)"]


async def test_a_bot_that_wants_no_retry_gets_none(
    server: SlackServer, ada: Person, sink: Sink
) -> None:
    async def fails(_: Json) -> web.Response:
        return web.Response(status=500, headers={"x-slack-no-retry": "1"})

    sink.answer = fails
    ada.says("hi")
    await server.settled()
    assert len(sink.bodies) == 1


async def test_an_event_that_is_not_acknowledged_in_time_is_sent_again(
    hasty: SlackServer,
) -> None:
    ada = hasty.workspace.person("Ada")
    async with listening(hasty) as sink:

        async def is_late_once(_: Json) -> web.Response:
            if len(sink.bodies) == 1:
                await hasty.when(lambda: hasty.delivery.attempts)
            return web.Response()

        sink.answer = is_late_once
        ada.says("hi")
        await hasty.settled()
        assert sink.headers[1]["X-Slack-Retry-Reason"] == "http_timeout"
        assert [one.status for one in hasty.delivery.attempts] == [0, 200]


async def test_a_bot_that_is_down_gets_the_event_when_it_is_back(
    server: SlackServer, ada: Person
) -> None:
    async with listening(server):
        pass
    ada.says("is anybody there?")
    await server.until(lambda: server.delivery.attempts, "an attempt")
    assert server.delivery.attempts[0].reason == "connection_failed"
    await server.settled()
    assert len(server.delivery.lost) == 1
    assert server.violations == []


async def test_an_event_is_doubled(server: SlackServer, ada: Person, sink: Sink) -> None:
    server.upset(Repeats(times=2), "message.im")
    ada.says("hi")
    ada.says("ho")
    await server.settled()
    texts = [body["event"]["text"] for body in sink.bodies]
    assert sorted(texts) == ["hi", "hi", "hi", "ho"]
    assert len({body["event_id"] for body in sink.bodies}) == 2
    assert [one.get("X-Slack-Retry-Num") for one in sink.headers].count(None) == 2


async def test_an_event_is_overtaken(server: SlackServer, ada: Person, sink: Sink) -> None:
    held = Holds()
    server.upset(held, "message.im")
    ada.says("first")
    ada.says("second")
    await sink.heard("message")
    held.open()
    await server.settled()
    assert [body["event"]["text"] for body in sink.bodies] == ["second", "first"]


async def test_events_of_a_conversation_are_in_order(
    server: SlackServer, ada: Person, sink: Sink
) -> None:
    for number in range(10):
        ada.says(str(number))
    await server.settled()
    assert [body["event"]["text"] for body in sink.bodies] == [str(one) for one in range(10)]


async def test_clicks_are_never_sent_again(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    await button_for(ada, ask)

    async def fails(_: Json) -> web.Response:
        return web.Response(status=404)

    await server.settled()
    sink.answer = fails
    clicked = await ada.clicks("Go").ended()
    assert (clicked.status, clicked.problem) == (404, "the app did not respond")
    assert len(server.delivery.attempted("block_actions")) == 1
    assert server.warnings == ["the block_actions of Ada: the app did not respond"]
    assert server.take_violations() == [
        "the block_actions of Ada was not acknowledged (status 404)"
    ]
    with pytest.raises(AssertionError, match="did not respond"):
        await clicked.answered()


async def test_a_lost_click(server: SlackServer, ada: Person, ask: Ask, sink: Sink) -> None:
    await button_for(ada, ask)
    server.upset(Loses(), "block_actions")
    lost = await ada.clicks("Go").ended()
    assert lost.problem
    await ada.clicks("Go").answered()
    assert len(server.delivery.attempted("block_actions")) == 1


async def test_two_clicks_are_under_way_together(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    await button_for(ada, ask)
    await server.settled()
    both = asyncio.Event()

    async def waits(_: Json) -> web.Response:
        if len(sink.bodies) == 3:
            both.set()
        await both.wait()
        return web.Response()

    sink.answer = waits
    first, second = ada.clicks("Go"), ada.clicks("Go")
    await first.answered()
    await second.answered()


async def test_bolt_and_a_click_that_nobody_handles(
    server: SlackServer, ada: Person, ask: Ask, runs: Running
) -> None:
    app = bolt(server, raise_error_for_unhandled_request=False)

    @app.event("message")
    async def hears() -> None:
        pass

    await runs(app)
    await button_for(ada, ask)
    clicked = await ada.clicks("Go").ended()
    assert clicked.status == 404
    assert len(server.take_violations()) == 1
    await server.settled()


async def test_commands_and_their_answers(
    server: SlackServer, ada: Person, runs_either_way: Running
) -> None:
    app = bolt(server)

    @app.command("/surestep")
    async def run(ack: Any, command: dict[str, Any], respond: Any) -> None:
        if command["text"] == "help":
            await ack(f"You are {command['user_name']}")
            return
        await ack()
        await respond(text=f"later: {command['text']}", response_type="in_channel")

    @app.event("message")
    async def hears() -> None:
        pass

    await runs_either_way(app)
    general = server.workspace.channel("general", ada)
    helped = await ada.runs("/surestep", "help", in_=general).answered()
    assert helped.reply is not None
    await ada.runs("/surestep", "new & <fine>", in_=general).answered()
    await server.until(lambda: len(general.screen(ada)) == 2, "the later answer")
    assert str(general.screen(ada)).splitlines() == [
        "── #general ──",
        "Surestep (only you): You are ada",
        "Surestep: later: new & <fine>",
    ]
    assert json.dumps(helped.payload["text"]) == '"help"'
    with pytest.raises(AssertionError, match="Slack knows no command /other"):
        ada.runs("/other")
    await server.settled()


async def test_retries_by_the_servers_clock(server: SlackServer, ada: Person) -> None:
    server.delivery.by_clock = True
    async with listening(server):
        pass
    attempts = server.delivery.attempts
    ada.says("is anybody there?")
    await server.until(lambda: len(attempts) == 2, "the first retry, at once")
    async with listening(server) as sink:
        assert sink.bodies == []
        server.passes(seconds=60)
        body = await sink.heard("message")
        assert body["event"]["text"] == "is anybody there?"
        await server.settled()
    assert [one.status for one in attempts] == [0, 0, 200]


async def test_a_preview_of_a_link_changes_no_word(
    server: SlackServer, ada: Person, sink: Sink
) -> None:
    message = ada.says("see https://a.example")
    ada.unfurls(message, "An example")
    await server.settled()
    changed = sink.bodies[-1]["event"]
    assert changed["subtype"] == "message_changed"
    assert changed["message"]["text"] == changed["previous_message"]["text"]
    assert "edited" not in changed["message"]
