"""Streams, the assistant pane, files, and what may befall a call."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import aiohttp
import pytest
from slack_bolt.async_app import AsyncAssistant
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from tests.support.slack.app import App
from tests.support.slack.bare import Ask, Running, asking, bolt, section
from tests.support.slack.faults import Breaks, Drops, Fault, Garbles, Limits, Refuses, Waits
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer


@pytest.fixture
def client(server: SlackServer) -> AsyncWebClient:
    """slack_sdk's client, talking to the server."""
    return AsyncWebClient(server.token, base_url=server.api)


# Streams


async def test_a_stream_is_seen_while_it_is_written(
    server: SlackServer, ada: Person, client: AsyncWebClient
) -> None:
    asked = ada.says("why?")
    stream = await client.chat_stream(channel=ada.dm.id, thread_ts=asked.ts, buffer_size=1)
    await stream.append(markdown_text="**Be")
    assert str(ada.dm.screen()).splitlines()[-1] == "  │ Surestep (writing): **Be"
    await stream.append(markdown_text="cause**")
    (message,) = ada.dm.replies_to(asked.ts)
    assert message.shown.marked("bold") == ["Because"]
    update = await asyncio.gather(
        client.chat_update(channel=ada.dm.id, ts=message.ts, text="x"), return_exceptions=True
    )
    assert isinstance(update[0], SlackApiError)
    assert update[0].response["error"] == "streaming_state_conflict"
    await stream.stop(markdown_text=".", blocks=[section("_More?_")])
    assert message.text == "Because.\nMore?"
    assert message.streaming is None
    assert str(ada.dm.screen()).splitlines()[-2:] == [
        "  │ Surestep: Because.",
        "  │     More?",
    ]


async def test_a_stream_to_a_channel_names_its_reader(
    server: SlackServer, ada: Person, ask: Ask
) -> None:
    general = server.workspace.channel("general", ada)
    root = ada.says("why?", in_=general)
    place = {"channel": general.id, "thread_ts": root.ts}
    assert (await ask("chat.startStream", **place)).why == "missing_recipient_user_id"
    server.take_violations()
    reader = {"recipient_user_id": ada.id, "recipient_team_id": server.workspace.id}
    assert (await ask("chat.startStream", **place, **reader))["ts"]


async def test_a_stream_ends(server: SlackServer, ada: Person, ask: Ask) -> None:
    asked = ada.says("why?")

    async def start() -> dict[str, str]:
        place = {"channel": ada.dm.id, "thread_ts": asked.ts}
        return {"channel": ada.dm.id, "ts": (await ask("chat.startStream", **place))["ts"]}

    place = await start()
    long = await ask("chat.appendStream", **place, markdown_text="x" * 12_001)
    assert long.why == "msg_too_long"
    chunk = {"type": "shout", "text": "x"}
    assert (await ask("chat.appendStream", **place, chunks=[chunk])).why == "invalid_chunks"
    server.take_violations()
    server.passes(seconds=307)
    late = await ask("chat.appendStream", **place, markdown_text="x")
    assert late.why == "message_not_in_streaming_state"
    place = await start()
    ada.stops(ada.dm.replies_to(asked.ts)[-1])
    stopped = await ask("chat.appendStream", **place, markdown_text="x")
    assert stopped.why == "stopped_by_user"


async def test_tasks_of_a_stream(server: SlackServer, ada: Person, ask: Ask) -> None:
    asked = ada.says("look it up")
    task = {"type": "task_update", "id": "1", "title": "Looking", "status": "in_progress"}
    sent = await ask("chat.startStream", channel=ada.dm.id, thread_ts=asked.ts, chunks=[task])
    done = {**task, "title": "Looked", "status": "complete"}
    await ask("chat.stopStream", channel=ada.dm.id, ts=sent["ts"], chunks=[done])
    assert ada.dm.replies_to(asked.ts)[0].text == "Looked"


# The assistant pane


async def test_the_assistant_pane_with_bolt(
    server: SlackServer, ada: Person, runs_either_way: Running
) -> None:
    app, assistant = bolt(server), AsyncAssistant()
    gate = asyncio.Event()

    @assistant.thread_started
    async def started(say: Any, set_suggested_prompts: Any) -> None:
        await say("How can I help?")
        await set_suggested_prompts(prompts=[{"title": "New event", "message": "new event"}])

    @assistant.user_message
    async def answers(payload: dict[str, Any], say: Any, set_status: Any, set_title: Any) -> None:
        await set_title("An event")
        await set_status("is thinking...")
        await gate.wait()
        await say(f"So: {payload['text']}")

    app.use(assistant)
    await runs_either_way(app)
    thread = ada.opens_assistant()
    await server.until(lambda: thread.suggestions, "the prompts")
    assert str(thread.screen()).splitlines() == [
        "── Ada ──",
        "Surestep: How can I help?",
        "( New event )",
    ]
    ada.takes_prompt("New event", thread)
    await server.until(lambda: thread.status, "the status")
    assert str(thread.screen()).splitlines()[-1] == "(Surestep is thinking...)"
    assert thread.title == "An event"
    gate.set()
    await server.until(lambda: thread.screen().texts[-1] == "So: new event", "the answer")
    assert (thread.status, thread.suggestions) == ("", [])
    await server.settled()


async def test_prompts_of_an_agent_app(ada: Person) -> None:
    async with SlackServer(App(pane="agent")) as server, aiohttp.ClientSession() as session:
        ask, eve = asking(session, server), server.workspace.person("Eve")
        prompts = [{"title": "New", "message": "new event"}]
        await ask("assistant.threads.setSuggestedPrompts", channel_id=eve.dm.id, prompts=prompts)
        assert str(eve.dm.screen()).splitlines()[-1] == "( New )"
        assert eve.takes_prompt("New").text == "new event"
        said = eve.dm.newest
        place = {"channel_id": eve.dm.id, "thread_ts": said.ts}
        heard = await ask("assistant.threads.setSuggestedPrompts", **place, prompts=prompts)
        assert heard["ok"]
        assert str(eve.dm.screen()).splitlines()[-1] == "Eve: new event"
        many = await ask(
            "assistant.threads.setSuggestedPrompts", channel_id=eve.dm.id, prompts=prompts * 5
        )
        assert many.why == "invalid_arguments"
        server.take_violations()


async def test_a_status_goes_away(server: SlackServer, ada: Person, ask: Ask) -> None:
    thread = ada.opens_assistant(server.workspace.channel("general", ada))
    place = {"channel_id": ada.dm.id, "thread_ts": thread.ts}
    await ask("assistant.threads.setStatus", **place, status="is thinking...")
    assert thread.status == "is thinking..."
    server.passes(seconds=120)
    assert thread.status == ""


# Files


async def test_a_file_of_a_person_is_fetched_with_the_token(
    server: SlackServer, ada: Person
) -> None:
    message = ada.uploads("bees.csv", b"a,b", "the bees")
    (file,) = message.files
    async with aiohttp.ClientSession() as session:

        async def fetched(token: str) -> bytes:
            headers = {"Authorization": f"Bearer {token}"}
            async with session.get(file["url_private_download"], headers=headers) as answer:
                return await answer.read()

        assert await fetched(server.token) == b"a,b"
        assert b"Sign in to Slack" in await fetched("xoxb-no")


async def test_a_file_of_the_bot(server: SlackServer, ada: Person, client: AsyncWebClient) -> None:
    sent = await client.files_upload_v2(
        channel=ada.dm.id, filename="bees.ics", content="BEGIN:VCALENDAR", initial_comment="Yours"
    )
    assert str(ada.dm.screen()).splitlines() == [
        "── Ada ──",
        "Surestep: Yours",
        "    [file bees.ics]",
    ]
    told = await client.files_info(file=sent["files"][0]["id"])
    assert told["file"]["mimetype"] == "text/calendar"
    assert told["file"]["size"] == 15


# Faults


async def post(server: SlackServer, ada: Person) -> tuple[int, str]:
    headers = {"Authorization": f"Bearer {server.token}"}
    arguments = {"channel": ada.dm.id, "text": "x"}
    url = f"{server.api}chat.postMessage"
    async with (
        aiohttp.ClientSession() as session,
        session.post(url, json=arguments, headers=headers) as answer,
    ):
        return answer.status, await answer.text()


@pytest.mark.parametrize(
    "fault,status",
    [(Refuses("fatal_error"), 200), (Breaks(), 502), (Breaks(503), 503), (Garbles(), 200)],
)
async def test_a_fault_befalls_a_call(
    server: SlackServer, ada: Person, fault: Fault, status: int
) -> None:
    trouble = server.befall(fault, "chat.postMessage")
    got, body = await post(server, ada)
    assert (got, trouble.met) == (status, 1)
    assert ada.dm.screen() == []
    (call,) = server.called("chat.postMessage")
    assert not call.carried_out
    if isinstance(fault, Refuses):
        assert json.loads(body) == {"ok": False, "error": "fatal_error"}
    assert (await post(server, ada))[0] == 200


@pytest.mark.parametrize("fault", [Breaks(done=True), Garbles(done=True), Drops(done=True)])
async def test_a_lost_answer_is_a_message_all_the_same(
    server: SlackServer, ada: Person, fault: Fault
) -> None:
    server.befall(fault, channel=ada.dm)
    if isinstance(fault, Drops):
        with pytest.raises(aiohttp.ClientError):
            await post(server, ada)
    else:
        await post(server, ada)
    assert ada.dm.screen().texts == ["x"]
    (call,) = server.called()
    assert call.lost
    assert call.carried_out


async def test_rate_limits_are_of_one_channel_and_end(
    server: SlackServer, ada: Person, client: AsyncWebClient
) -> None:
    bob = server.workspace.person("Bob")
    trouble = server.befall(Limits(0.5), "chat.postMessage", channel=ada.dm)
    with pytest.raises(SlackApiError) as refused:
        await client.chat_postMessage(channel=ada.dm.id, text="x")
    assert refused.value.response.status_code == 429
    assert refused.value.response.headers["Retry-After"] == "1"
    assert refused.value.response["error"] == "ratelimited"
    await client.chat_postMessage(channel=bob.dm.id, text="x")
    patient = AsyncWebClient(
        server.token,
        base_url=server.api,
        retry_handlers=[AsyncRateLimitErrorRetryHandler(max_retry_count=2)],
    )
    await patient.chat_postMessage(channel=ada.dm.id, text="x")
    assert trouble.met == 2
    assert ada.dm.screen().texts == ["x"]


async def test_a_call_waits_for_the_tests_word(server: SlackServer, ada: Person) -> None:
    before = Waits()
    trouble = server.befall(before, "chat.postMessage")
    sent = asyncio.create_task(post(server, ada))
    await server.until(lambda: trouble.met)
    assert ada.dm.screen() == []
    before.open()
    assert (await sent)[0] == 200
    assert ada.dm.screen().texts == ["x"]


async def test_calls_are_kept_in_their_order(server: SlackServer, ada: Person, ask: Ask) -> None:
    await ask("auth.test")
    await ask("chat.postMessage", channel=ada.dm.id, text="a")
    server.passes(seconds=5)
    await ask("chat.postMessage", channel="C404", text="b")
    assert [call.method for call in server.called()] == [
        *("auth.test", "chat.postMessage", "chat.postMessage")
    ]
    (told,) = server.called(channel=ada.dm)
    assert str(told) == f"2. chat.postMessage(channel='{ada.dm.id}', text='a')"
    assert str(server.calls[-1]).endswith("-> channel_not_found")
    assert server.calls[-1].at - told.at == 5
