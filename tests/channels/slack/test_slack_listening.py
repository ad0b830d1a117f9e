"""Socket Mode and HTTP: what is let in, what ends, what is told to whoever runs the program."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest
from structlog.testing import capture_logs

from channels.slack.api import ApiFailed
from channels.slack.arriving import WrongToken
from channels.slack.driver import app
from channels.slack.listening import BODY, http, socket_mode
from channels.slack.updates import Kind
from core.channel import CannotServe
from tests.support.slack.disturbances import Repeats
from tests.support.slack.faults import Breaks, Refuses
from tests.support.slack.people import Person
from tests.support.slack.posting import Poster
from tests.support.slack.server import SlackServer
from tests.support.slack_kept import Kept, listening


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    """A server whose every violation fails the test."""
    async with SlackServer() as running:
        yield running


@pytest.fixture
def ada(server: SlackServer) -> Person:
    """Somebody in the workspace."""
    return server.workspace.person("Ada")


# --- Socket Mode ---------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["xapp-wrong", "a bot's"])
async def test_a_token_that_slack_does_not_accept(server: SlackServer, token: str) -> None:
    given = server.token if token == "a bot's" else token
    with pytest.raises(WrongToken) as raised:
        async with socket_mode(app(Kept(server), server.api), given, server.api):
            pass
    assert isinstance(raised.value, CannotServe)
    assert "SLACK_APP_TOKEN" in str(raised.value)
    assert "xapp-" in str(raised.value)
    assert given not in str(raised.value)


async def test_slack_does_not_answer_at_the_start(server: SlackServer) -> None:
    server.befall(Breaks(503), "apps.connections.open")
    with pytest.raises(ApiFailed):
        async with socket_mode(app(Kept(server), server.api), server.app_token, server.api):
            pass


async def test_two_processes_with_one_token_are_told(server: SlackServer, ada: Person) -> None:
    first, second = Kept(server), Kept(server)
    with capture_logs() as logs:
        async with listening(server, first, "socket"):
            ada.says("to the only one")
            await server.settled()
            assert logs == []
            async with listening(server, second, "socket"):
                await server.until(lambda: len(server.delivery.sockets.open) == 2, "both")
                # A socket is greeted before anything else comes over it.
                ada.says("to the one")
                ada.says("to the other")
                await server.settled()
    assert (len(first.bodies), len(second.bodies)) == (2, 1)
    (warning,) = logs
    assert (warning["event"], warning["log_level"]) == ("slack_sockets", "warning")
    assert warning["connections"] == 2


@pytest.mark.parametrize("how", ["warning", "refresh", "cut"])
async def test_a_socket_is_replaced(
    server: SlackServer, ada: Person, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("channels.slack.listening.PING", 0.2)
    kept = Kept(server)
    async with listening(server, kept, "socket"):
        sockets = server.delivery.sockets
        if how == "cut":
            await sockets.cuts()
        else:
            await sockets.refreshes(warns=how == "warning")
        await server.until(lambda: sockets.opened == 2 and len(sockets.open) == 1, "a new one")
        ada.says("still there?")
        await server.until(lambda: kept.bodies, "the words")
        await server.settled()
    assert {body["event"]["text"] for body in kept.of(Kind.EVENT)} == {"still there?"}


async def test_where_there_are_too_many_sockets_it_is_said_and_tried_again(
    server: SlackServer, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("channels.slack.listening.PING", 0.05)
    kept, sockets = Kept(server), server.delivery.sockets
    async with listening(server, kept, "socket"):
        sockets.limit = 0
        with capture_logs() as logs:
            await sockets.cuts()
            asked = len(server.called("apps.connections.open"))
            await server.until(
                lambda: len(server.called("apps.connections.open")) >= asked + 3, "more tries"
            )
            sockets.limit = 10
            await server.until(lambda: sockets.open, "a socket")
        ada.says("still there?")
        await server.settled()
    assert len(kept.bodies) == 1
    told = [one for one in logs if one["event"] == "slack_socket_refused"]
    assert {one["reason"] for one in told} == {"too_many_websockets"}
    assert "End other processes" in told[0]["meaning"]


async def test_socket_mode_that_was_switched_off_is_said_and_comes_back(
    server: SlackServer, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("channels.slack.listening.PING", 0.05)
    kept, sockets = Kept(server), server.delivery.sockets
    async with listening(server, kept, "socket"):
        off = server.befall(Refuses("not_allowed"), "apps.connections.open", times=None)
        with capture_logs() as logs:
            await sockets.dismisses("link_disabled")
            await server.until(lambda: off.met, "a refusal")
            await sockets.cuts()
            await server.until(lambda: off.met >= 2, "another try")
        server.troubles.remove(off)
        await server.until(lambda: sockets.opened == 2 and sockets.open, "a socket")
        ada.says("still there?")
        await server.settled()
    assert len(kept.bodies) == 1
    (told,) = (one for one in logs if one["event"] == "slack_socket_refused")
    assert told["reason"] == "link_disabled"
    assert "switched off" in told["meaning"]


@pytest.mark.parametrize("way", ["http", "socket"])
async def test_an_event_that_comes_again_is_read_as_the_same(
    server: SlackServer, ada: Person, way: str
) -> None:
    server.upset(Repeats(2), "message.im")
    kept = Kept(server)
    async with listening(server, kept, way):
        ada.says("hello")
        await server.settled()
    assert len(kept.heard) == 3
    assert len({repr(one) for one in kept.heard}) == 1


# --- HTTP ----------------------------------------------------------------------------------------


async def test_what_slack_did_not_sign_is_not_let_in(server: SlackServer) -> None:
    kept = Kept(server)
    async with listening(server, kept, "http") as url:
        poster = Poster(f"{url}/slack/events", "another secret")
        event = {"type": "event_callback", "team_id": "T1", "event": {"type": "message"}}
        assert (await poster.post("events_api", event))[0] == 401
        await poster.close()
        late = Poster(f"{url}/slack/events", server.signing_secret)
        late.skew = -400
        assert (await late.post("events_api", event))[0] == 401
        late.skew = 0
        assert (await late.post("events_api", event))[0] == 200
        await late.close()
    assert len(kept.bodies) == 1


async def test_without_a_signing_secret_nothing_is_let_in(server: SlackServer) -> None:
    kept = Kept(server)
    async with http(app(kept, server.api), host="127.0.0.1", port=0) as url:
        for secret in ("", "None", server.signing_secret):
            poster = Poster(f"{url}/slack/events", secret)
            assert (await poster.post("events_api", {"type": "event_callback"}))[0] == 401
            await poster.close()
    assert kept.bodies == []


@pytest.mark.parametrize(
    "content, content_type, status",
    [
        (b"", "application/json", 401),
        (b"{", "application/json", 400),
        (b"[[", "application/json", 400),
        (b"payload=7", "application/x-www-form-urlencoded", 400),
        (b"payload={", "application/x-www-form-urlencoded", 400),
        (b"{}", "application/json; charset=no-such", 400),
        (b"\xff\xfe", "text/plain", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"x" * (BODY + 1), "text/plain", 413),
    ],
)
async def test_what_strangers_post(
    server: SlackServer, content: bytes, content_type: str, status: int
) -> None:
    kept = Kept(server)
    async with (
        http(app(kept, server.api), host="127.0.0.1", port=0) as url,
        aiohttp.ClientSession() as session,
        session.post(
            f"{url}/slack/events", data=content, headers={"Content-Type": content_type}
        ) as answer,
    ):
        assert answer.status == status
    assert kept.bodies == []


async def test_one_sees_that_it_runs(server: SlackServer) -> None:
    async with (
        http(app(Kept(server), server.api), host="127.0.0.1", port=0) as url,
        aiohttp.ClientSession() as session,
    ):
        async with session.get(f"{url}/healthz") as answer:
            assert (answer.status, await answer.text()) == (200, "ok")
        for path in ("/slack/install", "/slack/oauth_redirect", "/slack/events"):
            async with session.get(url + path) as answer:
                assert answer.status in (404, 405)


async def test_a_port_that_is_taken(server: SlackServer) -> None:
    async with http(app(Kept(server), server.api), host="127.0.0.1", port=0) as url:
        port = int(url.rpartition(":")[2])
        with pytest.raises(OSError, match=str(port)):
            async with http(app(Kept(server), server.api), host="127.0.0.1", port=port):
                pass
