"""Calls through slack_sdk: what goes over the wire, what each failure means; and requests through
bolt, of which none is lost and none waits."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest
from structlog.testing import capture_logs

import channels.slack
from channels.slack import views
from channels.slack.api import Api, ApiFailed, Limited, Refused, Unknown, Unreachable
from channels.slack.driver import OneToken, app, connect, on_the_wire
from channels.slack.payload import SHORTCUT
from channels.slack.updates import Kind
from core.texts import Texts
from tests.channels.slack.test_slack_read_people import shows
from tests.support.slack.app import App
from tests.support.slack.clicking import FORM
from tests.support.slack.faults import (
    Breaks,
    Drops,
    Fault,
    Garbles,
    Limits,
    Refuses,
    Waits,
)
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_kept import WAYS, Kept, listening


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    """A server whose every violation fails the test."""
    async with SlackServer(App(shortcuts={SHORTCUT: "global"})) as running:
        yield running


@pytest.fixture
def ada(server: SlackServer) -> Person:
    """Somebody in the workspace."""
    return server.workspace.person("Ada")


@pytest.fixture
async def api(server: SlackServer) -> AsyncIterator[Api]:
    """The Web API of the server."""
    async with connect(OneToken(server.token), server.api) as made:
        yield made


# --- calls ---------------------------------------------------------------------------------------

TEXT = "Größe: 5 &lt; 6 “so” 🙂"
BLOCKS = [{"type": "section", "text": {"type": "plain_text", "text": TEXT}}]


async def test_every_kind_of_value_arrives(server: SlackServer, ada: Person, api: Api) -> None:
    posted = await api.call(
        server.workspace.id,
        "chat.postMessage",
        channel=ada.dm.id,
        text=TEXT,
        blocks=BLOCKS,
        thread_ts=None,
        unfurl_links=False,
        metadata={"event_type": "x", "event_payload": {"n": 1}},
    )
    assert posted == server.called("chat.postMessage")[0].result
    assert ada.dm.newest.blocks[0]["text"]["text"] == TEXT
    arguments = server.called("chat.postMessage")[0].arguments
    assert "thread_ts" not in arguments
    assert arguments["unfurl_links"] == "false"


async def test_methods_that_take_no_json_are_called_as_well(
    server: SlackServer, ada: Person, api: Api
) -> None:
    told = await api.call(server.workspace.id, "users.info", user=ada.id, include_locale=True)
    assert (told["user"]["id"], told["user"]["locale"]) == (ada.id, "en-US")
    history = await api.call(
        server.workspace.id, "conversations.history", channel=ada.dm.id, limit=5
    )
    assert history["messages"] == []


def test_a_form_has_texts() -> None:
    assert on_the_wire({"a": None, "b": True, "c": 5, "d": [1, {"ü": "x y"}], "e": ""}) == {
        "b": "true",
        "c": "5",
        "d": '[1,{"ü":"x y"}]',
        "e": "",
    }
    assert on_the_wire({"a": "\ud83d\ude42 \ud83d.", "b": ["\ud83d"]}) == {
        "a": "🙂 \ufffd.",
        "b": '["\ufffd"]',
    }


FAILURES: list[tuple[Fault, type[ApiFailed]]] = [
    (Breaks(500), Unknown),
    (Breaks(502), Unknown),
    (Breaks(504), Unknown),
    (Breaks(done=True), Unknown),
    (Garbles(), Unknown),
    (Garbles(done=True), Unknown),
    (Drops(), Unknown),
    (Drops(done=True), Unknown),
    (Refuses("internal_error"), Unknown),
    (Refuses("fatal_error", done=True), Unknown),
    (Refuses("service_unavailable"), Unknown),
    (Refuses("request_timeout"), Unknown),
    (Limits(9), Limited),
    (Refuses("ratelimited"), Limited),
    (Refuses("rate_limited"), Limited),
    (Refuses("channel_not_found"), Refused),
    (Refuses("is_archived"), Refused),
    (Refuses("invalid_blocks", more={"response_metadata": {"messages": ["[ERROR] x"]}}), Refused),
    (Refuses("token_revoked"), Refused),
    (Refuses("missing_scope", more={"needed": "im:write"}), Refused),
]


@pytest.mark.parametrize("fault, kind", FAILURES, ids=lambda value: repr(value)[:60])
async def test_what_a_failure_means(
    server: SlackServer, ada: Person, api: Api, fault: Fault, kind: type[ApiFailed]
) -> None:
    server.befall(fault, "chat.postMessage")
    with pytest.raises(ApiFailed) as raised:
        await api.call(server.workspace.id, "chat.postMessage", channel=ada.dm.id, text="x")
    error = raised.value
    assert type(error) is kind
    assert server.token not in str(error)
    assert len(server.called("chat.postMessage")) == 1, "the sender tries again, nobody else"
    if isinstance(error, Refused) and isinstance(fault, Refuses):
        assert error.error == fault.error
        assert (fault.more or {}).items() <= error.answer.items()
    if isinstance(error, Limited):
        assert error.seconds == (9 if isinstance(fault, Limits) else 1)


async def test_nobody_there_is_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    async with connect(OneToken("xoxb-1"), f"http://127.0.0.1:{port}/api/") as api:
        with pytest.raises(Unreachable):
            await api.call("T1", "auth.test")
    async with connect(OneToken("xoxb-1"), "http://no-such-host.invalid/api/") as api:
        with pytest.raises(Unreachable):
            await api.call("T1", "auth.test")


async def test_an_answer_that_never_comes_is_unknown(
    server: SlackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("channels.slack.driver._SECONDS", 0.05)
    server.befall(Waits(), "auth.test")
    async with connect(OneToken(server.token), server.api) as api:
        with pytest.raises(Unknown):
            await api.call(server.workspace.id, "auth.test")


async def test_no_token_and_a_wrong_one(server: SlackServer) -> None:
    async with connect(OneToken(" "), server.api) as api:
        with pytest.raises(Refused, match="not_authed"):
            await api.call(server.workspace.id, "auth.test")
    assert server.calls == []
    async with connect(OneToken("xoxb-wrong"), server.api) as api:
        with pytest.raises(Refused, match="invalid_auth"):
            await api.call(server.workspace.id, "auth.test")
    async with connect(OneToken(f" {server.token}\n"), server.api) as api:
        assert (await api.call("any", "auth.test"))["team_id"] == server.workspace.id


async def test_calls_go_side_by_side(server: SlackServer, ada: Person, api: Api) -> None:
    waits = Waits()
    server.befall(waits, "auth.test")
    slow = asyncio.create_task(api.call(server.workspace.id, "auth.test"))
    await server.until(lambda: server.called("auth.test"), "the first call")
    await api.call(server.workspace.id, "chat.postMessage", channel=ada.dm.id, text="meanwhile")
    assert not slow.done()
    waits.open()
    assert (await slow)["ok"]


# --- requests ------------------------------------------------------------------------------------


async def test_bolt_asks_slack_nothing_before_a_request_is_taken(
    server: SlackServer, ada: Person
) -> None:
    kept = Kept(server)
    async with listening(server, kept, "http"):
        ada.says("hello")
        await server.settled()
    assert [kind for kind, _ in kept.bodies] == [Kind.EVENT]
    assert server.calls == []


@pytest.mark.parametrize("way", WAYS)
async def test_an_event_that_is_not_stored_comes_again(
    server: SlackServer, ada: Person, way: str
) -> None:
    kept = Kept(server, fails=2)
    async with listening(server, kept, way):
        with capture_logs() as logs:
            if way == "socket":
                server.delivery.ack_seconds = 0.2
            ada.says("hello")
            await server.settled()
    assert len(kept.bodies) == 1
    (attempts,) = {len(server.delivery.attempted("message.im"))}
    assert attempts == 3
    assert [one["event"] for one in logs] == ["slack_request_failed"] * 2


@pytest.mark.parametrize("way", WAYS)
async def test_who_clicks_is_told_that_it_was_not_kept(
    server: SlackServer, ada: Person, way: str
) -> None:
    kept = Kept(server, fails=3)
    shows(ada.dm, FORM, ada)
    async with listening(server, kept, way):
        await ada.clicks("Fill in the form").answered()
        assert ada.dm.screen(ada)[-1].only_for is ada
        assert "could not keep that" in ada.dm.screen(ada)[-1].text
        command = await ada.runs("/surestep", "new").answered()
        assert command.reply is not None
        assert command.reply.only_for is ada
        assert "could not keep that" in command.reply.text

        clicked = await ada.clicks("Fill in the form").ended()
        assert clicked.problem == ""
    assert kept.bodies == []


async def test_a_modal_that_is_not_stored_stays_and_says_so(
    server: SlackServer, ada: Person, api: Api
) -> None:
    kept = Kept(server)
    dest = shows(ada.dm, FORM, ada)
    async with listening(server, kept, "http"):
        clicked = await ada.clicks("Fill in the form").answered()
        view = views.form(FORM, dest, Texts("en"))
        trigger = clicked.trigger_id
        await api.call(server.workspace.id, "views.open", trigger_id=trigger, view=view)
        kept.fails = 1
        await ada.modal.fills(Name="Zoë").submits().answered()
        assert "could not keep that" in ada.modal.errors["Name"]
        await ada.modal.submits().answered()
    assert len(kept.of(Kind.SUBMISSION)) == 1


@pytest.mark.parametrize("fault", [Refuses("used_url"), Breaks(500), Drops()])
async def test_where_nothing_can_be_told_slacks_own_warning_tells(
    server: SlackServer, ada: Person, fault: Fault
) -> None:
    kept = Kept(server, fails=2)
    shows(ada.dm, FORM, ada)
    async with listening(server, kept, "http"):
        used = await ada.uses_shortcut(SHORTCUT).ended()
        server.befall(fault, "response_url")
        clicked = await ada.clicks("Fill in the form").ended()
    assert (used.status, clicked.status) == (500, 500)
    assert len(server.take_violations()) == 2


async def test_a_command_whose_text_bolt_cannot_read(server: SlackServer, ada: Person) -> None:
    """bolt takes a form with the word "payload" in it for an interaction, and finds nothing."""
    kept = Kept(server)
    async with listening(server, kept, "http"):
        await ada.runs("/surestep", "new payload & more").answered()
    (body,) = kept.of(Kind.COMMAND)
    assert body["text"] == "new payload &amp; more"


async def test_what_the_environment_has_of_bolts_own_settings_changes_nothing(
    server: SlackServer, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SLACK_BOT_TOKEN", "SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_SCOPES"):
        monkeypatch.setenv(name, "xoxb-of-the-environment")
    monkeypatch.setenv("SLACK_SIGNING_SECRET", "another")
    kept = Kept(server)
    async with listening(server, kept, "http"):
        ada.says("hello")
        await server.settled()
    assert len(kept.bodies) == 1


@pytest.mark.parametrize("kind", ["message_action", "workflow_step_edit"])
async def test_what_nobody_reads_is_acknowledged_all_the_same(
    server: SlackServer, kind: str
) -> None:
    kept = Kept(server)
    body: dict[str, Any] = {"type": kind, "user": {"id": "U1"}, "team": {"id": "T1"}}
    bolt = app(kept, server.api)
    answer = await bolt.async_dispatch(AsyncBoltRequest(body=body, mode="socket_mode"))
    assert (answer.status, answer.body) == (200, "")


def test_only_the_driver_and_its_two_neighbours_know_the_libraries() -> None:
    folder = Path(channels.slack.__path__[0])
    knowing = {
        file.name
        for file in folder.glob("*.py")
        if re.search(r"^(from|import) slack_(bolt|sdk)", file.read_text("utf-8"), re.MULTILINE)
    }
    assert knowing == {"driver.py", "listening.py", "installations.py"}
