"""bolt talks to the server, by HTTP and by Socket Mode: messages, clicks, modals, commands."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.slack.bare import (
    Bolt,
    Running,
    actions,
    bolt,
    button,
    field,
    modal,
    option,
    section,
)
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer

CHIPS = [
    section("*What* is it?"),
    actions(button("Talk", "kind:talk"), button("Workshop", "kind:workshop")),
]
FORM = modal(
    "Event",
    field("Title", {"type": "plain_text_input"}, "title"),
    field("Kind", {"type": "static_select", "options": [option("Talk"), option("Panel")]}, "kind"),
    field("Day", {"type": "datepicker"}, "day", optional=True),
    callback_id="event",
    notify_on_close=True,
)


def journey(server: SlackServer) -> Bolt:
    """Asks for the kind of an event, settles it in place; a form behind a button."""
    app = bolt(server)

    @app.event("message")
    async def hears(event: dict[str, Any], say: Any) -> None:
        if "bot_id" not in event and event.get("subtype") is None:
            await say(text="What is it?", blocks=CHIPS)

    @app.action("kind:workshop")
    async def settles(ack: Any, body: dict[str, Any], client: Any) -> None:
        await ack()
        channel, ts = body["channel"]["id"], body["message"]["ts"]
        blocks = [section("Kind: workshop"), actions(button("Details", "details"))]
        await client.chat_update(channel=channel, ts=ts, text="Kind: workshop", blocks=blocks)

    @app.action("details")
    async def opens(ack: Any, body: dict[str, Any], client: Any) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=FORM)

    @app.view("event")
    async def submitted(ack: Any, view: dict[str, Any], client: Any, body: dict[str, Any]) -> None:
        title = view["state"]["values"]["title"]["value"]["value"]
        if len(title) < 3:
            await ack(response_action="errors", errors={"title": "A bit more, please"})
            return
        await ack()
        await client.chat_postMessage(channel=body["user"]["id"], text=f"Title: {title}")

    @app.view_closed("event")
    async def gone(ack: Any, body: dict[str, Any], client: Any) -> None:
        await ack()
        await client.chat_postMessage(channel=body["user"]["id"], text="Later, then")

    return app


async def test_a_journey(server: SlackServer, ada: Person, runs_either_way: Running) -> None:
    await runs_either_way(journey(server))
    ada.says("hello")
    (ask,) = await server.until(lambda: ada.dm.screen().live, "the question")
    assert (ask.text, ask.shown.marked("bold")) == ("What is it?", ["What"])
    assert ask.buttons == ["Talk", "Workshop"]
    await ada.clicks("Workshop").answered()
    await server.until(lambda: ask.text == "Kind: workshop", "the receipt")
    form = await ada.opens("Details")
    assert str(form) == (
        "┌ Event\n│ Title: [ … ▾ ]\n│ Kind: [ … ▾ ]\n│ Day (optional): [ a date ▾ ]\n"
        "└ [ Cancel ] [ Send ]"
    )
    await form.fills(Title="Be", Kind="Panel").submits().answered()
    assert form.errors == {"Title": "A bit more, please"}
    assert form.value("Kind") == "Panel"
    await form.fills(Title="Bees & me").submits().answered()
    assert not form.is_open
    await server.until(lambda: ada.dm.screen().texts[-1] == "Title: Bees & me", "the title")
    assert str(ada.dm.screen()).splitlines() == [
        "── Ada ──",
        "Ada: hello",
        "Surestep: Kind: workshop",
        "    [ Details ]",
        "Surestep: Title: Bees & me",
    ]
    await server.settled()


async def test_a_form_that_is_closed(
    server: SlackServer, ada: Person, runs_either_way: Running
) -> None:
    await runs_either_way(journey(server))
    ada.says("hello")
    await server.until(lambda: ada.dm.screen().live, "the question")
    await ada.clicks("Workshop").answered()
    await server.until(lambda: ada.dm.newest.buttons == ["Details"], "the receipt")
    form = await ada.opens("Details")
    with pytest.raises(AssertionError, match=r"lacks \['Title', 'Kind'\]"):
        form.submits()
    (told,) = form.closes()
    await told.answered()
    await server.until(lambda: ada.dm.newest.text == "Later, then", "the bot hears of it")
    await server.settled()
