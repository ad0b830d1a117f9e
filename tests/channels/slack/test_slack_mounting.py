"""Surestep mounted into a program that has a bolt app already: it takes what is for it, and the
program's own listeners go on as before."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from channels.slack.driver import mount
from channels.slack.native import Json
from channels.slack.updates import Kind
from tests.channels.slack.test_slack_read_people import shows
from tests.support.slack.bare import actions, button
from tests.support.slack.clicking import FORM
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_kept import WAYS, Kept, listening


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    """A server whose every violation fails the test."""
    async with SlackServer() as running:
        yield running


@pytest.fixture
def ada(server: SlackServer) -> Person:
    """Somebody in the workspace."""
    return server.workspace.person("Ada")


@pytest.fixture(params=WAYS)
async def kept(server: SlackServer, request: pytest.FixtureRequest) -> AsyncIterator[Kept]:
    """What came to Surestep in a program that runs."""
    surestep = Kept(server, wanted=is_ours)
    async with listening(server, surestep, request.param, program(server, surestep)):
        yield surestep


def is_ours(kind: str, body: Json) -> bool:
    """Words with "event" in them, our card's button, and `/surestep new`."""
    if kind == Kind.EVENT:
        return "event" in body["event"].get("text", "")
    if kind == Kind.ACTIONS:
        return bool(body["actions"][0]["action_id"].startswith("s1:"))
    return kind == Kind.COMMAND and body["text"].startswith("new")


def program(server: SlackServer, surestep: Kept) -> AsyncApp:
    """A program with an echo, a button and a command of its own."""
    client = AsyncWebClient(server.token, base_url=server.api)
    bolt = AsyncApp(client=client, signing_secret=server.signing_secret)
    mount(bolt, surestep)

    @bolt.event("message")
    async def echo(event: dict[str, Any], say: Any) -> None:
        await say(f"You said {event['text']}")

    @bolt.action("theirs")
    async def clicked(ack: Any, say: Any) -> None:
        await ack()
        await say("The program heard the click")

    @bolt.command("/surestep")
    async def helps(ack: Any) -> None:
        await ack("The program's own help")

    return bolt


async def test_words_are_for_one_of_the_two(server: SlackServer, ada: Person, kept: Kept) -> None:
    ada.says("an event please")
    ada.says("hello")
    await server.until(lambda: ada.dm.newest.from_bot, "the program's echo")
    await server.settled()
    assert ada.dm.screen().texts == ["an event please", "hello", "You said hello"]
    assert [body["event"]["text"] for body in kept.of(Kind.EVENT)] == ["an event please"]


async def test_clicks_are_for_one_of_the_two(server: SlackServer, ada: Person, kept: Kept) -> None:
    shows(ada.dm, FORM, ada)
    ada.dm.adds(None, raw="Theirs", blocks=[actions(button("Theirs", "theirs"))])
    await ada.clicks("Fill in the form").answered()
    await ada.clicks("Theirs").answered()
    await server.until(
        lambda: ada.dm.newest.text == "The program heard the click", "the program's answer"
    )
    await server.settled()
    assert len(kept.of(Kind.ACTIONS)) == 1


async def test_commands_are_for_one_of_the_two(
    server: SlackServer, ada: Person, kept: Kept
) -> None:
    ours = await ada.runs("/surestep", "new event").answered()
    theirs = await ada.runs("/surestep", "what is this").answered()
    assert ours.reply is None
    assert theirs.reply is not None
    assert theirs.reply.text == "The program's own help"
    assert len(kept.of(Kind.COMMAND)) == 1


async def test_what_is_not_stored_comes_again_and_is_no_other_listeners(
    server: SlackServer, ada: Person, kept: Kept
) -> None:
    server.delivery.ack_seconds = 0.5
    kept.fails = 1
    ada.says("an event please")
    await server.settled()
    assert len(kept.of(Kind.EVENT)) == 1
    assert ada.dm.screen().texts == ["an event please"]
