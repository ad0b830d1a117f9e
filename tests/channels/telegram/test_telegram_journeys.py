"""Whole journeys in Telegram, through each library, on servers new and old: with taps, with words,
and as people do it, with questions and changes in between.

What a person sees is kept beside this file (`screens/`), so that a change of it is read in review:
`SCREENS=new python -m pytest tests/channels/telegram/test_telegram_journeys.py` writes it anew.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from core.model import Model, Scripted, says
from tests.support.arrived import is_as_kept, is_submitted_once
from tests.support.telegram.features import API_10_0, PLAIN, Feature
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import telegram_bot
from tests.support.telegram_people import NOW, PHOTO, SUMMARY, Script, Visit

SCREENS = Path(__file__).parent / "screens"
FORMS: dict[str, Collection[Feature]] = {"rich": (), "drafts": API_10_0, "plain": PLAIN}
"""What a server lacks: nothing; what came after Bot API 10.0; all but messages and keyboards."""

KEPT = {"rich": "rich", "drafts": "plain", "plain": "plain"}
"""The screens that each is to show: what came before the rich messages shows no card otherwise."""


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest) -> str:
    """Each kind of server, one after the other."""
    return str(request.param)


@asynccontextmanager
async def visiting(
    folder: Path, driver: str, form: str, model: Model | None = None
) -> AsyncIterator[Visit]:
    """Ada in front of a running bot."""
    async with (
        TelegramServer(now=NOW, lacks=FORMS[form]) as server,
        telegram_bot(server, folder, driver, model=model) as bot,
    ):
        yield Visit(bot, server.person("Ada"))


# With taps alone: only what has to be typed is typed

TAPS: Script = {
    "kind": ["[Workshop]"],
    "format": ["[In person and online]"],
    "venue": ["[Next ›]", "[‹ Previous]", "[Lindenhof Saal]"],
    "online_link": ["https://meet.example.org/x"],
    "date": ["[January 2027 ›]", "[February 2027 ›]", "[5]"],
    "start_time": ["[7:00 PM]", "[7:30 PM]"],
    "duration": ["2 hours"],
    "capacity": ["60"],
    "admission": ["[A fixed price]"],
    "price": ["12.50"],
    "speakers": ["Ada Lovelace", "Grace Hopper", "[Done]"],
    "languages": ["[English]", "[Polish]", "[German]", "[Polish]", "[Done]"],
    "contact": ["Anna Meier", "anna@example.org", "[Leave out “Phone”]"],
    "cover": ["[Skip]"],
    "publish_at": ["[Now]"],
    "attestation": ["[I agree]"],
    "title": ["Python Evening"],
    "description": ["Two short talks about testing, then <pizza> & tea."],
}
CONTENT: dict[str, Any] = {
    "kind": "workshop",
    "title": "Python Evening",
    "description": "Two short talks about testing, then <pizza> & tea.",
    "format": "both",
    "venue": "Lindenhof Saal",
    "online_link": "https://meet.example.org/x",
    "date": "2027-02-05",
    "start_time": "19:30",
    "duration": 120,
    "capacity": 60,
    "admission": "paid",
    "price": {"amount": "12.50", "currency": "EUR"},
    "speakers": ["Ada Lovelace", "Grace Hopper"],
    "languages": ["english", "german"],
    "contact": {"name": "Anna Meier", "email": "anna@example.org", "phone": None},
    "cover": None,
    "publish_at": "now",
    "attestation": True,
}


async def test_an_event_is_submitted_with_taps(tmp_path: Path, driver: str, form: str) -> None:
    async with visiting(tmp_path, driver, form) as visit:
        await visit.does("/start event")
        await visit.answers(TAPS)
        assert await visit.asked() == SUMMARY
        await visit.does("[Confirm]")

        await is_submitted_once(visit, "events.jsonl", CONTENT)
        is_as_kept(SCREENS / f"taps_{KEPT[form]}.txt", visit.story)


# With words alone

WORDS: Script = {
    "kind": ["a workshop"],
    "format": ["both"],
    "venue": ["hamburg", "the first one"],
    "online_link": ["https://meet.example.org/x"],
    "date": ["the 5th of February 2027"],
    "start_time": ["half past seven in the evening"],
    "duration": ["two hours"],
    "capacity": ["60 people"],
    "admission": ["tickets"],
    "price": ["12.50 euros"],
    "speakers": ["Ada Lovelace\nGrace Hopper", "that's all"],
    "languages": ["english and german"],
    "contact": ["Name: Anna Meier\nE-mail: anna@example.org", "skip"],
    "cover": ["skip"],
    "publish_at": ["3 February 2027 at 9 am"],
    "attestation": ["I agree"],
    "title": ["Python Evening"],
    "description": ["Two short talks about testing, then <pizza> & tea."],
}


async def test_an_event_is_submitted_in_words(tmp_path: Path, driver: str, form: str) -> None:
    async with visiting(tmp_path, driver, form) as visit:
        await visit.does("/start event")
        await visit.answers(WORDS)
        assert await visit.asked() == SUMMARY
        await visit.does("yes, that's right")

        changed = {"venue": "Speicher 7", "publish_at": "2027-02-03T09:00"}
        await is_submitted_once(visit, "events.jsonl", CONTENT | changed)
        assert not visit.bot.server.taps


# As people do it

TITLE = ("record_item", {"item": "title", "value": "Python Evening", "quote": "the Python Evening"})
MIXED: Script = {
    "kind": ["Hi! We want to do the Python Evening again, is that ok here?", "[Talk]"],
    "format": ["[In person]"],
    "venue": ["Do you book it for me?", "halle", "/start", "[Halle 10]"],
    "date": ["[January 2027 ›]", "/start event", "5 February 2027"],
    "start_time": ["[7:00 PM]", "/review", "[7:30 PM]"],
    "duration": ["2 hours, or is that too long?", "[2 hours]"],
    "capacity": ["a hundred thousand", "60"],
    "admission": ["[By donation]"],
    "speakers": ["Ada Lovelace", "Grace Hoper", "[✕ 2]", "Grace Hopper", "[Done]"],
    "languages": ["[English]", "what do most people take?", "[German]", "[Done]"],
    "contact": ["E-mail: anna@example.org\nName: Anna Meyer", "[Name]", "Anna Meier", "[Done]"],
    "cover": [PHOTO],
    "publish_at": ["[5]", "[9:00 AM]", "[9:00 AM]"],
    "attestation": ["[I agree]"],
    "description": ["could you write something short?", "[Use this text]"],
}
DRAFT = "Two short talks about testing in Python, and time to meet."
DRAFTED = ("suggest_value", {"item": "description", "value": DRAFT})
MIXED_CONTENT: dict[str, Any] = {
    "kind": "talk",
    "title": "Python Evening",
    "description": DRAFT,
    "format": "in_person",
    "venue": "Halle 10",
    "date": "2027-02-05",
    "start_time": "19:30",
    "duration": 120,
    "capacity": 80,
    "admission": "donation",
    "speakers": ["Ada Lovelace", "Grace Hopper"],
    "languages": ["english", "german"],
    "contact": {"name": "Anna Meier", "email": "anna@example.org", "phone": None},
    "cover": "image/jpeg",
    "publish_at": "2026-12-05T09:00",
    "attestation": True,
}


async def test_an_event_is_submitted_as_people_do_it(
    tmp_path: Path, driver: str, form: str
) -> None:
    model = Scripted(
        says("", TITLE),
        "It is! Events of every size are welcome.",
        "It is not booked by this form: you book with the venue.",
        "Two hours is fine.",
        "Most take English. Which do you speak?",
        says("Here is a draft.", DRAFTED),
        "Take it, or write your own.",
    )
    async with visiting(tmp_path, driver, form, model) as visit:
        await visit.does("/start event")
        await visit.answers(MIXED)
        assert visit.is_sent_back(visit.sent("photo"))

        await visit.answers({SUMMARY: ["[Places]"], "capacity": ["80"]})
        assert "Places changed from 60 to 80" in str(visit)
        await visit.answers({SUMMARY: ["/review", "/start", "[Confirm]"]})

        await is_submitted_once(visit, "events.jsonl", MIXED_CONTENT)
        assert visit.is_sent_back(visit.sent("photo"))
        assert len(model.requests) == 7
        is_as_kept(SCREENS / f"mixed_{KEPT[form]}.txt", visit.story)


# The other ways


ONLINE: Script = {
    "kind": ["[Conference]"],
    "format": ["[Online]"],
    "online_link": ["https://meet.example.org/x"],
    "date": ["next Friday", "[Friday, December 11, 2026]"],
    "start_time": ["[9:00 AM]", "[9:15 AM]"],
    "duration": ["3 days"],
    "capacity": ["2000"],
    "admission": ["[Free]"],
    "speakers": ["Ada", "that's all"],
    "languages": ["[Sign language]", "[Done]"],
    "contact": ["Anna", "anna@example.org", "+49 30 901820"],
    "cover": [PHOTO],
    "publish_at": ["[2]", "[6:00 PM]", "[6:30 PM]"],
    "attestation": ["[I agree]"],
    "title": ["Python for all"],
    "description": ["Three days of talks, all of them online and with sign language."],
}


async def test_an_online_event_has_no_venue_and_no_bound(tmp_path: Path) -> None:
    async with visiting(tmp_path, "ptb", "plain") as visit:
        await visit.does("/start event")
        await visit.answers({**ONLINE, SUMMARY: ["[Confirm]"]})
        await is_submitted_once(
            visit,
            "events.jsonl",
            {
                "kind": "conference",
                "title": "Python for all",
                "description": "Three days of talks, all of them online and with sign language.",
                "format": "online",
                "online_link": "https://meet.example.org/x",
                "date": "2026-12-11",
                "start_time": "09:15",
                "duration": 3 * 24 * 60,
                "capacity": 2000,
                "admission": "free",
                "speakers": ["Ada"],
                "languages": ["sign_language"],
                "contact": {"name": "Anna", "email": "anna@example.org", "phone": "+4930901820"},
                "cover": "image/jpeg",
                "publish_at": "2026-12-02T18:30",
                "attestation": True,
            },
        )


REQUEST: Script = {
    "kind": ["[Something bought]"],
    "product": ["Headset, wired, USB-C"],
    "cost": ["129.90"],
    "needed_by": ["[15]"],
    "approver": ["Kim Lindner"],
    "urgency": ["urgent"],
    "attestation": ["yes"],
    "reason": ["The old one broke, and I am on the phone all day."],
}


async def test_something_is_asked_for(tmp_path: Path) -> None:
    async with visiting(tmp_path, "aiogram", "rich") as visit:
        await visit.does("/start request")
        await visit.answers({**REQUEST, SUMMARY: ["yes"]})
        await is_submitted_once(
            visit,
            "requests.jsonl",
            {
                "kind": "purchase",
                "product": "Headset, wired, USB-C",
                "cost": {"amount": "129.90", "currency": "EUR"},
                "needed_by": "2026-12-15",
                "approver": {"id": "", "handle": "", "name": "Kim Lindner"},
                "urgency": "urgent",
                "attestation": True,
                "reason": "The old one broke, and I am on the phone all day.",
            },
        )
