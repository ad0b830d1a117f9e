"""Every card of the event journey, and hostile ones, are taken by Slack, in each language."""

from __future__ import annotations

import aiohttp
import pytest

from channels.slack import render, views
from channels.slack.native import Post
from channels.slack.payload import Dest, block_id, button_id
from core.cards import (
    Button,
    Card,
    Chips,
    Field,
    FieldKind,
    Mark,
    Picker,
    PickerMode,
    Role,
    Row,
    Summary,
)
from core.texts import Texts
from tests.steps.test_walks import EVENT, begun
from tests.support.any_cards import HOSTILE
from tests.support.slack.bare import Ask, actions, asking, button
from tests.support.slack.cards import EN, form
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack.sink import listening

NASTY = "".join(HOSTILE)


async def posted(ask: Ask, dest: Dest, posts: tuple[Post, ...]) -> None:
    """Post the messages; all of them are taken."""
    for post in posts:
        sent = await ask(
            "chat.postMessage", channel=dest.channel, text=post.text, blocks=list(post.blocks)
        )
        assert sent["ts"]


def dest_of(ada: Person) -> Dest:
    return Dest(team=ada.workspace.id, channel=ada.dm.id, owner=ada.id)


@pytest.mark.parametrize("language", sorted(EVENT))
async def test_every_card_of_an_event_is_taken(
    slack: SlackServer, ada: Person, language: str
) -> None:
    chat, texts, dest = begun("event", language), Texts(language), dest_of(ada)
    async with aiohttp.ClientSession() as session:
        ask = asking(session, slack)
        for said in (text for answers in EVENT[language].values() for text in answers):
            await posted(ask, dest, render.card(chat.card, dest, texts))
            assert chat.card.title in ada.dm.screen()[-1].text
            chat = chat.taps(said[1:-1]) if said.startswith("[") else chat.says(said)
        await posted(ask, dest, render.card(chat.card, dest, texts))
    assert texts("turn.confirm") in ada.dm.screen()[-1].buttons


def hostile_cards() -> list[Card]:
    """Cards with nothing but what careless channels break on."""
    frame = {"id": "c1", "item": "x", "title": NASTY, "hint": NASTY, "reason": NASTY}
    options = tuple(
        Button(token=f"o{number}", label=HOSTILE[number % len(HOSTILE)], detail=NASTY)
        for number in range(130)
    )
    edit = Button(token="e0", label=NASTY, role=Role.EDIT)
    row = Row(item="x", label=NASTY, value=NASTY, quote=NASTY, mark=Mark.QUOTED, edit=edit)
    confirm = Button(token="confirm", label=NASTY, role=Role.CONFIRM)
    return [
        Chips(**frame, options=options, multiple=False),  # type: ignore[arg-type]
        Chips(**frame, options=options, multiple=True),  # type: ignore[arg-type]
        Picker(**frame, mode=PickerMode.ENTRIES, entries=HOSTILE),  # type: ignore[arg-type]
        Summary(**frame, revision="r", rows=(row,), confirm=confirm),  # type: ignore[arg-type]
    ]


async def test_hostile_cards_are_taken_and_call_nobody(slack: SlackServer, ada: Person) -> None:
    dest = dest_of(ada)
    async with aiohttp.ClientSession() as session:
        ask = asking(session, slack)
        for card in hostile_cards():
            await posted(ask, dest, render.card(card, dest, EN))
            if isinstance(card, Summary):
                await posted(ask, dest, render.confirmed(card, EN, NASTY))
        await posted(ask, dest, (*render.message(NASTY), *render.receipt(NASTY)))
    for message in ada.dm.screen():
        assert message.shown.pings == []
        assert message.shown.links == {}


async def test_a_modal_is_opened_and_sent_back_as_it_was_filled_in(
    slack: SlackServer, ada: Person
) -> None:
    dest = dest_of(ada)
    asked = form(*_fields())
    row = actions(button("Fill in", button_id("~open")), block_id=block_id("c1", "send0", dest))
    async with aiohttp.ClientSession() as session, listening(slack) as sink:
        ask = asking(session, slack)
        await posted(ask, dest, (Post(text="x", blocks=(row,)),))
        trigger = (await ada.clicks("Fill in").answered()).trigger_id
        await ask("views.open", trigger_id=trigger, view=views.form(asked, dest, EN))
        await ada.modal.fills({"Name": "Ada & <Lovelace>", "Places": "12"}).submits().answered()
        submission = await sink.heard("view_submission")
    assert views.typed(submission["view"]) == {
        "name": "Ada & <Lovelace>",
        "places": "12",
        "site": "",
    }
    assert views.origin_of(submission["view"]) == views.Origin(dest.lane, "c1")
    assert set(views.blocks_of(submission["view"])) == {"name", "places", "site"}


def _fields() -> tuple[Field, ...]:
    return (
        Field(name="name", label="Name", kind=FieldKind.TEXT),
        Field(name="places", label="Places", kind=FieldKind.NUMBER),
        Field(name="site", label="Site", kind=FieldKind.URL, required=False),
    )
