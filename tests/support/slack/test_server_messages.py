"""Saying, changing and deleting messages, and what the bot is told of what people say."""

from __future__ import annotations

from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.support.slack.bare import Ask, actions, button, section
from tests.support.slack.errors import Json
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack.sink import Sink


async def test_typed_words_arrive_as_slack_delivers_them(
    server: SlackServer, ada: Person, sink: Sink
) -> None:
    bob = server.workspace.person("Bob Kay")
    general = server.workspace.channel("general", ada, bob)
    typed = (
        "a < b & c, see https://a.example/x?y=1&z=2. or bees.org, mail bob@bees.org,"
        " call +49 30 1234567 @bob.kay @nobody #general @here :bee: “so”"
    )
    message = ada.says(typed, in_=general)
    event = (await sink.heard("message"))["event"]
    assert event["text"] == (
        "a &lt; b &amp; c, see <https://a.example/x?y=1&amp;z=2>. or <http://bees.org|bees.org>,"
        " mail <mailto:bob@bees.org|bob@bees.org>, call <tel:+49301234567|+49 30 1234567>"
        f" <@{bob.id}> @nobody <#{general.id}|general> <!here> :bee: “so”"
    )
    assert message.text == (
        "a < b & c, see https://a.example/x?y=1&z=2. or bees.org, mail bob@bees.org,"
        " call +49 30 1234567 @Bob Kay @nobody #general @here :bee: “so”"
    )
    assert event["blocks"][0]["type"] == "rich_text"
    assert event["channel_type"] == "channel"
    assert message.shown.pings == [bob.id, "here"]


async def test_the_envelope_of_an_event(server: SlackServer, ada: Person, sink: Sink) -> None:
    message = ada.says("hi")
    body = await sink.heard("message")
    assert body["type"] == "event_callback"
    assert (body["team_id"], body["api_app_id"]) == (server.workspace.id, server.app_id)
    assert body["event_id"].startswith("Ev")
    assert body["authorizations"][0]["user_id"] == server.workspace.bot_user_id
    event = body["event"]
    assert (event["channel"], event["channel_type"]) == (ada.dm.id, "im")
    assert event["ts"] == event["event_ts"] == message.ts
    assert event["client_msg_id"]


async def test_subtypes_of_messages(server: SlackServer, ada: Person, sink: Sink) -> None:
    general = server.workspace.channel("general", ada)
    first = ada.says("frist", in_=general)
    ada.edits(first, "first")
    ada.says("also there", thread=first, broadcast=True)
    ada.uploads("bees.txt", b"buzz", "see", in_=general)
    general.hears("build failed")
    ada.deletes(first)
    await server.settled()
    told = [one["event"] for one in sink.bodies]
    assert [one.get("subtype") for one in told] == [
        None,
        "message_changed",
        "thread_broadcast",
        "file_share",
        "bot_message",
        "message_deleted",
    ]
    changed, broadcast, shared, other, deleted = told[1:]
    assert changed["message"]["text"] == "first"
    assert changed["previous_message"]["text"] == "frist"
    assert changed["hidden"] is True
    assert "text" not in changed
    assert broadcast["root"]["text"] == "first"
    assert broadcast["thread_ts"] == first.ts
    assert shared["files"][0]["name"] == "bees.txt"
    assert other["username"] == "Builds"
    assert deleted["deleted_ts"] == first.ts
    assert str(general.screen()).splitlines() == [
        "── #general ──",
        "Ada (also sent to the channel): also there",
        "Ada: see",
        "    [file bees.txt]",
        "Builds: build failed",
    ]


async def test_a_mention_is_two_events(server: SlackServer, ada: Person, sink: Sink) -> None:
    general = server.workspace.channel("general", ada)
    ada.says("@Surestep new event", in_=general)
    ada.says("@Surestep alone")
    await server.settled()
    told = [(one["event"]["type"], one["event"]["channel"]) for one in sink.bodies]
    assert [kind for kind, place in told if place == general.id] == ["message", "app_mention"]
    assert [kind for kind, place in told if place == ada.dm.id] == ["message"]
    mention = (await sink.heard("app_mention"))["event"]
    assert mention["text"] == f"<@{server.workspace.bot_user_id}> new event"
    assert "channel_type" not in mention


async def test_the_bot_hears_itself(server: SlackServer, ada: Person, ask: Ask, sink: Sink) -> None:
    sent = await ask("chat.postMessage", channel=ada.dm.id, text="one")
    await ask("chat.update", channel=ada.dm.id, ts=sent["ts"], text="two")
    await server.settled()
    first, second = (one["event"] for one in sink.bodies)
    assert (first["text"], first["bot_id"]) == ("one", server.workspace.bot_id)
    assert (second["subtype"], second["message"]["text"]) == ("message_changed", "two")


async def test_the_bot_hears_nothing_where_it_is_not(
    server: SlackServer, ada: Person, sink: Sink
) -> None:
    elsewhere = server.workspace.channel("elsewhere", ada, bot_in=False)
    ada.says("psst", in_=elsewhere)
    elsewhere.invites_bot(ada)
    ada.says("hello", in_=elsewhere)
    await server.settled()
    told = [one["event"]["type"] for one in sink.bodies]
    assert told == ["member_joined_channel", "message"]


async def test_saying_and_changing(server: SlackServer, ada: Person, ask: Ask) -> None:
    blocks = [section("*Hi* <@U0> & &lt;you&gt;"), actions(button("A & B", "a"))]
    sent = await ask("chat.postMessage", channel=ada.dm.id, text="Hi", blocks=blocks)
    message = ada.dm.newest
    assert message.text == "Hi @U0 & <you>"
    assert message.notification == "Hi"
    assert message.buttons == ["A & B"]
    assert sent["message"]["blocks"][1]["elements"][0]["text"]["text"] == "A &amp; B"
    changed = await ask("chat.update", channel=ada.dm.id, ts=sent["ts"], text="done")
    assert changed["text"] == "done"
    assert (message.text, message.buttons) == ("done", [])
    assert "blocks" not in changed["message"]
    await ask("chat.delete", channel=ada.dm.id, ts=sent["ts"])
    assert ada.dm.screen() == []
    assert (await ask("chat.delete", channel=ada.dm.id, ts=sent["ts"])).why == "message_not_found"


async def test_a_message_to_a_person_goes_to_their_direct_message(
    server: SlackServer, ada: Person, ask: Ask
) -> None:
    sent = await ask("chat.postMessage", channel=ada.id, text="Hi")
    assert sent["channel"] == ada.dm.id
    assert (await ask("conversations.open", users=ada.id))["channel"] == {"id": ada.dm.id}
    update = await ask("chat.update", channel=ada.id, ts=sent["ts"], text="Ho")
    assert update.why == "channel_not_found"


async def test_an_ephemeral_message_is_for_one(server: SlackServer, ada: Person, ask: Ask) -> None:
    bob = server.workspace.person("Bob")
    general = server.workspace.channel("general", ada, bob)
    sent = await ask("chat.postEphemeral", channel=general.id, user=ada.id, text="psst")
    assert str(general.screen(ada)) == "── #general ──\nSurestep (only you): psst"
    assert general.screen(bob) == []
    assert general.screen() == []
    update = await ask("chat.update", channel=general.id, ts=sent["message_ts"], text="x")
    assert update.why == "message_not_found"
    carol = server.workspace.person("Carol")
    refused = await ask("chat.postEphemeral", channel=general.id, user=carol.id, text="x")
    assert refused.why == "user_not_in_channel"


async def test_threads(server: SlackServer, ada: Person, ask: Ask) -> None:
    general = server.workspace.channel("general", ada)
    root = ada.says("event?", in_=general)
    reply = await ask("chat.postMessage", channel=general.id, text="yes", thread_ts=root.ts)
    ada.says("good", thread=root)
    replies = await ask("conversations.replies", channel=general.id, ts=root.ts)
    assert [one["text"] for one in replies["messages"]] == ["event?", "yes", "good"]
    history = await ask("conversations.history", channel=general.id)
    assert [one["text"] for one in history["messages"]] == ["event?"]
    assert history["messages"][0]["reply_count"] == 2
    assert str(general.screen()).splitlines() == [
        "── #general ──",
        "Ada: event?",
        "  │ Surestep: yes",
        "  │ Ada: good",
    ]
    assert general.screen(thread=root).texts == ["event?", "yes", "good"]
    lost = await ask("chat.postMessage", channel=general.id, text="x", thread_ts="1.000001")
    assert lost.why == "thread_not_found"
    deep = await ask("chat.postMessage", channel=general.id, text="x", thread_ts=reply["ts"])
    assert deep.why == "invalid_arguments"
    assert len(server.take_violations()) == 1


@pytest.mark.parametrize(
    "arguments,why",
    [
        ({}, "no_text"),
        ({"text": "x" * 40_001}, "msg_too_long"),
        ({"text": "x", "blocks": {}}, "invalid_blocks_format"),
        ({"text": "x", "blocks": "[{"}, "invalid_blocks_format"),
        ({"text": "x", "blocks": [{"type": "section"}]}, "invalid_blocks"),
        ({"text": "x", "markdown_text": "x"}, "markdown_text_conflict"),
        ({"markdown_text": "x" * 12_001}, "msg_too_long"),
        ({"text": 7}, "invalid_arguments"),
        ({"text": "x", "colour": "red"}, "invalid_arguments"),
        ({"text": "x", "metadata": {"event_type": "x"}}, "invalid_metadata_format"),
        ({"text": "x", "attachments": [{}] * 101}, "too_many_attachments"),
    ],
)
async def test_what_is_no_message_is_a_violation(
    server: SlackServer, ada: Person, ask: Ask, arguments: Json, why: str
) -> None:
    heard = await ask("chat.postMessage", channel=ada.dm.id, **arguments)
    assert heard.why == why
    assert ada.dm.screen() == []
    (violation,) = server.take_violations()
    assert violation.startswith(f"chat.postMessage: {why}")


async def test_a_violation_fails_the_test() -> None:
    async def careless() -> None:
        async with SlackServer() as server:
            client = AsyncWebClient(server.token, base_url=server.api)
            channel = server.workspace.person("Eve").id
            with pytest.raises(SlackApiError, match="no_text"):
                await client.api_call("chat.postMessage", json={"channel": channel})

    with pytest.raises(AssertionError, match=r"violated Slack's rules: chat.postMessage: no_text"):
        await careless()


async def test_invalid_blocks_tell_where(server: SlackServer, ada: Person, ask: Ask) -> None:
    blocks = [actions(button("x" * 76, "a"))]
    heard = await ask("chat.postMessage", channel=ada.dm.id, text="x", blocks=blocks)
    place = "must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]"
    assert heard.body["errors"] == [place]
    assert heard.messages == [f"[ERROR] {place}"]
    server.take_violations()


async def test_where_nothing_can_be_said(server: SlackServer, ada: Person, ask: Ask) -> None:
    elsewhere = server.workspace.channel("elsewhere", ada, bot_in=False)
    secret = server.workspace.channel("secret", ada, private=True, bot_in=False)
    old = server.workspace.channel("old", ada)
    sent = await ask("chat.postMessage", channel=old.id, text="x")
    old.archives()
    for channel, why in (
        (elsewhere.id, "not_in_channel"),
        (secret.id, "channel_not_found"),
        (old.id, "is_archived"),
        ("C404", "channel_not_found"),
    ):
        assert (await ask("chat.postMessage", channel=channel, text="x")).why == why
    update = await ask("chat.update", channel=old.id, ts=sent["ts"], text="y")
    assert update.why == "is_inactive"
    said = ada.says("mine")
    update = await ask("chat.update", channel=ada.dm.id, ts=said.ts, text="y")
    assert update.why == "cant_update_message"
    update = await ask("chat.update", channel=ada.dm.id, ts="1.000001", text="y")
    assert update.why == "message_not_found"


async def test_a_long_update_is_refused(server: SlackServer, ada: Person, ask: Ask) -> None:
    sent = await ask("chat.postMessage", channel=ada.dm.id, text="x" * 4001)
    update = await ask("chat.update", channel=ada.dm.id, ts=sent["ts"], text="x" * 4001)
    assert update.why == "msg_too_long"
    server.take_violations()


async def test_what_calls_people_is_seen(server: SlackServer, ada: Person, ask: Ask) -> None:
    async def pings(text: str, **more: Any) -> list[str]:
        await ask("chat.postMessage", channel=ada.dm.id, text=text, **more)
        return ada.dm.newest.shown.pings

    assert await pings(f"<@{ada.id}> <!channel>") == [ada.id, "channel"]
    assert await pings(f"&lt;@{ada.id}&gt; &lt;!channel&gt; @channel") == []
    assert await pings("x", blocks=[section("@channel")]) == ["channel"]
    verbatim = {"type": "mrkdwn", "text": "@channel", "verbatim": True}
    assert await pings("x", blocks=[{"type": "section", "text": verbatim}]) == []
    assert await pings("x", blocks=[{"type": "markdown", "text": "**<!here>**"}]) == ["here"]


async def test_markup_is_seen_as_people_see_it(server: SlackServer, ada: Person, ask: Ask) -> None:
    text = "*bold _both_* ~gone~ `a*b*c` 2*3*4 <https://a.example|here>"
    await ask("chat.postMessage", channel=ada.dm.id, text=text)
    shown = ada.dm.newest.shown
    assert shown.text == "bold both gone a*b*c 2*3*4 here"
    assert shown.marked("bold") == ["bold ", "both"]
    assert shown.marked("italic") == ["both"]
    assert shown.marked("strike") == ["gone"]
    assert shown.marked("code") == ["a*b*c"]
    assert shown.links == {"here": "https://a.example"}
    markdown = "# Title\n**bold** *it* [here](https://a.example) \\*no\\*"
    await ask("chat.postMessage", channel=ada.dm.id, markdown_text=markdown)
    shown = ada.dm.newest.shown
    assert shown.text == "Title\nbold it here *no*"
    assert shown.marked("bold") == ["bold"]
    assert shown.marked("heading") == ["Title"]


async def test_reactions(server: SlackServer, ada: Person, ask: Ask, sink: Sink) -> None:
    said = ada.says("done")
    assert (await ask("reactions.add", channel=ada.dm.id, name="eyes", timestamp=said.ts))["ok"]
    again = await ask("reactions.add", channel=ada.dm.id, name="eyes", timestamp=said.ts)
    assert again.why == "already_reacted"
    ada.reacts("bee", said)
    event = (await sink.heard("reaction_added"))["event"]
    assert event["item"]["ts"] == said.ts
    assert str(ada.dm.screen()) == "── Ada ──\nAda: done\n    :eyes: :bee:"
