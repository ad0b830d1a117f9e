"""The cards of a whole journey as rich messages, sent to a Bot API server by each driver."""

from __future__ import annotations

import pytest

from channels.telegram import rich
from channels.telegram.api import Api, Refused
from channels.telegram.native import Piece, media_ref
from channels.telegram.payload import Dest, data_for
from core.cards import Card, buttons
from core.catalogue import PAGE, Catalogue
from core.effects import Change, Draw
from core.replies import File, Upload
from core.state import Status
from core.step.base import Fetch, Fetched
from core.texts import Texts
from tests.support.chat import ANNA, Chat, Types
from tests.support.telegram.bare import PNG
from tests.support.telegram.features import API_10_0
from tests.support.telegram.people import Person
from tests.support.telegram.requests import Upload as Sent
from tests.support.telegram.server import TelegramServer

CATALOGUE = Catalogue.load()


def venues(fetch: Fetch) -> Fetched:
    """The directory of venues that comes with the journey."""
    start = (int(fetch.arguments.get("page", 1)) - 1) * PAGE
    found = CATALOGUE.journey("event").directories["venues"].records
    return Fetched(records=tuple(found[start : start + PAGE]), total=len(found))


ANSWERS = {
    "kind": ["Meetup"],
    "format": ["In person"],
    "venue": ["Lindenhof Saal"],
    "date": ["5 February 2027"],
    "start_time": ["19:00"],
    "duration": ["2 hours"],
    "capacity": ["60"],
    "admission": ["Free"],
    "speakers": ["Ada Lovelace\nGrace Hopper", "done"],
    "languages": ["english and german"],
    "contact": ["Name: Anna Meier\nE-mail: anna@example.org", "Phone: +49 30 901820", "done"],
    "cover": [],
    "publish_at": ["3 February 2027", "now"],
    "attestation": ["yes"],
    "title": ["Python Evening"],
    "description": ["An evening about testing in Python, with two short talks and <pizza> & tea."],
}


def event_cards(cover: File) -> list[Card]:
    """Every card that is drawn or changed on the way of an event to its submission."""
    cards: list[Card] = []

    def keep(chat: Chat, *_: object) -> None:
        cards.extend(one.card for one in chat.last.show if isinstance(one, Draw | Change))

    types = Types((CATALOGUE.journey("event").type,))
    chat = Chat(types, fetch=venues, watch=keep).commands("new", "event")
    for item, answers in ANSWERS.items():
        assert chat.card.item == item
        for answer in answers:
            chat.says(answer)
        if not answers:
            chat.reply(Upload(files=(cover,), by=ANNA.id, at=chat.now))
    chat.taps("Confirm")
    assert chat.state.journey is not None
    assert chat.state.journey.status is Status.SUBMITTED
    return cards


def rich_pieces(cards: list[Card], dest: Dest) -> list[tuple[Card, Piece]]:
    pieces = ((card, rich.card(card, dest, Texts("en"), files=True)) for card in cards)
    return [(card, piece) for card, piece in pieces if piece is not None]


async def test_every_rich_card_of_the_event_journey_is_taken_by_the_server(
    server: TelegramServer, ada: Person, api: Api
) -> None:
    dest = Dest(chat=ada.id, owner=ada.id)
    ref = media_ref("photo", server.files.add("photo", Sent("cover.png", PNG)).id)
    cards = event_cards(File(ref=ref, name="cover.png", mime="image/png", size=len(PNG)))
    pieces = rich_pieces(cards, dest)
    for card, piece in pieces:
        await api.call("sendRichMessage", chat_id=ada.id, rich_message=piece.rich)
        shown = [one.data for one in ada.chat.newest.buttons]
        wanted = [data_for(card.id, one.token, dest) for one in buttons(card)]
        assert sorted(filter(None, shown)) == sorted(wanted)
    rich_items = ["venue", "date", "start_time", "speakers", "contact", "publish_at"]
    assert {card.item for card, _ in pieces} == {*rich_items, ""}
    assert "[photo] Cover" in str(ada.chat.screen())


async def test_an_older_server_says_that_it_has_no_rich_messages(
    server: TelegramServer, ada: Person, api: Api
) -> None:
    server.lacks = set(API_10_0)
    dest = Dest(chat=ada.id, owner=ada.id)
    cards = event_cards(File(ref="photo:P1", mime="image/png", size=len(PNG)))
    _, piece = rich_pieces(cards, dest)[0]
    with pytest.raises(Refused) as refused:
        await api.call("sendRichMessage", chat_id=ada.id, rich_message=piece.rich)
    assert refused.value.code == 404
    assert ada.chat.screen().texts == []
