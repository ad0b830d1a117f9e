"""What a turn refused is told as data, for a channel that must answer before the turn is taken."""

from __future__ import annotations

from core.replies import Reply, Submit, Tap, Words
from core.turn import Taken
from tests.support.chat import Chat, Types
from tests.support.journeys import dinner, halls

FIELDS = [
    {"name": "who", "value": "short_text"},
    {"name": "mail", "value": "email"},
]


def at_the_seats() -> Chat:
    chat = Chat(Types((dinner(),)), fetch=halls)
    return chat.commands("new", "dinner").taps("Online").says("https://example.org/x")


def tried(chat: Chat, reply: Reply) -> Taken:
    return chat.taken(chat.state, reply)


def submit(chat: Chat, card: str = "", **values: str) -> Submit:
    return Submit(card=card or chat.card.id, values={**values}, by="anna", at=chat.now)


def test_a_reply_that_is_refused_has_its_reason() -> None:
    chat = at_the_seats()
    assert tried(chat, submit(chat, seats="0")).refused == {"": "It must be 1 or more."}
    typed = Words(text="0", by="anna", at=chat.now)
    assert tried(chat, typed).refused == {"": "It must be 1 or more."}


def test_each_field_of_a_form_has_its_own() -> None:
    # Given a form of which one field is filled
    form = dinner(link={"value": "form", "step": "form", "fields": FIELDS})
    chat = Chat(Types((form,)), fetch=halls).commands("new", "dinner").taps("Online")

    refused = tried(chat, submit(chat, who="Ada", mail="no address")).refused
    assert set(refused) == {"", "mail"}
    assert "Mail" in refused[""]
    assert refused["mail"] == chat.submits(who="Ada", mail="no address").card.fields[1].reason

    assert set(tried(chat, submit(chat, who="", mail="")).refused) == {"", "who", "mail"}
    assert tried(chat, submit(chat, who="Ada", mail="a@example.org")).refused == {}


def test_what_settles_moves_is_unsure_or_is_of_another_card_is_not_refused() -> None:
    chat = at_the_seats()
    old = chat.card.id
    for text in ("10", "10 or 12"):
        assert tried(chat, submit(chat, seats=text)).refused == {}
    # Given a card with a reason of the reply before
    chat.submits(seats="0")
    assert chat.card.reason
    assert tried(chat, submit(chat, card="another-1", seats="0")).refused == {}
    assert tried(chat, Tap(card=old, token="~back", by="anna", at=chat.now)).refused == {}
    assert tried(chat, submit(chat, seats="10")).refused == {}
