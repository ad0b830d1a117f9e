"""Whole journeys in each language, by taps and words, with no model at all (G12)."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from core.cards import Record, Summary
from core.catalogue import PAGE, Catalogue
from core.state import Status
from core.step.base import Fetch, Fetched
from tests.support.chat import ANNA, Chat, Types
from tests.support.guarantees import check

CATALOGUE = Catalogue.load()


def venues(fetch: Fetch) -> Fetched:
    """The shipped directory, searched by the beginning of a name."""
    query = str(fetch.arguments.get("query", "")).casefold()
    start = (int(fetch.arguments.get("page", 1)) - 1) * PAGE
    all_of_them = CATALOGUE.journey("event").directories["venues"].records
    found: list[Record] = [one for one in all_of_them if one.label.casefold().startswith(query)]
    return Fetched(records=tuple(found[start : start + PAGE]), total=len(found))


def begun(journey: str, language: str) -> Chat:
    types = Types((CATALOGUE.journey(journey).type,))
    person = msgspec.structs.replace(ANNA, locale=language)
    return Chat(types, fetch=venues, person=person, watch=check).commands("new", journey)


def walk(chat: Chat, answers: dict[str, list[str]]) -> dict[str, Any]:
    """Answer each item that is asked, in this order, and confirm; what was submitted.

    `[Done]` is a tap on the button Done.
    """
    for item, texts in answers.items():
        for text in texts:
            open_one = open_item(chat)
            assert open_one == item, f"{open_one!r} is open, and {item!r} is answered: {chat.said}"
            if text.startswith("[") and text.endswith("]"):
                chat.taps(text[1:-1])
            else:
                chat.says(text)
    assert open_item(chat) == "", chat.said
    assert isinstance(chat.card, Summary)
    chat.taps(chat.card.confirm.label)
    assert chat.state.journey is not None
    assert chat.state.journey.status is Status.SUBMITTED
    (submission,) = chat.submissions
    found: dict[str, Any] = json.loads(submission.content)
    return found


def open_item(chat: Chat) -> str:
    """The item that is asked; empty at the summary."""
    assert chat.state.journey is not None
    assert chat.state.journey.ask is not None
    return chat.state.journey.ask.item


ACCESS: dict[str, dict[str, list[str]]] = {
    "en": {
        "kind": ["an account"],
        "system": ["Wiki"],
        "needed_by": ["next Monday"],
        "approver": ["my team lead is Kim"],
        "urgency": ["no rush"],
        "attestation": ["yes"],
        "reason": ["I look after the onboarding pages from May on."],
    },
    "de": {
        "kind": ["ein Konto"],
        "system": ["Wiki"],
        "needed_by": ["nächsten Montag"],
        "approver": ["Das ist Kim, meine Teamleitung"],
        "urgency": ["keine Eile"],
        "attestation": ["[Ich bestätige]"],
        "reason": ["Ich betreue ab Mai die Seiten für neue Leute."],
    },
    "es": {
        "kind": ["una cuenta"],
        "system": ["wiki"],
        "needed_by": ["el lunes que viene"],
        "approver": ["Kim, por favor"],
        "urgency": ["sin prisa"],
        "attestation": ["[Lo confirmo]"],
        "reason": ["Desde mayo cuido las páginas de bienvenida."],
    },
}


@pytest.mark.parametrize("language", ACCESS)
def test_access_is_asked_for(language: str) -> None:
    assert walk(begun("request", language), ACCESS[language]) == {
        "kind": "access",
        "system": "wiki",
        "needed_by": "2026-12-07",
        "approver": {"id": "", "handle": "", "name": "Kim"},
        "urgency": "normal",
        "attestation": True,
        "reason": ACCESS[language]["reason"][0],
    }


PURCHASE = {
    "kind": ["a purchase"],
    "product": ["Headset, wired, USB-C"],
    "cost": ["129.90 euros"],
    "needed_by": ["tomorrow"],
    "approver": ["Kim"],
    "urgency": ["urgent"],
    "attestation": ["yes"],
    "reason": ["The old one broke, and I am on the phone all day."],
}


def test_a_purchase_is_asked_for_in_words() -> None:
    found = walk(begun("request", "en"), PURCHASE)
    assert (found["product"], found["needed_by"]) == ("Headset, wired, USB-C", "2026-12-02")
    assert found["cost"] == {"amount": "129.90", "currency": "EUR"}
    assert "system" not in found


TALK = {
    "title": ["Mending together"],
    "description": ["We mend clothes, bikes and radios together, and have tea."],
}
EVENT: dict[str, dict[str, list[str]]] = {
    "en": {
        "kind": ["a workshop"],
        "format": ["both"],
        "venue": ["Halle 10"],
        "online_link": ["https://meet.example.org/x"],
        "date": ["5 February 2027"],
        "start_time": ["7 pm"],
        "duration": ["two hours"],
        "capacity": ["60 people"],
        "admission": ["a fixed price"],
        "price": ["12.50"],
        "speakers": ["Ada\nBo", "done"],
        "languages": ["english and german"],
        "contact": ["Anna", "anna@example.org", "skip"],
        "cover": ["skip"],
        "publish_at": ["right away"],
        "attestation": ["yes"],
        **TALK,
    },
    "de": {
        "kind": ["ein Kurs"],
        "format": ["beides"],
        "venue": ["Halle 10"],
        "online_link": ["https://meet.example.org/x"],
        "date": ["5. Februar 2027"],
        "start_time": ["19 Uhr"],
        "duration": ["zwei Stunden"],
        "capacity": ["60 Personen"],
        "admission": ["Festpreis"],
        "price": ["12,50"],
        "speakers": ["Ada\nBo", "[Fertig]"],
        "languages": ["Englisch und Deutsch"],
        "contact": ["Anna", "anna@example.org", "[„Telefon“ weglassen]"],
        "cover": ["[Überspringen]"],
        "publish_at": ["ab sofort"],
        "attestation": ["[Einverstanden]"],
        **TALK,
    },
    "es": {
        "kind": ["un taller"],
        "format": ["ambos"],
        "venue": ["Halle 10"],
        "online_link": ["https://meet.example.org/x"],
        "date": ["5 de febrero de 2027"],
        "start_time": ["a las 19:00"],
        "duration": ["dos horas"],
        "capacity": ["60 personas"],
        "admission": ["precio fijo"],
        "price": ["12,50"],
        "speakers": ["Ada\nBo", "[Listo]"],
        "languages": ["inglés y alemán"],
        "contact": ["Anna", "anna@example.org", "[Dejar en blanco «Teléfono»]"],
        "cover": ["[Omitir]"],
        "publish_at": ["ahora mismo"],
        "attestation": ["[Estoy de acuerdo]"],
        **TALK,
    },
}


@pytest.mark.parametrize("language", EVENT)
def test_an_event_is_submitted(language: str) -> None:
    found = walk(begun("event", language), EVENT[language])
    assert found.pop("venue")["label"] == "Halle 10"
    assert found == {
        "kind": "workshop",
        "title": "Mending together",
        "description": "We mend clothes, bikes and radios together, and have tea.",
        "format": "both",
        "online_link": "https://meet.example.org/x",
        "date": "2027-02-05",
        "start_time": "19:00",
        "duration": 120,
        "capacity": 60,
        "admission": "paid",
        "price": {"amount": "12.50", "currency": "EUR"},
        "speakers": ["Ada", "Bo"],
        "languages": ["english", "german"],
        "contact": {"name": "Anna", "email": "anna@example.org", "phone": None},
        "cover": None,
        "publish_at": "now",
        "attestation": True,
    }
